"""Highlight spans in a text: where spans overlap or nest, the text is cut at every boundary.

    text      a b c d e          spans   one [0, 5)   two [4, 9)
    pieces    "a b " one,  "c" one two,  " d e" two

HTML elements can't overlap, but pieces can each be inside all of their marks.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rowen.model import Span

REPORT_PAGE_CHARACTERS = 200_000
"""Limit: how much of a page the HTML report shows; of a longer one, only the text around values."""

REPORT_CONTEXT = 2_000
"""Limit: how much text the HTML report shows on each side of a value on a long page."""

REPORT_OVERLAP = 16
"""Limit: how many overlapping fields the HTML report marks in one place, innermost first. Nested
`<mark>` elements for thousands of fields would take quadratic space."""


_LEAST_CONTEXT = 80


@dataclass(frozen=True, slots=True)
class Mark:
    """One span of a field: `key` is unique in the report, `record` names its record."""

    span: Span
    key: str
    field: str
    record: str


@dataclass(frozen=True, slots=True)
class Extent:
    """The start and end of a record."""

    span: Span
    record: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Text between two boundaries with the marks that cover it, outermost first.

    A piece without text represents an empty mark.
    """

    span: Span
    marks: tuple[Mark, ...] = ()
    in_record: bool = False
    in_markup: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A place where a record starts or ends."""

    record: str
    ends: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """Text that is not shown."""

    span: Span


def excerpts(size: int, marks: Iterable[Mark]) -> list[Span]:
    """The parts of a text that are shown: all of it, or the surroundings of the marks' edges.

    The more marks a long text has, the less is shown around each, so that the report stays small.
    """
    if size <= REPORT_PAGE_CHARACTERS:
        return [Span(0, size)]
    edges = sorted({edge for mark in marks for edge in mark.span})
    if not edges:
        return [Span(0, REPORT_CONTEXT)]
    share = REPORT_PAGE_CHARACTERS // (2 * len(edges))
    reach = max(_LEAST_CONTEXT, min(REPORT_CONTEXT, share))
    return _merged(Span(max(0, edge - reach), min(size, edge + reach)) for edge in edges)


def pieces(
    size: int,
    shown: Sequence[Span],
    marks: Sequence[Mark],
    records: Sequence[Extent] = (),
    markup: Sequence[Span] = (),
) -> Iterator[Piece | Edge | Gap]:
    """Sweep over the shown parts of a text: pieces cut at every boundary, record edges and gaps.

    `markup` is sorted and its spans don't overlap.
    """
    starts = _starts(marks)
    edges = _edges(records)
    inside = _merged(sorted(extent.span for extent in records))
    boundaries = sorted({*_ends(mark.span for mark in marks), *_ends(inside), *edges})
    active: list[Mark] = []
    before = 0
    for excerpt in shown:
        if excerpt.start > before:
            yield Gap(Span(before, excerpt.start))
        before = excerpt.end
        for start, end in _steps(excerpt, boundaries, markup):
            opening = starts.get(start, ())
            yield from edges.get(start, _NO_EDGES).around(
                [mark for mark in opening if not mark.span.length]
            )
            active = [mark for mark in active if mark.span.end > start]
            active += (mark for mark in opening if mark.span.length)
            if start < end:
                yield Piece(
                    Span(start, end),
                    tuple(sorted(active, key=_outermost_first)[-REPORT_OVERLAP:]),
                    in_record=_covers(inside, start),
                    in_markup=_covers(markup, start),
                )
    if before < size:
        yield Gap(Span(before, size))


class _Edges:
    """The records that end at a place, that start there, or both."""

    __slots__ = ("_empty", "_ending", "_starting")

    def __init__(self) -> None:
        self._ending: list[Edge] = []
        self._starting: list[Edge] = []
        self._empty: list[Edge] = []

    def add(self, record: str, *, starts: bool, ends: bool) -> None:
        """Add a record; records come outermost first."""
        # They end innermost first, so ends are put in front.
        if starts:
            self._starting.append(Edge(record, ends=False))
        if ends:
            (self._empty if starts else self._ending).insert(0, Edge(record, ends=True))

    def around(self, empty: Sequence[Mark]) -> Iterator[Edge | Piece]:
        """The edges in order, with each empty mark inside its record."""
        ending = {edge.record for edge in self._ending}
        yield from (Piece(mark.span, (mark,)) for mark in empty if mark.record in ending)
        yield from self._ending
        yield from self._starting
        yield from (Piece(mark.span, (mark,)) for mark in empty if mark.record not in ending)
        yield from self._empty


_NO_EDGES = _Edges()


def _outermost_first(mark: Mark) -> tuple[int, int]:
    return mark.span.start, -mark.span.end


def _starts(marks: Iterable[Mark]) -> dict[int, list[Mark]]:
    placed: dict[int, list[Mark]] = {}
    for mark in marks:
        placed.setdefault(mark.span.start, []).append(mark)
    return placed


def _edges(records: Iterable[Extent]) -> dict[int, _Edges]:
    placed: dict[int, _Edges] = {}
    for extent in records:
        for place in {*extent.span}:
            placed.setdefault(place, _Edges()).add(
                extent.record, starts=place == extent.span.start, ends=place == extent.span.end
            )
    return placed


def _merged(sorted_spans: Iterable[Span]) -> list[Span]:
    """Merge spans that overlap or touch."""
    merged: list[Span] = []
    for span in sorted_spans:
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(span.end, merged[-1].end))
        else:
            merged.append(span)
    return merged


def _steps(
    excerpt: Span, boundaries: Sequence[int], markup: Sequence[Span]
) -> Iterator[tuple[int, int]]:
    """From cut to cut; the last step is empty, for marks and edges at the very end."""
    low = bisect_left(boundaries, excerpt.start)
    high = bisect_right(boundaries, excerpt.end)
    first = max(0, bisect_right(markup, excerpt.start, key=lambda span: span.start) - 1)
    last = bisect_left(markup, excerpt.end, key=lambda span: span.start)
    tags = (edge for edge in _ends(markup[first:last]) if excerpt.start < edge < excerpt.end)
    cuts = sorted({excerpt.start, *boundaries[low:high], *tags, excerpt.end})
    yield from pairwise([*cuts, excerpt.end])


def _ends(spans: Iterable[Span]) -> Iterator[int]:
    for span in spans:
        yield from span


def _covers(sorted_spans: Sequence[Span], place: int) -> bool:
    index = bisect_right(sorted_spans, place, key=lambda span: span.start)
    return index > 0 and sorted_spans[index - 1].end > place
