"""The search for delimiters that reproduce the known values around unknown ones (section 6.5.1).

The known values constrain each delimiter by itself. That the scan comes from one known value over
unknown ones to the next constrains them together. The pages are run with all lengths of the fields'
delimiters at once (`unknown.splitting`), with one opening delimiter after the other (for LR and
HLRT `l1` opens a record, and nothing closes it). Heads and closing delimiters are run by themselves
only where they lead to different places, and tails that would end the scan too soon or too late are
dropped on the way. Complete, but with the worst case of a search: `budget` bounds it.

    <b>Ada</b>: (12)<br><b>Alan</b> (3)<br>       {name: Ada}, {name: Alan, phone: 3}

    left of phone    a suffix of "</b> (": lengths 1 to 6
    run after Ada    lengths 1 and 2 find 12, lengths 3 to 6 find 3: two parts
    the first part   goes on to Alan, as the label says: a solution
    the second part  gives Ada the phone 3, and then no Alan is left: no solution
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rowen.induction import budget
from rowen.induction.tabular.delimiters import (
    common_left,
    first_left_places,
    left_bound,
    right_bound,
)
from rowen.induction.tabular.preference import rank_prefixes, rank_suffixes
from rowen.induction.tabular.table import Bounds, Table, TablePage
from rowen.induction.unknown.boundaries import Boundaries
from rowen.induction.unknown.splitting import Box, Infeasible, InnerTails, Side, Split, solve


@dataclass(frozen=True, slots=True)
class Delimiters:
    """Delimiters that reproduce the known values of all pages; None for those a class lacks."""

    left: list[str]
    right: list[str]
    head: str | None
    tail: str | None
    open: str | None
    close: str | None


def find_delimiters(table: Table, uses: Sequence[str]) -> Delimiters | None:
    """Delimiters that reproduce all known values; `uses` are those beside the fields'."""
    return next(_Search(table, uses).solutions(), None)


