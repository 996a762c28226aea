"""The region class: records are regions of the same shape, fields are places inside them.

Not a class of the thesis. A region is an element, a stretch of siblings that begins with one, or
what is between two of them:

    <ul><li><b>Ada</b> <i>1815</i></li> <li><b>Alan</b></li></ul>        element: each <li> in <ul>
    <dl><dt>Ada</dt><dd>1815</dd> <dt>Alan</dt><dd>1912</dd></dl>        stretch: from each <dt> on
    <p>Ada, <i>1815</i><br>Alan, <i>1912</i></p>                         line: between each <br>

A paragraph is several lines, up to an empty one.

`record` says what is around a region: the names and attributes of the elements on the way to it,
innermost last. Each field is looked for inside its region only, so that fields never take a value
of the next record; fields that are not there are missing. Of several rules of a field, the first
that finds something in a region counts there. A region is a record where at least half of the
`required` fields are in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records import Record
from rowen.records.records import Rows
from rowen.wrappers.base import Failure
from rowen.wrappers.region.part import Part
from rowen.wrappers.region.spot import Spot, Step
from rowen.wrappers.region.tree import Regions, Tree, View, lines_between
from rowen.wrappers.region.trees import TREES
from rowen.wrappers.ruled import WrapperOfRules
from rowen.wrappers.token.outline import Flags, Tags

Reach = Literal["element", "stretch", "line", "paragraph"]
Cell: TypeAlias = tuple[tuple[int, int], ...]
"""The bounds of the values of a field in a region."""


@dataclass(frozen=True)
class Pattern:
    """The way to a region: elements from the outside to its first tag, and how far it reaches."""

    path: tuple[Step, ...]
    reach: Reach = "element"

    def find(self, tree: Tree) -> Regions:
        """The regions of a page; of regions inside others the outer ones count, of lines the inner
        ones: what holds other lines is none.
        """
        heads = self._matching(tree)
        if self.reach in ("line", "paragraph"):
            return lines_between(tree, heads, whole=self.reach == "paragraph")
        if self.reach == "element":
            ends = tree.closes[heads]
        else:
            ends = tree.closes[tree.parents[heads]].copy()
            # The next head of the same parent ends a stretch.
            order = np.argsort(tree.parents[heads], kind="stable")
            sorted_heads = heads[order]
            same = tree.parents[sorted_heads][1:] == tree.parents[sorted_heads][:-1]
            ends[order[:-1][same]] = sorted_heads[1:][same]
        # Heads are in page order: a head before the furthest end so far is inside another region.
        reached = np.maximum.accumulate(ends) if len(ends) else ends
        outer = np.ones(len(heads), bool)
        outer[1:] = heads[1:] >= reached[:-1]
        return Regions(
            heads[outer].astype(np.intp), ends[outer].astype(np.intp), self.reach == "element"
        )

    def _matching(self, tree: Tree) -> Tags:
        everything = View(tree, Regions(np.empty(0, np.intp), np.empty(0, np.intp), around=True))
        head = self.path[-1]
        tags = np.flatnonzero(head.matching(everything))
        above = tags
        for step in reversed(self.path[:-1]):
            above = tree.parents[above].astype(np.intp)
            fits = step.matching(everything)[above]
            tags, above = tags[fits], above[fits]
        return tags

    def __str__(self) -> str:
        return "/".join(map(str, self.path))


@dataclass(frozen=True)
class FieldRule:
    """Where a field stands in a region, and which part of the text there is its value."""

    spot: Spot
    part: Part

    def values(self, view: View, sample: Flags | None = None) -> Iterator[tuple[int, int, int]]:
        """Region, start and end of each value in all regions or some, in page order."""
        tags = self.spot.find(view)
        numbers = view.numbers[tags]
        within = numbers >= 0
        if sample is not None and len(sample):
            within &= sample[np.maximum(numbers, 0)]
        tags, numbers = tags[within], numbers[within]
        text, value = view.tree.text, self.part.value
        columns = (numbers, *self.spot.bounds(view, tags))
        for number, start, end in zip(*(column.tolist() for column in columns), strict=True):
            if (bounds := value(text, start, end)) is not None:
                yield number, *bounds

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        return {**self.spot.to_dict(), **self.part.to_dict()}

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "FieldRule":
        """A saved rule."""
        if not isinstance(saved, Mapping):
            raise definition.error("the rule of a field must be a table")
        return cls(Spot.from_saved(saved, definition), Part.from_saved(saved, definition))

    def __str__(self) -> str:
        return f"{self.spot}{self.part.describe()}"


def column_of(
    rules: Sequence[FieldRule], view: View, *, several: bool = False, sample: Flags | None = None
) -> list[Cell]:
    """The bounds of a field's values in each region; only in some with a `sample`."""
    column: list[Cell] = [()] * view.count
    for rule in rules:
        before = column.copy()
        for number, start, end in rule.values(view, sample):
            if not before[number] and (several or not column[number]):
                column[number] += ((start, end),)
    return column


def is_record(needed: Sequence[bool], *, required: bool) -> bool:
    """Whether a region is a record, by which of the needed fields it has: more than half of those
    that are required, or any where none is.
    """
    return any(needed) and 2 * sum(needed) > (len(needed) if required else 0)


class Region(WrapperOfRules[FieldRule, Pattern]):
    """Records as regions of the same shape; see the module."""

    wrapper_class = "region"

    def _run(self, page: Page) -> Rows | Iterator[Record]:
        """The records, in page order; fails where there is none."""
        tree = TREES.of(page.text)
        view = View(tree, self.record.find(tree))
        values = self.values(view)
        rows = [row for row in zip(*values, strict=True) if self._is_record(row)]
        if not rows:
            raise Failure("nothing on the page looks like a record")
        if not self.several:
            flat = [tuple(cell[0] if cell else (-1, -1) for cell in row) for row in rows]
            return Rows(page, self.fields, flat)
        return self._records(rows, page)

    def values(self, view: View) -> list[list[Cell]]:
        """For each field, the bounds of its values in each region."""
        return [
            column_of(self.rules[name], view, several=name in self.several) for name in self.fields
        ]

    def _is_record(self, row: Sequence[Cell]) -> bool:
        needed = [
            bool(cell)
            for name, cell in zip(self.fields, row, strict=True)
            if name in self.required or not self.required
        ]
        return is_record(needed, required=bool(self.required))

    def _save_record(self) -> dict[str, Any]:
        path = [step.to_list() for step in self.record.path]
        return {"path": path, "reach": self.record.reach}

    @classmethod
    def _read_record(cls, definition: Definition) -> Pattern:
        record = definition.get("record", Mapping)
        path, reach = record.get("path"), record.get("reach", "element")
        if not isinstance(path, list) or not path or reach not in get_args(Reach):
            raise definition.error(
                f"'record' needs a 'path', and reaches over one of {', '.join(get_args(Reach))}"
            )
        return Pattern(tuple(Step.from_saved(step, definition) for step in path), reach)

    @classmethod
    def _read_rule(cls, saved: object, definition: Definition) -> FieldRule:
        return FieldRule.from_saved(saved, definition)

    def _describe_record(self) -> str:
        match self.record.reach:
            case "element":
                return f"A record is each element {self.record}."
            case "stretch":
                return f"A record begins at each element {self.record}."
            case "line":
                return f"A record is what is between elements {self.record}: a line."
            case "paragraph":
                return f"A record is the lines between elements {self.record}, to an empty one."
