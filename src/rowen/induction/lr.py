"""Generalize_LR: learning class LR (thesis, section 5.2).

Each delimiter is learned by itself. A right delimiter is a common prefix of the texts after a
field's values, a left delimiter a common suffix of the texts before them; of those that fit, the
order of `tabular.preference` takes one.

    <B>Congo</B> <I>242</I><BR><B>Egypt</B> <I>20</I><BR>       fields country, code

    after all countries     "</B> <I>"                  right   </B>
    before all codes        "</B> <I>"                  left    <I>
    after all codes         "</I><BR>"                  right   </I>
    before all countries    "<B>", not after the end    left    <B>

It departs from the thesis in what the printed constraint leaves out: `l1` must not occur after the
last record, where ExecLR would go on, nor anywhere on a page without records.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rowen.induction.lengths import least_length
from rowen.induction.tabular.delimiters import (
    common_left,
    first_left_places,
    rank_lefts,
    shortest_left,
)
from rowen.induction.tabular.table import Table
from rowen.induction.tabular.unknown import learn_tabular
from rowen.model import NoConsistentWrapper
from rowen.records import Example
from rowen.wrappers.lr import LR


def learn_class(examples: Sequence[Example]) -> LR:
    """An LR wrapper that reproduces every label: linear in the size of the examples, complete."""
    return learn_tabular(LR, examples, _learn_joint)


@dataclass(frozen=True, slots=True)
class _First:
    """What LR has instead of delimiters that depend on each other: the first left one alone."""

    left: str


def _learn_joint(table: Table) -> _First:
    return _First(learn_first(table))


def learn_first(table: Table) -> str:
    """The first left delimiter of a class in which nothing else finds the records."""
    places = first_left_places(table)
    longest = common_left(table, places)
    shortest = shortest_left(table, places, longest)
    for page in table.pages:
        # Unmarked records follow, and `l1` with them.
        if page.partial:
            continue
        if page.rows and page.rows[-1][-1] is None:
            continue  # where the tail starts is unknown
        ends = [bounds[1] for row in page.rows for bounds in row if bounds]
        tail = ends[-1] if ends else 0
        if page.text.find(longest, tail) >= 0:
            raise NoConsistentWrapper(
                "the text before all of its values also occurs where there is no record",
                field=table.fields[0],
                pages=(page.id,),
            )
        shortest = least_length(
            shortest,
            len(longest),
            lambda n, text=page.text, at=tail: text.find(longest[len(longest) - n :], at) < 0,  # type: ignore[misc]  # mypy can't infer defaults
        )
    length = next(rank_lefts(longest, shortest))
    return longest[len(longest) - length :]
