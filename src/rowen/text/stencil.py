"""Stencils: a page's markup with codes for its texts, to trace where a parser puts each of them.

A parser moves text: it takes it out of tables ("foster parenting"), puts it into elements that it
reopens, and joins it across tags that it ignores. To find out where each text of a tree came from,
a stencil of the page is parsed as well. The stencil has the page's tags, but numbers for its texts,
so the same parser builds the same tree with numbers in place of texts.

    page       <table>one<tr><td>two</table>
    stencil    <table>000<tr><td>001</table>
    its tree   text 000, table > tbody > tr > td > text 001
    so         "one", which the parser moved before the table, came from [7, 10)

Why the trees are equal: tree construction (WHATWG 13.2.6) asks only two things about the characters
of a text, whether they are white space and whether they are NUL. So a text is cut into runs of
white space and of other characters. The number of a white-space run is written in white space,
another one in letters, and a NUL stays a NUL. Only `<pre>`, `<listing>` and `<textarea>` also look
for a line feed, to drop it: in the stencil they get a line feed of their own before any white
space, which belongs to no run.

If a tree has other numbers than the stencil, `StencilError` says so, and `rowen.text.pairing` finds
the places of what the trees have in common.
"""

import re
from bisect import bisect_left
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import product

from rowen.model import Span
from rowen.text.html_tokens import LITERAL, RAW, Kind, Tokens

_SPACES = "\t\n\f "
_QUADS = ["".join(quad) for quad in product(_SPACES, repeat=4)]
"""How each byte of a number is written in white space: four characters of four kinds."""
_BYTES = {quad: value for value, quad in enumerate(_QUADS)}
_REPLACEMENT = "\ufffd"
"""A parser drops NULs in HTML; in SVG and MathML it keeps them as this character."""
_NUMBER_LENGTH = 6
"""The length of a number in letters: three pairs of 64 letters are 36 bits, enough for any page."""
_LETTERS = {1: 0xC0, 2: 0xE000, 4: 0xF0000}
"""The first letter by the number of bytes of the page's widest character. A stencil must be as wide
as its page, because turbohtml's tree depends on the width: in wide texts it does not see the
`type="hidden"` of an `<input>` in a table."""

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
    """A tree has other numbers than its stencil, so the parser did not build equal trees."""


class Stencil:
    """A page's markup with numbers in place of its texts and comments.

    `dropping` has the starts of the tags that drop a line feed right after them. With `scatter`
    every run gets a number of its own: framesets and templates of table columns keep the white
    space of a text and drop the other characters. Elsewhere only leading white space is treated
    apart (it may stay outside of `<body>`, say), so one number for all that follows is enough.
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
        """The source spans of a text node, decoded from its counterpart in the stencil's tree.

        Each span comes with whether it is literal: its ampersands are no references. `after` is
        where the node can start at the earliest; it locates a text that begins with a NUL.
        """
        pieces: list[tuple[Span, bool]] = []
        at = 0
        while at < len(coded):
            if coded[at] == _REPLACEMENT:
                where = pieces[-1][0].end if pieces else self._first_nul(coded, after)
                start, end, literal = self._nul(where)
                at += 1
            else:
                (start, end, literal), at = self._run(coded, at)
            # Neighbouring runs of one text become one span again.
            if pieces and pieces[-1] == ((pieces[-1][0].start, start), literal):
                pieces[-1] = Span(pieces[-1][0].start, end), literal
            else:
                pieces.append((Span(start, end), literal))
        return pieces

    def source_starts(self) -> dict[int, int]:
        """The start of each tag in the source by its start in the stencil."""
        tokens = self._tokens
        is_tag = (tokens.kinds == Kind.START_TAG) | (tokens.kinds == Kind.END_TAG)
        starts = iter(tokens.starts[is_tag | (tokens.kinds == Kind.DOCTYPE)].tolist())
        starts_by_stencil: dict[int, int] = {}
        at = 0
        for piece in self._pieces:
            if piece.startswith("<") and not piece.startswith("<!--"):
                starts_by_stencil[at] = next(starts)
            at += len(piece)
        return starts_by_stencil

    def comment(self, coded: str) -> Span:
        """The source span of a comment, decoded from its counterpart in the stencil's tree."""
        index = self._alphabet.read(coded, 0)
        if index >= len(self._tokens):
            raise StencilError
        return Span(int(self._tokens.starts[index]), int(self._tokens.ends[index]))

    def _cut(self, dropping: AbstractSet[int]) -> list[str | tuple[int, int]]:
        """The stencil's pieces: markup, or the number of a run with its token's flags."""
        tokens, text = self._tokens, self._tokens.text
        pieces: list[str | tuple[int, int]] = []
        fresh = False  # whether a tag that drops a line feed came just before
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
                # The parser drops this line feed. Without it, it would drop the first character of
                # a number that is written in white space.
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
        # An element that holds only text takes all of it, NULs included.
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
        """The run whose number is at `at`, and where the number ends."""
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
        """Where the NUL that a text starts with is: right before its first run, if it has one.

        NULs have no numbers: all that can be used is that they come in page order.
        """
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
    """Writes numbers with 64 consecutive letters."""

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
