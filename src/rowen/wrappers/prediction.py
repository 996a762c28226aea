"""How well what is learned predicts examples that were left out: `auto` chooses by it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rowen.model import Example, NoConsistentWrapper, SearchCutShort
from rowen.wrappers.base import Wrapper
from rowen.wrappers.estimate import Estimate, Learner, estimated, is_right
from rowen.wrappers.token.learning import values

FOLDS = 4
"""So many examples are left out in turn; more cost time and change nothing."""


class Prediction(NamedTuple):
    """F1 of the values of examples that were left out, of all together and of each field."""

    score: float
    fields: dict[str, float]
    estimate: Estimate | None
    """How many of them came out right as a whole."""


def predict(learner: Learner, examples: Sequence[Example]) -> Prediction:
    """Each example by what the others teach; on a single page the last record."""
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    whole = tried = 0
    for rest, left_out in _folds(examples):
        wrapper = attempt(learner, rest)
        wants = values(left_out.records)
        wanted.update(name for name, *_ in wants)
        tried += not isinstance(wrapper, SearchCutShort)
        if isinstance(wrapper, Wrapper):
            whole += is_right(wrapper, left_out)
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
    return Prediction(score, fields, estimated(whole, tried, examples))


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
