"""Counterexamples: a further example is learned from only if what was learned before misses it.

The first example is learned from. What comes out is tried on the next ones, and the first that it
does not reproduce is learned from together with those before. So an example that is reproduced
anyway changes nothing, and what fits it by chance can't replace what predicted it.

    marked    page 1, page 2, page 3, page 4
    learned from page 1: gives what is marked on page 2, but not on page 3
    learned from pages 1 and 3: gives what is marked on pages 2 and 4 as well, and stays

In a list that is marked in part each marked record is an example. Where marks contradict each
other, all of them are learned from together.

Where many examples are marked, what all of them are reproduced by needs no rival: then the class of
the wrapper that misses one is tried first, and the other classes only if it misses one again.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.learning.classes import LEARNERS, Learner
from rowen.learning.data.relabelling import in_data
from rowen.learning.progress import report
from rowen.learning.verification import missed_records, reproduces
from rowen.model import NoConsistentWrapper, Page
from rowen.records import Example
from rowen.wrappers.base import Wrapper

ROUNDS = 8
"""Limit: so many times a counterexample is added. Then all examples are learned from together."""

TIME = 0.5
"""The share of the time that counterexamples may take."""

MANY = 50
"""Of so many examples that are reproduced unseen, none was by chance."""

ByClass = Callable[[str, Sequence[Page]], Learner]
"""A learner of a class that these unlabelled pages help."""

LearnerFor = Callable[[Sequence[Page]], Learner]
"""A learner that these unlabelled pages help."""


class Unit(NamedTuple):
    """A page, or a record of a page that is marked in part."""

    page: int
    record: int | None


def learn_growing(
    examples: Sequence[Example], learner_for: LearnerFor, by_class: ByClass, pages: Sequence[Page]
) -> Wrapper:
    """What is learned from the first examples and from those that it would miss."""
    with budget.share(TIME):
        wrapper = _grow(examples, learner_for, by_class, pages)
    if wrapper is None:
        return learner_for(unlabelled(pages, examples))(examples)
    wrapper.evidence = Evidence.of(examples)
    return wrapper


def unlabelled(pages: Sequence[Page], examples: Sequence[Example]) -> Sequence[Page]:
    """The pages that are no example's, each once."""
    labelled = {example.page.text for example in examples}
    texts = {page.text: page for page in pages}
    return [page for text, page in texts.items() if text not in labelled]


def _grow(
    examples: Sequence[Example], learner_for: LearnerFor, by_class: ByClass, pages: Sequence[Page]
) -> Wrapper | None:
    """A wrapper from fewer examples that reproduces all of them; None where there is none."""
    units = list(_units(examples))
    first = next((unit for unit in units if _has_value(_of(examples, [unit])[0])), None)
    if first is None or len(units) < 2:
        return None
    core = [first]
    wrapper: Wrapper | None = None
    for _ in range(ROUNDS):
        learned_from = _of(examples, core)
        others = unlabelled(pages, learned_from)
        is_of_many = len(units) - len(core) >= MANY
        if is_of_many and wrapper is not None and wrapper.wrapper_class in LEARNERS:
            wrapper = _attempt(by_class(wrapper.wrapper_class, others), learned_from)
            if wrapper is not None and _missed(wrapper, examples, core, units) is None:
                return _told(wrapper, core, units)
        wrapper = _attempt(learner_for(others), learned_from)
        if wrapper is None:
            return None
        missed = _missed(wrapper, examples, core, units)
        if missed is None:
            return _told(wrapper, core, units)
        if missed in core or len(core) + 1 == len(units) or budget.spent():
            return None
        core = sorted([*core, missed], key=units.index)
    return None


def _attempt(learner: Learner, examples: Sequence[Example]) -> Wrapper | None:
    try:
        return learner(examples)
    except NoConsistentWrapper:
        return None


def _told(wrapper: Wrapper, core: Sequence[Unit], units: Sequence[Unit]) -> Wrapper:
    """The wrapper that reproduces all units, and says of how many it was learned."""
    report(f"{len(units) - len(core)} of {len(units)} examples reproduced unseen")
    words = (
        f"learned from {len(core)} of {len(units)} examples; it reproduces the others, "
        "which it had not seen"
    )
    wrapper.reason = "; ".join(filter(None, [wrapper.reason, words]))
    return wrapper


def _units(examples: Sequence[Example]) -> Iterator[Unit]:
    for page, example in enumerate(examples):
        if example.partial:
            yield from (Unit(page, record) for record in range(len(example.records)))
        else:
            yield Unit(page, None)


def _of(examples: Sequence[Example], units: Sequence[Unit]) -> list[Example]:
    """The examples that consist of these units, which are in order."""
    by_page = {page: [record for at, record in units if at == page] for page, _ in units}
    return [
        examples[page]
        if None in records or len(records) == len(examples[page].records)
        else _part(examples[page], [record for record in records if record is not None])
        for page, records in by_page.items()
    ]


def _part(example: Example, numbers: Sequence[int]) -> Example:
    """Some of the records of a page that is marked in part."""
    records = [example.records[number] for number in numbers]
    given = [example.given[number] for number in numbers] if example.given else ()
    return Example.located(example.page, records, partial=True, given=given)


def _has_value(example: Example) -> bool:
    return any(record.extent is not None for record in example.records)


def _missed(
    wrapper: Wrapper, examples: Sequence[Example], core: Sequence[Unit], units: Sequence[Unit]
) -> Unit | None:
    """The first unit that a wrapper does not reproduce: of those in the core, then of all."""
    fields = {
        name for example in _of(examples, core) for record in example.records for name in record
    }
    missed: dict[int, set[int | None]] = {}
    for unit in (*core, *units):
        example = examples[unit.page]
        records = example.records if unit.record is None else [example.records[unit.record]]
        if unit not in core and any(name not in fields for record in records for name in record):
            return unit  # a field that nothing was learned of
        # The records of a page are compared all at once: there may be thousands.
        if unit.page not in missed:
            missed[unit.page] = _missed_of(wrapper, example)
        if unit.record in missed[unit.page]:
            return unit
    return None


def _missed_of(wrapper: Wrapper, example: Example) -> set[int | None]:
    """The numbers of a page's marked records that are missed; None if it is a page as a whole."""
    (moved,) = in_data(wrapper, [example])
    extracted = wrapper.extract(example.page)
    if example.partial:
        return set(missed_records(moved, extracted))
    return set() if reproduces(moved, extracted) else {None}
