"""HOCLRT: OCLR between a head and a tail delimiter (thesis, section 5.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rowen.limits import JOINT_STARTS
from rowen.model import Example, NoConsistentWrapper
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence
from rowen.wrappers.tabular.brackets import Brackets, Closings, next_places
from rowen.wrappers.tabular.delimiters import (
    common_left,
    first_left_places,
    learn_left,
    learn_right,
    rank_lefts_between,
)
from rowen.wrappers.tabular.hlrt import (
    head_candidates,
    head_string,
    learn_ends,
    rank_heads,
    rank_tails,
    tail_candidates,
    tail_string,
)
from rowen.wrappers.tabular.pool import NEVER, Numbers, Pool
from rowen.wrappers.tabular.scan import ScanWrapper
from rowen.wrappers.tabular.table import Table
from rowen.wrappers.tabular.unknown import learn_known, pass_unknown


class HOCLRT(ScanWrapper):
    """From `h` on, while `o` is found and no `t` starts at or before it: as OCLR."""

    wrapper_class = "hoclrt"
    uses = ("head", "tail", "open", "close")


@dataclass(frozen=True, slots=True)
class Frame:
    """The delimiters around records, with the first left one."""

    head: str
    tail: str
    open: str
    close: str
    left: str


def learn_class(examples: Sequence[Example]) -> HOCLRT:
    """Learn `h`, `t`, `o`, `c` and `l1` together, each other delimiter by itself; complete.

    Where HLRT does, `o` is `l1` and `c` is empty (lemma B.3): linear. Otherwise classes of `o` with
    classes of `c` as for OCLR, and for each pair that fits all gaps the classes of `h` and `t`. The
    worst case is their product; `JOINT_STARTS` bounds it.
    """
    evidence = Evidence.of(examples)
    return learn_known(examples, lambda table: _learn(table, evidence))


def _learn(table: Table, evidence: Evidence) -> HOCLRT:
    right = [learn_right(table, k) for k in range(len(table.fields))]
    left = [learn_left(table, k) for k in range(1, len(table.fields))]
    if not any(page.shows_opening for page in table.pages):
        return pass_unknown(HOCLRT, table, evidence)
    frame = _learn_frame(table)
    return HOCLRT(
        table.fields,
        left=[frame.left, *left],
        right=right,
        head=frame.head,
        tail=frame.tail,
        open=frame.open,
        close=frame.close,
        evidence=evidence,
    )


def _learn_frame(table: Table) -> Frame:
    try:
        ends = learn_ends(table)
    except NoConsistentWrapper:
        return _Joint(table, Pool(table)).solve()
    return Frame(ends.head, ends.tail, ends.left, "", ends.left)


@dataclass(frozen=True, slots=True)
class _Openings:
    """One opening delimiter with every head delimiter, a row each."""

    low: Numbers
    high: Numbers
    opened: Numbers
    """Where it opens first, a column a head, then a column a page without records."""


class _Joint:
    """The search for all five (C5 by the procedure: `t` is compared with `o`)."""

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
        self.step = int((self.tails.end - self.tails.start).sum()) + 1000
        self.left = JOINT_STARTS

    def solve(self) -> Frame:
        """The first solution, by preference of `o`, then of `c` and `h`, then of `t`."""
        if len(self.tails):
            for row in range(len(self.brackets.opens)):
                budget.check()
                found = self._with_open(row)
                if found is not None:
                    return found
        raise NoConsistentWrapper(
            "no head, tail, opening and closing delimiter fit together",
            field=self.table.fields[0],
            pages=tuple(page.id for page in self.table.pages),
        )

    def _with_open(self, row: int) -> Frame | None:
        places = self.pool.places(self.brackets.opens, row)
        closings = self.brackets.closings(places)
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
        opened[:, count:] = np.where(empty < self.empty_ends, empty, NEVER)
        return _Openings(low, high, opened)

    def _heads(self, openings: _Openings, usable: NDArray[np.intp]) -> Iterator[int]:
        """The heads worth trying: of two that lead to the same `o`, the later one leaves fewer
        starts of `t` between.
        """
        tried: dict[bytes, list[Numbers]] = {}
        for head in usable:
            cursors = self.heads.first[head]
            others = tried.setdefault(openings.opened[head].tobytes(), [])
            if not self.pool.empty and any((cursors <= other).all() for other in others):
                continue
            others.append(cursors)
            yield int(head)

    def _tails_between(self, closings: Closings, close: int) -> NDArray[np.bool_]:
        """Which `t` lets the scan pass all gaps and ends it in all tails."""
        self._spend()
        pool = self.pool
        count = len(pool.gaps)
        cursors = self.brackets.closes.first[closings.closes[close]]
        found = pool.first_after(self.tails, self.between, cursors)
        opened = closings.opened[close]
        passes = (found[:, :count] > opened[:count]).all(axis=1)
        again = opened[count:]
        return np.asarray(passes & ((again == NEVER) | (found[:, count:] <= again)).all(axis=1))

    def _tails_outside(self, openings: _Openings, head: int) -> NDArray[np.bool_]:
        """Which `t` lets the scan come to the first record, and none where there is none."""
        self._spend()
        count = len(self.pool.heads)
        found = self.pool.first_after(self.tails, self.outside, self.heads.first[head])
        opened = openings.opened[head]
        passes = (found[:, :count] > opened[:count]).all(axis=1)
        ends = np.minimum(opened[count:], self.empty_ends)
        return np.asarray(passes & (found[:, count:] <= ends).all(axis=1))

    def _spend(self) -> None:
        budget.check()
        self.left -= self.step
        if self.left < 0:
            raise budget.cut_short("too many head, tail, opening and closing delimiters to try")
