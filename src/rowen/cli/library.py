"""`rowen library`: the papers of a data folder, or of a service."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from rowen.cli import INTERRUPTED
from rowen.cli.app import common_options
from rowen.cli.interrupts import interrupts
from rowen.cli.output import format_of, output_option
from rowen.model.errors import InputError, StoreError, UsageError

if TYPE_CHECKING:
    from rowen.cli.console import Console

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

FORMATS = ("bibtex", "ris", "csl", "csv", "json", "tei", "markdown")
ENDINGS = {
    "bib": "bibtex",
    "ris": "ris",
    "csl.json": "csl",
    "csl": "csl",
    "csv": "csv",
    "json": "json",
    "tei.xml": "tei",
    "tei": "tei",
    "md": "markdown",
    "markdown": "markdown",
}
"""The format by the suffix of the output."""

READABLE = (".pdf", ".html", ".htm", ".xhtml", ".txt", ".xml", ".tex", ".bbl", ".zip")
"""The files of a folder that are imported."""

PAGE = 500
CHUNK_BYTES = 1024 * 1024


def data_option(command: Decorated) -> Decorated:
    """The option for the data folder."""
    option = click.option(
        "--data",
        type=click.Path(file_okay=False),
        default="rowen-data",
        show_default=True,
        help="The data folder of the library, as for `rowen serve`.",
    )
    return option(command)


def selection_options(command: Decorated) -> Decorated:
    """The options that narrow down papers."""
    for name, what in (
        ("tag", "with this tag"),
        ("state", "in this state: waiting, ready or failed"),
        ("language", "in this language, such as en"),
        ("venue", "of this journal, book or conference"),
        ("author", "of this author"),
        ("year", "of this year"),
    ):
        option = click.option(
            f"--{name}", multiple=True, help=f"Only papers {what}; can be repeated."
        )
        command = option(command)
    return command


@click.group(short_help="Import, search and export the papers of a library.", no_args_is_help=False)
@common_options
def command(*, quiet: bool, verbose: bool) -> None:
    """The library of papers in a data folder. `rowen serve` shows it in the browser at /library.

    \b
    rowen library import papers/ more.zip
    rowen library search "wrapper induction" --year 2001
    rowen library export -o library.bib
    """  # noqa: D301  # click reads the backspace


@command.command("import", short_help="Add papers and read them.")
@click.argument("paths", metavar="[PATH...]", nargs=-1, type=click.Path())
@data_option
@click.option(
    "--url",
    help="Send the papers to this service instead, which reads them. The variable ROWEN_TOKEN has "
    "its access token.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="How many processes read at once. [default: one per core]",
)
@common_options
def import_(
    *,
    paths: tuple[str, ...],
    data: str,
    url: str | None,
    jobs: int | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Add PDF, HTML, JATS, LaTeX and text files, folders of these, and zip archives.

    Equal files are one paper, so that the command can be repeated: it goes on where it was
    interrupted. Without a PATH it reads what an earlier import has left. What can't be read is
    reported, and the exit code is 4.

    \b
    rowen library import papers/
    rowen library import papers.zip --data /srv/rowen
    rowen library import papers/ --url http://127.0.0.1:8080
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console

    console = Console(quiet=quiet, verbose=verbose)
    files = [file for path in paths for file in _files(Path(path))]
    if url is not None:
        return _send(files, url, console)
    return _import(files, data, jobs, console)


@command.command(short_help="List or search papers.")
@click.argument("query", required=False, default="")
@selection_options
@click.option(
    "--sort",
    help="title, authors, year, venue, state or added; with a minus in descending order. "
    "[default: best match first, else the newest]",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    help="The most papers to list; 0 for all.",
)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="The output format.",
)
@data_option
@common_options
def search(
    *,
    query: str,
    sort: str | None,
    limit: int,
    format_: str,
    data: str,
    quiet: bool,
    verbose: bool,
    **facets: tuple[str, ...],
) -> int:
    """List the papers that match QUERY, or all papers.

    QUERY has words, "words in a row", begin* and -without; title:, author:, abstract:, body:,
    cites: and note: look in one part only. A service may use the data folder meanwhile.

    \b
    rowen library search "wrapper induction"
    rowen library search 'author:kushmerick -title:demo' --sort -year
    rowen library search --state failed
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.librarian.local import open_library
    from rowen.library.selection import Selection

    console = Console(quiet=quiet, verbose=verbose)
    selection = Selection(query, facets)
    shown = 0
    with open_library(Path(data)) as library:
        cursor = None
        while True:
            size = PAGE if not limit else min(PAGE, limit - shown)
            page = library.page(selection, sort=sort, cursor=cursor, limit=size)
            for item in page.items:
                if format_ == "jsonl":
                    click.echo(json.dumps(asdict(item), ensure_ascii=False))
                else:
                    click.echo(_line(item))
            shown += len(page.items)
            cursor = page.next
            if cursor is None or shown == limit:
                break
    if shown < page.total:
        console.warn(f"{shown:,} of {page.total:,} papers; --limit 0 lists all")
    return 0


