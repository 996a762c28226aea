"""The rows of a draft: which of its regions are records, and where their values are.

They are found in the views that the draft was made from, so that a draft which only repeats another
table costs little. The wrapper of a table that is kept finds the same records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rowen.structure.columns import Place
from rowen.structure.overlaps import FilledPlace
from rowen.wrappers.region.wrapper import Cell, is_record

TIDIER = 0.1
"""A part of a table whose columns are filled so much more is a table of its own."""


@dataclass(frozen=True)
class RowsOfDraft:
    """The records of a draft on all pages, as the bounds of the values of each column."""

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
        """Whether it has no value that the other lacks, and is not a tidier part of it."""
        is_part = len(self.rows) < len(other.rows)
        is_tidier = is_part and self._mean() > other._mean() + TIDIER  # noqa: SLF001  # its own class
        return not is_tidier and self.values <= other.values

    def _mean(self) -> float:
        return sum(self.filled.values()) / len(self.filled)


def find_rows(
    columns: Sequence[FilledPlace], names: Sequence[str], required: Sequence[str]
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
    return RowsOfDraft(by_name, rows)
