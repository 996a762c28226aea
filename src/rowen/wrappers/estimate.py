"""An estimate of how often a wrapper is right, from examples that took no part in learning.

Beside the guarantee of the PAC model, which assumes the worst of sites, this is what the examples
themselves say: each is left out in turn, and everything is learned anew from the others alone, as
if it had never been marked: where texts stand, the class, the kinds of rules, the landmarks. Then
the wrapper is tried on it. The score by which `auto` chooses a class is no estimate: all examples
took part in that choice.

It is an estimate, with an interval that is wide as long as there are few examples, and no
guarantee: the other pages may be unlike these, and what all marked pages share by chance it can't
see.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

from rowen.documents.references import decode
from rowen.limits import LEFT_OUT
from rowen.model import (
    Example,
    ExtractorError,
    LabelError,
    NoConsistentWrapper,
    Page,
    Record,
    SearchCutShort,
    Span,
)
from rowen.model.record import CHILDREN
from rowen.wrappers import budget
from rowen.wrappers.base import Wrapper
from rowen.wrappers.learn import learn

Learner: TypeAlias = Callable[[Sequence[Example]], Wrapper]

NORMAL = 1.959964
"""So many standard deviations hold 95 of 100."""

UNITS = ("pages", "records")

METHOD = "leave-one-out"
"""How an estimate was made, as it is saved: those of versions without it were too good."""

_TAG = re.compile(r"<[^<>]*>")


class Marked(NamedTuple):
    """A page with its label as it was given: texts are not yet looked up on it."""

    page: Page
    records: Sequence[Mapping[str, object] | Record]
    partial: bool

    @classmethod
    def of(cls, example: Example) -> Self:
        """What was given for an example."""
        return cls(example.page, example.given or example.records, example.partial)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many of the pages (or records) that were left out came out right in every value."""

    right: int
    tried: int
    unit: str
    """`pages`, or `records` where there is only one page."""

    @property
    def share(self) -> float:
        """Which share of them."""
        return self.right / self.tried

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval: where the share of all pages lies with a probability of 95%, if the
        examples were drawn from them by chance.
        """
        squared = NORMAL * NORMAL / self.tried
        middle = self.share + squared / 2
        spread = NORMAL * math.sqrt((self.share * (1 - self.share) + squared / 4) / self.tried)
        low, high = (middle - spread) / (1 + squared), (middle + spread) / (1 + squared)
        return max(0.0, min(low, self.share)), min(1.0, max(high, self.share))

    def to_dict(self) -> dict[str, Any]:
        """The estimate as it is saved with a wrapper."""
        return {"right": self.right, "tried": self.tried, "unit": self.unit, "method": METHOD}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self | None:
        """The estimate that was saved; an `ExtractorError` where it is none.

        None where it was made by a method in which the left-out examples took part (0.1).
        """
        counts = (saved.get("right"), saved.get("tried"))
        right, tried = (one if type(one) is int else -1 for one in counts)
        keys = saved.keys() - {"method"}
        if keys != {"right", "tried", "unit"} or saved["unit"] not in UNITS:
            raise ExtractorError("'estimate' has 'right', 'tried' and a 'unit', pages or records")
        if not 0 <= right <= tried or not tried:
            raise ExtractorError(f"'estimate' can't be {counts[0]!r} of {counts[1]!r}")
        return cls(right, tried, saved["unit"]) if saved.get("method") == METHOD else None

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.right} of {self.tried} {self.unit} that were left out came out right "
            f"({self.share:.0%}; 95% interval {low:.0%} to {high:.0%})"
        )


def leave_one_out(
    examples: Sequence[Example | Marked],
    wrapper_class: str = "auto",
    *,
    learner: Learner | None = None,
) -> Estimate | None:
    """Learn from all examples but one, try the one, and so on; None where nothing can be left out.

    On a single page its records are left out: each is to be found by what those before it teach.
    When the time is over, what was tried by then counts; a search that was cut short does not.
    """
    if learner is None:

        def learner(rest: Sequence[Example]) -> Wrapper:
            return learn(rest, wrapper_class)

    marked = [Marked.of(one) if isinstance(one, Example) else one for one in examples]
    right = tried = 0
    for rest, left_out in _folds(marked):
        if budget.spent():
            break
        try:
            wrapper = learner(_examples(rest))
            if wrapper.evidence is not None and wrapper.evidence.cut_short:
                continue
            right += is_right(wrapper, left_out)
        except SearchCutShort:
            continue
        except (NoConsistentWrapper, LabelError):
            pass
        tried += 1
    return Estimate(right, tried, UNITS[len(marked) == 1]) if tried else None


def _examples(marked: Sequence[Marked]) -> list[Example]:
    """The examples, with texts where these pages alone say that they stand."""
    if not any(_has_text(one.records) for one in marked):
        return [Example(*one) for one in marked]
    from rowen.wrappers.placing.placement import place

    return place(marked)


def _has_text(given: object) -> bool:
    if isinstance(given, Mapping):
        return any(map(_has_text, given.values()))
    if isinstance(given, list | tuple):
        return any(map(_has_text, given))
    return isinstance(given, str)


def _folds(marked: Sequence[Marked]) -> Iterator[tuple[list[Marked], Marked]]:
    if len(marked) > 1:
        for number in _spread(len(marked)):
            rest = [one for place, one in enumerate(marked) if place != number]
            if any(one.records for one in rest):
                yield rest, marked[number]
        return
    for page, records, _ in marked:
        for place in _spread(len(records) - 1):
            known, left_out = records[: place + 1], records[place + 1]
            yield [Marked(page, known, partial=True)], Marked(page, [left_out], partial=True)


def _spread(count: int) -> list[int]:
    """At most so many numbers below `count` as are tried, evenly spread."""
    tried = min(count, LEFT_OUT)
    return [number * count // tried for number in range(tried)]


def is_right(wrapper: Wrapper, marked: Marked) -> bool:
    """Whether all known values come out, and no others unless there may be more records.

    A value that was given as a text is right where it says that text, wherever it stands: nobody
    said where, and to look for it would take the other examples.
    """
    return _are_right(marked.records, wrapper.extract(marked.page), partial=marked.partial)


def _are_right(given: object, found: Sequence[Record], *, partial: bool) -> bool:
    wanted = [_as_mapping(one) for one in given] if isinstance(given, list | tuple) else []
    if partial:
        return all(any(_is_right(one, record, partial=True) for record in found) for one in wanted)
    return len(found) == len(wanted) and all(
        _is_right(one, record, partial=False) for one, record in zip(wanted, found, strict=True)
    )


def _as_mapping(given: object) -> Mapping[str, object]:
    if isinstance(given, Record):
        return {**given.spans, CHILDREN: given.children}
    assert isinstance(given, Mapping)
    return given


def _is_right(wanted: Mapping[str, object], found: Record, *, partial: bool) -> bool:
    has = dict(found.items())
    text = found.page.text
    for name, given in wanted.items():
        if name != CHILDREN and not _says(has.get(name, ()), _values(given), text):
            return False
    return _are_right(wanted.get(CHILDREN, ()), found.children, partial=partial)


def _values(given: object) -> list[object]:
    """The values that were given for a field, each a text or a span."""
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, list | tuple):
        return [given]
    pair = len(given) == 2 and not any(isinstance(one, str | list | tuple) for one in given)
    return [given] if pair else list(given)


def _says(spans: Sequence[Span], wanted: Sequence[object], text: str) -> bool:
    """Whether these are the values that are wanted, in any order."""
    left = list(spans)
    for value in wanted:
        same = next((one for one in left if _is_value(one, value, text)), None)
        if same is None:
            return False
        left.remove(same)
    return not left


def _is_value(span: Span, wanted: object, text: str) -> bool:
    if not isinstance(wanted, str):
        return isinstance(wanted, list | tuple) and tuple(span) == tuple(wanted)
    value = span.of(text)
    return value == wanted or _plain(wanted) in (_plain(value), _plain(_TAG.sub("", value)))


def _plain(value: str) -> str:
    """A value as its reader sees it."""
    return " ".join(decode(value).text.split())
