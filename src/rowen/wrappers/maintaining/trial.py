"""Trials: wrappers for new pages are learned in several ways and compared with what is known.

Known records are marked where corroboration puts them, which are the only places they have where
nothing is ambiguous; then where they were seen one by one; what the best wrapper doesn't give back
is marked for it, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any

from rowen.documents.references import decode
from rowen.model import (
    Example,
    ExtractionError,
    InputError,
    NoConsistentWrapper,
    Page,
    Record,
    SearchCutShort,
    Warning,  # noqa: A004  # the design's word
)
from rowen.model.record import CHILDREN
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence, Wrapper
from rowen.wrappers.learn import learn
from rowen.wrappers.maintaining.drift import Finding, compare
from rowen.wrappers.maintaining.recollection import recall
from rowen.wrappers.maintaining.sightings import Sighting, crop, mark, pin
from rowen.wrappers.profile import Profile
from rowen.wrappers.recognizing.noisy import learn_from_recognizers
from rowen.wrappers.several import Several

EXAMPLES = 4
"""From so many pages a wrapper is learned at first; the rest tests it."""

FIRST_CHOICES = 2
"""So many choices of examples are tried before corroboration is."""

ROUNDS = 6
"""So often pages are added of which the best wrapper doesn't give the known records."""

TIME = 0.5
"""One attempt may take so much of the time that is left."""


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """How good a wrapper is for the new pages; the larger the better."""

    again: int
    """How many known records it gives back."""
    usual: int
    """Less by one for each difference from what values used to look like."""
    single: bool
    """Whether it is one wrapper for all pages, where it was before: of wrong labels each page seems
    another template."""
    few: int
    """Less by one for each other record on pages of which all are known."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A wrapper, and what it was learned from."""

    wrapper: Wrapper
    score: Score
    wrapper_class: str
    sightings: tuple[Sighting, ...] = field(repr=False)


