"""Election: the rules of a field in the order in which unlabelled pages vote for them.

All candidates reproduce the marks, or find nothing on a marked page. The first rule is the one
whose values on the unlabelled pages look most like the marked ones. Each further one is chosen for
the pages on which those before it find nothing.

    candidates     page 1   page 2   page 3      the sum above `ALIKE`
    <div> <span>    1.0      0.6      0.6         0.25 - 0.15 - 0.15
    Add             1.0      1.0       -          0.25 + 0.25              the first rule
    class=now        -        -       1.0         0.25                     the second, for page 3
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from rowen.landmarks.line_breaks import are_lines, lines_of
from rowen.landmarks.reading import is_sound, labels_of, read_values
from rowen.landmarks.sample import Sample
from rowen.landmarks.siblings import are_siblings
from rowen.landmarks.tails import tailed
from rowen.landmarks.votes import Place, Votes
from rowen.model.suggestion import Suggestion
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Rule

MOST = 4
"""Limit: a field has at most this many rules that follow each other."""

ALIKE = 0.75
"""What looks less like the marked values than this is probably something else."""

ENOUGH = 0.6
"""Further rules have to find values that look this much like the marked ones, on average: a wrong
value is worse than none, but not by much."""

PRICE = 0.002
"""A rule that costs 1 more has to be worth this much more on each page."""

TAIL = 1.0
"""A rule that cuts off what follows a value on no marked page counts as this much dearer."""


SHOWN = 40
"""So many characters of a value are shown in a message."""

CLOSE = 0.03
"""A candidate whose votes are worth less than the best one's by no more than this on each page may
be meant as well."""


class Candidate(NamedTuple):
    """Rules that are tried together, and their price."""

    price: float
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Elected:
    """The rules of a field in their order, and whether it may have several values."""

    rules: list[Rule]
    several: bool
    tie: Suggestion | None = None
    """A place where another candidate that is about as good finds something else."""


@dataclass(frozen=True)
class Election:
    """The votes on the rules of one field."""

    sample: Sample
    name: str
    votes: Votes
    several: bool
    _known: dict[tuple[Rule, ...], dict[int, float]] = field(default_factory=dict)

    def elect(self, chosen: Sequence[Rule], others: Iterable[tuple[float, Rule]]) -> Elected:
        """The best of the rules chosen without votes and of others, with their prices."""
        first = Candidate(0.0, tuple(chosen))
        candidates = [first, *(Candidate(price, (rule,)) for price, rule in others)]
        if not self.several:
            candidates += [tail for each in candidates for tail in self._tailed(each)]
        ordered = self._order(candidates)
        several = self.several
        listing = None if several else self._listing(ordered, candidates) or self._lines(ordered)
        if listing is not None:
            ordered = [listing, *(each for each in ordered if each != listing)]
            several = True
        # It reproduces all marks, while others may find nothing on a marked page.
        if first not in ordered:
            ordered.append(first)
        rules = _as_alternatives(ordered)
        return Elected(rules, several, None if several else self._tie(rules, candidates))

    def _tie(self, rules: Sequence[Rule], candidates: Sequence[Candidate]) -> Suggestion | None:
        """Where a candidate that is about as good as the elected rules disagrees with them.

        It is the place whose value looks most like the marked ones.
        """
        own = self._scores(rules)
        found = [read_values(voter, rules, several=False) for voter in self.votes.voters]
        best: tuple[float, int, tuple[int, int]] | None = None
        for candidate in candidates:
            scores = self._scores(candidate.rules)
            # Rules that find something on fewer pages are no rivals, but parts of an alternative.
            if not scores or scores.keys() != own.keys():
                continue
            if sum(scores.values()) < sum(own.values()) - CLOSE * len(own):
                continue
            for number, score in scores.items():
                voter = self.votes.voters[number]
                (value,) = read_values(voter, candidate.rules, several=False)[:1]
                is_other = found[number] and not _overlap(value, found[number][0])
                if is_other and score >= ALIKE and (best is None or score > best[0]):
                    best = score, number, value
        return None if best is None else self._suggestion(best[1], found[best[1]][0], best[2])

    def _suggestion(self, number: int, own: tuple[int, int], other: tuple[int, int]) -> Suggestion:
        text = self.votes.voters[number].text
        texts = [_short(text[slice(*each)]) for each in (own, other)]
        message = (
            f"mark its {self.name}: {texts[0]!r} is found, but a rule that fits the marks as well "
            f"finds {texts[1]!r}"
        )
        return Suggestion(self.votes.names[number], *own, message, self.name)

    def _order(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The best candidates; fewer than there may be where others find nothing alike."""
        scores = [self._scores(candidate.rules) for candidate in candidates]
        waiting = list(range(len(candidates)))
        open_pages = set(range(len(self.votes.voters)))
        ordered: list[Candidate] = []
        while waiting and len(ordered) < MOST:
            gains = {
                number: sum(scores[number].get(page, ALIKE) - ALIKE for page in open_pages)
                - PRICE * candidates[number].price * len(open_pages)
                for number in waiting
            }
            best = max(waiting, key=gains.__getitem__)
            covered = open_pages & scores[best].keys()
            if ordered and sum(scores[best][page] for page in covered) <= ENOUGH * len(covered):
                break
            ordered.append(candidates[best])
            waiting.remove(best)
            open_pages -= covered
        return ordered

    def _scores(self, rules: Sequence[Rule]) -> dict[int, float]:
        """How much the values that rules find look like the marked ones, by number of voter."""
        key = tuple(rules)
        if key not in self._known:
            self._known[key] = {
                number: self.votes.likeness(voter, values, self._marked)
                for number, voter in enumerate(self.votes.voters)
                if (values := read_values(voter, rules, several=self.several))
            }
        return self._known[key]

    def _tailed(self, candidate: Candidate) -> Iterator[Candidate]:
        """The candidate without what follows its values on unlabelled pages only."""
        if len(candidate.rules) > 1:
            return
        texts = [text for place in self._marked if (text := place.text)]
        for rule in tailed(self.votes.voters, candidate.rules[0], texts):
            if is_sound(rule, self.sample, self._labels, several=False):
                yield Candidate(candidate.price + TAIL, (rule,))

    def _listing(
        self, ordered: Sequence[Candidate], candidates: Sequence[Candidate]
    ) -> Candidate | None:
        """A candidate that finds lists of values on some pages, which begin with the elected ones.

        Each item of such a list is a value and nothing else.
        """
        rules = _as_alternatives(ordered)
        single = [read_values(voter, rules, several=False) for voter in self.votes.voters]
        for candidate in candidates:
            (rule, *more) = candidate.rules
            if rule.container is None or more or rule.take != "all":
                continue
            lists = False
            for voter, values in zip(self.votes.voters, single, strict=True):
                items = read_values(voter, [rule], several=True)
                if items[:1] != values[:1]:
                    break
                if len(items) > len(values):
                    if not (are_siblings(voter, items) and self._are_alike(voter, items)):
                        break
                    lists = True
            else:
                if lists and is_sound(rule, self.sample, self._labels, several=True):
                    return candidate
        return None

    def _lines(self, ordered: Sequence[Candidate]) -> Candidate | None:
        """Rules for each line of the elected values, if on other pages these have several lines.

        A value with line breaks is several values where each of its lines looks like the marked
        ones, which have none.
        """
        lined = lines_of(ordered[0].rules)
        if lined is None or any("<" in place.text for place in self._marked):
            return None
        found = False
        for voter in self.votes.voters:
            single = read_values(voter, ordered[0].rules, several=False)
            items = read_values(voter, lined, several=True)
            if not single or "<" not in voter.text[slice(*single[0])]:
                continue
            if not are_lines(voter.text, single[0], items) or not self._are_alike(voter, items):
                return None
            found = True
        if not found or not all(
            is_sound(rule, self.sample, self._labels, several=True) for rule in lined
        ):
            return None
        return Candidate(ordered[0].price, lined)

    def _are_alike(self, voter: Outline, items: Sequence[tuple[int, int]]) -> bool:
        # The first and the last item have other neighbours: only the values can be alike.
        return all(self.votes.kinship(voter, item, self._marked) >= ALIKE for item in items)

    @cached_property
    def _marked(self) -> list[Place]:
        believed = self.sample.believed(self.name)
        return self.votes.marked([each for of_record in believed for each in of_record])

    @cached_property
    def _labels(self) -> list[tuple[tuple[int, int], ...] | None]:
        return labels_of(self.sample, self.name)


def _as_alternatives(ordered: Sequence[Candidate]) -> list[Rule]:
    """The rules in their order, each tried only where those before it find nothing."""
    rules: list[Rule] = []
    for number, candidate in enumerate(ordered):
        rules += [replace(rule, otherwise=number > 0) for rule in candidate.rules]
    return rules


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= SHOWN else plain[: SHOWN - 3] + "..."


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[1] and second[0] < first[1]
