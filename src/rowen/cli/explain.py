"""`rowen explain`: a wrapper in words, or in another tool's terms."""

import click

from rowen.cli.app import common_options
from rowen.cli.output import format_of

NAMES = ("text", "python", "scrapy", "regex", "xpath")
ENDINGS = {"txt": "text", "py": "python"}


@click.command(short_help="Tell what a wrapper does, in words or as code.")
@click.argument("wrapper")
@click.argument("pages", metavar="[PAGE...]", nargs=-1)
@click.option(
    "--as",
    "form",
    type=click.Choice(NAMES),
    help="Words, a Python module, a Scrapy spider, a regular expression or XPaths. [default: by "
    "the ending of -o (.txt, .py), else text]",
)
@click.option("-o", "--output", type=click.Path(), help="Write here instead of to standard output.")
@common_options
def command(
    wrapper: str,
    pages: tuple[str, ...],
    form: str | None,
    output: str | None,
    *,
    quiet: bool,
    verbose: bool,
) -> int:
    """Tell what WRAPPER does: in words, or as code that does the same without Rowen.

    What can't be said in the other form is not written: a line tells why, and the exit code is 2.
    XPaths are looked for and checked on the PAGEs, which only they need.

    \b
    rowen explain wrapper.json
    rowen explain wrapper.json --as python -o extract.py
    rowen explain wrapper.json --as xpath crawl/
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader, open_wrapper, write_text
    from rowen.model.errors import UsageError
    from rowen.sources import open_pages
    from rowen.wrappers.exporting.forms import FORMS
    from rowen.wrappers.exporting.xpath import to_xpath

    form = form or format_of(output, ENDINGS, default="text", option="--as")
    opened = open_wrapper(wrapper)
    if form == "xpath":
        if not pages:
            raise UsageError(
                "an XPath is looked for on pages: rowen explain WRAPPER --as xpath PAGE..."
            )
        reader = Reader(open_pages(pages), Console(quiet=quiet, verbose=verbose))
        text = to_xpath(opened, reader.watched("Reading pages"))
    elif pages:
        raise UsageError(f"--as {form} needs no pages")
    else:
        text = opened.explain() if form == "text" else FORMS[form](opened)
    write_text(text.rstrip("\n") + "\n", output)
    return 0
