"""`rowen check`: whether a wrapper still fits the pages of its site."""

import json
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import format_of

if TYPE_CHECKING:
    from rowen.maintenance.drift_report import DriftReport, Finding

DRIFT_FOUND = 5
FORMATS = ("text", "json")
ENDINGS = {"txt": "text", "json": "json"}
SHOWN = 10
"""So many odd pages are listed; -v lists all."""


@click.command(short_help="Check whether a wrapper still fits its site.")
@click.argument("wrapper")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "--against",
    type=click.Path(),
    help="Compare with these records, as written by extract, instead of those of the examples.",
)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="The format of the report. [default: by the ending of -o, else text]",
)
@click.option(
    "-o", "--output", type=click.Path(), help="Write the report here instead of standard output."
)
@common_options
def command(
    wrapper: str,
    pages: tuple[str, ...],
    against: str | None,
    format_: str | None,
    output: str | None,
    *,
    quiet: bool,
    verbose: bool,
) -> int:
    """Run WRAPPER over each PAGE and compare its records with those that it used to find.

    Signs of drift are pages on which the wrapper stops (now, or when it was learned), pages without
    records, records that run into the next one, and values whose length or form differs from those
    on the pages that the wrapper was learned from. The exit code is 5 if drift is found, otherwise
    0. Notes, such as labels that the wrapper does not reproduce, are worth a look but are not
    drift. -v lists every page.

    \b
    rowen check wrapper.json today/
    rowen check wrapper.json today/ --against yesterday.jsonl -f json
    """  # noqa: D301  # click reads the backspace
    import rowen
    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader, open_wrapper, write_text
    from rowen.model.errors import InputError
    from rowen.sources import open_pages

    chosen = format_ or format_of(output, ENDINGS, default="text")
    console = Console(quiet=quiet, verbose=verbose)
    opened = open_wrapper(wrapper)
    reader = Reader(open_pages(pages), console)
    report = rowen.check(opened, reader.watched("Checking"), against=against)
    reader.require()
    if chosen == "json":
        text = json.dumps(report.to_dict(), indent=2, ensure_ascii=False) + "\n"
    else:
        text = _table(report, all_pages=verbose)
    write_text(text, output)
    if not report.compared:
        console.complain(f"{wrapper} has no profile: only failures were checked for")
    if report.drifted:
        return DRIFT_FOUND
    return InputError.exit_code if reader.failures else 0


def _table(report: "DriftReport", *, all_pages: bool) -> str:
    """The verdict, what shows in all pages together, then the pages with findings of their own."""
    pages, records = len(report.pages), sum(page.records for page in report.pages)
    verdict = "drift found" if report.drifted else "no drift"
    lines = [f"{verdict}: {_counted(records, 'record')} from {_counted(pages, 'page')}"]
    lines += map(_line, report.findings)
    # A note on a field that all pages together show need not be repeated on each page.
    listed = {finding.field for finding in report.findings} - {None}
    shown = [
        (page, [f for f in page.findings if f.severity == "drift" or f.field not in listed])
        for page in report.pages
    ]
    shown = [(page, findings) for page, findings in shown if findings or all_pages]
    hidden = 0 if all_pages else max(0, len(shown) - SHOWN)
    shown = shown[: len(shown) - hidden]
    width = max((len(page.page) for page, _ in shown), default=0)
    for page, findings in shown:
        lines.append(f"{page.page:<{width}}  {_counted(page.records, 'record')}")
        lines += map(_line, findings)
    if hidden:
        lines.append(f"and {_counted(hidden, 'more page')}; -v lists all")
    return "".join(f"{line}\n" for line in lines)


def _line(finding: "Finding") -> str:
    shown = " ".join(str(finding).split())
    return f"  {finding.severity:<5}  {shown}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
