"""The spots at which a marked value stands, seen from its region: by places, attributes, labels."""

from collections.abc import Iterator

import numpy as np

from rowen.structure.marks import Mark
from rowen.wrappers.region.spot import Spot, Step, tag_name
from rowen.wrappers.region.tree import Tree, View

TELLING = ("class", "itemprop", "property", "rel", "name", "headers", "data-label", "id")
"""Attributes that say what an element is for."""

LONGEST_VALUE = 120
"""Attributes with longer values are data, not names."""

DEEP_LEVELS = 3
"""An element is named by its own attributes or those of one of this many elements around it."""


def spots_of(view: View, mark: Mark, *, several: bool = False) -> Iterator[Spot]:
    """The spots of a marked value, the plainest first; of `several` values, those that may be
    found more than once in a region.
    """
    node = _node(view, mark)
    for steps in _repeated(_ways(view, node)) if several else _ways(view, node):
        if mark.attribute:
            yield Spot(steps, attribute=mark.attribute)
        elif mark.whole:
            yield Spot(steps)
        else:
            # All of an element, where that is its only text: others may have tags inside.
            if node < view.tree.size and view.tree.content(node) == (mark.start, mark.end):
                yield Spot(steps)
            yield Spot(steps, text=int(view.text_numbers[mark.tag]))
            if (after := _after(view, mark.tag)) is not None:
                yield Spot(steps, after=after)
    if several:
        return
    if mark.attribute:
        yield from _deep(view, node, mark.attribute)
    elif not mark.whole:
        yield from _contents(view, node, mark.tag)
        if label := _label(view, mark.tag):
            yield Spot(label=label)


def _repeated(ways: Iterator[tuple[Step, ...]]) -> Iterator[tuple[Step, ...]]:
    """Ways that lead to several elements: one of the places is any."""
    for way in ways:
        for number, step in reversed(list(enumerate(way))):
            if step.place is not None:
                anywhere = Step(step.name, None, step.attributes, deep=step.deep)
                yield (*way[:number], anywhere, *way[number + 1 :])
            elif step.deep:
                yield way


def _contents(view: View, node: int, tag: int) -> Iterator[Spot]:
    """A text by its number among all texts of an element around it, whatever is between them."""
    for level, outer in enumerate(_around(view, node)):
        # Of a whole region, the n-th text says too little: headers have one, too.
        if level > DEEP_LEVELS or outer >= view.tree.size:
            return
        start = view.bounds(np.array([outer]))[0][0]
        number = int(view.tree.filled[start : tag + 1].sum())
        for steps in _ways(view, outer):
            yield Spot(steps, content=number)


def _deep(view: View, node: int, attribute: str) -> Iterator[Spot]:
    """An attribute of the first element of its name in an element around."""
    if node >= view.tree.size:
        return
    name = tag_name(view.tree, node)
    for outer in _around(view, int(view.parents[node])):
        for steps in _ways(view, outer):
            yield Spot((*steps, Step(name, deep=True)), attribute=attribute)


def _around(view: View, node: int) -> Iterator[int]:
    """A node and those around it, up to its region."""
    while 0 < node < view.tree.size:
        yield node
        node = int(view.parents[node])
    if node >= view.tree.size:
        yield node


def _node(view: View, mark: Mark) -> int:
    """The element of a mark as a node of the view."""
    if mark.attribute or mark.whole:
        number = int(view.numbers[mark.tag])
        is_root = view.regions.around and view.regions.heads[number] == mark.tag
        return view.tree.size + number if is_root else mark.tag
    return int(view.owners[mark.tag])


def _ways(view: View, node: int) -> Iterator[tuple[Step, ...]]:
    """Steps from the region to a node: by places all the way, or from an element with a name."""
    tree = view.tree
    nodes = []
    while 0 < node < tree.size:
        nodes.append(node)
        node = int(view.parents[node])
    if node < tree.size:
        return
    placed = [Step(tag_name(tree, tag), int(view.places[tag])) for tag in nodes]
    yield tuple(reversed(placed))
    for level, tag in enumerate(nodes[:DEEP_LEVELS]):
        for attributes in telling(tree, tag):
            named = Step(tag_name(tree, tag), None, attributes, deep=True)
            yield (named, *reversed(placed[:level]))


def telling(tree: Tree, tag: int) -> Iterator[tuple[tuple[str, str], ...]]:
    """The attributes of a tag that may say what it is for, one at a time."""
    for index in range(tree.attributes_from[tag], tree.attributes_from[tag + 1]):
        start, end, value_start, value_end = tree.attribute_bounds[index].tolist()
        name = tree.text[start:end].lower()
        if name in TELLING and 0 < value_end - value_start <= LONGEST_VALUE:
            yield ((name, tree.text[value_start:value_end]),)


def _after(view: View, tag: int) -> Step | None:
    """The child of its owner after which a text stands, if any."""
    tree = view.tree
    child = int(tree.starts_of_ends[tag])
    if child == tag and (tree.is_open[tag] or not tree.is_element[tag]):
        return None
    return Step(tag_name(tree, child), int(view.places[child]))


def _label(view: View, tag: int) -> str | None:
    """The text before a text in the same region."""
    tree: Tree = view.tree
    before = tag - 1
    while before >= 0 and not tree.filled[before]:
        before -= 1
    if before < 0 or view.numbers[before] != view.numbers[tag]:
        return None
    label = tree.text[tree.slot_starts[before] : tree.slot_ends[before]]
    return label if len(label) <= LONGEST_VALUE else None
