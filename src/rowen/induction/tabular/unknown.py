"""Learning the tabular classes from labels with unknown values (thesis, section 6.5.1).

Each delimiter is learned from the values, heads, gaps and tails that are known. These constraints
are necessary, but where values are unknown they are not enough: the scan has to find the known
values after the unknown ones, too. So the wrapper is run on the pages with unknown values. Where it
doesn't reproduce the known ones, `unknown_search` looks for other delimiters.

    <b>Ada</b>: (12)<br><b>Alan</b> (3)<br>       {name: Ada}, {name: Alan, phone: 3}

    Ada's phone is unknown. From the known values alone the phone's left delimiter is "</b> (", for
    it begins with a tag. With it the scan gives Ada the phone 3, and misses Alan. The search finds
    " (", with which it gives Ada the phone 12.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from rowen.assurance.evidence import Evidence
from rowen.induction import budget
from rowen.induction.tabular.delimiters import learn_left, learn_right, right_bound
from rowen.induction.tabular.table import Table, TablePage, tables_of
from rowen.induction.tabular.unknown_search import find_delimiters
from rowen.model import NoConsistentWrapper, Page, SearchCutShort
from rowen.records import Example
from rowen.wrappers.scan import ScanWrapper

AnyScan = TypeVar("AnyScan", bound=ScanWrapper)


class Joint(Protocol):
    """The delimiters of a class that depend on each other: the first left one, and those that the
    class uses besides.
    """

    @property
    def left(self) -> str:
        """The first left delimiter."""


def learn_tabular(
    kind: type[AnyScan], examples: Sequence[Example], learn_joint: Callable[[Table], Joint]
) -> AnyScan:
    """A wrapper of a tabular class, given how the delimiters that depend on each other are learned.

    The others are learned one by one, as in Generalize_LR: the classes differ in the joint ones
    alone. `learn_joint` returns a dataclass, whose fields but `left` are those that the class uses.
    """
    evidence = Evidence.of(examples)

    def learn(table: Table) -> AnyScan:
        right = [learn_right(table, k) for k in range(len(table.fields))]
        left = [learn_left(table, k) for k in range(1, len(table.fields))]
        # Of no record is the text right before it known: only a search can find `o`.
        if "open" in kind.uses and not any(page.shows_opening for page in table.pages):
            return search_unknown(kind, table, evidence)
        joint = learn_joint(table)
        used = {name: getattr(joint, name) for name in kind.uses}
        return kind(table.fields, left=[joint.left, *left], right=right, evidence=evidence, **used)

    return _learn_known(examples, learn)


def _learn_known(examples: Sequence[Example], learn: Callable[[Table], AnyScan]) -> AnyScan:
    """What `learn` makes of the examples, with the fields in the first order that works."""
    trouble: NoConsistentWrapper | None = None
    for table in tables_of(examples):
        budget.check()
        if trouble is not None:
            for k in range(len(table.fields)):
                right_bound(table, k)  # raises where no order helps: right delimiters need none
        try:
            return _checked(learn(table), table)
        except SearchCutShort:
            raise
        except NoConsistentWrapper as error:
            trouble = trouble or error
    assert trouble is not None
    raise trouble


def _checked(wrapper: AnyScan, table: Table) -> AnyScan:
    """The wrapper, or another one where it misses known values after unknown ones."""
    if all(page.is_known or _reproduces(wrapper, page) for page in table.pages):
        return wrapper
    return search_unknown(type(wrapper), table, wrapper.evidence)


def search_unknown(kind: type[AnyScan], table: Table, evidence: Evidence | None) -> AnyScan:
    """Any wrapper of a class that reproduces all known values."""
    solution = None if budget.is_quick() else find_delimiters(table, kind.uses)
    if solution is None:
        raise NoConsistentWrapper(
            "some values are unknown, and no delimiters reproduce all the others",
            pages=tuple(page.id for page in table.pages if not page.is_known),
        )
    return kind(
        table.fields,
        left=solution.left,
        right=solution.right,
        head=solution.head,
        tail=solution.tail,
        open=solution.open,
        close=solution.close,
        evidence=evidence,
    )


def _reproduces(wrapper: ScanWrapper, page: TablePage) -> bool:
    records = wrapper.extract(Page(page.text, id=page.id))
    rows = records.rows.rows if records.rows is not None else []
    if not page.partial:
        if records.failure is not None or len(rows) != len(page.rows):
            return False
        # The tail must follow the last record, as it does on pages whose values are all known.
        if wrapper.tail is not None and page.text.find(wrapper.tail, rows[-1][-1][1]) < 0:
            return False
    return len(rows) >= len(page.rows) and all(
        bounds is None or extracted == bounds
        for row, label in zip(rows, page.rows, strict=False)
        for extracted, bounds in zip(row, label, strict=True)
    )
