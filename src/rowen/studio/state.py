"""What a project is at one moment; it never changes, actions make the next one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

Marks: TypeAlias = Mapping[str, Any]
"""A record as label files have it: offsets, a list of them, null where a field is missing."""


@dataclass(frozen=True, slots=True)
class Label:
    """The records that a person has marked on a page, and whether these are all."""

    records: tuple[Marks, ...] = ()
    complete: bool = False

    @property
    def tells(self) -> bool:
        """Whether there is something to learn from."""
        return bool(self.records) or self.complete


@dataclass(frozen=True, slots=True)
class State:
    """Pages, fields and labels."""

    fields: tuple[str, ...] = ()
    wrapper_class: str = "auto"
    pages: tuple[str, ...] = ()
    labels: Mapping[str, Label] = field(default_factory=dict)

    def with_page(self, page: str) -> Self:
        """The same with one page more."""
        return replace(self, pages=(*self.pages, page))

    def without_page(self, page: str) -> Self:
        """The same without a page, and without what is marked on it."""
        kept = {name: label for name, label in self.labels.items() if name != page}
        return replace(self, pages=tuple(one for one in self.pages if one != page), labels=kept)

    def with_label(self, page: str, label: Label) -> Self:
        """The same with another label on a page."""
        return replace(self, labels={**self.labels, page: label})

    def with_fields(self, fields: Iterable[str], renamed: Mapping[str, str]) -> Self:
        """The same with these fields in this order; marks of others go, those renamed stay."""
        names = tuple(fields)
        labels = {
            page: replace(
                label, records=tuple(_of_fields(one, names, renamed) for one in label.records)
            )
            for page, label in self.labels.items()
        }
        return replace(self, fields=names, labels=labels)


def _of_fields(record: Marks, names: tuple[str, ...], renamed: Mapping[str, str]) -> Marks:
    moved = {renamed.get(name, name): value for name, value in record.items()}
    return {name: value for name, value in moved.items() if name in names}
