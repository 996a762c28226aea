"""`rowen explain`: a wrapper in words, or in another tool's terms."""

import click

from rowen.cli.app import common_options

FORMS = ("text", "python", "scrapy", "regex", "xpath")


@click.command(short_help="Tell what a wrapper does, in words or as code.")
@click.argument("wrapper")
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="Words, a Python module, a Scrapy spider, a regular expression or an XPath.",
)
@click.option("-o", "--output", type=click.Path(), help="Write here instead of to standard output.")
@common_options
def command(wrapper: str, form: str, output: str | None, *, quiet: bool, verbose: bool) -> int:  # noqa: ARG001  # every command has them
    """Tell what WRAPPER does: in words, or as code that does the same without Rowen.

    What can't be said in the other form is not written: a line tells why, and the exit code is 2.

    \b
    rowen explain wrapper.json
    rowen explain wrapper.json --as python -o extract.py
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.wrapping import open_wrapper, write_text
    from rowen.wrappers.exports import EXPORTS

    opened = open_wrapper(wrapper)
    text = opened.explain() if form == "text" else EXPORTS[form](opened)
    write_text(text.rstrip("\n") + "\n", output)
    return 0
