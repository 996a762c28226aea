"""Values whose names say that they belong to another field.

    <dt>Salary</dt><dd>40,000</dd><dt>Start</dt><dd>1 May</dd>      marked: 40,000 is the salary
    <dt>Start</dt><dd>2 June</dd>                                   no salary: 2 June is none

A value is named by a label before it, or else by the class of its element. A region where the name
of the marked value is missing lacks the field, if the value at its place has another name of the
marked record.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rowen.structure.containers import names_of
from rowen.structure.marks import MarkedRecord
from rowen.wrappers.region.spot import tag_name
from rowen.wrappers.region.tree import View

LABELS = ("dt", "th", "label", "b", "strong")
"""Elements whose text names what comes after it."""

LONGEST_LABEL = 40
"""A longer text is no label."""

LEVELS = 3
"""An element is named by its own class or that of one of so many elements around it."""


class Name(NamedTuple):
    """What a value is called: by a label, or by a class."""

    text: str
    is_label: bool


class Naming:
    """The names of the values in marked records."""

    def __init__(self, views: Sequence[View], placed: Sequence[tuple[MarkedRecord, int]]) -> None:
        self._views = views
        self._placed = placed
        self._counted: dict[tuple[int, int], Counter[Name]] = {}
        self._marked: dict[str, frozenset[Name]] = {}

    def is_of_another(self, field: str, page: int, number: int, start: int) -> bool:
        """Whether the value that starts there, in a region of a page, belongs to another field."""
        own = self._names_of(field)
        name = _name_at(self._views[page], start) if own else None
        if name is None or name in own or name not in self._known:
            return False
        counted = self._names_in(page, number)
        if own & counted.keys():
            return False
        # Classes may also say how a value is: won, lost. Then others of them come in its place.
        return name.is_label or counted <= self._known

    def is_label_of(self, field: str, text: str) -> bool:
        """Whether a text is the label of a marked value of a field."""
        return Name(_squeezed(text), is_label=True) in self._names_of(field)

    def _names_of(self, field: str) -> frozenset[Name]:
        """What the marked values of a field are called; nothing if one of them has no name."""
        if field not in self._marked:
            names = {
                _name_at(self._views[record.page], mark.start)
                for record, _ in self._placed
                for mark in record.marks
                if mark.field == field
            }
            self._marked[field] = frozenset(name for name in names if name and None not in names)
        return self._marked[field]

    @cached_property
    def _known(self) -> Counter[Name]:
        """How often each name is in a marked record, at most."""
        known: Counter[Name] = Counter()
        for record, number in self._placed:
            known |= self._names_in(record.page, number)
        return known

    def _names_in(self, page: int, number: int) -> Counter[Name]:
        """The names of all texts in a region."""
        key = (page, number)
        if key not in self._counted:
            view = self._views[page]
            first, end = int(view.regions.heads[number]), int(view.regions.ends[number])
            tags = first + np.flatnonzero(view.tree.filled[first:end])
            names = (_name_at(view, int(view.tree.slot_starts[tag])) for tag in tags)
            self._counted[key] = Counter(name for name in names if name)
        return self._counted[key]


def _name_at(view: View, start: int) -> Name | None:
    """The name of the text that starts at an offset; None in a tag, or where it has none."""
    tree = view.tree
    tag = tree.tag_at(start)
    if start < tree.ends[tag]:
        return None
    return _label(view, tag) or _class(view, tag)


def _label(view: View, tag: int) -> Name | None:
    """The text before a text in the same region, if it is there to name it."""
    tree = view.tree
    before = tag - 1
    while before >= 0 and not tree.filled[before]:
        before -= 1
    if before < 0 or view.numbers[before] != view.numbers[tag]:
        return None
    text = _squeezed(tree.text[tree.slot_starts[before] : tree.slot_ends[before]])
    element, named = (tag_name(tree, int(tree.owners[at])) for at in (before, tag))
    is_label = element in LABELS and named not in LABELS
    if not 0 < len(text) <= LONGEST_LABEL or not (is_label or text.endswith((":", "\uff1a"))):
        return None
    return Name(text, is_label=True)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _class(view: View, tag: int) -> Name | None:
    """The element around a text by its class, or the one around that, within the region."""
    tree = view.tree
    element = int(view.owners[tag])
    for _ in range(LEVELS):
        if not 0 < element < tree.size:
            return None
        if classes := names_of(tree, element).classes:
            return Name(" ".join([tag_name(tree, element), *sorted(classes)]), is_label=False)
        element = int(view.parents[element])
    return None
