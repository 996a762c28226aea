"""LR: a left and a right delimiter a field (thesis, section 5.2)."""

from collections.abc import Sequence

from rowen.model import Example, NoConsistentWrapper
from rowen.wrappers.base import Evidence
from rowen.wrappers.tabular.delimiters import (
    common_left,
    first_left_places,
    learn_left,
    learn_right,
    rank_lefts,
    shortest_left,
)
from rowen.wrappers.tabular.scan import ScanWrapper
from rowen.wrappers.tabular.table import Table
from rowen.wrappers.tabular.unknown import learn_known


class LR(ScanWrapper):
    """While `l1` is found: each value starts after its left and ends before its right delimiter."""

    wrapper_class = "lr"
    uses = ()


def learn_class(examples: Sequence[Example]) -> LR:
    """Learn each delimiter by itself: linear in the size of the examples, complete.

    Generalize_LR, with what the printed constraint leaves out: `l1` must not occur after the last
    record, where ExecLR would go on, nor anywhere on a page without records.
    """
    evidence = Evidence.of(examples)
    return learn_known(examples, lambda table: _learn(table, evidence))


def _learn(table: Table, evidence: Evidence) -> LR:
    right = [learn_right(table, k) for k in range(len(table.fields))]
    left = [learn_left(table, k) for k in range(1, len(table.fields))]
    first = learn_first(table)
    return LR(table.fields, left=[first, *left], right=right, evidence=evidence)


def learn_first(table: Table) -> str:
    """The first left delimiter, when nothing but it finds the records."""
    places = first_left_places(table)
    longest = common_left(table, places)
    shortest = shortest_left(table, places, longest)
    for page in table.pages:
        if page.partial:
            continue
        known = [bounds[1] for row in page.rows for bounds in row if bounds]
        if page.rows and page.rows[-1][-1] is None:
            continue  # nobody knows where the tail starts
        tail = known[-1] if known else 0
        if page.text.find(longest, tail) >= 0:
            raise NoConsistentWrapper(
                "what precedes all of its values also stands where no record is",
                field=table.fields[0],
                pages=(page.id,),
            )
        low, high = shortest, len(longest)
        while low < high:
            middle = (low + high) // 2
            if page.text.find(longest[len(longest) - middle :], tail) < 0:
                high = middle
            else:
                low = middle + 1
        shortest = low
    length = next(rank_lefts(longest, shortest))
    return longest[len(longest) - length :]
