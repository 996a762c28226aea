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
    "-o", "--output", type=click.Path(), help="Write the new wrapper here; without it, only look."
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

    Records that were extracted before are looked for on the new pages, those of the same page
    first, and become the examples. What changes is told on standard output: the records that come
    and go, and the wrapper itself. WRAPPER stays as it is; the new one goes to -o.

    Where known values say too little for the new wrapper, or speak against it, each reason is a
    line "in doubt: ..." and the exit code is 5: look at the records before you use it.

    \b
    rowen repair wrapper.json today/ --known yesterday.jsonl
    rowen repair wrapper.json today/ --known yesterday.jsonl -o repaired.json
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.cli.learn import LABELS_MISSED, tell_warnings
    from rowen.cli.wrapping import Reader, open_wrapper, write_text, write_wrapper
    from rowen.limits import LEARNING_SECONDS
    from rowen.sources import open_pages
    from rowen.wrappers.maintaining.earlier import read_records
    from rowen.wrappers.maintaining.repair import repair

    format_of(output, WRAPPERS, default="json")
    console = Console(quiet=quiet, verbose=verbose)
    opened = open_wrapper(wrapper)
    earlier = () if known is None else read_records(known)
    reader = Reader(open_pages(pages), console)
    new_pages = list(reader.watched("Reading pages"))
    reader.require()
    with console.clock(doing=f"Repairing, at most {LEARNING_SECONDS:.0f} s of processor time"):
        repaired = repair(opened, new_pages, earlier, profile=opened.profile)
    if output is not None:
        repaired.wrapper.profile = repaired.profile
        write_wrapper(repaired.wrapper, output)
    if not quiet:
        write_text(f"{repaired.report}\n", None)
    doubts = repaired.report.doubts
    if doubts and quiet:
        console.complain(f"the new wrapper is in doubt: {'; '.join(doubts)}")
    if not quiet:
        tell_warnings(console, repaired.wrapper)
    if doubts:
        return IN_DOUBT
    return LABELS_MISSED if any(one.is_about_labels for one in repaired.wrapper.warnings) else 0
