"""Repair: learn a wrapper again after its site was redesigned, from what it used to extract.

Values outlive layouts. Records that were extracted before are searched for on the new pages
(`occurrences`); where they occur labels the pages, by corroboration (`known_values`) or one by one.
Wrappers are learned from several choices of these labels (`trial`), and the one is chosen that
reproduces most known records and whose values look as they did.

    before   <b>Congo</b> <i>242</i>            known record  Congo, 242
    now      <li>Congo <em>242</em></li>        label         [4, 9), [14, 17)
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import ndiff
from typing import Any

from rowen.induction import budget
from rowen.induction.budget import LEARNING_SECONDS
from rowen.learning.learn import LEARNED
from rowen.learning.progress import Progress, report, reporting
from rowen.learning.survey import profile_of
from rowen.maintenance.comparison import compare
from rowen.maintenance.drift import FAILING
from rowen.maintenance.drift_report import Finding, has_drift
from rowen.maintenance.known_records import KnownRecord, KnownRecords
from rowen.maintenance.occurrences import RecordOccurrences, find_occurrences
from rowen.maintenance.trial import Trial, plain
from rowen.model import InputError, NoConsistentWrapper, Page, Warning  # noqa: A004  # the design's word
from rowen.records import Record
from rowen.wrappers.base import Wrapper
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.nested_fields import NestedFields, Part
from rowen.wrappers.ownership import OWNERSHIPS
from rowen.wrappers.profile import Profile
from rowen.wrappers.tree import Tree, boundary_of

KNOWN_ANYWHERE = 2_000
"""Limit: at most this many known records are searched for on pages that they were not extracted
from."""

LOOKING = 0.3
"""The search for known records may take this share of the time."""

SURE = 3
"""Fewer known records, or values of a field, may occur on the new pages by chance."""

SHOWN = 10
"""This many records that come, and that go, are shown."""

SHOWN_CHARACTERS = 50
"""This much of a value is shown."""


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What repairing changed; printed, it shows all of that in words.

    >>> import rowen
    >>> page = rowen.Page("<b>Congo</b><b>Egypt</b><b>Peru</b>", id="p1.html")
    >>> records = [{"name": "Congo"}, {"name": "Egypt"}, {"name": "Peru"}]
    >>> wrapper = rowen.learn([rowen.Example(page, records)], "lr")
    >>> redesigned = rowen.Page("<i>Congo</i><i>Egypt</i><i>Peru</i><i>Chad</i>", id="p1.html")
    >>> report = rowen.repair(wrapper, [redesigned]).report
    >>> report.occurring, report.reproduced, report.old_records, report.new_records
    (3, 3, 0, 4)
    >>> print(report)
    3 known records found on the new pages; the new wrapper reproduces 3
    ...
    """

    before: str
    """The old wrapper's explanation."""
    after: str
    """The new wrapper's explanation."""
    occurring: int
    """How many known records occur on the new pages."""
    reproduced: int
    """How many of these the new wrapper extracts."""
    old_records: int
    """How many records the old wrapper extracts from the new pages."""
    new_records: int
    came: tuple[Record, ...]
    """What the new wrapper extracts and the old one does not."""
    went: tuple[Record, ...]
    """What the old wrapper extracts and the new one does not."""
    findings: tuple[Finding, ...]
    """How the new records differ from what used to be extracted."""
    doubts: tuple[str, ...] = ()
    """Why the new wrapper may be wrong: look at its records before you use it."""

    def __str__(self) -> str:
        found_line = f"{_counted(self.occurring, 'known record')} found on the new pages"
        counts = f"{self.old_records} with the old wrapper, {self.new_records} with the new one"
        lines = [
            f"{found_line}; the new wrapper reproduces {self.reproduced}",
            f"records on these pages: {counts}",
            *self._differences(),
            *(f"  {finding.severity:<5}  {finding}" for finding in self.findings),
            *(f"  in doubt: {doubt}" for doubt in self.doubts),
            "",
            "what changed in the wrapper:",
            *_changes(self.before, self.after),
        ]
        return "\n".join(lines)

    def _differences(self) -> Iterator[str]:
        for sign, records in (("+", self.came), ("-", self.went)):
            yield from (f"  {sign} {_shown(record)}" for record in records[:SHOWN])
            if len(records) > SHOWN:
                yield f"  {sign} and {len(records) - SHOWN} more"


