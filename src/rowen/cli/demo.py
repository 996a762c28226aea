"""`rowen demo`: a tour of the main jobs on real pages that come with the package.

Each step uses the public API and prints the command that does the same.
"""

import shutil
from collections.abc import Iterable
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

import rowen
from rowen.cli.app import common_options
from rowen.model.errors import OutputError
from rowen.model.extras import needs

if TYPE_CHECKING:
    from rich.console import Console as Terminal

    from rowen.extractors.base import Extractor
    from rowen.model import Page
    from rowen.records import Record

ROWS = 8
"""How many records of each extractor are shown: enough to see, few enough to read."""

PAPER = "jcon.00187.pdf"


@click.command(short_help="Walk through the main jobs on sample pages.")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("rowen-demo"),
    show_default=True,
    help="The folder for the pages, the rules and the results.",
)
@common_options
def command(folder: Path, *, quiet: bool, verbose: bool) -> None:  # noqa: ARG001  # every command has them
    """Walk through the main jobs on real pages; all files stay for your own experiments.

    It needs no network and takes a few seconds.
    """
    with needs("all", "the demo"):
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
    """Copy the samples; files of an earlier demo are replaced, other files stay."""
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
    terminal.print(f"{len(pages)} pages of the Kubernetes documentation, {size:,} characters.")
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
    terminal.print(f"Open {folder}/records.html in a browser: it marks each value on its page.")


def _check(terminal: "Terminal", folder: Path) -> None:
    _headline(terminal, 3, "How far does each extractor look?")
    terminal.print(
        "Reuse depends on it: text that is further away can change without changing a record."
    )
    pages = _pages(folder)
    for extractor in _extractors(folder):
        trials = rowen.testing.check_locality(extractor, pages)
        terminal.print(
            f"  [bold]{extractor.name}[/] {extractor.locality}: confirmed in {trials} trials "
            "with other text around"
        )


def _learn(terminal: "Terminal", folder: Path) -> None:
    _headline(terminal, 4, "Learn a wrapper from two marked pages")
    pages = list(rowen.open_source(folder / "case-studies"))
    marked = rowen.read_labels(folder / "labels.jsonl", pages)
    names = " and ".join(example.page.id for example in marked)
    terminal.print(f"{len(pages)} case studies; labels.jsonl marks {names}.")
    labels = f"--labels {folder}/labels.jsonl"
    terminal.print(f"  rowen learn {folder}/case-studies {labels} -o {folder}/wrapper.json")
    wrapper = rowen.learn(marked)
    wrapper.save(folder / "wrapper.json")
    terminal.print(wrapper.describe(), markup=False)
    records = [record for page in pages for record in wrapper.extract(page)]
    terminal.print(_table("on all pages", wrapper.columns, records))
    terminal.print(f"  rowen extract {folder}/wrapper.json {folder}/case-studies -f csv")


def _recycle(terminal: "Terminal", folder: Path) -> None:
    from rich.markup import escape

    _headline(terminal, 5, "Recycle: a changed corpus costs only what changed")
    _make_tonight(folder)
    terminal.print(
        f"{folder}/tonight has the same pages some time later: one is corrected, one has a new "
        "name, one is gone."
    )
    data = folder / "demo-store"
    shutil.rmtree(data, ignore_errors=True)  # that of an earlier demo
    store = rowen.Store(data)
    for snapshot in ("feature-gates", "tonight"):
        terminal.print(
            f"\n  rowen run {folder}/rules.toml --snapshot {folder}/{snapshot} --store {data}"
        )
        report = store.run(_extractors(folder), folder / snapshot, jobs=1)
        terminal.print("\n".join(report.lines()), markup=False)
    terminal.print(f"\n  rowen records --store {data} --extractor stages --diff -2 | grep -v moved")
    for change in store.differences("stages"):
        if change["change"] != "moved":
            values = ", ".join(
                f"{field} {_cell(value)}" for field, value in change["values"].items()
            )
            page = escape(change["page"])
            terminal.print(f"{change['change']} on {page}: {values}")
            for field in change.get("fields", ()):
                before, after = change["before"]["values"][field], change["values"][field]
                terminal.print(f"  {field}: {_cell(before)} -> {_cell(after)}")


def _read(terminal: "Terminal", folder: Path) -> None:
    _headline(terminal, 6, "Read a paper")
    file = folder / "papers" / PAPER
    terminal.print(f"  rowen paper {file} -f json")
    paper = rowen.read_paper(file)
    names = ", ".join(f"{author.given} {author.family}" for author in paper.authors)
    terminal.print(f"title: {paper.title}\nauthors: {names}", markup=False)
    terminal.print(f"{len(paper.body)} sections, {len(paper.citations)} citations, such as:")
    for citation in paper.citations:
        if citation.container is not None:
            terminal.print(
                f"- {citation.title} ({citation.container}, {citation.year})", markup=False
            )
    terminal.print(f"  rowen paper {file} -f html > paper.html   # the results on the pages")


def _serve(terminal: "Terminal", folder: Path) -> None:
    """The same over HTTP, by a service that ends with this step."""
    from rowen.cli.demo_service import served

    _headline(terminal, 7, "Serve: a known document is not extracted again")
    data = folder / "demo-service"
    shutil.rmtree(data, ignore_errors=True)  # that of an earlier demo
    terminal.print(f"  rowen serve --data {data}")
    content = (folder / "papers" / PAPER).read_bytes()
    with served(data) as service:
        uploads = {
            "first upload": content,
            "same file again": content,
            "same paper in another file": content + b"\n",
        }
        for what, upload in uploads.items():
            reuse = service.reuse_of(service.submit(upload))
            answer = f"reused ({reuse})" if reuse else "extracted"
            terminal.print(f"{what}: header {answer}", markup=False)


def _make_tonight(folder: Path) -> None:
    """The pages as a later crawl might find them."""
    tonight = folder / "tonight"
    shutil.copytree(folder / "feature-gates", tonight, dirs_exist_ok=True)
    corrected = tonight / "AppArmor.md"
    corrected.write_text(corrected.read_text("utf-8").replace('"1.30"', '"1.29"'), "utf-8")
    (tonight / "KubeletTracing.md").replace(tonight / "Tracing.md")
    (tonight / "EventedPLEG.md").unlink()


def _extractors(folder: Path) -> "list[Extractor]":
    return rowen.load_all(folder / "rules.toml")


def _pages(folder: Path) -> "list[Page]":
    return list(rowen.open_source(folder / "feature-gates"))


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


def _cell(value: object) -> str:
    from rich.markup import escape

    from rowen.values.display import display

    return "[dim]missing[/]" if value is None else escape(display(value))
