"""Definitions: extractors as plain data, in which they are saved, sent and versioned."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rowen.extractors.locality import Locality, locality_from_dict, locality_to_dict
from rowen.files import write_file
from rowen.model import ExtractorError, InputError, OutputError
from rowen.model.page import digest
from rowen.records.schema import Schema

if TYPE_CHECKING:
    from rowen.extractors.base import Extractor

DEFINITION_BYTES = 64 * 1024 * 1024
"""Limit: the largest saved extractor; a dictionary of a million names fits."""


FORMAT = 1
"""The version of the file format that is written, and the newest that is read."""

IDENTITY = ("name", "version", "locality", "schema")


def _no_siblings(reference: object) -> "Extractor":
    raise ExtractorError(f"no extractor {reference!r}: only a file can refer to its extractors")


@dataclass(frozen=True, slots=True)
class Definition:
    r"""The kind of an extractor and its settings, with its folder and its neighbours in a file.

    >>> import rowen
    >>> definition = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms").to_definition()
    >>> definition.kind, definition.name
    ('pattern', 'rooms')
    """

    kind: str
    settings: Mapping[str, Any]
    folder: Path | None = None
    """The folder of the file, for settings that name other files."""
    resolve: Callable[[object], "Extractor"] = field(default=_no_siblings, compare=False)
    """Finds the extractors that settings refer to."""

    @property
    def name(self) -> str:
        """The extractor's name in messages."""
        name = self.settings.get("name", self.kind)
        return name if isinstance(name, str) else self.kind

    def to_dict(self) -> dict[str, Any]:
        """The definition as written to JSON."""
        return {"rowen": FORMAT, "kind": self.kind, **self.settings}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, completely or not at all."""
        target = Path(path)
        written = json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"
        try:
            # A lone surrogate becomes an escape, as JSON allows.
            write_file(target, written.encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise OutputError(f"can't write {target}: {error.strerror}") from None

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """An optional setting, checked for its type."""
        if key not in self.settings:
            return default
        value = self.settings[key]
        accepted = (int, float) if kind is float else kind
        if not isinstance(value, accepted) or (kind is not bool and isinstance(value, bool)):
            raise self.error(f"{key!r} must be {_NAMES[kind]}, not {_shown(value)}")
        return value

    def text(self, key: str) -> str:
        """A required setting that is a string."""
        value = self.get(key, str)
        if value is None:
            raise self.error(f"{key!r} is missing")
        assert isinstance(value, str)
        return value

    def identity(self) -> dict[str, Any]:
        """Those of name, version, locality and schema that are set, as arguments."""
        identity: dict[str, Any] = {}
        for key in ("name", "version"):
            if key in self.settings:
                identity[key] = self.text(key)
        if "locality" in self.settings:
            identity["locality"] = locality_from_dict(self.settings["locality"])
        if "schema" in self.settings:
            try:
                identity["schema"] = Schema.from_dict(self.settings["schema"])
            except InputError as error:
                raise self.error(str(error)) from None
        return identity

    def expect(self, *keys: str) -> None:
        """Refuse unknown settings: they are typing errors."""
        expected = {*IDENTITY, *keys}
        for key in self.settings:
            if key not in expected:
                raise self.error(
                    f"unknown setting {key!r}; the settings are {', '.join(sorted(expected))}"
                )

    def error(self, complaint: str) -> ExtractorError:
        """An error that names the extractor."""
        return ExtractorError(f"extractor {self.name!r}: {complaint}")


class Defined(ABC):
    """The base of extractors that are defined by settings: their version follows from them."""

    kind: ClassVar[str]
    meaning: ClassVar[int] = 1
    """Raise it when the same settings give other records than before; it is part of the version."""
    name: str
    fields: tuple[str, ...]

    def __init__(
        self,
        name: str,
        version: str | None,
        locality: Locality | None,
        schema: object = None,
    ) -> None:
        self.name = name
        self._given_version = version
        self._given_locality = locality
        self.given_schema = Schema.of(schema)

    @property
    def schema(self) -> Schema:
        """What each field holds: what the settings say, then what the author set."""
        return self.derive_schema().merged(self.given_schema)

    def derive_schema(self) -> Schema:
        """What the settings say about the fields; a field that is not in it is a text."""
        return Schema()

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Everything that determines the records, as plain data."""

    @abstractmethod
    def derive_locality(self) -> Locality:
        """The locality that the settings prove."""

    def fingerprint(self) -> dict[str, Any]:
        """What the version is computed from: everything that can change the records."""
        return self.settings()

    def engine(self) -> str:
        """The library that does the work, with its version: another version may change records."""
        return ""

    @property
    def given_version(self) -> str | None:
        """The version that the author set, if any."""
        return self._given_version

    def derive_version(self) -> str:
        """A digest that changes with the settings, their meaning and the library that runs them."""
        parts = [self.kind, self.meaning, self.engine(), self.fingerprint()]
        return digest(json.dumps(parts, sort_keys=True))[:12]

    @cached_property
    def derived_version(self) -> str:
        """The version that is computed from the settings, whether it is used or not."""
        return self.derive_version()

    @property
    def version(self) -> str:
        """As given, else as derived."""
        return self.derived_version if self._given_version is None else self._given_version

    @cached_property
    def locality(self) -> Locality:
        """As given, else as derived."""
        return self.derive_locality() if self._given_locality is None else self._given_locality

    @property
    def proved(self) -> bool:
        """Whether the locality is derived from the settings, and so needs no check."""
        return self._given_locality is None

    def to_definition(self) -> Definition:
        """The extractor as plain data; version and locality only if the author set them."""
        identity: dict[str, Any] = {"name": self.name}
        if self._given_version is not None:
            identity["version"] = self._given_version
        if self._given_locality is not None:
            identity["locality"] = locality_to_dict(self._given_locality)
        if self.given_schema:
            identity["schema"] = self.given_schema.to_dict()
        return Definition(self.kind, {**identity, **self.settings()})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the extractor as JSON, for `rowen.load`."""
        self.to_definition().save(path)

    def error(self, complaint: str) -> ExtractorError:
        """An error that names the extractor."""
        return ExtractorError(f"extractor {self.name!r}: {complaint}")


_NAMES = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    Mapping: "a table",
}


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
