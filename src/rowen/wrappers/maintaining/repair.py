"""Repair: learn a wrapper again after its site was redesigned, from what it used to extract.

Values outlive layouts. Records that were extracted before are looked for on the new pages
(`sightings`); what is found there labels them, by corroboration (`recollection`) or one by one;
wrappers are learned from several choices of these labels (`trial`), and the one is kept that gives
back most known records and whose values look as they did.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import ndiff
from typing import Any

from rowen.limits import LEARNING_SECONDS
from rowen.model import InputError, Page, Record, Warning  # noqa: A004  # the design's word
from rowen.wrappers import budget
from rowen.wrappers.base import Wrapper
from rowen.wrappers.learn import LEARNED, profile_of
from rowen.wrappers.maintaining.drift import FAILING, Finding
from rowen.wrappers.maintaining.earlier import Earlier, Known
from rowen.wrappers.maintaining.sightings import Sighting, sight
from rowen.wrappers.maintaining.trial import Trial
from rowen.wrappers.profile import Profile
from rowen.wrappers.several import Several

KNOWN_ANYWHERE = 2_000
"""So many known records are looked for on pages that they were not extracted from."""

LOOKING = 0.3
"""They are looked for in so much of the time at the most."""

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
    seconds: float = LEARNING_SECONDS,
) -> Repair:
    """Learn a wrapper for redesigned pages; `known` are records from before, of these or others.

    Without known records those are used that the profile keeps. `NoConsistentWrapper` where no
    wrapper can be learned from what is found of them, `InputError` where nothing is. After so many
    seconds no more wrappers are tried.
    """
    pages = list(pages)
    earlier = Earlier.of(known)
    usual = profile or earlier.profile()
    earlier = earlier or Earlier.of(usual.samples)
    if not earlier:
        raise InputError("repairing needs records that were extracted before")
    with budget.limit(seconds):
        with budget.share(LOOKING):
            sightings = [one for one in _sightings(pages, earlier) if one.records]
        if not sightings:
            raise InputError(
                f"none of {len(earlier)} known records stands on the new pages; give more of them "
                "(--known), or mark a new page and learn from it"
            )
        trial = Trial(pages, sightings, usual, several=isinstance(wrapper, Several))
        own = wrapper.wrapper_class
        best = trial.best([own, "auto"] if own in LEARNED else ["auto"])
    best.name = wrapper.name
    best.warnings = (*trial.unreproduced(best), *_kept(best.warnings))
    layout = None if best.profile is None else best.profile.layout
    profile_now = replace(profile_of(best, pages), layout=layout)
    return Repair(best, _report(trial, wrapper, best), profile_now)


def _kept(warnings: Iterable[Warning]) -> Iterator[Warning]:
    """What learning warned of, less its labels: those of a trial are guesses, records are known."""
    return (one for one in warnings if not one.is_about_labels or one.kind in FAILING)


def _sightings(pages: Iterable[Page], earlier: Earlier) -> Iterator[Sighting]:
    by_page = earlier.by_page()
    anywhere = earlier[:KNOWN_ANYWHERE]
    for page in pages:
        if budget.spent():
            return  # those that were seen must do
        own = by_page.get(page.id)
        found = sight(page, own, same_page=True) if own else None
        yield found if found and found.records else sight(page, anywhere, same_page=False)


def _report(trial: Trial, old: Wrapper, new: Wrapper) -> RepairReport:
    """What changes from one wrapper to the other."""
    before = [record for page in trial.pages for record in old.extract(page)]
    now = [record for page in trial.pages for record in new.extract(page)]
    findings = trial.findings(new)
    return RepairReport(
        before=old.describe(),
        after=new.describe(),
        seen=trial.seen,
        again=trial.again(new),
        old_records=len(before),
        new_records=len(now),
        came=_less(now, before),
        went=_less(before, now),
        findings=tuple(findings),
        doubts=(*_doubts(trial, new, findings), *_templates(old, new)),
    )


def _doubts(trial: Trial, new: Wrapper, findings: Sequence[Finding]) -> Iterator[str]:
    """Where known values say too little for the new wrapper, or speak against it."""
    if trial.seen < SURE:
        yield f"only {_counted(trial.seen, 'known record')} stood on the new pages"
    again = trial.again(new)
    if again < trial.seen:
        yield f"{trial.seen - again} of {trial.seen} known records are not given back"
    for name, usual in trial.usual.fields.items():
        told = sum(bool(record.get(name)) for one in trial.sightings for record in one.records)
        if usual.values and told < min(SURE, usual.values):
            yield f"{name}: its values of before stand on the new pages {_times(told)}"
    bare = [page.id for page in trial.pages if not new.extract(page)]
    if bare and not trial.usual.empty:
        yield f"nothing is found on {_counted(len(bare), 'page')}, such as {bare[0]}"
    if any(one.severity == "drift" for one in findings):
        yield "the new values are not as they used to be"


def _templates(old: Wrapper, new: Wrapper) -> Iterator[str]:
    if isinstance(new, Several) and not isinstance(old, Several):
        yield f"one wrapper did for all pages, and now {len(new.wrappers)} are needed"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return {0: "nowhere", 1: "only once"}.get(number, f"only {number} times")


def _less(records: Sequence[Record], others: Sequence[Record]) -> tuple[Record, ...]:
    known = set(others)
    return tuple(record for record in records if record not in known)


def _changes(before: str, after: str) -> list[str]:
    lines = ndiff(before.splitlines(), after.splitlines())
    return [f"  {line.rstrip()}" for line in lines if not line.startswith("?")]


def _shown(record: Record) -> str:
    values = ", ".join(f"{name}={_short(value)}" for name, value in record.values.items())
    return f"{record.page.id}: {values}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 50 else text[:47] + "..."
