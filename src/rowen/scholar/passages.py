"""Lines joined to running text: words that were divided are whole again."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowen.scholar.layout import Line

_DIVIDED = re.compile(r"[^\W\d_]{2,}[-‐]$")
_WHOLE = re.compile(
    r"(?:^|[\s(])(?:self|non|well|co|multi|semi|half|cross|high|low|long|short|two|three|one|e)[-‐]$",
    re.IGNORECASE,
)
_OPEN_ADDRESS = re.compile(r"(?:https?://|www\.|doi[:.\s/]|10\.\d{4,9}/)\S*$", re.IGNORECASE)
_UNSPACED = r"[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_ENDS_UNSPACED = re.compile(rf"{_UNSPACED}[^\w\s]?$")
_BEGINS_UNSPACED = re.compile(rf"[^\w\s]?{_UNSPACED}")


@dataclass(frozen=True, slots=True)
class Passage:
    """Running text, the lines that it comes from, and what part of it each of them is."""

    text: str
    lines: tuple[Line, ...]
    parts: tuple[tuple[int, int], ...]

    def places(self, start: int, end: int) -> Iterator[tuple[Line, int, int]]:
        """Where a stretch of the text stands: lines, and from where to where in their texts."""
        for line, (first, last) in zip(self.lines, self.parts, strict=True):
            if max(start, first) < min(end, last):
                shift = _indent(line) - first
                yield line, max(start, first) + shift, min(end, last) + shift

    def raised(self) -> Iterator[tuple[int, int]]:
        """The stretches of the text that are set higher and smaller."""
        for line, (first, last) in zip(self.lines, self.parts, strict=True):
            shift = first - _indent(line)
            for start, end in line.raised:
                if start + shift < min(end + shift, last):
                    yield start + shift, min(end + shift, last)


def passage_of(lines: Sequence[Line]) -> Passage:
    """Some lines as one text, one after the other."""
    pieces: list[str] = []
    parts: list[tuple[int, int]] = []
    length = 0
    last = -1  # the line before that has text
    for line in lines:
        text = line.text.strip()
        if text and last >= 0:
            kept, between = _seam(pieces[-1], text)
            length += len(kept) - len(pieces[-1])
            parts[last] = (parts[last][0], length)
            pieces[-1] = kept
            pieces.append(between)
            length += len(between)
        if text:
            last = len(parts)
            pieces.append(text)
        parts.append((length, length + len(text)))
        length += len(text)
    return Passage("".join(pieces), tuple(lines), tuple(parts))


def joined(lines: Sequence[Line]) -> str:
    """The text of some lines, one after the other."""
    return passage_of(lines).text


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _seam(text: str, more: str) -> tuple[str, str]:
    """The end of a line without the hyphen of a divided word, and what is to stand after it."""
    last = text[-1]
    if last in "-‐" and more[0].islower() and _DIVIDED.search(text):
        return (text, "") if _WHOLE.search(text) else (text[:-1], "")
    if last in "-‐–/" and more[0].isalnum():  # pages, compounds, addresses
        return text, ""
    if last not in ".,;)" and " " not in more[:8] and _OPEN_ADDRESS.search(text):
        return text, ""
    if max(text[-2:]) > "\u2fff" and _ENDS_UNSPACED.search(text) and _BEGINS_UNSPACED.match(more):
        return text, ""  # Chinese and Japanese
    return text, " "
