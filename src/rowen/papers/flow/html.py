"""The paragraphs of an HTML page; headings are larger, and superscripts are marked.

A page of 10 MB may have five million tokens, so no step handles single tokens in Python. `Signs`
classifies tokens with arrays. Texts are joined by the thousand, with a one-character sign for each
tag between them. Then paragraphs are cut out at the signs, and only as many as are read.

    page         <h2>Results</h2><p>As shown<sup>1</sup> by A&amp;B.<br>So.
    signs        H2 Results BLOCK As shown RAISED 1 LOWERED  by A&amp;B. BREAK So.
    paragraphs   Paragraph(("Results",), size 14, bold)
                 Paragraph(("As shown1 by A&B.", "So."), size 10), with marks around the 1

Signs are surrogate code points until references and spaces are resolved: no page can contain them,
so a page can't forge a sign.
"""

import re
from collections.abc import Iterator
from typing import Final

from rowen.papers.flow.pages import FLOW_CHARACTERS, FLOW_LINES, LOWERED, RAISED, Paragraph
from rowen.papers.flow.signs import (
    BLOCK,
    BREAK,
    CELL,
    END_OF_RAISED,
    HEADINGS,
    START_OF_RAISED,
    TEXT,
    Signs,
)
from rowen.text.character_references import resolved
from rowen.text.gc_pause import uncollected
from rowen.text.html_tokens import Tokens

ASIDE = frozenset(
    {"title", "nav", "footer", "aside", "form", "button", "select", "noscript", "template", "svg"}
)
"""Elements that are not part of the paper: navigation, forms, drawings."""
TITLE = frozenset({"title"})
_SIZES = dict(zip(HEADINGS.values(), (18.0, 14.0, 12.0, 11.0, 10.0, 10.0), strict=True))
_LINE_BREAK = "\n"
_END_OF_PARAGRAPH = "\f"
_LINE_END = re.compile(r"(?<![ \t])[ \t]*+\n[ \t\n]*+")
_GAP = re.compile(r"(?<![ \t\n])[ \t\n]*+\f[ \t\n\f]*+")
# A page's own control characters that equal our marks count as white space, so they mark nothing.
_SPACE = rf"\s{RAISED}{LOWERED}"
_SPACES = re.compile(rf"(?:[^\S ]|[{RAISED}{LOWERED}])[{_SPACE}]*+| [{_SPACE}]++")
"""All runs of white space except single plain spaces, which need no change."""

_SURROGATES = re.compile("[\ud800-\udfff]")
"""Surrogates are not characters, so no valid page has them, and signs are written with them."""
_WRITTEN: Final = [chr(0xD800 + code) for code in range(max(_SIZES) + 1)]
_APART: Final = chr(0xDC00)
"""Separates texts until references and spaces are resolved: `&am` and `p;` of two texts must not
become one reference."""
_SET = {START_OF_RAISED: RAISED, END_OF_RAISED: LOWERED, CELL: "\t", BREAK: _LINE_BREAK}
_CUT = re.compile(f"[{_WRITTEN[BLOCK]}-{_WRITTEN[-1]}]")


def html_paragraphs(tokens: Tokens) -> list[Paragraph]:
    """The paragraphs that a reader sees, in source order.

    Where only navigation and the like has text, that text is taken. Text beyond the limits on lines
    and characters is one last paragraph of one line, with line breaks in it: so a page of millions
    of paragraphs takes no more time than its length.
    """
    with uncollected():
        signs = Signs(tokens, ASIDE)
        paragraphs = _Paragraphs().read(_texts(tokens, signs))
        if paragraphs or not signs.passed_over:
            return paragraphs
        return _Paragraphs().read(_texts(tokens, Signs(tokens, TITLE)))


def _texts(tokens: Tokens, signs: Signs) -> Iterator[str]:
    """The page's text, one batch of tokens at a time; ends of paragraphs are still signs."""
    html = tokens.text
    # Lone surrogates in the text would be read as our signs.
    if not html.isascii():
        html = _SURROGATES.sub("\ufffd", html)
    for batch in signs.batches():
        text = _APART.join(
            html[start:end] if code == TEXT else _WRITTEN[code] for code, start, end in batch
        )
        if "&" in text:
            text = resolved(text)
        text = _SPACES.sub(" ", text).replace(_APART, "")
        for code, written in _SET.items():
            text = text.replace(_WRITTEN[code], written)
        yield text


class _Paragraphs:
    """Cuts paragraphs out of a text with signs, up to the limits."""

    def __init__(self) -> None:
        self._found: list[Paragraph] = []
        self._pieces: list[str] = []
        self._heading = BLOCK
        self._lines, self._characters = FLOW_LINES, FLOW_CHARACTERS  # still to be read

    @property
    def _full(self) -> bool:
        return self._lines < 0 or self._characters < 0

    def read(self, texts: Iterator[str]) -> list[Paragraph]:
        """All paragraphs; text beyond the limits is one last paragraph."""
        for text in texts:
            at = 0 if self._full else self._cut(text)
            self._pieces.append(text[at:])
        text = "".join(self._pieces)
        if self._full:
            text = _GAP.sub("\n\n", _LINE_END.sub("\n", _CUT.sub(_END_OF_PARAGRAPH, text)))
            self._add((text.strip(),))
        else:
            self._end_paragraph(text)
        return self._found

    def _cut(self, text: str) -> int:
        """Add the paragraphs that end in this text, up to the limits; return the end of the last.

        A paragraph may have begun in an earlier batch: `_pieces` holds its beginning.
        """
        at = 0
        for sign in _CUT.finditer(text):
            self._pieces.append(text[at : sign.start()])
            self._end_paragraph("".join(self._pieces))
            self._pieces = []
            self._heading = _WRITTEN.index(sign[0])
            at = sign.end()
            if self._full:
                break
        return at

    def _end_paragraph(self, text: str) -> None:
        self._add(tuple(filter(None, map(str.strip, text.split(_LINE_BREAK)))))

    def _add(self, lines: tuple[str, ...]) -> None:
        if any(lines):
            size = _SIZES.get(self._heading, 10.0)
            self._found.append(Paragraph(lines, size, bold=self._heading in _SIZES))
            self._lines -= len(lines)
            self._characters -= sum(map(len, lines))
