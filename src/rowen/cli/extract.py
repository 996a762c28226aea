"""`rowen extract`: run saved extractors over pages."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import choose_format, output_options
from rowen.model.errors import ExtractionError, InputError, RowenError

if TYPE_CHECKING:
    from rowen.cli.console import Console
    from rowen.export import Writer
    from rowen.extractors.base import Extractor
    from rowen.model import Page, Records
    from rowen.sources import Source

BATCH_PAGES = 64
BATCH_CHARACTERS = 250_000

STOPPED_SHOWN = 20
"""So many pages on which an extractor had to stop get a line of their own; the others are counted:
a crawl may have thousands of pages of another kind."""


@click.command(short_help="Run a saved extractor over pages.")
@click.argument("extractor")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@output_options
@click.option(
    "--strict", is_flag=True, help="Stop at the first page that fails, and write no output file."
)
@common_options
def command(
    extractor: str,
    pages: tuple[str, ...],
    format_: str | None,
    output: str | None,
    *,
    strict: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Run EXTRACTOR over each PAGE and write the records.

    EXTRACTOR is a saved file (.json, .toml), module:attribute, or the name of an installed plugin.
    PAGE is a file, a folder, a .warc, .parquet or .jsonl file, git:REPO@REV[:FOLDER], or - for
    standard input.

    A page that can't be read, or on which the extractor fails, is reported; the others are written
    all the same, and the exit code is 4. Of a page on which a wrapper had to stop, the records that
    were complete before are written.

    \b
    rowen extract rules.toml crawl/ -f csv -o rooms.csv
    rowen extract rules.toml page.html -f html -o report.html
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.export import open_writer
    from rowen.extractors.plugin import find_extractors
    from rowen.sources import open_pages

    chosen = choose_format(format_, output)
    extractors = find_extractors(extractor)
    source = open_pages(pages)
    console = Console(quiet=quiet, verbose=verbose)
    with open_writer(
        chosen, output, fields=_columns(extractors), name_extractor=len(extractors) > 1
    ) as writer:
        run = _Run(console, strict=strict)
        run.extract(extractors, source, writer)
        if not run.pages:  # nothing is written; where pages failed, each has had its line
            raise InputError("" if run.failures else f"no pages in {source.name}")
    return run.summary()


class _Run:
    """Counts what happens on the way from pages to records."""

    def __init__(self, console: "Console", *, strict: bool) -> None:
        self.console = console
        self.strict = strict
        self.pages = self.records = self.failures = self.stopped = 0

    def extract(
        self, extractors: "Sequence[Extractor]", source: "Source", writer: "Writer"
    ) -> None:
        pages = self.console.progress(
            source.pages(on_error=self.fail), doing="Extracting", count=lambda: source.count_hint
        )
        for batch in _batches(pages):
            done = [found for page in batch if (found := self.try_page(extractors, page))]
            for page, results in done:
                for extractor, records in zip(extractors, results, strict=True):
                    self.records += len(records)
                    writer.write(records, page=page, extractor=extractor.name)

    def try_page(
        self, extractors: "Sequence[Extractor]", page: "Page"
    ) -> "tuple[Page, list[Records]] | None":
        try:
            results = [extractor.extract(page) for extractor in extractors]
        except InputError as error:
            self.fail(error)
            return None
        self.pages += 1
        stopped = [
            _stopped(extractor.name, page, records)
            for extractor, records in zip(extractors, results, strict=True)
            if records.failure is not None
        ]
        if stopped:
            self.stop(stopped)
        return page, results

    def stop(self, errors: "Sequence[ExtractionError]") -> None:
        """Extractors had to stop on a page: what they found before is written."""
        if self.strict:
            raise errors[0]
        self.stopped += 1
        if self.stopped <= STOPPED_SHOWN:
            for error in errors:
                self.console.complain(str(error))

    def fail(self, error: RowenError) -> None:
        if self.strict:
            raise error
        self.failures += 1
        self.console.complain(str(error))

    def summary(self) -> int:
        told = f"{_counted(self.records, 'record')} from {_counted(self.pages, 'page')}"
        if not self.failures and not self.stopped:
            self.console.tell(told)
            return 0
        if self.stopped > STOPPED_SHOWN:
            more = _counted(self.stopped - STOPPED_SHOWN, "more page")
            self.console.complain(f"the extractor stopped early on {more}")
        failed = self.failures + self.stopped
        self.console.complain(f"{_counted(failed, 'page')} failed; wrote {told}")
        return InputError.exit_code


def _stopped(name: str, page: "Page", records: "Records") -> ExtractionError:
    after = f"stopped after {_counted(len(records), 'record')}"
    return ExtractionError(name, page.id, f"{after}: {records.failure}")


def _batches(pages: "Iterable[Page]") -> "Iterator[list[Page]]":
    """Some pages at a time: small ones are read, searched and written a fifth faster in turns."""
    batch: list[Page] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += len(page.text)
        if len(batch) == BATCH_PAGES or size > BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _columns(extractors: "Sequence[Extractor]") -> tuple[str, ...]:
    """All fields that can come, or none where an extractor can't know its own."""
    if not all(extractor.fields for extractor in extractors):
        return ()
    return tuple(dict.fromkeys(field for one in extractors for field in one.fields))
