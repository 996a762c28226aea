"""Scripts that are written from right to left, such as Arabic and Hebrew: order and brackets.

pdfium returns most such text in reading order, but not all: some programs write a whole line, or
only words of it, in an order from which pdfium makes that of the page, from left to right. The
positions show which it is.

    order of the file    x              in reading order
    a b c                3 2 1          as it is: each letter is left of the one before
    c b a                1 2 3          reversed; numbers and Latin words in between are not
    a b c , f e d        9 8 7 6 3 4 5  only the second word; the comma is where the page has it
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice, pairwise

import numpy as np
from numpy.typing import NDArray

_LEVEL = 0.3  # of the size: characters with less between their baselines are on one line
_CLOSE, _SPACE = 0.1, 0.25  # of the size: gaps inside words, and those between words
# Stretches of a line that run to the right, as the page shows it.
_RIGHTWARDS = re.compile(r"[^\W_]+(?:(?:[.,:/]|(?<=[^\W\d_])[^\w\n]+)[^\W_]+)*")
_BRACKETS = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_OPENING, _CLOSING = frozenset("([{«"), frozenset(")]}»")
_PAIRS = dict(zip("([{«", ")]}»", strict=True))
_SIGNS = np.array([*map(ord, "־׀׃،؛؞؟۔"), *range(0x660, 0x66E), *range(0x6F0, 0x6FA)], np.uint32)
_SPACES = frozenset([0x20, 0xA0])
_STOPS = frozenset(map(ord, ".,;:،؛-–—"))
_LAM = 0x644
_ALEFS = frozenset([0x622, 0x623, 0x625, 0x627])


def leftward(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Hebrew, Arabic, Syriac, Thaana, N'Ko and others, with presentation forms of the first two."""
    mask: NDArray[np.bool_] = (
        ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFE00))
        | ((codes >= 0xFE70) & (codes < 0xFEFD)) | ((codes >= 0x10800) & (codes < 0x11000))
    )  # fmt: skip
    return mask


def reading_indexes(
    codes: NDArray[np.uint32], places: NDArray[np.float32]
) -> NDArray[np.int64] | None:
    """The indexes of a page's characters in reading order; None if they are in it."""
    leftwards = leftward(codes)
    if np.count_nonzero(leftwards) < 2:
        return None
    page = _Page(codes, places, leftwards)
    lines = list(_lines(codes, places))
    most = 2 * np.count_nonzero(leftwards) > np.count_nonzero(codes >= 0x41)
    lines = [
        line for line in lines if leftwards[line].any() or (most and _goes_on(codes, places, line))
    ]
    # Where one word is in the order of the page, commas and brackets may be anywhere.
    if not any(page.reversed_in(line) for line in lines):
        return None
    order = np.arange(len(codes))
    for line in lines:
        order[line] = page.in_order(order[line].tolist())
    return order


def _goes_on(codes: NDArray[np.uint32], places: NDArray[np.float32], line: slice) -> bool:
    """Whether a line of numbers ends in a sign at its left: the end of a text that runs there."""
    own = codes[line]
    letters = (own >= 0x41) & ~leftward(own)
    if bool(letters.any()) or len(own) < 2:
        return False
    shown = np.flatnonzero(~np.isin(own, list(_SPACES)))
    first = own[shown[np.argmin(places[line][shown, 4])]] if len(shown) else 0
    return bool(int(first) in _STOPS)


def _lines(codes: NDArray[np.uint32], places: NDArray[np.float32]) -> Iterator[slice]:
    """Characters that follow each other on one baseline, without line breaks."""
    y, size = places[:, 5], places[:, 6]
    broken = codes < 0x20
    breaks = np.abs(np.diff(y)) > _LEVEL * np.maximum(size[1:], size[:-1])
    bounds = np.flatnonzero(breaks | broken[1:] | broken[:-1]) + 1
    for first, end in pairwise([0, *bounds.tolist(), len(codes)]):
        yield slice(first, end)


