"""Values given as texts that are twice on their page, at places that are as good as each other.

The first of such places is taken. What is learned from another one may find something else on
other pages: then a mark there decides which place is meant.

    label       price $5        page   List <dd>$5  Sale <dd>$5
    taken       after "List"    on the next page: $9
    the rival   after "Sale"    on the next page: $7       suggested: mark the price there
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from rowen.induction import budget
from rowen.learning.classes import Learner
from rowen.learning.suggestions import MOST, suggest_marks
from rowen.learning.verification import reproduces
from rowen.model import LabelError, NoConsistentWrapper, Page
from rowen.model.suggestion import Suggestion
from rowen.records import Example
from rowen.records.tie import Tie
from rowen.wrappers.base import Wrapper

TIES = 3
"""Limit: rivals of so many values are learned from, one of each field."""

TIME = 0.3
"""The share of the time that is left which they may take."""

CHARACTERS = 1_000_000
"""Limit: examples with more characters are not learned from again for a hint."""


def suggest_for_ties(
    wrapper: Wrapper,
    examples: Sequence[Example],
    ties: Sequence[Tie],
    learner: Learner,
    pages: Sequence[Page],
) -> None:
    """Add to the wrapper's suggestions where another place of a text would make a difference."""
    if not ties or sum(len(example.page.text) for example in examples) > CHARACTERS:
        return
    with budget.share(TIME):
        decided = list(_suggestions(wrapper, examples, ties, learner, pages))
    wrapper.suggestions = tuple(islice(chain(decided, wrapper.suggestions), MOST))


def _suggestions(
    wrapper: Wrapper,
    examples: Sequence[Example],
    ties: Sequence[Tie],
    learner: Learner,
    pages: Sequence[Page],
) -> Iterator[Suggestion]:
    first = {tie.field: tie for tie in reversed(ties)}
    labelled = [example.page for example in examples]
    texts = {page.text for page in labelled}
    others = [page for page in pages if page.text not in texts]
    for tie in islice(first.values(), TIES):
        if budget.spent():
            return
        try:
            # At the rival place a value may lie inside another record.
            moved = [_moved(example, tie) for example in examples]
            rival = learner(moved)
        except (NoConsistentWrapper, LabelError):
            continue
        if not all(reproduces(example, rival.extract(example.page)) for example in moved):
            continue
        decisive = suggest_marks(wrapper, [rival], [*others, *labelled])
        yield from decisive
        if not decisive and not others and rival.fingerprint() != wrapper.fingerprint():
            yield _on_its_page(tie)


def _on_its_page(tie: Tie) -> Suggestion:
    other = tie.rivals[0]
    message = (
        f"the {tie.field} is also at characters {other.start:,} to {other.end:,}, and nothing says "
        "which of them is meant; mark a page where they differ"
    )
    return Suggestion(tie.page, tie.taken.start, tie.taken.end, message, tie.field)


def _moved(example: Example, tie: Tie) -> Example:
    """The example with a value at the rival place."""
    if example.page.id != tie.page:
        return example
    records = [
        {
            name: tie.rivals[0] if (name, spans) == (tie.field, tie.taken) else spans
            for name, spans in record.spans.items()
        }
        if str(number) == tie.record
        else record
        for number, record in enumerate(example.records, 1)
    ]
    return Example(example.page, records, partial=example.partial)
