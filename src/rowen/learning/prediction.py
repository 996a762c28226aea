"""How well a learner predicts examples that were left out: `auto` chooses by it.

All examples take part in that choice, so the score of what was chosen is too good to be an estimate
of how often it is right (`rowen.learning.estimate`).

    label of the page left out    Congo 242, Egypt 20       extracted    Congo 242, Egypt --
    right 3, given back 3, expected 4                       F1 = 2 * 3 / (3 + 4) = 0.86
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rowen.landmarks.learn import values
from rowen.learning.classes import Learner
from rowen.learning.data.relabelling import in_data
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.wrappers.base import Wrapper

FOLDS = 4
"""This many examples are left out in turn. More cost time and change nothing."""


class Prediction(NamedTuple):
    """F1 of the values of examples that were left out, in all and for each field."""

    score: float
    fields: dict[str, float]


def predict(learner: Learner, examples: Sequence[Example]) -> Prediction:
    """Predict each example from the others; on a single page, the last record."""
    right, given_back, expected = Counter[str](), Counter[str](), Counter[str]()
    for training, left_out in _folds(examples):
        wrapper = attempt(learner, training)
        if isinstance(wrapper, Wrapper):
            (left_out,) = in_data(wrapper, [left_out])  # noqa: PLW2901  # the same, elsewhere
        wants = values(left_out.records)
        expected.update(name for name, *_ in wants)
        if isinstance(wrapper, Wrapper):
            gives = values(wrapper.extract(left_out.page))
            if left_out.partial:  # there may be other records
                gives &= wants
            right.update(name for name, *_ in wants & gives)
            given_back.update(name for name, *_ in gives)
    fields = {
        name: 2 * right[name] / (given_back[name] + expected[name])
        for name in sorted(given_back | expected)
    }
    total = given_back.total() + expected.total()
    score = 2 * right.total() / total if total else 0.0
    return Prediction(score, fields)


def attempt(learner: Learner, examples: Sequence[Example]) -> Wrapper | NoConsistentWrapper:
    """What a learner learns from examples, or why it fails."""
    try:
        return learner(examples)
    except NoConsistentWrapper as error:
        return error


def _folds(examples: Sequence[Example]) -> Iterator[tuple[list[Example], Example]]:
    if len(examples) > 1:
        for number in range(min(len(examples), FOLDS)):
            training = [example for place, example in enumerate(examples) if place != number]
            if any(example.records for example in training):
                yield training, examples[number]
        return
    (only,) = examples
    if len(only.records) > 1:
        *before, last = only.records
        # From the first records to the last one, as a person marks a page from the top.
        yield [Example(only.page, before, partial=True)], Example(only.page, [last], partial=True)


@dataclass(frozen=True, slots=True)
class Scores:
    """What speaks for each class, by its name."""

    predictions: Mapping[str, float]
    """F1 of what was left out."""
    could_leave_out: bool = True
    """Whether there was anything to leave out: not from a single record."""
    single: bool = False
    """Whether each page is one record."""
    votes: Mapping[str, float] = field(default_factory=dict)
    """The share of the unlabelled pages with a whole record; empty without such pages."""
    support: Mapping[str, float] = field(default_factory=dict)
    """How many records look like the marked ones; empty where pages are marked in full."""

    def words(self, best: str) -> str:
        """Why the best class was chosen."""
        parts = []
        if self.could_leave_out:
            listed = ", ".join(f"{name} {score:.2f}" for name, score in self.predictions.items())
            parts.append(f"by how well it predicts examples left out (F1): {listed}")
        else:
            parts.append(
                "from a single record, so that nothing could be left out to try it: "
                + (
                    "other pages are only as sure as they are like this one"
                    if self.single
                    else "its other records are only as sure as the page is regular"
                )
            )
        if self.support:
            listed = ", ".join(f"{name} {count:.0f}" for name, count in self.support.items())
            parts.append(f"records like the marked ones: {listed}")
        if self.votes:
            shares = ", ".join(f"{name} {share:.0%}" for name, share in self.votes.items())
            parts.append(f"whole records on unlabelled pages: {shares}")
        return f"class {best}, " + "; ".join(parts)
