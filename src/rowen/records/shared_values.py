"""Values that several records share: those in a cell of a table that spans their rows.

    <tr><th rowspan=2>3 October</th><td>15:00</td></tr>     {date: 3 October, time: 15:00}
    <tr><td>17:30</td></tr>                                 {date: 3 October, time: 17:30}

The page has the date once. It is marked in both records, and both have its span. Learning looks for
it in the first one, the row that it is written in, and fills in the other afterwards.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rowen.model import Page, Span
from rowen.records.nested import Nested
from rowen.records.positions import Positions
from rowen.records.reading import Spans
from rowen.records.record import Record
from rowen.text.spanning_cells import SpanningCells
from rowen.values.clean import clean, tidy


def shared_fields(
    page: Page, records: Sequence[Mapping[str, object] | Record]
) -> list[frozenset[str]]:
    """For each record of a label the fields whose values are in the row of a record before it.

    Empty where no cell of the page spans rows.
    """
    spanning = SpanningCells(page.text) if len(records) > 1 else None
    labels = [dict(label.stored()) if isinstance(label, Record) else label for label in records]
    if not spanning or not all(isinstance(label, Mapping) for label in labels):
        return []
    cells = _Cells(page, spanning)
    shared: list[set[str]] = [set() for _ in labels]
    for name in dict.fromkeys(name for label in labels for name in label):
        for number in cells.repeated([label.get(name) for label in labels]):
            shared[number].add(name)
    return list(map(frozenset, shared)) if any(shared) else []


class _Cells:
    """The cells of a page that span rows, and what they say."""

    def __init__(self, page: Page, spanning: SpanningCells) -> None:
        self.spanning = spanning
        self.positions = Positions(page)
        self.texts = [tidy(clean(page, cell.start, cell.end)) for cell in spanning.cells]

    def repeated(self, values: Sequence[object]) -> Iterator[int]:
        """The records whose value of a field is in a cell that the record before has it from."""
        used, number = -1, 0
        while number < len(values):
            end = number + 1
            while end < len(values) and values[number] and values[end] == values[number]:
                end += 1
            cell = self._having(values[number], end - number, used) if end > number + 1 else None
            if cell is None:
                number += 1
                continue
            used = cell
            end = min(number + len(self.spanning.cells[cell].rows), end)
            yield from range(number + 1, end)
            number = end

    def _having(self, value: object, count: int, used: int) -> int | None:
        """The number of the next cell that has a value of `count` records."""
        if isinstance(value, str):
            wanted = tidy(value)
            later = range(used + 1, len(self.texts))
            whole = next((at for at in later if self.texts[at] == wanted), None)
            # A part of a cell may be chance: not if the page has too few of these texts.
            if whole is None and wanted and len(self.positions.of(value)) < count:
                whole = next((at for at in later if wanted in self.texts[at]), None)
            return whole
        if isinstance(value, Sequence) and len(value) == 2 and all(type(at) is int for at in value):
            cell = self.spanning.holding(*value)
            return None if cell is None else self.spanning.cells.index(cell)
        return None


def reaching_fields(page: Page, records: Sequence[Record]) -> set[str]:
    """The fields with a value in a cell that spans rows, where no record below it lacks them."""
    cells = SpanningCells(page.text)
    if not cells:
        return set()
    held = {
        (name, cell.start)
        for record in records
        for name, spans in record.items()
        for span in spans
        if (cell := cells.holding(*span)) is not None
    }
    lacking = {
        name
        for record in records
        if record.extent is not None
        for cell in cells.into(record.extent.start)
        for name, spans in record.items()
        if not spans and (name, cell.start) in held
    }
    return {name for name, _ in held} - lacking


def without_shared(
    records: Sequence[Mapping[str, object] | Record], shared: Sequence[frozenset[str]]
) -> Sequence[Mapping[str, object] | Record]:
    """The records of a label, with values in rows before theirs as missing."""
    if not shared:
        return records
    return [_without(label, names) for label, names in zip(records, shared, strict=True)]


def _without(
    label: Mapping[str, object] | Record, names: frozenset[str]
) -> Mapping[str, object] | Record:
    if not names:
        return label
    if isinstance(label, Record):
        spans: dict[str, Spans] = dict(label.stored())
        return Record.trusted(label.page, {**spans, **dict.fromkeys(names)}, label.children)
    return {**label, **dict.fromkeys(names)}


def with_shared(records: Sequence[Record], shared: Sequence[frozenset[str]]) -> tuple[Record, ...]:
    """The records, with what they share taken from the record before."""
    filled: list[Record] = []
    for record, names in zip(records, shared, strict=True):
        if names and filled:
            before = dict(filled[-1].stored())
            spans: dict[str, Spans] = dict(record.stored())
            spans.update((name, before.get(name)) for name in names)
            record = Record.trusted(record.page, spans, record.children)  # noqa: PLW2901  # filled
        filled.append(record)
    return tuple(filled)


def fill_rows(page: Page, records: Iterable[Record], fields: Sequence[str]) -> Iterator[Record]:
    """The records, with missing values from cells that reach into their rows."""
    cells = SpanningCells(page.text)
    held: dict[tuple[str, int], Spans] = {}
    for record in records:
        spans: dict[str, Spans] = dict(record.stored())
        extent = record.extent
        reaching = cells.into(extent.start) if cells and extent is not None else ()
        for name in fields:
            where = spans.get(name)
            if not where:
                above = [held[name, cell.start] for cell in reaching if (name, cell.start) in held]
                spans[name] = above[0] if above else where
            elif cells and not isinstance(where, Nested):
                first = where if isinstance(where, Span) else where[0]
                if (cell := cells.holding(*first)) is not None:
                    held[name, cell.start] = where
        yield Record.trusted(page, spans, record.children)
