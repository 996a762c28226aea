r"""The text of a field as a reader sees it.

What a source means depends on its place. Spans stay exact: only the text that is read changes.

    place            source                      value
    content          Tom <b>&amp;</b>\n Jerry    Tom & Jerry      tags, references, white space
    attribute        ?a=1&amp;b=2                ?a=1&b=2         references, white space
    script (JSON)    Caf\u00e9 \"Goblin\"        Café "Goblin"    escapes, white space
    plain text       Tom &amp;  Jerry            Tom &amp;  Jerry
"""

import re
from collections import deque

from rowen._core import html_token_at
from rowen.model import Page, Span
from rowen.text.character_references import decode, resolved
from rowen.text.data.strings import read_string
from rowen.text.html_tokens import LITERAL, RAW, Kind, Tokens
from rowen.text.markup import is_markup
from rowen.text.visible import INLINE, visible, without_invisible

PAGES = 4
"""Limit: the tokens of this many pages are kept: records are read page by page."""

SCANS = 3
"""Limit: for this many values with markup a page is read up to their places, in about half the time
of all its tokens. For more values these are kept, so that long lists take linear time."""

_DOUBTFUL = re.compile(
    r"[<>&\\\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[^\S ]|\s\s|^\s|\s\Z"
)
"""In a text without any of these, as most texts are, the source is the value in any place."""

_MEANINGFUL = re.compile(r"[<>&\\]")
"""What these mean depends on their place."""

_SIMPLE_TAG = re.compile(r"""</?([a-zA-Z][a-zA-Z0-9]*+)(?:\s(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*+)?>""")
_UNUSUAL = frozenset(
    [
        *("sub", "sup"),
        *("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title"),
        "xmp",
    ]
)
"""Elements with rules of their own."""

# As plain numbers, which compare several times as fast.
_TAGS = (int(Kind.START_TAG), int(Kind.JUNK))
"""Where attributes are: junk is also a tag that the end of the page cuts off."""
_REMARKS = (int(Kind.COMMENT), int(Kind.DOCTYPE))
_TEXT = int(Kind.TEXT)


def clean(page: Page, start: int, end: int) -> str:
    """The text of a span as a reader sees it."""
    return _clean(page, start, end, digits_apart=False)


def clean_digits(page: Page, start: int, end: int) -> str:
    """The same for numbers and prices: digits that a tag separates stay apart, `48 99`."""
    return _clean(page, start, end, digits_apart=True)


def _clean(page: Page, start: int, end: int, *, digits_apart: bool) -> str:
    source = page.text[start:end]
    if _DOUBTFUL.search(source) is None:
        return source
    place = _place_of(page)
    if not place.is_markup:
        return source
    # White space and characters without a glyph mean the same in every place of a page.
    if _MEANINGFUL.search(source) is None:
        return tidy(source)
    return tidy(_read(place, start, end, source, digits_apart=digits_apart))


def tidy(text: str) -> str:
    r"""White space collapsed to single blanks and trimmed; characters without a glyph left out.

    >>> tidy(" Tom &\n\u200bJer\u00adry ")
    'Tom & Jerry'
    """
    return " ".join(without_invisible(text).split())


class _Place:
    """A page whose values are read: whether it is markup, and its tokens once they are needed."""

    __slots__ = ("_scans", "_tokens", "identity", "is_markup", "text")

    def __init__(self, page: Page) -> None:
        self.text = page.text
        self.identity = page.id
        self.is_markup = is_markup(page)
        self._scans = 0
        self._tokens: Tokens | None = None

    @property
    def tokens(self) -> Tokens:
        if self._tokens is None:
            self._tokens = Tokens(self.text)
        return self._tokens

    def token_at(self, at: int) -> tuple[int, int, int, int]:
        """The token that has the character at a place: its kind, flags, start and end."""
        if self._tokens is None and self._scans < SCANS:
            self._scans += 1
            return html_token_at(self.text, at)
        tokens = self.tokens
        token = tokens.at(at)
        columns = tokens.kinds, tokens.flags, tokens.starts, tokens.ends
        kind, flags, start, end = (int(column[token]) for column in columns)
        return kind, flags, start, end


_places: deque[_Place] = deque(maxlen=PAGES)


def _place_of(page: Page) -> _Place:
    # The same text, not an equal one: to hash a page costs more than to extract from it.
    for place in tuple(_places):
        if place.text is page.text and place.identity == page.id:
            return place
    place = _Place(page)
    _places.appendleft(place)
    return place


def _read(place: _Place, start: int, end: int, source: str, *, digits_apart: bool) -> str:
    kind, flags, token_start, token_end = place.token_at(start)
    if end <= token_end:
        if kind == _TEXT:
            if flags & LITERAL:
                return read_string(place.text, Span(start, end))
            if "<" not in source:
                return resolved(source)
        inside = start > token_start
        if kind in _TAGS and inside:
            return decode(source, attribute=True).text
        if kind in _REMARKS and inside:
            return source
    elif kind == _TEXT and not (digits_apart or flags & RAW):
        text = _without_tags(source)
        if text is not None:
            return text
    return visible(place.tokens, start, end, digits_apart=digits_apart).text


def _without_tags(source: str) -> str | None:
    """The text of content with simple tags, as `visible` has it, in a third of the time."""
    first, *rest = _SIMPLE_TAG.split(source)
    texts = [first, *rest[1::2]]
    names = [name.lower() for name in rest[::2]]
    if not _UNUSUAL.isdisjoint(names) or any("<" in text for text in texts):
        return None
    pieces = [resolved(first)]
    for name, text in zip(names, texts[1:], strict=True):
        pieces += ("" if name in INLINE else " ", resolved(text) if "&" in text else text)
    return "".join(pieces)
