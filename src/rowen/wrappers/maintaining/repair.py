"""Repair: learn a wrapper again after its site was redesigned, from what it used to extract.

Values outlive layouts. Records that were extracted before are looked for on the new pages; what is
found there labels them, in part or in whole; wrappers are learned from several choices of these
labels, and the one is kept that gives back most known records and whose values look as they did.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import ndiff
from itertools import combinations, islice
from time import monotonic
from typing import Any

from rowen.documents.references import decode
from rowen.model import Example, InputError, NoConsistentWrapper, Page, Record
from rowen.model.record import CHILDREN
from rowen.wrappers.base import Wrapper
from rowen.wrappers.classes import CLASSES
from rowen.wrappers.learn import learn
from rowen.wrappers.maintaining.drift import Finding, compare
from rowen.wrappers.maintaining.earlier import Earlier, Known
from rowen.wrappers.maintaining.sightings import Sighting, crop, mark, sight
from rowen.wrappers.profile import Profile

KNOWN_ANYWHERE = 2_000
"""So many known records are looked for on pages that they were not extracted from."""

EXAMPLES = 4
"""From so many pages at most a wrapper is learned; the rest tests it."""

SECONDS = 60.0
"""When it has taken so long and a wrapper is there, no others are tried."""

AUTO_CHOICES = 2
"""Choosing a class takes long: it is tried with the best choices of examples only."""

SURE = 3
"""Fewer known records, or values of a field, may stand on the new pages by chance."""

SHOWN = 10
"""So many records that come, and that go, are shown."""


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What repairing changed."""

    before: str
    """The old wrapper's explanation."""
    after: str
    """The new one's."""
    seen: int
    """How many known records were found on the new pages."""
    again: int
    """How many of these the new wrapper gives back."""
    old_records: int
    """How many records the old wrapper gives on the new pages."""
    new_records: int
    came: tuple[Record, ...]
    """What the new wrapper gives and the old one didn't."""
    went: tuple[Record, ...]
    findings: tuple[Finding, ...]
    """How the new records differ from what used to be extracted."""
    doubts: tuple[str, ...] = ()
    """Why the new wrapper may be wrong: look at its records before it is used."""

    def __str__(self) -> str:
        seen, again = self.seen, self.again
        known = f"{seen} known records stand on the new pages; the new wrapper gives {again} back"
        counts = f"{self.old_records} with the old wrapper, {self.new_records} with the new one"
        lines = [
            known,
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
    """A wrapper for the new pages, and what to look at before it is used."""

    wrapper: Wrapper
    report: RepairReport
    profile: Profile


def repair(
    wrapper: Wrapper,
    pages: Iterable[Page],
    known: Iterable[Known | Mapping[str, Any]] = (),
    *,
    profile: Profile | None = None,
) -> Repair:
    """Learn a wrapper for redesigned pages; `known` are records from before, of these or others.

    Without known records those are used that the profile keeps. `NoConsistentWrapper` where no
    wrapper can be learned from what is found of them, `InputError` where nothing is.
    """
    pages = list(pages)
    earlier = Earlier.of(known)
    usual = profile or earlier.profile()
    earlier = earlier or Earlier.of(usual.samples)
    if not earlier:
        raise InputError("repairing needs records that were extracted before")
    sightings = [one for one in _sightings(pages, earlier) if one.records]
    if not sightings:
        raise InputError(
            f"none of {len(earlier)} known records stands on the new pages; give more of them "
            "(--known), or mark a new page and learn from it"
        )
    trial = _Trial(pages, sightings, usual)
    own = wrapper.wrapper_class
    best = trial.best([own, "auto"] if own in CLASSES else ["auto"])
    best.name = wrapper.name
    return Repair(best, trial.report(wrapper, best), Profile.of(map(best.extract, pages)))


def _sightings(pages: Iterable[Page], earlier: Earlier) -> Iterator[Sighting]:
    by_page = earlier.by_page()
    anywhere = earlier[:KNOWN_ANYWHERE]
    for page in pages:
        own = by_page.get(page.id)
        found = sight(page, own, same_page=True) if own else None
        yield found if found and found.records else sight(page, anywhere, same_page=False)


class _Trial:
    """Tries wrappers on the pages on which known records were seen."""

    def __init__(self, pages: list[Page], sightings: list[Sighting], usual: Profile) -> None:
        self.pages = pages
        self.sightings = sorted(sightings, key=lambda one: -len(one.records))
        self.usual = usual
        self.seen = sum(len(one.records) for one in sightings)

    def best(self, classes: Iterable[str]) -> Wrapper:
        """The wrapper that gives most known records back; ties go to fewer oddities."""
        best: tuple[tuple[int, int], Wrapper] | None = None
        failure: NoConsistentWrapper | None = None
        started = monotonic()
        for wrapper_class, examples in self._attempts(classes):
            if best is not None and monotonic() - started > SECONDS:
                break
            try:
                made = learn(examples, wrapper_class=wrapper_class)
            except NoConsistentWrapper as error:
                failure = failure or error
                continue
            odd = [one for one in self.findings(made) if one.severity == "drift"]
            score = self.again(made), -len(odd)
            if best is None or score > best[0]:
                best = score, made
            if score == (self.seen, 0):
                break
        if best is None:
            raise failure or InputError("the known records can't be told apart on the new pages")
        return best[1]

    def again(self, wrapper: Wrapper) -> int:
        """How many of the known records that stand on the pages a wrapper gives."""
        total = 0
        for one in self.sightings:
            given = [_flat(record.values) for record in _walk(wrapper.extract(one.page))]
            total += sum(any(_agrees(record, got) for got in given) for record in one.records)
        return total

    def findings(self, wrapper: Wrapper) -> list[Finding]:
        """How a wrapper's records differ from what used to be extracted."""
        return compare(self.usual, [wrapper.extract(page) for page in self.pages])

    def report(self, old: Wrapper, new: Wrapper) -> RepairReport:
        """What changes from one wrapper to the other."""
        before = [record for page in self.pages for record in old.extract(page)]
        now = [record for page in self.pages for record in new.extract(page)]
        findings = self.findings(new)
        return RepairReport(
            before=old.explain(),
            after=new.explain(),
            seen=self.seen,
            again=self.again(new),
            old_records=len(before),
            new_records=len(now),
            came=_less(now, before),
            went=_less(before, now),
            findings=tuple(findings),
            doubts=tuple(self._doubts(new, findings)),
        )

    def _doubts(self, new: Wrapper, findings: Sequence[Finding]) -> Iterator[str]:
        """Where known values say too little for the new wrapper, or speak against it."""
        if self.seen < SURE:
            yield f"only {_counted(self.seen, 'known record')} stood on the new pages"
        again = self.again(new)
        if again < self.seen:
            yield f"{self.seen - again} of {self.seen} known records are not given back"
        for name in self.usual.fields:
            had = self.usual.fields[name].values
            told = sum(bool(record.get(name)) for one in self.sightings for record in one.records)
            if had and told < min(SURE, had):
                yield f"{name}: its values of before stand on the new pages {_times(told)}"
        bare = [page.id for page in self.pages if not new.extract(page)]
        if bare and not self.usual.empty:
            yield f"nothing is found on {_counted(len(bare), 'page')}, such as {bare[0]}"
        if any(one.severity == "drift" for one in findings):
            yield "the new values are not as they used to be"

    def _attempts(self, classes: Iterable[str]) -> Iterator[tuple[str, list[Example]]]:
        for wrapper_class in classes:
            most = AUTO_CHOICES if wrapper_class == "auto" else None
            for examples in islice(self._choices(), most):
                yield wrapper_class, examples

    def _choices(self) -> Iterator[list[Example]]:
        """All good pages together, then without one, then each alone; each whole, then in part."""
        chosen = self.sightings[:EXAMPLES]
        sizes = dict.fromkeys((len(chosen), len(chosen) - 1, 1))
        for size in sizes:
            for some in combinations(chosen, size) if size else ():
                for whole in (True, False) if any(one.whole for one in some) else (False,):
                    if examples := mark(some, whole=whole):
                        yield examples
                if runs := [run for one in mark(some, whole=False) if (run := crop(one))]:
                    yield runs


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return {0: "nowhere", 1: "only once"}.get(number, f"only {number} times")


def _less(records: Sequence[Record], others: Sequence[Record]) -> tuple[Record, ...]:
    known = set(others)
    return tuple(record for record in records if record not in known)


def _walk(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        yield record
        yield from _walk(record.children)


def _agrees(known: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    """Whether a record has all known values, white space and references aside."""
    own = {name: value for name, value in known.items() if name != CHILDREN}
    return all(got.get(name) == value for name, value in _flat(own).items())


def _flat(values: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        name: [_plain(one) for one in ([value] if isinstance(value, str) else value or ())]
        for name, value in values.items()
    }


def _plain(value: str) -> str:
    """A value as its reader sees it."""
    return " ".join(decode(value).text.split())


def _changes(before: str, after: str) -> list[str]:
    lines = ndiff(before.splitlines(), after.splitlines())
    return [f"  {line.rstrip()}" for line in lines if not line.startswith("?")]


def _shown(record: Record) -> str:
    values = ", ".join(f"{name}={_short(value)}" for name, value in record.values.items())
    return f"{record.page.id}: {values}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 50 else text[:47] + "..."
