"""The state of a project: an immutable value. An action returns the next state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

from rowen.studio.table import Table

Marks: TypeAlias = Mapping[str, Any]
"""A record as in label files: offsets, a list of them, or null if a field is missing."""


@dataclass(frozen=True, slots=True)
class Label:
    """The marked records of a page, and whether these are all."""

    records: tuple[Marks, ...] = ()
    complete: bool = False
    rejected: tuple[Marks, ...] = ()
    """Proposed records that a person deleted. They say nothing about other records."""

    @property
    def is_usable(self) -> bool:
        """Whether learning can use it: an empty partial label says nothing."""
        return bool(self.records) or self.complete


@dataclass(frozen=True, slots=True)
class State:
    """Pages, fields and labels."""

    fields: tuple[str, ...] = ()
    wrapper_class: str = "auto"
    pages: tuple[str, ...] = ()
    labels: Mapping[str, Label] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    """The types of fields that are not texts."""
    table: Table | None = None
    """The suggested table that was chosen; its records are proposed while no label contradicts."""

    def with_page(self, page: str) -> Self:
        """The state with one more page."""
        return replace(self, pages=(*self.pages, page))

    def without_page(self, page: str) -> Self:
        """The state without a page and its label."""
        labels = {name: label for name, label in self.labels.items() if name != page}
        pages = tuple(name for name in self.pages if name != page)
        return replace(self, pages=pages, labels=labels)

    def with_label(self, page: str, label: Label) -> Self:
        """The state with this label for a page."""
        return replace(self, labels={**self.labels, page: label})

    def with_fields(self, fields: Iterable[str], renamed: Mapping[str, str]) -> Self:
        """The state with these fields; renamed fields keep their marks, removed ones lose them."""
        names = tuple(fields)
        labels = {
            page: replace(
                label,
                records=tuple(_of_fields(record, names, renamed) for record in label.records),
                # Without any value nothing is left to tell the deleted record by.
                rejected=tuple(
                    filter(None, (_of_fields(record, names, renamed) for record in label.rejected))
                ),
            )
            for page, label in self.labels.items()
        }
        types = _of_fields(self.types, names, renamed)
        table = None if self.table is None else self.table.with_fields(names, renamed)
        return replace(self, fields=names, labels=labels, types=types, table=table)

    def with_table(self, fields: Iterable[str], types: Mapping[str, str], table: Table) -> Self:
        """The state with the fields of a suggested table, and without any mark."""
        return replace(self, fields=tuple(fields), types=dict(types), labels={}, table=table)


def _of_fields(record: Marks, names: tuple[str, ...], renamed: Mapping[str, str]) -> Marks:
    # All fields are renamed at once, so that two of them can swap their names.
    moved = {renamed.get(name, name): value for name, value in record.items()}
    return {name: value for name, value in moved.items() if name in names}
