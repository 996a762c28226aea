"""Columns that repeat each other, and columns of one field in two layouts.

<h3 title="Tea">Tea</h3>                                    title and h3: one is enough
page 1: Date Posted: 4/27/2026     page 2: Date: 6/12/2026  one column, found in two ways
"""

import dataclasses
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from rowen.structure.column_types import ANY_ORDER, type_of
from rowen.structure.columns import SURE_TYPES, Place
from rowen.wrappers.region.tree import View
from rowen.wrappers.region.wrapper import Cell, column_of

SAME = 0.95
"""Columns repeat each other where this share of their values is equal."""

COVERED = 0.9
"""Columns of a field in two layouts have a value in this share of the regions, together."""

TYPED = 60
"""Limit: so many values of a column are looked at for its type."""


class FilledPlace(NamedTuple):
    """A column with its values on each page, region by region, and their texts."""

    place: Place
    cells: Sequence[list[Cell]]
    texts: Sequence[tuple[str, ...]]

    @property
    def filled(self) -> int:
        """How many regions have a value."""
        return sum(map(bool, self.texts))


def distinct_places(places: Sequence[Place], views: Sequence[View]) -> list[FilledPlace]:
    """The columns, each once, in their order."""
    filled = _united([_fill(place, views) for place in places], views)
    kept: list[FilledPlace] = []
    for column in sorted(filled, key=_preference):
        if column.filled and not any(_repeats(column, other) for other in kept):
            kept.append(column)
    return sorted(kept, key=lambda column: column.place.order)


def _fill(place: Place, views: Sequence[View]) -> FilledPlace:
    cells = [column_of(place.rules, view, several=place.several) for view in views]
    texts = [
        tuple(" ".join(view.tree.text[slice(*bounds)].split()) for bounds in cell)
        for view, column in zip(views, cells, strict=True)
        for cell in column
    ]
    return FilledPlace(place, cells, texts)


def _preference(column: FilledPlace) -> tuple[int, bool, bool, bool, float]:
    """What a reader sees, as a whole, is preferred; first of all, what more regions have."""
    place = column.place
    return (
        -column.filled,
        place.spot.attribute is not None,
        place.is_part,
        place.several,
        place.order,
    )


def _repeats(column: FilledPlace, other: FilledPlace) -> bool:
    if column.filled < SAME * other.filled:
        return False
    same = sum(a == b for a, b in zip(column.texts, other.texts, strict=True) if a)
    return same >= SAME * column.filled


def _united(columns: list[FilledPlace], views: Sequence[View]) -> list[FilledPlace]:
    """Columns with the columns of a field in two layouts as one."""
    for first, second in combinations(columns, 2):
        if _is_one(first, second):
            place, other = first.place, second.place
            union = dataclasses.replace(
                place,
                rules=place.rules + other.rules,
                filled=place.filled + other.filled,
                order=min(place.order, other.order),
            )
            rest = [column for column in columns if column not in (first, second)]
            return [*rest, _fill(union, views)]
    return columns


def _is_one(first: FilledPlace, second: FilledPlace) -> bool:
    """Whether each region has one of two columns, and both are of a type that says something."""
    if first.place.several or second.place.several:
        return False
    if first.filled + second.filled < COVERED * len(first.texts):
        return False
    if any(a and b for a, b in zip(first.texts, second.texts, strict=True)):
        return False
    types = {
        type_of([text for cell in column.texts for text in cell][:TYPED], setting=ANY_ORDER)
        for column in (first, second)
    }
    return len(types) == 1 and types <= set(SURE_TYPES)
