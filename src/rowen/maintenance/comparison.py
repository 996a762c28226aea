"""The comparison of two profiles: what differs between known-good records and new ones.

Each question about the values of a field (how many have digits, tags, so many characters, ...) is
weighed by a Bayes factor. Only a large one counts, together with a difference that a person would
notice, so that a site that has not changed raises no alarm.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import log

from rowen.maintenance.bayes import CONTENT, FORM, GAPS, Rates, Scale, typical
from rowen.maintenance.drift_report import Finding, Severity, has_drift
from rowen.records import Record
from rowen.wrappers.profile import TRAITS, FieldProfile, Profile

COMMON_WORD = 0.9
"""A word that nearly all values have is a part of the field's form: a unit, a currency."""

OF_FORM = {"empty", "tags", "line breaks", "white space around"}
"""The traits that a delimiter decides; the others depend on what values say."""

SHOWN_CHARACTERS = 40
"""This much of a value is shown in a finding."""


def compare(profile: Profile, records: Iterable[Sequence[Record]]) -> list[Finding]:
    """What differs between a profile and the records of some pages, page by page."""
    return list(differences(profile, Profile.of(records)))


def differences(old: Profile, new: Profile) -> Iterator[Finding]:
    """What differs between two profiles."""
    if not new.pages:
        return
    yield from _failures(old, new)
    if new.empty == new.pages:
        pages = "the page" if new.pages == 1 else f"any of the {new.pages:.0f} pages"
        # On a site with many pages that are rightly empty, a few more of them say nothing.
        usual = old.pages > old.empty > old.failed + old.pages / 4 and new.pages < 4
        yield Finding("note" if usual else "drift", f"no records on {pages}")
        return
    if not old.pages:
        return
    without = Rates(old.empty, old.pages, new.empty, new.pages)
    if severity := without.severity(CONTENT):
        yield Finding(severity, without.describe("pages without records"))
    yield from _counts(old, new)
    findings: list[Finding] = []
    for name, profile in old.fields.items():
        if profile.records and not _is_in_nothing(name, new):
            holds_records = any(other.startswith(f"{name}.") for other in old.fields)
            # Lists of records are often empty, other fields seldom missing.
            gaps = CONTENT if holds_records else GAPS
            findings += _field(name, profile, new.fields.get(name, FieldProfile()), new, gaps)
    yield from findings
    if not has_drift(findings):
        yield from _together(old, new)


def _is_in_nothing(name: str, new: Profile) -> bool:
    """Whether a field belongs to nested records of which there are none: that says it all."""
    around = new.fields.get(name.rpartition(".")[0])
    return around is not None and not around.values


def _together(old: Profile, new: Profile) -> Iterator[Finding]:
    """Differences that are too small in one field count when several fields show them at once."""
    for scale in (FORM, CONTENT):
        clearest = {
            name: _clearest(profile, new.fields[name], scale)
            for name, profile in old.fields.items()
            if name in new.fields
        }
        changed = {name: trait for name, trait in clearest.items() if trait[0] > 1}
        # Log odds add up as independent odds multiply.
        if len(changed) > 1 and sum(odds for odds, _ in changed.values()) > log(scale.together):
            message = "; ".join(f"{name}: {words}" for name, (_, words) in changed.items())
            yield Finding("drift", f"several fields changed at once: {message}")


def _clearest(old: FieldProfile, new: FieldProfile, scale: Scale) -> tuple[float, str]:
    """The largest log odds of the traits that the scale is for, and the trait in words."""
    best = (0.0, "")
    for trait, rates in _traits(old, new):
        if (trait in OF_FORM) == (scale is FORM) and rates.noticeable:
            best = max(best, (rates.log_odds(scale.prior), rates.describe(_subject(trait))))
    return best


def _traits(old: FieldProfile, new: FieldProfile) -> Iterator[tuple[str, Rates]]:
    """How many values have each trait, before and now."""
    if not old.values or not new.values:
        return
    for trait in TRAITS:
        before, now = old.traits.get(trait, 0.0), new.traits.get(trait, 0.0)
        rates = Rates(before, old.values, now, new.values)
        yield trait, rates if trait in OF_FORM else rates.by_page(old, new)


