"""`rowen run`: take in a snapshot and extract only what changed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rowen.cli.app import common_options
from rowen.cli.output import summary_option
from rowen.recycling.options import ALLOWED_SHRINK
from rowen.recycling.time_limit import EXTRACTION_SECONDS

if TYPE_CHECKING:
    from rowen.extractors.base import Extractor
    from rowen.recycling.engine import Engine
    from rowen.recycling.report import Report
    from rowen.sources import Source


_DIFFERED = 5
"""The exit code of a run whose copied records were wrong; `rowen check` has the same for drift."""

_STEPS = {"reading": "Reading pages", "extracting": "Extracting"}


@click.command(short_help="Take in a snapshot; extract only what changed.")
@click.argument("extractors", metavar="EXTRACTOR...", nargs=-1, required=True)
@click.option(
    "--snapshot",
    metavar="SRC",
    required=True,
    help="The new pages: a folder, a .warc, .parquet or .jsonl file, or git:REPO@REV[:FOLDER].",
)
@click.option(
    "--store", metavar="DIR", required=True, help="Where results are stored; created if missing."
)
@click.option(
    "--trust-mtime",
    is_flag=True,
    help="Do not read files of a folder that have the size and time of change that they had in "
    "the last run.",
)
@click.option(
    "--update",
    is_flag=True,
    help="The snapshot has only what was fetched: all other pages stay as they are.",
)
@click.option(
    "--gone",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="With --update: ids of pages that no longer exist, one per line.",
)
@click.option(
    "--allow-shrink",
    metavar="FRACTION",
    type=click.FloatRange(0, 1),
    default=ALLOWED_SHRINK,
    show_default=True,
    help="Without --update: refuse a snapshot that has lost more than this share of its pages.",
)
@click.option(
    "--engine",
    type=click.Choice(("local", "dask")),
    default="local",
    show_default=True,
    help="Processes on this machine, or a Dask cluster.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="The Dask scheduler. [default: start workers on this machine]",
)
@click.option(
    "--matcher",
    type=click.Choice(("auto", "none", "line", "anchor", "suffix")),
    default="auto",
    show_default=True,
    help="How changed pages are compared with their old versions.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), help="Number of processes. [default: one per core]"
)
@click.option(
    "--verify",
    metavar="FRACTION",
    type=click.FloatRange(0, 1),
    help="Check this share of the pages with copied records. [default: as many as 2% of the "
    "run's cost allow]",
)
@click.option("--scratch", is_flag=True, help="Reuse nothing.")
@click.option(
    "--strict", is_flag=True, help="Stop at the first page that fails, and store nothing."
)
@click.option(
    "--page-seconds",
    type=click.FloatRange(min=0),
    default=EXTRACTION_SECONDS,
    show_default=True,
    help="Time limit of an extractor for one page; 0 for no limit.",
)
@click.option(
    "--fail-on-drift",
    is_flag=True,
    help="Exit with code 5 if a wrapper no longer fits its site.",
)
@click.option("--keep", type=click.IntRange(min=1), help="Then keep only the newest N snapshots.")
@click.option(
    "--metrics",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Also write the run's numbers to FILE, in Prometheus' text format.",
)
@click.option(
    "--otel",
    is_flag=True,
    envvar="ROWEN_OTEL",
    help="Send spans of the run to OpenTelemetry; the OTEL_... variables say where.",
)
@click.option("--explain", is_flag=True, help="Show what would be done, and why; store nothing.")
@summary_option
@common_options
def command(
    extractors: tuple[str, ...],
    *,
    snapshot: str,
    store: str,
    trust_mtime: bool,
    update: bool,
    gone: str | None,
    allow_shrink: float,
    engine: str,
    scheduler: str | None,
    matcher: str,
    jobs: int | None,
    verify: float | None,
    page_seconds: float,
    keep: int | None,
    metrics: str | None,
    otel: bool,
    format_: str,
    scratch: bool,
    strict: bool,
    explain: bool,
    fail_on_drift: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Run each EXTRACTOR over a snapshot of pages, and store the records.

    Pages that did not change since the last run are not extracted again, and of changed pages only
    the parts that need it. The records are the same as after a run from scratch. Use `rowen
    records` to read them.

    With --update the snapshot may be a part of the corpus: what was fetched tonight. Pages that a
    WARC file reports as unchanged (304) stay, those with 404 or 410 are gone, and those that could
    not be fetched or read stay with a warning. Without --update the snapshot is the whole corpus.

    A page on which an extractor fails is recorded with the reason, and the exit code is 4; the
    other pages' records are stored. Some pages with copied records are extracted again and
    compared. If they differ, that extractor runs again on all pages, and the exit code is 5.

    Records of new and changed pages are compared with what a wrapper used to find, as `rowen check`
    does. A wrapper that no longer fits is named; with --fail-on-drift the exit code is then 5. The
    records are stored anyway.

    \b
    rowen run rules.toml --snapshot crawl/ --store store/
    rowen run rules.toml --snapshot tonight.warc.gz --store store/ --explain
    rowen run rules.toml --snapshot fetched/ --store store/ --update --gone deleted.txt
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Bars, Console
    from rowen.cli.otel import tracing
    from rowen.model.errors import InputError
    from rowen.store import Store

    console = Console(quiet=quiet, verbose=verbose)
    chosen = _extractors(extractors)
    opened_engine = _engine(engine, scheduler, jobs)
    gone_pages = _gone(gone, update=update)
    source = _source(
        snapshot, chosen, trust_mtime=trust_mtime
    )  # first, so that a wrong name creates no store
    opened = Store(store, create=not explain)
    with (
        tracing(wanted=otel and not explain, complain=console.complain) as tracer,
        Bars(console, titles=_STEPS) as bars,
    ):
        # To count the pages of a source takes time: only a terminal shows how many there are.
        progress = bars.show if console.lively else None
        settings: dict[str, Any] = {
            "update": update,
            "gone": gone_pages,
            "allow_shrink": allow_shrink,
            "matcher": matcher,
            "verify": verify,
            "scratch": scratch,
            "strict": strict,
            "progress": progress,
        }
        if explain:
            report = opened.explain(chosen, source, **settings)
        else:
            report = opened.run(
                chosen,
                source,
                engine=opened_engine,
                jobs=jobs,
                page_seconds=page_seconds,
                tracer=tracer,
                **settings,
            )
    counts = ", ".join(f"{count:,} {kind}" for kind, count in report.pages.items())
    console.inform(f"pages: {counts}")
    for problem in report.problems():
        console.complain(problem)
    if not quiet:
        _show(report, format_, explain=explain)
    if metrics is not None and not explain:
        _write_metrics(report, metrics)
    if keep is not None and not explain:
        opened.drop(keep=keep)
    if report.differed or (fail_on_drift and report.drifted):
        return _DIFFERED
    return InputError.exit_code if report.failed or report.unreadable else 0


def _extractors(names: tuple[str, ...]) -> "list[Extractor]":
    from rowen.extractors.plugin import find_extractors

    return [extractor for name in names for extractor in find_extractors(name)]


def _source(snapshot: str, extractors: "Sequence[Extractor]", *, trust_mtime: bool) -> "Source":
    from rowen.extractors.chain import reads_papers

    if any(map(reads_papers, extractors)):
        if trust_mtime:
            raise click.UsageError("--trust-mtime is for pages; papers are compared by digests")
        from rowen.sheets.snapshot import PaperFiles

        return PaperFiles(snapshot)
    from rowen.sources import open_source

    return open_source(snapshot, trust_mtime=trust_mtime)


def _gone(path: str | None, *, update: bool) -> list[str]:
    """The ids in a file, one per line."""
    if path is None:
        return []
    if not update:
        raise click.UsageError("--gone is for --update; without it, missing pages are gone")
    from rowen.model.errors import InputError

    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"can't read {path}: {error}") from None
    return [line.strip() for line in lines if line.strip()]


def _engine(engine: str, scheduler: str | None, jobs: int | None) -> "str | Engine":
    if engine == "dask":
        from rowen.engines.dask import Dask

        return Dask(scheduler, jobs=jobs)
    if scheduler is not None:
        raise click.UsageError("--scheduler is for --engine dask")
    return engine


def _write_metrics(report: "Report", path: str) -> None:
    from rowen.export.target import writing
    from rowen.recycling.run_log import prometheus_text

    with writing(path) as target:
        target.write(prometheus_text(report).encode("utf-8", "replace"))


def _show(report: "Report", format_: str, *, explain: bool) -> None:
    if format_ == "json":
        click.echo(json.dumps(report.to_dict()))
        return
    lines = report.explanation() if explain else report.lines()
    for line in lines:
        click.echo(line)
