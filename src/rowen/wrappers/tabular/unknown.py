"""Unknown values: what a wrapper that was learned without them makes of their pages (6.5.1).

Each delimiter is learned from the values, heads, gaps and tails that are known; these constraints
are necessary, but where values are unknown they are not enough: the scan has to pass those, too.
Where the delimiters that were taken don't, `passage` looks for others.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from rowen.model import Example, NoConsistentWrapper, Page, SearchCutShort
from rowen.wrappers import budget
from rowen.wrappers.base import Evidence
from rowen.wrappers.tabular.delimiters import right_bound
from rowen.wrappers.tabular.passage import find_passage
from rowen.wrappers.tabular.scan import ScanWrapper
from rowen.wrappers.tabular.table import Table, TablePage, tables_of
from rowen.wrappers.unknown.haste import in_haste

AnyScan = TypeVar("AnyScan", bound=ScanWrapper)


def learn_known(examples: Sequence[Example], learn: Callable[[Table], AnyScan]) -> AnyScan:
    """What `learn` makes of the examples, with the fields in one of the orders left open."""
    trouble: NoConsistentWrapper | None = None
    for table in tables_of(examples):
        budget.check()
        if trouble is not None:
            for k in range(len(table.fields)):
                right_bound(table, k)  # what ends values fits in no order, or in all
        try:
            return _checked(learn(table), table)
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            trouble = trouble or error
    assert trouble is not None
    raise trouble


def _checked(wrapper: AnyScan, table: Table) -> AnyScan:
    """The wrapper, or where on its way over unknown values it misses known ones, another."""
    if all(page.is_known or _gives_back(wrapper, page) for page in table.pages):
        return wrapper
    return pass_unknown(type(wrapper), table, wrapper.evidence)


def pass_unknown(kind: type[AnyScan], table: Table, evidence: Evidence | None) -> AnyScan:
    """Any wrapper of a class that gives all known values back."""
    found = None if in_haste() else find_passage(table, kind.uses)
    if found is None:
        raise NoConsistentWrapper(
            "some values are unknown, and nothing that gives the others back gets past them",
            pages=tuple(page.id for page in table.pages if not page.is_known),
        )
    return kind(
        table.fields,
        left=found.left,
        right=found.right,
        head=found.head,
        tail=found.tail,
        open=found.open,
        close=found.close,
        evidence=evidence,
    )


def _gives_back(wrapper: ScanWrapper, page: TablePage) -> bool:
    found = wrapper.extract(Page(page.text, id=page.id))
    rows = found.rows.rows if found.rows is not None else []
    if not page.partial:
        if found.failure is not None or len(rows) != len(page.rows):
            return False
        if wrapper.tail is not None and page.text.find(wrapper.tail, rows[-1][-1][1]) < 0:
            return False
    return len(rows) >= len(page.rows) and all(
        bounds is None or got == bounds
        for row, wanted in zip(rows, page.rows, strict=False)
        for got, bounds in zip(row, wanted, strict=True)
    )
