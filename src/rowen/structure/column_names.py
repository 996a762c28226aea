"""Names for columns, where the page itself says what they are.

In this order: the header of a table's column, the same text before each value, an item's property,
the class of its own element, what type or attribute it is, whether it is a heading, and at last a
class around it.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from rowen.structure.column_types import type_of
from rowen.structure.columns import Place
from rowen.text.data.names import plain_name
from rowen.wrappers.region.spot import tag_name
from rowen.wrappers.region.tree import Tree, View
from rowen.wrappers.region.wrapper import column_of

LABELLED = 0.8
"""A text is a label where it stands before this share of the values."""

TYPED = 50
"""Limit: so many values of a page are looked at for their type."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_YEAR = re.compile("1[5-9][0-9]{2}|20[0-9]{2}")
_ATTRIBUTES = {"href": "link", "src": "image", "datetime": "date"}


def name_columns(view: View, places: list[Place]) -> list[str]:
    """A name for each column, each once."""
    return distinct_names(
        [_name(view, place) or f"column_{number}" for number, place in enumerate(places, 1)]
    )


def distinct_names(names: Sequence[str]) -> list[str]:
    """Names with a number where one is there already.

    >>> distinct_names(["price", "price", "size"])
    ['price', 'price_2', 'size']
    """
    counts: Counter[str] = Counter()
    distinct: dict[str, None] = {}
    for name in names:
        counts[name] += 1
        own = name if counts[name] == 1 else f"{name}_{counts[name]}"
        while own in distinct:
            counts[name] += 1
            own = f"{name}_{counts[name]}"
        distinct[own] = None
    return list(distinct)


def _name(view: View, place: Place) -> str:
    label = plain_name(place.label)
    if place.is_part and label:
        return label
    suffix = _ATTRIBUTES.get(place.spot.attribute or "", place.spot.attribute or "")
    about = (
        _header(view, place)
        or label
        or _label(view, place)
        or _attribute(place, "itemprop")
        or _attribute(place, "class", steps=1)
        or _by_type(view, place)
        or _heading(place)
        or _attribute(place, "class")
    )
    if about and suffix and suffix not in about:
        about = f"{about}_{suffix}"
    name = about or suffix
    return f"{name}_part" if name and place.is_part else name


def _by_type(view: View, place: Place) -> str:
    """What values are that can be nothing else: a price, a date, a year."""
    if place.several or place.spot.attribute is not None:
        return ""
    cells = column_of(place.rules, view, sample=np.arange(view.count) < TYPED)
    texts = [view.tree.text[slice(*cell[0])] for cell in cells if cell]
    type_ = type_of(texts)
    if type_ == "integer" and all(_YEAR.fullmatch(text) for text in texts):
        return "year"
    return type_ if type_ in ("price", "date") else ""


def _heading(place: Place) -> str:
    """A heading in a record is its title."""
    step = place.spot.steps[-1] if place.spot.steps else None
    is_heading = step is not None and step.name in HEADINGS and place.spot.attribute is None
    return "title" if is_heading and not place.is_part else ""


def _attribute(place: Place, name: str, *, steps: int | None = None) -> str:
    """What an attribute of the elements on the way says, from the innermost."""
    for step in place.spot.steps[::-1][:steps]:
        for attribute, value in step.attributes:
            if attribute == name:
                return plain_name(value.split()[-1]) if value.split() else ""
    return ""


def _label(view: View, place: Place) -> str:
    """The text that stands before most values of a column."""
    if place.spot.attribute is not None:
        return ""
    tree = view.tree
    tags = place.spot.find(view)
    full = np.flatnonzero(tree.filled)
    before = np.searchsorted(full, tags) - 1
    tags, before = tags[before >= 0], before[before >= 0]
    same = view.numbers[full[before]] == view.numbers[tags]
    if not len(tags) or same.mean() < LABELLED:
        return ""
    texts, counts = np.unique(tree.slots[full[before]], return_counts=True)
    if counts.max() < max(LABELLED * len(tags), 2):
        return ""
    slot = int(full[before][tree.slots[full[before]] == texts[counts.argmax()]][0])
    return plain_name(tree.text[tree.slot_starts[slot] : tree.slot_ends[slot]])


def _header(view: View, place: Place) -> str:
    """The header of the column of a table in which a value stands."""
    tree = view.tree
    tags = place.spot.find(view)
    if not len(tags):
        return ""
    cell = int(tree.owners[tags[0]])
    while cell and tag_name(tree, cell) != "td":
        cell = int(tree.parents[cell])
    table = cell
    while table and tag_name(tree, table) != "table":
        table = int(tree.parents[table])
    if not table:
        return ""
    headers = [
        tag
        for tag in range(table, int(tree.closes[table]))
        if tree.is_element[tag] and tag_name(tree, tag) == "th"
    ][:1]
    if not headers:
        return ""
    row = int(tree.parents[headers[0]])
    cells = _cells(tree, row)
    place_in_row = _cells(tree, int(tree.parents[cell])).index(cell)
    if place_in_row >= len(cells):
        return ""
    bounds = tree.content(cells[place_in_row])
    return "" if bounds is None else plain_name(re.sub(r"<[^>]*>", " ", tree.text[slice(*bounds)]))


def _cells(tree: Tree, row: int) -> list[int]:
    inside = np.arange(row + 1, int(tree.closes[row]))
    children = inside[(tree.parents[inside] == row) & tree.is_element[inside]]
    return [tag for tag in children.tolist() if tag_name(tree, tag) in ("td", "th")]