@dataclass(frozen=True, slots=True)
class Repair:
    """A wrapper for the new pages, and what to look at before it is used.

    >>> import rowen
    >>> page = rowen.Page("<b>Congo</b><b>Egypt</b><b>Peru</b>", id="p1.html")
    >>> records = [{"name": "Congo"}, {"name": "Egypt"}, {"name": "Peru"}]
    >>> wrapper = rowen.learn([rowen.Example(page, records)], "lr")
    >>> redesigned = rowen.Page("<i>Congo</i><i>Egypt</i><i>Peru</i><i>Chad</i>", id="p1.html")
    >>> repaired = rowen.repair(wrapper, [redesigned])
    >>> [record.values["name"] for record in repaired.wrapper.extract(redesigned)]
    ['Congo', 'Egypt', 'Peru', 'Chad']
    """

    wrapper: Wrapper
    report: RepairReport


def repair(
    wrapper: Wrapper,
    pages: Iterable[Page | str],
    known: str | os.PathLike[str] | Iterable[Record | Mapping[str, Any]] = (),
    *,
    seconds: float = LEARNING_SECONDS,
    progress: Progress | None = None,
) -> Repair:
    """Learn a wrapper again on redesigned pages, from records that were extracted before.

    `known` are such records, of these or other pages, or a file of them as `rowen extract` writes
    it (`.jsonl`); without any, those that the wrapper's own file keeps are used. After
    `seconds` of processor time no more wrappers are tried. `progress` is called with a few words
    for each step that starts.

    The old wrapper stays as it is. The report says what changes, and its `doubts` why the new
    wrapper may be wrong. Raises `InputError` where no known record was found on the pages, and
    `NoConsistentWrapper` where no wrapper can be learned from those that were.

    >>> import rowen
    >>> page = rowen.Page("<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>", id="p1.html")
    >>> example = rowen.Example(page, [{"country": "Congo", "code": "242"},
    ...                                {"country": "Egypt", "code": "20"}])
    >>> wrapper = rowen.learn([example], "lr")
    >>> redesigned = rowen.Page("<li>Congo <em>242</em><li>Egypt <em>20</em>", id="p1.html")
    >>> repaired = rowen.repair(wrapper, [redesigned])
    >>> [record.values for record in repaired.wrapper.extract("<li>Peru <em>51</em>")]
    [{'country': 'Peru', 'code': '51'}]
    >>> repaired.report.doubts[0]
    'only 2 known records were found on the new pages'
    """
    new_pages = [Page.of(page) for page in pages]
    known_records = KnownRecords.of(known)
    usual = wrapper.profile or known_records.profile()
    known_records = known_records or KnownRecords.of(usual.samples)
    if not known_records:
        raise InputError("repairing needs records that were extracted before")
    with reporting(progress), budget.limit(seconds):
        return _repair_any(wrapper, new_pages, known_records, usual)


def _repair_any(
    wrapper: Wrapper, pages: Sequence[Page], known: KnownRecords, usual: Profile
) -> Repair:
    if isinstance(wrapper, NestedFields):
        return _repair_parts(wrapper, pages, known, usual)
    if isinstance(wrapper, Tree):
        return _repair_tree(wrapper, pages, known, usual)
    return _repair(wrapper, pages, known, usual)


def _repair(
    wrapper: Wrapper, new_pages: Sequence[Page], known_records: KnownRecords, usual: Profile
) -> Repair:
    """A wrapper of records without nested fields."""
    report(f"searching for {_counted(len(known_records), 'known record')}")
    with budget.share(LOOKING):
        occurrences = [page for page in _occurrences(new_pages, known_records) if page.records]
    if not occurrences:
        raise InputError(
            f"none of {len(known_records)} known records was found on the new pages; give more "
            "of them (--known), or mark a new page and learn from it"
        )
    trial = Trial(new_pages, occurrences, usual, several_templates=isinstance(wrapper, Mixture))
    # The old class first: it fitted the site before, and `auto` takes longer.
    own = wrapper.wrapper_class
    best = trial.best([own, "auto"] if own in LEARNED else ["auto"])
    best.name = wrapper.name
    best.given_schema = wrapper.given_schema
    best.warnings = (*trial.unreproduced(best), *_not_about_labels(best.warnings))
    layout = None if best.profile is None else best.profile.layout
    best.profile = replace(profile_of(best, new_pages), layout=layout)
    best.order_fields({name: {} for name in wrapper.columns})
    return Repair(best, _report(trial, wrapper, best))


