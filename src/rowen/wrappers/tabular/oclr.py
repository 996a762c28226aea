"""OCLR: LR inside records that open and close (thesis, section 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rowen.model import Example, NoConsistentWrapper
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence
from rowen.wrappers.tabular.brackets import Brackets
from rowen.wrappers.tabular.delimiters import (
    common_left,
    first_left_places,
    learn_left,
    learn_right,
    rank_lefts_between,
)
from rowen.wrappers.tabular.lr import learn_first
from rowen.wrappers.tabular.pool import NEVER, Pool
from rowen.wrappers.tabular.scan import ScanWrapper
from rowen.wrappers.tabular.table import Table
from rowen.wrappers.tabular.unknown import learn_known, pass_unknown


class OCLR(ScanWrapper):
    """While `o` is found: the values from its start on, then on to the start of `c`."""

    wrapper_class = "oclr"
    uses = ("open", "close")


@dataclass(frozen=True, slots=True)
class Marks:
    """Opening, closing and first left delimiter that go together."""

    open: str
    close: str
    left: str


def learn_class(examples: Sequence[Example]) -> OCLR:
    """Learn `o`, `c` and `l1` together, each other delimiter by itself; complete.

    Where LR does, `o` is `l1` and `c` is empty (lemma B.2). Otherwise each class of `o` is tried
    with all classes of `c` at once, and the lengths of `l1` that fit both are an interval: at most
    classes of `o` times classes of `c`, and both start in the shortest gap between records.
    """
    evidence = Evidence.of(examples)
    return learn_known(examples, lambda table: _learn(table, evidence))


def _learn(table: Table, evidence: Evidence) -> OCLR:
    right = [learn_right(table, k) for k in range(len(table.fields))]
    left = [learn_left(table, k) for k in range(1, len(table.fields))]
    if not any(page.shows_opening for page in table.pages):
        return pass_unknown(OCLR, table, evidence)
    marks = _learn_marks(table)
    return OCLR(
        table.fields,
        left=[marks.left, *left],
        right=right,
        open=marks.open,
        close=marks.close,
        evidence=evidence,
    )


def _learn_marks(table: Table) -> Marks:
    try:
        first = learn_first(table)
    except NoConsistentWrapper:
        return _search(table)
    return Marks(first, "", first)


def _search(table: Table) -> Marks:
    """C4 by the procedure: the scan stands at `c`, then at `o`, then `l1` is found at the end."""
    longest = common_left(table, first_left_places(table))
    pool = Pool(table)
    brackets = Brackets(pool, len(longest))
    opens = brackets.opens
    low, high = brackets.heads.lengths(opens.first[:, : len(pool.heads)])
    usable = (low <= high) & (opens.heaviest[:, 0] < 0)
    if not pool.gaps:
        brackets.keep_last_closes()
    for row in np.flatnonzero(usable):
        budget.check()
        closings = brackets.closings(pool.places(opens, int(row)))
        least = np.maximum(closings.low, low[row])
        largest = np.minimum(closings.high, high[row])
        silent = (closings.opened[:, len(pool.gaps) :] == NEVER).all(axis=1)
        fits = np.flatnonzero((least <= largest) & silent)
        if len(fits):
            best = fits[0]
            length = next(rank_lefts_between(longest, int(least[best]), int(largest[best])))
            return Marks(
                brackets.open_string(int(row)),
                brackets.close_string(int(closings.closes[best])),
                longest[len(longest) - length :],
            )
    what = "opens" if usable.any() else "stands in the heads of all pages and opens"
    raise NoConsistentWrapper(
        f"no text {what} each record, closed by another, and nothing else",
        field=table.fields[0],
        pages=tuple(page.id for page in table.pages),
    )
