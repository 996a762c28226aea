"""Drift: whether an extractor still finds on new pages what it used to find.

The records of the new pages are compared with a profile of known-good records (`comparison`):

    profile   price: 100% values with digits, about 5 characters long
    today     price: 0% values with digits, about 60 characters long       drift
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rowen.learning.verification import shown
from rowen.maintenance.comparison import differences
from rowen.maintenance.drift_report import DriftReport, Finding, PageReport, Severity
from rowen.maintenance.known_records import KnownRecords
from rowen.model import Page, Warning  # noqa: A004  # the design's word
from rowen.records import Record, Records
from rowen.wrappers.profile import Profile
from rowen.wrappers.summary import summarise

if TYPE_CHECKING:
    from rowen.extractors.base import Extractor

FAILING = {"page-failed"}
"""The warning that a wrapper stopped on a marked page before it had found all that is marked."""

_NO_PROFILE = Profile(0.0, 0.0, 0.0, {}, {})
"""Stands for what is known of records where there is no profile."""


def check(
    extractor: "Extractor",
    pages: Iterable[Page | str],
    *,
    against: str | os.PathLike[str] | Iterable[Record | Mapping[str, Any]] | None = None,
) -> DriftReport:
    """Run an extractor over pages and compare its records with those that it used to find.

    A wrapper keeps a profile of the records of its examples, and that is compared with. `against`
    are other records from before, or a file of them as `rowen extract` writes it (`.jsonl`). The
    report says whether the extractor still fits (`drifted`), and why not.

    >>> import rowen
    >>> page = rowen.Page("<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>", id="p1.html")
    >>> example = rowen.Example(page, [{"country": "Congo", "code": "242"},
    ...                                {"country": "Egypt", "code": "20"}])
    >>> wrapper = rowen.learn([example], "lr")
    >>> rowen.check(wrapper, ["<b>Peru</b> <i>51</i><br>"]).drifted
    False
    >>> report = rowen.check(wrapper, ["<b>Peru</b> <u>51</u><br>"])
    >>> report.drifted
    True
    >>> [finding.message for finding in report.findings]
    ['no records on the page']
    """
    profile: Profile | None = getattr(extractor, "profile", None)
    if against is not None:
        layout = None if profile is None else profile.layout  # records don't say it
        profile = replace(KnownRecords.of(against).profile(), layout=layout)
    return check_against(profile, extractor, pages)


def check_against(
    profile: Profile | None, extractor: "Extractor", pages: Iterable[Page | str]
) -> DriftReport:
    """Run an extractor over pages and compare its records with a profile.

    A wrapper that stopped on a marked page fits no better now: that is drift, too.
    """
    warnings: tuple[Warning, ...] = getattr(extractor, "warnings", ())
    opened = map(Page.of, pages)
    return check_records(profile, warnings, ((page, extractor.extract(page)) for page in opened))


def check_records(
    profile: Profile | None,
    warnings: tuple[Warning, ...],
    results: Iterable[tuple[Page, Records]],
) -> DriftReport:
    """Compare the records of pages with a profile; `warnings` are those of learning."""
    kinds = {warning.kind for warning in warnings}
    # On pages marked in part nobody said what comes after the marked records.
    stops = "page-stopped" in kinds and not kinds & FAILING
    reports: list[PageReport] = []

    def extracted() -> Iterator[Records]:
        for page, records in results:
            findings = _on_page(profile, records, stops=stops)
            reports.append(PageReport(page.id, len(records), findings))
            yield records

    now = Profile.of(extracted())
    findings = [*_from_learning(warnings), *differences(profile or _NO_PROFILE, now)]
    compared = profile is not None
    return DriftReport(tuple(reports), tuple(findings), compared=compared, warnings=warnings)


def _from_learning(warnings: Sequence[Warning]) -> Iterator[Finding]:
    """The warnings of learning: pages on which it failed are drift, all else is worth a look."""
    for line in summarise(warning for warning in warnings if warning.kind in FAILING):
        yield Finding("drift", f"from learning: {line}")
    for line in summarise(warning for warning in warnings if warning.kind not in FAILING):
        yield Finding("note", f"from learning: {line}")


def _on_page(profile: Profile | None, records: Records, *, stops: bool) -> tuple[Finding, ...]:
    """What is odd about one page; `stops` says that the extractor used to stop after some records.

    Only a failure, or a record that reaches over another one, is drift: every site has odd pages.
    """
    findings: list[Finding] = []
    # Where known pages are rightly empty, this one may be, too.
    often_empty = profile is not None and profile.empty > profile.failed
    usual = stops if records else often_empty
    if records.failure is not None:
        after = f"after {len(records)} record{'' if len(records) == 1 else 's'}"
        severity: Severity = "note" if usual else "drift"
        findings.append(Finding(severity, f"stopped {after}: {records.failure}"))
    findings += _unreadable(records)
    if profile is None:
        return tuple(findings)
    if not records and not profile.empty and records.failure is None:
        findings.append(Finding("note", "no records; every known page has some"))
    findings += _overreaching(profile, records)
    of_fields = (
        Finding("note", finding.message, finding.field)
        for finding in differences(profile, Profile.of([records]))
        if finding.field
    )
    return (*findings, *of_fields)


def _unreadable(records: Records) -> Iterator[Finding]:
    """Values that do not have the type of their field, and required values that are missing."""
    schema = records.schema
    if schema is None:
        return
    messages: dict[str, list[str]] = {}
    for warning in records.warnings:
        messages.setdefault(warning.field or "", []).append(warning.message)
    for name, reasons in messages.items():
        more = f" (and {len(reasons) - 1:,} more)" if len(reasons) > 1 else ""
        yield Finding("drift", f"not converted: {reasons[0]}{more}", name)
    for name, field in schema.items():
        missing = sum(not record.spans.get(name) for record in records) if field.required else 0
        if missing:
            yield Finding(
                "drift", f"required, but missing in {missing:,} of {len(records):,}", name
            )


def _overreaching(profile: Profile, records: Records) -> Iterator[Finding]:
    """Records that seem to have a value of the next one, which is then not found by itself."""
    if profile.layout is None:
        return
    for number, record in enumerate(records, 1):
        if (over := profile.layout.overreach(record)) is not None:
            yield Finding(
                "drift",
                f"record {number} ({shown(record)}) seems to have the next record's value: "
                f"another {over.starts} begins between its {over.before} and its {over.after}",
                over.after,
            )
