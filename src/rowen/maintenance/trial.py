"""Trials: wrappers for new pages are learned in several ways and compared with what is known.

Known records are marked where corroboration puts them; where nothing is ambiguous, those are their
only positions. Then they are marked where they occur one by one. Pages whose known records the best
wrapper misses are added to its examples.

    stages       corroborated     from the positions on which the fields agree, on all pages
                 direct           from a few pages, the records where they occur
                 exhaustive       from all choices of these pages
    each stage   the best candidate so far is refined: learned again with a page that it misses
    best         reproduces most known records; then fewest differences from before
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.learning.learn import learn
from rowen.learning.progress import report
from rowen.learning.recognizers.noisy import learn_from_recognizers
from rowen.maintenance.comparison import compare
from rowen.maintenance.drift_report import Finding
from rowen.maintenance.known_values import recognizers_of
from rowen.maintenance.occurrences import (
    RecordOccurrences,
    crop,
    pin_positions,
    to_examples,
)
from rowen.model import (
    ExtractionError,
    InputError,
    NoConsistentWrapper,
    Page,
    SearchCutShort,
    Warning,  # noqa: A004  # the design's word
)
from rowen.records import Example, Record
from rowen.records.record import CHILDREN
from rowen.text.character_references import decode
from rowen.wrappers.base import Wrapper
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.profile import Profile

EXAMPLES = 4
"""This many pages a wrapper is learned from at first; the others test it."""

FIRST_CHOICES = 2
"""This many choices of examples are tried in the direct stage."""

ROUNDS = 6
"""Limit: at most this often a page is added whose known records the best wrapper misses."""

TIME = 0.5
"""One attempt may take this share of the time that is left."""

_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """How good a wrapper is for the new pages; the larger the better."""

    reproduced: int
    """How many known records it reproduces."""
    usual: int
    """Less by one for each difference from what values used to look like."""
    single: bool
    """Whether it is one wrapper for all pages, where it was before. With wrong labels, each page
    looks like a template of its own."""
    few: int
    """Less by one for each other record on pages of which all are known."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A wrapper, and what it was learned from."""

    wrapper: Wrapper
    score: Score
    wrapper_class: str
    occurrences: tuple[RecordOccurrences, ...] = field(repr=False)


