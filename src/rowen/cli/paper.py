"""`rowen paper`: scholarly papers to header, citations, body and text."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

import click

from rowen.cli import BUG, INTERRUPTED
from rowen.cli.app import common_options
from rowen.cli.interrupts import interrupts
from rowen.cli.output import format_of, output_option
from rowen.model.errors import DocumentError

if TYPE_CHECKING:
    from rowen.cli.console import Console
    from rowen.papers.many import Papers
    from rowen.papers.paper import Paper, Reading

Made = TypeVar("Made", "Paper", "Reading")

FORMATS = ("json", "xml", "tei", "jats", "markdown", "bibtex", "ris", "csl", "text", "html")

ENDINGS = {
    "json": "json",
    "jsonl": "json",
    "xml": "xml",
    "tei.xml": "tei",
    "tei": "tei",
    "jats.xml": "jats",
    "jats": "jats",
    "md": "markdown",
    "markdown": "markdown",
    "bib": "bibtex",
    "ris": "ris",
    "csl.json": "csl",
    "csl": "csl",
    "txt": "text",
    "html": "html",
    "htm": "html",
}
"""The format by the suffix of the output."""


@click.command(short_help="Read scholarly papers: header, citations, body and text.")
@click.argument("files", metavar="PDF...", nargs=-1, required=True)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="json: one object per line; bibtex, ris and csl: the citations; markdown: the whole "
    "paper; text: the reading text; html: a report that shows the results on the pages. "
    "[default: by the suffix of -o, else json]",
)
@output_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="How many processes read at once. [default: one per core]",
)
@click.option(
    "--citations-model",
    type=click.Path(),
    help="A model of citations that `rowen train citations` wrote. [default: the package's]",
)
@common_options
def command(
    *,
    files: tuple[str, ...],
    format_: str | None,
    output: str | None,
    jobs: int | None,
    citations_model: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Read each PDF, or all PDFs of a folder, and write its header, citations, body and text.

    HTML and plain text work as well; the type is detected from the content, not from the name. They
    have no layout, so fewer fields are found (the meta tags of HTML help), and their citations have
    no place on a page.

    Each object of -f json has `file`, the title, authors with affiliations and addresses, abstract,
    keywords, DOI, date, citations with their places, the body in sections with paragraphs, figures,
    tables with cells, formulas, footnotes, and the text.

    Each file is read in a process with limits on time (10 s and 0.2 s per page) and memory (1 GB).
    If a file can't be read, it is reported, the others are written, and the exit code is 4. After
    Ctrl-C the command writes the papers that are finished.

    \b
    rowen paper article.pdf
    rowen paper papers/ -o papers.jsonl
    rowen paper article.pdf -o article.md
    rowen paper article.pdf -f bibtex
    rowen paper article.pdf -f html -o article.html
    """  # noqa: D301  # click reads the backspace
    import rowen
    from rowen.cli.console import Console
    from rowen.export.papers import write_paper_report
    from rowen.papers.many import read_papers_closely

    chosen = format_ or format_of(output, ENDINGS, default="json")
    console = Console(quiet=quiet, verbose=verbose)
    if citations_model is not None:
        _use_model(citations_model)
    # A report draws the pages, so it needs the lines of each paper; other formats do without them,
    # and without sending them from process to process.
    if chosen == "html":
        with read_papers_closely(files, jobs=jobs) as readings:
            return _report(readings, console, lambda good: write_paper_report(output, good))
    with rowen.read_papers(files, jobs=jobs) as papers:
        several = len(papers.files) > 1
        return _report(
            papers,
            console,
            lambda good: rowen.write_papers(output, good, format=chosen, several=several),
        )


def _use_model(path: str) -> None:
    """Let the processes that read papers use another model of citations."""
    import os

    from rowen.citations.parser import open_citations_model
    from rowen.crf.tagger import OTHER_CITATIONS_MODEL

    open_citations_model(path)  # says what is wrong before any process starts
    os.environ[OTHER_CITATIONS_MODEL] = os.path.abspath(path)  # noqa: PTH100  # a plain string


def _report(
    papers: "Papers[Made]",
    console: "Console",
    write: "Callable[[Iterable[tuple[str, Made]]], int]",
) -> int:
    """Write the papers that can be read, print what is wrong, and return the exit code."""
    codes: list[int] = []  # of each file

    def good() -> "Iterator[tuple[str, Made]]":
        count = len(papers.files)
        for name, paper in console.progress(papers, doing="reading", count=lambda: count):
            if isinstance(paper, DocumentError):
                console.complain(f"{name}: {paper.reason}")
                codes.append(paper.exit_code)
            elif isinstance(paper, Exception):
                console.complain(f"{name}: internal error: {paper}; please report it")
                codes.append(BUG)
            else:
                codes.append(0)
                for warning in paper.warnings:
                    console.warn(f"{name}: {warning}")
                yield name, paper

    # At Ctrl-C the papers that are finished are still written: `good` ends after them.
    with interrupts(papers.stop) as interrupted:
        succeeded = write(good())
    console.inform(f"{succeeded:,} papers, {len(codes) - succeeded:,} failed")
    if interrupted():
        console.complain(f"interrupted; {len(codes):,} of {len(papers.files):,} files were read")
        return INTERRUPTED
    # An internal error has the smallest code, but matters more than a file that can't be read.
    return BUG if BUG in codes else max(codes)
