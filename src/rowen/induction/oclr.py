"""Generalize_OCLR: learning class OCLR (thesis, section 5.2).

The opening delimiter `o`, the closing delimiter `c` and the first left delimiter `l1` depend on
each other (constraint C4) and are learned together, the others one by one as for LR.

    <B>Codes</B><LI>1<B>Congo</B></LI><B>Ad</B><LI>2<B>Egypt</B></LI><B>End</B>

    l1   "<B>" is all that comes before each country; it also comes before Ad: no LR wrapper
    o    <LI>: it comes before each record and nowhere else; after it, <B> is that of a country
    c    empty: from </B> on the next <LI> is that of the next record

It departs from the thesis as HLRT does: it tries classes of substrings in place of substrings.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rowen.induction import budget
from rowen.induction.lr import learn_first
from rowen.induction.tabular.brackets import Brackets
from rowen.induction.tabular.delimiters import (
    common_left,
    first_left_places,
    rank_lefts_between,
)
from rowen.induction.tabular.pool import NEVER, Pool
from rowen.induction.tabular.table import Table
from rowen.induction.tabular.unknown import learn_tabular
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.wrappers.oclr import OCLR


@dataclass(frozen=True, slots=True)
class Marks:
    """Opening, closing and first left delimiter that go together."""

    open: str
    close: str
    left: str


def learn_class(examples: Sequence[Example]) -> OCLR:
    """An OCLR wrapper that reproduces every label; complete.

    Where LR does, `o` is `l1` and `c` is empty (lemma B.2). Otherwise each class of `o` is tried
    with all classes of `c` at once, and the lengths of `l1` that fit both are an interval: at most
    classes of `o` times classes of `c`, and both start in the shortest gap between records.
    """
    return learn_tabular(OCLR, examples, _learn_marks)


def _learn_marks(table: Table) -> Marks:
    try:
        first = learn_first(table)
    # Lemma B.2: whatever LR wraps, OCLR wraps with `o` = `l1` and an empty `c`.
    except NoConsistentWrapper:
        return _search(table)
    return Marks(first, "", first)


def _search(table: Table) -> Marks:
    """Constraint C4, as the procedure ExecOCLR needs it.

    After a record the scan is at `c`, then at the next `o`; from there `l1` is first found at the
    end of the gap.
    """
    longest = common_left(table, first_left_places(table))
    pool = Pool(table)
    brackets = Brackets(pool, len(longest))
    opens = brackets.opens
    low, high = brackets.heads.lengths(opens.first[:, : len(pool.heads)])
    # The weight is how far before the end of a page without records `o` starts: there must be none.
    usable = (low <= high) & (opens.heaviest[:, 0] < 0)
    # With one record per page only the tails decide between closing delimiters.
    if not pool.gaps:
        brackets.keep_last_closes()
    for row in np.flatnonzero(usable):
        budget.check()
        closings = brackets.closings(pool.places(opens, int(row)))
        least = np.maximum(closings.low, low[row])
        largest = np.minimum(closings.high, high[row])
        # After the last record no `o` may follow: the scan would go on.
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
    what = "opens" if usable.any() else "occurs in the heads of all pages and opens"
    raise NoConsistentWrapper(
        f"no text {what} each record and nothing else, with another text that closes it",
        field=table.fields[0],
        pages=tuple(page.id for page in table.pages),
    )
