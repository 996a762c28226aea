"""Header rows without `<th>`: the first region of a list, whose texts name the columns.

    <tr><td>Case<td>Filed      <tr><td>A v. B<td>5/1/2024      <tr><td>C v. D<td>6/2/2024

All values of a column have digits, but for those of first regions: these are headers. Then only
texts with a digit are values of the column, and what has none of them is no record.
"""

import dataclasses
from collections.abc import Sequence

import numpy as np

from rowen.structure.columns import Place
from rowen.wrappers.region.part import WITH_DIGIT, Part
from rowen.wrappers.region.tree import View
from rowen.wrappers.region.wrapper import FieldRule, column_of
from rowen.wrappers.token.outline import Flags

FILLED = 0.98
"""A column that tells headers from records has a value in this share of the regions."""

RECORDS = 2
"""So many regions after a header make a list."""


def mark_headers(places: Sequence[Place], views: Sequence[View]) -> list[Place]:
    """Columns that tell headers from records as such, the others as they are."""
    is_first = np.concatenate([_first(view) for view in views])
    # One list with its header has as many headers as regions that are first; more than every other
    # region would be a header of nothing.
    if not is_first.any() or is_first.sum() * (RECORDS + 1) > len(is_first):
        return list(places)
    return [_without_header(place, views, is_first) for place in places]


def _first(view: View) -> Flags:
    """Which regions are the first of several in the element around them."""
    parents = view.regions.parents(view.tree)
    _, first, counts = np.unique(parents, return_index=True, return_counts=True)
    flags = np.zeros(view.count, bool)
    flags[first[counts > RECORDS]] = True
    return flags


def _without_header(place: Place, views: Sequence[View], is_first: Flags) -> Place:
    rule = place.rules[0]
    if len(place.rules) > 1 or place.several or rule.part != Part() or rule.spot.attribute:
        return place
    cells = [
        view.tree.text[slice(*cell[0])] if cell else ""
        for view in views
        for cell in column_of(place.rules, view)
    ]
    has_digit = np.array([any(map(str.isdigit, cell)) for cell in cells])
    has_text = np.array([bool(cell) for cell in cells])
    others = has_digit[~is_first]
    headers = is_first & has_text & ~has_digit
    if not headers.any() or others.mean() < FILLED or (has_text & ~has_digit & ~is_first).any():
        return place
    with_digit = (FieldRule(rule.spot, Part(shape=WITH_DIGIT)),)
    return dataclasses.replace(place, rules=with_digit)


def tells_headers(place: Place) -> bool:
    """Whether a column tells headers from records."""
    return place.rules[0].part.shape == WITH_DIGIT and not place.is_part
