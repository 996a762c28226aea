"""A page's elements as columns of numbers: what is open, what owns a text, where regions lie.

The nesting is that of the outline, which follows the source. Tag 0 is the page; slot i is the text
after tag i, and its owner is the element that the text is directly in:

    <td>No. <b>12</b> of 1987</td>      owner of "No. " and "of 1987": <td>; of "12": <b>
"""

from collections.abc import Hashable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen._core import name_digest
from rowen.wrappers.token.outline import END, OTHERS, Flags, Outline, Tags

VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param")
VOID_RARE = ("source", "track", "wbr")
UNSEEN = ("script", "style", "template", "noscript")
"""Elements whose texts nobody reads."""
STRUCK = ("del", "s", "strike")
"""Elements whose texts no longer hold: old prices."""

Numbers = NDArray[np.intp]

_SPANS = np.array([name_digest("rowspan"), name_digest("colspan")], np.uint64)
_CELLS = np.array([name_digest("td"), name_digest("th")], np.uint64)

IMPLIED = {
    "tr": (("tr",), ("table",)),
    "td": (("td", "th"), ("tr", "table")),
    "th": (("td", "th"), ("tr", "table")),
    "tbody": (("tbody", "thead", "tfoot"), ("table",)),
    "thead": (("tbody", "thead", "tfoot"), ("table",)),
    "tfoot": (("tbody", "thead", "tfoot"), ("table",)),
    "li": (("li",), ("ul", "ol", "menu")),
    "dt": (("dt", "dd"), ("dl",)),
    "dd": (("dt", "dd"), ("dl",)),
    "option": (("option",), ("select",)),
    "p": (("p",), ("td", "th", "li", "div", "table", "body")),
}
"""Start tags that end open elements, as HTML has it: which ones, and how far out they look."""

REACH = 64
"""Limit: so many open elements are looked at for the one that a tag ends; keeps hostile pages
linear, as in the native outline."""


