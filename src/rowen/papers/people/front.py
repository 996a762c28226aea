"""The lines of a paper's front that name its authors, in cells.

Authors may be side by side, each with an address below. Read line by line, or column by column of
the page, names and addresses would be mixed with each other or with the abstract. So lines are
chosen by their position on the page, cut at wide gaps, and stacked into cells:

    Ada Lovelace            Grace Hopper        row 0: two chunks open two cells
    University of London    Yale University     row 1: each chunk is below a cell and joins it
    London, UK              New Haven, USA      row 2

    cell 0   Ada Lovelace / University of London / London, UK
    cell 1   Grace Hopper / Yale University / New Haven, USA

Affiliations may also be notes, in small type at the foot of the title's page. Notes of other kinds
are near: grants, dates, permissions. So only lines are taken that have an address or a word for an
organisation, with the lines beside them.

    *Department of Mathematics, University of London, UK. ada@example.org
    A. Lovelace is with the University of London, UK (e-mail: ada@example.org).
    Authors' addresses: Ada Lovelace, University of London, UK; Grace Hopper, Yale ...
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rowen.papers.people.words import kind_of
from rowen.papers.zones import Zones
from rowen.papers.zones.features import body_size
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

FRONT_LINES = 1_000
"""Limit: lines of a front that are searched for authors; a list of 3,000 authors has fewer."""


_WANTED = frozenset({"author", "affiliation"})
_UNDER = frozenset({"abstract", "abstract heading", "keywords"})
_NEVER = frozenset({"title", "furniture", "reference", "reference heading", "caption"}) | _UNDER
_OPEN = frozenset({"body", "header", "footnote", "affiliation"})  # the labels of such lines
_SMALLER = 0.7  # points by which notes are smaller than the body, at least
_WORD = re.compile(r"[^\W\d_]+")
_NOTE_LINES = 40  # of a page: more of them are no notes
_LETTER = 0.5  # of the size: the usual width of a letter
_TITLE = 20  # letters of a title that is recognized on the next page
_HEAD_LINES = 12  # of that page
_HOLE = 3  # lines: so far away may be the lines that a line stands between
_CLOSE = 1.6  # of the size: the distance of lines in a block
_SIZES = 0.3  # points: the difference of sizes that count as equal
_BELOW = 6.0  # of the title's size: the distance of authors below it where no abstract follows
_ABOVE = 4.0  # of the title's size: the distance of authors above it
_COVER = 1  # the last page, from 0, that may say how to cite the paper
_APART = 3.5  # of the size: lines further apart are in different cells


@dataclass(frozen=True, slots=True)
class Chunk:
    """A line, or its part between two wide gaps: `start` to `end` of its text."""

    line: Line
    start: int
    end: int
    left: float
    right: float
    row: int
    """The number of its row in the front, from the top."""
    zone: str
    """The label of the line."""


Cell = list[Chunk]


def front_of(zones: Zones) -> list[Cell]:
    """The cells between title and abstract, and all other lines of authors and affiliations."""
    return cells_of(chosen(zones))


def chosen(zones: Zones) -> list[tuple[Line, str]]:
    """The lines that may name authors, each with its label.

    These are lines labelled as authors or affiliations up to the page after the title, all
    lines between title and abstract that are clearly nothing else, what stands between two such
    lines, and notes with affiliations. After a cover, the title comes once more.
    """
    title = zones["title"] or _largest(zones)
    page = title[-1].page if title else 0
    regions = [_below(zones, title)] if title else []
    if again := _repeated(zones, title):
        regions.append(_below(zones, again))
    notes = frozenset().union(*(_noted_lines(zones, own) for own in {page, *_pages(again)}))
    cited = _cited_lines(zones.labelled)
    end = (again[-1].page if again else page) + 1
    wanted = [
        (label in _WANTED and line.page <= end)
        or i in notes
        or (label not in _NEVER and any(region.holds(line) for region in regions))
        for i, (line, label) in enumerate(zones.labelled)
    ]
    lines = [
        (line, "footnote" if i in notes else label)
        for i, (line, label) in enumerate(zones.labelled)
        if i not in cited
        and (wanted[i] or _between(zones.labelled, wanted, i))
        and any(letter.isalnum() for letter in line.text)
    ]
    return lines[:FRONT_LINES]


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of a page between two heights."""

    page: int
    floor: float
    ceiling: float

    def holds(self, line: Line) -> bool:
        return line.page == self.page and self.floor <= line.baseline < self.ceiling


