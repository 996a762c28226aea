"""The way over unknown values: a search for delimiters with which the scan gets past them (6.5.1).

What is known constrains each delimiter by itself; that the scan comes from one known value to the
next over unknown ones constrains them together. The pages are run with all lengths of the fields'
delimiters at once (`unknown.splitting`), one opening delimiter after the other (for LR and HLRT
`l1` opens a record, and nothing closes it); heads and closing delimiters are told apart only where
they lead to different places, and the tails that would end the scan too soon or too late are
dropped on the way. Complete, but with the worst case of a search: `budget` bounds it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rowen.wrappers import budget
from rowen.wrappers.tabular.delimiters import (
    common_left,
    first_left_places,
    left_bound,
    right_bound,
)
from rowen.wrappers.tabular.preference import rank_prefixes, rank_suffixes
from rowen.wrappers.tabular.table import Bounds, Table, TablePage
from rowen.wrappers.unknown.outskirts import Outskirts
from rowen.wrappers.unknown.splitting import Astray, Box, Side, Split, solve
from rowen.wrappers.unknown.stops import Stops


@dataclass(frozen=True, slots=True)
class Passage:
    """Delimiters with which the scan passes all pages; those that a class hasn't are None."""

    left: list[str]
    right: list[str]
    head: str | None
    tail: str | None
    open: str | None
    close: str | None


def find_passage(table: Table, uses: Sequence[str]) -> Passage | None:
    """Delimiters that give all known values back, for a class with these beside the fields'."""
    return next(_Search(table, uses).solutions(), None)


