"""The groups of regions of pages, without any mark: elements of the same path that repeat.

    <table><tr><td>Ada<td>36 <tr><td>Bob<td>41</table>     html/body/table/tr: two regions
                                                           html/body/table/tr/td: four

Elements with the same names on the way from the page to them form a group. It is a candidate where
some of them are siblings, or where each page has one. All groups of a page are found in one pass
per level of the page's nesting.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.structure.patterns import way_to
from rowen.wrappers.region.tree import Numbers, Tree
from rowen.wrappers.region.wrapper import Pattern

DEPTH = 200
"""Limit: elements nested deeper are in no group."""

LEAST = 3
"""So many siblings make a group."""

GROUPS = 60
"""Limit: at most this many groups are looked at closely, those with the most text."""

Digests = NDArray[np.uint64]


class Found(NamedTuple):
    """A group: its pattern, and how many characters of text its regions have."""

    pattern: Pattern
    characters: int


def path_digests(tree: Tree) -> Digests:
    """A digest of the names on the way to each element; 0 for what is no element."""
    paths = np.zeros(tree.size, np.uint64)
    paths[0] = 1
    left = np.flatnonzero(tree.is_element & tree.is_open)
    left = left[left > 0]
    # Level by level: the digest of an element follows from that of the element around it.
    for _ in range(DEPTH):
        ready = paths[tree.parents[left]] != 0
        now = left[ready]
        if not len(now):
            break
        paths[now] = combine(paths[tree.parents[now]], tree.names[now])
        left = left[~ready]
    return paths


def combine(first: Digests, second: Digests) -> Digests:
    """A digest of two, never 0."""
    with np.errstate(over="ignore"):
        mixed = (first ^ (second + np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
        return (mixed ^ (mixed >> np.uint64(29))) | np.uint64(1)


def find_groups(trees: Sequence[Tree]) -> list[Found]:
    """The groups of pages of one site, those with the most text first."""
    texts: dict[int, int] = {}
    patterns: dict[int, Pattern] = {}
    pages: dict[int, int] = {}
    for tree in trees:
        paths = path_digests(tree)
        elements = np.flatnonzero(paths > 1)
        if not len(elements):
            continue
        characters = _characters(tree)
        inside = characters[tree.closes[elements]] - characters[elements]
        kinds, first, place = np.unique(paths[elements], return_index=True, return_inverse=True)
        totals = np.bincount(place, weights=inside).astype(np.intp)
        most = _most_siblings(tree, elements, place, len(kinds))
        for number, kind in enumerate(kinds.tolist()):
            pages[kind] = pages.get(kind, 0) + 1
            is_one = len(trees) > 1 and pages[kind] == len(trees)
            if totals[number] and (most[number] >= LEAST or kind in patterns or is_one):
                texts[kind] = texts.get(kind, 0) + int(totals[number])
                if kind not in patterns:
                    patterns[kind] = way_to(tree, int(elements[first[number]]), "element")
    ranked = sorted(patterns, key=lambda kind: texts[kind], reverse=True)
    best = dict.fromkeys(patterns[kind] for kind in ranked)
    by_pattern = {patterns[kind]: texts[kind] for kind in reversed(ranked)}
    return [Found(pattern, by_pattern[pattern]) for pattern in list(best)[:GROUPS]]


def _characters(tree: Tree) -> Numbers:
    """How many characters of text there are before each tag, and in all."""
    lengths = np.where(tree.filled, tree.slot_ends - tree.slot_starts, 0)
    return np.concatenate([[0], np.cumsum(lengths)])


def _most_siblings(tree: Tree, elements: Numbers, place: Numbers, count: int) -> Numbers:
    """For each kind of element, how many are in the same element at the most."""
    pairs = np.stack([place, tree.parents[elements]])
    unique, counts = np.unique(pairs, axis=1, return_counts=True)
    most = np.zeros(count, np.intp)
    np.maximum.at(most, unique[0], counts)
    return most
