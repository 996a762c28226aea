"""`rowen records`: what a store holds, what came and what went."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rowen.cli.app import common_options
from rowen.cli.output import choose_format, output_options
from rowen.model.errors import UsageError

if TYPE_CHECKING:
    from rowen.runs.store import Store


@click.command(short_help="Show what a store holds, what came and what went.")
@click.option("--store", metavar="DIR", required=True, help="Where `rowen run` keeps results.")
@click.option("--extractor", metavar="NAME", help="Only this one's. [default: all]")
@click.option(
    "--snapshot",
    metavar="N",
    type=int,
    default=-1,
    show_default=True,
    help="By its number; below 0 it counts from the newest.",
)
@click.option(
    "--diff",
    metavar="N",
    type=int,
    help="Only what differs from this snapshot: records that came, went or moved.",
)
@click.option("--list", "list_", is_flag=True, help="The snapshots instead of records.")
@click.option("--failures", is_flag=True, help="The pages that failed, and why.")
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
    list_: bool,
    failures: bool,
    quiet: bool,  # noqa: ARG001  # every command has it
    verbose: bool,  # noqa: ARG001
) -> int:
    """Write the records of a snapshot, or how they differ from another snapshot's.

    A difference is a line of JSON: `change` is came, went or moved (the same values in another
    place; `before` says where they were), with the record as usual.

    \b
    rowen records --store store/ -f csv
    rowen records --store store/ --extractor talks --diff -2
    rowen records --store store/ --list
    """  # noqa: D301  # click reads the backspace
    from rowen.runs.store import Store

    chosen = choose_format(format_, output)
    if diff is not None and chosen != "jsonl":
        raise UsageError("differences are written as jsonl: give -o a name that ends in .jsonl")
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
        _write_records(opened, names, snapshot, chosen, output)
    return 0


def _overview(store: "Store") -> list[str]:
    told = []
    for one in store.snapshots():
        kinds = one.report.get("pages", {})
        counts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in kinds if kind != "all")
        told.append(f"{one.number}  {one.created}  {one.pages:,} pages ({counts})  {one.source}")
        for name, version in one.extractors.items():
            tally = one.report.get("tallies", {}).get(name, {})
            told.append(f"   {name} (version {version}): {tally.get('records', 0):,} records")
    return told or ["no snapshots yet"]


def _show_failures(store: "Store", names: Sequence[str], snapshot: int) -> None:
    for name in names:
        for page, reason in store.failures(name, snapshot):
            click.echo(f"{name}\t{page}\t{reason}")


def _write_records(
    store: "Store", names: Sequence[str], snapshot: int, chosen: str, output: str | None
) -> None:
    from rowen.export import open_writer

    with open_writer(chosen, output, fields=(), name_extractor=len(names) > 1) as writer:
        for name in names:
            for page, records in store.each(name, snapshot):
                writer.write(records, page=page, extractor=name)


def _write_differences(
    store: "Store", names: Sequence[str], old: int, new: int, output: str | None
) -> None:
    import json

    from rowen.export.target import open_target

    target = open_target(output)
    try:
        for name in names:
            for change in store.differences(name, old, new):
                told = {"extractor": name, **change} if len(names) > 1 else change
                target.write(
                    json.dumps(told, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
                )
    except BaseException:
        target.abandon()
        raise
    target.commit()
