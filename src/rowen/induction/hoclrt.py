"""Generalize_HOCLRT: learning class HOCLRT (thesis, section 5.2).

The head `h`, the tail `t`, the opening delimiter `o`, the closing delimiter `c` and the first left
delimiter `l1` depend on each other (constraint C5) and are learned together, the others one by one
as for LR.

    <UL><LI>0<B>Menu</B></LI><P><LI>1<B>Congo</B></LI><B>Ad</B><LI>2<B>Egypt</B></LI>
    <HR><LI>3<B>Help</B></LI>                                       (one line)

    "<B>" also comes before Ad, between records: no HLRT wrapper. What opens the records also opens
    Menu and Help: no OCLR wrapper. One of the HOCLRT wrappers:
    h    <P>: from there on the first <LI> is that of Congo
    t    <HR>: it comes before the <LI> of Help, and not between records
    o    <LI>: after it, the first <B> is that of a country
    c    empty

It departs from the thesis as HLRT does: it tries classes of substrings in place of substrings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rowen.induction import budget
from rowen.induction.hlrt import learn_ends
from rowen.induction.tabular.brackets import Brackets, Closings, next_places
from rowen.induction.tabular.delimiters import (
    common_left,
    first_left_places,
    rank_lefts_between,
)
from rowen.induction.tabular.ends import (
    head_candidates,
    head_string,
    rank_heads,
    rank_tails,
    tail_candidates,
    tail_string,
)
from rowen.induction.tabular.pool import NEVER, Numbers, Pool
from rowen.induction.tabular.table import Table
from rowen.induction.tabular.unknown import learn_tabular
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.wrappers.hoclrt import HOCLRT

JOINT_STARTS = 2_000_000_000
"""Limit: how many starts of tail delimiters class HOCLRT looks at where no HLRT wrapper fits, which
takes seconds. No site of the shared data needed that search at all."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The delimiters around records, with the first left one."""

    head: str
    tail: str
    open: str
    close: str
    left: str


def learn_class(examples: Sequence[Example]) -> HOCLRT:
    """A HOCLRT wrapper that reproduces every label; complete within `JOINT_STARTS`.

    Where HLRT does, `o` is `l1` and `c` is empty (lemma B.3): linear. Otherwise classes of `o` with
    classes of `c` as for OCLR, and for each pair that fits all gaps the classes of `h` and `t`. The
    worst case is their product; `JOINT_STARTS` bounds it.
    """
    return learn_tabular(HOCLRT, examples, _learn_frame)


def _learn_frame(table: Table) -> Frame:
    try:
        ends = learn_ends(table)
    # Lemma B.3: whatever HLRT wraps, HOCLRT wraps with `o` = `l1`. The joint search is needed only
    # where HLRT fails.
    except NoConsistentWrapper:
        return _JointSearch(table, Pool(table)).solve()
    return Frame(ends.head, ends.tail, ends.left, "", ends.left)


@dataclass(frozen=True, slots=True)
class _Openings:
    """One opening delimiter with every head delimiter: one row per head."""

    low: Numbers
    high: Numbers
    opened: Numbers
    """Where it opens first: one column per head region, then one per page without records."""


