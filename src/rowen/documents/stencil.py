"""Stencils: a page's markup with codes in place of its text, to see where a parser puts what.

A parser moves text: out of tables, into elements that it opens again, together across tags that it
ignores. To know where each text of a tree stands in the source, a stencil of the page is parsed
beside it. Its tags are the page's own, its texts are numbers, so the same parser builds the same
tree with the numbers in place of the texts.

All that a parser asks of a text is which of its characters are spaces and which are NUL. So a text
is cut into runs of spaces and of others; a run of spaces is numbered in spaces, another in letters,
and a NUL stays what it is. Only `<pre>` and its like also look for a line feed, to drop it: in the
stencil they get one before any spaces, which is no part of a run.
"""

import re
from bisect import bisect_left
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import product

from rowen.documents.html import LITERAL, RAW, Kind, Tokens
from rowen.model import Span

_SPACES = "\t\n\f "
_QUADS = ["".join(quad) for quad in product(_SPACES, repeat=4)]
"""A byte each, in spaces."""
_BYTES = {quad: value for value, quad in enumerate(_QUADS)}
_REPLACEMENT = "\ufffd"
"""What a parser makes of a NUL that it keeps, as it does in SVG and MathML."""
_NUMBER_LENGTH = 6
"""A number in letters: three pairs of 64 letters, enough for any text."""
_LETTERS = {1: 0xC0, 2: 0xE000, 4: 0xF0000}
"""The first letter, by how many bytes the page's widest character takes. A stencil takes as many as
its page: turbohtml's tree depends on it (`type="hidden"` in a table goes unseen in wide texts)."""

_LINE_FEED_REFERENCE = r"&(?:#0*+10(?![0-9]);?|#[xX]0*+[aA](?![0-9a-fA-F]);?|NewLine;)"
_SPACE_REFERENCE = (
    r"&(?:#0*+(?:9|1[023]|32)(?![0-9]);?|#[xX]0*+(?:[9aAcCdD]|20)(?![0-9a-fA-F]);?|Tab;|NewLine;)"
)
_LINE_FEED = re.compile(rf"\r\n|[\r\n]|{_LINE_FEED_REFERENCE}")
_LEADING = re.compile(rf"(?:[\t\n\f\r ]|{_SPACE_REFERENCE})++")
_LEADING_LITERAL = re.compile(r"[\t\n\f\r ]++")
_BEYOND_LATIN = re.compile("[^\\x00-\\xff]")
_BEYOND_PLANE = re.compile("[^\\x00-\\uffff]")
_RUNS = re.compile(
    rf"(?:[\t\n\f\r ]|{_SPACE_REFERENCE})++|\0|(?:[^\t\n\f\r \0&]|&(?!{_SPACE_REFERENCE[1:]}))++"
)
_RUNS_LITERAL = re.compile(r"[\t\n\f\r ]++|\0|[^\t\n\f\r \0]++")


class StencilError(Exception):
    """A tree has other numbers than the stencil gave out, so it isn't the stencil's."""


