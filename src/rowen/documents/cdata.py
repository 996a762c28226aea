"""Which `<![CDATA[` of a page open a section of text: those that a parser meets in SVG or MathML.

Elsewhere the same characters begin a comment, which ends at the first `>`. Only the tree knows
which it is, and what closes an SVG may leave no trace in it: an end tag `</p>`, a second `<body>`.
So the parser is asked: it is given the page once more, with a number in place of the contents of
each. A number that comes back as a comment stood in HTML.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import turbohtml

from rowen.documents.html import Kind, Tokens

OPENING = "<![CDATA["

READINGS = 8
"""How often a page is read to find out. Once does unless a section holds a `>`: then it ends
elsewhere than a comment would, and what follows is read anew."""

_BLANK = re.compile("[\\t\\n\\f\\r \\0]*+")
_DIGITS = 24
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
        """Whether a comment and a section that start here end at the same place."""
        first = text.find(">", self.start, self.end)
        return first == self.end - 1 and text.endswith("]]>", self.start + len(OPENING), self.end)


def resolve_sections(
    text: str,
    tokenize: Callable[[Mapping[int, bool]], Tokens],
    parse: Callable[[str], turbohtml.Document],
) -> Tokens:
    """The tokens of a page by what its parser takes each `<![CDATA[` for.

    `tokenize` gives them by what is known so far: whether a section of text starts at a place.
    """
    known: dict[int, bool] = {}
    for _ in range(READINGS):
        tokens = tokenize(known)
        sections = list(_sections(tokens))
        readings = _readings(parse(_probe(tokens, sections)))
        for number, section in enumerate(sections):
            # what is in neither a comment nor a text was spaces, or the parser threw it away
            known[section.start] = is_text = readings.get(number, section.is_text)
            if is_text != section.is_text and not section.ends_alike(text):
                break
        else:
            break
    return tokenize(known)


def _sections(tokens: Tokens) -> Iterator[_Section]:
    """What starts with `<![CDATA[`: sections, as their brackets and their text, and comments."""
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
    """The page with a number in each section, in spaces where it holds nothing else."""
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
    """The numbers that a tree has, and whether as text; those in spaces count in comments only."""
    found: dict[int, bool] = {}
    waiting: list[turbohtml.Node] = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, turbohtml.Comment):
            written = _IN_COMMENT.fullmatch(node.data)
            if written:
                found[_number(written[1])] = False
        elif isinstance(node, turbohtml.Text | turbohtml.CData):
            found |= {_number(written[0]): True for written in _IN_TEXT.finditer(node.data)}
        waiting.extend(node)
    return found


def _number(written: str) -> int:
    return int("".join("1" if digit in _ONES else "0" for digit in written), 2)
