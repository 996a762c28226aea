"""The text of an HTML page as its reader sees it, with the way back to the source.

Tags, comments, scripts and styles are not seen. Tags that break a line (all but the inline ones)
are seen as a blank. Character references are resolved, and characters without a glyph, such as soft
hyphens, are left out. White space stays as it is written: `rowen.values.clean` collapses it.

    source    <b>Tom</b> &amp; <i>Jer&shy;ry</i><br>1940
    visible   Tom & Jerry 1940          `Jerry`, [6, 11), is the source [20, 30): Jer&shy;ry
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

from rowen.model import Span
from rowen.text.character_references import decode
from rowen.text.html_tokens import LITERAL, Kind, Tokens, lower

INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "rb",
        "rp",
        "rt",
        "rtc",
        "ruby",
        "s",
        "samp",
        "script",  # not seen at all
        "small",
        "span",
        "strike",
        "strong",
        "style",  # not seen at all
        "sub",
        "sup",
        "svg",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
    ]
)
"""Elements that break no line: words may go on across their tags."""

_RAISED = frozenset(("sub", "sup"))

_GLYPHLESS = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+"
)
_JOINERS = re.compile(
    # In emoji and between letters of scripts that join, joiners change what is seen. Beside white
    # space and ASCII they don't.
    "(?:(?<![\\s\\S])|(?<=[\\x00-\\x7f\\s]))[\u200c\u200d]++"
    "|(?<![\u200c\u200d])[\u200c\u200d]++(?=[\\x00-\\x7f\\s]|\\Z)"
)


def without_invisible(text: str) -> str:
    r"""The text without soft hyphens, marks of direction and the like, which have no glyph.

    >>> without_invisible("auto\u00admatic")
    'automatic'
    """
    if text.isascii():
        return text
    text = _GLYPHLESS.sub("", text)
    return _JOINERS.sub("", text) if _has_joiner(text) else text


def _has_joiner(text: str) -> bool:
    return "\u200c" in text or "\u200d" in text


_TEXT, _START, _END = int(Kind.TEXT), int(Kind.START_TAG), int(Kind.END_TAG)


@dataclass(frozen=True, slots=True)
class Visible:
    """A text in pieces: where each starts here, and where it starts and ends in the source."""

    text: str
    starts: list[int]
    source_starts: list[int]
    source_ends: list[int]

    def source(self, start: int, end: int) -> Span:
        """The source of a part that is not empty: from its first to its last character."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return Span(self._place(first, start)[0], self._place(last, end - 1)[1])

    def _place(self, piece: int, at: int) -> tuple[int, int]:
        """The source of one character."""
        start, end = self.source_starts[piece], self.source_ends[piece]
        after = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        if end - start != after - self.starts[piece]:
            return start, end  # a reference: all of it stands for all of the piece
        return start + at - self.starts[piece], start + at - self.starts[piece] + 1


def visible(
    tokens: Tokens, start: int = 0, end: int | None = None, *, digits_apart: bool = False
) -> Visible:
    """What is seen of the source from `start` to `end`, which lie outside of tags.

    Raised digits are kept apart from those before them: 48 raised 99 is a price, and not 4899. With
    `digits_apart` digits in different elements always are.
    """
    end = len(tokens.text) if end is None else end
    pieces = list(_pieces(tokens, start, end, digits_apart=digits_apart))
    text = "".join([piece for piece, _, _ in pieces])
    if _has_joiner(text):
        # Only the whole text says what is beside a joiner: it may be a reference, as in `&zwnj;`.
        pieces = _cut_out(pieces, [match.span() for match in _JOINERS.finditer(text)])
        text = "".join([piece for piece, _, _ in pieces])
    starts = [0, *accumulate([len(piece) for piece, _, _ in pieces])][: len(pieces)]
    sources = [source for _, source, _ in pieces]
    return Visible(text, starts, sources, [source_end for _, _, source_end in pieces])


_Piece: TypeAlias = tuple[str, int, int]
"""A part of what is seen, with its source; as long as that, or a reference or a tag."""


def _pieces(tokens: Tokens, start: int, end: int, *, digits_apart: bool) -> Iterator[_Piece]:
    text = tokens.text
    first = max(tokens.at(start), 0)
    last = tokens.at(end - 1) + 1 if end > start else first
    columns = (tokens.kinds, tokens.flags, tokens.starts, tokens.ends, tokens.name_ends)
    rows = zip(*(column[first:last].tolist() for column in columns), strict=True)
    before = ""
    # The first tag since the last text that keeps digits apart.
    separator: _Piece | None = None
    for kind, flags, token_start, token_end, name_end in rows:
        if kind == _TEXT:
            if flags & LITERAL:
                continue
            for piece in _seen(text, max(start, token_start), min(end, token_end)):
                if separator and before.isdecimal() and piece[0][0].isdecimal():
                    yield separator
                separator, before = None, piece[0][-1]
                yield piece
        elif kind in (_START, _END):
            name = lower(text[token_start + (2 if kind == _END else 1) : name_end])
            if name not in INLINE:
                yield " ", token_start, token_end
                before = " "
            elif separator is None and (digits_apart or name in _RAISED):
                separator = " ", token_start, token_end


def _seen(text: str, start: int, end: int) -> Iterator[_Piece]:
    """The pieces of a text in content: between its references and characters without a glyph."""
    if text.find("&", start, end) < 0:
        yield from _with_glyphs(text[start:end], start)
        return
    decoded = decode(text, Span(start, end))
    bounds = zip(pairwise(decoded.starts), pairwise(decoded.sources), strict=True)
    for (piece_start, piece_end), (source, source_end) in bounds:
        piece = decoded.text[piece_start:piece_end]
        if piece_end - piece_start == source_end - source:
            yield from _with_glyphs(piece, source)
        elif not _GLYPHLESS.fullmatch(piece):
            yield piece, source, source_end


def _with_glyphs(piece: str, source: int) -> Iterator[_Piece]:
    at = 0
    for match in _GLYPHLESS.finditer(piece):
        if match.start() > at:
            yield piece[at : match.start()], source + at, source + match.start()
        at = match.end()
    if at < len(piece):
        yield piece[at:], source + at, source + len(piece)


def _cut_out(pieces: list[_Piece], cuts: list[tuple[int, int]]) -> list[_Piece]:
    """The pieces without these parts of their text, which are in ascending order."""
    kept: list[_Piece] = []
    place, number = 0, 0
    for piece, source, source_end in pieces:
        at, end = place, place + len(piece)
        plain = len(piece) == source_end - source
        while number < len(cuts) and cuts[number][0] < end:
            start, stop = cuts[number]
            if start > at and plain:
                kept.append(
                    (piece[at - place : start - place], source + at - place, source + start - place)
                )
            at = max(at, min(stop, end))
            if stop > end:
                break  # it goes on in the next piece
            number += 1
        if at < end:
            part = piece[at - place :]
            kept.append(
                (part, source + at - place, source_end) if plain else (part, source, source_end)
            )
        place = end
    return kept
