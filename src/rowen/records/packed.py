"""Records as arrays of numbers, to store, copy and compare them by the thousand.

{"room": [3, 9), "time": missing}   shape {"room":1,"time":1}, bounds 3 9 -1 -1
{"room": [20, 26), "time": [28, 32)}   the same shape,         bounds 20 26 28 32
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.model.page import Page
from rowen.model.span import Span
from rowen.records.nested import Nested
from rowen.records.numbers import distinct
from rowen.records.reading import Spans
from rowen.records.record import CHILDREN, Record
from rowen.records.records import Records, Row, Rows
from rowen.records.schema import Schema

Shape: TypeAlias = dict[str, Any]
"""The fields of a record: 1 for a span or none, `[n]` for n spans, `{"nested": [...]}` with their
shapes for records; `children` has their shapes, too."""

NESTED = "nested"

MISSING = -1
NOWHERE = np.iinfo(np.int32).max
"""The start of a record that has no span at all."""


class Shapes:
    """The shapes of many records; each is written once and has a number."""

    def __init__(self, written: Iterable[str] = ()) -> None:
        self.written: list[str] = []
        self._numbers: dict[str, int] = {}
        self._flat: dict[tuple[str, ...], int] = {}
        for shape in written:
            self.number_of(shape)

    def number_of(self, written: str) -> int:
        """The number of a shape; a new shape gets the next number."""
        if written not in self._numbers:
            self._numbers[written] = len(self.written)
            self.written.append(written)
        return self._numbers[written]

    def of_fields(self, fields: tuple[str, ...]) -> int:
        """The number of the shape that has one span, or none, for each of these fields."""
        number = self._flat.get(fields)
        if number is None:
            number = self._flat[fields] = self.number_of(_written(dict.fromkeys(fields, 1)))
        return number

    def numbers_in(self, target: "Shapes") -> NDArray[np.int32]:
        """The number of each shape in `target`, which gets the shapes that it lacks."""
        return np.array([target.number_of(shape) for shape in self.written], np.int32)


@dataclass(frozen=True, slots=True)
class Packed:
    """Records without their page: the number of each record's shape, and the bounds of all spans.

    Record `i` has `bounds[offsets[i]:offsets[i + 1]]`: starts and ends in turn, `MISSING` twice for
    a missing field, then the bounds of its children.
    """

    shapes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    bounds: NDArray[np.int32]

    @property
    def count(self) -> int:
        """How many records there are."""
        return len(self.shapes)

    def extents(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The start and end of each record; `(NOWHERE, MISSING)` for one without spans."""
        starts, ends = self.bounds[::2], self.bounds[1::2]
        if not self.count:
            return starts, ends
        starts = np.where(starts < 0, NOWHERE, starts)
        rows = self.offsets[:-1] // 2
        if self.offsets[-1] == 2 * self.count and not np.any(np.diff(rows) != 1):
            return starts, ends  # the common case: one field per record
        filled = np.diff(self.offsets) > 0
        first = np.full(self.count, NOWHERE, np.int32)
        last = np.full(self.count, MISSING, np.int32)
        if filled.any():
            first[filled] = np.minimum.reduceat(starts, rows[filled])
            last[filled] = np.maximum.reduceat(ends, rows[filled])
        return first, last

    def same(self, records: "Packed") -> bool:
        """Whether the records are the same, in the same order."""
        return (
            np.array_equal(self.shapes, records.shapes)
            and np.array_equal(self.offsets, records.offsets)
            and np.array_equal(self.bounds, records.bounds)
        )

    def take(self, rows: NDArray[np.intp]) -> "Packed":
        """These records, in this order."""
        sizes = np.diff(self.offsets)[rows]
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        return Packed(
            self.shapes[rows], offsets, self.bounds[np.repeat(self.offsets[rows], sizes) + within]
        )

    def slice(self, start: int, end: int) -> "Packed":
        """The records from one row to another."""
        offsets = self.offsets[start : end + 1]
        bounds = self.bounds[offsets[0] : offsets[-1]]
        return Packed(self.shapes[start:end], offsets - offsets[0], bounds)

    def shift(self, by: NDArray[np.int64] | int) -> "Packed":
        """Move each record by its own number of characters, or all by the same number."""
        if not isinstance(by, int):
            by = np.repeat(by, np.diff(self.offsets))
        moved = np.where(self.bounds < 0, self.bounds, self.bounds + by).astype(np.int32)
        return replace(self, bounds=moved)

    def renumbered(self, numbers: NDArray[np.int32]) -> "Packed":
        """The same records with other numbers for their shapes."""
        return replace(self, shapes=numbers[self.shapes] if self.count else self.shapes)

    def fits(self, length: int) -> bool:
        """Whether every span lies in a text of this length, or is marked as missing.

        Stored records are checked with this: a damaged file must not give spans outside the page.
        """
        if not len(self.bounds):
            return True
        starts, ends = self.bounds[::2], self.bounds[1::2]
        if self.bounds.max() <= length and starts.min() >= 0 and (starts <= ends).all():
            return True  # the common case: nothing is missing
        inside = (starts >= 0) & (starts <= ends) & (ends <= length)
        return bool(np.all(inside | ((starts == MISSING) & (ends == MISSING))))

    def numbered_anew(self, shapes: Shapes) -> "tuple[Packed, Shapes]":
        """The same records with only the shapes that occur, numbered in sorted order."""
        used = sorted(shapes.written[number] for number in distinct(self.shapes).tolist())
        own = Shapes(used)
        numbers = np.full(len(shapes.written), MISSING, np.int32)
        for number, shape in enumerate(used):
            numbers[shapes.number_of(shape)] = number
        return self.renumbered(numbers), own

    def as_set(self, shapes: Shapes) -> "Packed":
        """Each record once, in the order of stores: by place, then by content."""
        if self.count < 2:
            return self
        starts, ends = self.extents()
        if np.all(starts[1:] > starts[:-1]):
            return self
        sizes = np.diff(self.offsets)
        if np.any(self.shapes != self.shapes[0]):
            return self.take(self._distinct(shapes))
        rows = self.bounds.reshape(self.count, sizes[0])
        order = np.lexsort((*rows.T[::-1], ends, starts))
        changes = np.any(rows[order[1:]] != rows[order[:-1]], axis=1)
        return self.take(order[np.concatenate(([True], changes))])

    def _distinct(self, shapes: Shapes) -> NDArray[np.intp]:
        starts, ends = self.extents()
        keys: dict[tuple[int, int, tuple[int, ...], str], int] = {}
        for row in range(self.count):
            own = tuple(self.bounds[self.offsets[row] : self.offsets[row + 1]].tolist())
            key = (int(starts[row]), int(ends[row]), own, shapes.written[self.shapes[row]])
            keys.setdefault(key, row)
        return np.array([keys[key] for key in sorted(keys)], np.intp)


