"""`rowen learn`: a wrapper from marked pages."""

from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import WRAPPERS, format_of
from rowen.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader
    from rowen.wrappers.base import Wrapper

LABELS_MISSED = 7
"""The exit code of a command that wrote a wrapper which does not reproduce every label."""

LEFT_OUT_SHOWN = 3
"""So many of the pages that fit no wrapper are named."""

NOISY_CLASS = "hlrt"
"""What auto is for recognizers: the class that the noisy learner was made for."""


@click.command(short_help="Learn a wrapper from marked pages.")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "--labels",
    type=click.Path(),
    help="What is marked on the pages: a .jsonl file with a line a page.",
)
@click.option(
    "--class",
    "class_",
    default="auto",
    show_default=True,
    metavar="CLASS",
    help="auto, lr, hlrt, oclr, hoclrt, n-lr, n-hlrt, m-lr, m-hlrt or token; with recognizers auto "
    "is hlrt.",
)
@click.option(
    "--recognizers",
    type=click.Path(),
    help="Instead of labels: a .toml file that says how to recognize each field.",
)
@click.option(
    "--estimate",
    is_flag=True,
    help="Cross-validate: leave out one example at a time, learn from the others alone, and print "
    "how many come out right.",
)
@click.option("--name", help="What to call the wrapper.  [default: wrapper]")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write the wrapper here instead of to standard output.",
)
@common_options
def command(
    pages: tuple[str, ...],
    *,
    labels: str | None,
    class_: str,
    recognizers: str | None,
    estimate: bool,
    name: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Learn a wrapper from the PAGEs that are marked, and write it as JSON.

    PAGE is a file, a folder or any other source, as for extract. Pages without a label are passed
    over. Where no wrapper of the class gives back all labels, the exit code is 3, and the message
    names the field and the pages in conflict. -v explains the wrapper.

    auto also gives a wrapper that misses some labels where no other is found. It is written, each
    label that it misses is a warning, kept in its file, and the exit code is 7.

    A guarantee of the worst case (PAC model) and, with --estimate, an estimate from examples that
    were left out are printed on a terminal and with -v, and kept in the file for explain.

    \b
    rowen learn crawl/ --labels labels.jsonl -o wrapper.json
    rowen learn crawl/ --recognizers recognizers.toml -o wrapper.json
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader, write_wrapper
    from rowen.limits import LEARNING_SECONDS
    from rowen.sources import open_pages
    from rowen.wrappers import budget
    from rowen.wrappers.learn import LEARNED

    if (labels is None) == (recognizers is None):
        raise UsageError("give either --labels or --recognizers; see 'rowen learn --help'")
    if class_ != "auto" and class_ not in LEARNED:
        raise UsageError(f"unknown wrapper class {class_!r}; there are auto, {', '.join(LEARNED)}")
    format_of(output, WRAPPERS, default="json")
    console = Console(quiet=quiet, verbose=verbose)
    reader = Reader(open_pages(pages), console)
    if recognizers is not None:
        if estimate:
            raise UsageError("--estimate needs --labels: what is recognized may itself be wrong")
        learner = _from_recognizers(reader, recognizers, class_, console)
    else:
        assert labels is not None
        learner = _from_labels(reader, labels, class_, estimate=estimate)
    doing = f"Learning, at most {LEARNING_SECONDS:.0f} s of processor time"
    with console.clock(doing=doing), budget.limit(LEARNING_SECONDS):
        wrapper = learner()
    if name is not None:
        wrapper.name = name
    write_wrapper(wrapper, output)
    _tell(console, wrapper)
    return LABELS_MISSED if any(one.is_about_labels for one in wrapper.warnings) else 0


def _from_labels(
    reader: "Reader", labels: str, class_: str, *, estimate: bool
) -> "Callable[[], Wrapper]":
    """Read what there is to learn from, and give what learns from it."""
    from rowen.wrappers.labels import match_labels, place_labels
    from rowen.wrappers.learn import learn

    labelled = match_labels(labels, reader.watched("Reading pages"))

    def learner() -> "Wrapper":
        wrapper = learn(place_labels(labelled), wrapper_class=class_)
        if estimate:
            from rowen.wrappers.estimate import Marked, leave_one_out

            # As they were given: where a text stands must not be known from the page left out.
            marked = [Marked(page, label.records, label.partial) for label, page in labelled]
            wrapper.estimate = leave_one_out(marked, class_)
        return wrapper

    return learner


def _from_recognizers(
    reader: "Reader", recognizers: str, class_: str, console: "Console"
) -> "Callable[[], Wrapper]":
    """The same from what is recognized instead of marked."""
    from rowen.wrappers.learn import survey
    from rowen.wrappers.recognizing.library import load_recognizers
    from rowen.wrappers.recognizing.noisy import learn_from_recognizers

    known = load_recognizers(recognizers)
    pages = list(reader.watched("Reading pages"))
    reader.require()
    chosen = NOISY_CLASS if class_ == "auto" else class_

    def learner() -> "Wrapper":
        learned = learn_from_recognizers(pages, known, wrapper_class=chosen)
        survey(learned.wrapper, learned.examples)
        if learned.left_out:
            names = ", ".join(page.id for page in learned.left_out[:LEFT_OUT_SHOWN])
            more = len(learned.left_out) - LEFT_OUT_SHOWN
            console.warn(
                f"{len(learned.left_out):,} of {len(pages):,} pages were left out: what is "
                f"recognized on them fits no wrapper for the others: {names}"
                + (f" and {more:,} more" if more > 0 else "")
            )
        return learned.wrapper

    return learner


def tell_warnings(console: "Console", wrapper: "Wrapper") -> None:
    """Print what is wrong with a wrapper, and what to do about it."""
    from rowen.wrappers.summary import summarise

    for line in summarise(wrapper.warnings):
        console.warn(line)
    if any(one.is_about_labels for one in wrapper.warnings):
        console.warn(
            "the wrapper does not reproduce all marks (see above); check these marks, or mark "
            "more records like them"
        )


def _tell(console: "Console", wrapper: "Wrapper") -> None:
    from rowen.wrappers.assurance import assurance

    tell_warnings(console, wrapper)
    if console.verbose:
        for line in (*filter(None, [wrapper.reason]), *wrapper.describe().splitlines()):
            console.tell(line)
    for line in assurance(wrapper):
        console.tell(line)
