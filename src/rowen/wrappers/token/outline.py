"""The outline of a page: its tags, and the slots of text between them, as columns of numbers."""

import re
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen._core import cell_places, html_outline, name_digest

Tags = NDArray[np.intp]
Flags = NDArray[np.bool_]

END = 1 << 63
"""This bit in a name's digest says that it is an end tag."""

OTHERS = 16
"""Digests below this are the page's start, comments and doctypes."""

_SPAN = re.compile("(?:row|col)span", re.IGNORECASE)
_CELLS = np.array([name_digest("td"), name_digest("th")], np.uint64)


class Pair(NamedTuple):
    """An attribute as digests of its name and its value."""

    name: int
    value: int


class Outline:
    """A page's tags and slots; tag 0 is the page's start, slot i follows tag i.

    Digests, offsets and nesting are described in `html_outline.hpp`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.native = html_outline(text)
        """The same as the native code takes it."""
        (
            self.names,
            self.starts,
            self.ends,
            self.slot_starts,
            self.slot_ends,
            self.parents,
            self.closes,
            self.attributes_from,
            attributes,
        ) = self.native.columns()
        self.slots, self.attribute_names, self.attribute_values = self.native.digests()
        self.value_starts, self.value_ends = attributes[2::4], attributes[3::4]
        self.size = len(self.names)
        counts = np.diff(self.attributes_from)
        self.tags_of_attributes = np.repeat(np.arange(self.size), counts)
        self._full = np.flatnonzero(self.slots)
        self._having: dict[Pair, Flags] = {}

    @cached_property
    def places(self) -> Tags:
        """The place of each start tag among those of its name in the element around it, from 1.

        Cells of tables count as they stand in the grid of their table.
        """
        # Sorted by parent and name, the tags of one kind follow each other in page order: the
        # place of each is its distance from the first of its kind.
        order = np.lexsort((self.names, self.parents))
        names, parents = self.names[order], self.parents[order]
        fresh = np.ones(self.size, bool)
        fresh[1:] = (names[1:] != names[:-1]) | (parents[1:] != parents[:-1])
        along = np.arange(self.size)
        places = np.empty(self.size, np.intp)
        places[order] = along - np.maximum.accumulate(np.where(fresh, along, 0)) + 1
        # Without cells that span something, the grid counts no other way.
        if _SPAN.search(self.text):
            cells = np.flatnonzero(np.isin(self.names, _CELLS))
            places[cells] = cell_places(self.native)[cells]
        return places

    def having(self, pair: Pair) -> Flags:
        """Which tags have that attribute with that value."""
        # Learning asks for the same pairs again and again.
        if pair not in self._having:
            same = (self.attribute_names == np.uint64(pair.name)) & (
                self.attribute_values == np.uint64(pair.value)
            )
            tags = np.zeros(self.size, bool)
            tags[self.tags_of_attributes[same]] = True
            self._having[pair] = tags
        return self._having[pair]

    def pairs(self, tag: int) -> frozenset[Pair]:
        """All attributes of a tag."""
        own = slice(self.attributes_from[tag], self.attributes_from[tag + 1])
        names, values = self.attribute_names[own], self.attribute_values[own]
        return frozenset(map(Pair, names.tolist(), values.tolist()))

    def attribute(self, tag: int, name: int) -> tuple[int, int] | None:
        """The bounds of the value of a tag's first attribute of that name."""
        for index in range(self.attributes_from[tag], self.attributes_from[tag + 1]):
            if self.attribute_names[index] == np.uint64(name) and self.value_starts[index] >= 0:
                return int(self.value_starts[index]), int(self.value_ends[index])
        return None

    def slot(self, tag: int) -> tuple[int, int]:
        """The whole slot after a tag, white space included."""
        return int(self.ends[tag]), self.start_of(tag + 1)

    def content(self, tag: int) -> tuple[int, int] | None:
        """From the first to the last text of the element of a start tag; None without text."""
        first, last = np.searchsorted(self._full, (tag, self.closes[tag]))
        if first == last:
            return None
        return int(self.slot_starts[self._full[first]]), int(self.slot_ends[self._full[last - 1]])

    def start_of(self, tag: int) -> int:
        """Where a tag starts; the page's end for the one after the last."""
        return int(self.starts[tag]) if tag < self.size else len(self.text)

    def tag_at(self, offset: int) -> int:
        """The last tag that starts at or before an offset."""
        return int(np.searchsorted(self.starts, offset, side="right")) - 1

    def is_start(self, tag: int) -> bool:
        """Whether it is a start tag."""
        name = int(self.names[tag])
        return OTHERS <= name < END

    def ends_element(self, tag: int, end: int) -> bool:
        """Whether a tag is the end tag of the element around the slot after another one."""
        if end >= self.size:
            return False
        opens = self.is_start(tag) and self.names[self.closes[tag] % self.size] == ~self.names[tag]
        around = tag if opens else int(self.parents[tag])
        return int(self.closes[around]) == end

    def ancestors(self, tag: int) -> list[int]:
        """The elements around the slot after a tag, innermost first, without the page itself."""
        around = []
        within = tag if self.is_start(tag) and self.closes[tag] > tag + 1 else self.parents[tag]
        while within:
            around.append(int(within))
            within = self.parents[within]
        return around

    def depth(self, tag: int) -> int:
        """How many elements are around a tag."""
        depth = 0
        while tag:
            tag = int(self.parents[tag])
            depth += 1
        return depth