class Stencil:
    """A page's markup with numbers for its texts and comments.

    `dropping` are the starts of those tags that drop a line feed right after them. With `scatter`
    every run counts by itself: framesets and templates of columns keep the spaces of a text and
    drop the rest. Elsewhere the spaces inside a text share its fate, but those in front don't.
    """

    __slots__ = (
        "_alphabet",
        "_cut_all",
        "_nuls",
        "_pieces",
        "_runs",
        "_tokens",
        "_width",
        "html",
    )

    def __init__(self, tokens: Tokens, *, dropping: AbstractSet[int], scatter: bool) -> None:
        self._tokens = tokens
        self._alphabet = _alphabet(_character_width(tokens.text))
        self._cut_all = scatter or "\0" in tokens.text
        self._runs: list[tuple[int, int, bool]] = []
        self._nuls: list[tuple[int, int, bool]] = []
        pieces = self._cut(dropping)
        self._width = max(1, (len(self._runs).bit_length() + 7) // 8)
        self._pieces = [piece if isinstance(piece, str) else self._code(*piece) for piece in pieces]
        self.html = "".join(self._pieces)

    def pieces(self, coded: str, after: int) -> list[tuple[Span, bool]]:
        """Where the text of a node stands, from the node's text in the stencil's tree.

        Each piece comes with whether it is literal: its ampersands are no references. `after` is
        where the node can start at the earliest; it tells a lone NUL's place.
        """
        found: list[tuple[Span, bool]] = []
        at = 0
        while at < len(coded):
            if coded[at] == _REPLACEMENT:
                where = found[-1][0].end if found else self._first_nul(coded, after)
                start, end, literal = self._nul(where)
                at += 1
            else:
                (start, end, literal), at = self._run(coded, at)
            if found and found[-1] == ((found[-1][0].start, start), literal):
                found[-1] = Span(found[-1][0].start, end), literal
            else:
                found.append((Span(start, end), literal))
        return found

    def source_starts(self) -> dict[int, int]:
        """Where each tag starts in the source, by where it starts in the stencil."""
        tokens = self._tokens
        is_tag = (tokens.kinds == Kind.START_TAG) | (tokens.kinds == Kind.END_TAG)
        starts = iter(tokens.starts[is_tag | (tokens.kinds == Kind.DOCTYPE)].tolist())
        found: dict[int, int] = {}
        at = 0
        for piece in self._pieces:
            if piece.startswith("<") and not piece.startswith("<!--"):
                found[at] = next(starts)
            at += len(piece)
        return found

    def comment(self, coded: str) -> Span:
        """Where a comment stands, from what the stencil's tree has in its place."""
        index = self._alphabet.read(coded, 0)
        if index >= len(self._tokens):
            raise StencilError
        return Span(int(self._tokens.starts[index]), int(self._tokens.ends[index]))

    def _cut(self, dropping: AbstractSet[int]) -> list[str | tuple[int, int]]:
        """The stencil's pieces: markup, or a run's number with its token's flags."""
        tokens, text = self._tokens, self._tokens.text
        pieces: list[str | tuple[int, int]] = []
        fresh = False  # a tag that drops a line feed came just before
        columns = zip(
            *(
                column.tolist()
                for column in (tokens.kinds, tokens.flags, tokens.starts, tokens.ends)
            ),
            strict=True,
        )
        for index, (kind, flags, start, end) in enumerate(columns):
            if kind == Kind.JUNK:
                continue
            if kind == Kind.TEXT:
                first = len(self._runs)
                dropped = _LINE_FEED.match(text, start, end) if fresh else None
                self._cut_text(dropped.end() if dropped else start, end, flags)
                if dropped or (fresh and self._is_space(first)):
                    pieces.append("\n")
                pieces += ((run, flags) for run in range(first, len(self._runs)))
                fresh = False
            elif kind == Kind.COMMENT:
                pieces.append(f"<!--{self._alphabet.write(index)}-->")
                fresh = False
            else:
                pieces.append(text[start:end])
                fresh = start in dropping
        return pieces

    def _cut_text(self, start: int, end: int, flags: int) -> None:
        text = self._tokens.text
        literal = bool(flags & LITERAL)
        if self._cut_all and not flags & RAW:
            runs = (_RUNS_LITERAL if literal else _RUNS).finditer(text, start, end)
            self._runs.extend((*match.span(), literal) for match in runs)
            return
        # An element that holds text alone takes all of it, NUL included.
        leading = (_LEADING_LITERAL if literal else _LEADING).match(text, start, end)
        middle = leading.end() if leading else start
        if start < middle:
            self._runs.append((start, middle, literal))
        if middle < end:
            self._runs.append((middle, end, literal))

    def _code(self, number: int, flags: int) -> str:
        run = self._runs[number]
        if self._tokens.text[run[0]] == "\0" and not flags & RAW:
            self._nuls.append(run)
            return "\0"
        if not self._is_space(number):
            return self._alphabet.write(number)
        return "".join(_QUADS[byte] for byte in number.to_bytes(self._width, "big"))

    def _is_space(self, number: int) -> bool:
        start, end, literal = self._runs[number]
        pattern = _LEADING_LITERAL if literal else _LEADING
        return pattern.match(self._tokens.text, start, end) is not None

    def _run(self, coded: str, at: int) -> tuple[tuple[int, int, bool], int]:
        """The run whose number stands at `at`, and where the number ends."""
        if coded[at] in _SPACES:
            number = 0
            end = at + 4 * self._width
            for quad in range(at, end, 4):
                byte = _BYTES.get(coded[quad : quad + 4])
                if byte is None:
                    raise StencilError
                number = number << 8 | byte
        else:
            number = self._alphabet.read(coded, at)
            end = at + _NUMBER_LENGTH
        if number >= len(self._runs):
            raise StencilError
        return self._runs[number], end

    def _first_nul(self, coded: str, after: int) -> int:
        """Where the NUL that a text starts with stands: right before its first run, if any."""
        count = len(coded) - len(coded.lstrip(_REPLACEMENT))
        if count == len(coded):
            return after
        (start, _, _), _ = self._run(coded, count)
        index = bisect_left(self._nuls, (start,)) - count
        return self._nuls[index][0] if index >= 0 else after

    def _nul(self, after: int) -> tuple[int, int, bool]:
        index = bisect_left(self._nuls, (after,))
        if index == len(self._nuls):
            raise StencilError
        return self._nuls[index]


class _Alphabet:
    """Writes numbers in 64 letters from a first one on."""

    __slots__ = ("_pairs", "_values")

    def __init__(self, first: int) -> None:
        letters = [chr(first + value) for value in range(64)]
        self._pairs = ["".join(pair) for pair in product(letters, repeat=2)]
        self._values = {pair: value for value, pair in enumerate(self._pairs)}

    def write(self, number: int) -> str:
        pairs = self._pairs
        return pairs[number >> 24] + pairs[number >> 12 & 0xFFF] + pairs[number & 0xFFF]

    def read(self, written: str, at: int) -> int:
        number = 0
        for pair in range(at, at + _NUMBER_LENGTH, 2):
            value = self._values.get(written[pair : pair + 2])
            if value is None:
                raise StencilError
            number = number << 12 | value
        return number


@cache
def _alphabet(width: int) -> _Alphabet:
    return _Alphabet(_LETTERS[width])


def _character_width(text: str) -> int:
    if text.isascii() or not _BEYOND_LATIN.search(text):
        return 1
    return 4 if _BEYOND_PLANE.search(text) else 2
