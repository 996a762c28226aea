"""The regions that may hold a marked record: elements around it, and stretches of siblings.

<table><tr><td>Ada<td>36</tr>...</table>     marked: Ada, 36
element    the <tr>, the <table>, ...        the innermost element around all values, and up
stretch    from each first <td> on           the siblings that hold the values
line       between each <br>                 in the innermost element around all values, and up
"""

from collections.abc import Iterator

import numpy as np

from rowen._core import name_digest
from rowen.structure.groups import LINES, SEPARATORS
from rowen.structure.marks import MarkedRecord
from rowen.structure.spots import telling
from rowen.wrappers.region.spot import Step, tag_name
from rowen.wrappers.region.tree import Tree
from rowen.wrappers.region.wrapper import Pattern, Reach

LEVELS = 8
"""Limit: at most this many elements around a marked record are tried as its region."""

PATH = 5
"""Limit: the way to a region names at most this many elements."""

NAMED = 3
"""Limit: the attributes of this many elements are tried, the region's own first."""

SIBLINGS = 3
"""Limit: a stretch begins at most this many siblings before the first value."""


def patterns_of(tree: Tree, record: MarkedRecord) -> Iterator[Pattern]:
    """The patterns of regions that hold a record, innermost first, the plainest first."""
    element = common_element(tree, [mark.element(tree) for mark in record.marks])
    first, last = min(mark.tag for mark in record.marks), max(mark.tag for mark in record.marks)
    for _ in range(LEVELS):
        if not element:
            return
        yield from _with_attributes(tree, element, "element")
        for head in _heads(tree, element, first, last):
            yield from _with_attributes(tree, head, "stretch")
        for separator in _separators(tree, element):
            for reach in LINES:
                yield from _with_attributes(tree, separator, reach)
        element = int(tree.parents[element])


def common_element(tree: Tree, elements: list[int]) -> int:
    """The innermost element around all of these, or one of them itself."""
    common, *others = elements
    for element in others:
        while common and not common <= element < tree.closes[common]:
            common = int(tree.parents[common])
    return common


def _heads(tree: Tree, parent: int, first: int, last: int) -> Iterator[int]:
    """Children at which a stretch may begin: that of the first value, and those before it."""
    child = first
    while child and tree.parents[child] != parent:
        child = int(tree.parents[child])
    # An end tag before the first value belongs to a child before it.
    child = int(tree.starts_of_ends[child]) if child else 0
    if not child or tree.closes[child] > last:
        return  # all in one child: the child itself is the region
    tries = 0
    while tries < SIBLINGS and child > parent:
        if tree.is_element[child] and tree.parents[child] == parent:
            yield child
            tries += 1
        child -= 1
        child = int(tree.starts_of_ends[child])
        while child > parent and tree.parents[child] != parent:
            child = int(tree.parents[child])


def _separators(tree: Tree, parent: int) -> Iterator[int]:
    """The first separator of each name that is directly in an element."""
    inside = np.arange(parent + 1, int(tree.closes[parent]))
    children = inside[(tree.parents[inside] == parent) & tree.is_element[inside]]
    for name in SEPARATORS:
        yield from children[tree.names[children] == np.uint64(name_digest(name))][:1].tolist()


def way_to(tree: Tree, head: int, reach: Reach) -> Pattern:
    """The way to a region by names alone."""
    return Pattern(tuple(Step(tag_name(tree, tag)) for tag in reversed(_above(tree, head))), reach)


def _above(tree: Tree, head: int) -> list[int]:
    """An element and those around it, as far as a way goes, innermost first."""
    above = [head]
    while len(above) < PATH and tree.parents[above[-1]]:
        above.append(int(tree.parents[above[-1]]))
    return above


def _with_attributes(tree: Tree, head: int, reach: Reach) -> Iterator[Pattern]:
    """The way to a region by names alone, and with attributes of the head or an element around."""
    plain = way_to(tree, head, reach)
    yield plain
    for place, tag in enumerate(_above(tree, head)[:NAMED], 1):
        for attributes in telling(tree, tag):
            path = list(plain.path)
            path[-place] = Step(path[-place].name, None, attributes)
            yield Pattern(tuple(path), reach)
