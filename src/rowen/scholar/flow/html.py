"""The paragraphs of an HTML page, with its headings set larger, and what is set higher."""

import re
from collections import Counter
from typing import Final

from rowen.documents.garbage import uncollected
from rowen.documents.html import LITERAL, SELF_CLOSING, Kind, Tokens, tokenize
from rowen.documents.references import decode
from rowen.limits import FLOW_CHARACTERS, FLOW_LINES
from rowen.scholar.flow.pages import LOWERED, RAISED, Paragraph

_TEXT: Final = int(Kind.TEXT)
_START: Final = int(Kind.START_TAG)
_END: Final = int(Kind.END_TAG)
_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
        *("em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "ruby", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "time", "tt", "u", "var", "wbr"),
    }
)
_CELLS = frozenset({"td", "th"})
_ASIDE = frozenset(
    {"title", "nav", "footer", "aside", "form", "button", "select", "noscript", "template", "svg"}
)
"""What is no part of a paper that a page shows."""
_TITLE = frozenset({"title"})
_SIZES = {"h1": 18.0, "h2": 14.0, "h3": 12.0, "h4": 11.0, "h5": 10.0, "h6": 10.0}
_CELL = "\t"  # between the cells of a row
_BREAK = "\n"
_END_OF_PARAGRAPH = "\f"
_LINE_END = re.compile(r"[ \t]*\n[ \t\n]*")
_GAP = re.compile(r"[ \t\n]*\f[ \t\n\f]*")
_SPACES = re.compile(rf"[\s{RAISED}{LOWERED}]+")  # and what would be taken for marks


def html_paragraphs(html: str) -> list[Paragraph]:
    """What a reader sees, in the order of the source; all of it where nothing else is left.

    What comes after as much as is read of a paper is one last paragraph of one line, with breaks
    in it: a page of millions of paragraphs takes no longer than its text.
    """
    tokens = tokenize(html)
    with uncollected():
        paragraphs = _Paragraphs(tokens, _ASIDE)
        if paragraphs.read() or not paragraphs.passed_over:
            return paragraphs.found
        return _Paragraphs(tokens, _TITLE).read()


class _Paragraphs:
    """The paragraphs of a page, apart from what is in the elements `aside`."""

    def __init__(self, tokens: Tokens, aside: frozenset[str]) -> None:
        self._tokens = tokens
        self._aside = aside
        self.found: list[Paragraph] = []
        self.passed_over = False
        self._pieces: list[str] = []
        self._heading = ""
        self._lines, self._characters = FLOW_LINES, FLOW_CHARACTERS  # that are still to be read

    def read(self) -> list[Paragraph]:
        html, aside = self._tokens.text, self._aside
        outside = _Outside(aside)
        for kind, flags, start, end, name in self._tokens.rows():
            if outside.depth or (kind == _START and name in aside):
                self.passed_over = True
                outside.see(kind, flags, name)
            elif kind == _TEXT:
                if not flags & LITERAL:
                    text = html[start:end]
                    if "&" in text:
                        text = decode(text).text
                    self._pieces.append(_SPACES.sub(" ", text))
            elif name and name not in _INLINE:
                self._see_tag(name, starts=kind == _START)
        self._end_paragraph()
        return self.found

    def _see_tag(self, name: str, *, starts: bool) -> None:
        if name == "sup":
            self._pieces.append(RAISED if starts else LOWERED)
        elif name in _CELLS:
            self._pieces.append(_CELL)
        elif name == "br":
            self._pieces.append(_BREAK)
        elif self._lines < 0 or self._characters < 0:
            self._pieces.append(_END_OF_PARAGRAPH)
        else:
            if self._pieces:
                self._end_paragraph()
            self._heading = name if starts and name in _SIZES else ""

    def _end_paragraph(self) -> None:
        text = "".join(self._pieces)
        if self._lines < 0 or self._characters < 0:
            text = _GAP.sub("\n\n", _LINE_END.sub(_BREAK, text))
            lines: tuple[str, ...] = (text.strip(),)
        else:
            lines = tuple(map(str.strip, text.split(_BREAK)))
        if any(lines):
            lines = tuple(filter(None, lines))
            bold = bool(self._heading)
            self.found.append(Paragraph(lines, _SIZES.get(self._heading, 10.0), bold))
            self._lines -= len(lines)
            self._characters -= sum(map(len, lines))
        self._pieces = []


class _Outside:
    """The elements that are passed over, and stand open: an end tag closes all down to its own."""

    def __init__(self, aside: frozenset[str]) -> None:
        self._aside = aside
        self._open: list[str] = []
        self._count: Counter[str] = Counter()

    @property
    def depth(self) -> int:
        return len(self._open)

    def see(self, kind: int, flags: int, name: str) -> None:
        if kind == _START and name in self._aside and not flags & SELF_CLOSING:
            self._open.append(name)
            self._count[name] += 1
        elif kind == _END and self._count[name]:
            while True:
                closed = self._open.pop()
                self._count[closed] -= 1
                if closed == name:
                    break
