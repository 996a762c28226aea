"""Lines of text, with their place on the page and the type that they are set in."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rowen.scholar.layout.direction import in_direction, runs_leftwards
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.layout.pieces import Piece, accent_of, accented, letters_of, middle

_WIDE = 1.2  # of the size: a space that parts more than words


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is read; y grows upwards from the page's lower edge, in points."""

    text: str
    page: int
    block: int
    left: float
    bottom: float
    right: float
    top: float
    baseline: float
    size: float
    font: str
    bold: bool
    italic: bool
    raised: tuple[tuple[int, int], ...]
    """Stretches of the text that are set higher and smaller, as marks of footnotes are."""
    gaps: tuple[int, ...]
    """The spaces that are wider than any between words."""
    sources: tuple[int, ...]
    """For each letter the character of the page that it comes from; -1 for added spaces."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top."""
        return self.left, self.bottom, self.right, self.top


def lines_of(page: PageCharacters, pieces: Sequence[Piece], block: int) -> list[Line]:
    """The lines of one block, from top to bottom."""
    rows: list[list[Piece]] = []
    accents = [piece for piece in pieces if accent_of(page, piece)]
    letters = [piece for piece in pieces if piece not in accents] if accents else pieces
    for piece in sorted(letters, key=lambda one: (-one.baseline, one.left)):
        for row in reversed(rows[-3:]):
            if any(_beside(piece, other) for other in row):
                row.append(piece)
                break
        else:
            rows.append([piece])
    leftwards = runs_leftwards(page)
    found = []
    for row in rows:
        row.sort(key=lambda piece: piece.left)
        line = _line(page, in_direction(page, row) if leftwards else row, accents, block)
        if line is not None:
            found.append(line)
    return found


def _beside(one: Piece, other: Piece) -> bool:
    """Whether two pieces are on one line; small ones may be raised or lowered."""
    larger = max(one.size, other.size)
    rise = abs(one.baseline - other.baseline)
    apart = one.left >= other.right - 0.3 * larger or other.left >= one.right - 0.3 * larger
    near = 0.25 if min(one.size, other.size) > 0.85 * larger else 0.6
    return apart and rise <= near * larger


def _line(
    page: PageCharacters, row: list[Piece], accents: Sequence[Piece], block: int
) -> Line | None:
    letters: list[str] = []
    sources: list[int] = []
    gaps: list[int] = []
    for before, piece in pairwise([None, *row]):
        texts, indexes = letters_of(page, piece) if piece else ([], [])
        if before is not None and piece is not None and letters and texts:
            gap = max(piece.left - before.right, before.left - piece.right)
            if gap > 0.12 * max(before.size, piece.size) and letters[-1] != " ":
                letters.append(" ")
                sources.append(-1)
            if gap > _WIDE * max(before.size, piece.size):
                gaps.append(len(letters) - 1)
        letters += texts
        sources += indexes
    for accent in accents:
        accented(page, accent, letters, sources)
    while letters and letters[-1] == " ":
        letters.pop()
        sources.pop()
    if not letters:
        return None
    shown = np.array([s for s, letter in zip(sources, letters, strict=True) if letter != " "])
    sizes = page.places[shown, 6]
    even = bool(sizes.min() >= 0.85 * sizes.max())
    size = float(sizes[len(sizes) // 2]) if even else middle(sizes)
    baseline = middle(page.places[shown, 5])
    counts = np.bincount(page.fonts[shown])
    face = page.faces[int(counts.argmax())]
    bold = sum(count for count, one in zip(counts.tolist(), page.faces, strict=False) if one.bold)
    return Line(
        "".join(letters), page.number, block,
        min(piece.left for piece in row), min(piece.bottom for piece in row),
        max(piece.right for piece in row), max(piece.top for piece in row),
        baseline, size, face.name, bold > 0.6 * len(shown), face.italic,
        () if even else _raised(page, letters, sources, size, baseline),
        tuple(gaps), tuple(sources),
    )  # fmt: skip


def _raised(
    page: PageCharacters,
    letters: Sequence[str],
    sources: Sequence[int],
    size: float,
    baseline: float,
) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for i, (letter, source) in enumerate(zip(letters, sources, strict=True)):
        if source < 0 or letter == " ":
            continue
        small = page.places[source, 6] < 0.85 * size
        if small and page.places[source, 5] > baseline + 0.1 * size:
            if found and found[-1][1] == i:
                found[-1] = (found[-1][0], i + 1)
            else:
                found.append((i, i + 1))
    return tuple(found)