class Tree(Outline):
    """An outline with the owners of its texts.

    Where end tags are left out, elements end as HTML says: a row ends the row before it with all of
    its cells, which the outline does not know.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        lacks_ends = self._lacks_ends()
        if lacks_ends:
            self.parents, self.closes = self._nested()
        self.has_grid = not lacks_ends and bool(np.isin(self.attribute_names, _SPANS).any())
        """Whether cells span rows or columns, so that they count as they are in the grid of their
        table. Without end tags the grid is not known."""

    def _lacks_ends(self) -> bool:
        for name in IMPLIED:
            start = np.uint64(name_digest(name))
            if (self.names == start).sum() != (self.names == ~start).sum():
                return True
        return False

    def _nested(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Parents and closes of all tags, tag by tag: only pages without end tags need it."""
        implied = {
            name_digest(name): tuple(frozenset(map(name_digest, names)) for names in pair)
            for name, pair in IMPLIED.items()
        }
        names, opens = self.names.tolist(), self.is_open.tolist()
        parents, closes = [0] * self.size, list(range(1, self.size + 1))
        stack: list[int] = [0]

        def end(count: int, tag: int) -> None:
            for _ in range(count):
                closes[stack.pop()] = tag

        for tag in range(1, self.size):
            name = names[tag]
            if name >= END:
                sought, scope = frozenset((name ^ (2 * END - 1),)), frozenset[int]()
            else:
                sought, scope = implied.get(name, (frozenset(), frozenset()))
            if sought:
                for count, outer in enumerate(reversed(stack[1:][-REACH:]), 1):
                    if names[outer] in sought:
                        end(count, tag)
                        break
                    if names[outer] in scope:
                        break
            parents[tag] = stack[-1]
            if opens[tag]:
                stack.append(tag)
        end(len(stack), self.size)
        return np.array(parents, np.int32), np.array(closes, np.int32)

    @cached_property
    def attribute_bounds(self) -> Tags:
        """Where the name and the value of each attribute start and end."""
        return self.native.columns()[-1].reshape(-1, 4).astype(np.intp)

    def values_of(self, name: int, tags: Tags) -> tuple[Tags, Tags]:
        """The bounds of the values of the first attribute of that name; empty without one."""
        having = np.flatnonzero(
            (self.attribute_names == np.uint64(name)) & (self.value_starts >= 0)
        )
        first = np.full(self.size, -1, np.intp)
        owners = np.searchsorted(self.attributes_from, having, side="right") - 1
        first[owners[::-1]] = having[::-1]  # from the last to the first, so that the first stays
        index = first[tags]
        there = index >= 0
        return (
            np.where(there, self.value_starts[index], 0) if len(self.value_starts) else tags * 0,
            np.where(there, self.value_ends[index], 0) if len(self.value_ends) else tags * 0,
        )

    def contents_of(self, tags: Tags) -> tuple[Tags, Tags]:
        """From the first to the last text of the elements of start tags; empty without text."""
        full = self._full
        if not len(full):
            return tags * 0, tags * 0
        first, last = np.searchsorted(full, tags), np.searchsorted(full, self.closes[tags]) - 1
        there = first <= last
        starts = self.slot_starts[full[np.minimum(first, len(full) - 1)]]
        ends = self.slot_ends[full[last]]
        return np.where(there, starts, 0), np.where(there, ends, 0)

    @cached_property
    def is_element(self) -> Flags:
        """Which tags are start tags."""
        return (self.names >= OTHERS) & (self.names < np.uint64(END))

    @cached_property
    def is_open(self) -> Flags:
        """Which start tags open an element that can hold something."""
        void = np.array([name_digest(name) for name in (*VOID, *VOID_RARE)], np.uint64)
        opens = self.is_element & ~np.isin(self.names, void)
        # `<x/>` is closed at once, as the outline has it.
        short = np.flatnonzero(opens & (self.closes == np.arange(self.size) + 1))
        ends = self.ends[short]
        opens[short] = [self.text[end - 2] != "/" for end in ends.tolist()]
        opens[0] = True
        return opens

    @cached_property
    def owners(self) -> Tags:
        """The element that each slot is directly in."""
        along = np.arange(self.size)
        return np.where(self.is_open, along, self.parents).astype(np.intp)

    @cached_property
    def filled(self) -> Flags:
        """Which slots have a text that somebody may read."""
        unseen = np.array([name_digest(name) for name in UNSEEN], np.uint64)
        is_unseen = self.is_element & np.isin(self.names, unseen)
        filled: Flags = (self.slots != 0) & ~is_unseen
        return filled

    @cached_property
    def struck(self) -> Flags:
        """Which slots are in elements whose text is struck out."""
        names = np.array([name_digest(name) for name in STRUCK], np.uint64)
        heads = np.flatnonzero(self.is_element & np.isin(self.names, names))
        change = np.zeros(self.size + 1, np.intp)
        np.add.at(change, heads, 1)
        np.add.at(change, np.minimum(self.closes[heads], self.size), -1)
        return np.cumsum(change)[:-1] > 0

    @cached_property
    def starts_of_ends(self) -> Tags:
        """For each end tag that closes an element the element's start tag; else the tag itself."""
        opened = np.arange(self.size)
        starts = np.flatnonzero(self.is_open)
        starts = starts[starts > 0]
        closing = self.closes[starts]
        inside = closing < self.size
        starts, closing = starts[inside], closing[inside]
        # Only the tag that names the element closes it; others end it by the way.
        same = self.names[closing] == ~self.names[starts]
        opened[closing[same]] = starts[same]
        return opened


class Regions(NamedTuple):
    """Disjoint regions of a page: the first tag of each, the tag after its last, and whether the
    first tag is around the region or only at its beginning.

    Of `lines` the first tag is what they come after: a separator, or the start tag of the element
    that they are in.
    """

    heads: Tags
    ends: Tags
    around: bool
    lines: bool = False

    def parents(self, tree: "Tree") -> Tags:
        """The element around each region."""
        parents = tree.parents[self.heads].astype(np.intp)
        return np.where(tree.is_open[self.heads], self.heads, parents) if self.lines else parents

    def roots(self, tree: "Tree") -> Tags:
        """The element that each region's tags are directly in."""
        return self.heads if self.around else self.parents(tree)