def _repair_parts(
    wrapper: NestedFields, pages: Sequence[Page], known: KnownRecords, usual: Profile
) -> Repair:
    """Each part from the known records of its own; a part of which none is found stays as it is."""
    repairs: dict[str, Repair] = {}
    doubts: list[str] = []
    parent = wrapper.parent
    if parent is not None:
        own = KnownRecords(replace(record, nested={}) for record in known)
        repairs[""] = _repair_part(parent, pages, own)
        parent = repairs[""].wrapper
    parts: dict[str, Part] = {}
    for name, part in wrapper.parts.items():
        inner = KnownRecords(nested for record in known for nested in record.nested.get(name, ()))
        parts[name] = part
        try:
            repairs[name] = _repair_part(part.wrapper, pages, inner)
            parts[name] = Part(repairs[name].wrapper, part.belongs)
        except (InputError, NoConsistentWrapper) as error:
            doubts.append(f"{name}: it stays as it was: {error}")
    identity = {"name": wrapper.name, "schema": wrapper.given_schema}
    new = _most_known(
        [
            NestedFields(wrapper.fields, parent=parent, parts=choice, **identity)
            for choice in _ownerships(parts)
        ],
        pages,
        known,
    )
    evidence = [repaired.wrapper.evidence for repaired in repairs.values()]
    new.evidence = next((learned for learned in evidence if learned is not None), None)
    for name, repaired in repairs.items():
        new.warnings += tuple(_within(name, warning) for warning in repaired.wrapper.warnings)
        doubts += [f"{name}: {doubt}" if name else doubt for doubt in repaired.report.doubts]
    new.profile = profile_of(new, pages)
    findings = tuple(compare(usual, [new.extract(page) for page in pages]))
    if has_drift(findings):
        doubts.append("the new values do not look as they used to")
    reports = [repaired.report for repaired in repairs.values()]
    return Repair(
        new,
        replace(
            _comparison(wrapper, new, pages),
            occurring=sum(part.occurring for part in reports),
            reproduced=sum(part.reproduced for part in reports),
            findings=findings,
            doubts=tuple(dict.fromkeys(doubts)),
        ),
    )


def _repair_part(wrapper: Wrapper, pages: Sequence[Page], known: KnownRecords) -> Repair:
    if not known:
        raise InputError("no record of it is known")
    usual = known.profile()
    # A list of records may be empty on a page.
    return _repair_any(
        wrapper, pages, known, replace(usual, pages=usual.pages + 1, empty=usual.empty + 1)
    )


def _repair_tree(
    wrapper: Tree, pages: Sequence[Page], known: KnownRecords, usual: Profile
) -> Repair:
    """The list of all levels' records; they must still nest as the elements of the page do."""
    repaired = _repair_part(wrapper.wrapper, pages, KnownRecords(_levels(known, wrapper.nested)))
    if boundary_of(repaired.wrapper) is None:
        raise NoConsistentWrapper("no tag begins each record", field=wrapper.nested)
    new = Tree(
        wrapper.fields,
        nested=wrapper.nested,
        wrapper=repaired.wrapper,
        name=wrapper.name,
        schema=wrapper.given_schema,
        evidence=repaired.wrapper.evidence,
    )
    new.warnings = repaired.wrapper.warnings
    new.profile = profile_of(new, pages)
    return Repair(
        new,
        replace(
            _comparison(wrapper, new, pages),
            occurring=repaired.report.occurring,
            reproduced=repaired.report.reproduced,
            findings=tuple(compare(usual, [new.extract(page) for page in pages])),
            doubts=repaired.report.doubts,
        ),
    )


def _levels(known: Iterable[KnownRecord], name: str) -> Iterator[KnownRecord]:
    """Each record without the field, then those in it."""
    for record in known:
        values = {field: value for field, value in record.values.items() if field != name}
        others = {field: held for field, held in record.nested.items() if field != name}
        yield replace(record, values=values, nested=others)
        yield from _levels(record.nested.get(name, ()), name)


def _ownerships(parts: Mapping[str, Part]) -> Iterator[dict[str, Part]]:
    """The parts as they belonged to their records before, and in each other way."""
    yield dict(parts)
    for name, part in parts.items():
        for way in OWNERSHIPS if part.belongs != "page" else ():
            if way not in ("page", part.belongs):
                yield {**parts, name: Part(part.wrapper, way)}