def _failures(old: Profile, new: Profile) -> Iterator[Finding]:
    failed = Rates(old.failed, old.pages, new.failed, new.pages)
    if (severity := failed.severity(FORM)) and failed.rises:
        yield Finding(severity, failed.describe("pages on which it stopped early"))


def _counts(old: Profile, new: Profile) -> Iterator[Finding]:
    before, now = typical(old.counts), typical(new.counts)
    severity = CONTENT.severity(old.counts, new.counts)
    if severity is not None and not 0.4 < (now + 0.5) / (before + 0.5) < 2.5:
        yield Finding(severity, f"about {now:.0f} records per page, used to be {before:.0f}")


def _field(
    name: str, old: FieldProfile, new: FieldProfile, pages: Profile, gaps: Scale
) -> Iterator[Finding]:
    if not new.records:
        if_gone: Severity = "drift" if pages.pages > 1 else "note"
        yield Finding(if_gone, "is no longer extracted", name)
        return
    missing = Rates(old.missing, old.records, new.missing, new.records)
    if missing.rises and (severity := missing.severity(gaps)):
        yield Finding(severity, missing.describe("records without it"), name)
    if not old.values or not new.values:
        return
    yield from _lengths(name, old, new)
    for trait, rates in _traits(old, new):
        if severity := rates.severity(FORM if trait in OF_FORM else CONTENT):
            yield Finding(severity, rates.describe(_subject(trait)), name)
    yield from _habits(name, old, new)


def _lengths(name: str, old: FieldProfile, new: FieldProfile) -> Iterator[Finding]:
    before, now = typical(old.lengths), typical(new.lengths)
    if 0.4 < (now + 1) / (before + 1) < 2.5:
        return
    # Ten times as long is a delimiter that no longer holds; 2.5 times may be a matter of content.
    is_far = not 0.1 < (now + 1) / (before + 1) < 10
    if severity := (FORM if is_far else CONTENT).severity(old.lengths, new.lengths):
        yield Finding(severity, f"about {now:.0f} characters long, used to be {before:.0f}", name)


def _habits(name: str, old: FieldProfile, new: FieldProfile) -> Iterator[Finding]:
    """Words that were always there, shapes that were usual, values that were not all the same."""
    for word, weight in old.words.items():
        # Numbers are no part of the form, however many values share one.
        if weight > COMMON_WORD * old.values and not word.isdigit():
            rates = Rates(weight, old.values, new.words.get(word, 0.0), new.values)
            if severity := rates.by_page(old, new).severity(CONTENT):
                yield Finding(severity, rates.describe(f"values with {word!r}"), name)
    # A shape that only one value had is no habit: names, for instance, all differ.
    habits = {shape for shape, number in old.shapes.items() if number > 1}
    usual = sum(old.shapes[shape] for shape in habits) / old.number
    now = sum(number for shape, number in new.shapes.items() if shape in habits) / new.number
    rates = Rates(usual * old.values, old.values, now * new.values, new.values).by_page(old, new)
    if (severity := rates.severity(CONTENT)) and not rates.rises:
        yield Finding(severity, rates.describe("values of a usual shape"), name)
    same = Rates(old.commonest, old.values, new.commonest, new.values)
    if new.pages > 1 and same.rises and (severity := same.severity(CONTENT)):
        value = new.usual
        if len(value) > SHOWN_CHARACTERS:
            value = value[: SHOWN_CHARACTERS - 3] + "..."
        yield Finding(severity, same.describe(f"values that are {value!r}, one for all"), name)


def _subject(trait: str) -> str:
    return _SUBJECTS.get(trait, f"values with {trait}")


_SUBJECTS = {
    "empty": "empty values",
    "a capital first": "values that start with a capital",
    "a digit first": "values that start with a digit",
    "several words": "values of several words",
    "white space around": "values with white space around them",
}
