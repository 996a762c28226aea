"""The text of a page's characters: ligatures, accents and spaces resolved."""

import re
import unicodedata
from functools import lru_cache

import numpy as np

from rowen.pdf.characters import PageCharacters
from rowen.pdf.pieces import RISE, Piece

_HYPHENS = "\x02\xad\ufffe"  # pdfium's codes for a hyphen at a line's end
_SPACES = "\t\n\v\f\r \xa0"
_ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "^": "\u0302", "˜": "\u0303",
    "~": "\u0303", "ˇ": "\u030c", "˘": "\u0306", "˙": "\u0307", "˝": "\u030b", "¸": "\u0327",
    "˛": "\u0328", "˚": "\u030a", "¯": "\u0304",
}  # fmt: skip
_TOUCHING = 0.12  # of the size: a smaller gap is inside a word
_RUN = re.compile(r"(?: ?[!-\]_a-}])+|.", re.DOTALL)  # a run that needs no change, or one character


class Letters:
    """The text of the pieces of one page."""

    def __init__(self, page: PageCharacters) -> None:
        codes = page.codes
        valid = (codes < 0xD800) | ((codes > 0xDFFF) & (codes <= 0x10FFFF))
        self._page = page
        self._text = np.where(valid, codes, 0).astype("<u4").tobytes().decode("utf-32-le")
        self._strange = np.concatenate(([0], np.cumsum(~page.plain))).tolist()

    def of(self, piece: Piece) -> tuple[str, list[int]]:
        """The text of a piece, and for each letter the index of its character."""
        first, end = piece.first, piece.end
        # Most pieces are plain ASCII: the running count of other characters shows that at once.
        if self._strange[first] == self._strange[end]:
            text = self._text[first:end]
            if "  " not in text:
                return text, list(range(first, end))
        texts: list[str] = []
        sources: list[int] = []
        for match in _RUN.finditer(self._text, first, end):
            run, start = match.group(), match.start()
            if len(run) == 1 or not texts or texts[-1] == " " or texts[-1] in _ACCENTS:
                self._add(texts, sources, run[0], start)
                run, start = run[1:], start + 1
            texts += run
            sources += range(start, start + len(run))
        return "".join(texts), sources

    def _add(self, texts: list[str], sources: list[int], character: str, index: int) -> None:
        """Append one character."""
        plain = _read(character)
        if not plain or (plain == " " and (not texts or texts[-1] == " ")):
            return
        if texts and (accented := self._accented(texts[-1], sources[-1], plain, index)):
            # pdfium sees a space where the accent jumps ahead of its letter: `Sz ˝ucs`.
            start = len(texts) - (2 if self._joined(texts, sources, index) else 1)
            texts[start:] = accented  # one or two: not all pairs have a composed character
            sources[start:] = [index] * len(accented)
            return
        texts += plain
        sources += [index] * len(plain)

    def _accented(self, before: str, source: int, letter: str, index: int) -> str | None:
        """A letter and the accent over it, composed: TeX writes them as two characters."""
        if before in _ACCENTS and letter[0].isalpha() and self._over(source, index):
            return _composed(letter, _ACCENTS[before])
        if letter in _ACCENTS and before.isalpha() and self._over(index, source):
            return unicodedata.normalize("NFC", before + _ACCENTS[letter])
        return None

    def _joined(self, texts: list[str], sources: list[int], index: int) -> bool:
        """Whether the last but one character is a space that a letter leaves no room for."""
        if len(texts) < 3 or texts[-2] != " " or not texts[-3].isalpha():
            return False
        places = self._page.places
        gap = float(places[index, 0] - places[sources[-3], 2])
        return gap < _TOUCHING * float(places[index, 6])

    def accent(self, piece: Piece) -> str | None:
        """The accent if a piece is only that: some files write all accents separately."""
        if piece.end - piece.first != 1:
            return None
        return _ACCENTS.get(self._text[piece.first])

    def put(self, piece: Piece, text: str, sources: list[int]) -> str:
        """A line's text with an accent put on the letter below it, if there is one."""
        mark = self.accent(piece) or ""
        for i, (letter, source) in enumerate(zip(text, sources, strict=True)):
            if source < 0 or not letter.isalpha() or not self._over(piece.first, source):
                continue
            if abs(float(self._page.places[source, 5]) - piece.baseline) < RISE * piece.size:
                accented = _composed(letter, mark)
                return text[:i] + accented + text[i + 1 :] if len(accented) == 1 else text
        return text

    def _over(self, accent: int, letter: int) -> bool:
        """Whether an accent is over or under a letter, and not beside it."""
        places = self._page.places
        middle = (places[accent, 0] + places[accent, 2]) / 2
        return bool(places[letter, 0] - 0.5 <= middle <= places[letter, 2] + 0.5)


def _composed(letter: str, mark: str) -> str:
    return unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + mark)


@lru_cache(maxsize=4096)
def _read(character: str) -> str:
    """A character as text: ligatures split, one kind of space; "" for control characters."""
    if character in _SPACES:
        return " "
    if character in _HYPHENS:
        return "-"
    if character.isascii() and character.isprintable():
        return character
    if character in "´¨ˆ˜ˇ˘˙˝¸˛˚¯":
        return character  # their compatibility forms begin with a space
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}:
        return ""
    return unicodedata.normalize("NFKC", character)
