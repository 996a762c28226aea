"""`rowen learn`: a wrapper from marked pages."""

from functools import partial
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import WRAPPERS, format_of
from rowen.model.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rowen.cli.console import Console
    from rowen.model import Page
    from rowen.wrappers.base import Wrapper

VOTERS_KEPT = 50
"""Limit: so many pages are kept while labels are read; those without a label help to choose."""

LABELS_MISSED = 7
"""The exit code of a command that wrote a wrapper which does not reproduce every label."""


@click.command(short_help="Learn a wrapper from marked pages.")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "--labels",
    type=click.Path(),
    help="The labels: a .jsonl file with one line per page.",
)
@click.option(
    "--class",
    "class_",
    default="auto",
    show_default=True,
    metavar="CLASS",
    help="auto, lr, hlrt, oclr, hoclrt, n-lr, n-hlrt, m-lr, m-hlrt, token, region or data. With "
    "recognizers, auto means hlrt.",
)
@click.option(
    "--recognizers",
    type=click.Path(),
    help="Instead of labels: a .toml file with a recognizer for each field.",
)
@click.option(
    "--estimate",
    is_flag=True,
    help="Cross-validate: leave out one example at a time, learn from the others, and print how "
    "many come out right.",
)
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="FIELD=TYPE",
    help="What a field holds: text, html, source, number, integer, price, date, datetime, url or "
    "boolean. Can be given several times.",
)
@click.option("--name", help="The name of the wrapper.  [default: wrapper]")
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
    types: tuple[str, ...],
    name: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Learn a wrapper from the PAGEs that are marked, and write it as JSON.

    PAGE is a file, a folder or any other source, as for extract. Pages without a label help to
    choose between wrappers that reproduce the labels.
    If no wrapper of the class reproduces all labels, the exit code is 3, and the message names the
    field and the pages in conflict. -v explains the wrapper.

    If no wrapper reproduces all labels, auto may write one that misses some. It prints a warning
    for each label that is missed, the file keeps these warnings, and the exit code is 7.

    The guarantee of the PAC model and, with --estimate, the result of cross-validation are printed
    on a terminal and with -v. The file keeps them for explain.

    \b
    rowen learn crawl/ --labels labels.jsonl -o wrapper.json
    rowen learn crawl/ --recognizers recognizers.toml -o wrapper.json
    """  # noqa: D301  # click reads the backspace
    import rowen
    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader, write_wrapper
    from rowen.induction.budget import LEARNING_SECONDS
    from rowen.learning.learn import LEARNED
    from rowen.recognizers import load_recognizers
    from rowen.sources import open_pages

    if (labels is None) == (recognizers is None):
        raise UsageError("give either --labels or --recognizers; see 'rowen learn --help'")
    if class_ != "auto" and class_ not in LEARNED:
        raise UsageError(
            f"unknown wrapper class {class_!r}; choose from auto, {', '.join(LEARNED)}"
        )
    format_of(output, WRAPPERS, default="json")
    schema = _types(types)
    console = Console(quiet=quiet, verbose=verbose)
    reader = Reader(open_pages(pages), console)
    if labels is not None:
        voters: list[Page] = []
        examples = rowen.read_labels(labels, _kept(reader.watched("Reading pages"), voters))
        learn = partial(rowen.learn, examples, estimate=estimate, pages=voters)
    else:
        assert recognizers is not None
        if estimate:
            raise UsageError("--estimate needs --labels: recognized values may be wrong")
        loaded = load_recognizers(recognizers)
        unlabelled = list(reader.watched("Reading pages"))
        reader.require()
        learn = partial(rowen.learn, recognizers=loaded, pages=unlabelled)
    doing = f"Learning, at most {LEARNING_SECONDS:.0f} s of processor time"
    with console.clock(doing=doing) as progress:
        wrapper = learn(wrapper_class=class_, schema=schema, progress=progress)
    if name is not None:
        wrapper.name = name
    write_wrapper(wrapper, output)
    _print_about(console, wrapper)
    return exit_code_of(wrapper)


def _kept(pages: "Iterable[Page]", kept: "list[Page]") -> "Iterator[Page]":
    """The pages, the first of which are kept: those without labels help to choose a wrapper."""
    for page in pages:
        if len(kept) < VOTERS_KEPT:
            kept.append(page)
        yield page


def _types(settings: tuple[str, ...]) -> dict[str, str]:
    """The types by field, from texts such as `price=price`."""
    from rowen.values.conversion import TYPES

    types = {}
    for setting in settings:
        field, sign, type_ = setting.partition("=")
        if not field or not sign or type_ not in TYPES:
            raise UsageError(f"--type {setting!r}: write FIELD=TYPE; types are {', '.join(TYPES)}")
        types[field] = type_
    return types


def exit_code_of(wrapper: "Wrapper") -> int:
    """The exit code of a command that learned a wrapper: 7 where it misses labels."""
    return LABELS_MISSED if any(w.is_about_labels for w in wrapper.warnings) else 0


def print_warnings(console: "Console", wrapper: "Wrapper") -> None:
    """Print what is wrong with a wrapper, and what to do about it."""
    from rowen.wrappers.summary import summarise

    for line in summarise(wrapper.warnings):
        console.warn(line)
    if exit_code_of(wrapper) == LABELS_MISSED:
        console.warn(
            "the wrapper does not reproduce all labels (see above); check these labels, or mark "
            "more records like them"
        )


def _print_about(console: "Console", wrapper: "Wrapper") -> None:
    from rowen.assurance.estimate import assurance

    print_warnings(console, wrapper)
    for suggestion in wrapper.suggestions:
        console.inform(f"The marks leave this open. Mark next: {suggestion}")
    if wrapper.suggested_types:
        options = " ".join(
            f"--type {name}={kind}" for name, kind in wrapper.suggested_types.items()
        )
        console.inform(f"Some fields look like more than text. To convert their values: {options}")
    if console.verbose:
        for line in (*filter(None, [wrapper.reason]), *wrapper.describe().splitlines()):
            console.inform(line)
    for line in assurance(wrapper):
        console.inform(line)
