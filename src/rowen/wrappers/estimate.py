"""An estimate of how often a wrapper is right, from examples that were left out.

Beside the guarantee of the PAC model, which assumes the worst of sites, this is what the examples
themselves say: each is left out in turn, and the wrapper that the others give is tried on it. It is
an estimate, with an interval that is wide as long as there are few examples, and no guarantee: the
other pages may be unlike these.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from rowen.limits import LEFT_OUT
from rowen.model import Example, ExtractorError, NoConsistentWrapper, SearchCutShort
from rowen.wrappers import budget
from rowen.wrappers.base import Wrapper
from rowen.wrappers.learn import learn

Learner: TypeAlias = Callable[[Sequence[Example]], Wrapper]

NORMAL = 1.959964
"""So many standard deviations hold 95 of 100."""

UNITS = ("pages", "records")


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
        return {"right": self.right, "tried": self.tried, "unit": self.unit}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Self:
        """The estimate that was saved; an `ExtractorError` where it is none."""
        counts = (saved.get("right"), saved.get("tried"))
        right, tried = (one if type(one) is int else -1 for one in counts)
        if saved.keys() != {"right", "tried", "unit"} or saved["unit"] not in UNITS:
            raise ExtractorError("'estimate' has 'right', 'tried' and a 'unit', pages or records")
        if not 0 <= right <= tried or not tried:
            raise ExtractorError(f"'estimate' can't be {counts[0]!r} of {counts[1]!r}")
        return cls(right, tried, saved["unit"])

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.right} of {self.tried} {self.unit} that were left out came out right "
            f"({self.share:.0%}; 95% interval {low:.0%} to {high:.0%})"
        )


def leave_one_out(
    examples: Sequence[Example], wrapper_class: str = "auto", *, learner: Learner | None = None
) -> Estimate | None:
    """Learn from all examples but one, try the one, and so on; None where nothing can be left out.

    On a single page its records are left out: each is to be found by what those before it teach.
    When the time is over, what was tried by then counts.
    """
    if learner is None:

        def learner(rest: Sequence[Example]) -> Wrapper:
            return learn(rest, wrapper_class)

    right = tried = 0
    for rest, left_out in _folds(examples):
        if budget.spent():
            break
        try:
            right += is_right(learner(rest), left_out)
        except SearchCutShort:
            continue
        except NoConsistentWrapper:
            pass
        tried += 1
    return estimated(right, tried, examples)


def estimated(right: int, tried: int, examples: Sequence[Example]) -> Estimate | None:
    """The estimate that so many right ones of those that were left out make, if any were."""
    return Estimate(right, tried, UNITS[len(examples) == 1]) if tried else None


def _folds(examples: Sequence[Example]) -> Iterator[tuple[list[Example], Example]]:
    if len(examples) > 1:
        for number in _spread(len(examples)):
            rest = [one for place, one in enumerate(examples) if place != number]
            if any(one.records for one in rest):
                yield rest, examples[number]
        return
    for only in examples:
        for place in _spread(len(only.records) - 1):
            known, left_out = only.records[: place + 1], only.records[place + 1]
            yield (
                [Example(only.page, known, partial=True)],
                Example(only.page, [left_out], partial=True),
            )


def _spread(count: int) -> list[int]:
    """At most so many numbers below `count` as are tried, evenly spread."""
    tried = min(count, LEFT_OUT)
    return [number * count // tried for number in range(tried)]


def is_right(wrapper: Wrapper, example: Example) -> bool:
    """Whether all known values come out, and no others unless there may be more records."""
    found = [dict(one.items()) for one in wrapper.extract(example.page)]
    wanted = [dict(one.items()) for one in example.records]
    if example.partial:
        return all(any(_agree(one, other) for other in found) for one in wanted)
    return len(found) == len(wanted) and all(map(_agree, wanted, found))


def _agree(wanted: Mapping[str, object], found: Mapping[str, object]) -> bool:
    return all(found.get(name, ()) == spans for name, spans in wanted.items())