@command.command(short_help="Write papers as BibTeX, RIS, CSL, CSV, JSON, TEI or Markdown.")
@click.argument("query", required=False, default="")
@selection_options
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="bibtex, ris, csl and csv have one entry per paper, the others the whole papers. "
    "[default: by the suffix of -o, else bibtex]",
)
@output_option
@click.option("--archive", is_flag=True, help="Write a zip archive with a file for each paper.")
@data_option
@common_options
def export(
    *,
    query: str,
    format_: str | None,
    output: str | None,
    archive: bool,
    data: str,
    quiet: bool,
    verbose: bool,
    **facets: tuple[str, ...],
) -> int:
    """Write the papers that match QUERY, or all papers, with all corrections.

    \b
    rowen library export -o library.bib
    rowen library export "wrapper induction" --tag cited -f csl -o cited.csl.json
    rowen library export --archive -f tei -o library.zip
    """  # noqa: D301  # click reads the backspace
    from tempfile import TemporaryFile

    from rowen.cli.console import Console
    from rowen.export.target import open_target
    from rowen.librarian.local import open_library
    from rowen.library.exports import export as write
    from rowen.library.selection import Selection

    if archive and output is not None and not output.lower().endswith(".zip"):
        raise UsageError("--archive writes a zip archive: the name of -o must end with .zip")
    named = None if archive else output
    chosen = format_ or format_of(named, ENDINGS, default="bibtex")
    console = Console(quiet=quiet, verbose=verbose)
    target = open_target(output)
    try:
        with open_library(Path(data)) as library, TemporaryFile() as file:
            papers = library.papers(library.chosen(Selection(query, facets)))
            number = write(file, papers, chosen, archive=archive)
            file.seek(0)
            while chunk := file.read(CHUNK_BYTES):
                target.write(chunk)
        target.commit()
    except BaseException:
        target.abandon()
        raise
    console.inform(f"{number:,} papers")
    return 0


def _files(path: Path) -> Iterator[Path]:
    """The files of a path: itself, or all readable ones of a folder by name."""
    if not path.exists():
        raise InputError(f"{path}: no such file or folder")
    if not path.is_dir():
        yield path
        return
    files = [
        file
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.suffix.lower() in READABLE and not file.name.startswith(".")
    ]
    if not files:
        raise InputError(f"{path}: the folder has no paper")
    yield from files


def _import(files: list[Path], data: str, jobs: int | None, console: "Console") -> int:
    import os

    from rowen.cli.console import Bars
    from rowen.librarian.local import Importer

    titles = {"adding": "adding", "reading": "reading"}
    try:
        with Bars(console, titles=titles) as bars:
            importer = Importer(Path(data), jobs=jobs or os.cpu_count() or 1, progress=bars.show)
            with interrupts(importer.stop) as interrupted:
                outcome = importer.run(files)
    except StoreError as error:
        if "in use" in str(error):
            raise StoreError(f"{error}: send the papers to it with --url") from None
        raise
    for own in outcome.skipped:
        console.complain(f"{own.name}: {own.reason}")
    console.warn(f"{outcome.new:,} new papers, {outcome.known:,} were there already")
    if interrupted():
        console.complain(f"interrupted: {outcome.left:,} papers are left; the same command goes on")
        return INTERRUPTED
    return InputError.exit_code if outcome.skipped else 0


def _send(files: list[Path], url: str, console: "Console") -> int:
    import os

    import rowen

    new = known = 0
    problems = 0
    with rowen.Client(url, token=os.environ.get("ROWEN_TOKEN")) as client:
        for file in console.progress(files, doing="sending", count=lambda: len(files)):
            try:
                added = client.add_to_library(file)
            except InputError as error:
                console.complain(f"{file}: {error}")
                problems += 1
                continue
            for name, reason in added.skipped:
                console.complain(f"{file}: {name}: {reason}")
                problems += 1
            fresh = sum(paper.new for paper in added.papers)
            new, known = new + fresh, known + len(added.papers) - fresh
    console.warn(f"{new:,} new papers, {known:,} were there already; the service reads them")
    return InputError.exit_code if problems else 0


def _line(item: Any) -> str:
    """A paper as a line of text."""
    names = item.authors[:3] + (["..."] if len(item.authors) > 3 else [])
    parts = [item.year or "----", item.title or item.name or "untitled", ", ".join(names)]
    if item.venue:
        parts.append(item.venue)
    if item.state != "ready":
        parts.append(item.reason or item.state)
    return "  ".join([item.id[:8], *filter(None, parts)])
