"""Values instead of offsets: which of a value's places on its page a label means.

A value may stand in a title, a menu and an advertisement as well as in the data. As corroboration
does for recognizers (chapter 6), all places are kept at first; those are chosen with which every
label is tabular (records in page order, nothing overlaps) and whose surroundings agree best over
the records and pages. A placement is found whenever there is one; which one is a matter of score.
"""

import dataclasses
import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.limits import NESTING, PLACEMENT_ROUNDS, PLACES_COMPARED, PLACES_CROWDED
from rowen.model import Example, LabelError, Page, Record, Span
from rowen.model.record import CHILDREN
from rowen.wrappers import budget
from rowen.wrappers.placing.rows import place_rows
from rowen.wrappers.placing.surroundings import Surroundings
from rowen.wrappers.placing.whereabouts import Occurrences, Place

Given: TypeAlias = tuple[Page, Sequence[Mapping[str, object] | Record], bool]
"""A page, its records with values in place of offsets, and whether there are more records."""

Column: TypeAlias = tuple[str, int]
"""A field, and which of a record's values of it: lists need not be in page order."""

NEAR = 0.01
"""What a place loses with each doubling of its distance to the rest of its record."""

IN_ORDER = 0.002
"""What a place gains that has the record's other values on the sides on which they are listed."""

TIE = 1e-3
"""Scores that differ by less say nothing."""


@dataclass(frozen=True, slots=True)
class Competition:
    """Places of one value that are as good as the one that was taken."""

    page: str
    record: str
    field: str
    taken: Span
    others: tuple[Span, ...]

    def __str__(self) -> str:
        rivals = ", ".join(f"[{one.start}, {one.end})" for one in self.others)
        return (
            f"{self.page}: record {self.record}, field {self.field!r}: taken at "
            f"[{self.taken.start}, {self.taken.end}), which is no better than {rivals}"
        )


@dataclass(frozen=True, slots=True)
class Placement:
    """Examples with offsets, and where other places would have done as well."""

    examples: list[Example]
    ambiguous: list[Competition]


def place(given: Sequence[Given], *, strict: bool = False) -> list[Example]:
    """The examples with each value where it stands; with `strict` a tie is a `LabelError`.

    Values are strings, spans, lists of both, or None. Without `strict` the first of equal places is
    taken. A `LabelError` says which value stands nowhere, or not in page order.
    """
    placed = find_placement(given)
    if strict and placed.ambiguous:
        tie = placed.ambiguous[0]
        rivals = ", ".join(f"[{one.start}, {one.end})" for one in (tie.taken, *tie.others))
        raise LabelError(
            tie.page,
            f"the value stands at {rivals}, and nothing tells which is meant: give offsets",
            record=tie.record,
            field=tie.field,
        )
    return placed.examples


def find_placement(given: Sequence[Given]) -> Placement:
    """The best placement of all pages' values together, with its ties."""
    sheets = [_Sheet(page, records) for page, records, _ in given]
    _settle(sheets)
    examples = [
        Example(sheet.page, sheet.placed(records), partial)
        for sheet, (_, records, partial) in zip(sheets, given, strict=True)
    ]
    return Placement(examples, [tie for sheet in sheets for tie in sheet.ties()])


@dataclass(slots=True, eq=False)
class _Cell:
    """One value that needs a place; a list of values has a cell for each."""

    row: int
    record: str
    field: str
    places: list[Place]
    rank: int
    """Where the field is listed among those of its record."""
    taken: Place | None = None
    rivals: list[Place] = dataclasses.field(default_factory=list)


