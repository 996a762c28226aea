"""The columns of a group of regions: the places at which its regions have texts or attributes.

    <li><a href="/1">Ada</a> <i>1815</i></li> <li><a href="/2">Alan</a></li>
    columns    a[1] and its href in both regions; i[1] in the first

Places are counted from the region, or from an element that a class or another attribute names, if
each region has at most one such element: then optional parts before it shift nothing.
"""

from typing import NamedTuple

import numpy as np

from rowen._core import name_digest
from rowen.structure.groups import DEPTH, Digests, combine
from rowen.structure.spots import NAMING, plain_spot
from rowen.wrappers.region.spot import Spot
from rowen.wrappers.region.tree import Numbers, View

ATTRIBUTES = ("href", "src", "datetime", "alt", "content", "title")
"""Attributes that hold data."""

FILLED = 0.25
"""A column has a value in this share of the regions at least."""

COLUMNS = 40
"""Limit: at most this many columns of a table, those with most values."""


class Place(NamedTuple):
    """A column: its spot, the share of regions with a value there, and how much values vary."""

    spot: Spot
    filled: float
    varied: float


def find_columns(views: list[View]) -> list[Place]:
    """The columns of the regions of a pattern on all pages, in page order."""
    slots: list[tuple[Digests, Digests, Numbers, Numbers, Numbers, Numbers]] = []
    offset = 0
    for page, view in enumerate(views):
        nodes = _node_keys(view)
        for name, tag, key, value in _slots(view, nodes):
            constant = (np.full(len(tag), page), np.full(len(tag), name))
            slots.append((key, value, view.numbers[tag] + offset, tag, *constant))
        offset += view.count
    if not offset or not slots:
        return []
    key, value = (np.concatenate([slot[part] for slot in slots]) for part in (0, 1))
    region, tag, of_page, attribute = (
        np.concatenate([slot[part] for slot in slots]) for part in (2, 3, 4, 5)
    )
    kinds, first, place = np.unique(key, return_index=True, return_inverse=True)
    filled = _distinct(place, region, len(kinds)) / offset
    varied = (_distinct(place, value, len(kinds)) - 1) / np.maximum(np.bincount(place) - 1, 1)
    chosen = np.flatnonzero((filled >= FILLED) & (varied > 0) & (np.bincount(place) > 1))
    chosen = chosen[np.argsort(-filled[chosen], kind="stable")][:COLUMNS]
    found = []
    for number in sorted(chosen.tolist(), key=lambda number: int(first[number])):
        at = int(first[number])
        data = ("", *ATTRIBUTES)[attribute[at]]
        spot = plain_spot(views[of_page[at]], int(tag[at]), data or None)
        if spot is not None:
            found.append(Place(spot, float(filled[number]), float(varied[number])))
    return found


def _distinct(place: Numbers, other: Numbers | Digests, count: int) -> Numbers:
    """How many different values of another column each kind has."""
    pairs = np.unique(np.stack([place.astype(np.uint64), other.astype(np.uint64)]), axis=1)
    return np.bincount(pairs[0].astype(np.intp), minlength=count)


def _slots(view: View, nodes: Digests) -> list[tuple[int, Numbers, Digests, Digests]]:
    """Texts (0) and attributes (from 1): their tags in regions, keys and digests of values."""
    tree = view.tree
    within = view.numbers >= 0
    texts = np.flatnonzero(tree.filled & within)
    owners = view.owners[texts]
    key = combine(nodes[owners], view.text_numbers[texts].astype(np.uint64))
    found = [(0, texts, key, tree.slots[texts])]
    of_tag = (
        np.searchsorted(tree.attributes_from, np.arange(len(tree.attribute_names)), "right") - 1
    )
    for number, name in enumerate(ATTRIBUTES, 1):
        digest = np.uint64(name_digest(name))
        index = np.flatnonzero((tree.attribute_names == digest) & within[of_tag])
        index = index[tree.attribute_values[index] != 0]
        tags = of_tag[index]
        key = combine(nodes[tags], np.full(len(tags), digest))
        found.append((number, tags, key, tree.attribute_values[index]))
    return found


def _node_keys(view: View) -> Digests:
    """A key for each node: its way from the region, or from an element with a name."""
    tree = view.tree
    keys = np.zeros(tree.size + view.count, np.uint64)
    keys[tree.size :] = 1
    if view.regions.around:
        keys[view.regions.heads] = 1
    left = np.flatnonzero((view.numbers >= 0) & tree.is_element)
    left = left[keys[left] == 0]
    names = name_keys(view)
    own = names[left] != 0
    keys[left[own]] = names[left[own]]
    left = left[~own]
    for _ in range(DEPTH):
        ready = keys[view.parents[left]] != 0
        now = left[ready]
        if not len(now):
            break
        step = combine(tree.names[now], view.places[now].astype(np.uint64))
        keys[now] = combine(keys[view.parents[now]], step)
        left = left[~ready]
    return keys


def name_keys(view: View) -> Digests:
    """For elements with an attribute that names them in their region, its digest; else 0."""
    tree = view.tree
    keys = np.zeros(tree.size, np.uint64)
    of_tag = (
        np.searchsorted(tree.attributes_from, np.arange(len(tree.attribute_names)), "right") - 1
    )
    for name in NAMING:
        digest = np.uint64(name_digest(name))
        index = np.flatnonzero((tree.attribute_names == digest) & (view.numbers[of_tag] >= 0))
        if not len(index):
            continue
        tags = of_tag[index]
        key = combine(tree.names[tags], tree.attribute_values[index])
        kinds, place = np.unique(key, return_inverse=True)
        pairs = np.stack([place, view.numbers[tags]])
        unique, counts = np.unique(pairs, axis=1, return_counts=True)
        most, regions = np.zeros(len(kinds), np.intp), np.bincount(unique[0])
        np.maximum.at(most, unique[0], counts)
        # A name says more than a place only if several regions have it, each once.
        good = (most == 1) & (regions > 1)
        keys[tags[good[place]]] = key[good[place]]
    return keys
