"""N-LR: nested records, each value between a left and a right delimiter (thesis, section 5.3.1).

After a value of field k the next value is that of whichever left delimiter among fields 1..k+1
comes first; ties go to the outer field. The scan ends where none is found. After a value the cursor
is at the start of its right delimiter.

    fields author > book > year;  left <h1> <b> <i>;  right </h1> </b> </i>

    <h1>Ada</h1><b>Notes</b><i>1843</i><b>Letters</b><h1>Alan</h1>

    Ada                 after an author: another author, or a book
      Notes             after a book: an author, another book, or a year
        1843
      Letters           it has no year
    Alan                no book
"""

from collections.abc import Iterator, Sequence
from typing import Any

from rowen.model import Page, Span
from rowen.records import Record
from rowen.wrappers.earliest import MissingRight, Rule, scan_earliest
from rowen.wrappers.earliest_wrapper import EarliestWrapper
from rowen.wrappers.sides import describe


class NLR(EarliestWrapper):
    """Nested records; the first field is the outermost."""

    wrapper_class = "n-lr"
    optional = False

    def __init__(
        self, fields: Sequence[str], left: Sequence[str], right: Sequence[str], **identity: Any
    ) -> None:
        super().__init__(fields, left, right, **identity)
        self._rule = nested_rule(len(self.fields))

    def _scan(self, page: Page, *, cursor: int, tail: str | None) -> Iterator[Record]:
        """The outermost records, their details as children."""
        values = scan_earliest(
            page.text,
            self._rule,
            self.left,
            self.right,
            fields=self.fields,
            cursor=cursor,
            tail=tail,
        )
        return nest(page, self.fields, values)

    def _lines(self) -> list[str]:
        return [
            f"Records are nested: {' > '.join(self.fields)}.",
            *describe(self.fields, self.left, self.right),
            "After a value comes one of the same field, the one below or any above, whichever",
            "starts first. The records end where none does.",
        ]


def nested_rule(count: int) -> Rule:
    """After field k come the fields up to k+1, ties going to the outer one."""
    order = tuple(tuple(range(min(before + 2, count))) for before in range(-1, count))
    return Rule(order, longest=False)


def nest(
    page: Page, fields: Sequence[str], values: Iterator[tuple[int, int, int]]
) -> Iterator[Record]:
    """The outermost records, each as soon as it is complete."""
    # The records of each level that have no parent yet, and the values that are still open: one on
    # each level, from the outermost on.
    open_: list[list[Record]] = [[] for _ in range(len(fields) + 1)]
    path: list[Span] = []

    def close(depth: int) -> None:
        while len(path) > depth:
            level = len(path) - 1
            children, open_[level + 1] = tuple(open_[level + 1]), []
            record = Record.trusted(page, {fields[level]: path.pop()}, children)
            open_[level].append(record)

    try:
        for field, start, end in values:
            close(field)
            if field == 0:
                yield from open_[0]
                open_[0].clear()
            path.append(Span.trusted((start, end)))
    except MissingRight as failure:
        # Only a value of the outermost field shows that the record before it is complete.
        if failure.field == 0:
            close(0)
            yield from open_[0]
        raise
    close(0)
    yield from open_[0]
