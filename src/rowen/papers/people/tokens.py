"""Tokens of a paper's front: words, numbers, signs and addresses, with cell, line and type."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rowen.papers.people.front import Cell, Chunk

MAIL = r"\{[^{}@]{1,200}\}\s?@\s?[\w\-]+(?:\.[\w\-]+)+|[\w.+\-]{1,64}\s?@\s?[\w\-]+(?:\.[\w\-]+)+"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_WORD = rf"[^\W\d_{SUPERSCRIPTS}]+"
_TOKEN = re.compile(rf"{MAIL}|(?:https?://|www\.)\S+|{_WORD}(?:[-‐‑'’`]{_WORD})*|\d+|\S")
_ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327",
    "ˇ": "\u030c", "˚": "\u030a", "¯": "\u0304", "˙": "\u0307", "˘": "\u0306",
}  # fmt: skip
_GAP = "\t"
_ACCENT = re.compile(f"([{''.join(_ACCENTS)}]) ?([^\\W\\d_])")
# `AdaLovelace`, and `LovelaceiD`: the icon of ORCID may be text.
_RUN_ON = re.compile(r"(?<=[^\W\d_]{3}[^\W\d_A-Z])(?=[A-Z][^\W\d_A-Z]{2})|(?<=[^\W\d_]{2})(?=iD$)")


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a line."""

    size: float
    bold: bool
    italic: bool
    font: str


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number, a sign or an address."""

    text: str
    cell: int
    line: int
    spaced: bool
    """Whether a space or the end of a line is before it."""
    gap: bool = False
    """Whether the space before it is wider than a space between words."""
    raised: bool | None = None
    """Whether it is superscript, as marks are; None where only the text is known."""
    type: Type | None = None
    zone: str = ""
    """The label of its line, if known."""
    chunk: Chunk | None = None


def words_of(text: str) -> Iterable[tuple[str, bool]]:
    """The tokens of a text, each with whether a space is before it; `AdaLovelace` is two words."""
    end = -1
    for match in _TOKEN.finditer(text):
        for i, word in enumerate(_RUN_ON.split(match.group())):
            yield word, not i and match.start() != end
        end = match.end()


def tokens_of(cells: Sequence[Cell]) -> list[Token]:
    """The tokens of all cells, in order."""
    tokens: list[Token] = []
    count = 0
    for number, cell in enumerate(cells):
        for chunk in cell:
            line = chunk.line
            type_ = Type(line.size, line.bold, line.italic, line.font)
            for text, raised in _pieces(chunk):
                for part, stretch in enumerate(text.split(_GAP)):
                    for i, (word, spaced) in enumerate(words_of(stretch)):
                        new = not tokens or tokens[-1].line != count
                        before = spaced if i else bool(part) or new or stretch[0].isspace()
                        gap = bool(part) and not i and not new
                        place = (number, count, before, gap)
                        tokens.append(Token(word, *place, raised, type_, chunk.zone, chunk))
            count += 1
    return tokens


def _pieces(chunk: Chunk) -> Iterable[tuple[str, bool]]:
    """The text of a chunk, cut where raised letters begin and end; each piece with whether raised.

    Gaps become tabs, except after a separate accent, which belongs to the letter after it.
    """
    letters = list(chunk.line.text)
    for gap in chunk.line.gaps:
        if letters[gap - 1] not in _ACCENTS:
            letters[gap] = _GAP
    text = "".join(letters)
    at = chunk.start
    for start, end in (*chunk.line.raised, (chunk.end, chunk.end)):
        start, end = max(start, chunk.start), min(end, chunk.end)  # noqa: PLW2901
        if start < at or start > chunk.end or (end <= start < chunk.end):
            continue
        # A separate accent is as high as a mark, but part of its word.
        if start < end and text[start:end].strip() in _ACCENTS:
            continue
        if text[at:start].strip():
            yield _whole(text[at:start]), False
        if text[start:end].strip():
            yield text[start:end], True
        at = end


def _whole(text: str) -> str:
    """A text with separate accents put on their letters: TeX writes them as two characters."""
    return _ACCENT.sub(lambda match: _accented(match[2], _ACCENTS[match[1]]), text)


def _accented(letter: str, accent: str) -> str:
    has = accent in unicodedata.normalize("NFD", letter)
    return letter if has else unicodedata.normalize("NFC", letter + accent)
