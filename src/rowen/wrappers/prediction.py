"""How well what is learned predicts examples that were left out: `auto` chooses by it.

All examples take part in that choice, so the score of what was chosen is too good to be an estimate
of how often it is right (`rowen.wrappers.estimate`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rowen.model import Example, NoConsistentWrapper
from rowen.wrappers.base import Wrapper
from rowen.wrappers.estimate import Learner
from rowen.wrappers.token.learning import values

FOLDS = 4
"""So many examples are left out in turn; more cost time and change nothing."""


class Prediction(NamedTuple):
    """F1 of the values of examples that were left out, of all together and of each field."""

    score: float
    fields: dict[str, float]


def predict(learner: Learner, examples: Sequence[Example]) -> Prediction:
    """Each example by what the others teach; on a single page the last record."""
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for rest, left_out in _folds(examples):
        wrapper = attempt(learner, rest)
        wants = values(left_out.records)
        wanted.update(name for name, *_ in wants)
        if isinstance(wrapper, Wrapper):
            gives = values(wrapper.extract(left_out.page))
            if left_out.partial:  # other records may be there too
                gives &= wants
            right.update(name for name, *_ in wants & gives)
            found.update(name for name, *_ in gives)
    fields = {
        name: 2 * right[name] / (found[name] + wanted[name]) for name in sorted(found | wanted)
    }
    every = found.total() + wanted.total()
    score = 2 * right.total() / every if every else 0.0
    return Prediction(score, fields)


def attempt(learner: Learner, examples: Sequence[Example]) -> Wrapper | NoConsistentWrapper:
    """What a learner makes of examples, or why it makes nothing."""
    try:
        return learner(examples)
    except NoConsistentWrapper as error:
        return error


def _folds(examples: Sequence[Example]) -> Iterator[tuple[list[Example], Example]]:
    if len(examples) > 1:
        for number in range(min(len(examples), FOLDS)):
            rest = [one for place, one in enumerate(examples) if place != number]
            if any(one.records for one in rest):
                yield rest, examples[number]
        return
    (only,) = examples
    if len(only.records) > 1:
        *before, last = only.records
        yield [Example(only.page, before, partial=True)], Example(only.page, [last], partial=True)