EMPTY = Packed(np.empty(0, np.int32), np.zeros(1, np.int64), np.empty(0, np.int32))


def join(parts: Sequence[Packed]) -> Packed:
    """Concatenate records whose shapes have the same numbers."""
    parts = [part for part in parts if part.count]
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return EMPTY
    lengths = np.cumsum([0, *(len(part.bounds) for part in parts)])
    offsets = [part.offsets[:-1] + begin for part, begin in zip(parts, lengths[:-1], strict=True)]
    return Packed(
        np.concatenate([part.shapes for part in parts]),
        np.concatenate([*offsets, lengths[-1:]]),
        np.concatenate([part.bounds for part in parts]),
    )


def pack(records: Sequence[Record], shapes: Shapes) -> Packed:
    """Records as arrays of numbers."""
    rows = records.rows if isinstance(records, Records) else None
    if rows is not None:
        return _pack_rows(rows, shapes)
    numbers, sizes = list[int](), [0]
    bounds: list[int] = []
    _pack_into(records, shapes, numbers, sizes, bounds)
    return Packed(
        np.array(numbers, np.int32), np.array(sizes, np.int64), np.array(bounds, np.int32)
    )


def pack_many(
    results: Sequence[Sequence[Record]], shapes: Shapes
) -> tuple[Packed, NDArray[np.int64]]:
    """The records of several pages, one page after the other, and how many each has."""
    counts = np.array([len(records) for records in results], np.int64)
    tables = [
        records.rows
        for records in results
        if isinstance(records, Records) and records.rows is not None
    ]
    fields = {rows.fields for rows in tables}
    if len(fields) == 1 and len(tables) == len(results):
        # The common case: flat records of the same fields.
        (names,) = fields
        width = 2 * len(names)
        flat = chain.from_iterable(chain.from_iterable(chain.from_iterable(map(_own, tables))))
        count = int(counts.sum())
        bounds = np.fromiter(flat, np.int32, count * width)
        number = shapes.of_fields(names) if count else 0
        offsets = np.arange(count + 1, dtype=np.int64) * width
        return Packed(np.full(count, number, np.int32), offsets, bounds), counts
    return join([pack(records, shapes) for records in results]), counts


