"""Words, numbers, signs and addresses of the front, each with its place in cells and lines."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rowen.scholar.people.front import Cell, Chunk

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
_RUN_ON = re.compile(r"(?<=[^\W\d_]{3}[^\W\d_A-Z])(?=[A-Z][^\W\d_A-Z]{2})")


@dataclass(frozen=True, slots=True)
class Type:
    """What a line is set in, as far as it is known; sizes are compared with the largest."""

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
    """Whether a space or a line's end stands before it."""
    gap: bool = False
    """Whether the space before it is wider than any between words."""
    raised: bool | None = None
    """Whether it is set as a footnote's mark is; None where only the text is known."""
    type: Type | None = None
    zone: str = ""
    """What its line was taken for, if that is known."""
    chunk: Chunk | None = None


def words_of(text: str) -> Iterable[tuple[str, bool]]:
    """The tokens of a text and whether a space is before each; words run together are parted."""
    end = -1
    for found in _TOKEN.finditer(text):
        for i, word in enumerate(_RUN_ON.split(found.group())):
            yield word, not i and found.start() != end
        end = found.end()


def tokens_of(cells: Sequence[Cell]) -> list[Token]:
    """The tokens of all cells, one after the other."""
    found: list[Token] = []
    count = 0
    for number, cell in enumerate(cells):
        for chunk in cell:
            line = chunk.line
            type_ = Type(line.size, line.bold, line.italic, line.font)
            for text, raised in _pieces(chunk):
                for part, stretch in enumerate(text.split(_GAP)):
                    for i, (word, spaced) in enumerate(words_of(stretch)):
                        new = not found or found[-1].line != count
                        before = spaced if i else bool(part) or new or stretch[0].isspace()
                        gap = bool(part) and not i and not new
                        place = (number, count, before, gap)
                        found.append(Token(word, *place, raised, type_, chunk.zone, chunk))
            count += 1
    return found


def _pieces(chunk: Chunk) -> Iterable[tuple[str, bool]]:
    """A chunk's text cut where raised letters begin and end."""
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
        # An accent that is a character of its own is as high as a mark, but part of its word.
        if start < end and text[start:end].strip() in _ACCENTS:
            continue
        if text[at:start].strip():
            yield _whole(text[at:start]), False
        if text[start:end].strip():
            yield text[start:end], True
        at = end


def _whole(text: str) -> str:
    """Letters and the accents set over them as one."""
    return _ACCENT.sub(lambda found: _accented(found[2], _ACCENTS[found[1]]), text)


def _accented(letter: str, accent: str) -> str:
    has = accent in unicodedata.normalize("NFD", letter)
    return letter if has else unicodedata.normalize("NFC", letter + accent)