def _cited_lines(labelled: Sequence[tuple[Line, str]]) -> frozenset[int]:
    """The lines that say how to cite the paper: its authors again, without their affiliations.

    `To cite this version:` and the lines close below in one size.
    """
    cited: set[int] = set()
    for i, (line, label) in enumerate(labelled):
        if line.page > _COVER:
            break
        if label not in _UNDER and beginning_of(line.text) == "citation":
            end = i + 1
            # A gap may be below the opening words.
            while end < len(labelled) and _goes_on(
                labelled[end - 1][0], labelled[end][0], most=_CLOSE * (1 + (end == i + 1))
            ):
                end += 1
            cited.update(range(i, end))
    return frozenset(cited)


def _goes_on(above: Line, line: Line, *, most: float) -> bool:
    near = 0 <= above.baseline - line.baseline < most * line.size
    alike = (above.page, above.block) == (line.page, line.block)
    opens = beginning_of(line.text) in {"abstract", "keywords", "introduction", "affiliation"}
    return near and alike and abs(above.size - line.size) < _SIZES and not opens


def _below(zones: Zones, title: Sequence[Line]) -> _Region:
    """The part of the page between the title and the abstract; above it where it has no authors."""
    page = title[-1].page
    top = min(line.baseline for line in title)
    under = [
        line.baseline + line.size
        for line, label in zones.labelled
        if line.page == page and label in _UNDER and line.baseline < top
    ]
    floor = max(under, default=top - _BELOW * title[-1].size)
    # Where no line is an author's, the authors may be above the title.
    named = any(label == "author" and not _has_clue(line.text) for line, label in zones.labelled)
    return _Region(page, floor, top if named else title[0].baseline + _ABOVE * title[0].size)


def _repeated(zones: Zones, title: Sequence[Line]) -> list[Line]:
    """The lines of the title on the page after it: that page is the paper's, the first a cover."""
    spelled = _letters(line.text for line in title)
    if len(spelled) < _TITLE:
        return []
    following = [line for line, _ in zones.labelled if line.page == title[-1].page + 1]
    for i in range(min(len(following), _HEAD_LINES)):
        for end in range(i + 1, min(i + 2 + len(title) * 2, len(following) + 1)):
            own = _letters(line.text for line in following[i:end])
            if own == spelled:
                return following[i:end]
            if not spelled.startswith(own):
                break
    return []


def _letters(texts: Iterable[str]) -> str:
    return "".join(filter(str.isalnum, "".join(texts).lower()))


def _pages(lines: Sequence[Line]) -> set[int]:
    return {line.page for line in lines}


def _between(labelled: Sequence[tuple[Line, str]], wanted: Sequence[bool], i: int) -> bool:
    """Whether an open line stands in a block between lines that are wanted, set as they are.

    A line of an affiliation may have lost its label: `Environment, Southwest Plains`.
    """
    line, label = labelled[i]
    if label not in _OPEN:
        return False
    before = any(
        wanted[k] and _set_alike(labelled[k][0], line) for k in range(max(i - _HOLE, 0), i)
    )
    after = any(
        wanted[k] and _set_alike(labelled[k][0], line)
        for k in range(i + 1, min(i + 1 + _HOLE, len(labelled)))
    )
    return before and after


def _set_alike(line: Line, other: Line) -> bool:
    """Whether two lines are in one block, close to each other, in the same size."""
    return (
        (line.page, line.block) == (other.page, other.block)
        and abs(line.size - other.size) < _SIZES
        and abs(line.baseline - other.baseline) < _HOLE * _CLOSE * line.size
    )


