"""Find which `<![CDATA[` of a page open a section of text: those inside SVG or MathML.

Elsewhere the same characters begin a bogus comment, which ends at the first `>` (WHATWG, "markup
declaration open state"). Only the tree builder knows which it is, and what closes an SVG may leave
no trace in the tree: an end tag `</p>`, a second `<body>`. So the page is parsed once more as a
probe, with a number in place of the contents of each section. A number that comes back in a comment
was in HTML; one that comes back as text was in SVG or MathML.

    page    <svg><![CDATA[a>b]]></svg>  <p><![CDATA[c]]>
    probe   <svg><![CDATA[000]]></svg>  <p><![CDATA[001]]>
    tree    svg > text "000"            p > comment "[CDATA[001]]"
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import turbohtml

from rowen.text.html_tokens import Kind, Tokens

OPENING = "<![CDATA["

READINGS = 8
"""Limit: how often a page is parsed to find its CDATA sections. Once is enough unless a section
contains a `>`: then a section and a comment end at different places, and what follows must be
tokenized again."""

_BLANK = re.compile("[\\t\\n\\f\\r \\0]*+")
_DIGITS = 24
# Probe numbers are binary. In a section of white space the digits are a space and a tab, because a
# parser treats white space differently (it may drop it, or move it out of a table). In other
# sections they are two private-use letters, which no parser treats specially.
_LETTERS = str.maketrans(" \t", "\ue000\ue001")
_ONES = "\t\ue001"
_IN_COMMENT = re.compile(rf"\[CDATA\[([ \t\ue000\ue001]{{{_DIGITS}}})\]\]")
_IN_TEXT = re.compile(rf"[\ue000\ue001]{{{_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class _Section:
    start: int
    end: int
    is_text: bool

    def ends_alike(self, text: str) -> bool:
        """Whether a comment and a section that start here would end at the same place."""
        first = text.find(">", self.start, self.end)
        return first == self.end - 1 and text.endswith("]]>", self.start + len(OPENING), self.end)


def resolve_sections(
    text: str,
    tokenize: Callable[[Mapping[int, bool]], Tokens],
    parse: Callable[[str], turbohtml.Document],
) -> Tokens:
    """Tokenize a page with each `<![CDATA[` read as its parser reads it.

    `tokenize` takes what is known so far: for each start, whether a section of text begins there.
    """
    section_readings: dict[int, bool] = {}
    for _ in range(READINGS):
        tokens = tokenize(section_readings)
        sections = list(_sections(tokens))
        readings = _readings(parse(_probe(tokens, sections)))
        for number, section in enumerate(sections):
            # A number that is in no comment and no text was white space, or the parser dropped it:
            # the first reading stays, and nothing of it shows in the tree.
            section_readings[section.start] = is_text = readings.get(number, section.is_text)
            # All sections behind a wrong end may be wrong, too: start over with what is known.
            if is_text != section.is_text and not section.ends_alike(text):
                break
        else:
            break
    return tokenize(section_readings)


def _sections(tokens: Tokens) -> Iterator[_Section]:
    """All tokens that start with `<![CDATA[`: sections (brackets and text) and comments."""
    text = tokens.text
    of_kind = (tokens.kinds == Kind.JUNK) | (tokens.kinds == Kind.COMMENT)
    for index in of_kind.nonzero()[0].tolist():
        start, end = int(tokens.starts[index]), int(tokens.ends[index])
        if text.startswith(OPENING, start):
            is_text = tokens.kinds[index] == Kind.JUNK
            if is_text:
                last = index + 1
                while last < len(tokens) and tokens.kinds[last] in {Kind.TEXT, Kind.JUNK}:
                    end = int(tokens.ends[last])
                    last += 1
                    if tokens.kinds[last - 1] == Kind.JUNK:
                        break
            yield _Section(start, end, bool(is_text))


def _probe(tokens: Tokens, sections: list[_Section]) -> str:
    """The page with a number in each section; white space stands for white space."""
    text = tokens.text
    pieces: list[str] = []
    at = 0
    for number, section in enumerate(sections):
        inner = section.start + len(OPENING)
        written = format(number, f"0{_DIGITS}b").replace("0", " ").replace("1", "\t")
        end = section.end - 3 if text.endswith("]]>", inner, section.end) else section.end
        blank = _BLANK.match(text, inner, end)
        if blank is None or blank.end() < end:
            written = written.translate(_LETTERS)
        pieces += (text[at : section.start], OPENING, written, "]]>")
        at = section.end
    return "".join((*pieces, text[at:]))


def _readings(document: turbohtml.Document) -> dict[int, bool]:
    """For each number in the tree, whether it is text; white-space ones show in comments only."""
    readings: dict[int, bool] = {}
    waiting: list[turbohtml.Node] = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, turbohtml.Comment):
            written = _IN_COMMENT.fullmatch(node.data)
            if written:
                readings[_number(written[1])] = False
        elif isinstance(node, turbohtml.Text | turbohtml.CData):
            readings |= {_number(written[0]): True for written in _IN_TEXT.finditer(node.data)}
        waiting.extend(node)
    return readings


def _number(written: str) -> int:
    return int("".join("1" if digit in _ONES else "0" for digit in written), 2)