def _apart(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Punctuation marks and digits of scripts that run to the left."""
    return np.isin(codes, _SIGNS)


class _Page:
    """A page's characters, with their places."""

    def __init__(
        self, codes: NDArray[np.uint32], places: NDArray[np.float32], leftwards: NDArray[np.bool_]
    ) -> None:
        self.codes: list[int] = codes.tolist()
        # Commas and digits of these scripts are no part of words: digits run to the right.
        self.leftwards: list[bool] = (leftwards & ~_apart(codes)).tolist()
        self.left, _, self.right, _, self.x, _, self.size = places.T.tolist()

    def reversed_in(self, line: slice) -> bool:
        """Whether a line has a word in the order of the page."""
        return any(
            self._reversed(run) for run in self._runs(range(line.start, line.stop)) if len(run) > 1
        )

    def _runs(self, indexes: Sequence[int]) -> Iterator[list[int]]:
        """Words that run to the left, and other characters one by one."""
        for together, group in groupby(indexes, key=self.leftwards.__getitem__):
            if together:
                yield list(group)
            else:
                yield from ([index] for index in group)

    def _reversed(self, word: Sequence[int]) -> bool:
        """Whether a word's letters are in the order of the page."""
        letters = [index for index in word if not _is_mark(self.codes[index])]
        steps = [self._step(before, after) for before, after in pairwise(letters)]
        return steps.count(1) > steps.count(-1)

    def _step(self, before: int, after: int) -> int:
        """1 for a step to the right, -1 for one to the left."""
        step = self.x[after] - self.x[before]
        if abs(step) > 0.01 * self.size[after]:
            return 1 if step > 0 else -1
        # Lam and alef share a place: they are one sign, in which lam is first.
        if self.codes[before] in _ALEFS and self.codes[after] == _LAM:
            return 1
        return -1 if self.codes[after] in _ALEFS and self.codes[before] == _LAM else 0

    def in_order(self, line: Sequence[int]) -> list[int]:
        """The indexes of a line's characters in reading order."""
        spaces = [index for index in line if self.codes[index] in _SPACES]
        shown = [index for index in line if self.codes[index] not in _SPACES]
        # A space is no part of a word, though it has been left out by now.
        words = [run for part in _unbroken(line, frozenset(spaces)) for run in self._runs(part)]
        words = [run[::-1] if self._reversed(run) else run for run in words]
        words.sort(key=lambda run: min(self.x[index] for index in run))
        written = {pair: pair[1] > pair[0] + 1 for pair in pairwise(shown)}
        gaps = [self._gap(left, right, written) for left, right in pairwise(words)]
        rest = iter(spaces)
        ordered: list[int] = []
        for first, end in reversed(list(self._stretches(words, gaps))):
            for at in range(first, end):
                ordered += words[at]
                # The space behind a stretch is on its left side.
                space = gaps[at] if at < end - 1 else first > 0 and gaps[first - 1]
                if space:
                    ordered += islice(rest, 1)
        return [*ordered, *rest]

    def _gap(
        self, left: Sequence[int], right: Sequence[int], written: Mapping[tuple[int, int], bool]
    ) -> bool:
        """Whether a space is between two words; `written` tells of neighbours in the file.

        Positions decide beside a sign, where they are clear: the file may have a space on the
        wrong side of a bracket. Digits such as 1 are narrow, and seem to be apart.
        """
        ends = [(a, b) for a in (left[0], left[-1]) for b in (right[0], right[-1])]
        ends += [(b, a) for a, b in ends]
        known = [written[pair] for pair in ends if pair in written]
        if known and _is_word(self.codes[left[0]]) and _is_word(self.codes[right[0]]):
            return any(known)
        size = self.size[right[0]]
        gap = min(self.left[index] for index in right) - max(self.right[index] for index in left)
        if not _CLOSE * size < gap < _SPACE * size:
            return bool(gap >= _SPACE * size)
        return any(known)

    def _stretches(
        self, words: Sequence[Sequence[int]], gaps: Sequence[bool]
    ) -> Iterator[tuple[int, int]]:
        """Words that run to the right together, others one by one, as (first, end)."""
        text, owners = "", []
        for at, word in enumerate(words):
            sign = "\n" if self.leftwards[word[0]] else _shown(self.codes[word[0]])
            sign += " " * (at < len(gaps) and gaps[at])
            text += sign
            owners += [at] * len(sign)
        first = 0
        for match in _RIGHTWARDS.finditer(text):
            start, end = owners[match.start()], owners[match.end() - 1] + 1
            yield from ((at, at + 1) for at in range(first, start))
            yield start, end
            first = end
        yield from ((at, at + 1) for at in range(first, len(words)))


def _unbroken(line: Sequence[int], spaces: frozenset[int]) -> Iterator[list[int]]:
    for space, group in groupby(line, key=spaces.__contains__):
        if not space:
            yield list(group)


def _is_mark(code: int) -> bool:
    """A vowel sign, which may be on either side of its letter."""
    return 0x591 <= code < 0x5C8 or 0x610 <= code < 0x61B or 0x64B <= code < 0x660


def _is_word(code: int) -> bool:
    return code <= 0x10FFFF and chr(code).isalnum()


def _shown(code: int) -> str:
    """A character; a line break for what may not be part of a word that runs to the right."""
    return "\n" if 0xD800 <= code < 0xE000 or code < 0x20 or code > 0x10FFFF else chr(code)


def mirrored(text: str) -> str:
    """A line that runs to the left, with its brackets as written: pages show them mirrored."""
    turned = text.translate(_BRACKETS)
    if turned == text:
        return text
    own, other = _closed(text), _closed(turned)
    if own != other:
        return turned if other > own else text
    sign = next((sign for sign in text if sign in _OPENING or sign in _CLOSING), "")
    return turned if sign in _CLOSING else text


def _closed(text: str) -> int:
    """How many brackets are closed."""
    opened: list[str] = []
    count = 0
    for sign in text:
        if sign in _OPENING:
            opened.append(_PAIRS[sign])
        elif opened and sign == opened[-1]:
            opened.pop()
            count += 1
    return count
