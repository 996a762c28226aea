"""Generalize*_HLRT: learning class HLRT (thesis, chapter 4).

The delimiters inside of records are learned one by one, as for LR. The head `h`, the tail `t` and
the first left delimiter `l1` depend on each other (constraint C3) and are learned together.

    <B>Codes</B><P><B>Congo</B> <I>242</I><BR><B>Egypt</B> <I>20</I><BR><HR><B>End</B>

    l1   "<B>" is all that comes before each country; it also comes before Codes and End
    h    <P>: from there on the first <B> is that of Congo
    t    <HR>: it comes before the <B> of End, and not between records

It departs from the thesis in what it tries: not all substrings of a page, but the classes of
substrings that start at the same places (`tabular.pool`), of which there are linearly many. Heads
and tails that are easy to see, whole tags near the records, are tried first (`tabular.nearby`).
"""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from rowen.induction import budget
from rowen.induction.tabular.delimiters import (
    common_left,
    first_left_places,
    rank_lefts,
    shortest_left,
)
from rowen.induction.tabular.ends import (
    head_candidates,
    head_string,
    rank_heads,
    rank_tails,
    tail_candidates,
    tail_string,
)
from rowen.induction.tabular.nearby import LENGTHS, Ends, find_ends
from rowen.induction.tabular.pool import Classes, Numbers, Pool
from rowen.induction.tabular.table import Table
from rowen.induction.tabular.unknown import learn_tabular
from rowen.induction.tabular.windows import Windows
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.wrappers.hlrt import HLRT


def learn_class(examples: Sequence[Example]) -> HLRT:
    """An HLRT wrapper that reproduces every label; complete.

    For each length of `l1`, in order of preference, the search makes one pass over the classes of
    `h` and `t`: linear in the examples where one of the first lengths does, linear times the number
    of lengths where none does.
    """
    return learn_tabular(HLRT, examples, learn_ends)


def learn_ends(table: Table) -> Ends:
    """A head, a tail and a first left delimiter that fit all pages."""
    places = first_left_places(table)
    longest = common_left(table, places)
    # `l1` ends each gap and occurs in it nowhere else; in the head, `h` can skip occurrences.
    between = [place for place in places if not place.first]
    shortest = shortest_left(table, between, longest)
    # On most pages the delimiters are easy to see, and the suffix array need not be built.
    easy = find_ends(table, longest, list(islice(rank_lefts(longest, shortest), LENGTHS)))
    return easy or Search(table, Pool(table), longest, shortest).solve()


class Search:
    """The search for `h`, `t` and `l1`: constraint C3, as the procedure ExecHLRT needs it."""

    def __init__(self, table: Table, pool: Pool, longest: str, shortest: int) -> None:
        self.table = table
        self.pool = pool
        self.longest = longest
        self.shortest = shortest
        self.heads = head_candidates(pool)
        self.tails = tail_candidates(pool)
        windows = Windows(pool, pool.heads, len(self.longest))
        count = len(pool.heads)
        self.low, self.high = windows.lengths(self.heads.first[:, :count])
        # The gaps ask for a least length of `l1`, whatever the head.
        self.low = np.maximum(self.low, self.shortest)

    def solve(self) -> Ends:
        """The first solution, by preference of `l1`."""
        for length in rank_lefts(self.longest, self.shortest):
            budget.check()
            ends = self._with_length(length)
            if ends is not None:
                return ends
        raise self._conflict()

    def _with_length(self, length: int) -> Ends | None:
        heads = self.heads[(self.low <= length) & (length <= self.high)]
        tails = self.tails[self._tail_fits(length)]
        if not len(heads) or not len(tails):
            return None
        heads = heads[rank_heads(self.pool, heads)]
        tails = tails[rank_tails(self.pool, tails)]
        pair = self._pair(heads, tails, length)
        if pair is None:
            return None
        head, tail = pair
        return Ends(
            head_string(self.pool, heads, head),
            tail_string(self.pool, tails, tail),
            self.longest[len(self.longest) - length :],
        )

    def _tail_fits(self, length: int) -> NDArray[np.bool_]:
        """Which tails start in no gap before `l1`, and in each tail at or before any `l1`."""
        delimiter = self.longest[len(self.longest) - length :]
        # The weight is how far before the end of a gap the tail starts: `l1` must come first.
        fits = self.tails.heaviest[:, 0] < length
        for column, region in enumerate(self.pool.tails):
            stray = self.pool.text.find(delimiter, region.start, region.end)
            if stray >= 0:
                fits &= self.tails.first[:, column] <= stray
        return np.asarray(fits)

    def _pair(self, heads: Classes, tails: Classes, length: int) -> tuple[int, int] | None:
        """The best head with the best tail that starts nowhere between it and `l1`."""
        pool = self.pool
        # A tail that occurs in no head before `l1` goes with every head.
        free = np.flatnonzero(tails.heaviest[:, 1] < length)
        if len(free) and not pool.empty:
            return 0, int(free[0])
        regions = [*pool.heads, *pool.empty]
        groups = pool.groups(regions)
        delimiter = self.longest[len(self.longest) - length :]
        tried: list[Numbers] = []
        for row in range(len(heads)):
            cursors = heads.first[row]
            # A tail that fails after a later cursor fails after an earlier one, too.
            if not pool.empty and any((cursors <= later).all() for later in tried):
                continue
            budget.check()
            tried.append(cursors)
            # The tail must not start at or before the first `l1`, which ends where the head region
            # does.
            limits = np.array([region.end - length for region in pool.heads], dtype=np.int32)
            starts = pool.first_after(tails, groups, cursors)
            fits = (starts[:, : len(limits)] > limits).all(axis=1)
            for column, region in enumerate(pool.empty, len(limits)):
                # A page without records: the tail must come before any `l1`.
                stray = pool.text.find(delimiter, int(cursors[column]), region.end)
                last = stray if stray >= 0 else region.end
                fits &= starts[:, column] <= last
            if fits.any():
                return row, int(np.flatnonzero(fits)[0])
        return None

    def _conflict(self) -> NoConsistentWrapper:
        pages = tuple(page.id for page in self.table.pages)
        if not len(self.tails):
            reason = "no text comes after the last record of all pages and nowhere between records"
        elif not (self.low <= self.high).any():
            reason = "no head delimiter skips what looks like its values before the first record"
        else:
            reason = "no head, tail and left delimiter fit together"
        return NoConsistentWrapper(reason, field=self.table.fields[0], pages=pages)
