"""The labels of a page as a table of cells, each cell with the positions that its value may have.

Records become rows in preorder. Children follow their parent's own fields; the records of a nested
field may be anywhere between the record before their parent and the one after (`row_tree`). A list
of values has one cell per value, and each of them is in a column of its own:

    records    {"name": "Ada", "tags": ["x", "y"]}      columns  (name, 0) (tags, 0) (tags, 1)
               {"name": "Bob", "tags": ["x"]}           row 0    Ada       x         y
                                                        row 1    Bob       x
"""

import dataclasses
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rowen.induction import budget
from rowen.labels.row_tree import Bounds, Occupied, RowTree
from rowen.labels.surroundings import Surroundings
from rowen.model import LabelError, Page
from rowen.records import Record
from rowen.records.label import NESTING
from rowen.records.positions import Position, Positions, suggestion
from rowen.records.record import CHILDREN, holds_records

Column: TypeAlias = tuple[str, int]
"""A field, and which of a record's values of it: lists need not be in page order. A field of nested
records is a path, such as `reviews.stars`."""

GivenRecord: TypeAlias = Mapping[str, object] | Record
"""A record as a person wrote it: values may be texts, offsets or lists of both."""

SHOWN_CHARACTERS = 60
"""This much of a wrong value is shown in a message."""


@dataclass(frozen=True, slots=True)
class Path:
    """Where a field is among nested ones: of one record for messages, and of all for columns."""

    shown: str = ""
    general: str = ""
    depth: int = 0

    def field(self, name: str) -> "Path":
        """A field of this record."""
        return Path(f"{self.shown}{name}", f"{self.general}{name}", self.depth)

    def nested(self, name: str, number: int) -> "Path":
        """One of the records of a nested field."""
        return Path(f"{self.shown}{name}[{number}].", f"{self.general}{name}.", self.depth + 1)


@dataclass(slots=True, eq=False)
class Cell:
    """One value that needs a position."""

    row: int
    record: str
    """The record's number for messages: `2.1` is the first child of the second."""
    field: str
    """The field for messages: `reviews[2].stars` is one of the second of the nested reviews."""
    positions: list[Position]
    rank: int
    """The place of the field among those of its record."""
    taken: Position | None = None
    rivals: list[Position] = dataclasses.field(default_factory=list)
    """Positions that are as good as the one taken."""


