"""Marks in the structure of their page: at which tag each marked value stands."""

from collections.abc import Sequence
from typing import NamedTuple

from rowen._core import name_digest
from rowen.model import Span
from rowen.records import Example
from rowen.wrappers.region.tree import Tree


class Mark(NamedTuple):
    """A marked value: in an attribute of a tag, in the slot after it, or all of its element."""

    field: str
    start: int
    end: int
    tag: int
    attribute: str | None = None
    whole: bool = False

    def element(self, tree: Tree) -> int:
        """The innermost element that the value is in."""
        return self.tag if self.attribute or self.whole else int(tree.owners[self.tag])

    def bounds(self, tree: Tree) -> tuple[int, int]:
        """Of the whole text, attribute or element that the value is in."""
        if self.whole:
            return self.start, self.end
        if self.attribute:
            return tree.attribute(self.tag, name_digest(self.attribute)) or (self.start, self.end)
        return int(tree.slot_starts[self.tag]), int(tree.slot_ends[self.tag])


class MarkedRecord(NamedTuple):
    """A marked record: its values, and the fields that are known to be missing."""

    page: int
    marks: tuple[Mark, ...]
    missing: frozenset[str]


def read_marks(examples: Sequence[Example], trees: Sequence[Tree]) -> list[MarkedRecord] | None:
    """The marked records of all pages; None where a value is not at a place of the structure."""
    records = []
    for page, (example, tree) in enumerate(zip(examples, trees, strict=True)):
        for record in example.records:
            marks: list[Mark] = []
            missing = set()
            if record.children:
                return None
            for name, spans in record.items():
                if not spans:
                    missing.add(name)
                for span in spans:
                    mark = place_mark(tree, name, span)
                    if mark is None:
                        return None
                    marks.append(mark)
            if marks:
                records.append(MarkedRecord(page, tuple(marks), frozenset(missing)))
    return records


def place_mark(tree: Tree, field: str, span: Span) -> Mark | None:
    """The tag at which a value stands."""
    tag = tree.tag_at(span.start)
    if span.start < tree.ends[tag]:
        for index in range(tree.attributes_from[tag], tree.attributes_from[tag + 1]):
            if tree.value_starts[index] <= span.start and span.end <= tree.value_ends[index]:
                name = _attribute_name(tree, index)
                return Mark(field, span.start, span.end, tag, attribute=name)
        return None
    if span.end <= tree.start_of(tag + 1):
        return Mark(field, span.start, span.end, tag)
    # Over several tags: the element that has just this content.
    element = int(tree.owners[tag])
    while element:
        if tree.content(element) == (span.start, span.end):
            return Mark(field, span.start, span.end, element, whole=True)
        if tree.closes[element] < tree.size and tree.start_of(int(tree.closes[element])) > span.end:
            return None
        element = int(tree.parents[element])
    return None


def _attribute_name(tree: Tree, index: int) -> str:
    names = tree.attribute_bounds
    return tree.text[names[index, 0] : names[index, 1]].lower()
