"""Lines of text with their position and type, from the pieces of blocks.

Pieces that are level make a row; their letters, with spaces where gaps are, make the line:

    pieces   "Ada Lovelace" at y 700, size 12; "1,2" at y 705, size 7, right after it
    line     text "Ada Lovelace1,2", baseline 700, size 12, raised ((12, 15),)
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rowen.pdf.characters import PageCharacters
from rowen.pdf.direction import in_direction, mostly_leftwards, runs_leftwards
from rowen.pdf.leftward import mirrored
from rowen.pdf.letters import Letters
from rowen.pdf.pieces import Piece

_SPACE = 0.12  # of the size: a wider gap between pieces is a space
_MIRRORED = 0.2  # the same in lines that run to the left, where each sign is a piece
_WIDE = 1.2  # of the size: a wider space separates more than words
_LARGE = 0.15  # of a line's letters: so many large ones make the line, the others are raised
_EVEN = 0.85  # of the size: smaller letters are of another size
_LETTER = 0.5  # of the size: how wide a letter is
_FARTHEST = 60_000  # tenths of a point: pages are not wider
_STRAY = 0.25  # of the letters after a lead: so many may have its face


@dataclass(frozen=True, slots=True)
class Lead:
    """The letters of a line before `end`, and their font: perhaps a run-in heading."""

    end: int
    font: str
    bold: bool
    italic: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text; y grows upwards from the page's lower edge, in points."""

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
    """Spans of the text that are superscript, such as footnote marks."""
    gaps: tuple[int, ...]
    """Indexes of the spaces that are wider than spaces between words."""
    offsets: tuple[int, ...]
    """For each letter how far its left edge is from the line's, in tenths of a point; a space
    begins where the letter before it ends."""
    lead: Lead | None = None
    """The beginning in bold or italic type, where the other letters have another face."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top."""
        return self.left, self.bottom, self.right, self.top

    def box_of(self, start: int, end: int) -> tuple[float, float, float, float]:
        """The box of a part of the text; that of the whole line where letters have no places."""
        letters = self.offsets[start:end]
        if not letters or len(self.offsets) < len(self.text):
            return self.box
        after = self.offsets[end] if end < len(self.offsets) else max(letters)
        if end >= len(self.offsets) and max(letters) == letters[-1]:
            right = self.right
        elif after >= max(letters):
            right = self.left + after / 10
        else:  # the text runs leftwards: what follows is on the other side
            right = self.left + max(letters) / 10 + _LETTER * self.size
        left = self.left + min(letters) / 10
        return left, self.bottom, max(left, min(right, self.right)), self.top


_SETTERS = [Line.__dict__[field.name].__set__ for field in fields(Line)]


def lines_from(*columns: Iterable[object]) -> list[Line]:
    """Lines from columns, one for each field of `Line`, all of the same length.

    Fields are set without the constructor, which takes six times as long for frozen classes.
    """
    first, *others = columns
    texts = list(first)
    lines = [Line.__new__(Line) for _ in texts]
    for setter, column in zip(_SETTERS, (texts, *others), strict=True):
        deque(map(setter, lines, column), maxlen=0)
    return lines


@dataclass(frozen=True, slots=True)
class _Draft:
    """A line before its type is known: its letters and pieces."""

    text: str
    sources: list[int]
    gaps: list[int]
    row: list[Piece]
    block: int


def lines_of(page: PageCharacters, blocks: Sequence[Sequence[Piece]], first: int) -> list[Line]:
    """The lines of a page's blocks, each from top to bottom; `first` numbers the first block."""
    letters = Letters(page)
    some = runs_leftwards(page)
    most = some and mostly_leftwards(page)
    drafts = []
    for block, pieces in enumerate(blocks, first):
        accents = [piece for piece in pieces if letters.accent(piece)]
        others = [piece for piece in pieces if piece not in accents] if accents else pieces
        for row in _rows(others):
            ordered, mirror = in_direction(page, row, leftwards=most) if some else (row, False)
            draft = _draft(letters, ordered, accents, block, space=_MIRRORED if mirror else _SPACE)
            if mirror:
                draft = replace(draft, text=mirrored(draft.text))
            if draft.text:
                drafts.append(draft)
    return list(_typeset(page, drafts)) if drafts else []


def _rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of each line of a block, from left to right."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: (-piece.baseline, piece.left)):
        # A raised mark may start a row of its own before its line does: look a few rows back.
        for row in reversed(rows[-3:]):
            if any(_beside(piece, neighbour) for neighbour in row):
                row.append(piece)
                break
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda piece: piece.left)
    return rows


def _beside(piece: Piece, neighbour: Piece) -> bool:
    """Whether two pieces are on one line; a smaller one may be raised or lowered."""
    larger = max(piece.size, neighbour.size)
    rise = abs(piece.baseline - neighbour.baseline)
    apart = (
        piece.left >= neighbour.right - 0.3 * larger or neighbour.left >= piece.right - 0.3 * larger
    )
    near = 0.25 if min(piece.size, neighbour.size) > 0.85 * larger else 0.6
    return apart and rise <= near * larger


