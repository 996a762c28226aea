"""Texts instead of offsets: which of a text's positions on its page a label means.

A text may occur in a title, a menu and an advertisement as well as in the data. As corroboration
does for recognizers (thesis, chapter 6), all positions are candidates at first. Those are chosen
with which every label is tabular (records in page order, nothing overlaps) and whose surroundings
agree best over records and pages. A solution is found whenever there is one; among several, the
score decides.

    page     <title>Ada</title> <li><b>Ada</b> 36 <li><b>Bob</b> 41
    label    Ada 36, Bob 41
    column by column, the one with fewest positions first:
      age    36 and 41 occur once
      name   Ada must end before Bob starts and not overlap 36: the title or the list; the list
             shares `<li><b>` with Bob and is nearer to 36
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rowen.induction import budget
from rowen.labels.agreement import best_path, open_cells, score
from rowen.labels.label_table import Column, GivenRecord, LabelTable
from rowen.labels.rows import locate_rows
from rowen.model import LabelError, Page, Span
from rowen.records import Example, Record
from rowen.records.positions import Position
from rowen.records.record import CHILDREN
from rowen.records.shared_values import shared_fields, with_shared, without_shared
from rowen.records.tie import Tie

POSITIONS_CROWDED = 400_000
"""Limit: with more open positions in a column, values are not compared at all, and each record is
located as early as possible."""

LOCATING_ROUNDS = 4
"""This often the positions of all values are reconsidered. Nearly always the second round changes
nothing."""

GivenLabel: TypeAlias = tuple[Page, Sequence[GivenRecord], bool]
"""A page, its records with texts in place of offsets, and whether the page has more records."""

TIE = 1e-3
"""Scores that differ by less count as equal."""


@dataclass(frozen=True, slots=True)
class LocatedLabels:
    """Examples with offsets, and the values for which other positions are as good."""

    examples: list[Example]
    ties: list[Tie]


def locate(labels: Sequence[GivenLabel], *, strict: bool = False) -> list[Example]:
    """The examples with each text where it is meant; with `strict` a tie is a `LabelError`.

    Values are texts, spans, lists of both, or None. Without `strict` the first of equal positions
    is taken. A `LabelError` says which value was not found, or not in page order.
    """
    located = locate_all(labels)
    if strict and located.ties:
        tie = located.ties[0]
        positions = ", ".join(f"[{span.start}, {span.end})" for span in (tie.taken, *tie.rivals))
        raise LabelError(
            tie.page,
            f"the value was found at {positions}, and it is unclear which is meant: give offsets",
            record=tie.record,
            field=tie.field,
        )
    return located.examples


def locate_examples(examples: Sequence[Example]) -> Sequence[Example]:
    """The examples with texts where their surroundings agree, not where they first occur."""
    if not any(example.given and not example.is_located for example in examples):
        return examples
    return locate(
        [
            (
                example.page,
                example.given or [_with_offsets(record) for record in example.records],
                example.partial,
            )
            for example in examples
        ]
    )


def _with_offsets(record: Record) -> Mapping[str, object]:
    return {**record.spans, CHILDREN: [_with_offsets(child) for child in record.children]}


def locate_all(labels: Sequence[GivenLabel]) -> LocatedLabels:
    """The best positions of all pages' values together, and the ties among them."""
    shared = [shared_fields(page, records) for page, records, _ in labels]
    own = [
        without_shared(records, names)
        for (_, records, _), names in zip(labels, shared, strict=True)
    ]
    tables = [
        LabelTable(page, records, partial=partial)
        for (page, _, partial), records in zip(labels, own, strict=True)
    ]
    _settle(tables)
    examples = []
    for table, (page, records, partial), mine, names in zip(
        tables, labels, own, shared, strict=True
    ):
        placed = Example.located(page, table.located(mine), partial=partial, given=records)
        filled = with_shared(placed.records, names) if names else placed.records
        examples.append(
            Example.located(page, filled, partial=partial, given=records, ties=_ties(table))
        )
    return LocatedLabels(examples, [tie for example in examples for tie in example.ties])


def _ties(table: LabelTable) -> Iterator[Tie]:
    for cells in table.cells.values():
        for cell in cells:
            if cell.rivals and cell.taken:
                rivals = tuple(Span(*position) for position in cell.rivals)
                yield Tie(table.page.id, cell.record, cell.field, Span(*cell.taken), rivals)


