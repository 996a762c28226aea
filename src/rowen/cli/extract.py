"""`rowen extract`: run saved extractors over pages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import choose_format, output_options
from rowen.model.errors import ExtractionError, InputError, RowenError

if TYPE_CHECKING:
    from rowen.cli.console import Console
    from rowen.extractors.base import Extractor
    from rowen.model import Page
    from rowen.records import Records
    from rowen.sources import Source

STOPPED_SHOWN = 20
"""Limit: for how many pages on which an extractor stopped early a line is printed; the others are
counted. A crawl may have thousands of pages that a wrapper does not fit."""


@click.command(short_help="Run a saved extractor over pages.")
@click.argument("extractor")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@output_options
@click.option(
    "--base-url",
    metavar="URL",
    help="The address that saved pages come from: a page's id becomes this address with the "
    "page's path, and relative links start from it.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of processes. It pays where extractors take longer than reading and writing.",
)
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
    table: str | None,
    source: bool,
    spans: bool,
    base_url: str | None,
    jobs: int,
    strict: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Run EXTRACTOR over each PAGE and write the records.

    EXTRACTOR is a saved file (.json, .toml), module:attribute, or the name of an installed plugin.
    PAGE is a file, a folder, a .warc, .parquet or .jsonl file, git:REPO@REV[:FOLDER], or - for
    standard input.

    If a page can't be read or the extractor fails on it, it is reported, the other pages are
    written, and the exit code is 4. If a wrapper stops early on a page, the complete records before
    that place are written.

    \b
    rowen extract rules.toml crawl/ -f csv -o rooms.csv
    rowen extract rules.toml page.html -f html -o report.html
    rowen extract shop.json crawl/ --jobs 4 -o products.jsonl
    rowen extract shop.json crawl/ --table reviews -o reviews.csv
    rowen extract shop.json saved/ --base-url https://shop.example/ -o products.csv
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.export import open_writer
    from rowen.extractors.base import columns_of, schema_of
    from rowen.extractors.chain import reads_papers
    from rowen.extractors.many import extract_many
    from rowen.extractors.plugin import find_extractors
    from rowen.sources import open_pages
    from rowen.sources.addresses import addressed

    chosen = choose_format(format_, output)
    extractors = find_extractors(extractor)
    if any(map(reads_papers, extractors)):
        from rowen.sheets.snapshot import PaperFiles

        crawl: Source = PaperFiles(pages)
    else:
        crawl = open_pages(pages)
    console = Console(quiet=quiet, verbose=verbose)
    tally = _Tally(console, strict=strict)
    with open_writer(
        chosen,
        output,
        fields={each.name: columns_of(each) for each in extractors},
        schema={each.name: schema_of(each) for each in extractors},
        name_extractor=len(extractors) > 1,
        table=table,
        source=source,
        spans=spans,
    ) as writer:
        shown = console.progress(
            addressed(crawl.pages(on_error=tally.fail), base_url),
            doing="Extracting",
            count=lambda: crawl.count_hint,
        )
        if jobs == 1:
            extracted = extract_many(extractors, shown, on_error=tally.fail)
        else:
            from rowen.engines.pages import extract_many_spread

            extracted = extract_many_spread(extractors, shown, jobs=jobs, on_error=tally.fail)
        for page, results in extracted:
            tally.add(page, results)
            for each, records in results:
                writer.write(records, page=page, extractor=each.name)
        # An error here removes the output file. Pages that failed have been reported already.
        if not tally.pages:
            raise InputError("" if tally.failures else f"no pages in {crawl.name}")
    for note in writer.notes:
        console.warn(note)
    return tally.summary()


class _Tally:
    """Counts pages, records and failures of one command, and reports each failure."""

    def __init__(self, console: "Console", *, strict: bool) -> None:
        self.console = console
        self.strict = strict
        self.pages = self.records = self.failures = self.stopped = 0

    def add(self, page: "Page", results: "Sequence[tuple[Extractor, Records]]") -> None:
        """Count the records of a page, and report extractors that stopped early on it."""
        self.pages += 1
        self.records += sum(len(records) for _, records in results)
        stopped = [
            ExtractionError(extractor.name, page.id, f"stopped after {count}: {records.failure}")
            for extractor, records in results
            if records.failure is not None and (count := _counted(len(records), "record"))
        ]
        if not stopped:
            return
        if self.strict:
            raise stopped[0]
        self.stopped += 1
        if self.stopped <= STOPPED_SHOWN:
            for error in stopped:
                self.console.complain(str(error))

    def fail(self, error: RowenError) -> None:
        """Report a page that could not be read or extracted."""
        if self.strict:
            raise error
        self.failures += 1
        self.console.complain(str(error))

    def summary(self) -> int:
        """Print the counts, and return the exit code."""
        counts = f"{_counted(self.records, 'record')} from {_counted(self.pages, 'page')}"
        if not self.failures and not self.stopped:
            self.console.inform(counts)
            return 0
        if self.stopped > STOPPED_SHOWN:
            more = _counted(self.stopped - STOPPED_SHOWN, "more page")
            self.console.complain(f"the extractor stopped early on {more}")
        failed = self.failures + self.stopped
        self.console.complain(f"{_counted(failed, 'page')} failed; wrote {counts}")
        return InputError.exit_code


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