class Trial:
    """Tries wrappers on the pages on which known records occur."""

    def __init__(
        self,
        pages: Sequence[Page],
        occurrences: Sequence[RecordOccurrences],
        usual: Profile,
        *,
        several_templates: bool = False,
    ) -> None:
        """`several_templates` says that the site had several before."""
        self.pages = pages
        self.occurrences = _telling_first(occurrences)
        self.usual = usual
        self.several_templates = several_templates
        self.occurring = sum(len(page.records) for page in occurrences)
        """How many known records occur on the pages."""
        self._failure: NoConsistentWrapper | None = None

    def best(self, classes: Sequence[str]) -> Wrapper:
        """The wrapper that reproduces most known records; ties go to fewer differences."""
        best: Candidate | None = None
        try:
            for candidate in self._candidates(classes):
                if best is None or candidate.score > best.score:
                    best = candidate
                if self._is_sure(best) or budget.spent():
                    break
        except SearchCutShort as error:  # what was found by then must do
            self._failure = self._failure or error
        if best is None:
            raise self._failure or InputError(
                "the known records can't be located on the new pages without overlaps"
            )
        return best.wrapper

    def _candidates(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """Wrappers learned in one way after the other, the best of each stage refined."""
        best: Candidate | None = None
        for stage in (self._corroborated, self._directly, self._exhaustively):
            for candidate in stage(classes):
                yield candidate
                best = candidate if best is None or candidate.score > best.score else best
            if best is not None:
                best = self._refined(best)
                yield best

    def count_reproduced(self, wrapper: Wrapper) -> int:
        """How many of the known records on the pages a wrapper extracts."""
        return sum(len(page.records) - len(_missed(wrapper, page)) for page in self.occurrences)

    def unreproduced(self, wrapper: Wrapper) -> Iterator[Warning]:
        """The known records of each page that a wrapper does not extract."""
        for page in self.occurrences:
            for record in _missed(wrapper, page):
                value = next((text for texts in _as_lists(record).values() for text in texts), "")
                message = f"the known record with {value!r} is not found"
                yield Warning("record-missed", message, page.page.id)

    def findings(self, wrapper: Wrapper) -> list[Finding]:
        """How a wrapper's records differ from what used to be extracted."""
        return compare(self.usual, [wrapper.extract(page) for page in self.pages])

    def _is_sure(self, candidate: Candidate) -> bool:
        score = candidate.score
        return score.reproduced == self.occurring and score.usual == 0 and score.single

    def _directly(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """From the positions that the records themselves suggest."""
        for wrapper_class in classes:
            for chosen, examples in islice(self._choices(), FIRST_CHOICES):
                yield from self._learned(wrapper_class, chosen, examples)

    def _corroborated(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """From the positions on which the fields agree, of all pages together."""
        recognizers = recognizers_of(self.occurrences, self.usual)
        pages = [page.page for page in self.occurrences]
        for wrapper_class in classes:
            report(f"class {wrapper_class}, from corroborated values")
            learner = _PinningLearner(self.occurrences, wrapper_class)
            try:
                with budget.share(TIME):
                    wrapper = learn_from_recognizers(pages, recognizers, learner).wrapper
            except (NoConsistentWrapper, InputError, ExtractionError):
                continue
            wrapper.evidence = learner.evidence  # of the pages that it was learned from alone
            yield self._scored(wrapper, wrapper_class, learner.chosen)

    def _exhaustively(self, classes: Sequence[str]) -> Iterator[Candidate]:
        """From all choices of examples, with the first class only, which takes the least time."""
        for chosen, examples in islice(self._choices(), FIRST_CHOICES, None):
            yield from self._learned(classes[0], chosen, examples)

    def _refined(self, best: Candidate) -> Candidate:
        """The best wrapper, learned again together with pages of which it misses known records."""
        for _ in range(ROUNDS):
            if self._is_sure(best) or budget.spent():
                break
            used = {page.page.id for page in best.occurrences}
            failed = [
                page
                for page in self.occurrences
                if page.page.id not in used and _missed(best.wrapper, page)
            ]
            if not failed:
                break
            chosen = (*best.occurrences, failed[0])
            examples = to_examples(chosen, whole=_are_single(chosen))
            learned = self._learned(best.wrapper_class, chosen, examples)
            better = max(learned, key=lambda candidate: candidate.score, default=best)
            if better.score <= best.score:
                break
            best = better
        return best

    def _learned(
        self,
        wrapper_class: str,
        chosen: Sequence[RecordOccurrences],
        examples: Sequence[Example],
    ) -> Iterator[Candidate]:
        if not examples:
            return
        report(f"class {wrapper_class}, from known records of {len(examples)} pages")
        try:
            with budget.share(TIME):
                wrapper = learn(examples, wrapper_class=wrapper_class)
        except NoConsistentWrapper as error:
            self._failure = self._failure or error
            return
        yield self._scored(wrapper, wrapper_class, tuple(chosen))

    def _scored(
        self, wrapper: Wrapper, wrapper_class: str, chosen: tuple[RecordOccurrences, ...]
    ) -> Candidate:
        return Candidate(wrapper, self.score(wrapper), wrapper_class, chosen)

    def score(self, wrapper: Wrapper) -> Score:
        """How good a wrapper is for the pages."""
        drifts = sum(finding.severity == "drift" for finding in self.findings(wrapper))
        surplus = sum(
            max(0, len(wrapper.extract(page.page)) - len(page.records))
            for page in self.occurrences
            if page.whole
        )
        # A repair from wrong labels often ends in one wrapper per page: that must not win.
        single = self.several_templates or wrapper.wrapper_class != Mixture.wrapper_class
        return Score(self.count_reproduced(wrapper), -drifts, single, -surplus)

    def _choices(self) -> Iterator[tuple[Sequence[RecordOccurrences], list[Example]]]:
        """All good pages together, then without one, then each alone; each whole, then in part."""
        good = self.occurrences[:EXAMPLES]
        sizes = dict.fromkeys((len(good), len(good) - 1, 1))
        for size in sizes:
            for chosen in combinations(good, size) if size else ():
                for whole in (True, False) if any(page.whole for page in chosen) else (False,):
                    if examples := to_examples(chosen, whole=whole):
                        yield chosen, examples
                in_part = to_examples(chosen, whole=False)
                if runs := [run for example in in_part if (run := crop(example))]:
                    yield chosen, runs


class _PinningLearner:
    """Learns from known records at the positions that recognizers found for them."""

    def __init__(self, occurrences: Iterable[RecordOccurrences], wrapper_class: str) -> None:
        self.by_text = {page.page.text: page for page in occurrences}
        self.wrapper_class = wrapper_class
        self.chosen: tuple[RecordOccurrences, ...] = ()
        self.evidence: Evidence | None = None

    def __call__(self, examples: Sequence[Example]) -> Wrapper:
        pinned = [pin_positions(self.by_text[example.page.text], example) for example in examples]
        pages = _telling_first(page for page in pinned if page is not None)
        if not pages:
            raise NoConsistentWrapper("the recognizers find none of the known records")
        self.chosen = tuple(pages[:EXAMPLES])
        examples = to_examples(self.chosen, whole=_are_single(self.chosen))
        wrapper = learn(examples, wrapper_class=self.wrapper_class)
        self.evidence = wrapper.evidence  # the other pages were not learned from
        return wrapper


def _are_single(occurrences: Iterable[RecordOccurrences]) -> bool:
    """Whether these are pages of one record each, and no lists, which may have grown since."""
    return all(len(page.records) == 1 for page in occurrences)


def _telling_first(occurrences: Iterable[RecordOccurrences]) -> list[RecordOccurrences]:
    """Pages with the most records first; as long as fields are new, the one that adds most."""
    left = sorted(occurrences, key=lambda page: -len(page.records))
    ordered: list[RecordOccurrences] = []
    covered: set[str] = set()
    while left:
        best = max(left, key=lambda page: len(_fields(page) - covered))
        if _fields(best) <= covered:
            return [*ordered, *left]
        left.remove(best)
        ordered.append(best)
        covered |= _fields(best)
    return ordered


def _fields(occurrences: RecordOccurrences) -> set[str]:
    return {name for record in occurrences.records for name, value in record.items() if value}


def _missed(wrapper: Wrapper, occurrences: RecordOccurrences) -> list[dict[str, Any]]:
    """The known records of a page that a wrapper does not extract."""
    # Known values are texts, whatever the types of the fields.
    extracted = [
        _as_lists(record.with_schema(None).values)
        for record in _walk(wrapper.extract(occurrences.page))
    ]
    return [
        known
        for known in occurrences.records
        if not any(_agrees(known, values) for values in extracted)
    ]


def _walk(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        yield record
        yield from _walk(record.children)


def _agrees(known: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Whether a record has all known values, white space and references aside."""
    own = {name: value for name, value in known.items() if name != CHILDREN}
    return all(values.get(name) == texts for name, texts in _as_lists(own).items())


def _as_lists(values: Mapping[str, Any]) -> dict[str, list[str]]:
    return {
        name: [plain(text) for text in ([value] if isinstance(value, str) else value or ())]
        for name, value in values.items()
    }


def plain(value: str) -> str:
    """A value as its reader sees it."""
    return " ".join(decode(_TAG.sub("", value)).text.split())
