"""Pages of one record each, where labels leave open whether they are lists.

Somebody who marks one record of a page has not said that it has no others. If a wrapper finds one
whole record there, and none or one on all other pages, these are not lists. Then the same marks say
more: nothing else on the marked pages is a record, and landmarks may come from anywhere on the
page.
"""

from collections.abc import Sequence

from rowen.model import Page
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper

MOST = 0.5
"""What has no more than this share of the fields is a menu or the like, not another record."""


def is_in_doubt(examples: Sequence[Example]) -> bool:
    """Whether each page has one marked record, and some may have others."""
    return any(example.partial for example in examples) and all(
        len(example.records) == 1 for example in examples
    )


def are_single(wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page]) -> bool:
    """Whether a wrapper finds no second record on any page that has most of the fields."""
    seen = [*(example.page for example in examples), *pages]
    return all(sum(map(_has_most, wrapper.extract(page))) < 2 for page in seen)


def _has_most(record: Record) -> bool:
    values = [spans for _, spans in record.items()]
    return sum(map(bool, values)) > MOST * len(values)


def as_complete(example: Example) -> Example:
    """The example without doubt: the page has no other records than those that are marked."""
    if not example.partial:
        return example
    records = example.records
    return Example.located(example.page, records, partial=False, given=example.given or records)
