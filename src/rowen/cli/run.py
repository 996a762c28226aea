"""`rowen run`: take in a snapshot and extract only what changed."""

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.limits import EXTRACTION_SECONDS

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rowen.cli.console import Console
    from rowen.engines.base import Engine
    from rowen.extractors.base import Extractor
    from rowen.model import Page
    from rowen.runs.report import Report
    from rowen.runs.run import Listener


_DIFFERED = 5
"""The exit code of a run whose copied records were wrong, as of drift."""


@click.command(short_help="Take in a snapshot; extract only what changed.")
@click.argument("extractors", metavar="EXTRACTOR...", nargs=-1, required=True)
@click.option(
    "--snapshot",
    metavar="SRC",
    required=True,
    help="Tonight's pages: a folder, a .warc, .parquet or .jsonl file, or git:REPO@REV[:FOLDER].",
)
@click.option("--store", metavar="DIR", required=True, help="Where results are kept; made if new.")
@click.option(
    "--engine",
    type=click.Choice(("local", "dask")),
    default="local",
    show_default=True,
    help="Processes of this machine, or a Dask cluster.",
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="The Dask scheduler; without one, workers start here."
)
@click.option(
    "--matcher",
    type=click.Choice(("auto", "none", "line", "anchor", "suffix")),
    default="auto",
    show_default=True,
    help="How changed pages are compared with what they were.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes. [default: one a core]")
@click.option(
    "--verify",
    metavar="FRACTION",
    type=click.FloatRange(0, 1),
    help="Check this share of the pages with copied records. [default: what 2% of the cost allow]",
)
@click.option("--scratch", is_flag=True, help="Reuse nothing.")
@click.option("--strict", is_flag=True, help="Stop at the first page that fails, and keep nothing.")
@click.option(
    "--page-seconds",
    type=click.FloatRange(min=0),
    default=EXTRACTION_SECONDS,
    show_default=True,
    help="How long an extractor may take for a page; 0 for no limit.",
)
@click.option("--keep", type=click.IntRange(min=1), help="Then drop all but so many snapshots.")
@click.option("--explain", is_flag=True, help="Show what would be done, and why; keep nothing.")
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How the summary is written.",
)
@common_options
def command(
    extractors: tuple[str, ...],
    *,
    snapshot: str,
    store: str,
    engine: str,
    scheduler: str | None,
    matcher: str,
    jobs: int | None,
    verify: float | None,
    page_seconds: float,
    keep: int | None,
    format_: str,
    scratch: bool,
    strict: bool,
    explain: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Run every EXTRACTOR over a snapshot of pages, and keep the records in a store.

    Pages that did not change since the last run are not extracted again, and of those that did only
    the parts that need it: the records are always those of a run from scratch. What there is then,
    `rowen records` tells.

    A page on which an extractor fails is recorded with the reason, and the exit code is 4; the
    other pages' records are kept. Some pages with copied records are extracted again and compared;
    where they differ, that extractor is extracted anew on all pages, and the exit code is 5.

    \b
    rowen run rules.toml --snapshot crawl/ --store store/
    rowen run rules.toml --snapshot tonight.warc.gz --store store/ --explain
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.model.errors import InputError
    from rowen.runs.run import Options, Run
    from rowen.runs.store import Store
    from rowen.sources import open_source

    console = Console(quiet=quiet, verbose=verbose)
    chosen = _extractors(extractors)
    source = open_source(snapshot)
    place = Store(store, create=not explain).place
    options = Options(
        matcher=matcher, verify=verify, scratch=scratch, strict=strict, page_seconds=page_seconds
    )
    run = Run(
        place,
        chosen,
        engine=_engine(engine, scheduler, jobs),
        jobs=jobs,
        options=options,
        listener=_listener(console),
    )
    report = run.explain(source) if explain else run.execute(source)
    for problem in report.unreadable:
        console.complain(problem)
    for name, page, reason in report.failures:
        console.complain(f"{page}: extractor {name!r} {reason}")
    for warning in report.warnings:
        console.complain(warning)
    for difference in report.differed:
        console.complain(difference.message)
    for name, page, reason in report.unchecked:
        console.complain(f"{page}: copied records of {name!r} could not be checked: it {reason}")
    for page in report.repeated:
        console.complain(f"{page}: this id came twice; only the first page counts")
    if not quiet:
        _show(report, format_, explain=explain)
    if keep is not None and not explain:
        Store(store).drop(keep=keep)
    if report.differed:
        return _DIFFERED
    return InputError.exit_code if report.failed or report.unreadable else 0


def _extractors(names: tuple[str, ...]) -> "list[Extractor]":
    from rowen.extractors.plugin import find_extractors

    return [one for name in names for one in find_extractors(name)]


def _engine(engine: str, scheduler: str | None, jobs: int | None) -> "str | Engine":
    if engine == "dask":
        from rowen.engines.dask import Dask

        return Dask(scheduler, jobs=jobs)
    if scheduler is not None:
        raise click.UsageError("--scheduler is for --engine dask")
    return engine


def _listener(console: "Console") -> "Listener":
    from rowen.runs.run import Listener

    class Shown(Listener):
        """Shows a run on the terminal."""

        def coming(
            self, pages: "Iterable[Page]", count: Callable[[], int | None]
        ) -> "Iterable[Page]":
            return console.progress(pages, doing="Reading pages", count=count)

        def planned(self, report: "Report") -> None:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in report.pages.items())
            console.tell(f"pages: {kinds}")

        def working(self, pages: int) -> "AbstractContextManager[Callable[[int], None]]":
            return console.gauge(pages, doing="Extracting")

    return Shown()


def _show(report: "Report", format_: str, *, explain: bool) -> None:
    if format_ == "json":
        click.echo(json.dumps(report.to_dict()))
        return
    lines = report.explanation() if explain else report.lines()
    for line in lines:
        click.echo(line)