def _most_known(
    wrappers: Sequence[NestedFields], pages: Sequence[Page], known: KnownRecords
) -> NestedFields:
    """The wrapper that gives most known records their own nested records; the first of equals."""
    wanted = {_plain_record(record) for record in known}

    def count(wrapper: NestedFields) -> int:
        extracted = (record for page in pages for record in wrapper.extract(page))
        return sum(_plain_record(KnownRecord.of(record)) in wanted for record in extracted)

    return max(wrappers, key=count)


def _plain_record(record: KnownRecord) -> str:
    return plain(repr(sorted(record.to_dict().items())))


def _within(name: str, warning: Warning) -> Warning:
    """A warning about a part, with the field's path in the whole."""
    if not name:
        return warning
    field = name if warning.field is None else f"{name}.{warning.field}"
    return replace(warning, field=field, record=None)


def _not_about_labels(warnings: Iterable[Warning]) -> Iterator[Warning]:
    """The warnings of learning without those about labels: these are guesses, records are known."""
    return (
        warning for warning in warnings if not warning.is_about_labels or warning.kind in FAILING
    )


def _occurrences(pages: Iterable[Page], known: KnownRecords) -> Iterator[RecordOccurrences]:
    by_page = known.by_page()
    anywhere = known[:KNOWN_ANYWHERE]
    for page in pages:
        if budget.spent():
            return  # those found so far must do
        # A page that kept its address most likely kept its records.
        own = by_page.get(page.id)
        on_same_page = find_occurrences(page, own, same_page=True) if own else None
        yield (
            on_same_page
            if on_same_page and on_same_page.records
            else find_occurrences(page, anywhere, same_page=False)
        )


def _report(trial: Trial, old: Wrapper, new: Wrapper) -> RepairReport:
    """What changes from one wrapper to the other, and how far to trust the new one."""
    findings = trial.findings(new)
    return replace(
        _comparison(old, new, trial.pages),
        occurring=trial.occurring,
        reproduced=trial.count_reproduced(new),
        findings=tuple(findings),
        doubts=(*_doubts(trial, new, findings), *_templates(old, new)),
    )


def _comparison(old: Wrapper, new: Wrapper, pages: Sequence[Page]) -> RepairReport:
    """What changes from one wrapper to the other."""
    before = [record for page in pages for record in old.extract(page)]
    now = [record for page in pages for record in new.extract(page)]
    return RepairReport(
        before=old.describe(),
        after=new.describe(),
        occurring=0,
        reproduced=0,
        old_records=len(before),
        new_records=len(now),
        came=_without(now, before),
        went=_without(before, now),
        findings=(),
    )


def _doubts(trial: Trial, new: Wrapper, findings: Sequence[Finding]) -> Iterator[str]:
    """Where known values say too little for the new wrapper, or speak against it."""
    if trial.occurring < SURE:
        verb = "was" if trial.occurring == 1 else "were"
        records = _counted(trial.occurring, "known record")
        yield f"only {records} {verb} found on the new pages"
    reproduced = trial.count_reproduced(new)
    if reproduced < trial.occurring:
        missing = trial.occurring - reproduced
        yield f"{missing} of {trial.occurring} known records are not reproduced"
    for name, usual in trial.usual.fields.items():
        count = sum(bool(record.get(name)) for page in trial.occurrences for record in page.records)
        if usual.values and count < min(SURE, usual.values):
            yield f"{name}: its known values were found on the new pages {_times(count)}"
    empty = [page.id for page in trial.pages if not new.extract(page)]
    if empty and not trial.usual.empty:
        yield f"nothing is extracted from {_counted(len(empty), 'page')}, such as {empty[0]}"
    if has_drift(findings):
        yield "the new values do not look as they used to"


def _templates(old: Wrapper, new: Wrapper) -> Iterator[str]:
    if isinstance(new, Mixture) and not isinstance(old, Mixture):
        yield f"one wrapper was enough for all pages, and now {len(new.wrappers)} are needed"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return {0: "nowhere", 1: "only once"}.get(number, f"only {number} times")


def _without(records: Sequence[Record], excluded: Sequence[Record]) -> tuple[Record, ...]:
    excluded_set = set(excluded)
    return tuple(record for record in records if record not in excluded_set)


def _changes(before: str, after: str) -> list[str]:
    lines = ndiff(before.splitlines(), after.splitlines())
    return [f"  {line.rstrip()}" for line in lines if not line.startswith("?")]


def _shown(record: Record) -> str:
    values = ", ".join(f"{name}={_short(value)}" for name, value in record.values.items())
    return f"{record.page.id}: {values}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."
