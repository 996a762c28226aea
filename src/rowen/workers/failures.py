"""Errors of the work as data: those of a list, with texts of bounded length and nothing else."""

import traceback
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowen.limits import FAILURE_CHARACTERS, FAILURE_PAGES, TRACE_CHARACTERS
from rowen.model import errors
from rowen.model.errors import RowenError

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
"""The errors that work may end in, and which texts each of them has. A store or an output is not
for it to complain about."""

_WITH_PAGES = frozenset({"NoConsistentWrapper", "SearchCutShort"})


@dataclass(frozen=True, slots=True)
class Failed:
    """An error that was raised on purpose."""

    kind: str
    message: str
    texts: dict[Attribute, str | None]
    pages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in _ATTRIBUTES:
            raise ValueError(self.kind)


@dataclass(frozen=True, slots=True)
class Broken:
    """An error that nobody meant to raise, and where it was raised."""

    message: str
    trace: str


def failure_of(error: Exception) -> Failed | Broken:
    """What there is to say of an error; one that is not on the list is told as its base is."""
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
    """The error again. People see its texts, so nothing in them may steer a screen or a log."""
    if isinstance(failure, Broken):
        bug = RuntimeError(_clean(failure.message))
        bug.add_note(_clean(failure.trace, keep="\n", most=TRACE_CHARACTERS))
        return bug
    kind: type[RowenError] = getattr(errors, failure.kind)
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
    """Without what a terminal obeys or an encoder refuses."""
    if text.isprintable() and len(text) <= most:
        return text
    shown = (
        one if one in keep or one.isprintable() else one.encode("unicode_escape").decode("ascii")
        for one in text[:most]
    )
    return "".join(shown)
