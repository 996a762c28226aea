"""Which of a page's data a rule reads: by where it is written, its name and its type."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rowen.extractors.definition import Definition
from rowen.text.data import ORIGINS, Origin, PageData, Root

IN_SCRIPTS: frozenset[Origin] = frozenset(("json-ld", "json", "script"))
"""Data that is written for programs, not for readers."""

_WORDS: dict[Origin, str] = {
    "json-ld": "the JSON-LD script",
    "microdata": "the microdata",
    "rdfa": "the RDFa",
    "json": "the JSON script",
    "script": "the script variable",
    "meta": "the meta tags",
}


@dataclass(frozen=True, slots=True)
class Source:
    """All roots of a kind, or those with a name or a type."""

    origin: Origin
    name: str | None = None
    type: str | None = None

    def roots(self, data: PageData) -> Iterator[Root]:
        """The roots on a page, in page order."""
        for root in data.of(self.origin):
            if self.name is not None and self.name not in root.names:
                continue
            if self.type is not None and self.type not in root.types:
                continue
            yield root

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        saved = {"origin": self.origin, "name": self.name, "type": self.type}
        return {key: value for key, value in saved.items() if value is not None}

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Source":
        """A saved source."""
        if (
            not isinstance(saved, Mapping)
            or saved.get("origin") not in ORIGINS
            or not saved.keys() <= {"origin", "name", "type"}
            or not all(isinstance(value, str) for value in saved.values())
        ):
            raise definition.error(
                f"a source needs an 'origin' ({', '.join(ORIGINS)}), and may have a 'name' and a "
                "'type'"
            )
        return cls(**saved)

    def __str__(self) -> str:
        words = _WORDS[self.origin]
        if self.type is not None:
            words += f" of type {self.type}"
        return words if self.name is None else f"{words} {self.name}"
