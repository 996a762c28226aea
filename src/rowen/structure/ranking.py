"""Which table of a page is the main one: much text that varies, in many records of one shape.

Menus, footers and forms repeat, too. They differ in four ways: nearly all of their text is in
links; their elements, or those around them, say what they are; they are the same on all pages; and
they have little text.
"""

import math
from collections.abc import Sequence

import numpy as np

from rowen.structure.columns import Place
from rowen.structure.surroundings import in_links, is_around
from rowen.wrappers.region.spot import tag_name
from rowen.wrappers.region.tree import Numbers, View

RECORDS = 100
"""More records than this don't make a table better."""

COLUMNS = 10
"""More columns than this don't make a table better."""

SINGLE = 0.6
"""What the first column of a table counts less: any text makes one."""

LEAST = 0.1
"""What the columns of a table count at least."""

OF_ATTRIBUTE = 0.3
"""What a column counts that is an attribute: a link has one for each text."""

IN_LINKS = 0.3
"""What a table counts whose text is all in links."""

AROUND = 0.3
"""What a table counts in elements whose parts are rarely data, and a table of single cells."""

SAME = 0.2
"""What a table counts that is the same on all pages."""

CHOICE = 0.02
"""What a table counts of what a form lets people choose from."""

CELLS = ("td", "th", "dt", "dd")
CHOICES = ("option", "optgroup", "select", "label")
SHARE_BASE = 0.15
"""What a table without text would count; all of the pages' text counts 1 more."""

KNOWN = 0.3
"""What text counts that is in a table already."""

LEVELS = 12
"""Limit: so many elements around a region are looked at for such words."""


def score(views: Sequence[View], places: Sequence[Place]) -> float:
    """How much a group with these columns looks like the table that somebody wants."""
    filled = [place.filled for place in places if not (place.is_part or place.is_run)]
    worth = plain_score(sum(view.count for view in views), sum(map(_worth, places)), filled)
    worth *= 1 - (1 - IN_LINKS) * in_links_share(views)
    if _is_same(views):
        worth *= SAME
    return worth * _meaning(views)


def plain_score(count: int, columns: float, filled: Sequence[float]) -> float:
    """How much so many records and columns are worth, by the share of records with each column."""
    columns = max(min(columns, COLUMNS) - SINGLE, LEAST)
    return math.log2(1 + min(count, RECORDS)) * columns * _evenness(filled)


def worth_of(filled: float, varied: float) -> float:
    """What a column counts by how often it has a value and how much these vary."""
    return filled**2 * min(1.0, 0.3 + 2 * varied)


class Novelty:
    """How much of the pages' text is in regions, and in no table that was chosen before."""

    def __init__(self, lengths: Sequence[Numbers]) -> None:
        self._lengths = lengths
        self._new = [lengths.astype(float) for lengths in self._lengths]
        self._total = max(sum(int(lengths.sum()) for lengths in self._lengths), 1)

    def share(self, views: Sequence[View]) -> float:
        """The share of the pages' text that is in the regions."""
        pairs = zip(self._lengths, views, strict=True)
        return sum(int(own[view.numbers >= 0].sum()) for own, view in pairs) / self._total

    def of(self, views: Sequence[View]) -> float:
        """A factor: from the share of the text in the regions, and how much of it is new."""
        within = [view.numbers >= 0 for view in views]
        own = sum(int(n[i].sum()) for n, i in zip(self._lengths, within, strict=True))
        new = sum(float(n[i].sum()) for n, i in zip(self._new, within, strict=True))
        share = own / self._total * (1 - in_links_share(views))
        return (SHARE_BASE + share) * new / max(own, 1)

    def of_hidden(self, length: int, known: float) -> float:
        """The same factor for text beside that of the pages, of which a share is on them, too."""
        share = length / (length + self._total)
        return (SHARE_BASE + share) * (1 - known + known * KNOWN)

    def choose(self, views: Sequence[View]) -> None:
        """Count the text of regions as known from now on."""
        for lengths, view in zip(self._new, views, strict=True):
            lengths[view.numbers >= 0] *= KNOWN


def _worth(place: Place) -> float:
    if place.is_part or place.is_run:
        return 0.0
    worth = worth_of(place.filled, place.varied)
    return worth * (OF_ATTRIBUTE if place.spot.attribute else 1.0)


def _evenness(filled: Sequence[float]) -> float:
    """How much records are alike: the share of records that the columns of a value have."""
    return sum(share * share for share in filled) / max(sum(filled), 1e-9)


def in_links_share(views: Sequence[View]) -> float:
    """The share of the regions' text that is in links."""
    linked = total = 0
    for view in views:
        tree = view.tree
        lengths = np.where(tree.filled & (view.numbers >= 0), tree.slot_ends - tree.slot_starts, 0)
        linked += int(lengths[in_links(tree)].sum())
        total += int(lengths.sum())
    return linked / max(total, 1)


def _is_same(views: Sequence[View]) -> bool:
    """Whether each page has the same texts in its regions."""
    if len(views) < 2 or not all(view.count for view in views):
        return False
    values = {view.tree.slots[view.tree.filled & (view.numbers >= 0)].tobytes() for view in views}
    return len(values) == 1


def _meaning(views: Sequence[View]) -> float:
    """What a group counts by the names of its elements: cells, menus and forms are no records."""
    view = max(views, key=lambda view: view.count)
    tree, element = view.tree, int(view.regions.heads[0])
    name = tag_name(tree, element)
    worth = AROUND if name in CELLS else CHOICE if name in CHOICES else 1.0
    for _ in range(LEVELS):
        if not element or tag_name(tree, element) in ("body", "html"):
            break
        if is_around(tree, element):
            return worth * AROUND
        element = int(tree.parents[element])
    return worth