def _draft(
    letters: Letters, row: list[Piece], accents: Sequence[Piece], block: int, *, space: float
) -> _Draft:
    text, sources = letters.of(row[0])
    gaps: list[int] = []
    before = row[0]
    for piece in row[1:]:
        more, indexes = letters.of(piece)
        if text and more:
            gap = max(piece.left - before.right, before.left - piece.right)
            if gap > space * max(before.size, piece.size) and text[-1] != " ":
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
    """Lines with the type of most of their letters, computed for all of a page at once."""
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
    large = sizes >= (_EVEN * largest)[owners]
    shares = np.add.reduceat(large, starts, dtype=np.int64) / counts
    for i in np.flatnonzero((usual < _EVEN * largest) & (shares > _LARGE)).tolist():
        letters = slice(starts[i], starts[i] + counts[i])
        if large_type := _large_type(heights[letters], sizes[letters]):
            baselines[i], usual[i] = large_type
    small = sizes < (_EVEN * usual).astype(np.float32)[owners]
    high = heights > (baselines + 0.1 * usual).astype(np.float32)[owners]
    raised = _raised(shown, owners, small & high & ~even[owners])
    fonts = page.fonts[sources]
    bold = np.array([face.bold for face in page.faces])[fonts]
    italic = np.array([face.italic for face in page.faces])[fonts]
    bolds = np.add.reduceat(bold, starts, dtype=np.int64) > 0.6 * counts
    leads = _leads(shown, owners, starts, 2 * bold + italic)
    faces = _most(owners, fonts, len(page.faces))
    types = zip(baselines.tolist(), usual.tolist(), faces, bolds.tolist(), strict=True)
    lefts = [min([piece.left for piece in draft.row]) for draft in drafts]
    offsets = _offsets(page, drafts, lefts)
    for i, (draft, (baseline, size, face, is_bold)) in enumerate(zip(drafts, types, strict=True)):
        row, font = draft.row, page.faces[face]
        lead = Lead(leads[i], *astuple(page.faces[fonts[starts[i]]])) if i in leads else None
        yield Line(
            draft.text, page.number, draft.block,
            lefts[i], min([piece.bottom for piece in row]),
            max([piece.right for piece in row]), max([piece.top for piece in row]),
            baseline, size, font.name, is_bold, font.italic,
            tuple(raised.get(i, ())), tuple(draft.gaps), offsets[i], lead,
        )  # fmt: skip


def _large_type(
    heights: NDArray[np.float32], sizes: NDArray[np.float32]
) -> tuple[float, float] | None:
    """The baseline and size of a line's large letters; None unless the small ones are all raised.

    In `Ada Lovelace[0000-0002-...]` with a raised identifier, most letters are superscript.
    """
    large = sizes >= _EVEN * sizes.max()
    baseline, size = float(np.median(heights[large])), float(np.median(sizes[large]))
    return (baseline, size) if (heights[~large] > baseline + 0.1 * size).all() else None


def _offsets(
    page: PageCharacters, drafts: Sequence[_Draft], lefts: Sequence[float]
) -> list[tuple[int, ...]]:
    """For each line the places of its letters, computed for all of a page at once."""
    lengths = [len(draft.text) for draft in drafts]
    count = sum(lengths)
    sources = np.fromiter(chain.from_iterable(draft.sources for draft in drafts), np.int64, count)
    starts = page.places[sources, 0]
    codes = np.frombuffer("".join(draft.text for draft in drafts).encode("utf-32-le"), "<u4")
    spaces = np.flatnonzero((codes == ord(" ")) | (sources < 0))
    spaces = spaces[spaces > 0]
    starts[spaces] = page.places[sources[spaces - 1], 2]
    from_left = starts - np.repeat(np.array(lefts, np.float32), lengths)
    # A hostile page may have infinite places.
    tenths = np.nan_to_num(np.rint(10 * from_left), posinf=_FARTHEST).clip(0, _FARTHEST)
    whole = tenths.astype(np.int64).tolist()
    ends = np.cumsum(lengths).tolist()
    return [tuple(whole[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def _shown(drafts: Sequence[_Draft]) -> tuple[NDArray[np.int64], ...]:
    """For each letter except spaces: its index in its line, the line, its character."""
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
    """For each line with chosen letters: the runs of these."""
    raised: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for place, owner in zip(places[chosen].tolist(), owners[chosen].tolist(), strict=True):
        runs = raised[owner]
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return raised


def _leads(
    places: NDArray[np.int64],
    owners: NDArray[np.int64],
    starts: NDArray[np.int64],
    faces: NDArray[np.int64],
) -> dict[int, int]:
    """For each line that begins in bold or italic type and goes on in another: where that ends."""
    first = faces[starts]
    other = faces != first[owners]
    changes = np.add.reduceat(other, starts, dtype=np.int64)
    counts = np.bincount(owners)
    ends = np.minimum.reduceat(np.where(other, np.arange(len(owners)), len(owners)), starts)
    # After the change most letters have another face; a single word in it is no lead's end.
    alike = counts - changes - (np.minimum(ends, starts + counts) - starts)
    chosen = np.flatnonzero((first > 0) & (changes > 0) & (alike <= _STRAY * changes))
    return dict(zip(chosen.tolist(), places[ends[chosen]].tolist(), strict=True))


def _most(owners: NDArray[np.int64], fonts: NDArray[np.int32], faces: int) -> list[int]:
    """For each line the font of most letters; of two equal ones the first."""
    pairs, counts = np.unique(owners * faces + fonts, return_counts=True)
    lines = pairs // faces
    order = np.lexsort((pairs, -counts, lines))
    firsts = order[np.flatnonzero(np.diff(lines, prepend=-1))]
    usual_fonts: list[int] = (pairs[firsts] % faces).tolist()
    return usual_fonts
