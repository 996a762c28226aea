"""`rowen paper`: PDFs of scholarly papers to header, citations, body and text."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import output_option
from rowen.model.errors import DocumentError, InputError

if TYPE_CHECKING:
    from rowen.scholar.paper import Paper

FORMATS = ("json", "xml", "tei", "bibtex", "csl", "text")


@click.command(short_help="Read scholarly PDFs: header, citations, body and text.")
@click.argument("files", metavar="PDF...", nargs=-1, required=True)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="json",
    show_default=True,
    help="json: an object a line; bibtex and csl: the citations; text: the reading text.",
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
    format_: str,
    output: str | None,
    jobs: int | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Read each PDF, or all PDFs of a folder, and write what it says.

    Each object of -f json has `file`, the title, authors with affiliations and addresses, abstract,
    keywords, DOI, date, citations (with where they stand), the body in sections, and the text.

    A file that can't be read is reported; the others are written all the same, and the exit code
    is 4.

    \b
    rowen paper article.pdf
    rowen paper papers/ -o papers.jsonl
    rowen paper article.pdf -f bibtex
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.export.papers import written_papers
    from rowen.export.target import open_target
    from rowen.export.unicode import encode

    names = [name for file in files for name in _pdfs(file)]
    console = Console(quiet=quiet, verbose=verbose)
    target = open_target(output)
    failures = 0

    def papers() -> "Iterator[tuple[str, Paper]]":
        nonlocal failures
        read = _read(names, min(jobs or os.cpu_count() or 1, len(names)))
        for name, paper in console.progress(read, doing="reading", count=lambda: len(names)):
            if isinstance(paper, str):
                console.complain(f"{name}: {paper}")
                failures += 1
            else:
                yield name, paper

    try:
        for text in written_papers(papers(), format_, several=len(names) > 1):
            target.write(encode(text))
        if failures < len(names):
            target.commit()
    except BaseException:
        target.abandon()
        raise
    if failures == len(names):  # each has had its line
        target.abandon()
    console.tell(f"{len(names) - failures:,} papers, {failures:,} failed")
    return 4 if failures else 0


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


def _read(names: list[str], jobs: int) -> "Iterator[tuple[str, Paper | str]]":
    """Each file's paper, or why there is none, in order.

    PDFs come from anywhere, and one may bring the process down that reads it: then the rest is
    read by one process, to tell which it was.
    """
    waiting = list(names)
    while waiting:
        pool = ProcessPoolExecutor(jobs, get_context("spawn"), _ignore_interrupts)
        try:
            for result in pool.map(_attempt, waiting):
                yield waiting.pop(0), result
        except BrokenProcessPool:
            if jobs == 1:
                yield waiting.pop(0), "reading it brought the process down"
            jobs = 1
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C reaches all processes; the first of them ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _attempt(name: str) -> "Paper | str":
    from rowen.scholar.paper import read_paper

    try:
        return read_paper(name)
    except DocumentError as error:
        return error.reason
