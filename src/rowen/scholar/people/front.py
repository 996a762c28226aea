"""The part of a paper's front that tells who wrote it, cell by cell.

Authors may stand side by side, each with an address underneath; read line by line, or column by
column of the page, these come out mixed with each other or with the abstract. Lines are therefore
asked for by their place on the page, cut where wide gaps part them, and stacked into cells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rowen.limits import FRONT_LINES
from rowen.scholar.layout import Line
from rowen.scholar.zones import Zones

_WANTED = frozenset({"author", "affiliation"})
_UNDER = frozenset({"abstract", "abstract heading", "keywords"})
_NEVER = frozenset({"title", "furniture", "reference", "reference heading", "caption"}) | _UNDER
_LETTER = 0.5  # the usual width of a letter, of the size
_BELOW = 6.0  # of the title's size: how far authors may stand below it where no abstract follows
_APART = 3.5  # of the size: lines further apart are no stack


@dataclass(frozen=True, slots=True)
class Chunk:
    """A line, or what stands of it between two wide gaps: `start` to `end` of its text."""

    line: Line
    start: int
    end: int
    left: float
    right: float
    row: int
    """Which row of the front it stands in, from the top."""
    zone: str
    """What the line was taken for."""


Cell = list[Chunk]


def front_of(zones: Zones) -> list[Cell]:
    """The cells between title and abstract, and all other lines of authors and affiliations."""
    return cells_of(chosen(zones))


def chosen(zones: Zones) -> list[tuple[Line, str]]:
    """Lines that may tell of authors, each with its label."""
    title = zones["title"] or _largest(zones)
    page = title[-1].page if title else 0
    top = min((line.baseline for line in title), default=0.0)
    under = [
        line.baseline + line.size
        for line, label in zones.labelled
        if line.page == page and label in _UNDER and line.baseline < top
    ]
    far = _BELOW * title[-1].size if title else 0.0
    floor = max(under, default=top - far)
    found = [
        (line, label)
        for line, label in zones.labelled
        if any(letter.isalnum() for letter in line.text)
        and (
            (label in _WANTED and line.page <= page + 1)
            or (line.page == page and floor <= line.baseline < top and label not in _NEVER)
        )
    ]
    return found[:FRONT_LINES]


def _largest(zones: Zones) -> list[Line]:
    """The line of the first page that is set largest, for a paper whose title wasn't found."""
    first = [line for line, _ in zones.labelled if line.page == 0]
    return [max(first, key=lambda line: line.size)] if first else []


def cells_of(lines: Sequence[tuple[Line, str]]) -> list[Cell]:
    """Lines as stacks of chunks, in the order in which the stacks begin on the page."""
    cells: list[Cell] = []
    open_: list[int] = []
    above: list[int] = []
    for row in _cut(_rows(lines)):
        homes = [_homes(chunk, cells, open_) for chunk in row]
        if len(row) > 1 and len(row) == len(above) and _near(row[0], cells[above[0]][-1]):
            # As many as above: each goes on with its own, wherever its beginning was guessed.
            homes = [[i] for i in above]
        taken = [home[0] for home in homes if len(home) == 1]
        above = []
        for chunk, home in zip(row, homes, strict=True):
            if len(home) == 1 and taken.count(home[0]) == 1:
                above.append(home[0])
                cells[home[0]].append(chunk)
            else:
                above.append(len(cells))
                open_ = [*(i for i in open_ if i not in home), len(cells)]
                cells.append([chunk])
    return cells


def _rows(lines: Sequence[tuple[Line, str]]) -> list[list[tuple[Line, str]]]:
    """Lines that stand beside each other."""
    rows: list[list[tuple[Line, str]]] = []
    for line, zone in sorted(lines, key=lambda one: (one[0].page, -one[0].baseline, one[0].left)):
        first = rows[-1][0][0] if rows else None
        if (
            first is not None
            and first.page == line.page
            and first.baseline - line.baseline < 0.4 * min(first.size, line.size)
        ):
            rows[-1].append((line, zone))
        else:
            rows.append([(line, zone)])
    return rows


def _cut(rows: Sequence[list[tuple[Line, str]]]) -> Iterator[list[Chunk]]:
    """The chunks of each row; a gap parts columns where the row above or below has one, too."""
    counts = [0, *(sum(1 + len(line.gaps) for line, _ in row) for row in rows), 0]
    for i, row in enumerate(rows):
        columns = max(counts[i], counts[i + 2]) > 1
        chunks = [chunk for line, zone in row for chunk in _chunks(line, i, zone=zone, cut=columns)]
        yield sorted(chunks, key=lambda chunk: chunk.left)


def _chunks(line: Line, row: int, *, zone: str, cut: bool) -> Iterator[Chunk]:
    """A line, cut at its gaps or not; where parts begin is guessed from the number of letters."""
    gaps = line.gaps if cut else ()
    bounds = [0, *(gap + 1 for gap in gaps), len(line.text) + 1]
    letters = len(line.text) - len(gaps)
    width = line.right - line.left
    letter = min(_LETTER * line.size, width / max(letters, 1))
    gap = (width - letter * letters) / max(len(gaps), 1)
    left = line.left
    for start, following in pairwise(bounds):
        end = following - 1
        right = left + letter * (end - start) if following < bounds[-1] else line.right
        if line.text[start:end].strip():
            yield Chunk(line, start, end, left, right, row, zone)
        left = right + gap


def _homes(chunk: Chunk, cells: Sequence[Cell], open_: Sequence[int]) -> list[int]:
    """The open cells that a chunk stands right under."""
    found = []
    for i in open_:
        last = cells[i][-1]
        overlap = min(chunk.right, last.right) - max(chunk.left, last.left)
        narrow = min(chunk.right - chunk.left, last.right - last.left)
        if _near(chunk, last) and last.row < chunk.row and overlap > 0.3 * narrow:
            found.append(i)
    return found


def _near(chunk: Chunk, above: Chunk) -> bool:
    """Whether a chunk stands close enough under another to go on with it."""
    below = above.line.baseline - chunk.line.baseline
    larger = max(above.line.size, chunk.line.size)
    return above.line.page == chunk.line.page and below < _APART * larger
