"""The result of an extractor: a sequence of records, stored as rows of bounds until it is read."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

from rowen.model import Page, Span, Warning  # noqa: A004  # the design's word
from rowen.records.record import Record
from rowen.records.schema import Schema

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Row: TypeAlias = tuple[tuple[int, int], ...]
"""The bounds of each field of a record; `(-1, -1)` if it is missing."""


class Rows(NamedTuple):
    """Flat records of one page: the same fields in each, with one span or none per field.

    >>> import rowen
    >>> from rowen.types import Rows
    >>> rows = Rows(rowen.Page("CS 105, 2 pm"), ("room", "time"), [((0, 6), (8, 12))])
    >>> [record.values for record in rows.records()]
    [{'room': 'CS 105', 'time': '2 pm'}]
    """

    page: Page
    fields: tuple[str, ...]
    rows: list[Row]

    def records(self, schema: Schema | None = None) -> Iterator[Record]:
        """The rows as records."""
        page, fields, rows = self
        record, span = Record.trusted, Span.trusted
        for row in rows:
            yield record(
                page,
                {
                    field: None if bounds[0] < 0 else span(bounds)
                    for field, bounds in zip(fields, row, strict=True)
                },
                (),
                schema,
            )


class Records(Sequence[Record]):
    r"""Records in the order of their extractor; a notebook shows them as a table.

    >>> import rowen
    >>> records = rowen.Pattern(r"(?P<room>CS \d+)").extract("CS 105, CS 310")
    >>> len(records), records.fields, records[1].values
    (2, ['room'], {'room': 'CS 310'})
    >>> [record["spans"] for record in records.to_dicts()]
    [{'room': Span(0, 6)}, {'room': Span(8, 14)}]
    """

    __slots__ = ("_declared", "_made", "failure", "rows", "schema")

    failure: str | None
    """Why the extractor stopped before the page's end; the records are those before that place."""

    rows: Rows | None
    """The records as rows, if the extractor returned rows: fast paths for writing use them."""
    schema: Schema | None
    """What each field holds; without one, all are texts."""
    _made: tuple[Record, ...] | None
    _declared: tuple[str, ...]

    def __init__(
        self,
        records: Iterable[Record] | Rows = (),
        *,
        failure: str | None = None,
        schema: Schema | None = None,
        fields: Iterable[str] = (),
    ) -> None:
        self.failure = failure
        self._declared = records.fields if isinstance(records, Rows) else tuple(fields)
        self.schema = schema or None  # an empty one says nothing
        if isinstance(records, Rows):
            self.rows = records
            self._made = None
        else:
            self.rows = None
            self._made = tuple(records)

    @property
    def _records(self) -> tuple[Record, ...]:
        if self._made is None:
            assert self.rows is not None
            self._made = tuple(self.rows.records(self.schema))
        return self._made

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> "Records": ...
    def __getitem__(self, index: int | slice) -> "Record | Records":
        if isinstance(index, slice):
            if self._made is None and self.rows is not None:
                rows = self.rows._replace(rows=self.rows.rows[index])
                return Records(rows, schema=self.schema)
            return Records(self._records[index], schema=self.schema, fields=self._declared)
        return self._records[index]

    def __len__(self) -> int:
        return len(self._records) if self.rows is None else len(self.rows.rows)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def __add__(self, other: Iterable[Record]) -> "Records":
        return Records((*self._records, *other), schema=self.schema, fields=self._declared)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Records):
            return self._records == other._records
        return list(self._records) == other if isinstance(other, list) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._records)

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """The values that could not be converted to the types in the schema."""
        if self.schema is None:
            return ()
        return tuple(
            warning
            for number, record in enumerate(self._records)
            for warning in record.warnings(number)
        )

    def with_schema(self, schema: Schema | None) -> "Records":
        """The same records, read by another schema."""
        if schema is self.schema:
            return self
        if self.rows is not None:
            return Records(self.rows, failure=self.failure, schema=schema)
        records = (record.with_schema(schema) for record in self._records)
        return Records(records, failure=self.failure, schema=schema, fields=self._declared)

    def to_models(self, model: type | None = None) -> list[Any]:
        """The records as instances of a pydantic model or dataclass: by default the schema's."""
        return [record.to_model(model) for record in self._records]

    @property
    def fields(self) -> list[str]:
        """The names of all fields: those that the extractor declares, then others that occur."""
        if self.rows is not None:
            return list(self.rows.fields)
        occurring = (name for record in self._records for name, _ in record.stored())
        return list(dict.fromkeys((*self._declared, *occurring)))

    def to_dicts(self) -> list[dict[str, Any]]:
        """The records as written to files."""
        return [record.to_dict() for record in self._records]

    def to_arrow(self, *, source: bool = False, spans: bool = False) -> "pa.Table":
        """A table with the column `page` and those of each field, of the types in the schema.

        `source` adds the page's own text (`title_source`), `spans` its place (`title_start`,
        `title_end`). A price has the columns `price_amount` and `price_currency`.
        """
        from rowen.records.arrow import table

        fields = self._declared
        return table(self._records, schema=self.schema, fields=fields, source=source, spans=spans)

    def to_pandas(self, *, source: bool = False, spans: bool = False) -> "pd.DataFrame":
        """A data frame of pandas with the columns of `to_arrow`."""
        from rowen.records.frames import to_pandas

        return to_pandas(self.to_arrow(source=source, spans=spans))

    def to_polars(self, *, source: bool = False, spans: bool = False) -> "pl.DataFrame":
        """A data frame of Polars with the columns of `to_arrow`."""
        from rowen.records.frames import to_polars

        return to_polars(self.to_arrow(source=source, spans=spans))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream, which DuckDB, Polars and others read."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._records[:3]))
        more = ", ..." if len(self) > 3 else ""
        return f"Records({len(self)}: [{shown}{more}])"

    def _repr_html_(self) -> str:
        from rowen.records.notebook import html_table, marked_page

        pages = {id(record.page): record.page for record in self._records[:1]}
        return html_table(self) + "".join(marked_page(page, self) for page in pages.values())
