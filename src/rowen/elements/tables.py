"""The area of a table: found by its rules, or by rows whose cells are aligned.

    Table 1: Speeds             the caption
    -----------------------     the first rule: width and top of the area
    matcher   pages   speed
    -----------------------     a rule of the same width
    anchor      100    1.2
    suffix       98    0.4
    -----------------------     the last one: the bottom of the area
    * in MB per second          small type close below: notes

The caption is above the table, or else below it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rowen.elements.captions import OPEN, Caption
from rowen.elements.drawings import Drawing, Edges, Rule
from rowen.elements.prose import is_prose
from rowen.pdf import Line

_NEAR = 4.0  # of the size: how far the first rule is from the caption, at most
_SAME = 8.0  # points: the ends of rules of one table differ by less
_GAP = 1.0  # of the size: cells are further apart than this
_ROWS = 2  # rows with several cells, at least, that show a table without rules
_APART = 3.2  # of the size: rows further apart belong to two things
_NOTES = 12
"""Limit: lines below a table that are taken as its notes."""


@dataclass(frozen=True, slots=True)
class Area:
    """The area of a table, its lines and its notes as indexes, and the rules inside."""

    edges: Edges
    indexes: tuple[int, ...]
    notes: tuple[int, ...]
    level: tuple[Rule, ...]
    upright: tuple[Rule, ...]


class TableFinder:
    """Finds the areas of the tables of one page."""

    def __init__(
        self,
        lines: Sequence[Line],
        labels: Sequence[str],
        indexes: Sequence[int],
        drawing: Drawing,
        size: float,
    ) -> None:
        self._lines = lines
        self._labels = labels
        self._own = [i for i in indexes if labels[i] in OPEN]
        self._drawing = drawing
        self._size = size

    def area(self, caption: Caption, taken: frozenset[int]) -> Area | None:
        """The area of the table with this caption; lines in `taken` belong to something else."""
        mine = set(caption.indexes)
        free = [i for i in self._own if i not in mine and i not in taken]
        box = _around(self._lines[i] for i in caption.indexes)
        edges = (
            self._ruled(box, free, taken, below=True)
            or self._ruled(box, free, taken, below=False)
            or self._aligned(box, free)
        )
        if edges is None:
            return None
        inside = [i for i in free if _inside(self._lines[i], edges)]
        if len(inside) < _ROWS:
            return None
        rules = [rule for rule in self._drawing.level if _within(rule, edges)]
        left, bottom, right, top = edges
        upright = [
            rule for rule in self._drawing.upright
            if left - 2 < rule.at < right + 2 and rule.start < top and rule.end > bottom
        ]  # fmt: skip
        notes = self._notes(edges, [i for i in free if i not in set(inside)])
        return Area(edges, tuple(inside), notes, tuple(rules), tuple(upright))

    def _ruled(
        self, box: Edges, free: Sequence[int], taken: frozenset[int], *, below: bool
    ) -> Edges | None:
        """The area between the first rule next to the caption and the last of the same width."""
        left, bottom, right, top = box
        reach = _NEAR * self._size
        rules = self._drawing.level if below else self._drawing.level[::-1]
        near = [
            rule for rule in rules
            if rule.start < right and rule.end > left and rule.length > 4 * self._size
            and (-reach < rule.at - bottom < 3 if below else -3 < rule.at - top < reach)
        ]  # fmt: skip
        first = max(near, key=lambda rule: round(rule.length / _SAME), default=None)
        if first is None or self._between(box, first, free):
            return None
        last, before = first, first
        for rule in rules:
            beyond = rule.at < before.at - 1 if below else rule.at > before.at + 1
            if (
                not beyond
                or abs(rule.start - first.start) > _SAME
                or abs(rule.end - first.end) > _SAME
            ):
                continue
            if self._stops(first, before, rule, free, taken):
                break
            last = before = rule
        if last is first:
            return None
        low, high = sorted((first.at, last.at))
        return first.start - 2, low, first.end + 2, high

    def _between(self, box: Edges, rule: Rule, free: Sequence[int]) -> bool:
        """Whether lines of running text are between the caption and a rule."""
        low, high = sorted((box[1] if rule.at < box[1] else box[3], rule.at))
        return any(
            low < self._lines[i].baseline < high
            and self._lines[i].left < rule.end and self._lines[i].right > rule.start
            for i in free
        )  # fmt: skip

    def _stops(
        self, first: Rule, before: Rule, rule: Rule, free: Sequence[int], taken: frozenset[int]
    ) -> bool:
        """Whether what is between two rules can't be part of a table."""
        low, high = sorted((before.at, rule.at))
        between = [
            i for i in (*free, *taken)
            if low < self._lines[i].baseline < high
            and self._lines[i].left < first.end and self._lines[i].right > first.start
        ]  # fmt: skip
        if not between:
            return False
        own = [self._lines[i] for i in between]
        beyond = sum(
            line.left < first.start - _SAME or line.right > first.end + _SAME for line in own
        )
        prose = sum(is_prose(line, self._size, first.length) for line in own)
        # Text beside an index of the page that other captions own is not part of this table.
        return any(i in taken for i in between) or 2 * beyond > len(own) or 2 * prose > len(own)

    def _aligned(self, box: Edges, free: Sequence[int]) -> Edges | None:
        """The area of rows with several cells below the caption, or above it."""
        left, bottom, right, top = box
        width = right - left
        for below in (True, False):
            rows = self._rows(free, bottom if below else top, left, right, below=below)
            kept: list[list[Line]] = []
            several = 0
            place = bottom if below else top
            for row in rows:
                far = abs(place - row[0].baseline) > _APART * self._size
                if far or any(is_prose(line, self._size, max(width, 200)) for line in row):
                    break
                kept.append(row)
                several += _cells(row) > 1
                place = row[0].baseline
            while kept and _cells(kept[-1]) < 2:
                kept.pop()
            if several >= _ROWS and 2 * several >= len(kept):
                return _around(line for row in kept for line in row)
        return None

    def _rows(
        self, free: Sequence[int], place: float, left: float, right: float, *, below: bool
    ) -> list[list[Line]]:
        """Lines below (or above) a place in rows, the nearest row first."""
        reach = max(right - left, 20 * self._size) / 2
        middle = (left + right) / 2
        chosen = [
            self._lines[i] for i in free
            if (self._lines[i].baseline < place if below else self._lines[i].baseline > place)
            and self._lines[i].left < middle + reach and self._lines[i].right > middle - reach
        ]  # fmt: skip
        rows: list[list[Line]] = []
        for line in sorted(chosen, key=lambda line: -line.baseline if below else line.baseline):
            if rows and abs(rows[-1][0].baseline - line.baseline) < 0.4 * line.size:
                rows[-1].append(line)
            else:
                rows.append([line])
        return rows

    def _notes(self, edges: Edges, free: Sequence[int]) -> tuple[int, ...]:
        """The lines in small type close below an area."""
        left, bottom, right, _ = edges
        below = sorted(
            (i for i in free if self._lines[i].top < bottom + 3
             and left - 4 < self._lines[i].left and self._lines[i].right < right + 8),
            key=lambda i: -self._lines[i].baseline,
        )  # fmt: skip
        notes: list[int] = []
        place = bottom
        for i in below[:_NOTES]:
            line = self._lines[i]
            small = line.size < self._size - 0.6
            if not small or place - line.top > 1.2 * line.size or self._labels[i] == "heading":
                break
            notes.append(i)
            place = line.bottom
        return tuple(notes)


def _cells(row: Sequence[Line]) -> int:
    """How many cells a row has at least."""
    return sum(1 + len(line.gaps) for line in row)


def _around(lines: Iterable[Line]) -> Edges:
    boxes = [line.box for line in lines]
    left, bottom, right, top = zip(*boxes, strict=True)
    return min(left), min(bottom), max(right), max(top)


def _inside(line: Line, edges: Edges) -> bool:
    left, bottom, right, top = edges
    middle = (line.left + line.right) / 2
    return left - 3 <= middle <= right + 3 and bottom - 2 <= line.baseline <= top + 1


def _within(rule: Rule, edges: Edges) -> bool:
    left, bottom, right, top = edges
    return left - 4 < rule.start and rule.end < right + 4 and bottom - 2 < rule.at < top + 2
