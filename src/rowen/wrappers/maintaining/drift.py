"""Drift: whether an extractor still finds on new pages what it used to find.

What new pages give is compared with a profile of known-good records, question by question (how many
values have digits, tags, so many characters, ...). Each answer is weighed by a Bayes factor: how
much better two rates explain old and new than one rate does. Only a large one counts, together with
a difference that a person would notice, so that a site that has not changed raises no alarm.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import exp, lgamma, log
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rowen.model import Page, Record, Records, Warning  # noqa: A004  # the design's word
from rowen.wrappers.profile import TRAITS, FieldProfile, Profile
from rowen.wrappers.summary import summarise
from rowen.wrappers.verification import shown

if TYPE_CHECKING:
    from rowen.extractors.base import Extractor

__all__ = ["Finding", "PageReport", "Profile", "Report", "check", "compare"]

Severity: TypeAlias = Literal["drift", "note"]

NOTICEABLE = 0.4
"""Shares that differ by less are left alone, however sure the difference is."""

COMMON_WORD = 0.9
"""A word that nearly all values have is a part of the field's form: a unit, a currency."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """How a kind of difference is weighed; tuned on halves of sites that didn't change."""

    prior: float
    """How far rates are spread: near 0 they are all or nothing."""
    drift: float
    """The odds from which it counts as drift."""
    note: float
    """The odds from which it is worth a line."""
    together: float
    """The odds of several fields, multiplied, from which they count as drift."""

    def severity(self, old: Mapping[int, float], new: Mapping[int, float]) -> "Severity | None":
        """What the difference between two distributions is worth."""
        return self.of(_log_odds(old, new, self.prior))

    def of(self, odds: float) -> "Severity | None":
        """What log odds are worth."""
        if odds > log(self.drift):
            return "drift"
        return "note" if odds > log(self.note) else None


FORM = _Scale(prior=0.1, drift=60.0, note=15.0, together=200.0)
"""For tags and lengths: all values of a field are alike in them, while a delimiter holds."""

GAPS = _Scale(prior=0.1, drift=10.0, note=4.0, together=200.0)
"""For fields that go missing: of 390 comparisons within sites that did not change (1, 2, 3 or half
of a site's labelled pages with the others) one had odds above 3, and that was above 60."""

CONTENT = _Scale(prior=0.5, drift=1000.0, note=50.0, together=20_000.0)
"""For what values say: it differs from page to page of a site that has not changed."""

FAILING = {"page-failed"}
"""The warning that a wrapper had to stop on a marked page before it had all that is marked."""

_NOTHING = Profile(0.0, 0.0, 0.0, {}, {})
"""What is known of records where there is no profile."""

OF_FORM = {"empty", "tags", "line breaks", "white space around"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was; `note` is worth a look, `drift` makes the check fail."""

    severity: Severity
    message: str
    field: str | None = None

    def __str__(self) -> str:
        where = "" if self.field is None else f"{self.field}: "
        return f"{where}{self.message}"


@dataclass(frozen=True, slots=True)
class PageReport:
    """How one page fared."""

    page: str
    records: int
    findings: tuple[Finding, ...]

    @property
    def drifted(self) -> bool:
        """Whether something here can't be a matter of chance."""
        return _drifted(self.findings)


@dataclass(frozen=True, slots=True)
class Report:
    """How all pages fared, each by itself and together."""

    pages: tuple[PageReport, ...]
    findings: tuple[Finding, ...]
    """What shows in all pages together."""
    known: bool
    """Whether there was a profile to compare with; without one only failures are found."""
    warnings: tuple[Warning, ...] = ()
    """What was wrong with the extractor from the start."""

    @property
    def drifted(self) -> bool:
        """Whether the extractor no longer fits."""
        return _drifted(self.findings) or any(page.drifted for page in self.pages)

    def to_dict(self) -> dict[str, Any]:
        """The report as it is written to JSON."""
        return {
            "drift": self.drifted,
            "compared": self.known,
            "warnings": [warning.to_dict() for warning in self.warnings],
            "findings": [asdict(finding) for finding in self.findings],
            "pages": [
                {
                    "page": page.page,
                    "records": page.records,
                    "drift": page.drifted,
                    "findings": [asdict(finding) for finding in page.findings],
                }
                for page in self.pages
            ],
        }


def check(extractor: "Extractor", pages: Iterable[Page], profile: Profile | None) -> Report:
    """Run an extractor over pages and compare what it gives with a profile of what it used to.

    A wrapper that had to stop on a marked page fits no better now: that is drift, too.
    """
    warnings: tuple[Warning, ...] = getattr(extractor, "warnings", ())
    kinds = {one.kind for one in warnings}
    # On pages marked in part nobody said what comes after the marked records.
    stops = "page-stopped" in kinds and not kinds & FAILING
    reports: list[PageReport] = []

    def results() -> Iterator[Records]:
        for page in pages:
            records = extractor.extract(page)
            findings = _on_page(profile, records, stops=stops)
            reports.append(PageReport(page.id, len(records), findings))
            yield records

    now = Profile.of(results())
    findings = [*_learned_with(warnings), *_differences(profile or _NOTHING, now)]
    return Report(tuple(reports), tuple(findings), known=profile is not None, warnings=warnings)


def _learned_with(warnings: Sequence[Warning]) -> Iterator[Finding]:
    """What learning warned of: pages on which it failed are drift, all else is worth a look."""
    for line in summarise(one for one in warnings if one.kind in FAILING):
        yield Finding("drift", f"from learning: {line}")
    for line in summarise(one for one in warnings if one.kind not in FAILING):
        yield Finding("note", f"from learning: {line}")


def compare(profile: Profile, records: Iterable[Sequence[Record]]) -> list[Finding]:
    """What differs between a profile and the records of some pages, page by page."""
    return list(_differences(profile, Profile.of(records)))


def _on_page(profile: Profile | None, records: Records, *, stops: bool) -> tuple[Finding, ...]:
    """What is odd about one page; `stops` says that it used to stop after some records.

    Only a failure, or a record that reaches over another one, is drift: odd pages are found
    everywhere.
    """
    found: list[Finding] = []
    # Where known pages are empty and that was right, it need not find anything here either.
    empty = profile is not None and profile.empty > profile.failed
    usual = stops if records else empty
    if records.failure is not None:
        after = f"after {len(records)} record{'' if len(records) == 1 else 's'}"
        severity: Severity = "note" if usual else "drift"
        found.append(Finding(severity, f"stopped {after}: {records.failure}"))
    if profile is None:
        return tuple(found)
    if not records and not profile.empty and records.failure is None:
        found.append(Finding("note", "no records; every known page has some"))
    found += _reaching_over(profile, records)
    differences = _differences(profile, Profile.of([records]))
    notes = (Finding("note", one.message, one.field) for one in differences if one.field)
    return (*found, *notes)


def _reaching_over(profile: Profile, records: Records) -> Iterator[Finding]:
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


def _differences(old: Profile, new: Profile) -> Iterator[Finding]:
    if not new.pages:
        return
    yield from _failures(old, new)
    if new.empty == new.pages:
        pages = "the page" if new.pages == 1 else f"any of the {new.pages:.0f} pages"
        usual = old.pages > old.empty > old.failed + old.pages / 4 and new.pages < 4
        yield Finding("note" if usual else "drift", f"no records on {pages}")
        return
    if not old.pages:
        return
    without = _Rates(old.empty, old.pages, new.empty, new.pages)
    if severity := without.severity(CONTENT):
        yield Finding(severity, without.told("pages without records"))
    yield from _counts(old, new)
    found: list[Finding] = []
    for name, known in old.fields.items():
        if known.records:
            found += _field(name, known, new.fields.get(name, FieldProfile()), new)
    yield from found
    if not _drifted(found):
        yield from _together(old, new)


def _together(old: Profile, new: Profile) -> Iterator[Finding]:
    """Differences too small to count in one field do when several fields show them at once."""
    for scale in (FORM, CONTENT):
        clearest = {
            name: _clearest(known, new.fields[name], scale)
            for name, known in old.fields.items()
            if name in new.fields
        }
        shown = {name: one for name, one in clearest.items() if one[0] > 1}
        if len(shown) > 1 and sum(odds for odds, _ in shown.values()) > log(scale.together):
            told = "; ".join(f"{name}: {what}" for name, (_, what) in shown.items())
            yield Finding("drift", f"several fields changed at once: {told}")


def _clearest(old: FieldProfile, new: FieldProfile, scale: _Scale) -> tuple[float, str]:
    """The trait that the scale is for with the largest log odds, and in words."""
    best = (0.0, "")
    for trait, rates in _traits(old, new):
        if (trait in OF_FORM) == (scale is FORM) and rates.noticeable:
            best = max(best, (rates.log_odds(scale.prior), rates.told(_told(trait))))
    return best


def _traits(old: FieldProfile, new: FieldProfile) -> Iterator[tuple[str, "_Rates"]]:
    """How many values have each trait, before and now."""
    if not old.values or not new.values:
        return
    for trait in TRAITS:
        before, now = old.traits.get(trait, 0.0), new.traits.get(trait, 0.0)
        rates = _Rates(before, old.values, now, new.values)
        yield trait, rates if trait in OF_FORM else rates.by_page(old, new)


def _failures(old: Profile, new: Profile) -> Iterator[Finding]:
    failed = _Rates(old.failed, old.pages, new.failed, new.pages)
    if (severity := failed.severity(FORM)) and failed.rises:
        yield Finding(severity, failed.told("pages on which it stopped early"))


def _counts(old: Profile, new: Profile) -> Iterator[Finding]:
    before, now = _typical(old.counts), _typical(new.counts)
    severity = CONTENT.severity(old.counts, new.counts)
    if severity is not None and not 0.4 < (now + 0.5) / (before + 0.5) < 2.5:
        yield Finding(severity, f"about {now:.0f} records a page, used to be {before:.0f}")


def _field(name: str, old: FieldProfile, new: FieldProfile, pages: Profile) -> Iterator[Finding]:
    if not new.records:
        severity: Severity = "drift" if pages.pages > 1 else "note"
        yield Finding(severity, "is no longer extracted", name)
        return
    missing = _Rates(old.missing, old.records, new.missing, new.records)
    if missing.rises and (found := missing.severity(GAPS)):
        yield Finding(found, missing.told("records without it"), name)
    if not old.values or not new.values:
        return
    yield from _lengths(name, old, new)
    for trait, rates in _traits(old, new):
        if found := rates.severity(FORM if trait in OF_FORM else CONTENT):
            yield Finding(found, rates.told(_told(trait)), name)
    yield from _habits(name, old, new)


def _lengths(name: str, old: FieldProfile, new: FieldProfile) -> Iterator[Finding]:
    before, now = _typical(old.lengths), _typical(new.lengths)
    if 0.4 < (now + 1) / (before + 1) < 2.5:
        return
    far = not 0.1 < (now + 1) / (before + 1) < 10
    if severity := (FORM if far else CONTENT).severity(old.lengths, new.lengths):
        yield Finding(severity, f"about {now:.0f} characters long, used to be {before:.0f}", name)


def _habits(name: str, old: FieldProfile, new: FieldProfile) -> Iterator[Finding]:
    """Words that were always there, shapes that were usual, values that were not all the same."""
    for word, weight in old.words.items():
        if weight > COMMON_WORD * old.values and not word.isdigit():
            rates = _Rates(weight, old.values, new.words.get(word, 0.0), new.values)
            if severity := rates.by_page(old, new).severity(CONTENT):
                yield Finding(severity, rates.told(f"values with {word!r}"), name)
    habits = {shape for shape, number in old.shapes.items() if number > 1}
    usual = sum(old.shapes[shape] for shape in habits) / old.number
    now = sum(number for shape, number in new.shapes.items() if shape in habits) / new.number
    rates = _Rates(usual * old.values, old.values, now * new.values, new.values).by_page(old, new)
    if (severity := rates.severity(CONTENT)) and not rates.rises:
        yield Finding(severity, rates.told("values of a usual shape"), name)
    same = _Rates(old.commonest, old.values, new.commonest, new.values)
    if new.pages > 1 and same.rises and (severity := same.severity(CONTENT)):
        shown = new.usual if len(new.usual) <= 40 else new.usual[:37] + "..."
        yield Finding(severity, same.told(f"values that are {shown!r}, one for all"), name)


def _told(trait: str) -> str:
    return _TOLD.get(trait, f"values with {trait}")


_TOLD = {
    "empty": "empty values",
    "a capital first": "values that start with a capital",
    "a digit first": "values that start with a digit",
    "several words": "values of several words",
    "white space around": "values with white space around them",
}


@dataclass(frozen=True, slots=True)
class _Rates:
    """How many of how many, before and now."""

    old: float
    of_old: float
    new: float
    of_new: float

    def severity(self, scale: _Scale) -> Severity | None:
        """Whether the difference is sure enough, and large enough, to be told."""
        return scale.of(self.log_odds(scale.prior)) if self.noticeable else None

    @property
    def noticeable(self) -> bool:
        if not self.of_old or not self.of_new:
            return False
        return abs(self.new / self.of_new - self.old / self.of_old) >= NOTICEABLE

    def log_odds(self, prior: float) -> float:
        before = {1: self.old, 0: self.of_old - self.old}
        return _log_odds(before, {1: self.new, 0: self.of_new - self.new}, prior)

    def by_page(self, old: FieldProfile, new: FieldProfile) -> "_Rates":
        """The same shares with each page counting once."""
        before, now = old.pages / self.of_old, new.pages / self.of_new
        return _Rates(self.old * before, old.pages, self.new * now, new.pages)

    @property
    def rises(self) -> bool:
        return self.new / self.of_new > self.old / self.of_old

    def told(self, what: str) -> str:
        return f"{self.new / self.of_new:.0%} {what}, used to be {self.old / self.of_old:.0%}"


def _log_odds(old: Mapping[int, float], new: Mapping[int, float], prior: float) -> float:
    """The logarithm of the Bayes factor: two distributions (Dirichlet) against one for both."""
    keys = old.keys() | new.keys()
    both = {key: old.get(key, 0.0) + new.get(key, 0.0) for key in keys}
    apart = _evidence(old, keys, prior) + _evidence(new, keys, prior)
    return apart - _evidence(both, keys, prior)


def _evidence(counts: Mapping[int, float], keys: Iterable[int], prior: float) -> float:
    several = [max(counts.get(key, 0.0), 0.0) for key in keys]
    return (
        lgamma(prior * len(several))
        - lgamma(prior * len(several) + sum(several))
        + sum(lgamma(prior + one) - lgamma(prior) for one in several)
    )


def _typical(powers: Mapping[int, float]) -> float:
    """The geometric mean of numbers that were counted by powers of two."""
    total = sum(powers.values())
    if not total:
        return 0.0
    mean: float = sum(power * weight for power, weight in powers.items()) / total
    return exp(mean * log(2.0)) - 1


def _drifted(findings: Iterable[Finding]) -> bool:
    return any(finding.severity == "drift" for finding in findings)
