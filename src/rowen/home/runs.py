"""The runs of a store as screens show them, and the alarms of its last run."""

from collections.abc import Mapping
from typing import Any

from rowen.home.projects import with_repairs
from rowen.home.stores import ShownStore
from rowen.model.errors import RowenError
from rowen.recycling.report import Report
from rowen.storage.snapshots.manifest import Manifest
from rowen.studio.projects import Projects


def summary_of(shown: ShownStore, projects: Projects) -> dict[str, Any]:
    """A store with its last run and what is wrong with it; the reason where it can't be read."""
    described = {"id": shown.id, "name": shown.name, "place": shown.place, "chosen": shown.chosen}
    try:
        manifests = shown.open().snapshots()
    except (RowenError, OSError) as error:
        return {**described, "runs": 0, "last": None, "alarms": [], "error": str(error)}
    return {
        **described,
        "runs": len(manifests),
        "last": run_of(manifests[-1]) if manifests else None,
        "alarms": alarms_of(manifests, projects),
        "error": None,
    }


def run_of(manifest: Manifest) -> dict[str, Any]:
    """A run: when, how long, what became of the pages, the records, and what was saved."""
    saved = manifest.report
    seconds: Mapping[str, float] = saved.get("seconds", {})
    report = Report(seconds=dict(seconds), scratch_seconds=saved.get("scratch_seconds"))
    tallies: Mapping[str, Mapping[str, Any]] = saved.get("tallies", {})
    return {
        "number": manifest.number,
        "created": manifest.created,
        "source": manifest.source,
        "seconds": seconds.get("total"),
        "pages": saved.get("pages", {}),
        "failed": sum(tally["failed"] for tally in tallies.values()),
        "unreadable": len(saved.get("unreadable", ())),
        "records": {name: tally["records"] for name, tally in tallies.items()},
        "saved": _saved(saved, tallies),
        "speed_up": report.speed_up,
        "drifted": [name for name, drift in saved.get("drift", {}).items() if drift["drift"]],
    }


def alarms_of(manifests: list[Manifest], projects: Projects) -> list[dict[str, Any]]:
    """The wrappers that no longer fit in the last run, each with the run in which that began."""
    if not manifests:
        return []
    last = manifests[-1]
    alarms = [
        {
            "extractor": name,
            "run": last.number,
            "since": _since(manifests, name).created,
            "pages": len(drift["drifted"]),
            "finding": _first_finding(drift),
        }
        for name, drift in last.report.get("drift", {}).items()
        if drift["drift"]
    ]
    return with_repairs(alarms, projects, last)


def _saved(report: Mapping[str, Any], tallies: Mapping[str, Mapping[str, Any]]) -> float | None:
    """The share of the text that no extractor had to read again."""
    whole = report.get("characters", 0) * len(tallies)
    if not whole:
        return None
    read = sum(tally["extracted_characters"] for tally in tallies.values())
    return max(0.0, 1 - float(read) / float(whole))


def _since(manifests: list[Manifest], name: str) -> Manifest:
    """The first of the last runs, all of which had this wrapper drifted."""
    first = manifests[-1]
    for manifest in reversed(manifests):
        if not manifest.report.get("drift", {}).get(name, {}).get("drift"):
            break
        first = manifest
    return first


def _first_finding(drift: Mapping[str, Any]) -> str:
    findings = [("", finding) for finding in drift["findings"]]
    findings += [(page["page"], finding) for page in drift["pages"] for finding in page["findings"]]
    for page, finding in findings:
        if finding["severity"] == "drift":
            field = f"{finding['field']}: " if finding["field"] else ""
            return f"{field}{finding['message']}" + (f" ({page})" if page else "")
    return ""
