"""HLRT: LR between a head and a tail delimiter (thesis, chapter 4)."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from rowen.model import Example, NoConsistentWrapper
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence
from rowen.wrappers.tabular.delimiters import (
    common_left,
    first_left_places,
    learn_left,
    learn_right,
    rank_lefts,
    shortest_left,
)
from rowen.wrappers.tabular.nearby import LENGTHS, Ends, find_ends
from rowen.wrappers.tabular.pool import Classes, Numbers, Pool
from rowen.wrappers.tabular.preference import best_string, rank_classes
from rowen.wrappers.tabular.scan import ScanWrapper
from rowen.wrappers.tabular.table import Table
from rowen.wrappers.tabular.unknown import learn_known
from rowen.wrappers.tabular.windows import Windows


class HLRT(ScanWrapper):
    """From `h` on, while `l1` is found and no `t` starts at or before it: as LR."""

    wrapper_class = "hlrt"
    uses = ("head", "tail")


def learn_class(examples: Sequence[Example]) -> HLRT:
    """Learn `h`, `t` and `l1` together, each other delimiter by itself; complete.

    Generalize*_HLRT with classes of substrings in place of substrings. For each length of `l1`, in
    order of preference, one pass over the classes of `h` and `t`: linear in the examples where one
    of the first lengths does, linear times the number of lengths where none does.
    """
    evidence = Evidence.of(examples)
    return learn_known(examples, lambda table: _learn(table, evidence))


def _learn(table: Table, evidence: Evidence) -> HLRT:
    right = [learn_right(table, k) for k in range(len(table.fields))]
    left = [learn_left(table, k) for k in range(1, len(table.fields))]
    ends = learn_ends(table)
    return HLRT(
        table.fields,
        left=[ends.left, *left],
        right=right,
        head=ends.head,
        tail=ends.tail,
        evidence=evidence,
    )


def learn_ends(table: Table) -> Ends:
    """A head, a tail and a first left delimiter that fit all pages."""
    places = first_left_places(table)
    longest = common_left(table, places)
    # `l1` ends each gap and occurs in it nowhere else; in the head, `h` can skip occurrences.
    between = [place for place in places if not place.first]
    shortest = shortest_left(table, between, longest)
    easy = find_ends(table, longest, list(islice(rank_lefts(longest, shortest), LENGTHS)))
    return easy or Search(table, Pool(table), longest, shortest).solve()


class Search:
    """The search for `h`, `t` and `l1` (C3, by the procedure)."""

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
        self.low = np.maximum(self.low, self.shortest)

    def solve(self) -> Ends:
        """The first solution, by preference of `l1`."""
        for length in rank_lefts(self.longest, self.shortest):
            budget.check()
            found = self._with_length(length)
            if found is not None:
                return found
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
        fits = self.tails.heaviest[:, 0] < length
        for column, region in enumerate(self.pool.tails):
            again = self.pool.text.find(delimiter, region.start, region.end)
            if again >= 0:
                fits &= self.tails.first[:, column] <= again
        return np.asarray(fits)

    def _pair(self, heads: Classes, tails: Classes, length: int) -> tuple[int, int] | None:
        """The best head with the best tail that starts nowhere between it and `l1`."""
        pool = self.pool
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
            if not pool.empty and any((cursors <= other).all() for other in tried):
                continue
            budget.check()
            tried.append(cursors)
            limits = np.array([region.end - length for region in pool.heads], dtype=np.int32)
            found = pool.first_after(tails, groups, cursors)
            fits = (found[:, : len(limits)] > limits).all(axis=1)
            for column, region in enumerate(pool.empty, len(limits)):
                again = pool.text.find(delimiter, int(cursors[column]), region.end)
                last = again if again >= 0 else region.end
                fits &= found[:, column] <= last
            if fits.any():
                return row, int(np.flatnonzero(fits)[0])
        return None

    def _conflict(self) -> NoConsistentWrapper:
        pages = tuple(page.id for page in self.table.pages)
        if not len(self.tails):
            reason = "no text stands after the last record of all pages and nowhere between records"
        elif not (self.low <= self.high).any():
            reason = "no head delimiter skips what looks like its values before the first record"
        else:
            reason = "no head, tail and left delimiter fit together"
        return NoConsistentWrapper(reason, field=self.table.fields[0], pages=pages)


def head_candidates(pool: Pool) -> Classes:
    """The classes of strings that lie in all heads, and the empty string."""
    regions = [*pool.heads, *pool.empty]
    if not regions:
        return no_heads()
    found = pool.classes(regions)
    ends = np.array([region.end for region in regions], dtype=np.int32)
    room = (ends - found.first).min(axis=1) if len(found) else found.shortest
    fits = found.shortest <= room
    found, room = found[fits], room[fits]
    bases = np.array([[region.start for region in regions]], dtype=np.int32)
    none = np.zeros(1, dtype=np.int32)
    return Classes(
        np.append(found.start, none),
        np.append(found.end, none),
        np.append(found.shortest, none),
        np.append(np.minimum(found.longest, room), none),
        np.concatenate((found.first, bases)),
        np.zeros((len(found) + 1, 0), dtype=np.int32),
    )


def no_heads() -> Classes:
    """The empty string alone, where nothing is known of any head."""
    none = np.zeros(1, dtype=np.int32)
    columns = np.zeros((1, 0), dtype=np.int32)
    return Classes(none, none, none, none, columns, columns)


def tail_candidates(pool: Pool) -> Classes:
    """The classes of strings that start in all tails; weighed by where they start elsewhere.

    Where all pages are partial, nothing is known of the tails: what follows the marked records
    stands for them.
    """
    regions = [*pool.tails, *pool.empty] or pool.open_tails
    return pool.classes(regions, pool.distances(pool.gaps), pool.distances(pool.heads))


def rank_heads(pool: Pool, heads: Classes) -> NDArray[np.intp]:
    """The heads, the best first."""
    ends = np.array([region.end for region in [*pool.heads, *pool.empty]], dtype=np.int32)
    distance = (ends - heads.first)[:, : len(pool.heads)].max(axis=1, initial=0)
    return rank_classes(pool, heads, heads.longest, distance.astype(np.int32))


def rank_tails(pool: Pool, tails: Classes) -> NDArray[np.intp]:
    """The tails, the best first; on partial pages the last ones are the safest."""
    regions = [*pool.tails, *pool.empty] or pool.open_tails
    begins = np.array([region.start for region in regions], dtype=np.int32)
    distance = (tails.first - begins).max(axis=1)
    if not pool.tails:
        distance = -distance
    return rank_classes(pool, tails, tails.longest, distance.astype(np.int32))


def head_string(pool: Pool, heads: Classes, row: int) -> str:
    """The head delimiter of a class."""
    if not heads.longest[row]:
        return ""
    start = int(heads.first[row, 0])
    return best_string(pool, start, int(heads.shortest[row]), int(heads.longest[row]))


def tail_string(pool: Pool, tails: Classes, row: int) -> str:
    """The tail delimiter of a class."""
    start = int(tails.first[row, 0])
    return best_string(pool, start, int(tails.shortest[row]), int(tails.longest[row]))