def _settle(tables: list[LabelTable]) -> None:
    """Locate all columns, the surest first; then reconsider each in the light of the others."""
    columns = list(dict.fromkeys(name for table in tables for name in table.columns))
    order = sorted(columns, key=lambda name: _ambiguity(tables, name))
    # A column with one position per value constrains the others and can't be wrong itself.
    if _locate_columns(tables, order):
        for _ in range(LOCATING_ROUNDS):
            before = _all_taken(tables)
            for column in order:
                _locate_column(tables, column, settled=True)
            if before == _all_taken(tables):
                break
    else:
        _locate_earliest(tables)
    for column in order:
        _find_rivals(tables, column)


def _locate_columns(tables: list[LabelTable], order: list[Column]) -> bool:
    """Locate one column after the other; one that finds no room may go first, once."""
    stuck: set[Column] = set()
    index = 0
    while index < len(order):
        column = order[index]
        if _locate_column(tables, column, settled=False):
            index += 1
            continue
        # First of all columns it has all the room there is: if it still fails, others must move.
        if column in stuck or index == 0:
            return False
        stuck.add(column)
        order.insert(0, order.pop(index))
        index = 0
        for table in tables:
            table.clear()
    return True


def _all_taken(tables: list[LabelTable]) -> list[Position | None]:
    return [cell.taken for table in tables for cells in table.columns.values() for cell in cells]


def _locate_earliest(tables: list[LabelTable]) -> None:
    """Locate each record as early as possible: complete, where the search by columns got stuck."""
    for table in tables:
        rows = table.by_row()
        chosen = locate_rows([[cell.positions for cell in row] for row in rows], table.tree)
        if isinstance(chosen, int):
            cell = rows[chosen][0]
            raise LabelError(
                table.page.id,
                "its values were not found after the previous record, or only overlapping: records "
                "must be in page order and must not interleave",
                record=cell.record,
                field=cell.field if len(rows[chosen]) == 1 else None,
            )
        for row, positions in zip(rows, chosen, strict=True):
            for cell, taken in zip(row, positions, strict=True):
                cell.taken = taken


def _ambiguity(tables: list[LabelTable], column: Column) -> float:
    """How many positions the values of a column have, on average."""
    cells = [cell for table in tables for cell in table.columns.get(column, ())]
    return sum(len(cell.positions) for cell in cells) / len(cells)


def _locate_column(tables: list[LabelTable], column: Column, *, settled: bool) -> bool:
    """Choose the positions of one column on all pages; False where none fit the other columns."""
    budget.check()
    if _is_crowded(tables, column):
        return False
    cells = open_cells(tables, column)
    if any(not entry.positions for entry in cells):
        return False
    scores = score(cells, column, settled=settled)
    chosen: list[Position] = []
    first = 0
    for table in tables:
        count = len(table.columns.get(column, ()))
        of_page = slice(first, first + count)
        path = best_path([entry.positions for entry in cells[of_page]], scores[of_page])
        if path is None:
            return False
        chosen += path
        first += count
    for entry, taken in zip(cells, chosen, strict=True):
        entry.cell.taken = taken
    return True


def _find_rivals(tables: list[LabelTable], column: Column) -> None:
    """Note the positions that were no worse before the votes for the chosen ones were counted."""
    if _is_crowded(tables, column):
        return
    cells = open_cells(tables, column)
    if all(len(entry.positions) < 2 for entry in cells):
        return
    scores_of_cells = score(cells, column, settled=False)
    for entry, scores in zip(cells, scores_of_cells, strict=True):
        cell, positions = entry.cell, entry.positions
        if cell.taken in positions:
            # Scores before settling: afterwards the chosen position has one vote more, its own.
            least = scores[positions.index(cell.taken)] - TIE
            cell.rivals = [
                position
                for position, rated in zip(positions, scores, strict=True)
                if position != cell.taken and rated >= least
            ]


def _is_crowded(tables: list[LabelTable], column: Column) -> bool:
    """Whether there are too many open positions to consider each."""
    return sum(table.count_open(column) for table in tables) > POSITIONS_CROWDED