class Trial:
    """Tries wrappers on the pages on which known records were seen."""

    def __init__(
        self,
        pages: Sequence[Page],
        sightings: Sequence[Sighting],
        usual: Profile,
        *,
        several: bool = False,
    ) -> None:
        """`several` says that the site had several templates before."""
        self.pages = pages
        self.sightings = _telling_first(sightings)
        self.usual = usual
        self.several = several
        self.seen = sum(len(one.records) for one in sightings)
        self._failure: NoConsistentWrapper | None = None

    def best(self, classes: Sequence[str]) -> Wrapper:
        """The wrapper that gives most known records back; ties go to fewer oddities."""
        best: Candidate | None = None
        try:
            for made in self._candidates(classes):
                if best is None or made.score > best.score:
                    best = made
                if self._is_sure(best) or budget.spent():
                    break
        except SearchCutShort as error:  # what was found by then must do
            self._failure = self._failure or error
        if best is None:
            raise self._failure or InputError(
                "the known records can't be told apart on the new pages"
            )
        return best.wrapper

    def _candidates(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """Wrappers learned in one way after the other, the best of each stage refined."""
        best: Candidate | None = None
        for stage in (self._corroborated, self._directly, self._exhaustively):
            for made in stage(classes):
                yield made
                best = made if best is None or made.score > best.score else best
            if best is not None:
                best = self._refined(best)
                yield best

    def again(self, wrapper: Wrapper) -> int:
        """How many of the known records that stand on the pages a wrapper gives."""
        return sum(len(one.records) - len(_missed(wrapper, one)) for one in self.sightings)

    def unreproduced(self, wrapper: Wrapper) -> Iterator[Warning]:
        """The known records of each page that a wrapper does not give."""
        for one in self.sightings:
            for record in _missed(wrapper, one):
                value = next((each for value in _flat(record).values() for each in value), "")
                message = f"the known record with {value!r} is not found"
                yield Warning("record-missed", message, one.page.id)

    def findings(self, wrapper: Wrapper) -> list[Finding]:
        """How a wrapper's records differ from what used to be extracted."""
        return compare(self.usual, [wrapper.extract(page) for page in self.pages])

    def _is_sure(self, made: Candidate) -> bool:
        score = made.score
        return score.again == self.seen and score.usual == 0 and score.single

    def _directly(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """From the places that the records themselves suggest."""
        for wrapper_class in classes:
            for chosen, examples in islice(self._choices(), FIRST_CHOICES):
                yield from self._learned(wrapper_class, chosen, examples)

    def _corroborated(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """From the places on which the fields agree, of all pages together."""
        recognizers = recall(self.sightings, self.usual)
        pages = [one.page for one in self.sightings]
        for wrapper_class in classes:
            learner = _PinningLearner(self.sightings, wrapper_class)
            try:
                with budget.share(TIME):
                    made = learn_from_recognizers(pages, recognizers, learner=learner).wrapper
            except (NoConsistentWrapper, InputError, ExtractionError):
                continue
            made.evidence = learner.evidence
            yield self._scored(made, wrapper_class, learner.chosen)

    def _exhaustively(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """From all choices of examples, with the class that takes the least time."""
        for chosen, examples in islice(self._choices(), FIRST_CHOICES, None):
            yield from self._learned(classes[0], chosen, examples)

    def _refined(self, best: Candidate) -> Candidate:
        """The best wrapper, learned again together with pages that it failed on."""
        for _ in range(ROUNDS):
            if self._is_sure(best) or budget.spent():
                break
            used = {one.page.id for one in best.sightings}
            failed = [
                one
                for one in self.sightings
                if one.page.id not in used and _missed(best.wrapper, one)
            ]
            if not failed:
                break
            chosen = (*best.sightings, failed[0])
            examples = mark(chosen, whole=_are_single(chosen))
            learned = self._learned(best.wrapper_class, chosen, examples)
            better = max(learned, key=lambda one: one.score, default=best)
            if better.score <= best.score:
                break
            best = better
        return best

    def _learned(
        self, wrapper_class: str, chosen: Sequence[Sighting], examples: Sequence[Example]
    ) -> Iterator[Candidate]:
        if not examples:
            return
        try:
            with budget.share(TIME):
                made = learn(examples, wrapper_class=wrapper_class)
        except NoConsistentWrapper as error:
            self._failure = self._failure or error
            return
        yield self._scored(made, wrapper_class, tuple(chosen))

    def _scored(
        self, wrapper: Wrapper, wrapper_class: str, chosen: tuple[Sighting, ...]
    ) -> Candidate:
        return Candidate(wrapper, self.score(wrapper), wrapper_class, chosen)

    def score(self, wrapper: Wrapper) -> Score:
        """How good a wrapper is for the pages."""
        odd = sum(one.severity == "drift" for one in self.findings(wrapper))
        more = sum(
            max(0, len(wrapper.extract(one.page)) - len(one.records))
            for one in self.sightings
            if one.whole
        )
        single = self.several or wrapper.wrapper_class != Several.wrapper_class
        return Score(self.again(wrapper), -odd, single, -more)

    def _choices(self) -> Iterator[tuple[Sequence[Sighting], list[Example]]]:
        """All good pages together, then without one, then each alone; each whole, then in part."""
        chosen = self.sightings[:EXAMPLES]
        sizes = dict.fromkeys((len(chosen), len(chosen) - 1, 1))
        for size in sizes:
            for some in combinations(chosen, size) if size else ():
                for whole in (True, False) if any(one.whole for one in some) else (False,):
                    if examples := mark(some, whole=whole):
                        yield some, examples
                if runs := [run for one in mark(some, whole=False) if (run := crop(one))]:
                    yield some, runs


class _PinningLearner:
    """Learns from known records at the places that recognizers found for them."""

    def __init__(self, sightings: Iterable[Sighting], wrapper_class: str) -> None:
        self.sightings = {one.page.text: one for one in sightings}
        self.wrapper_class = wrapper_class
        self.chosen: tuple[Sighting, ...] = ()
        self.evidence: Evidence | None = None

    def __call__(self, examples: Sequence[Example]) -> Wrapper:
        pinned = [pin(self.sightings[one.page.text], one) for one in examples]
        told = _telling_first(one for one in pinned if one is not None)
        if not told:
            raise NoConsistentWrapper("the known records are not where recognizers find them")
        self.chosen = tuple(told[:EXAMPLES])
        examples = mark(self.chosen, whole=_are_single(self.chosen))
        made = learn(examples, wrapper_class=self.wrapper_class)
        self.evidence = made.evidence  # the other pages were not learned from
        return made


def _are_single(sightings: Iterable[Sighting]) -> bool:
    """Whether these are pages of one record each, and no lists, which may have grown since."""
    return all(len(one.records) == 1 for one in sightings)


def _telling_first(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Those with the most records first, and among the next each time one that adds most fields."""
    left = sorted(sightings, key=lambda one: -len(one.records))
    found: list[Sighting] = []
    known: set[str] = set()
    while left:
        best = max(left, key=lambda one: len(_fields(one) - known))
        if _fields(best) <= known:
            return [*found, *left]
        left.remove(best)
        found.append(best)
        known |= _fields(best)
    return found


def _fields(sighting: Sighting) -> set[str]:
    return {name for record in sighting.records for name, value in record.items() if value}


def _missed(wrapper: Wrapper, sighting: Sighting) -> list[dict[str, Any]]:
    """The known records of a page that a wrapper doesn't give."""
    given = [_flat(record.values) for record in _walk(wrapper.extract(sighting.page))]
    return [one for one in sighting.records if not any(_agrees(one, got) for got in given)]


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
