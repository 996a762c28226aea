"""Records as extractors give them: a sequence, kept as rows of bounds until somebody looks."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

from rowen.model.page import Page
from rowen.model.record import Record
from rowen.model.span import Span

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = tuple[tuple[int, int], ...]
"""The bounds of each field of a record; `(-1, -1)` where it is missing."""


class Rows(NamedTuple):
    """Flat records of one page: the same fields in each, one span or none a field."""

    page: Page
    fields: tuple[str, ...]
    rows: list[Row]

    def records(self) -> Iterator[Record]:
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
            )


class Records(Sequence[Record]):
    """Records in the order in which an extractor gave them; shows as a table in a notebook."""

    __slots__ = ("_made", "failure", "rows")

    failure: str | None
    """Why the extractor had to stop before the page's end; these are the records found before."""

    rows: Rows | None
    """The same as rows, where the extractor gave rows: for those who write many."""
    _made: tuple[Record, ...] | None

    def __init__(
        self, records: Iterable[Record] | Rows = (), *, failure: str | None = None
    ) -> None:
        self.failure = failure
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
            self._made = tuple(self.rows.records())
        return self._made

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> "Records": ...
    def __getitem__(self, index: int | slice) -> "Record | Records":
        if isinstance(index, slice):
            if self._made is None and self.rows is not None:
                return Records(self.rows._replace(rows=self.rows.rows[index]))
            return Records(self._records[index])
        return self._records[index]

    def __len__(self) -> int:
        return len(self._records) if self.rows is None else len(self.rows.rows)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    def __add__(self, other: Iterable[Record]) -> "Records":
        return Records((*self._records, *other))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Records):
            return self._records == other._records
        return list(self._records) == other if isinstance(other, list) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._records)

    @property
    def fields(self) -> list[str]:
        """The names of all fields, in the order in which they first come."""
        return list(dict.fromkeys(name for record in self._records for name, _ in record.items()))

    def to_dicts(self) -> list[dict[str, Any]]:
        """The records as they are written to files."""
        return [record.to_dict() for record in self._records]

    def to_arrow(self) -> "pa.Table":
        """A table with the columns page, values, spans and children."""
        from rowen.model.arrow import table

        return table(self._records)

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._records[:3]))
        more = ", ..." if len(self) > 3 else ""
        return f"Records({len(self)}: [{shown}{more}])"

    def _repr_html_(self) -> str:
        from rowen.model.notebook import html_table

        return html_table(self)
