"""Pages of one record each, where labels leave open whether they are lists.

Somebody who marks one record of a page has not said that it has no others. If a wrapper finds one
record there, and none or one on all other pages, these are not lists. Then the same marks say more:
nothing else on the marked pages is a record, and landmarks may come from anywhere on the page.
"""

from collections.abc import Sequence

from rowen.model import Page
from rowen.records import Example
from rowen.wrappers.base import Wrapper


def is_in_doubt(examples: Sequence[Example]) -> bool:
    """Whether each page has one marked record, and some may have others."""
    return any(example.partial for example in examples) and all(
        len(example.records) == 1 for example in examples
    )


def are_single(wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page]) -> bool:
    """Whether a wrapper finds no second record on any page."""
    seen = [*(example.page for example in examples), *pages]
    return all(len(wrapper.extract(page)) < 2 for page in seen)


def as_complete(example: Example) -> Example:
    """The example without doubt: the page has no other records than those that are marked."""
    if not example.partial:
        return example
    records = example.records
    return Example.located(example.page, records, partial=False, given=example.given or records)