class _Sheet:
    """A page's records in preorder, as rows of cells: children follow their parent's own fields."""

    def __init__(self, page: Page, records: Sequence[Mapping[str, object] | Record]) -> None:
        self.page = page
        self.occurrences = Occurrences(page)
        self.surroundings = Surroundings(page)
        self.cells: dict[tuple[str, str], list[_Cell]] = {}
        self.columns: defaultdict[Column, list[_Cell]] = defaultdict(list)
        self.rows = 0
        self._read(records, "")

    def _read(self, records: object, parent: str) -> None:
        if parent.count(".") >= NESTING:
            raise LabelError(self.page.id, f"nested deeper than {NESTING}", record=parent[:-1])
        for number, record in enumerate(_checked(self.page, records, parent), 1):
            name = f"{parent}{number}"
            row, self.rows = self.rows, self.rows + 1
            for rank, (field_name, value) in enumerate(_fields(record)):
                self._add(row, name, field_name, value, rank=rank)
            self._read(_children(record), f"{name}.")

    def _add(self, row: int, record: str, field_name: str, value: object, *, rank: int) -> None:
        cells = [
            _Cell(row, record, field_name, self._places(one, record, field_name), rank)
            for one in _values(value)
        ]
        self.cells[record, field_name] = cells
        for number, cell in enumerate(cells):
            self.columns[field_name, number].append(cell)

    def _places(self, value: object, record: str, field_name: str) -> list[Place]:
        budget.check()
        if not isinstance(value, str):
            try:
                (span,) = Record(self.page, {field_name: [value]}).items()
            except (TypeError, ValueError) as error:
                reason = str(error).removeprefix(f"field {field_name!r}: ")
                raise LabelError(self.page.id, reason, record=record, field=field_name) from None
            return [(one.start, one.end) for one in span[1]]
        places = self.occurrences.of(value)
        if not places:
            raise LabelError(
                self.page.id,
                f"{_shown(value)} does not stand on the page",
                record=record,
                field=field_name,
            )
        return places

    def placed(self, records: object, parent: str = "") -> list[dict[str, object]]:
        """The records with spans in place of values."""
        found: list[dict[str, object]] = []
        for number, record in enumerate(_checked(self.page, records, parent), 1):
            name = f"{parent}{number}"
            spans: dict[str, object] = {}
            for field_name, value in _fields(record):
                taken = [cell.taken for cell in self.cells[name, field_name]]
                several = isinstance(value, list | tuple) and not _is_span(value)
                spans[field_name] = taken if several else (taken[0] if taken else None)
            if children := self.placed(_children(record), f"{name}."):
                spans[CHILDREN] = children
            found.append(spans)
        return found

    def ties(self) -> Iterator[Competition]:
        """The cells that could as well stand elsewhere."""
        for cells in self.cells.values():
            for cell in cells:
                if cell.rivals and cell.taken:
                    others = tuple(Span(*place) for place in cell.rivals)
                    yield Competition(
                        self.page.id, cell.record, cell.field, Span(*cell.taken), others
                    )

    def clear(self) -> None:
        """Take all places back."""
        for cells in self.columns.values():
            for cell in cells:
                cell.taken = None

    def windows(self, column: Column) -> list[tuple[int, int]]:
        """For each row the bounds that the placed cells of other columns leave to it."""
        ends, starts = [0] * (self.rows + 1), [len(self.page.text)] * (self.rows + 1)
        for name, cells in self.columns.items():
            if name == column:
                continue
            for cell in cells:
                if cell.taken:
                    ends[cell.row + 1] = max(ends[cell.row + 1], cell.taken[1])
                    if cell.row:
                        starts[cell.row - 1] = min(starts[cell.row - 1], cell.taken[0])
        for row in range(1, self.rows + 1):
            ends[row] = max(ends[row], ends[row - 1])
        for row in range(self.rows - 1, -1, -1):
            starts[row] = min(starts[row], starts[row + 1])
        return list(zip(ends[:-1], starts[:-1], strict=True))

    def row_mates(self, column: Column) -> dict[int, list[_Cell]]:
        """The placed cells of other columns, by row."""
        mates: dict[int, list[_Cell]] = {}
        for name, cells in self.columns.items():
            if name != column:
                for cell in cells:
                    if cell.taken:
                        mates.setdefault(cell.row, []).append(cell)
        return mates


def _settle(sheets: list[_Sheet]) -> None:
    """Place all columns, the surest first, then each again in the light of the others."""
    columns = list(dict.fromkeys(name for sheet in sheets for name in sheet.columns))
    order = sorted(columns, key=lambda name: _doubt(sheets, name))
    if _place_columns(sheets, order):
        for _ in range(PLACEMENT_ROUNDS):
            before = _all_taken(sheets)
            for column in order:
                _place_column(sheets, column, settled=True)
            if before == _all_taken(sheets):
                break
    else:
        _settle_anyhow(sheets)
    for column in order:
        _find_rivals(sheets, column)


def _place_columns(sheets: list[_Sheet], order: list[Column]) -> bool:
    """Place one column after the other; one that finds no room left may go first, once."""
    stuck: set[Column] = set()
    position = 0
    while position < len(order):
        column = order[position]
        if _place_column(sheets, column, settled=False):
            position += 1
            continue
        if column in stuck or position == 0:
            return False
        stuck.add(column)
        order.insert(0, order.pop(position))
        position = 0
        for sheet in sheets:
            sheet.clear()
    return True


def _all_taken(sheets: list[_Sheet]) -> list[Place | None]:
    return [cell.taken for sheet in sheets for cells in sheet.columns.values() for cell in cells]


