"""Nested records: what a field holds that has records of its own."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowen.records.record import Record


class Nested(tuple["Record", ...]):
    """The records of a nested field, in page order; none is an empty tuple, not a missing field.

    >>> import rowen
    >>> page = rowen.Page("Ada: x, y")
    >>> tags = Nested(rowen.Record(page, {"tag": span}) for span in [(5, 6), (8, 9)])
    >>> rowen.Record(page, {"name": (0, 3), "tags": tags}).values
    {'name': 'Ada', 'tags': [{'tag': 'x'}, {'tag': 'y'}]}
    """

    __slots__ = ()


def general_path(path: str) -> str:
    """The path of a field in all records of a nested field: `reviews.stars` of `reviews[2].stars`.

    >>> general_path("reviews[2].replies[1].text")
    'reviews.replies.text'
    """
    return _NUMBER.sub("", path)


_NUMBER = re.compile(r"\[\d+\](?=\.|\Z)")
