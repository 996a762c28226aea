"""Lists of which some records are marked: what else is a record is not said.

A record left out says little about the others. So classes are compared by how many records they
find that look like the marked ones, and what was learned from fewer marks competes with what was
learned from all.
"""

from collections.abc import Mapping, Sequence

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.landmarks.learn import values
from rowen.learning.classes import learner_of
from rowen.learning.data.relabelling import in_data
from rowen.learning.likeness import support_of
from rowen.learning.prediction import Scores, attempt
from rowen.model import Page
from rowen.records import Example
from rowen.wrappers.base import Wrapper
from rowen.wrappers.region.wrapper import Region

SUPPORTED = 0.25
"""A class that finds less than this share of the records like the marked ones is not meant."""

DOUBTED = 6
"""Limit: at most this many marked records are left out in turn where they contradict each other."""

VOTERS = 20
"""Limit: at most this many unlabelled pages are asked which wrapper finds records on them."""

AGREED = 0.8
"""What was learned without one of the marks has to reproduce this share of their values."""

HALF = 0.5
"""What fits all marks has to find this share of the records that regions from fewer marks find."""


def support_by_class(
    wrappers: Mapping[str, Wrapper], examples: Sequence[Example], pages: Sequence[Page]
) -> Mapping[str, float]:
    """How many records of each class look like the marked ones, where lists are marked in part."""
    if len(wrappers) == 1 or not any(example.partial for example in examples):
        return {}
    return {
        name: max(support_of(wrapper, in_data(wrapper, examples), pages[:VOTERS]), 0.0)
        for name, wrapper in wrappers.items()
    }


def supported(wrappers: dict[str, Wrapper], scores: Scores) -> dict[str, Wrapper]:
    """Without classes that find far fewer records like the marked ones than others.

    They may predict the one record that was left out, and miss most others. Regions stay: records
    like the marked ones elsewhere on the page belong to other lists.
    """
    most = max(scores.support.values(), default=0.0)
    return {
        name: wrapper
        for name, wrapper in wrappers.items()
        if name == "region" or scores.support.get(name, most) >= SUPPORTED * most
    }


def better_from_fewer(
    chosen: Wrapper, examples: Sequence[Example], pages: Sequence[Page]
) -> Wrapper | None:
    """Regions from all marks but one, where what fits all marks finds less than half as much."""
    if isinstance(chosen, Region) or not any(example.partial for example in examples):
        return None
    fewer = learn_without_a_mark(examples)
    if fewer is None:
        return None
    voters = pages[:VOTERS]
    if support_of(chosen, in_data(chosen, examples), voters) >= HALF * support_of(
        fewer, examples, voters
    ):
        return None
    fewer.reason = (
        "it misses a mark, but finds more than twice as many records like the marked ones as what "
        "reproduces all"
    )
    return fewer


def learn_without_a_mark(examples: Sequence[Example]) -> Wrapper | None:
    """For a list that is marked in part: regions that all marked records but one agree on.

    What is learned from fewer marks is better than nothing; the warnings name what is missed.
    """
    marked = [
        (at, number)
        for at, example in enumerate(examples)
        for number in range(len(example.records))
    ]
    if len(marked) < 2 or not any(example.partial for example in examples):
        return None
    best: Wrapper | None = None
    best_recall = 0.0
    for left_out in marked[:DOUBTED]:
        fewer = [
            example
            if at != left_out[0]
            else Example(
                example.page,
                [record for number, record in enumerate(example.records) if number != left_out[1]],
                partial=True,
            )
            for at, example in enumerate(examples)
        ]
        if best is not None and budget.spent():
            break
        wrapper = attempt(learner_of("region"), [example for example in fewer if example.records])
        if isinstance(wrapper, Wrapper) and recall(wrapper, examples) > best_recall:
            best, best_recall = wrapper, recall(wrapper, examples)
    if best is None or best_recall < AGREED:
        return None
    best.evidence = Evidence.of(examples)
    return best


def recall(wrapper: Wrapper, examples: Sequence[Example]) -> float:
    """The share of the labels that a wrapper reproduces."""
    expected = reproduced = 0
    for example in examples:
        wants = values(example.records)
        expected += len(wants)
        reproduced += len(wants & values(wrapper.extract(example.page)))
    return reproduced / max(expected, 1)