def _settle_anyhow(sheets: list[_Sheet]) -> None:
    """Place each record as early as possible: complete, where the search by columns got stuck."""
    for sheet in sheets:
        rows: list[list[_Cell]] = [[] for _ in range(sheet.rows)]
        for cells in sheet.cells.values():
            for cell in cells:
                rows[cell.row].append(cell)
        chosen = place_rows([[cell.places for cell in row] for row in rows])
        if isinstance(chosen, int):
            cell = rows[chosen][0]
            raise LabelError(
                sheet.page.id,
                "its values have no places after the record before that don't overlap: records are "
                "listed in page order and don't interleave",
                record=cell.record,
                field=cell.field if len(rows[chosen]) == 1 else None,
            )
        for row, places in zip(rows, chosen, strict=True):
            for cell, taken in zip(row, places, strict=True):
                cell.taken = taken


def _doubt(sheets: list[_Sheet], column: Column) -> float:
    """How many places the values of a column have, on average."""
    cells = [cell for sheet in sheets for cell in sheet.columns.get(column, ())]
    return sum(len(cell.places) for cell in cells) / len(cells)


Scores: TypeAlias = NDArray[np.float64]


def _place_column(sheets: list[_Sheet], column: Column, *, settled: bool) -> bool:
    """Choose the places of one column on all pages; False where nothing fits the other columns."""
    budget.check()
    if _is_crowded(sheets, column):
        return False
    open_places = _all_open_places(sheets, column)
    if any(not places for _, _, places in open_places):
        return False
    scored = _scored(open_places, column, settled=settled)
    chosen: list[Place] = []
    first = 0
    for sheet in sheets:
        count = len(sheet.columns.get(column, ()))
        span = slice(first, first + count)
        path = _best_path([places for _, _, places in open_places[span]], scored[span])
        if path is None:
            return False
        chosen += path
        first += count
    for (_, cell, _), taken in zip(open_places, chosen, strict=True):
        cell.taken = taken
    return True


def _find_rivals(sheets: list[_Sheet], column: Column) -> None:
    """Note the places that were no worse before the votes for the chosen ones came in."""
    if _is_crowded(sheets, column):
        return
    open_places = _all_open_places(sheets, column)
    if all(len(places) < 2 for _, _, places in open_places):
        return
    scored = _scored(open_places, column, settled=False)
    for (_, cell, places), scores in zip(open_places, scored, strict=True):
        if cell.taken in places:
            limit = scores[places.index(cell.taken)] - TIE
            pairs = zip(places, scores, strict=True)
            cell.rivals = [one for one, score in pairs if one != cell.taken and score >= limit]


def _is_crowded(sheets: list[_Sheet], column: Column) -> bool:
    """Whether too many places are open to look at each."""
    total = 0
    for sheet in sheets:
        cells = sheet.columns.get(column, [])
        windows = sheet.windows(column) if cells else []
        for cell in cells:
            low, high = windows[cell.row]
            total += bisect_left(cell.places, (high,)) - bisect_left(cell.places, (low,))
    return total > PLACES_CROWDED


