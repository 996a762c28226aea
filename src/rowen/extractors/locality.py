r"""Locality: how far an extractor looks. All reuse of its results depends on it.

Section 3 of the Cyclex paper: an extractor with scope α and context β finds the same record again
wherever its text and β characters on both sides are the same. `Window` is that. `Segments` is not
in the paper: many extractors depend on one line or the text between tags, which may be longer than
any useful window.

    page      Talk: CS 105, 2 pm         extractor   CS (\d{3}), Window(scope=3, context=3)
    record    105 at [9, 12)             depends on  [6, 15): "CS 105, 2"
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.model import ExtractorError, Span

MARKS = "\n\t\r <>\"'()[]{},;|="
"""Characters that may separate segments. None is a word character, so for `\\b` each is the same as
the page's edge; and folding case neither produces nor changes one."""


@dataclass(frozen=True, slots=True)
class Window:
    r"""Records have at most `scope` characters and depend on the text within `context` of them.

    Definitions 3 to 5 of the Cyclex paper (α and β); a record has at most α characters. A page ends
    in sentinels: a record within `context` of an edge may depend on the edge.

    >>> import rowen
    >>> rowen.Pattern(r"CS (?P<room>\d{3})(?!\d)", locality=Window(scope=3, context=4)).locality
    Window(scope=3, context=4)
    """

    scope: int
    context: int

    def __post_init__(self) -> None:
        for name, value in (("scope", self.scope), ("context", self.context)):
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise ExtractorError(
                    f"a window's {name} must be a number of characters, not {value!r}"
                )


@dataclass(frozen=True, slots=True, init=False)
class Segments:
    r"""Records depend only on the segment between separators: equal segments have equal records.

    A string lists separators of one character each (`Segments("<>")`); longer ones need a list
    (`Segments([". ", "\n"])`). Separators belong to no segment.

    >>> [(segment.start, segment.end) for segment in Segments("\n").split("one\ntwo")]
    [(0, 3), (4, 7)]
    """

    separators: tuple[str, ...]

    def __init__(self, separators: Iterable[str]) -> None:
        listed = tuple(dict.fromkeys(separators))
        if not listed or not all(isinstance(separator, str) and separator for separator in listed):
            raise ExtractorError("segments need at least one separator, and no empty ones")
        object.__setattr__(self, "separators", listed)

    @property
    def of_marks(self) -> bool:
        """Whether all separators have one character, so that none can begin inside another."""
        return all(len(separator) == 1 for separator in self.separators)

    def split(self, text: str) -> Iterator[Span]:
        """The segments of a text, in order, empty ones included."""
        # Of two separators that begin at one place, the longer one counts.
        longest_first = sorted(self.separators, key=len, reverse=True)
        start = 0
        for separator in re.finditer("|".join(map(re.escape, longest_first)), text):
            yield Span(start, separator.start())
            start = separator.end()
        yield Span(start, len(text))


@dataclass(frozen=True, slots=True)
class WholePage:
    """Records may depend on anything on the page: only identical pages are reused.

    >>> import rowen
    >>> rowen.Pattern(r"(?s)<h1>(?P<title>.*?)</h1>").locality
    WholePage()
    """


Locality: TypeAlias = Window | Segments | WholePage


@dataclass(frozen=True, slots=True)
class Scan:
    """What is known of a pattern whose matches may depend on matches before them.

    Scans of two pages meet again at places that no match can cross (see `scan`).
    """

    pattern: str
    behind: int
    """How far before its beginning an attempt to match looks."""
    ahead: int
    """How far after such a place the attempts from before it look."""
    longest: int
    """The longest match that may be tried; UNBOUNDED if there is none."""


@dataclass(frozen=True, slots=True)
class Either:
    """Localities that all hold: reuse takes the one that saves most work, page by page.

    With short lines segments are better; on a page of one long line, a window or a scan.
    """

    options: tuple[Segments | Window | Scan, ...]


Grain: TypeAlias = Locality | Either | Scan
"""The locality that reuse works with."""


def locality_to_dict(locality: Locality) -> dict[str, Any]:
    """A locality as it is saved."""
    match locality:
        case Window(scope, context):
            return {"scope": scope, "context": context}
        case Segments():
            return {"separators": list(locality.separators)}
        case WholePage():
            return {}


def locality_from_dict(saved: object) -> Locality:
    """Read a saved locality; an empty table is the whole page."""
    if isinstance(saved, Mapping):
        if saved.keys() == {"scope", "context"}:
            return Window(saved["scope"], saved["context"])
        if saved.keys() == {"separators"} and isinstance(saved["separators"], str | list):
            return Segments(saved["separators"])
        if not saved:
            return WholePage()
    raise ExtractorError(
        "a locality must be {scope, context}, {separators} or {} for the whole page, "
        f"not {saved!r}"
    )