class _Search:
    def __init__(self, table: Table, uses: Sequence[str]) -> None:
        self._table = table
        self._uses = uses
        self._count = len(table.fields)
        # Where the scan is before the first field may be unknown, so that any suffix may be right:
        # the least length of `l1` is 1.
        first = common_left(table, first_left_places(table))
        lefts = [(first, 1), *(left_bound(table, k) for k in range(1, self._count))]
        rights = [right_bound(table, k) for k in range(self._count)]
        sides = [
            *(Side(longest, is_left=True, rank=rank_suffixes) for longest, _ in lefts),
            *(Side(longest, is_left=False, rank=rank_prefixes) for longest, _ in rights),
        ]
        ranges = [(low, len(longest)) for longest, low in (*lefts, *rights)]
        self._box = Box(tuple(sides), tuple(ranges))

        self._outer = Boundaries(table) if uses else None
        self._inner_tails = InnerTails(None)

    def solutions(self) -> Iterator[Delimiters]:
        """All delimiters that differ in what they find, good ones first."""
        framed = self._framed()
        # The few best heads, tails and closing delimiters are tried before all of them.
        for start in dict.fromkeys((framed.likely(), framed)):
            self._inner_tails = InnerTails(start.tails)
            # Rows don't depend on what is around them: what fails inside of one needs no run of
            # pages.
            for inner in solve(start, self._pass_rows):
                for opener, box in self._opened(inner):
                    for passed in solve(box, partial(self._pass_pages, opener)):
                        yield from self._ends(passed, opener)

    def _framed(self) -> Box:
        """The box with all candidates for head, tail and closing delimiter."""
        if self._outer is None:
            return self._box
        return replace(
            self._box,
            heads=self._outer.heads() if "head" in self._uses else ("",),
            tails=self._outer.tails(everywhere=False) if "tail" in self._uses else None,
            closes=self._outer.closes() if "close" in self._uses else ("",),
        )

    def _opened(self, box: Box) -> Iterator[tuple[str, Box]]:
        """Each opening delimiter, with the box that it leaves."""
        if self._outer is not None and "open" in self._uses:
            yield from ((opener, box) for opener in self._outer.opens())
            return
        # Without an opening delimiter of its own, the first left delimiter opens a record. Its
        # length decides where records start, so that each is run by itself.
        side = box.sides[0]
        for length in side.rank(side.longest, *box.ranges[0]):
            yield side.cut(length), box.within(0, (length, length))

    def _pass_rows(self, box: Box) -> Box:
        """The box, if inside of records the scan comes from each known value to the next one."""
        for page in self._table.pages:
            for row in page.rows:
                first = next((k for k, bounds in enumerate(row) if bounds), self._count)
                # Where all values are known, each delimiter was learned from them alone.
                if None in row[first:]:
                    start = row[first]
                    assert start is not None
                    self._values(box, page.text, row, first + 1, start[1])
        return box

    def _values(
        self, box: Box, text: str, row: Sequence[Bounds | None], first: int, cursor: int
    ) -> int:
        """Where the scan is after a record, if it finds its values from field `first` on."""
        for k in range(first, self._count):
            start, end = row[k] or (-1, -1)
            for number, place in ((k, start), (self._count + k, end)):
                cursor = box.find(number, text, cursor)
                if cursor < 0 or (row[k] is not None and cursor != place):
                    raise Infeasible
        return cursor

    def _pass_pages(self, opener: str, box: Box) -> Box:
        """The part of the box that reproduces the known values of all pages."""
        for page in self._table.pages:
            budget.check()
            if page.rows:
                box = self._pass_page(opener, box, page)
            # A page without records must not open one; with a tail, `_go_together` checks it.
            elif not page.partial and box.tails is None and opener in page.text:
                raise Infeasible
        return box

    def _pass_page(self, opener: str, box: Box, page: TablePage) -> Box:
        text = page.text
        opened = {head: text.find(opener, text.find(head)) for head in box.heads}
        # Heads that lead to the same first record are the same from there on.
        heads = _groups({head: at for head, at in opened.items() if at >= 0})
        if len(heads) > 1:
            raise Split([replace(box, heads=group) for group in heads])
        box = replace(box, heads=heads[0])
        place = opened[box.heads[0]]
        for number, row in enumerate(page.rows, 1):
            if place < 0:
                raise Infeasible
            end = self._values(box, text, row, 0, place)
            is_last = number == len(page.rows)
            if is_last and page.partial:
                break
            closed = {close: text.find(close, end) for close in box.closes}
            closes = _groups(
                {
                    # Without tails only the next opening matters; with them, where the search for
                    # it starts, too.
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
        # Most tails occur only after the records, and need no look here.
        if page.known_start <= cursor and place <= page.known_end:
            tails = self._inner_tails.between(page.text, page.known_start, page.known_end, tails)
        ended = {tail for tail in tails if _comes(page.text, tail, cursor, place)}
        return _with_tails(box, [tail for tail in box.tails if tail not in ended]) if ended else box

    def _ends(self, box: Box, opener: str) -> Iterator[Delimiters]:
        """The heads and tails that go together: no tail is between a head and the first record."""
        sides = box.chosen()
        best = str if self._outer is None else self._outer.best
        for head in box.heads:
            budget.check()
            for tail in (None,) if box.tails is None else box.tails:
                if tail is None or self._go_together(head, tail, opener):
                    yield Delimiters(
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
    """The delimiters in groups that lead to the same places."""
    groups: dict[object, list[str]] = {}
    for delimiter, place in places.items():
        groups.setdefault(place, []).append(delimiter)
    if not groups:
        raise Infeasible
    return [tuple(group) for group in groups.values()]


def _ended(box: Box, text: str, end: int, cursor: int, place: int) -> Box:
    """The box with the tails that end the scan after the last record."""
    if box.tails is None:
        if place >= 0:
            raise Infeasible
        return box
    return _with_tails(
        box,
        [
            tail
            for tail in box.tails
            if text.find(tail, end) >= 0 and (place < 0 or _comes(text, tail, cursor, place))
        ],
    )


def _with_tails(box: Box, tails: list[str]) -> Box:
    if not tails:
        raise Infeasible
    return replace(box, tails=tuple(tails))


def _comes(text: str, tail: str, cursor: int, place: int) -> bool:
    """Whether a tail starts from the cursor on and at or before a place."""
    return text.find(tail, cursor, place + len(tail)) >= 0


def _ends(text: str, tail: str, cursor: int, place: int) -> bool:
    """Whether a tail ends the scan of a page without records."""
    return text.find(tail, cursor) >= 0 if place < 0 else _comes(text, tail, cursor, place)
