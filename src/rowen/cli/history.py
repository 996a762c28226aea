"""`rowen history`: the values that records had over time."""

import click

from rowen.cli.app import common_options
from rowen.cli.output import format_of, output_option
from rowen.model.errors import InputError, UsageError

_ENDINGS = {"jsonl": "jsonl", "ndjson": "jsonl", "csv": "csv", "txt": "text", "svg": "svg"}


@click.command(short_help="Show the values that a record had over time.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` stores results.")
@click.option("--extractor", metavar="NAME", required=True, help="The extractor of the records.")
@click.option(
    "--key",
    "keys",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Only records that had this value; may be repeated. [default: all records]",
)
@click.option("--field", metavar="NAME", help="Only changes of this field.")
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(("text", "jsonl", "csv", "svg")),
    help="Table, data, or with --field a plot. [default: by the suffix of -o, else text]",
)
@output_option
@common_options
def command(
    *,
    store: str,
    extractor: str,
    keys: tuple[str, ...],
    field: str | None,
    format_: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,  # noqa: ARG001  # every command has it
) -> int:
    """Follow records through the snapshots of a store.

    Each line is a version: the values that a record had, on which page, since when, and until when.
    Fields that the extractor's schema marks as `key` identify a record, also when it moves to
    another page. Without a key, records of a page that are likely the same are followed.

    \b
    rowen history --store store/ --extractor books --key title="Black Beauty"
    rowen history --store store/ --extractor books --key title=Emma --field price -o emma.svg
    """  # noqa: D301  # click reads the backspace
    from rowen.export.target import writing
    from rowen.export.versions import write_versions
    from rowen.store import Store

    chosen = format_ or format_of(output, _ENDINGS, default="text")
    if chosen == "svg" and field is None:
        raise UsageError("a plot shows one field: name it with --field")
    wanted = dict(_key(key) for key in keys)
    versions = Store(store, create=False).history(extractor, wanted, field=field)
    if not versions:
        condition = " and ".join(keys) or "any value"
        raise InputError(f"no record of {extractor!r} ever had {condition}")
    with writing(output) as target:
        target.write(write_versions(versions, chosen, field=field).encode("utf-8", "replace"))
    if not quiet and any(version.matched == "likely" for version in versions):
        click.echo(
            "rowen: some versions are joined because the records are likely the same; mark the "
            "identifying fields with `key` in the extractor's schema to be sure",
            err=True,
        )
    return 0


def _key(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not name or not separator:
        raise UsageError(f"--key takes FIELD=VALUE, not {text!r}")
    return name, value
