"""Lines of text, with their place on the page and the type that they are set in."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rowen.scholar.layout.direction import in_direction, runs_leftwards
from rowen.scholar.layout.letters import Letters
from rowen.scholar.layout.pdf import PageCharacters
from rowen.scholar.layout.pieces import Piece

_WIDE = 1.2  # of the size: a space that parts more than words
_EVEN = 0.85  # of the size: what is smaller is set in another one


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


@dataclass(frozen=True, slots=True)
class _Draft:
    """The letters of a line, and the pieces that they come from."""

    text: str
    sources: list[int]
    gaps: list[int]
    row: list[Piece]
    block: int


def lines_of(page: PageCharacters, blocks: Sequence[Sequence[Piece]], first: int) -> list[Line]:
    """The lines of a page's blocks, each from top to bottom; `first` is the number of the first."""
    letters = Letters(page)
    leftwards = runs_leftwards(page)
    drafts = []
    for block, pieces in enumerate(blocks, first):
        accents = [piece for piece in pieces if letters.accent(piece)]
        others = [piece for piece in pieces if piece not in accents] if accents else pieces
        for row in _rows(others):
            ordered = in_direction(page, row) if leftwards else row
            draft = _draft(letters, ordered, accents, block)
            if draft.text:
                drafts.append(draft)
    return list(_typeset(page, drafts)) if drafts else []


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of each line of a block, from left to right."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda one: (-one.baseline, one.left)):
        for row in reversed(rows[-3:]):
            if any(_beside(piece, other) for other in row):
                row.append(piece)
                break
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda piece: piece.left)
    return rows


def _beside(one: Piece, other: Piece) -> bool:
    """Whether two pieces are on one line; small ones may be raised or lowered."""
    larger = max(one.size, other.size)
    rise = abs(one.baseline - other.baseline)
    apart = one.left >= other.right - 0.3 * larger or other.left >= one.right - 0.3 * larger
    near = 0.25 if min(one.size, other.size) > 0.85 * larger else 0.6
    return apart and rise <= near * larger


def _draft(letters: Letters, row: list[Piece], accents: Sequence[Piece], block: int) -> _Draft:
    text, sources = letters.of(row[0])
    gaps: list[int] = []
    before = row[0]
    for piece in row[1:]:
        more, indexes = letters.of(piece)
        if text and more:
            gap = max(piece.left - before.right, before.left - piece.right)
            if gap > 0.12 * max(before.size, piece.size) and text[-1] != " ":
                text += " "
                sources.append(-1)
            if gap > _WIDE * max(before.size, piece.size):
                gaps.append(len(text) - 1)
        text += more
        sources += indexes
        before = piece
    for accent in accents:
        text = letters.put(accent, text, sources)
    text = text.rstrip(" ")
    return _Draft(text, sources[: len(text)], gaps, row, block)


def _typeset(page: PageCharacters, drafts: Sequence[_Draft]) -> Iterator[Line]:
    """Drafts as lines: how most of their letters are set, found for all of a page at once."""
    shown, owners, sources = _shown(drafts)
    counts = np.bincount(owners)
    starts = np.cumsum(counts) - counts
    middles = starts + counts // 2
    heights, sizes = page.places[sources, 5], page.places[sources, 6]
    smallest, largest = np.minimum.reduceat(sizes, starts), np.maximum.reduceat(sizes, starts)
    even = smallest >= _EVEN * largest
    baselines = heights[np.lexsort((heights, owners))[middles]].astype(np.float64)
    usual = np.where(even, sizes[middles], sizes[np.lexsort((sizes, owners))[middles]])
    usual = usual.astype(np.float64)
    small = sizes < (_EVEN * usual).astype(np.float32)[owners]
    high = heights > (baselines + 0.1 * usual).astype(np.float32)[owners]
    raised = _raised(shown, owners, small & high & ~even[owners])
    fonts = page.fonts[sources]
    bold = np.array([face.bold for face in page.faces])[fonts]
    bolds = np.add.reduceat(bold, starts, dtype=np.int64) > 0.6 * counts
    faces = _most(owners, fonts, len(page.faces))
    types = zip(baselines.tolist(), usual.tolist(), faces, bolds.tolist(), strict=True)
    for i, (draft, (baseline, size, face, is_bold)) in enumerate(zip(drafts, types, strict=True)):
        row, font = draft.row, page.faces[face]
        yield Line(
            draft.text, page.number, draft.block,
            min([piece.left for piece in row]), min([piece.bottom for piece in row]),
            max([piece.right for piece in row]), max([piece.top for piece in row]),
            baseline, size, font.name, is_bold, font.italic,
            tuple(raised.get(i, ())), tuple(draft.gaps), tuple(draft.sources),
        )  # fmt: skip


def _shown(drafts: Sequence[_Draft]) -> tuple[NDArray[np.int64], ...]:
    """For each letter but spaces: its index in its line, the line, the character it comes from."""
    lengths = np.array([len(draft.text) for draft in drafts])
    codes = np.frombuffer("".join(draft.text for draft in drafts).encode("utf-32-le"), "<u4")
    shown = np.flatnonzero(codes != ord(" "))
    owners = np.repeat(np.arange(len(drafts)), lengths)[shown]
    sources = chain.from_iterable(draft.sources for draft in drafts)
    offsets = np.cumsum(lengths) - lengths
    return shown - offsets[owners], owners, np.fromiter(sources, np.int64, len(codes))[shown]


def _raised(
    places: NDArray[np.int64], owners: NDArray[np.int64], chosen: NDArray[np.bool_]
) -> dict[int, list[tuple[int, int]]]:
    """For each line that has some: where letters that were chosen follow each other."""
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, owner in zip(places[chosen].tolist(), owners[chosen].tolist(), strict=True):
        runs = found[owner]
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return found


def _most(owners: NDArray[np.int64], fonts: NDArray[np.int32], faces: int) -> list[int]:
    """For each line the font of most letters; the first of two that have as many."""
    pairs, counts = np.unique(owners * faces + fonts, return_counts=True)
    lines = pairs // faces
    order = np.lexsort((pairs, -counts, lines))
    firsts = order[np.flatnonzero(np.diff(lines, prepend=-1))]
    found: list[int] = (pairs[firsts] % faces).tolist()
    return found
