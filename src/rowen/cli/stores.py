"""`rowen stores`: what is in stores, how large they are, and when their runs were."""

import json
from pathlib import Path
from typing import Any

import click

from rowen.cli.app import common_options
from rowen.cli.output import summary_option
from rowen.cli.quantities import counted, shown_size

_RUNS_SHOWN = 5
"""Runs that are listed without --verbose."""


@click.command(short_help="List stores with their contents, sizes and runs.")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@summary_option
@common_options
def command(*, folders: tuple[str, ...], format_: str, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """List each store DIR, or the stores in the folder DIR: extractors, sizes and runs.

    Without --verbose only the newest five runs are listed. With -f json there is one line per
    store, with all runs.

    \b
    rowen stores store/
    rowen stores /srv/stores -f json
    """  # noqa: D301  # click reads the backspace
    from rowen.model.errors import InputError

    for folder in folders:
        places = _stores(folder)
        if not places:
            raise InputError(f"no store at {folder} or in it: `rowen run` creates one")
        for place in places:
            described = _describe(place)
            if format_ == "json":
                click.echo(json.dumps(described, ensure_ascii=False))
            else:
                for line in _lines(described, len(described["runs"]) if verbose else _RUNS_SHOWN):
                    click.echo(line)
    return 0


def _stores(folder: str) -> list[str]:
    """The store at an address, or those one level below a folder."""
    from rowen.storage.place import Place

    if Place(folder).exists("store.json"):
        return [folder]
    if "://" in folder or not Path(folder).is_dir():
        return []
    return [str(path) for path in sorted(Path(folder).iterdir()) if (path / "store.json").is_file()]


def _describe(address: str) -> dict[str, Any]:
    from rowen.store import Store

    store = Store(address, create=False)
    manifests = store.snapshots()
    sizes: dict[str, int] = {}
    for folder in ("texts", "snapshots"):
        for name, size in store.place.files_under(folder):
            kind = "texts" if folder == "texts" else _kind(name.rpartition("/")[2])
            sizes[kind] = sizes.get(kind, 0) + size
    newest = manifests[-1] if manifests else None
    return {
        "store": address,
        "bytes": sum(sizes.values()),
        "sizes": sizes,
        "pages": newest.pages if newest else 0,
        "extractors": newest.extractors if newest else {},
        "runs": [
            {
                "snapshot": manifest.number,
                "created": manifest.created,
                "source": manifest.source,
                "pages": manifest.report.get("pages", {}),
                "records": {
                    name: tally.get("records", 0)
                    for name, tally in manifest.report.get("tallies", {}).items()
                },
                "seconds": manifest.report.get("seconds", {}).get("total"),
            }
            for manifest in manifests
        ],
    }


def _kind(file: str) -> str:
    """What a file of a snapshot holds."""
    if file.startswith("records-"):
        return "records"
    return "reports" if file.endswith(".json") else "pages"


def _lines(described: dict[str, Any], most: int) -> list[str]:
    runs = described["runs"]
    parts = ", ".join(
        f"{kind} {shown_size(size)}" for kind, size in sorted(described["sizes"].items())
    )
    names = ", ".join(described["extractors"]) or "no extractors"
    lines = [
        (
            f"{described['store']}: {described['pages']:,} pages, {names}; "
            f"{counted(len(runs), 'snapshot')}; {shown_size(described['bytes'])} ({parts})"
        )
    ]
    if len(runs) > most:
        lines.append(f"  {len(runs) - most:,} earlier runs; -v lists them")
    for run in runs[-most:]:
        pages = run["pages"]
        counts = [f"{count:,} {fate}" for fate, count in pages.items() if fate != "all" and count]
        fates = f"{counted(pages.get('all', 0), 'page')}: {', '.join(counts)}"
        records = sum(run["records"].values())
        lines.append(
            f"  {run['snapshot']}  {run['created']}  {fates}; {records:,} records  {run['source']}"
        )
    return lines
