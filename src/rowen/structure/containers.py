"""Which regions are in other parts of a page than the marked records.

    <table id="arrivals"><tr>...     <table id="departures"><tr>...     marked: a row of the second
    <ul id="year-2025"><li>...       <ul id="year-2026"><li>...         parts of one list

Elements around a region with another id, or without any class in common, make another part. Digits
don't count: they number parts of the same kind.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rowen._core import name_digest
from rowen.wrappers.region.tree import Tree

LEVELS = 4
"""Limit: so many elements around a region are compared."""

_DIGITS = re.compile(r"\d+")
_ID, _CLASS = name_digest("id"), name_digest("class")


class Names(NamedTuple):
    """What an element is called."""

    id: str
    classes: frozenset[str]

    def is_other(self, marked: Sequence["Names"]) -> bool:
        """Whether it is called otherwise than the elements around all marked records."""
        return not any(self.id == other.id and self._shares(other) for other in marked)

    def _shares(self, other: "Names") -> bool:
        return bool(self.classes & other.classes) or not (self.classes and other.classes)


def names_around(tree: Tree, parent: int) -> tuple[Names, ...]:
    """The names of the elements around a region, from the one that it is in."""
    names: list[Names] = []
    element = parent
    while element and len(names) < LEVELS:
        names.append(names_of(tree, element))
        element = int(tree.parents[element])
    return tuple(names)


def names_of(tree: Tree, element: int) -> Names:
    """What an element is called."""
    return Names(_text(tree, element, _ID), frozenset(_text(tree, element, _CLASS).split()))


def _text(tree: Tree, tag: int, name: int) -> str:
    bounds = tree.attribute(tag, name)
    return "" if bounds is None else _DIGITS.sub("", tree.text[slice(*bounds)])


def is_elsewhere(around: Sequence[Names], marked: Sequence[Sequence[Names]]) -> bool:
    """Whether a region is in another part of its page than all marked records."""
    return any(
        names.is_other([other[level] for other in marked if level < len(other)])
        for level, names in enumerate(around)
        if any(level < len(other) for other in marked)
    )