def _noted_lines(zones: Zones, page: int) -> frozenset[int]:
    """The indexes of the lines of a page's notes that may have affiliations."""
    labelled = zones.labelled
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for i, (line, label) in enumerate(labelled):
        # A page number may be below the notes; if it was not recognized, it has no letters.
        if line.page == page and label != "furniture" and _WORD.search(line.text):
            columns[line.block].append(i)
    heights = [labelled[i][0].baseline for column in columns.values() for i in column]
    middle = (max(heights) + min(heights)) / 2 if heights else 0.0
    feet = [foot for column in columns.values() if (foot := _foot(zones, column, middle))]
    if not feet:
        return frozenset()
    size = body_size([line for line, _ in labelled]) - _SMALLER
    return frozenset(i for foot in feet for i in _telling(labelled, _small(labelled, foot, size)))


def _foot(zones: Zones, column: Sequence[int], middle: float) -> list[int]:
    """The lines at the end of a column that are below the middle of the page."""
    foot: list[int] = []
    for i in reversed(column):
        line, label = zones.labelled[i]
        if label not in _OPEN or line.baseline > middle or len(foot) == _NOTE_LINES:
            break
        foot.append(i)
    return foot[::-1]


def _small(labelled: Sequence[tuple[Line, str]], foot: Sequence[int], size: float) -> list[int]:
    """The last lines of a foot that are smaller than a size."""
    start = len(foot)
    while start and labelled[foot[start - 1]][0].size <= size:
        start -= 1
    return list(foot[start:])


def _telling(labelled: Sequence[tuple[Line, str]], foot: Sequence[int]) -> Iterator[int]:
    """The lines with addresses or words for organisations, and the lines beside them."""
    clues = [k for k, i in enumerate(foot) if _has_clue(labelled[i][0].text)]
    near = {k for clue in clues for k in (clue - 1, clue, clue + 1)}
    return (foot[k] for k in sorted(near) if 0 <= k < len(foot))


def _has_clue(text: str) -> bool:
    words = _WORD.findall(text.lower())
    return "@" in text or any(kind_of(word) == "organisation" for word in words)


def _largest(zones: Zones) -> list[Line]:
    """The largest line of the first page, for a paper whose title was not found."""
    first = [line for line, _ in zones.labelled if line.page == 0]
    return [max(first, key=lambda line: line.size)] if first else []


def cells_of(lines: Sequence[tuple[Line, str]]) -> list[Cell]:
    """Stack the chunks of lines into cells, in the order in which the cells begin."""
    cells: list[Cell] = []
    open_: list[int] = []
    above: list[int] = []
    for row in _cut(_rows(lines)):
        homes = [_homes(chunk, cells, open_) for chunk in row]
        if len(row) > 1 and len(row) == len(above) and _near(row[0], cells[above[0]][-1]):
            # As many chunks as in the row above: each continues its cell, wherever its left edge
            # is, which `_chunks` can only guess.
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
    """Lines in rows: lines on nearly the same baseline are in one row."""
    rows: list[list[tuple[Line, str]]] = []
    for line, zone in sorted(
        lines, key=lambda pair: (pair[0].page, -pair[0].baseline, pair[0].left)
    ):
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
    """The chunks of each row.

    A gap separates columns only if the row above or below has more than one chunk, too.
    """
    counts = [0, *(sum(1 + len(line.gaps) for line, _ in row) for row in rows), 0]
    for i, row in enumerate(rows):
        columns = max(counts[i], counts[i + 2]) > 1
        chunks = [chunk for line, zone in row for chunk in _chunks(line, i, zone=zone, cut=columns)]
        yield sorted(chunks, key=lambda chunk: chunk.left)


def _chunks(line: Line, row: int, *, zone: str, cut: bool) -> Iterator[Chunk]:
    """A line, cut at its gaps or not.

    A line does not record the positions of its letters, so the edges of chunks are estimated from
    the numbers of letters; what is left of the width is shared by the gaps.
    """
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
    """The open cells that a chunk is right below."""
    homes = []
    for i in open_:
        last = cells[i][-1]
        overlap = min(chunk.right, last.right) - max(chunk.left, last.left)
        narrow = min(chunk.right - chunk.left, last.right - last.left)
        if _near(chunk, last) and last.row < chunk.row and overlap > 0.3 * narrow:
            homes.append(i)
    return homes


def _near(chunk: Chunk, above: Chunk) -> bool:
    """Whether a chunk is close enough below another to continue its cell."""
    below = above.line.baseline - chunk.line.baseline
    larger = max(above.line.size, chunk.line.size)
    return above.line.page == chunk.line.page and below < _APART * larger
