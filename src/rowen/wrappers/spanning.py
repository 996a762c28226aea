"""Spanning: a wrapper of any class for the rows of a table whose cells may span rows.

    <tr><th rowspan=2>3 October</th><td>15:00</td></tr>     {date: 3 October, time: 15:00}
    <tr><td>17:30</td></tr>                                 {date: 3 October, time: 17:30}

The wrapper finds what is written in each row. Where a row lacks one of the `shared` fields, the
value is that in a cell of a row above that reaches into it: both records have the same span.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.saved import from_dict
from rowen.model import Page
from rowen.records import Record
from rowen.records.field_order import FieldOrder
from rowen.records.schema import Schema
from rowen.records.shared_values import fill_rows
from rowen.wrappers.base import Failure, Wrapper


class Spanning(Wrapper):
    """Records of rows, with values from cells that reach into them; see the module."""

    wrapper_class = "spanning"

    def __init__(
        self, fields: Sequence[str], *, rows: Wrapper, shared: Sequence[str], **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.rows = rows
        self.shared = tuple(shared)

    def derive_schema(self) -> Schema:
        """That of the rows."""
        return self.rows.schema

    def order_fields(self, order: FieldOrder) -> None:
        """That of the rows."""
        super().order_fields(order)
        self.rows.order_fields(order)

    def _run(self, page: Page) -> Iterator[Record]:
        """The rows, each with what is in cells that reach into it."""
        records = self.rows.extract(page)
        yield from fill_rows(page, records, self.shared)
        if records.failure is not None:
            raise Failure(records.failure)

    def _delimiters(self) -> dict[str, Any]:
        """The wrapper of the rows, and the fields in cells that span them."""
        return {"rows": self.rows.to_definition().to_dict(), "shared": list(self.shared)}

    def fingerprint(self) -> dict[str, Any]:
        """The version of the rows' wrapper, which changes when the meaning of its class does."""
        return {**super().fingerprint(), "rows": self.rows.derived_version}

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        definition.expect("class", "fields", "learned_from", "rows", "shared")
        saved = definition.get("rows", Mapping)
        rows = None if saved is None else from_dict(saved)
        shared = definition.get("shared", list, [])
        if not isinstance(rows, Wrapper) or isinstance(rows, Spanning):
            raise definition.error("'rows' must be a wrapper for rows")
        if not shared or not set(shared) <= set(rows.fields):
            raise definition.error("'shared' must name fields of the rows")
        return cls(rows=rows, shared=shared, **cls._common(definition))

    def describe(self) -> str:
        """The rules of the rows, then what they share."""
        names = ", ".join(self.shared)
        return f"{self.rows.describe()}\nFrom cells that span several rows: {names}."
