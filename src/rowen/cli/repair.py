"""`rowen repair`: learn a wrapper again after its site was redesigned."""

import click

from rowen.cli.app import common_options
from rowen.cli.output import WRAPPERS, format_of

IN_DOUBT = 5
"""As for drift: the site and the wrapper may not go together."""


@click.command(short_help="Learn a wrapper again after a redesign of its site.")
@click.argument("wrapper")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "--known",
    type=click.Path(),
    help="Records from before the redesign, as written by extract.  "
    "[default: those that the wrapper's file keeps]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write the new wrapper here; without it, only print the changes.",
)
@common_options
def command(
    wrapper: str,
    pages: tuple[str, ...],
    known: str | None,
    output: str | None,
    *,
    quiet: bool,
    verbose: bool,
) -> int:
    """Learn WRAPPER again on redesigned PAGEs, and show what changes.

    Rowen searches the new pages for records that were extracted before, starting with those of the
    same page, and learns from them. It prints the changes: the records that come and go, and the
    wrapper itself. WRAPPER is not changed; the new one is written to -o.

    If the known values don't confirm the new wrapper, or contradict it, each reason is a line
    "in doubt: ..." and the exit code is 5: look at the records before you use it.

    \b
    rowen repair wrapper.json today/ --known yesterday.jsonl
    rowen repair wrapper.json today/ --known yesterday.jsonl -o repaired.json
    """  # noqa: D301  # click reads the backspace
    import rowen
    from rowen.cli.console import Console
    from rowen.cli.learn import exit_code_of, print_warnings
    from rowen.cli.wrapping import Reader, open_wrapper, write_text, write_wrapper
    from rowen.induction.budget import LEARNING_SECONDS
    from rowen.sources import open_pages

    format_of(output, WRAPPERS, default="json")
    console = Console(quiet=quiet, verbose=verbose)
    opened = open_wrapper(wrapper)
    reader = Reader(open_pages(pages), console)
    new_pages = list(reader.watched("Reading pages"))
    reader.require()
    doing = f"Repairing, at most {LEARNING_SECONDS:.0f} s of processor time"
    with console.clock(doing=doing) as progress:
        repaired = rowen.repair(opened, new_pages, known or (), progress=progress)
    if output is not None:
        write_wrapper(repaired.wrapper, output)
    if not quiet:
        write_text(f"{repaired.report}\n", None)
    doubts = repaired.report.doubts
    if doubts and quiet:
        console.complain(f"the new wrapper is in doubt: {'; '.join(doubts)}")
    if not quiet:
        print_warnings(console, repaired.wrapper)
    if doubts:
        return IN_DOUBT
    return exit_code_of(repaired.wrapper)
