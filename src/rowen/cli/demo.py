"""`rowen demo`: a walk through the main jobs on real pages that come with the package."""

import shutil
from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.model.errors import OutputError

if TYPE_CHECKING:
    from rich.console import Console as Terminal

    from rowen.extractors.base import Extractor
    from rowen.model import Page, Record

ROWS = 8
"""So many records of each extractor are shown: enough to see, few enough to read."""

PAPER = "jcon.00187.pdf"


@click.command(short_help="Walk through the main jobs on sample pages.")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("rowen-demo"),
    show_default=True,
    help="The folder to put the pages, the rules and the results into.",
)
@common_options
def command(folder: Path, *, quiet: bool, verbose: bool) -> None:  # noqa: ARG001  # every command has them
    """Walk through the main jobs on real pages, and leave all files behind to play with.

    Needs no network and nothing else; takes a few seconds.
    """
    from rich.console import Console as Terminal

    _lay_out(folder)
    terminal = Terminal(quiet=quiet, highlight=False, soft_wrap=True)
    _look(terminal, folder)
    _extract(terminal, folder)
    _check(terminal, folder)
    _learn(terminal, folder)
    _recycle(terminal, folder)
    _read(terminal, folder)
    _serve(terminal, folder)
    terminal.print(f"\nAll files are in [bold]{folder}/[/]. Next, mark pages in the browser:")
    terminal.print(f"  rowen studio {folder}/bookshop")


def _lay_out(folder: Path) -> None:
    """Copy the samples; files of an earlier demo are replaced, others stay."""
    try:
        with as_file(files("rowen.samples")) as samples:
            shutil.copytree(
                samples,
                folder,
                dirs_exist_ok=True,
                ignore=shutil.ignore_patterns("*.py", "__pycache__"),
            )
    except OSError as error:
        raise OutputError(f"can't write into {folder}: {error.strerror or error}") from None


def _look(terminal: "Terminal", folder: Path) -> None:
    from rich.syntax import Syntax

    pages = _pages(folder)
    size = sum(len(page.text) for page in pages)
    _headline(terminal, 1, "Pages and rules")
    terminal.print(f"{len(pages)} pages of Kubernetes' documentation, {size:,} characters.")
    terminal.print(f"{folder}/rules.toml says what to extract; its first rule:\n")
    rule = (folder / "rules.toml").read_text("utf-8").split("\n\n")[1]
    terminal.print(Syntax(rule, "toml", background_color="default"))


def _extract(terminal: "Terminal", folder: Path) -> None:
    from rowen.export import open_writer

    _headline(terminal, 2, "Extract")
    pages = _pages(folder)
    for extractor in _extractors(folder):
        records = [record for page in pages for record in extractor.extract(page)]
        terminal.print(_table(extractor.name, extractor.fields, records))
    for format_ in ("jsonl", "html"):
        target = folder / f"records.{format_}"
        with open_writer(format_, target, name_extractor=True) as writer:
            for page in pages:
                for extractor in _extractors(folder):
                    writer.write(extractor.extract(page), page=page, extractor=extractor.name)
        terminal.print(f"  rowen extract {folder}/rules.toml {folder}/feature-gates -o {target}")
    terminal.print(f"Open {folder}/records.html in a browser: it shows where each value stands.")


def _check(terminal: "Terminal", folder: Path) -> None:
    from rowen.testing import check_locality

    _headline(terminal, 3, "How far does each extractor look?")
    terminal.print(
        "Reuse rests on it: what lies further away can change without touching a record."
    )
    pages = _pages(folder)
    for extractor in _extractors(folder):
        compared = check_locality(extractor, pages)
        terminal.print(
            f"  [bold]{extractor.name}[/] {extractor.locality}: held in {compared} trials "
            "with the text around perturbed"
        )


def _learn(terminal: "Terminal", folder: Path) -> None:
    from rowen.sources import open_source
    from rowen.wrappers.labels import read_labels
    from rowen.wrappers.learn import learn

    _headline(terminal, 4, "Learn a wrapper from two marked pages")
    pages = list(open_source(folder / "case-studies"))
    marked = read_labels(folder / "labels.jsonl", pages)
    names = " and ".join(example.page.id for example in marked)
    terminal.print(f"{len(pages)} case studies; in labels.jsonl {names} are marked.")
    labels = f"--labels {folder}/labels.jsonl"
    terminal.print(f"  rowen learn {folder}/case-studies {labels} -o {folder}/wrapper.json")
    wrapper = learn(marked)
    wrapper.save(folder / "wrapper.json")
    terminal.print(wrapper.describe(), markup=False)
    records = [record for page in pages for record in wrapper.extract(page)]
    terminal.print(_table("on all pages", wrapper.fields, records))
    terminal.print(f"  rowen extract {folder}/wrapper.json {folder}/case-studies -f csv")


