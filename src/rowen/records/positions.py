r"""Where a text occurs on a page, as a reader sees it.

A person marks what a browser shows. For the page `<b>Tom</b> &amp;\n Jerry` and the text
`Tom & Jerry` there are two steps:

    what is seen, words joined by one blank    Tom & Jerry               found at 0
    map both ends back to the source           Tom</b> &amp;\n Jerry     the position [3, 22)

Texts that a reader does not see, in attributes and scripts, are found in the source, with character
references resolved and white space collapsed in the same way. Strings in scripts are found by what
they say, too: `Caf\u00e9` is `Café`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from rowen.model import Page
from rowen.text.character_references import Decoded, decode
from rowen.text.data.strings import EscapedStrings
from rowen.text.html_tokens import Tokens
from rowen.text.markup import is_markup
from rowen.text.visible import INLINE, Visible, visible
from rowen.values.clean import tidy

POSITIONS = 20_000
"""Limit: at most this many positions of one text on a page are considered. Nobody means one of more
than that; a text of one letter on a large page would fill the memory."""

SQUEEZED_CHARACTERS = 3
"""Limit: shorter texts are not looked for without white space: they would be found by chance."""

Position = tuple[int, int]
"""Start and end of a text in the page's source."""

_WORD = re.compile(r"\S+")
_BLOCK_TAG = re.compile(rf"</?(?!(?:{'|'.join(sorted(INLINE))}|br)[\s/>])[a-z]", re.IGNORECASE)
"""A tag that ends a line, other than `<br>`. A text across one is two texts to most readers."""

# Signs that people type for others: each is one character, so that places stay.
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)


@dataclass(frozen=True, slots=True)
class _PlainText:
    """A text with words joined by one blank, and the way back to the source."""

    text: str
    starts: list[int]
    """Where each word starts in the plain text."""
    origins: list[int]
    """Where it starts in the text before."""
    before: Decoded | Visible

    @classmethod
    def of(cls, before: Decoded | Visible) -> "_PlainText":
        matches = list(_WORD.finditer(before.text))
        words = [match.group() for match in matches]
        starts = [0, *accumulate(len(word) + 1 for word in words)][: len(words)]
        return cls(" ".join(words), starts, [match.start() for match in matches], before)

    def source(self, start: int, end: int) -> Position:
        """The source position of a part of the plain text that starts and ends with words."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return self.before.source(
            self.origins[first] + start - self.starts[first],
            self.origins[last] + end - self.starts[last],
        )


class Positions:
    """All positions of texts on one page; each text is searched for once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._positions: dict[str, list[Position]] = {}

    def of(self, value: str) -> list[Position]:
        """The positions of a text in page order, exact and similar ones, at most `POSITIONS`."""
        if value not in self._positions:
            positions = {*self._exact(value), *self._similar(value), *self._escaped(value)}
            seen = set(self._seen(value)) - positions
            within = {position for position in seen if not self._crosses_lines(position)}
            # A text across lines is meant only where there is no other: two cells of a table, read
            # together, may happen to say the same.
            self._positions[value] = sorted(positions | within or seen or self._squeezed(value))
        return self._positions[value]

    def resembling(self, value: str) -> tuple[str, Position] | None:
        """The first text that differs in case, quotes, dashes or white space, with its place."""
        wanted = _folded(" ".join(_WORD.findall(tidy(value))))
        for plain in (self._visible, self._plain):
            if plain is None or not wanted:
                continue
            start = _folded(plain.text).find(wanted)
            if start >= 0:
                end = start + len(wanted)
                return plain.text[start:end], plain.source(start, end)
        return None

    def _exact(self, value: str) -> Iterator[Position]:
        for start in _starts(self.page.text, value):
            yield start, start + len(value)

    def _similar(self, value: str) -> Iterator[Position]:
        # The label may hold the source ("&amp;") or what a reader sees ("&").
        for form in {_joined_words(value), _joined_words(decode(value).text)}:
            yield from _found(self._plain, form)

    def _seen(self, value: str) -> Iterator[Position]:
        if self._visible is not None:
            for form in {tidy(value), tidy(decode(value).text)}:
                yield from _found(self._visible, form)

    def _squeezed(self, value: str) -> set[Position]:
        """Positions of the text without any white space: a browser copies 48 raised 99 as 4899."""
        plain, form = self._visible, "".join(_WORD.findall(tidy(value)))
        if plain is None or len(form) < SQUEEZED_CHARACTERS:
            return set()
        text = plain.text.replace(" ", "")
        # Of each word, how many blanks are before it.
        ends = [start - number for number, start in enumerate(plain.starts)]

        def place(at: int) -> int:
            return at + bisect_right(ends, at) - 1

        starts = _starts(text, form)
        spans = (plain.source(place(at), place(at + len(form) - 1) + 1) for at in starts)
        return {position for position in spans if not self._crosses_lines(position)}

    def _escaped(self, value: str) -> Iterator[Position]:
        """Strings of data in scripts that are written with escapes."""
        return self._strings.positions(value, POSITIONS)

    def _crosses_lines(self, position: Position) -> bool:
        return _BLOCK_TAG.search(self.page.text, *position) is not None

    @cached_property
    def _strings(self) -> EscapedStrings:
        return EscapedStrings(self.page)

    @cached_property
    def _plain(self) -> _PlainText:
        """The source with references resolved, tags and scripts included."""
        return _PlainText.of(decode(self.page.text))

    @cached_property
    def _visible(self) -> _PlainText | None:
        """What a reader sees of a page of markup."""
        if not is_markup(self.page):
            return None
        return _PlainText.of(visible(Tokens(self.page.text)))


def suggestion(positions: Positions, value: str) -> str:
    """What to write instead of a text that was not found, for the end of a message; or nothing."""
    resembling = positions.resembling(value)
    if resembling is None:
        return ""
    text, (start, end) = resembling
    return f"; did you mean {text!r} at [{start}, {end})?"


def _found(plain: _PlainText, form: str) -> Iterator[Position]:
    for start in _starts(plain.text, form):
        yield plain.source(start, start + len(form))


def _starts(text: str, value: str) -> Iterator[int]:
    """Where a text starts, overlapping occurrences too: any of them may be meant."""
    start = text.find(value) if value else -1
    for _ in range(POSITIONS):
        if start < 0:
            return
        yield start
        start = text.find(value, start + 1)


def _joined_words(value: str) -> str:
    return " ".join(_WORD.findall(value))


def _folded(text: str) -> str:
    """The text in lower case with plain quotes and dashes; every character stays at its place."""
    text = text.translate(_ALIKE)
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(sign if len(sign.lower()) != 1 else sign.lower() for sign in text)
