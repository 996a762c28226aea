"""The rows of a draft: which of its regions are records, and where their values are.

They are found in the views that the draft was made from, so that a draft which only repeats another
table costs little. The wrapper of a table that is kept finds the same records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rowen.structure.columns import Place
from rowen.structure.overlaps import FilledPlace
from rowen.wrappers.region.wrapper import Cell, Pattern, is_record

TIDIER = 0.1
"""A part of a table whose columns are filled so much more is a table of its own."""

MOST = 0.95
"""A table with this share of the values of another one has what it has."""

SECTION = 0.3
"""A part in an element with a name is a table of its own if it has this share of the records."""


@dataclass(frozen=True)
class RowsOfDraft:
    """The records of a draft on all pages, as the bounds of the values of each column."""

    pattern: Pattern
    by_name: dict[str, Place]
    rows: list[tuple[int, tuple[Cell, ...]]]
    """Of each record its page and its values."""

    @cached_property
    def values(self) -> frozenset[tuple[int, int, int]]:
        """The page, start and end of all values."""
        return frozenset(
            (page, *bounds) for page, cells in self.rows for cell in cells for bounds in cell
        )

    @cached_property
    def filled(self) -> dict[str, float]:
        """The share of records in which each column has a value."""
        columns = zip(*(cells for _, cells in self.rows), strict=True)
        counts = [sum(map(bool, column)) for column in columns]
        total = max(len(self.rows), 1)
        shares = [count / total for count in counts] or [0.0] * len(self.by_name)
        return dict(zip(self.by_name, shares, strict=True))

    def repeats(self, other: "RowsOfDraft") -> bool:
        """Whether it has no value that the other lacks, and is no table of its own.

        A tidier part of the other is one, and a large part in an element with a name.
        """
        is_part = len(self.rows) < len(other.rows)
        is_tidier = is_part and self._mean() > other._mean() + TIDIER  # noqa: SLF001  # its own class
        is_named = self._is_named() and not other._is_named()  # noqa: SLF001
        is_section = is_part and is_named and len(self.rows) >= SECTION * len(other.rows)
        return not (is_tidier or is_section) and self.values <= other.values

    def widens(self, other: "RowsOfDraft") -> bool:
        """Whether it has the other's records, each as one, and more, of which as much is filled."""
        if len(self.rows) <= len(other.rows) or self._mean() < other._mean() - TIDIER:  # noqa: SLF001  # its own class
            return False
        if len(self.values & other.values) < MOST * len(other.values):
            return False
        own = [self._rows_of.get(bounds, -1) for bounds in other._rows_of]  # noqa: SLF001
        pairs = set(zip(other._rows_of.values(), own, strict=True))  # noqa: SLF001
        pairs = {(row, place) for row, place in pairs if place >= 0}
        whole = len({row for row, _ in pairs}), len({place for _, place in pairs})
        return MOST * len(pairs) <= min(whole)

    @cached_property
    def _rows_of(self) -> dict[tuple[int, int, int], int]:
        """The number of the record that each value is in."""
        return {
            (page, *bounds): number
            for number, (page, cells) in enumerate(self.rows)
            for cell in cells
            for bounds in cell
        }

    def _is_named(self) -> bool:
        """Whether a class or an id says which elements the records are in."""
        return any(step.attributes for step in self.pattern.path[:-1])

    def _mean(self) -> float:
        # Parts have fewer values than the texts that they are parts of, and make no table untidy.
        parts = [name for name, place in self.by_name.items() if place.is_part]
        filled = [share for name, share in self.filled.items() if name not in parts]
        return sum(filled) / max(len(filled), 1)


def find_rows(
    pattern: Pattern,
    columns: Sequence[FilledPlace],
    names: Sequence[str],
    required: Sequence[str],
) -> RowsOfDraft:
    """The records among the regions of pages, by columns of which some are required."""
    by_name = dict(zip(names, (column.place for column in columns), strict=True))
    needed = [number for number, name in enumerate(names) if name in required or not required]
    rows: list[tuple[int, tuple[Cell, ...]]] = []
    for page in range(len(columns[0].cells)):
        rows += [
            (page, cells)
            for cells in zip(*(column.cells[page] for column in columns), strict=True)
            if is_record([bool(cells[number]) for number in needed], required=bool(required))
        ]
    return RowsOfDraft(pattern, by_name, rows)