class LabelTable:
    """The cells of one page, by record and field and by column."""

    def __init__(
        self, page: Page, records: Sequence[GivenRecord], *, partial: bool = False
    ) -> None:
        self.page = page
        self.partial = partial
        """Whether the page has more records than these."""
        self.positions = Positions(page)
        self.surroundings = Surroundings(page)
        self.cells: dict[tuple[str, str], list[Cell]] = {}
        self.columns: defaultdict[Column, list[Cell]] = defaultdict(list)
        self.tree = RowTree()
        self._read(records, "")

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.tree.size

    def _read(self, records: object, parent: str, around: int | None = None) -> None:
        """Add records, or the children of the record in the row `around`."""
        if parent.count(".") >= NESTING:
            raise LabelError(self.page.id, f"nested deeper than {NESTING}", record=parent[:-1])
        for number, record in enumerate(_checked(self.page, records, parent), 1):
            name = f"{parent}{number}"
            row = self.tree.add(around, group=CHILDREN, follows=True)
            self._add_record(row, name, record, Path())
            self._read(_children(record), f"{name}.", row)

    def _add_record(self, row: int, name: str, record: GivenRecord, path: Path) -> None:
        if path.depth >= NESTING:
            raise LabelError(
                self.page.id, f"nested deeper than {NESTING}", record=name, field=path.shown[:-1]
            )
        for rank, (field_name, value) in enumerate(_fields(record)):
            if not holds_records(value):
                self._add(row, name, path.field(field_name), value, rank=rank)
                continue
            for number, nested in enumerate(value, 1):
                within = self.tree.add(row, group=field_name, follows=False)
                self._add_record(within, name, nested, path.nested(field_name, number))

    def _add(self, row: int, record: str, field: Path, value: object, *, rank: int) -> None:
        cells = [
            Cell(row, record, field.shown, self._positions_of(item, record, field.shown), rank)
            for item in _listed(value)
        ]
        self.cells[record, field.shown] = cells
        for number, cell in enumerate(cells):
            self.columns[field.general, number].append(cell)

    def _positions_of(self, value: object, record: str, field_name: str) -> list[Position]:
        budget.check()
        if not isinstance(value, str):
            # `Record` checks offsets and says what is wrong with them.
            try:
                ((_, spans),) = Record(self.page, {field_name: [value]}).items()
            except (TypeError, ValueError) as error:
                reason = str(error).removeprefix(f"field {field_name!r}: ")
                raise LabelError(self.page.id, reason, record=record, field=field_name) from None
            return [(span.start, span.end) for span in spans]
        positions = self.positions.of(value)
        if not positions:
            raise LabelError(
                self.page.id,
                f"{_shown(value)} was not found on the page{suggestion(self.positions, value)}",
                record=record,
                field=field_name,
            )
        return positions

    def located(self, records: object, parent: str = "") -> list[dict[str, object]]:
        """The records with the positions taken in place of values."""
        located_records: list[dict[str, object]] = []
        for number, record in enumerate(_checked(self.page, records, parent), 1):
            name = f"{parent}{number}"
            spans = self._located_record(record, name, Path())
            if children := self.located(_children(record), f"{name}."):
                spans[CHILDREN] = children
            located_records.append(spans)
        return located_records

    def _located_record(self, record: GivenRecord, name: str, path: Path) -> dict[str, object]:
        spans: dict[str, object] = {}
        for field_name, value in _fields(record):
            if holds_records(value):
                spans[field_name] = [
                    self._located_record(nested, name, path.nested(field_name, number))
                    for number, nested in enumerate(value, 1)
                ]
                continue
            taken = [cell.taken for cell in self.cells[name, path.field(field_name).shown]]
            is_list = isinstance(value, list | tuple) and not _is_span(value)
            spans[field_name] = taken if is_list else (taken[0] if taken else None)
        return spans

    def by_row(self) -> list[list[Cell]]:
        """The cells of each row."""
        rows: list[list[Cell]] = [[] for _ in range(self.rows)]
        for cells in self.cells.values():
            for cell in cells:
                rows[cell.row].append(cell)
        return rows

    def clear(self) -> None:
        """Forget all positions taken."""
        for cells in self.columns.values():
            for cell in cells:
                cell.taken = None

    def windows(self, column: Column) -> list[tuple[int, int]]:
        """For each row the bounds that the positions taken in other columns leave to it."""
        bounds = Bounds(self.rows, len(self.page.text))
        for name, cells in self.columns.items():
            if name == column:
                continue
            for cell in cells:
                if cell.taken:
                    bounds.add(cell.row, cell.taken)
        return self.tree.windows(bounds)

    def row_mates(self, column: Column) -> dict[int, list[Cell]]:
        """The cells of other columns that have taken a position, by row."""
        mates: dict[int, list[Cell]] = {}
        for name, cells in self.columns.items():
            if name != column:
                for cell in cells:
                    if cell.taken:
                        mates.setdefault(cell.row, []).append(cell)
        return mates

    def count_open(self, column: Column) -> int:
        """How many positions of a column lie in the windows of its rows; an upper bound."""
        cells = self.columns.get(column, [])
        windows = self.windows(column) if cells else []
        total = 0
        for cell in cells:
            low, high = windows[cell.row]
            total += bisect_left(cell.positions, (high,)) - bisect_left(cell.positions, (low,))
        return total

    def open_positions(self, column: Column) -> Iterator[tuple[Cell, list[Position]]]:
        """The positions of each cell of a column that the other columns leave free."""
        cells = self.columns.get(column, [])
        if not cells:
            return
        windows = self.windows(column)
        mates = self.row_mates(column)
        # Windows don't keep rows apart that have no order between them.
        elsewhere = Occupied(self._all_taken(column) if self.tree.has_free_rows else ())
        for cell in cells:
            low, high = windows[cell.row]
            beside = [mate.taken for mate in mates.get(cell.row, []) if mate.taken]
            # Positions are sorted by start, so those in the window are a slice.
            within = cell.positions[
                bisect_left(cell.positions, (low,)) : bisect_left(cell.positions, (high,))
            ]
            free = [
                (start, end)
                for start, end in within
                if end <= high
                and all(end <= mate[0] or mate[1] <= start for mate in beside)
                and elsewhere.leaves(start, end)
            ]
            yield cell, free

    def _all_taken(self, column: Column) -> list[Position]:
        """The positions taken in other columns, in page order."""
        return sorted(
            cell.taken
            for name, cells in self.columns.items()
            if name != column
            for cell in cells
            if cell.taken
        )


def _checked(page: Page, records: object, parent: str) -> Sequence[GivenRecord]:
    if isinstance(records, str | Mapping) or not isinstance(records, Sequence):
        raise LabelError(page.id, "records must be a list of mappings", record=f"{parent}1")
    for number, record in enumerate(records, 1):
        if not isinstance(record, Mapping | Record):
            raise LabelError(
                page.id, f"{_shown(record)} is not a record", record=f"{parent}{number}"
            )
    return records


def _fields(record: GivenRecord) -> Iterator[tuple[str, object]]:
    values = record.stored() if isinstance(record, Record) else record.items()
    return ((name, value) for name, value in values if name != CHILDREN)


def _children(record: GivenRecord) -> object:
    return record.children if isinstance(record, Record) else record.get(CHILDREN) or ()


def _listed(value: object) -> Sequence[object]:
    """The values of a field as a list; none where it is known to be missing."""
    if value is None:
        return ()
    if isinstance(value, list | tuple) and not _is_span(value):
        return value
    return (value,)


def _is_span(value: Sequence[object]) -> bool:
    return len(value) == 2 and all(isinstance(bound, int) for bound in value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[: SHOWN_CHARACTERS - 3]}..."