class _JointSearch:
    """The search for all five delimiters: constraint C5, as the procedure ExecHOCLRT needs it.

    The procedure compares the place of `t` with that of `o`.
    """

    def __init__(self, table: Table, pool: Pool) -> None:
        self.table = table
        self.pool = pool
        self.longest = common_left(table, first_left_places(table))
        self.brackets = Brackets(pool, len(self.longest))
        heads = head_candidates(pool)
        self.heads = heads[rank_heads(pool, heads)]
        tails = tail_candidates(pool)
        self.tails = tails[rank_tails(pool, tails)] if len(tails) else tails
        self.outside = pool.groups([*pool.heads, *pool.empty])
        self.between = pool.groups([*pool.gaps, *pool.tails])
        self.empty_ends = np.array([region.end for region in pool.empty], dtype=np.int32)
        # What one look at all tails costs; where there are few, the calls cost more than the looks.
        self.cost = int((self.tails.end - self.tails.start).sum()) + 1000
        self.allowance = JOINT_STARTS

    def solve(self) -> Frame:
        """The first solution, by preference of `o`, then of `c` and `h`, then of `t`."""
        if len(self.tails):
            for row in range(len(self.brackets.opens)):
                budget.check()
                frame = self._with_open(row)
                if frame is not None:
                    return frame
        raise NoConsistentWrapper(
            "no head, tail, opening and closing delimiter fit together",
            field=self.table.fields[0],
            pages=tuple(page.id for page in self.table.pages),
        )

    def _with_open(self, row: int) -> Frame | None:
        places = self.pool.places(self.brackets.opens, row)
        closings = self.brackets.closings(places)
        # The lengths of `l1` that fit a pair are an interval; pairs with an empty one are out.
        closes = np.flatnonzero(closings.low <= closings.high)
        if not len(closes):
            return None
        openings = self._openings(places)
        usable = np.flatnonzero(openings.low <= openings.high)
        if not len(usable):
            return None
        for close in closes:
            allowed = self._tails_between(closings, int(close))
            if not allowed.any():
                continue
            for head in self._heads(openings, usable):
                # Head and gaps each leave an interval of lengths of `l1`: both have to hold.
                low = max(openings.low[head], closings.low[close])
                high = min(openings.high[head], closings.high[close])
                if low > high:
                    continue
                fits = np.flatnonzero(allowed & self._tails_outside(openings, head))
                if len(fits):
                    length = next(rank_lefts_between(self.longest, int(low), int(high)))
                    return Frame(
                        head_string(self.pool, self.heads, head),
                        tail_string(self.pool, self.tails, int(fits[0])),
                        self.brackets.open_string(row),
                        self.brackets.close_string(int(closings.closes[close])),
                        self.longest[len(self.longest) - length :],
                    )
        return None

    def _openings(self, places: Numbers) -> _Openings:
        count = len(self.pool.heads)
        opened = next_places(places, self.heads.first)
        low, high = self.brackets.heads.lengths(opened[:, :count])
        empty = opened[:, count:]
        # An `o` found beyond a page's end belongs to the next page in the pool: it doesn't open
        # here.
        opened[:, count:] = np.where(empty < self.empty_ends, empty, NEVER)
        return _Openings(low, high, opened)

    def _heads(self, openings: _Openings, usable: NDArray[np.intp]) -> Iterator[int]:
        """The heads worth trying: of two that lead to the same `o`, the later one leaves fewer
        starts of `t` between.
        """
        tried: dict[bytes, list[Numbers]] = {}
        for head in usable:
            cursors = self.heads.first[head]
            earlier = tried.setdefault(openings.opened[head].tobytes(), [])
            if not self.pool.empty and any((cursors <= later).all() for later in earlier):
                continue
            earlier.append(cursors)
            yield int(head)

    def _tails_between(self, closings: Closings, close: int) -> NDArray[np.bool_]:
        """Which `t` lets the scan pass all gaps and ends it in all tails."""
        self._spend()
        pool = self.pool
        count = len(pool.gaps)
        cursors = self.brackets.closes.first[closings.closes[close]]
        starts = pool.first_after(self.tails, self.between, cursors)
        opened = closings.opened[close]
        passes = (starts[:, :count] > opened[:count]).all(axis=1)
        # In a tail either no further `o` is found, or `t` starts at or before it.
        stray = opened[count:]
        return np.asarray(passes & ((stray == NEVER) | (starts[:, count:] <= stray)).all(axis=1))

    def _tails_outside(self, openings: _Openings, head: int) -> NDArray[np.bool_]:
        """Which `t` lets the scan come to the first record, and ends it where a page has none."""
        self._spend()
        count = len(self.pool.heads)
        starts = self.pool.first_after(self.tails, self.outside, self.heads.first[head])
        opened = openings.opened[head]
        passes = (starts[:, :count] > opened[:count]).all(axis=1)
        # A page without records: `t` must come before any `o`, and be there at all.
        ends = np.minimum(opened[count:], self.empty_ends)
        return np.asarray(passes & (starts[:, count:] <= ends).all(axis=1))

    def _spend(self) -> None:
        budget.check()
        self.allowance -= self.cost
        if self.allowance < 0:
            raise budget.cut_short("too many head, tail, opening and closing delimiters to try")
