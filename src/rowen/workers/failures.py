"""Errors as data: only known classes, with texts of limited length."""

import traceback
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowen.model import errors
from rowen.model.errors import RowenError

FAILURE_CHARACTERS = 10_000
"""Limit: the length of a text of an error. Our longest ones quote a pattern."""

FAILURE_PAGES = 1_000
"""Limit: how many pages an error may name."""

TRACE_CHARACTERS = 20_000
"""Limit: the length of a traceback."""


Attribute: TypeAlias = Literal["page", "reason", "record", "field", "extractor"]

_ATTRIBUTES: dict[str, tuple[Attribute, ...]] = {
    "UsageError": (),
    "InputError": (),
    "SourceError": (),
    "DocumentError": ("page", "reason"),
    "LimitError": ("page", "reason"),
    "LabelError": ("page", "record", "field", "reason"),
    "ExtractorError": (),
    "ExtractionError": ("extractor", "page", "reason"),
    "NoConsistentWrapper": ("field", "reason"),
    "SearchCutShort": ("field", "reason"),
    "LocalityError": (),
}
"""The errors that a worker may send, and the texts of each. Errors of stores and of output are not
among them: a worker has neither."""

_WITH_PAGES = frozenset({"NoConsistentWrapper", "SearchCutShort"})


@dataclass(frozen=True, slots=True)
class Failed:
    """An error of Rowen's own classes."""

    kind: str
    message: str
    texts: dict[Attribute, str | None]
    pages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in _ATTRIBUTES:
            raise ValueError(self.kind)


@dataclass(frozen=True, slots=True)
class Broken:
    """An internal error, with its traceback."""

    message: str
    trace: str


def failure_of(error: Exception) -> Failed | Broken:
    """An error as data; a class that is not on the list becomes its base class."""
    bases = [base.__name__ for base in type(error).__mro__ if base.__module__ == errors.__name__]
    kind = next((name for name in bases if name in _ATTRIBUTES), None)
    if kind is None:
        message = f"{type(error).__name__}: {error}"
        return Broken(message[:FAILURE_CHARACTERS], traceback.format_exc()[-TRACE_CHARACTERS:])
    own = {name: getattr(error, name, None) for name in _ATTRIBUTES[kind]}
    texts: dict[Attribute, str | None] = {
        name: None if text is None else str(text)[:FAILURE_CHARACTERS] for name, text in own.items()
    }
    pages = getattr(error, "pages", ()) if kind in _WITH_PAGES else ()
    shown = tuple(str(page)[:FAILURE_CHARACTERS] for page in pages[:FAILURE_PAGES])
    return Failed(kind, str(error)[:FAILURE_CHARACTERS], texts, shown)


def error_of(failure: Failed | Broken) -> Exception:
    """The error of the data, with texts that are safe for terminals and logs."""
    if isinstance(failure, Broken):
        bug = RuntimeError(_clean(failure.message))
        bug.add_note(_clean(failure.trace, keep="\n", most=TRACE_CHARACTERS))
        return bug
    # Safe: `Failed` accepts only names of the list above, whatever the worker sends.
    kind: type[RowenError] = getattr(errors, failure.kind)
    # Not through the constructor: each class has another one, and the text is complete already.
    error = kind.__new__(kind)
    error.args = (_clean(failure.message),)
    for name in _ATTRIBUTES[failure.kind]:
        text = failure.texts.get(name)
        setattr(error, name, _clean(text) if text is not None else None if name == "field" else "")
    if failure.kind in _WITH_PAGES:
        pages = tuple(map(_clean, failure.pages[:FAILURE_PAGES]))
        setattr(error, "pages", pages)  # noqa: B010  # of two of the classes
    return error


def _clean(text: str, *, keep: str = "", most: int = FAILURE_CHARACTERS) -> str:
    """Escape control characters, which a terminal would obey, and lone surrogates."""
    if text.isprintable() and len(text) <= most:
        return text
    shown = (
        sign
        if sign in keep or sign.isprintable()
        else sign.encode("unicode_escape").decode("ascii")
        for sign in text[:most]
    )
    return "".join(shown)
