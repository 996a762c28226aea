"""`rowen explain`: a wrapper in words, or in another tool's terms."""

import click

from rowen.cli.app import common_options
from rowen.cli.output import format_of

FORMS = ("text", "python", "scrapy", "page-object", "regex", "xpath", "css")
"""Those of `export_wrapper`. They stand here too, so that --help need not import the wrappers."""

PATHS = ("xpath", "css")
"""The forms that are found on pages."""

ENDINGS = {"txt": "text", "py": "python"}
"""The form by the ending of the output; no ending says that a .py file is a spider."""


@click.command(short_help="Explain a wrapper, in words or as code.")
@click.argument("wrapper")
@click.argument("pages", metavar="[PAGE...]", nargs=-1)
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    help="Words, a Python module, a Scrapy spider, a regular expression, XPaths or CSS selectors. "
    "[default: by the ending of -o (.txt, .py), else text]",
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
    """Explain WRAPPER in words, or write it as code that does the same without Rowen.

    If the chosen form can't express the wrapper, nothing is written, the reason is printed, and the
    exit code is 2. Only xpath and css need PAGEs: paths are searched for and checked on them.

    \b
    rowen explain wrapper.json
    rowen explain wrapper.json --as python -o extract.py
    rowen explain wrapper.json --as xpath crawl/
    rowen explain wrapper.json --as css crawl/
    """  # noqa: D301  # click reads the backspace
    import rowen
    from rowen.cli.console import Console
    from rowen.cli.wrapping import Reader, open_wrapper, write_text
    from rowen.model.errors import UsageError
    from rowen.sources import open_pages

    chosen = form or format_of(output, ENDINGS, default="text", option="--as")
    opened = open_wrapper(wrapper)
    if chosen in PATHS and not pages:
        raise UsageError(f"--as {chosen} needs pages: rowen explain WRAPPER --as {chosen} PAGE...")
    if chosen not in PATHS and pages:
        raise UsageError(f"--as {chosen} takes no pages")
    reader = Reader(open_pages(pages), Console(quiet=quiet, verbose=verbose))
    text = rowen.export_wrapper(opened, chosen, reader.watched("Reading pages"))
    write_text(text.rstrip("\n") + "\n", output)
    return 0
