"""`rowen paper`: scholarly papers to header, citations, body and text."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from rowen.cli import BUG, INTERRUPTED
from rowen.cli.app import common_options
from rowen.cli.interrupts import interrupts
from rowen.cli.output import format_of, output_option
from rowen.model.errors import DocumentError, InputError

if TYPE_CHECKING:
    from rowen.cli.console import Console
    from rowen.export.target import Target
    from rowen.scholar.paper import Paper, Reading
    from rowen.workers import Pool

Made = TypeVar("Made", "Paper", "Reading")

FORMATS = ("json", "xml", "tei", "bibtex", "csl", "text", "html")

ENDINGS = {
    "json": "json",
    "jsonl": "json",
    "xml": "xml",
    "tei.xml": "tei",
    "tei": "tei",
    "bib": "bibtex",
    "csl.json": "csl",
    "csl": "csl",
    "txt": "text",
    "html": "html",
    "htm": "html",
}
"""The format by the ending of the output."""


@click.command(short_help="Read scholarly papers: header, citations, body and text.")
@click.argument("files", metavar="PDF...", nargs=-1, required=True)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="json: an object a line; bibtex and csl: the citations; text: the reading text; html: "
    "a report that shows what was found on the pages. [default: by the ending of -o, else json]",
)
@output_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="How many processes read at once. [default: one a core]",
)
@common_options
def command(
    *,
    files: tuple[str, ...],
    format_: str | None,
    output: str | None,
    jobs: int | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Read each PDF, or all PDFs of a folder, and write what it says.

    HTML and plain text are read as well, by what they are, not by their names. They have no layout,
    so that less can be told; the meta tags of HTML help. Citations have no place on a page then.

    Each object of -f json has `file`, the title, authors with affiliations and addresses, abstract,
    keywords, DOI, date, citations (with where they stand), the body in sections, and the text.

    Each is read in a process with limits on its time (10 s and 0.2 s a page) and memory (1 GB). A
    file that can't be read is reported; the others are written all the same, and the exit code is
    4. Interrupted, the command writes what it has finished.

    \b
    rowen paper article.pdf
    rowen paper papers/ -o papers.jsonl
    rowen paper article.pdf -f bibtex
    rowen paper article.pdf -f html -o article.html
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.export.paper_report import written_report
    from rowen.export.papers import written_papers
    from rowen.export.target import open_target
    from rowen.scholar.apart import open_close_readers, open_readers

    chosen = format_ or format_of(output, ENDINGS, default="json")
    names = [name for file in files for name in _pdfs(file)]
    console = Console(quiet=quiet, verbose=verbose)
    target = open_target(output)
    processes = min(jobs or os.cpu_count() or 1, len(names))
    if chosen == "html":
        with open_close_readers(processes) as close_readers:
            return _write(names, close_readers, written_report, target, console)
    written = partial(written_papers, format_=chosen, several=len(names) > 1)
    with open_readers(processes) as readers:
        return _write(names, readers, written, target, console)


def _write(
    names: Sequence[str],
    readers: "Pool[None, Made]",
    written: "Callable[[Iterable[tuple[str, Made]]], Iterator[str]]",
    target: "Target",
    console: "Console",
) -> int:
    """Write what the files hold, and give the exit code."""
    from rowen.export.unicode import encode

    codes: list[int] = []  # of each file

    def papers() -> "Iterator[tuple[str, Made]]":
        read = readers.each((name, None, Path(name)) for name in names)
        for name, paper in console.progress(read, doing="reading", count=lambda: len(names)):
            if isinstance(paper, DocumentError):
                console.complain(f"{name}: {paper.reason}")
                codes.append(paper.exit_code)
            elif isinstance(paper, Exception):
                console.complain(f"{name}: a bug of ours: {paper}; please report it")
                codes.append(BUG)
            else:
                codes.append(0)
                for warning in paper.warnings:
                    console.warn(f"{name}: {warning}")
                yield name, paper

    with interrupts(readers.stop) as interrupted:
        try:
            for text in written(papers()):
                target.write(encode(text))
            if 0 in codes:
                target.commit()
            else:  # each file has had its line
                target.abandon()
        except BaseException:
            target.abandon()
            raise
    done = codes.count(0)
    console.tell(f"{done:,} papers, {len(codes) - done:,} failed")
    if interrupted():
        console.complain(f"interrupted; {len(codes):,} of {len(names):,} files were read")
        return INTERRUPTED
    return BUG if BUG in codes else max(codes)


def _pdfs(file: str) -> list[str]:
    path = Path(file)
    if path.is_dir():
        found = sorted(str(one) for one in path.rglob("*") if one.suffix.lower() == ".pdf")
        if not found:
            raise InputError(f"{file}: no PDF in this folder")
        return found
    if not path.exists():
        raise InputError(f"{file}: there is no such file")
    return [file]