class View:
    """A page seen from its regions: each is a root, and places are counted within it.

    Nodes are the page's tags, and after them one for each region (`size + number`). Where a region
    is an element its node stands for that element; where it is a stretch of siblings, for all of
    them together.
    """

    def __init__(self, tree: Tree, regions: Regions) -> None:
        self.tree = tree
        self.regions = regions
        self.count = len(regions.heads)
        self.reached: dict[Hashable, Flags] = {}
        """By steps from the regions: the nodes at their ends, as far as somebody has asked."""
        size = tree.size
        along = np.arange(size)
        number = np.searchsorted(regions.heads, along, side="right") - 1
        within = number >= 0
        clipped = np.maximum(number, 0)
        if self.count:
            within &= along < regions.ends[clipped]
        self.numbers: Numbers = np.where(within, number, -1)
        """The region of each tag, or -1."""
        if not self.count:
            self.parents = tree.parents.astype(np.intp)
            self.owners = tree.owners
            return
        heads = regions.heads[clipped]
        roots = regions.roots(tree)[clipped]
        self.parents = np.where(
            within & (tree.parents == roots) & ~(regions.around & (along == heads)),
            size + clipped,
            tree.parents,
        ).astype(np.intp)
        self.owners = np.where(within & (tree.owners == roots), size + clipped, tree.owners)

    @cached_property
    def places(self) -> Numbers:
        """The place of each start tag among those of its name in the node around it, from 1.

        Cells of a table in which some span others count as they are in its grid, except where a
        region begins within a row.
        """
        tree = self.tree
        places = ranks(tree.names, self.parents)
        if tree.has_grid:
            counted = (self.parents == tree.parents) | self.regions.around
            cells = np.flatnonzero(np.isin(tree.names, _CELLS) & counted)
            places[cells] = tree.places[cells]
        return places

    @cached_property
    def text_numbers(self) -> Numbers:
        """The number of each text among those of its owner, from 1; 0 where there is none."""
        numbers = np.zeros(self.tree.size, np.intp)
        full = np.flatnonzero(self.tree.filled)
        numbers[full] = ranks(self.owners[full])
        return numbers

    def bounds(self, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """The first tag inside each node, and the tag after its last.

        Slot i is the text after tag i, so for the texts of an element its own tag is the first.
        """
        tree, heads, ends = self.tree, self.regions.heads, self.regions.ends
        roots = nodes >= tree.size
        numbers = np.where(roots, nodes - tree.size, 0)
        tags = np.where(roots, 0, nodes)
        starts = np.where(roots, heads[numbers], tags)
        return starts, np.where(roots, ends[numbers], tree.closes[tags])


def ranks(*keys: NDArray[np.generic]) -> Numbers:
    """The number of each row among those with the same keys, from 1, in order."""
    count = len(keys[0])
    order = np.lexsort(keys)
    fresh = np.ones(count, bool)
    fresh[1:] = np.logical_or.reduce([key[order][1:] != key[order][:-1] for key in keys])
    along = np.arange(count)
    numbers = np.empty(count, np.intp)
    numbers[order] = along - np.maximum.accumulate(np.where(fresh, along, 0)) + 1
    return numbers


def lines_between(tree: Tree, separators: Numbers, *, whole: bool) -> Regions:
    """The lines of all elements with some of the separators, such as `<br>`, or the `whole`
    paragraphs of them.

        <p>Ada, 1815<br>Alan, 1912<br><br>Grace, 1906</p>

        lines          Ada, 1815    Alan, 1912    Grace, 1906
        paragraphs     Ada, 1815 and Alan, 1912; Grace, 1906

    Each begins after its first tag: the start tag of the element around it, or a separator. What
    has no text is no line; it ends a paragraph.
    """
    around = tree.parents[separators].astype(np.intp)
    parents = np.unique(around)
    heads = np.concatenate([parents, separators])
    owners = np.concatenate([parents, around])
    order = np.lexsort((heads, owners))
    heads, owners = heads[order], owners[order]
    ends = tree.closes[owners].astype(np.intp)
    same = owners[1:] == owners[:-1]
    ends[:-1][same] = heads[1:][same]
    texts = np.concatenate([[0], np.cumsum(tree.filled)])
    has_text = texts[ends] > texts[heads]
    if whole and len(heads):
        # A line with text right after another one of the same element belongs to its paragraph.
        is_first = has_text.copy()
        is_first[1:] &= ~(has_text[:-1] & same)
        is_last = has_text.copy()
        is_last[:-1] &= ~(has_text[1:] & same)
        heads, ends = heads[is_first], ends[is_last]
    else:
        heads, ends = heads[has_text], ends[has_text]
    order = np.argsort(heads)
    heads, ends = heads[order], ends[order]
    # What begins before the end of a region is inside it: then the region is around other lines.
    following = np.append(heads[1:], tree.size)
    inner = following >= ends
    return Regions(heads[inner].astype(np.intp), ends[inner], around=False, lines=True)
