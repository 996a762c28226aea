"""Drift per night: whether the wrappers of a run still fit, seen from its new and changed pages.

    20 pages, 3 changed    check compares the records of the 3 with the wrapper's profile
    drifted                2 of them: the run's report names them
    the night after        both unchanged: they stay drifted until they change or go

The records are read from the results of the run, so that nothing is extracted for it. `rowen check`
gives the same verdict for the same pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rowen.extractors.base import Extractor, columns_of, schema_of
from rowen.model import Page
from rowen.records import Records
from rowen.records.packed import unpack
from rowen.recycling.page_changes import Fate
from rowen.recycling.task import Task
from rowen.storage.place import Place
from rowen.storage.snapshots.pages import Pages
from rowen.storage.snapshots.results import read_results

if TYPE_CHECKING:
    from rowen.maintenance.drift_report import DriftReport, Finding, PageReport

DRIFTED_PAGES: Final = 1_000
"""Limit: the drifted pages that a report names. It is stored with each snapshot."""


def find_drift(
    place: Place,
    extractor: Extractor,
    tasks: Sequence[Task],
    before: Mapping[str, Any] | None,
    *,
    anew: bool,
) -> dict[str, Any] | None:
    """What the report says of a wrapper; None for extractors that keep no profile of records.

    `before` is what the last report said. With `anew`, the extractor has no old results, so that
    all pages count.
    """
    profile = getattr(extractor, "profile", None)
    if profile is None:
        return None
    # Imported here: a run without wrappers needs none of it.
    from rowen.maintenance.drift import check_records

    tonight = list(_pages(place, extractor, tasks, anew=anew))
    report = check_records(profile, getattr(extractor, "warnings", ()), tonight)
    still = [] if anew or before is None else _still(place, tasks, before.get("drifted", []))
    # What only shows in all pages together holds until other pages have been looked at.
    findings = [_finding(finding) for finding in report.findings]
    if not tonight and before is not None and not anew:
        findings = list(before.get("findings", []))
    drifted = [page.page for page in report.pages if page.drifted]
    return {
        "drift": bool(still) or any(one["severity"] == "drift" for one in findings + _of(report)),
        "checked": len(tonight),
        "findings": findings,
        "pages": [
            {"page": page.page, "records": page.records, "findings": list(_of_page(page))}
            for page in report.pages
            if page.drifted
        ][:DRIFTED_PAGES],
        "drifted": (drifted + still)[:DRIFTED_PAGES],
    }


def describe_drift(name: str, drift: Mapping[str, Any]) -> str:
    """One line for a person, with the first finding and what to do."""
    pages, checked = drift["pages"], drift["checked"]
    reasons = [one for one in drift["findings"] if one["severity"] == "drift"]
    reasons += [
        {**one, "page": page["page"]}
        for page in pages
        for one in page["findings"]
        if one["severity"] == "drift"
    ]
    earlier = len(drift["drifted"]) - len(pages)
    where = f"{len(pages):,} of {checked:,} new and changed pages"
    if earlier > 0:
        where += f" and {earlier:,} from earlier nights"
    first = ""
    if reasons:
        of_field = f"{reasons[0]['field']}: " if reasons[0]["field"] else ""
        of_page = f" ({reasons[0]['page']})" if "page" in reasons[0] else ""
        first = f"; first: {of_field}{reasons[0]['message']}{of_page}"
    return (
        f"wrapper {name!r} no longer fits: drift on {where}{first}. See `rowen check` for all "
        "findings and `rowen repair` to learn it again"
    )


def _pages(
    place: Place, extractor: Extractor, tasks: Sequence[Task], *, anew: bool
) -> Iterator[tuple[Page, Records]]:
    """The new and changed pages with their records; failed pages are in the report anyway."""
    schema = schema_of(extractor)
    for task in tasks:
        fates = task.fates
        rows = np.arange(len(fates)) if anew else np.flatnonzero(_looked_at(fates))
        if not len(rows):
            continue
        results = read_results(place, task.snapshot, extractor.name, task.partition)
        pages = Pages(place, task.snapshot, task.partition, task.fresh)
        first = results.first()
        for row, text in pages.texts(rows):
            if not results.complete[row]:
                continue
            page = Page(text, id=pages.ids[row])
            part = results.records.slice(int(first[row]), int(first[row + 1]))
            records = Records(
                unpack(part, results.shapes, page, schema),
                failure=results.failures[row],
                schema=schema,
                fields=columns_of(extractor),
            )
            yield page, records


def _looked_at(fates: np.ndarray[Any, Any]) -> Any:
    return np.isin(fates, (Fate.NEW, Fate.CHANGED, Fate.MOVED))


def _still(place: Place, tasks: Sequence[Task], drifted: Sequence[str]) -> list[str]:
    """The pages that drifted in an earlier night, and have not changed since."""
    if not drifted:
        return []
    unchanged: set[str] = set()
    for task in tasks:
        rows = np.flatnonzero(~_looked_at(task.fates))
        ids = Pages(place, task.snapshot, task.partition, task.fresh).ids
        unchanged.update(ids[row] for row in rows.tolist())
    return [page for page in drifted if page in unchanged]


def _of(report: "DriftReport") -> list[dict[str, Any]]:
    return [finding for page in report.pages for finding in _of_page(page)]


def _of_page(page: "PageReport") -> Iterator[dict[str, Any]]:
    return map(_finding, page.findings)


def _finding(finding: "Finding") -> dict[str, Any]:
    return {
        "severity": finding.severity,
        "message": finding.message,
        "field": finding.field,
    }