def pack_texts(
    texts: Sequence[tuple[Sequence[Record], int, int]], shapes: Shapes
) -> tuple[Packed, int | None]:
    """The records of several texts, at their places on the page, all at once.

    A text has its records, and its start and end on the page. The second result is the first text
    with a span outside of it, if there is one.
    """
    numbers, sizes = list[int](), [0]
    bounds: list[int] = []
    ends = []
    for records, _, _ in texts:
        rows = records.rows if isinstance(records, Records) else None
        if rows is None:
            _pack_into(records, shapes, numbers, sizes, bounds)
        else:
            number = shapes.of_fields(rows.fields)
            for row in rows.rows:
                for pair in row:
                    bounds += pair
                numbers.append(number)
                sizes.append(len(bounds))
        ends.append(len(bounds))
    packed = Packed(
        np.array(numbers, np.int32), np.array(sizes, np.int64), np.array(bounds, np.int32)
    )
    counts = np.diff([0, *ends])
    places = np.array([(start, end) for _, start, end in texts], np.int64).reshape(-1, 2)
    lengths = np.repeat(places[:, 1] - places[:, 0], counts)[::2]
    first, last = packed.bounds[::2], packed.bounds[1::2]
    inside = (first >= 0) & (first <= last) & (last <= lengths)
    wrong = np.flatnonzero(~(inside | ((first == MISSING) & (last == MISSING))))
    outside = int(np.searchsorted(ends, 2 * wrong[0], "right")) if len(wrong) else None
    by = np.repeat(places[:, 0], counts)
    moved = np.where(packed.bounds < 0, packed.bounds, packed.bounds + by).astype(np.int32)
    return replace(packed, bounds=moved), outside


def unpack(packed: Packed, shapes: Shapes, page: Page, schema: Schema | None = None) -> Records:
    """The records of a page from arrays of numbers."""
    by_number = [json.loads(shape) for shape in shapes.written]
    bounds = iter(packed.bounds.tolist())
    schema = schema or None
    records = (
        _unflatten(by_number[number], bounds, page, schema) for number in packed.shapes.tolist()
    )
    return Records(records, schema=schema)


def field_spans(packed: Packed, shapes: Shapes, field: str) -> NDArray[np.int32] | None:
    """The start and end of all spans of a field, without missing ones; None if it is nested."""
    parts = [np.empty((0, 2), np.int32)]
    for number in distinct(packed.shapes).tolist():
        first, count = 0, 0
        for name, kind in json.loads(shapes.written[number]).items():
            if name == field:
                if isinstance(kind, dict):
                    return None
                count = kind if kind == 1 else kind[0]
                break
            first += shape_width({name: kind})
        rows = packed.offsets[:-1][packed.shapes == number]
        places = rows[:, None] + first + np.arange(2 * count)
        parts.append(packed.bounds[places].reshape(-1, 2))
    spans = np.concatenate(parts)
    return spans[spans[:, 0] >= 0]


