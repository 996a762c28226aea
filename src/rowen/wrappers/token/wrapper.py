"""The token class: delimiters are sequences of generalised tags and texts.

*Records are bounded first.* `record` is a pattern of tags; a record reaches from each such tag to
the next one, or to the end of the element around it. Without it the page is one record.

*Fields are found inside their record*, each by its own rules, in any order. A rule has a landmark
for the tag before the value and a cut that takes the value out of the slot after that tag or out of
one of its attributes. A rule may first find a container by a landmark of its own, and then looks
inside that element only. What a rule finds in a record is all of its matches, the first, or the
last one. A field that had at most one value in every example takes its first match, and of links
and list items those beside it (in the same element). A field for which no rule finds anything is
missing, and that moves no other field.

A stretch is a record when at least half of the `required` fields are there (those that every
example has), or any field where none is required. It is none where it stands in an element with
several stretches of which none has all of them, while another element of the page has several that
do: that is another table.

Landmarks compare tags by name and by the attributes that all examples had in common, cells of
tables perhaps by their place in the row, and texts with white space counted as one; text that
differed between examples may be anything.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.definition import Definition
from rowen.model import Example, Page, Record, Span
from rowen.model.record import Spans
from rowen.model.records import Row, Rows
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Tag
from rowen.wrappers.token.outline import Flags, Outline, Tags

Take = Literal["all", "first", "last"]
Values: TypeAlias = list[tuple[int, int, int]]
"""Start, end and tag of each value."""
Offsets: TypeAlias = NDArray[np.intp]
_WHOLE = Cut()

MANY = 2
"""An element with so many complete records is a table."""


@dataclass(frozen=True)
class Boundary:
    """A tag that begins a record, and the element around it."""

    tag: Tag
    parent: Tag | None = None

    def find(self, outline: Outline) -> Tags:
        """The tags that begin records."""
        tags = self.tag.find(outline)
        if self.parent is None:
            return tags
        parents = outline.parents[tags]
        fitting: Flags = outline.names[parents] == np.uint64(self.parent.digest)
        for pair in self.parent.pairs:
            fitting &= outline.having(pair)[parents]
        beginning: Tags = tags[fitting]
        return beginning

    def stretches(self, outline: Outline) -> list[tuple[int, int]]:
        """From each such tag to the next one, or to the end of the element around it."""
        tags = self.find(outline)
        ends = outline.closes[outline.parents[tags]].astype(np.intp)
        if len(tags) > 1:
            ends[:-1] = np.minimum(ends[:-1], tags[1:])
        return list(zip(tags.tolist(), np.maximum(ends, tags + 1).tolist(), strict=True))


@dataclass(frozen=True)
class Rule:
    """One way in which a field stands on the page."""

    item: Landmark
    cut: Cut
    container: Landmark | None = None
    take: Take = "all"

    def find(self, outline: Outline) -> Tags:
        """The tags before or in which a value may stand, in page order."""
        tags = self.item.find(outline)
        if self.cut.attribute_digest is not None:
            tags = tags[outline.carrying(self.cut.attribute_digest)[tags]]
        if self.container is None or not len(tags):
            return tags
        inside = np.zeros(len(tags), bool)
        for container in self.container.find(outline).tolist():
            inside |= (tags >= container) & (tags < outline.closes[container])
        return tags[inside]

    def values(self, outline: Outline) -> Values:
        """Start and end of each value on the page, and its tag."""
        tags = self.find(outline)
        if self.cut == _WHOLE:  # nearly all; an outline knows where texts start and end
            tags = tags[outline.slots[tags] != 0]
            starts, ends = outline.slot_starts[tags].tolist(), outline.slot_ends[tags].tolist()
            return list(zip(starts, ends, tags.tolist(), strict=True))
        found = []
        for tag in tags.tolist():
            value = self.cut.value(outline, tag)
            if value is not None:
                found.append((*value, tag))
        return found

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        saved: dict[str, Any] = self.item.to_dict()
        if cut := self.cut.to_dict():
            saved["cut"] = cut
        if self.container is not None:
            saved["container"] = self.container.to_dict()
        if self.take != "all":
            saved["take"] = self.take
        return saved

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Rule":
        """As it was saved."""
        if not isinstance(saved, Mapping):
            raise definition.error("a rule is a table")
        take = saved.get("take", "all")
        if take not in ("all", "first", "last"):
            raise definition.error(f"a rule takes all, first or last, not {take!r}")
        container = saved.get("container")
        return cls(
            Landmark.from_saved(saved, definition),
            Cut.from_saved(saved.get("cut", {}), definition),
            None if container is None else Landmark.from_saved(container, definition),
            take,
        )

    def __str__(self) -> str:
        inside = "" if self.container is None else f" inside {self.container}:"
        taken = "" if self.take == "all" else f" (the {self.take} one)"
        return f"{inside} {self.cut} after {self.item}{taken}".strip()


class Token(Wrapper):
    """Records and fields by landmarks of tokens; see the module."""

    wrapper_class = "token"

    def __init__(
        self,
        fields: Sequence[str],
        *,
        rules: Mapping[str, Sequence[Rule]],
        record: Boundary | None = None,
        several: Iterable[str] = (),
        required: Iterable[str] = (),
        **identity: Any,
    ) -> None:
        super().__init__(fields, **identity)
        self.record = record
        self.rules = {field: tuple(rules.get(field, ())) for field in self.fields}
        self.several = frozenset(several)
        self.required = frozenset(required)

    def run(self, page: Page) -> Rows | Iterator[Record]:
        """The records, in page order; fails where there is none."""
        found = self.find(Outline(page.text))
        if not found:
            raise Failure("nothing on the page looks like a record")
        rows = self._rows(found)
        return self._records(found, page) if rows is None else Rows(page, self.fields, rows)

    def records(self, outline: Outline, page: Page) -> Iterator[Record]:
        """The records of a page whose outline is known."""
        return self._records(self.find(outline), page)

    def find(self, outline: Outline) -> list[tuple[Values, ...]]:
        """For each record the values of each field, each with its tag."""
        stretches = self._stretches(outline)
        starts = np.array([start for start, _ in stretches])
        ends = np.array([end for _, end in stretches])
        columns = [self._column(field, outline, starts, ends) for field in self.fields]
        rows = list(zip(*columns, strict=True))
        there = np.array([self._required_in(row) for row in rows], np.intp)
        records = (there > 0) & (2 * there >= len(self.required))
        if len(self.required) > 1 and bool((records & (there < len(self.required))).any()):
            records &= self._in_its_table(outline, there == len(self.required))
        return [row for row, is_record in zip(rows, records.tolist(), strict=True) if is_record]

    def _column(self, field: str, outline: Outline, starts: Offsets, ends: Offsets) -> list[Values]:
        values = self._values(field, outline)
        places = np.array([value[0] for value in values], np.intp)
        firsts, lasts = np.searchsorted(places, starts), np.searchsorted(places, ends)
        return [
            self._chosen(field, values[first:last], outline) if first < last else []
            for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)
        ]

    def _rows(self, found: list[tuple[Values, ...]]) -> list[Row] | None:
        """The records as rows, where no field has several values."""
        rows = []
        for record in found:
            row = []
            for values in record:
                if len(values) > 1:
                    return None
                row.append(values[0][:2] if values else (-1, -1))
            rows.append(tuple(row))
        return rows

    def _records(self, found: list[tuple[Values, ...]], page: Page) -> Iterator[Record]:
        for record in found:
            spans: dict[str, Spans] = {}
            for field, values in zip(self.fields, record, strict=True):
                placed = tuple(Span(start, end) for start, end, _ in values)
                spans[field] = (placed[0] if len(placed) == 1 else placed) if placed else None
            yield Record.trusted(page, spans)

    def _required_in(self, record: tuple[Values, ...]) -> int:
        return sum(
            bool(values)
            for field, values in zip(self.fields, record, strict=True)
            if field in self.required or not self.required
        )

    def _in_its_table(self, outline: Outline, complete: Flags) -> Flags:
        """Which stretches stand beside a complete one, or alone; all where no tables are seen."""
        if self.record is None:
            return np.ones(len(complete), bool)
        _, table, sizes = np.unique(
            outline.parents[self.record.find(outline)], return_inverse=True, return_counts=True
        )
        counts = np.bincount(table, complete)
        kept: Flags = ((counts > 0) | (sizes == 1) | (counts.max() < MANY))[table]
        return kept

    def _stretches(self, outline: Outline) -> list[tuple[int, int]]:
        if self.record is None:
            return [(0, len(outline.text) + 1)]
        return [
            (outline.start_of(first), outline.start_of(last) + (last == outline.size))
            for first, last in self.record.stretches(outline)
        ]

    def _values(self, field: str, outline: Outline) -> Values:
        rules = self.rules[field]
        if len(rules) == 1:
            return rules[0].values(outline)
        return sorted({value for rule in rules for value in rule.values(outline)})

    def _chosen(self, field: str, values: Values, outline: Outline) -> Values:
        take = self.rules[field][0].take
        if take != "all":
            return [values[0 if take == "first" else -1]]
        if field in self.several or len(values) == 1:
            return values
        return self._beside_first(values, outline)

    @staticmethod
    def _beside_first(values: Values, outline: Outline) -> Values:
        """The first value, and links and list items beside it: these come in numbers."""
        first = values[0][2]
        if int(outline.names[first]) not in _in_numbers():
            return values[:1]
        parent = outline.parents[first]
        return [value for value in values if outline.parents[value[2]] == parent]

    def delimiters(self) -> dict[str, Any]:
        """Boundary and rules."""
        record = None
        if self.record is not None:
            record = {"tag": self.record.tag.to_list()}
            if self.record.parent is not None:
                record["parent"] = self.record.parent.to_list()
        return {
            "record": record,
            "rules": {
                field: [rule.to_dict() for rule in rules] for field, rules in self.rules.items()
            },
            "several": sorted(self.several),
            "required": sorted(self.required),
        }

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """The wrapper that was saved."""
        definition.expect(
            "class", "fields", "learned_from", "record", "rules", "several", "required"
        )
        rules = definition.get("rules", Mapping, {})
        if not all(isinstance(some, list) for some in rules.values()):
            raise definition.error("'rules' has a list of rules for each field")
        return cls(
            record=_boundary(definition),
            rules={
                field: [Rule.from_saved(rule, definition) for rule in some]
                for field, some in rules.items()
            },
            several=definition.get("several", list, []),
            required=definition.get("required", list, []),
            **cls.common(definition),
        )

    def explain(self) -> str:
        """Where records begin, and where each field stands in them."""
        lines = ["The page is one record."]
        if self.record is not None:
            around = "" if self.record.parent is None else f" in {self.record.parent}"
            lines = [f"A record begins at each {self.record.tag}{around}."]
        for field in self.fields:
            rules = self.rules[field]
            lines.extend(f"{field}: {rule}" for rule in rules)
            if not rules:
                lines.append(f"{field}: no rule was found; it is always missing")
        return "\n".join(lines)


@cache
def _in_numbers() -> frozenset[int]:
    return frozenset(Tag(name).digest for name in ("a", "li", "dd"))


def _boundary(definition: Definition) -> Boundary | None:
    saved = definition.get("record", Mapping) if definition.settings.get("record") else None
    if saved is None:
        return None
    sides = [
        Landmark.from_saved({"before": [tag]}, definition).before[0] if tag else None
        for tag in (saved.get("tag"), saved.get("parent"))
    ]
    tag, parent = sides
    if not isinstance(tag, Tag):
        raise definition.error("'record' needs a 'tag'")
    assert parent is None or isinstance(parent, Tag)
    return Boundary(tag, parent)


def learn_class(examples: Sequence[Example]) -> Token:
    """A token wrapper for examples; see `rowen.wrappers.token.learning`."""
    from rowen.wrappers.token.excerpt import learn_from_excerpts
    from rowen.wrappers.token.learning import learn_token

    return learn_from_excerpts(examples) or learn_token(examples)