def _all_open_places(
    sheets: list[_Sheet], column: Column
) -> list[tuple[_Sheet, _Cell, list[Place]]]:
    """The open places of a column on all pages, not more than can be compared."""
    found = [(sheet, *pair) for sheet in sheets for pair in _open_places(sheet, column)]
    if sum(len(places) for _, _, places in found) <= PLACES_COMPARED:
        return found
    share = max(1, PLACES_COMPARED // len(found))
    return [(sheet, cell, _most_visible(sheet, places, share)) for sheet, cell, places in found]


def _most_visible(sheet: _Sheet, places: list[Place], count: int) -> list[Place]:
    ranked = sorted(places, key=sheet.surroundings.visibility, reverse=True)
    return sorted(ranked[:count])


def _open_places(sheet: _Sheet, column: Column) -> Iterator[tuple[_Cell, list[Place]]]:
    """The places of each cell that the other columns leave free."""
    cells = sheet.columns.get(column, [])
    if not cells:
        return
    windows = sheet.windows(column)
    mates = sheet.row_mates(column)
    for cell in cells:
        low, high = windows[cell.row]
        beside = [mate.taken for mate in mates.get(cell.row, []) if mate.taken]
        within = cell.places[bisect_left(cell.places, (low,)) : bisect_left(cell.places, (high,))]
        places = [
            (start, end)
            for start, end in within
            if end <= high and all(end <= other[0] or other[1] <= start for other in beside)
        ]
        yield cell, places


def _scored(
    open_places: list[tuple[_Sheet, _Cell, list[Place]]], column: Column, *, settled: bool
) -> list[Scores]:
    """A score for each place of each cell: what agrees, what is seen, what is near."""
    features = [_features(sheet, places) for sheet, _, places in open_places]
    voters = [
        _ballot(sheet, cell, rows, settled=settled)
        for rows, (sheet, cell, _) in zip(features, open_places, strict=True)
    ]
    names, votes = np.unique(
        np.concatenate([np.unique(rows) for rows in voters]), return_counts=True
    )
    mates = {id(sheet): sheet.row_mates(column) for sheet, _, _ in open_places}
    found: list[Scores] = []
    for rows, (sheet, cell, places) in zip(features, open_places, strict=True):
        index = np.minimum(np.searchsorted(names, rows), len(names) - 1)
        support = np.where(names[index] == rows, votes[index], 0) / len(open_places)
        scores = support.mean(axis=1)
        # Nearness and order tell records apart; where there is only one, they tell nothing.
        beside = mates[id(sheet)].get(cell.row, []) if sheet.rows > 1 else []
        scores += [
            sheet.surroundings.visibility(one) + _fellowship(one, cell, beside) for one in places
        ]
        found.append(scores)
    return found


def _features(sheet: _Sheet, places: list[Place]) -> NDArray[np.int64]:
    return np.array([sheet.surroundings.features(one) for one in places], dtype=np.int64)


def _ballot(
    sheet: _Sheet, cell: _Cell, features: NDArray[np.int64], *, settled: bool
) -> NDArray[np.int64]:
    """What a cell votes for: all that is around its places, or around the one that it took."""
    return _features(sheet, [cell.taken]) if settled and cell.taken else features


def _fellowship(place: Place, cell: _Cell, mates: list[_Cell]) -> float:
    """How well a place goes with those of the record's other values: near, and in their order."""
    placed = [(mate.taken, mate.rank) for mate in mates if mate.taken]
    if not placed:
        return 0.0
    start, end = place
    gap = min(max(other[0] - end, start - other[1], 0) for other, _ in placed)
    ordered = sum((other[0] < start) == (rank <= cell.rank) for other, rank in placed)
    return IN_ORDER * ordered / len(placed) - NEAR * math.log2(1 + gap)


def _best_path(places: list[list[Place]], scores: list[Scores]) -> list[Place] | None:
    """One place a cell, each after the one before, with the highest sum; the first of equals."""
    totals: list[Scores] = []
    backs: list[NDArray[np.intp]] = []
    order: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
    for number, (cell_places, cell_scores) in enumerate(zip(places, scores, strict=True)):
        if not number:
            totals.append(cell_scores)
            backs.append(np.zeros(len(cell_places), dtype=np.intp))
        else:
            ends = np.array([places[number - 1][one][1] for one in order])
            before = totals[-1][order]
            best = np.maximum.accumulate(before)
            fresh = np.concatenate(([True], best[1:] > best[:-1]))
            holder = np.maximum.accumulate(np.where(fresh, np.arange(len(before)), 0))
            starts = np.array([start for start, _ in cell_places])
            reach = np.searchsorted(ends, starts, side="right") - 1
            total = np.where(reach >= 0, cell_scores + best[reach], -np.inf)
            totals.append(total)
            backs.append(order[holder[reach]])
        if not np.isfinite(totals[-1]).any():
            return None
        order = np.argsort([end for _, end in cell_places], kind="stable")
    if not totals:
        return []
    path: list[Place] = []
    at = int(np.argmax(totals[-1]))
    for number in range(len(places) - 1, -1, -1):
        path.append(places[number][at])
        at = int(backs[number][at])
    return path[::-1]


def _checked(page: Page, records: object, parent: str) -> Sequence[Mapping[str, object] | Record]:
    if isinstance(records, str | Mapping) or not isinstance(records, Sequence):
        raise LabelError(page.id, "records are a list of mappings", record=f"{parent}1")
    for number, record in enumerate(records, 1):
        if not isinstance(record, Mapping | Record):
            raise LabelError(
                page.id, f"{_shown(record)} is not a record", record=f"{parent}{number}"
            )
    return records


def _fields(record: Mapping[str, object] | Record) -> Iterator[tuple[str, object]]:
    given = record.spans if isinstance(record, Record) else record
    return ((name, value) for name, value in given.items() if name != CHILDREN)


def _children(record: Mapping[str, object] | Record) -> object:
    return record.children if isinstance(record, Record) else record.get(CHILDREN) or ()


def _values(value: object) -> Sequence[object]:
    """The values of a field one by one."""
    if value is None:
        return ()
    if isinstance(value, list | tuple) and not _is_span(value):
        return value
    return (value,)


def _is_span(value: Sequence[object]) -> bool:
    return len(value) == 2 and all(isinstance(one, int) for one in value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