class _Search:
    def __init__(self, table: Table, uses: Sequence[str]) -> None:
        self._table = table
        self._uses = uses
        self._count = len(table.fields)
        first = common_left(table, first_left_places(table))
        lefts = [(first, 1), *(left_bound(table, k) for k in range(1, self._count))]
        rights = [right_bound(table, k) for k in range(self._count)]
        sides = [
            *(Side(longest, is_left=True, rank=rank_suffixes) for longest, _ in lefts),
            *(Side(longest, is_left=False, rank=rank_prefixes) for longest, _ in rights),
        ]
        ranges = [(low, len(longest)) for longest, low in (*lefts, *rights)]
        self._box = Box(tuple(sides), tuple(ranges))

        self._outer = Outskirts(table) if uses else None
        self._stops = Stops(None)

    def solutions(self) -> Iterator[Passage]:
        """All that differ in what they do, good ones first."""
        framed = self._framed()
        for start in dict.fromkeys((framed.likely(), framed)):
            self._stops = Stops(start.tails)
            for inner in solve(start, self._pass_rows):
                for opener, box in self._opened(inner):
                    for passed in solve(box, partial(self._pass_pages, opener)):
                        yield from self._ends(passed, opener)

    def _framed(self) -> Box:
        """What there is to choose from."""
        if self._outer is None:
            return self._box
        return replace(
            self._box,
            heads=self._outer.heads() if "head" in self._uses else ("",),
            tails=self._outer.tails(everywhere=False) if "tail" in self._uses else None,
            closes=self._outer.closes() if "close" in self._uses else ("",),
        )

    def _opened(self, box: Box) -> Iterator[tuple[str, Box]]:
        """Each opening delimiter with what is left to choose beside it."""
        if self._outer is not None and "open" in self._uses:
            yield from ((opener, box) for opener in self._outer.opens())
            return
        side = box.sides[0]
        for length in side.rank(side.longest, *box.ranges[0]):
            yield side.cut(length), box.within(0, (length, length))

    def _pass_rows(self, box: Box) -> Box:
        """The box, if inside of records the scan comes from known values to the next ones."""
        for page in self._table.pages:
            for row in page.rows:
                first = next((k for k, bounds in enumerate(row) if bounds), self._count)
                if None in row[first:]:
                    start = row[first]
                    assert start is not None
                    self._values(box, page.text, row, first + 1, start[1])
        return box

    def _values(
        self, box: Box, text: str, row: Sequence[Bounds | None], first: int, cursor: int
    ) -> int:
        """Where the scan stands after a record, if it finds its values from field `first` on."""
        for k in range(first, self._count):
            wanted = row[k] or (-1, -1)
            for number, place in ((k, wanted[0]), (self._count + k, wanted[1])):
                cursor = box.find(number, text, cursor)
                if cursor < 0 or (row[k] is not None and cursor != place):
                    raise Astray
        return cursor

    def _pass_pages(self, opener: str, box: Box) -> Box:
        """The box without the tails that don't do, if the scan passes all pages."""
        for page in self._table.pages:
            budget.check()
            if page.rows:
                box = self._pass_page(opener, box, page)
            elif not page.partial and box.tails is None and opener in page.text:
                raise Astray
        return box

    def _pass_page(self, opener: str, box: Box, page: TablePage) -> Box:
        text = page.text
        opened = {head: text.find(opener, text.find(head)) for head in box.heads}
        heads = _groups({head: at for head, at in opened.items() if at >= 0})
        if len(heads) > 1:
            raise Split([replace(box, heads=group) for group in heads])
        box = replace(box, heads=heads[0])
        place = opened[box.heads[0]]
        for number, row in enumerate(page.rows, 1):
            if place < 0:
                raise Astray
            end = self._values(box, text, row, 0, place)
            is_last = number == len(page.rows)
            if is_last and page.partial:
                break
            closed = {close: text.find(close, end) for close in box.closes}
            closes = _groups(
                {
                    close: (at if box.tails is not None else -1, text.find(opener, at))
                    for close, at in closed.items()
                    if at >= 0
                }
            )
            if len(closes) > 1:
                raise Split([replace(box, closes=group) for group in closes])
            box = replace(box, closes=closes[0])
            cursor = closed[box.closes[0]]
            place = text.find(opener, cursor)
            if is_last:
                box = _ended(box, text, end, cursor, place)
            elif box.tails is not None:
                box = self._between(box, page, cursor, place)
        return box

    def _between(self, box: Box, page: TablePage, cursor: int, place: int) -> Box:
        """The box without the tails that end the scan between two records."""
        assert box.tails is not None
        tails: Sequence[str] = box.tails
        if page.known_start <= cursor and place <= page.known_end:
            tails = self._stops.between(page.text, page.known_start, page.known_end, tails)
        ended = {tail for tail in tails if _comes(page.text, tail, cursor, place)}
        return _kept(box, [tail for tail in box.tails if tail not in ended]) if ended else box

    def _ends(self, box: Box, opener: str) -> Iterator[Passage]:
        """The heads that go together with tails: between them and the first record is none."""
        sides = box.chosen()
        best = str if self._outer is None else self._outer.best
        for head in box.heads:
            budget.check()
            for tail in (None,) if box.tails is None else box.tails:
                if tail is None or self._go_together(head, tail, opener):
                    yield Passage(
                        sides[: self._count],
                        sides[self._count :],
                        best(head) if "head" in self._uses else None,
                        None if tail is None else best(tail),
                        best(opener) if "open" in self._uses else None,
                        best(box.closes[0]) if "close" in self._uses else None,
                    )

    def _go_together(self, head: str, tail: str, opener: str) -> bool:
        for page in self._table.pages:
            start = page.text.find(head)
            place = page.text.find(opener, start)
            if page.rows:
                if _comes(page.text, tail, start, place):
                    return False
            elif not page.partial and not _ends(page.text, tail, start, place):
                return False
        return True


def _groups(places: Mapping[str, object]) -> list[tuple[str, ...]]:
    """Those that lead to the same places."""
    groups: dict[object, list[str]] = {}
    for one, place in places.items():
        groups.setdefault(place, []).append(one)
    if not groups:
        raise Astray
    return [tuple(group) for group in groups.values()]


def _ended(box: Box, text: str, end: int, cursor: int, place: int) -> Box:
    """The box with the tails that end the scan after the last record, or where nothing goes on."""
    if box.tails is None:
        if place >= 0:
            raise Astray
        return box
    return _kept(
        box,
        [
            tail
            for tail in box.tails
            if text.find(tail, end) >= 0 and (place < 0 or _comes(text, tail, cursor, place))
        ],
    )


def _kept(box: Box, tails: list[str]) -> Box:
    if not tails:
        raise Astray
    return replace(box, tails=tuple(tails))


def _comes(text: str, tail: str, cursor: int, place: int) -> bool:
    """Whether a tail starts from the cursor on and at or before a place."""
    return text.find(tail, cursor, place + len(tail)) >= 0


def _ends(text: str, tail: str, cursor: int, place: int) -> bool:
    """Whether a tail ends the scan of a page without records."""
    return text.find(tail, cursor) >= 0 if place < 0 else _comes(text, tail, cursor, place)
