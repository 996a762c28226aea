"""Siblings: values that are the items of one list, each an item of its own.

<ul><li><a>Thai</a></li><li><a>Sushi</a></li></ul>       Thai, Sushi: each fills an <li>
<dl><dt>Beds<dd>2<dt>Baths<dd>1</dl>                     2 and 1 have something between them
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from rowen._core import name_digest
from rowen.wrappers.token.outline import Outline

ITEMS = ("li", "dd")
"""Elements that are items of a list; what fills others may be something else beside the value."""


def are_siblings(outline: Outline, values: Sequence[tuple[int, int]]) -> bool:
    """Whether values fill all items of one list."""
    chains = [_filled(outline, value) for value in values]
    items = [
        next((tag for tag in chain if int(outline.names[tag]) in _items()), 0) for chain in chains
    ]
    if not all(items):
        return False
    parent, name = outline.parents[items[0]], outline.names[items[0]]
    inside = slice(int(parent) + 1, int(outline.closes[parent]))
    children = np.flatnonzero(outline.parents[inside] == parent) + inside.start
    same = [tag for tag in children.tolist() if outline.names[tag] == name]
    between = [tag for tag in children.tolist() if items[0] < tag < items[-1]]
    return same == items and not any(
        outline.is_start(tag) and outline.names[tag] != name for tag in between
    )


@cache
def _items() -> frozenset[int]:
    return frozenset(map(name_digest, ITEMS))


def _filled(outline: Outline, value: tuple[int, int]) -> list[int]:
    """The elements that hold a value and nothing else, innermost first."""
    tag = outline.tag_at(value[0])
    filled = []
    tag = tag if outline.is_start(tag) else int(outline.parents[tag])
    while tag and outline.content(tag) == value:
        filled.append(tag)
        tag = int(outline.parents[tag])
    return filled
