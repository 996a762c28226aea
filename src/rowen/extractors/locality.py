"""Locality: how far an extractor looks, on which all reuse of its results rests."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.model import ExtractorError, Span

MARKS = "\n\t\r <>\"'()[]{},;|="
"""Characters that may separate what stands for itself. None is of a word, so that where words end
each looks like the page's edge; and to fold case neither makes nor changes one."""


@dataclass(frozen=True, slots=True)
class Window:
    """Records are at most `scope` long, and the text within `context` of one decides about it.

    Definitions 3 to 5 of the Cyclex paper (α and β), with a length of at most α. A page ends in
    sentinels: a record within `context` of an edge may depend on the edge.
    """

    scope: int
    context: int

    def __post_init__(self) -> None:
        for name, value in (("scope", self.scope), ("context", self.context)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ExtractorError(f"a window's {name} is a number of characters, not {value!r}")


@dataclass(frozen=True, slots=True, init=False)
class Segments:
    r"""Each segment between separators is worked on by itself: equal segments have equal records.

    A string names separators of one character each (`Segments("<>")`); longer ones come as a list
    (`Segments([". ", "\n"])`). Separators belong to no segment.
    """

    separators: tuple[str, ...]

    def __init__(self, separators: Iterable[str]) -> None:
        given = tuple(dict.fromkeys(separators))
        if not given or not all(isinstance(one, str) and one for one in given):
            raise ExtractorError("segments need at least one separator, and none that is empty")
        object.__setattr__(self, "separators", given)

    @property
    def of_marks(self) -> bool:
        """Whether each separator is one character, so that none can begin inside another."""
        return all(len(one) == 1 for one in self.separators)

    def split(self, text: str) -> Iterator[Span]:
        """The segments of a text, in order, empty ones included."""
        longest_first = sorted(self.separators, key=len, reverse=True)
        start = 0
        for separator in re.finditer("|".join(map(re.escape, longest_first)), text):
            yield Span(start, separator.start())
            start = separator.end()
        yield Span(start, len(text))


@dataclass(frozen=True, slots=True)
class WholePage:
    """Anything on the page may decide about any record: only identical pages are reused."""


Locality: TypeAlias = Window | Segments | WholePage


@dataclass(frozen=True, slots=True)
class Either:
    """Localities that all hold: reuse takes the one that spares most, page by page.

    Short lines stand for themselves; in a page of one long line a window does better.
    """

    options: tuple[Segments | Window, ...]


Grain: TypeAlias = Locality | Either
"""What reuse goes by."""


def locality_to_dict(locality: Locality) -> dict[str, Any]:
    """The locality as it is saved."""
    match locality:
        case Window(scope, context):
            return {"scope": scope, "context": context}
        case Segments():
            return {"separators": list(locality.separators)}
        case WholePage():
            return {}


def locality_from_dict(saved: object) -> Locality:
    """The locality as it was saved; an empty table is the whole page."""
    if isinstance(saved, Mapping):
        if saved.keys() == {"scope", "context"}:
            return Window(saved["scope"], saved["context"])
        if saved.keys() == {"separators"} and isinstance(saved["separators"], str | list):
            return Segments(saved["separators"])
        if not saved:
            return WholePage()
    raise ExtractorError(
        "a locality is {scope, context}, {separators} or {} for the whole page, "
        f"not {saved!r}"
    )
