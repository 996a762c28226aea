"""Columns of lists inside records: fields with a dot in their names, such as `reviews.author`."""

import re
from typing import NamedTuple

_DOTTED = re.compile(r"([^.\s](?:[^.]*[^.\s])?)\.([^.\s](?:[^.]*[^.\s])?)")


class Column(NamedTuple):
    """A field of the records in a list."""

    list: str
    name: str


def column_of(field: str) -> Column | None:
    """The column that a field is; None for a field of the record itself.

    >>> column_of("reviews.author"), column_of("no. of pages")
    (Column(list='reviews', name='author'), None)
    """
    match = _DOTTED.fullmatch(field)
    return None if match is None else Column(*match.groups())
