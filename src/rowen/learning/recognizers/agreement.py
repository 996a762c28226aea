"""Anchors where no recognizer is perfect: by the delimiters on which a field's instances agree.

The thesis takes a perfect recognizer for granted (assumption 6.1), which separates records. If all
recognizers err, the instances of a field still have something in common that mistakes have not:
the text before and after them. Pairs of delimiters are tried, and what is between the best pair
takes the place of the instances.

    page        <b>Congo</b> 242 <b>Egypt</b> 20 <b>Peru</b> 51 <u>Next</u>
    instances   Congo, Egypt, Next, 242                    country, wrongly
    <b> </b>    finds 3, of which 2 are instances: recall 2/4, precision 2/3
    instead     Congo, Egypt, Peru
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rowen.induction import budget
from rowen.learning.recognizers.recognizer import CONTEXT, INSTANCES, Instances
from rowen.model import Page
from rowen.records.positions import Position

CUTS = 8
"""So many places before a value, and after it, are tried as the outer end of a delimiter."""

PAIRS = 100
"""So many pairs of delimiters are tried on the pages: those that the most values have."""

LONGER = 4
"""What is between two delimiters may be so many times as long as the longest instance."""

WORTHY = 0.25
"""Instances agree so little by chance (as F1): then they are left as they are."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two delimiters find on the pages, and how well that agrees with the instances."""

    score: float
    """F1 of the values that it finds: an instance with two places is one value."""
    left: str
    right: str
    places: tuple[tuple[Position, ...], ...]
    """On each page."""


def agreement(pages: Sequence[tuple[Page, Instances]]) -> Agreement | None:
    """The pair of delimiters that agrees best with a field's instances; None if none is worth it.

    `pages` are those that recognizers have seen, whether they found something there or not.
    """
    occurring = [_by_value(page, instances.possible) for page, instances in pages]
    total = sum(map(len, occurring))
    if not total:
        return None
    longest = max(end - start for page in occurring for at in page.values() for start, end in at)
    votes: Counter[tuple[str, str]] = Counter()
    for (page, _), values in zip(pages, occurring, strict=True):
        for positions in values.values():
            # One vote for each value, however often it is on the page.
            votes.update({pair for at in positions for pair in _pairs(page.text, at)})
    best: Agreement | None = None
    ranked = sorted(votes.items(), key=lambda item: (-item[1], -len("".join(item[0])), item[0]))
    for (left, right), _ in ranked[:PAIRS]:
        budget.check()
        found = [_between(page.text, left, right, longest * LONGER) for page, _ in pages]
        matches = sum(map(len, found))
        if not matches:
            continue
        hits = reached = 0
        for places, values in zip(found, occurring, strict=True):
            of = {at: value for value, positions in values.items() for at in positions}
            hits += sum(at in of for at in places)
            reached += len({of[at] for at in places if at in of})
        recall, precision = reached / total, hits / matches
        score = 2 * recall * precision / (recall + precision) if hits else 0.0
        # Of equals the shortest: it is more likely to find what was missed.
        if best is None or score >= best.score:
            best = Agreement(score, left, right, tuple(map(tuple, found)))
    return best if best is not None and best.score >= WORTHY else None


def _by_value(page: Page, positions: frozenset[Position]) -> Mapping[str, list[Position]]:
    values: dict[str, list[Position]] = {}
    for at in sorted(positions):
        values.setdefault(page.text[slice(*at)], []).append(at)
    return values


def _pairs(text: str, at: Position) -> Iterator[tuple[str, str]]:
    rights = list(_after(text, at[1]))
    for left in _before(text, at[0]):
        yield from ((left, right) for right in rights)


def _before(text: str, end: int) -> Iterator[str]:
    """Texts before a value that begin with a tag or a word, the shortest first."""
    cuts = 0
    for start in range(end - 1, max(-1, end - CONTEXT - 1), -1):
        if _begins(text, start):
            yield text[start:end]
            cuts += 1
            if cuts == CUTS:
                return


def _after(text: str, start: int) -> Iterator[str]:
    """Texts after a value that end with a tag or a word, the shortest first."""
    cuts = 0
    for end in range(start + 1, min(len(text), start + CONTEXT) + 1):
        if end == len(text) or text[end - 1] == ">" or _begins(text, end):
            yield text[start:end]
            cuts += 1
            if cuts == CUTS:
                return


def _begins(text: str, at: int) -> bool:
    """Whether a tag or a word begins there."""
    return text[at] == "<" or (
        not text[at].isspace() and (at == 0 or text[at - 1].isspace() or text[at - 1] == ">")
    )


def _between(text: str, left: str, right: str, longest: int) -> list[Position]:
    """What is between the delimiters, each value after the one before it."""
    places: list[Position] = []
    at = text.find(left)
    while at >= 0 and len(places) < INSTANCES:
        start = at + len(left)
        end = text.find(right, start + 1, start + longest + len(right))
        if end >= 0 and left not in text[start:end]:
            places.append((start, end))
            at = text.find(left, end)
        else:
            at = text.find(left, at + 1)
    return places
