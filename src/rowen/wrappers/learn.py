"""Learning: examples in, a wrapper out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module

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
    Warning,  # noqa: A004  # the design's word
)
from rowen.wrappers import budget
from rowen.wrappers.base import Wrapper
from rowen.wrappers.classes import CLASSES
from rowen.wrappers.classes import wrapper_class as class_of
from rowen.wrappers.layout import Layout
from rowen.wrappers.profile import Profile
from rowen.wrappers.verification import shown, verify

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
    is left goes into cross-validation: everything is learned anew without each of some examples.

    The wrapper's `warnings` name the labels that it does not reproduce; they are empty only if it
    reproduces all of them.
    """
    _check(examples, seconds)
    learner = _learner(wrapper_class)
    marked = examples
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
            from rowen.wrappers.estimate import leave_one_out

            wrapper.estimate = leave_one_out(marked, wrapper_class)
    if cut_short:
        wrapper.reason = "; ".join(filter(None, [wrapper.reason, f"cut short: {time.reason}"]))
        if wrapper.evidence is not None:
            wrapper.evidence = replace(wrapper.evidence, cut_short=True)
    survey(wrapper, examples, cut_short=time.reason if cut_short else "")
    return wrapper


def survey(wrapper: Wrapper, examples: Sequence[Example], *, cut_short: str = "") -> None:
    """Run a wrapper over its examples once: what is wrong with its records, and what they are like.

    Every label is compared, however long it takes; for the profile the first pages must do where
    there are very many.
    """
    found: list[Records] = []

    def surveyed() -> Iterator[Records]:
        for number, example in enumerate(examples):
            records = wrapper.extract(example.page)
            found.append(records)
            if not (number and budget.spent()):
                # That nothing looks like a record is right where nobody marked one.
                none = not (records or example.records or example.partial)
                yield Records() if none else records

    layout = Layout.of(examples)
    with budget.limit(PROFILE_SECONDS):
        wrapper.profile = replace(Profile.of(surveyed()), layout=layout)
    warnings = (*verify(examples, found), *_reaching_over(layout, examples, found))
    if cut_short:
        message = f"there may be a better wrapper, the search was cut short: {cut_short}"
        warnings = (*warnings, Warning("search-cut-short", message))
    wrapper.warnings = warnings


def _reaching_over(
    layout: Layout | None, examples: Sequence[Example], found: Sequence[Records]
) -> Iterator[Warning]:
    """Records beside the marked ones that seem to have taken a value of the next record."""
    for example, records in zip(examples, found, strict=True):
        for record in records if layout is not None and example.partial else ():
            assert layout is not None
            if (over := layout.overreach(record)) is not None:
                message = f"{shown(record)} seems to have another one's {over.after}"
                more = f"{over.starts} begins between its {over.before} and its {over.after}"
                yield Warning(
                    "record-reaches-over", f"{message}: {more}", example.page.id, None, over.after
                )


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
    if not any(record.extent for example in examples for record in example.records):
        raise InputError("no record has a value: mark at least one")


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
