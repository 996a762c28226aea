"""Definitions: an extractor as plain data, the form in which it is saved, sent and versioned."""

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rowen.extractors.locality import Locality, locality_from_dict, locality_to_dict
from rowen.model import ExtractorError, OutputError
from rowen.model.page import digest

if TYPE_CHECKING:
    from rowen.extractors.base import Extractor

FORMAT = 1
"""The version of the file format that is written, and the newest that is read."""

IDENTITY = ("name", "version", "locality")


def _no_siblings(reference: object) -> "Extractor":
    raise ExtractorError(f"{reference!r} names no extractor here")


@dataclass(frozen=True, slots=True)
class Definition:
    """A kind and its settings, with what it takes to read them: where they stood, beside what."""

    kind: str
    settings: Mapping[str, Any]
    folder: Path | None = None
    """Where the file stood, for settings that name other files."""
    resolve: Callable[[object], "Extractor"] = field(default=_no_siblings, compare=False)
    """Finds the extractors that settings refer to."""

    @property
    def name(self) -> str:
        """What to call the extractor in messages."""
        name = self.settings.get("name", self.kind)
        return name if isinstance(name, str) else self.kind

    def to_dict(self) -> dict[str, Any]:
        """The definition as it is written to JSON."""
        return {"rowen": FORMAT, "kind": self.kind, **self.settings}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as JSON, whole or not at all."""
        target = Path(path)
        draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        try:
            written = json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"
            # Half a surrogate pair becomes JSON's own escape.
            draft.write_bytes(written.encode("utf-8", "backslashreplace"))
            draft.replace(target)
        except OSError as error:
            draft.unlink(missing_ok=True)
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
        """A setting that must be there, as a string."""
        value = self.get(key, str)
        if value is None:
            raise self.error(f"{key!r} is missing")
        assert isinstance(value, str)
        return value

    def identity(self) -> dict[str, Any]:
        """Name, version and locality, as every extractor takes them; those that are given."""
        given: dict[str, Any] = {}
        for key in ("name", "version"):
            if key in self.settings:
                given[key] = self.text(key)
        if "locality" in self.settings:
            given["locality"] = locality_from_dict(self.settings["locality"])
        return given

    def expect(self, *keys: str) -> None:
        """Refuse settings that nobody reads: they are typing errors."""
        known = {*IDENTITY, *keys}
        for key in self.settings:
            if key not in known:
                raise self.error(f"unknown setting {key!r}; there are {', '.join(sorted(known))}")

    def error(self, complaint: str) -> ExtractorError:
        """An error that names the extractor."""
        return ExtractorError(f"extractor {self.name!r}: {complaint}")


class Defined(ABC):
    """What all extractors have that are made of settings: an identity that follows from them."""

    kind: ClassVar[str]
    meaning: ClassVar[int] = 1
    """To be raised when the same settings give other records than before: versions follow it."""
    name: str
    fields: tuple[str, ...]

    def __init__(self, name: str, version: str | None, locality: Locality | None) -> None:
        self.name = name
        self._given_version = version
        self._given_locality = locality

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """All that decides about the records, as plain data."""

    @abstractmethod
    def derive_locality(self) -> Locality:
        """The locality that the settings prove."""

    def fingerprint(self) -> dict[str, Any]:
        """What the version follows from: another one, other records."""
        return self.settings()

    def engine(self) -> str:
        """What does the work and is not ours, with its version: another one, other records."""
        return ""

    @property
    def given_version(self) -> str | None:
        """The version that the author gave, if any."""
        return self._given_version

    def derive_version(self) -> str:
        """A digest that changes with the settings, with what they mean, and with what runs them."""
        parts = [self.kind, self.meaning, self.engine(), self.fingerprint()]
        return digest(json.dumps(parts, sort_keys=True))[:12]

    @cached_property
    def derived_version(self) -> str:
        """The version that follows from the settings, whether it is used or not."""
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
        """Whether the locality follows from the settings, so that records can't belie it."""
        return self._given_locality is None

    def to_definition(self) -> Definition:
        """The extractor as plain data; version and locality only where they were given."""
        identity: dict[str, Any] = {"name": self.name}
        if self._given_version is not None:
            identity["version"] = self._given_version
        if self._given_locality is not None:
            identity["locality"] = locality_to_dict(self._given_locality)
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