def _recycle(terminal: "Terminal", folder: Path) -> None:
    from rowen.runs.store import Store

    _headline(terminal, 5, "Recycle: a changed corpus costs only what changed")
    _make_tonight(folder)
    terminal.print(
        f"{folder}/tonight has the same pages, some time later: one with a correction, one under "
        "another name, one gone."
    )
    kept = folder / "demo-store"
    shutil.rmtree(kept, ignore_errors=True)  # that of an earlier demo
    store = Store(kept)
    for snapshot in ("feature-gates", "tonight"):
        terminal.print(
            f"\n  rowen run {folder}/rules.toml --snapshot {folder}/{snapshot} --store {kept}"
        )
        report = store.run(_extractors(folder), folder / snapshot, jobs=1)
        terminal.print("\n".join(report.lines()), markup=False)
    terminal.print(f"\n  rowen records --store {kept} --extractor stages --diff -2 | grep -v moved")
    for change in store.differences("stages"):
        if change["change"] != "moved":
            values = ", ".join(f"{field} {value}" for field, value in change["values"].items())
            terminal.print(f"{change['change']} on {change['page']}: {values}", markup=False)


def _read(terminal: "Terminal", folder: Path) -> None:
    from rowen.scholar.paper import read_paper

    _headline(terminal, 6, "Read a paper")
    file = folder / "papers" / PAPER
    terminal.print(f"  rowen paper {file} -f json")
    paper = read_paper(file)
    names = ", ".join(f"{one.given} {one.family}" for one in paper.authors)
    terminal.print(f"title: {paper.title}\nauthors: {names}", markup=False)
    terminal.print(f"{len(paper.body)} sections, {len(paper.citations)} citations, some of them:")
    for one in paper.citations:
        if one.container is not None:
            terminal.print(f"- {one.title} ({one.container}, {one.year})", markup=False)
    terminal.print(f"  rowen paper {file} -f html > paper.html   # all of it, shown in place")


def _serve(terminal: "Terminal", folder: Path) -> None:
    """The same over HTTP, by a service of its own that ends with this step."""
    from rowen.cli.serving import served

    _headline(terminal, 7, "Serve: a document that was seen is not worked on again")
    kept = folder / "demo-service"
    shutil.rmtree(kept, ignore_errors=True)  # that of an earlier demo
    terminal.print(f"  rowen serve --data {kept}")
    content = (folder / "papers" / PAPER).read_bytes()
    with served(kept) as service:
        for what in ("as it is", "again", "saved anew, with other bytes"):
            document = service.submit(content + b"\n" * what.startswith("saved"))
            reuse = service.reuse_of(document)
            terminal.print(f"header of the paper {what}: {reuse or 'extracted'}", markup=False)


def _make_tonight(folder: Path) -> None:
    """The pages as a later crawl might find them."""
    tonight = folder / "tonight"
    shutil.copytree(folder / "feature-gates", tonight, dirs_exist_ok=True)
    corrected = tonight / "AppArmor.md"
    corrected.write_text(corrected.read_text("utf-8").replace('"1.30"', '"1.29"'), "utf-8")
    (tonight / "KubeletTracing.md").replace(tonight / "Tracing.md")
    (tonight / "EventedPLEG.md").unlink()


def _extractors(folder: Path) -> "list[Extractor]":
    from rowen.extractors.saved import load_all

    return load_all(folder / "rules.toml")


def _pages(folder: Path) -> "list[Page]":
    from rowen.sources import open_source

    return list(open_source(folder / "feature-gates"))


def _headline(terminal: "Terminal", number: int, title: str) -> None:
    terminal.print()
    terminal.rule(f"[bold]{number}. {title}[/]", align="left")


def _table(name: str, fields: Iterable[str], records: "list[Record]") -> object:
    from rich.table import Table

    table = Table(title=f"{name}: {len(records)} records", title_justify="left")
    table.add_column("page", style="dim")
    for field in fields:
        table.add_column(field)
    for record in records[:ROWS]:
        values = record.values
        table.add_row(record.page.id, *(_cell(values.get(field)) for field in fields))
    if len(records) > ROWS:
        table.caption = f"and {len(records) - ROWS} more"
    return table


def _cell(value: str | list[str] | None) -> str:
    from rich.markup import escape

    if value is None:
        return "[dim]missing[/]"
    return escape(", ".join(value) if isinstance(value, list) else value)
