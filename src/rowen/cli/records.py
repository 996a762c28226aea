"""`rowen records`: print the records of a store, and how they differ between snapshots."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rowen.cli.app import common_options
from rowen.cli.output import choose_format, output_options
from rowen.model.errors import UsageError

if TYPE_CHECKING:
    from rowen.store import Store


@click.command(short_help="Print stored records, and what changed between snapshots.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` stores results.")
@click.option("--extractor", metavar="NAME", help="Only records of this extractor. [default: all]")
@click.option(
    "--snapshot",
    metavar="N",
    type=int,
    default=-1,
    show_default=True,
    help="Number of the snapshot; negative numbers count from the newest.",
)
@click.option(
    "--diff",
    metavar="N",
    type=int,
    help="Only differences from this snapshot: records that came, went, moved or changed.",
)
@click.option("--list", "list_", is_flag=True, help="List the snapshots instead.")
@click.option("--failures", is_flag=True, help="List the pages that failed, and why.")
@output_options
@common_options
def command(
    *,
    store: str,
    extractor: str | None,
    snapshot: int,
    diff: int | None,
    format_: str | None,
    output: str | None,
    table: str | None,
    source: bool,
    spans: bool,
    list_: bool,
    failures: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Write the records of a snapshot, or how they differ from those of another snapshot.

    A difference is one line of JSON: `change` is came, went, moved (the same values in another
    place) or changed (`fields` names the values that differ), followed by the record as usual, and
    `before` for the old place and values. Records are identified by the fields that the schema
    marks as `key` (`matched` is key); without a key, by what they share on their page (likely).

    \b
    rowen records --store store/ -f csv
    rowen records --store store/ --extractor talks --diff -2
    rowen records --store store/ --list
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.store import Store

    chosen = choose_format(format_, output)
    if diff is not None and chosen != "jsonl":
        raise UsageError("differences can only be written as jsonl: use -o FILE.jsonl")
    opened = Store(store, create=False)
    if list_:
        for line in _overview(opened):
            click.echo(line)
        return 0
    manifest = opened.snapshot(snapshot)
    names = [extractor] if extractor is not None else list(manifest.extractors)
    if failures:
        _show_failures(opened, names, snapshot)
    elif diff is not None:
        _write_differences(opened, names, diff, snapshot, output)
    else:
        options = {"format": chosen, "table": table, "source": source, "spans": spans}
        notes = _write_records(opened, names, manifest.number, output, options)
        for note in notes:
            Console(quiet=quiet, verbose=verbose).warn(note)
    return 0


def _overview(store: "Store") -> list[str]:
    lines = []
    for manifest in store.snapshots():
        kinds = manifest.report.get("pages", {})
        counts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in kinds if kind != "all")
        lines.append(
            f"{manifest.number}  {manifest.created}  {manifest.pages:,} pages ({counts})  "
            f"{manifest.source}"
        )
        for name, version in manifest.extractors.items():
            tally = manifest.report.get("tallies", {}).get(name, {})
            lines.append(f"   {name} (version {version}): {tally.get('records', 0):,} records")
    return lines or ["no snapshots yet"]


def _show_failures(store: "Store", names: Sequence[str], snapshot: int) -> None:
    for name in names:
        for page, reason in store.failures(name, snapshot):
            click.echo(f"{name}\t{page}\t{reason}")


def _write_records(
    store: "Store",
    names: Sequence[str],
    snapshot: int,
    output: str | None,
    options: Mapping[str, Any],
) -> list[str]:
    """Write the records; return what the user should know about the output."""
    from rowen.export import open_writer

    manifest = store.snapshot(snapshot)
    with open_writer(
        target=output,
        fields={name: manifest.fields.get(name, ()) for name in names},
        schema={name: manifest.schema(name) for name in names},
        name_extractor=len(names) > 1,
        snapshot=manifest.number,
        **options,
    ) as writer:
        for name in names:
            for page, records in store.each(name, snapshot):
                writer.write(records, page=page, extractor=name)
    return writer.notes


def _write_differences(
    store: "Store", names: Sequence[str], old: int, new: int, output: str | None
) -> None:
    import json

    from rowen.export.target import writing

    with writing(output) as target:
        for name in names:
            for change in store.differences(name, old, new):
                written = {"extractor": name, **change} if len(names) > 1 else change
                target.write(
                    json.dumps(written, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
                )
