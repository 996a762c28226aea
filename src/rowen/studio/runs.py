"""The runs of a store over time, for the studio's charts."""

from collections import Counter
from typing import Any

from rowen.recycling.report import Report
from rowen.storage.snapshots.manifest import Manifest
from rowen.store import Store
from rowen.studio.upkeep import STUDIO_CHANGES


def runs_of(store: Store) -> list[dict[str, Any]]:
    """All runs, oldest first."""
    return [_run(manifest) for manifest in store.snapshots()]


def changes_of(store: Store, extractor: str, snapshot: int) -> dict[str, Any]:
    """How many records were added, removed, changed and moved since the last run; examples."""
    # A run may have had other extractors: compare with the last one that ran this extractor.
    manifests = [manifest for manifest in store.snapshots() if extractor in manifest.extractors]
    numbers = [manifest.number for manifest in manifests]
    before = max((number for number in numbers if number < snapshot), default=None)
    if before is None or snapshot not in numbers:
        return {"before": None, "counts": {}, "some": []}
    counts: Counter[str] = Counter()
    examples: list[dict[str, Any]] = []
    for change in store.differences(extractor, before, snapshot):
        counts[change["change"]] += 1
        # All are counted, but only some are shown; a moved record has the same values as before.
        if len(examples) < STUDIO_CHANGES and change["change"] != "moved":
            examples.append(
                {
                    **{name: change[name] for name in ("change", "page", "values")},
                    "before": change.get("before", {}).get("values"),
                }
            )
    return {"before": before, "counts": dict(counts), "some": examples}


def _run(manifest: Manifest) -> dict[str, Any]:
    saved = manifest.report
    report = Report(seconds=saved.get("seconds", {}), scratch_seconds=saved.get("scratch_seconds"))
    return {
        "number": manifest.number,
        "created": manifest.created,
        "source": manifest.source,
        "pages": saved.get("pages", {}),
        "seconds": sum(value for step, value in report.seconds.items() if step != "total"),
        "speed_up": report.speed_up,
        "records": {name: tally["records"] for name, tally in saved.get("tallies", {}).items()},
        "failed": sum(tally["failed"] for tally in saved.get("tallies", {}).values()),
    }
