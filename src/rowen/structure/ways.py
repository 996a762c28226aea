"""Ways from a region to its elements, as digests that are the same in all regions and on all pages.

    <li><b class="name">Ada</b> <i>1815</i> <a class="tag">x</a> <a class="tag">y</a></li>

    by places     b[1], i[1], a[1], a[2]       counted from the region
    by names      b.name                       what a class or another attribute names in a region
    repeated      a.tag                        a name that regions have several times

Which names there are is a question to all regions of all pages: a class that only one region has
names nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rowen._core import name_digest
from rowen.structure.groups import DEPTH, Digests, combine
from rowen.structure.spots import LONGEST_VALUE
from rowen.wrappers.region.spot import Step, tag_name
from rowen.wrappers.region.tree import Numbers, View

NAMES = (
    *("itemprop", "property", "data-label", "data-title", "data-field", "data-testid"),
    *("headers", "id", "class", "rel", "name"),
)
"""Attributes that say what an element is for, the most telling first."""

MEANINGFUL = 7
"""So many of them, from the first, are meant as the name of a field."""

SHARE = 0.1
"""A name is that of a part of the regions if this share of them has it, and more than one."""

ONCE = 1.1
"""A name with more elements than this in a region, on average, is a repeated one."""

UNNAMED = -1


class Names(NamedTuple):
    """For each tag of a page: the index of the attribute that names it, or -1, and its digest."""

    attributes: Numbers
    keys: Digests


class Ways:
    """The ways to all elements in the regions of pages; 0 where there is none."""

    def __init__(self, views: Sequence[View]) -> None:
        self.views = views
        self.once, self.repeated = _name_elements(views)
        self.by_places = [_by_places(view) for view in views]
        self.by_names = [
            _descend(view, names.keys, DEPTH) for view, names in zip(views, self.once, strict=True)
        ]
        self.by_repeated_names = [
            _descend(view, names.keys, REPEATED_DEPTH)
            for view, names in zip(views, self.repeated, strict=True)
        ]

    def steps(self, page: int, node: int, names: Sequence[Names] | None) -> tuple[Step, ...]:
        """The steps to a node, from the nearest element that has one of these names."""
        view = self.views[page]
        steps: list[Step] = []
        while 0 < node < view.tree.size:
            name = tag_name(view.tree, node)
            if names is not None and (index := int(names[page].attributes[node])) != UNNAMED:
                steps.append(Step(name, None, (_pair(view, index),), deep=True))
                break
            steps.append(Step(name, int(view.places[node])))
            node = int(view.parents[node])
        return tuple(reversed(steps))

    def steps_through_any(self, page: int, node: int, levels: int) -> tuple[Step, ...]:
        """The steps to a node if the element so many levels above it may have any place."""
        view = self.views[page]
        below: list[Step] = []
        for _ in range(levels):
            below.append(Step(tag_name(view.tree, node), int(view.places[node])))
            node = int(view.parents[node])
        outer = self.steps(page, int(view.parents[node]), self.once)
        return (*outer, Step(tag_name(view.tree, node)), *reversed(below))


REPEATED_DEPTH = 3
"""Limit: elements so deep below one of a repeated name belong to it."""


def _pair(view: View, index: int) -> tuple[str, str]:
    start, end, value_start, value_end = view.tree.attribute_bounds[index].tolist()
    return view.tree.text[start:end].lower(), view.tree.text[value_start:value_end]


def _name_elements(views: Sequence[View]) -> tuple[list[Names], list[Names]]:
    """The elements that attributes name once in their regions, and those of repeated names."""
    rows = []
    offset = 0
    for page, view in enumerate(views):
        tree = view.tree
        owners = tree.tags_of_attributes
        length = tree.attribute_bounds[:, 3] - tree.attribute_bounds[:, 2]
        within = (view.numbers[owners] >= 0) & (length > 0) & (length <= LONGEST_VALUE)
        if (view.regions.around or view.regions.lines) and view.count:
            within &= ~np.isin(owners, view.regions.heads)
        for rank, name in enumerate(NAMES):
            digest = np.uint64(name_digest(name))
            index = np.flatnonzero((tree.attribute_names == digest) & within)
            tags = owners[index]
            named = combine(tree.names[tags], tree.attribute_values[index])
            key = combine(named, np.full(len(tags), digest))
            rows.append((key, view.numbers[tags] + offset, tags, index, page, rank))
        offset += view.count
    once = [Names(np.full(v.tree.size, UNNAMED), np.zeros(v.tree.size, np.uint64)) for v in views]
    several = [Names(names.attributes.copy(), names.keys.copy()) for names in once]
    key = np.concatenate([row[0] for row in rows]) if rows else np.empty(0, np.uint64)
    if not len(key):
        return once, several
    kinds, kind = np.unique(key, return_inverse=True)
    region = np.concatenate([row[1] for row in rows])
    pairs = np.unique(kind.astype(np.int64) * (offset + 1) + region)
    regions = np.bincount(pairs // (offset + 1), minlength=len(kinds))
    mean = np.bincount(kind) / regions
    is_common = regions >= max(2, SHARE * offset)
    is_once, is_repeated = is_common & (mean <= ONCE), is_common & (mean > ONCE)
    # From the least to the most telling attribute, so that the most telling one stays.
    position = np.cumsum([0, *(len(row[0]) for row in rows)])
    for number in sorted(range(len(rows)), key=lambda number: -rows[number][5]):
        keys, _, tags, index, page, _ = rows[number]
        own = kind[position[number] : position[number + 1]]
        for wanted, names in ((is_once, once[page]), (is_repeated, several[page])):
            chosen = wanted[own]
            names.attributes[tags[chosen]] = index[chosen]
            names.keys[tags[chosen]] = keys[chosen]
    return once, several


def _by_places(view: View) -> Digests:
    keys = np.zeros(view.tree.size + view.count, np.uint64)
    keys[view.tree.size :] = 1
    if view.regions.around:
        keys[view.regions.heads] = 1
    return _extend(view, keys, DEPTH)


def _descend(view: View, named: Digests, depth: int) -> Digests:
    keys = np.zeros(view.tree.size + view.count, np.uint64)
    keys[: view.tree.size] = named
    return _extend(view, keys, depth)


def _extend(view: View, keys: Digests, depth: int) -> Digests:
    """Level by level: the key of an element follows from that of the element around it."""
    tree = view.tree
    left = np.flatnonzero((view.numbers >= 0) & tree.is_element & (keys[: tree.size] == 0))
    for _ in range(depth):
        ready = keys[view.parents[left]] != 0
        now = left[ready]
        if not len(now):
            break
        step = combine(tree.names[now], view.places[now].astype(np.uint64))
        keys[now] = combine(keys[view.parents[now]], step)
        left = left[~ready]
    return keys
