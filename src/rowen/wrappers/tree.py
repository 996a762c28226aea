"""Trees of records: comments with replies, which have replies in turn, all of one template.

One wrapper finds the records of all levels as a list. How deep each begins in the page's elements
says what it belongs to: the nearest record before it that begins less deep.

    <li>Ada <ul><li>Bob <ul><li>Cid</ul> <li>Dan</ul> <li>Eve

    depth    Ada 1, Bob 3, Cid 5, Dan 3, Eve 1
    tree     Ada [Bob [Cid], Dan], Eve
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.saved import from_dict
from rowen.model import Page
from rowen.records import Record
from rowen.records.field_order import FieldOrder, in_order
from rowen.records.nested import Nested
from rowen.records.reading import Spans
from rowen.records.schema import Field, Schema
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.nested_fields import NestedFields, whole_schema
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Boundary, Token

SCHEMA_DEPTH = 8
"""So many levels a schema has: it must end somewhere, since columns of tables are made from it.
Records may nest deeper."""

LEVELS = 32
"""Limit: records that nest deeper on a page count as those of this level. Nobody writes such pages
but to do harm."""


class Tree(Wrapper):
    """Records with a field that holds records of the same kind; see the module."""

    wrapper_class = "tree"

    def __init__(
        self, fields: Sequence[str], *, nested: str, wrapper: Wrapper, **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.nested = nested
        """The field that holds the records of the next level."""
        self.wrapper = wrapper
        """The wrapper of all records, whatever their level."""

    def derive_schema(self) -> Schema:
        """The fields of one level, on all levels; what the author set for the first holds below."""
        own = {name: field for name, field in self.given_schema.items() if name != self.nested}
        level = whole_schema(self.wrapper).merged(Schema(own))
        schema = level
        for _ in range(SCHEMA_DEPTH - 1):
            schema = Schema({**level, self.nested: Field(fields=schema)})
        return schema

    def order_fields(self, order: FieldOrder) -> None:
        """Order the fields, which are the same on all levels."""
        super().order_fields(order)
        self.wrapper.order_fields(order)

    def _run(self, page: Page) -> Iterator[Record]:
        """The records of the first level, each with those below it."""
        records = self.wrapper.extract(page)
        boundary = boundary_of(self.wrapper)
        depths = [0] * len(records) if boundary is None else _depths(page, records, boundary)
        # The records that are still open, from the first level on, with what was found below each.
        path: list[tuple[int, Record, list[Record]]] = []
        for depth, record in zip(depths, records, strict=True):
            yield from self._close(path, depth)
            if len(path) == LEVELS:
                yield from self._close(path, path[-1][0])
            path.append((depth, record, []))
        yield from self._close(path, -1)
        if records.failure is not None:
            raise Failure(records.failure)

    def _close(self, path: list[tuple[int, Record, list[Record]]], depth: int) -> Iterator[Record]:
        """Complete the records that begin at this depth or deeper; those of the first level."""
        while path and path[-1][0] >= depth:
            _, record, below = path.pop()
            spans: dict[str, Spans] = {**dict(record.stored()), self.nested: Nested(below)}
            ordered = {name: spans[name] for name in in_order(spans, dict.fromkeys(self.fields))}
            complete = Record.trusted(record.page, ordered, record.children)
            if path:
                path[-1][2].append(complete)
            else:
                yield complete

    def _delimiters(self) -> dict[str, Any]:
        """The field and the wrapper."""
        return {"nested": self.nested, "wrapper": self.wrapper.to_definition().to_dict()}

    def fingerprint(self) -> dict[str, Any]:
        """The version of the wrapper, which changes when the meaning of its class does."""
        return {**super().fingerprint(), "wrapper": self.wrapper.derived_version}

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved tree."""
        definition.expect("class", "fields", "learned_from", "nested", "wrapper")
        saved = definition.settings.get("wrapper")
        wrapper = from_dict(saved) if isinstance(saved, dict) else None
        if not isinstance(wrapper, Wrapper) or boundary_of(wrapper) is None:
            raise definition.error("'wrapper' must be a token wrapper of lists")
        nested = definition.text("nested")
        return cls(nested=nested, wrapper=wrapper, **cls._common(definition))

    def describe(self) -> str:
        """The rules of all records, and how they nest."""
        return (
            f"{self.wrapper.describe()}\n"
            f"{self.nested} holds records of the same kind: each belongs to the nearest one before "
            "it that begins less deep in the page's elements."
        )


def boundary_of(wrapper: Wrapper | None) -> Boundary | None:
    """The tag that begins the records of a wrapper; None where it knows none."""
    if isinstance(wrapper, NestedFields):
        wrapper = wrapper.parent
    return wrapper.record if isinstance(wrapper, Token) else None


def _depths(page: Page, records: Sequence[Record], boundary: Boundary) -> list[int]:
    """How many elements are around the tag that begins each record."""
    outline = Outline(page.text)
    around = [0] * outline.size
    for tag, parent in enumerate(outline.parents.tolist()):
        around[tag] = around[parent] + 1 if tag else 0
    tags = [first for first, _ in boundary.stretches(outline)]
    starts = [outline.start_of(tag) for tag in tags]
    depths: list[int] = []
    for record in records:
        extent = record.extent
        place = -1 if extent is None else bisect_right(starts, extent.start) - 1
        depths.append(around[tags[place]] if place >= 0 else 0)
    return depths
