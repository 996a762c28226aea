"""The runs of a store over time, as the studio draws them."""

from collections import Counter
from typing import Any

from rowen.limits import STUDIO_CHANGES
from rowen.runs.report import Report
from rowen.runs.store import Store
from rowen.stores.manifest import Manifest


def runs_of(store: Store) -> list[dict[str, Any]]:
    """All runs, the oldest first."""
    return [_run(manifest) for manifest in store.snapshots()]


def changes_of(store: Store, extractor: str, snapshot: int) -> dict[str, Any]:
    """How many records came, went and moved since the snapshot before, and some of them."""
    numbers = [one.number for one in store.snapshots() if extractor in one.extractors]
    before = max((one for one in numbers if one < snapshot), default=None)
    if before is None or snapshot not in numbers:
        return {"before": None, "counts": {}, "some": []}
    counts: Counter[str] = Counter()
    some: list[dict[str, Any]] = []
    for change in store.differences(extractor, before, snapshot):
        counts[change["change"]] += 1
        if len(some) < STUDIO_CHANGES and change["change"] != "moved":
            some.append({name: change[name] for name in ("change", "page", "values")})
    return {"before": before, "counts": dict(counts), "some": some}


def _run(manifest: Manifest) -> dict[str, Any]:
    kept = manifest.report
    report = Report(seconds=kept.get("seconds", {}), scratch_seconds=kept.get("scratch_seconds"))
    return {
        "number": manifest.number,
        "created": manifest.created,
        "source": manifest.source,
        "pages": kept.get("pages", {}),
        "seconds": sum(value for step, value in report.seconds.items() if step != "total"),
        "speed_up": report.speed_up,
        "records": {name: one["records"] for name, one in kept.get("tallies", {}).items()},
        "failed": sum(one["failed"] for one in kept.get("tallies", {}).values()),
    }
