"""The paragraphs of an HTML page, with its headings set larger, and what is set higher."""

import re
from collections.abc import Iterator

from rowen.documents.html import Kind, Token, tokenize
from rowen.documents.references import decode
from rowen.scholar.flow.pages import LOWERED, RAISED, Paragraph

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
_SIZES = {"h1": 18.0, "h2": 14.0, "h3": 12.0, "h4": 11.0, "h5": 10.0, "h6": 10.0}
_CELL = "\t"  # between the cells of a row
_BREAK = "\n"
_SPACES = re.compile(rf"[\s{RAISED}{LOWERED}]+")  # and what would be taken for marks


def html_paragraphs(html: str) -> list[Paragraph]:
    """What a reader sees, in the order of the source; all of it where nothing else is left."""
    return list(_paragraphs(html, _ASIDE)) or list(_paragraphs(html, frozenset({"title"})))


def _paragraphs(html: str, aside: frozenset[str]) -> Iterator[Paragraph]:
    pieces: list[str] = []
    heading = ""
    outside: list[str] = []  # the elements that are passed over, and stand open
    for token in tokenize(html):
        if outside or (token.kind is Kind.START_TAG and token.name in aside):
            _pass_over(token, outside, aside)
            continue
        if token.kind is Kind.TEXT and not token.literal:
            pieces.append(_SPACES.sub(" ", decode(html, token.span).text))
            continue
        if token.kind not in {Kind.START_TAG, Kind.END_TAG} or token.name in _INLINE:
            continue
        starts = token.kind is Kind.START_TAG
        if token.name == "sup":
            pieces.append(RAISED if starts else LOWERED)
        elif token.name in _CELLS:
            pieces.append(_CELL)
        elif token.name == "br":
            pieces.append(_BREAK)
        else:
            yield from _paragraph(pieces, heading)
            pieces = []
            heading = token.name if starts and token.name in _SIZES else ""
    yield from _paragraph(pieces, heading)


def _pass_over(token: Token, outside: list[str], aside: frozenset[str]) -> None:
    if token.kind is Kind.START_TAG and token.name in aside and not token.self_closing:
        outside.append(token.name)
    elif token.kind is Kind.END_TAG and token.name in outside:
        while outside.pop() != token.name:
            pass


def _paragraph(pieces: list[str], heading: str) -> Iterator[Paragraph]:
    lines = tuple(line.strip() for line in "".join(pieces).split(_BREAK))
    if any(lines):
        yield Paragraph(
            tuple(line for line in lines if line), _SIZES.get(heading, 10.0), bold=bool(heading)
        )
