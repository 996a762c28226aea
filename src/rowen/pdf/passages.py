"""Passages: lines joined to running text, with divided words rejoined."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rowen.pdf import Line

_DIVIDED = re.compile(r"[^\W\d_]{2,}[-‐]$")
_WHOLE = re.compile(
    r"(?:^|[\s(])(?:self|non|well|co|multi|semi|half|cross|high|low|long|short|two|three|one|e)[-‐]$",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:doi(?:\.org/|[:.]\s?)|\b10\.(?=\d{4}))\S*$", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:|www\.)\S*$", re.IGNORECASE)
_INSIDE = re.compile(r"\d|[^\W_][./_=?&%#~-][^\W_]")  # of a DOI or address, hardly of other words
_TWO_PARTS = re.compile(r"[a-z\d]+[./-]\S*[\w/]")
_UNSPACED = r"[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_ENDS_UNSPACED = re.compile(rf"{_UNSPACED}[^\w\s]?$")
_BEGINS_UNSPACED = re.compile(rf"[^\w\s]?{_UNSPACED}")


@dataclass(frozen=True, slots=True)
class Passage:
    """Running text, its lines, and the span of the text that each line makes up."""

    text: str
    lines: tuple[Line, ...]
    parts: tuple[tuple[int, int], ...]

    def places(self, start: int, end: int) -> Iterator[tuple[Line, int, int]]:
        """The lines of a span of the text, each with the span within that line."""
        for line, (first, last) in zip(self.lines, self.parts, strict=True):
            if max(start, first) < min(end, last):
                shift = _indent(line) - first
                yield line, max(start, first) + shift, min(end, last) + shift

    def raised(self) -> Iterator[tuple[int, int]]:
        """The spans of the text that are superscript."""
        for line, (first, last) in zip(self.lines, self.parts, strict=True):
            shift = first - _indent(line)
            for start, end in line.raised:
                if start + shift < min(end + shift, last):
                    yield start + shift, min(end + shift, last)


def passage_of(lines: Sequence[Line]) -> Passage:
    """Join lines to one text."""
    pieces: list[str] = []
    parts: list[tuple[int, int]] = []
    length = 0
    last = -1  # the last line that has text
    for line in lines:
        text = line.text.strip()
        if text and last >= 0:
            line_end, between = _seam(pieces[-1], text)
            length += len(line_end) - len(pieces[-1])
            parts[last] = (parts[last][0], length)
            pieces[-1] = line_end
            pieces.append(between)
            length += len(between)
        if text:
            last = len(parts)
            pieces.append(text)
        parts.append((length, length + len(text)))
        length += len(text)
    return Passage("".join(pieces), tuple(lines), tuple(parts))


def joined(lines: Sequence[Line]) -> str:
    """The text of lines, joined."""
    return passage_of(lines).text


def _indent(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _seam(text: str, more: str) -> tuple[str, str]:
    """A line without the hyphen of a divided word, and the separator to put after it."""
    last = text[-1]
    if (joint := _in_address(text, more)) is not None:
        return joint
    # `self-` and the like are written with a hyphen anyway, so it stays.
    if last in "-‐" and more[0].islower() and _DIVIDED.search(text):
        return (text, "") if _WHOLE.search(text) else (text[:-1], "")
    if last in "-‐–/" and more[0].isalnum():  # page ranges, compounds, URLs
        return text, ""
    if max(text[-2:]) > "\u2fff" and _ENDS_UNSPACED.search(text) and _BEGINS_UNSPACED.match(more):
        return text, ""  # Chinese and Japanese have no spaces
    return text, " "


def _in_address(text: str, more: str) -> tuple[str, str] | None:
    """The seam of two lines between which a DOI or an address goes on; None if none does.

    Whether it does, the first word of the second line tells: `10.1016/j.jml.` goes on with
    `2007.12.005`, and not with `Accessed`.
    """
    word = text[text.rfind(" ") + 1 :]
    if "/" not in word and "10." not in word and "www." not in word and "doi" not in word:
        return None
    doi = _DOI.search(text) is not None
    if not doi and _ADDRESS.search(word) is None:
        return None
    last, next_word = text[-1], more.split(" ", 1)[0].rstrip(".,;)]>")
    if not next_word or last in ",;)]>":
        return None
    ends = next_word == more.rstrip(".")
    if last in "-‐" and doi and _DIVIDED.search(text) and next_word[0].islower():
        # In a DOI the hyphen inside a word comes from its division; an address ends at its own.
        return text[:-1], ""
    if last == ".":
        goes_on = _TWO_PARTS.fullmatch(next_word) or (doi and ends and next_word.isdecimal())
    else:
        inside = last in "-‐/_=?&%#~:" or _INSIDE.search(next_word)
        goes_on = inside or (ends and next_word[0].islower())
    return (text, "") if goes_on else None