def shape_width(shape: Shape) -> int:
    """How many numbers a record of this shape has."""
    total = 0
    for count in shape.values():
        if count == 1:
            total += 2
        elif isinstance(count, dict):
            total += sum(map(shape_width, count[NESTED]))
        elif isinstance(count, list):
            total += sum(
                shape_width(part) if isinstance(part, dict) else 2 * part for part in count
            )
    return total


def _own(rows: Rows) -> list[Row]:
    return rows.rows


def _pack_rows(rows: Rows, shapes: Shapes) -> Packed:
    if not rows.rows:
        return EMPTY
    count, width = len(rows.rows), 2 * len(rows.fields)
    number = shapes.of_fields(rows.fields)
    return Packed(
        np.full(count, number, np.int32),
        np.arange(count + 1, dtype=np.int64) * width,
        np.array(rows.rows, np.int32).reshape(count * width),
    )


def _pack_into(
    records: Sequence[Record],
    shapes: Shapes,
    numbers: list[int],
    sizes: list[int],
    bounds: list[int],
) -> None:
    """Append records to the lists of what becomes arrays."""
    for record in records:
        begin = len(bounds)
        number = None if record.children else _pack_flat(record, shapes, bounds)
        if number is None:
            del bounds[begin:]
            number = shapes.number_of(_written(_flatten(record, bounds)))
        numbers.append(number)
        sizes.append(len(bounds))


def _pack_flat(record: Record, shapes: Shapes, bounds: list[int]) -> int | None:
    """Append the bounds of a record with single spans; None for any other."""
    spans = record._spans  # noqa: SLF001  # `spans` copies to lists
    for where in spans.values():
        if where is None:
            bounds += (MISSING, MISSING)
        elif type(where) is Span:
            bounds += where
        else:
            return None
    return shapes.of_fields(tuple(spans))


def _flatten(record: Record, bounds: list[int]) -> Shape:
    """Append a record's bounds to `bounds`; return its shape."""
    shape: Shape = {}
    for name, where in record._spans.items():  # noqa: SLF001  # `spans` copies to lists
        if where is None:
            shape[name] = 1
            bounds += (MISSING, MISSING)
        elif isinstance(where, Span):
            shape[name] = 1
            bounds += where
        elif isinstance(where, Nested):
            shape[name] = {NESTED: [_flatten(inner, bounds) for inner in where]}
        else:
            shape[name] = [len(where)]
            for span in where:
                bounds += span
    if record.children:
        shape[CHILDREN] = [_flatten(child, bounds) for child in record.children]
    return shape


def _unflatten(shape: Shape, bounds: Iterator[int], page: Page, schema: Schema | None) -> Record:
    spans: dict[str, Spans] = {}
    children: tuple[Record, ...] = ()
    for name, count in shape.items():
        if name == CHILDREN:
            children = tuple(_unflatten(child, bounds, page, schema) for child in count)
        elif isinstance(count, dict):
            own = None if schema is None else schema.field(name).fields
            spans[name] = Nested(_unflatten(inner, bounds, page, own) for inner in count[NESTED])
        elif count == 1:
            start, end = next(bounds), next(bounds)
            spans[name] = None if start == MISSING else Span.trusted((start, end))
        else:
            spans[name] = tuple(Span.trusted((next(bounds), next(bounds))) for _ in range(count[0]))
    return Record.trusted(page, spans, children, schema)


def _written(shape: Shape) -> str:
    return json.dumps(shape, ensure_ascii=True, separators=(",", ":"))
