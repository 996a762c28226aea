"""Learning: examples in, a wrapper out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from rowen.limits import LEARNING_SECONDS, PROFILE_SECONDS
from rowen.model import (
    Example,
    InputError,
    NoConsistentWrapper,
    Page,
    Record,
    Records,
    SearchCutShort,
    UsageError,
)
from rowen.wrappers import budget
from rowen.wrappers.base import Wrapper
from rowen.wrappers.classes import CLASSES
from rowen.wrappers.classes import wrapper_class as class_of
from rowen.wrappers.profile import Profile

if TYPE_CHECKING:
    from rowen.wrappers.estimate import Estimate

LEARNED = tuple(name for name in CLASSES if name != "several")
"""The classes that can be asked for by name."""


def learn(
    examples: Sequence[Example],
    wrapper_class: str = "auto",
    *,
    seconds: float = LEARNING_SECONDS,
    estimate: bool = False,
) -> Wrapper:
    """Learn a wrapper from examples; raises `NoConsistentWrapper` where none of the class fits.

    After so many seconds of processor time the search ends: with the best wrapper found by then,
    whose `evidence` and `reason` say so, or with `SearchCutShort`. With `estimate` the time that
    is left goes into learning anew without each of some examples in turn.
    """
    _check(examples, seconds)
    learner = _learner(wrapper_class)
    with budget.limit(seconds) as time:
        if any(example.given for example in examples):
            examples = _placed(examples)
        try:
            wrapper = learner(examples)
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            if not time.reason:
                raise
            # Something was left untried on the way: what failed proves nothing.
            raise SearchCutShort(f"{time.reason} ({error.reason})") from error
        cut_short = time.over
        if estimate:
            wrapper.estimate = _estimate(wrapper, examples) or wrapper.estimate
    if cut_short:
        wrapper.reason = "; ".join(filter(None, [wrapper.reason, f"cut short: {time.reason}"]))
        if wrapper.evidence is not None:
            wrapper.evidence = replace(wrapper.evidence, cut_short=True)
    wrapper.profile = profile_of(wrapper, [example.page for example in examples])
    return wrapper


def profile_of(wrapper: Wrapper, pages: Sequence[Page]) -> Profile:
    """What a wrapper gives on pages; of very many, the first must do."""

    def surveyed() -> Iterator[Records]:
        for number, page in enumerate(pages):
            if number and budget.spent():
                return
            yield wrapper.extract(page)

    with budget.limit(PROFILE_SECONDS):
        return Profile.of(surveyed())


def _check(examples: Sequence[Example], seconds: float) -> None:
    if not examples:
        raise InputError("learning needs at least one example")
    if not seconds > 0:
        raise UsageError(f"learning takes some time: {seconds} s are none")
    if not any(example.records for example in examples):
        raise InputError("no example has a record: mark at least one")


def _estimate(wrapper: Wrapper, examples: Sequence[Example]) -> "Estimate | None":
    from rowen.wrappers.estimate import leave_one_out

    again = wrapper.wrapper_class if wrapper.wrapper_class in LEARNED else "auto"
    return leave_one_out(examples, again)


def _learner(name: str) -> Callable[[Sequence[Example]], Wrapper]:
    if name == "auto":
        from rowen.wrappers.auto import learn_auto

        return learn_auto
    if name not in LEARNED:
        raise UsageError(f"unknown class {name!r}: auto, {', '.join(LEARNED)}")
    learner: Callable[[Sequence[Example]], Wrapper] = import_module(
        class_of(name).__module__
    ).learn_class
    return learner


def _placed(examples: Sequence[Example]) -> Sequence[Example]:
    """The examples with texts where their surroundings are alike, not where they first stand."""
    from rowen.wrappers.placing.placement import place

    return place(
        [
            (
                example.page,
                example.given or [_written(one) for one in example.records],
                example.partial,
            )
            for example in examples
        ]
    )


def _written(record: Record) -> Mapping[str, object]:
    return {**record.spans, "children": [_written(child) for child in record.children]}
