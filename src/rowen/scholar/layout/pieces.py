"""The pieces that lines are made of: characters that follow each other closely on one baseline."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rowen.scholar.layout.pdf import PageCharacters

_GAP = 0.9  # of the size: wider ones may be a gutter between columns
_MARGIN = 5.0  # points beyond the page's edges that are still on it
_SMALLEST, _LARGEST = 1.5, 200.0  # points: what is read has a size between them
_RISE = 0.6  # of the size: what is higher or lower than that is on another line
_SPACES = frozenset(range(9, 14)) | {32, 0xA0}
_HYPHENS = "\x02\xad\ufffe"  # pdfium's ways of giving a hyphen at a line's end
_ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "^": "\u0302", "˜": "\u0303",
    "~": "\u0303", "ˇ": "\u030c", "˘": "\u0306", "˙": "\u0307", "˝": "\u030b", "¸": "\u0327",
    "˛": "\u0328", "˚": "\u030a", "¯": "\u0304",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a page, by their indexes from `first` on, and the box around them."""

    first: int
    end: int
    left: float
    bottom: float
    right: float
    top: float
    baseline: float
    size: float


def pieces_of(page: PageCharacters) -> list[Piece]:
    """The page's pieces in the order of the file; turned text is left out."""
    codes, places = page.codes, page.places
    shown = np.flatnonzero(
        ((codes > 32) | (codes == 2)) & (codes != 0xA0) & ~((codes >= 0x2000) & (codes <= 0x200B))
        & ~page.turned & (places[:, 2] > places[:, 0] - 1)
    )  # fmt: skip
    shown = shown[_on_page(page, shown)]
    if not len(shown):
        return []
    here = places[shown]
    left, _, right, _, _, y, size = here.T
    larger = np.maximum(size[1:], size[:-1])
    gap = left[1:] - right[:-1]
    rise = np.abs(y[1:] - y[:-1])
    # A line's end in the file is one here, too, where the next character isn't just right of it.
    breaks = (rise > _RISE * larger) | (gap > _GAP * larger) | (gap < -1.5 * larger)
    starts = np.concatenate(([0], np.flatnonzero(breaks) + 1))
    ends = np.append(starts[1:], len(shown))
    lefts = np.minimum.reduceat(left, starts)
    rights = np.maximum.reduceat(right, starts)
    smallest = np.minimum.reduceat(size, starts)
    largest = np.maximum.reduceat(size, starts)
    found = []
    for i, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if smallest[i] >= 0.85 * largest[i]:
            most, baseline = float(size[start]), float(y[start])
        else:
            most = middle(size[start:end])
            baseline = middle(y[start:end][size[start:end] >= 0.85 * largest[i]])
        found.append(
            Piece(
                int(shown[start]), int(shown[end - 1]) + 1,
                float(lefts[i]), baseline - 0.2 * most, float(rights[i]),
                baseline + 0.7 * most, baseline, most,
            )
        )  # fmt: skip
    return found


def middle(values: NDArray[np.float32]) -> float:
    """The upper median: for the few values of a line, numpy's takes ten times as long."""
    ordered = sorted(values.tolist())
    return float(ordered[len(ordered) // 2])


def _on_page(page: PageCharacters, shown: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which characters are inside the page and of a size that is read."""
    x, y, size = page.places[shown, 4], page.places[shown, 5], page.places[shown, 6]
    inside: NDArray[np.bool_] = (
        (x > -_MARGIN) & (x < page.width + _MARGIN) & (y > -_MARGIN) & (y < page.height + _MARGIN)
    )
    inside &= (size > _SMALLEST) & (size < _LARGEST)
    return inside


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """A character as it is read: ligatures apart, spaces and dashes of one kind."""
    if letter in _HYPHENS:
        return "-"
    if letter in "´¨ˆ˜ˇ˘˙˝¸˛˚¯":
        return letter  # their compatibility forms begin with a space
    if unicodedata.category(letter) in {"Cc", "Cf", "Cs", "Co", "Cn"}:
        return ""
    return unicodedata.normalize("NFKC", letter)


def letters_of(page: PageCharacters, piece: Piece) -> tuple[list[str], list[int]]:
    """A piece's letters, read as text, and for each the index of the character it comes from."""
    codes = page.codes[piece.first : piece.end]
    if page.plain[piece.first : piece.end].all():
        text = codes.tobytes().decode("utf-32")
        if "  " not in text:
            return list(text), list(range(piece.first, piece.end))
    texts: list[str] = []
    sources: list[int] = []
    for index, code in enumerate(codes.tolist(), piece.first):
        plain = _read(code)
        if not plain or (plain == " " and (not texts or texts[-1] == " ")):
            continue
        if texts and (both := _accented(page, texts[-1], sources[-1], plain, index)):
            texts[-1:] = both  # not all pairs have a character of their own
            sources[-1:] = [index] * len(both)
            continue
        texts += plain
        sources += [index] * len(plain)
    return texts, sources


def _read(code: int) -> str:
    """What a character is read as; nothing for what is none."""
    if 32 <= code < 127:
        return chr(code)
    if code in _SPACES:
        return " "
    return _plain(chr(code)) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""


def _accented(
    page: PageCharacters, before: str, source: int, letter: str, index: int
) -> str | None:
    """Two characters as one, where one is an accent over the other: TeX sets both for itself."""
    if before in _ACCENTS and letter[0].isalpha() and _over(page, source, index):
        return unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + _ACCENTS[before])
    if letter in _ACCENTS and before.isalpha() and _over(page, index, source):
        return unicodedata.normalize("NFC", before + _ACCENTS[letter])
    return None


def accent_of(page: PageCharacters, piece: Piece) -> str | None:
    """The accent that a piece is, if it is nothing else: some files set all of them apart."""
    if piece.end - piece.first != 1:
        return None
    return _ACCENTS.get(chr(int(page.codes[piece.first])))


def accented(page: PageCharacters, piece: Piece, letters: list[str], sources: list[int]) -> None:
    """Put an accent on the letter of a line that it stands over, if there is one."""
    mark = accent_of(page, piece) or ""
    for i, (letter, source) in enumerate(zip(letters, sources, strict=True)):
        if source < 0 or not letter.isalpha() or not _over(page, piece.first, source):
            continue
        if abs(float(page.places[source, 5]) - piece.baseline) < _RISE * piece.size:
            both = unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + mark)
            letters[i] = both if len(both) == 1 else letter
            return


def _over(page: PageCharacters, accent: int, letter: int) -> bool:
    """Whether an accent stands over (or under) a letter, and not beside it."""
    middle = (page.places[accent, 0] + page.places[accent, 2]) / 2
    return bool(page.places[letter, 0] - 0.5 <= middle <= page.places[letter, 2] + 0.5)
