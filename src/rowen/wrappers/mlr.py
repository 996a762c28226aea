"""M-LR: flat records in which any field may be missing (thesis, section 9.2.1, by other means).

Fields 1..K have a fixed order. After a value of field k, the next value is that of whichever left
delimiter comes first, among fields k+1..K and the fields that may *begin* a record; at the start of
a page only the latter count. Of several that start at the same place the longest wins; of equal
ones that of the field that is due first (k+1, .., K, 1, .., k). If the winner's number is k or
less, a new record begins with it. Fields that were passed over are missing: what is missing leaves
its place empty and moves nothing. The page ends where no delimiter is found. After a value the
cursor is at the start of its right delimiter.

    fields name, phone, mail;  first name;  left <b> T: M:;  right </b> ; ;

    <b>Ada</b> T:12; M:a@x; <b>Alan</b> M:b@x; <b>Kurt</b>

    name   phone  mail
    Ada    12     a@x
    Alan   None   b@x       after the name M: comes before T: and <b>
    Kurt   None   None

Without missing fields this is LR, as long as no later delimiter comes too soon. The thesis marks a
missing value by a delimiter of its own (`x`), which few pages have. The price of doing without: two
records in a row are read as one where the second begins with a later field than the first ends
with.

A field that is missing from all examples has no delimiters and is never looked for.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records.records import Row, Rows
from rowen.wrappers.base import Failure
from rowen.wrappers.earliest import MissingRight, Rule, scan_earliest
from rowen.wrappers.earliest_wrapper import EarliestWrapper
from rowen.wrappers.sides import describe

GONE = (-1, -1)
"""The bounds of a value that is missing."""


class MLR(EarliestWrapper):
    """Flat records; a missing field is None. `first` are the fields that may begin a record."""

    wrapper_class = "m-lr"
    optional = True

    def __init__(
        self,
        fields: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        *,
        first: Sequence[str] | None = None,
        **identity: Any,
    ) -> None:
        super().__init__(fields, left, right, **identity)
        self.first = self.fields if first is None else tuple(first)
        if not set(self.first) <= set(self.fields):
            raise self.error("'first' must name fields of the wrapper")
        # A field without delimiters was in no example: it never comes next.
        self._rule = missing_rule(
            len(self.fields),
            [self.fields.index(name) for name in self.first],
            [number for number, delimiter in enumerate(self.left) if delimiter],
        )

    def _scan(self, page: Page, *, cursor: int, tail: str | None) -> Rows:
        """One row per record."""
        complete: list[Row] = []
        values = scan_earliest(
            page.text,
            self._rule,
            self.left,
            self.right,
            fields=self.fields,
            cursor=cursor,
            tail=tail,
        )
        # Filled while the page is scanned: where the scan fails, the rows before are there.
        rows = Rows(page, self.fields, complete)
        try:
            rows_of(len(self.fields), values, complete)
        except Failure as failure:
            failure.rows = rows
            raise
        return rows

    def _delimiters(self) -> dict[str, Any]:
        """A left and a right delimiter per field, and the fields that begin a record."""
        return {**super()._delimiters(), "first": list(self.first)}

    @classmethod
    def _arguments(cls, definition: Definition) -> dict[str, Any]:
        """Delimiters, and the fields that begin a record."""
        return {**super()._arguments(definition), "first": _read_first(definition)}

    def _lines(self) -> list[str]:
        return [
            "A record has these fields in this order, each of which may be missing:",
            *describe(self.fields, self.left, self.right),
            "After a value, the field whose start comes first is next; those passed over are None.",
            f"A record begins with {' or '.join(self.first)}.",
        ]


def _read_first(definition: Definition) -> list[str]:
    """The fields that begin a record; all of them where the file doesn't say."""
    first: list[str] = definition.get("first", list, definition.get("fields", list))
    if not first or not all(isinstance(name, str) for name in first):
        raise definition.error("'first' must be a list of fields")
    return first


def missing_rule(count: int, first: Iterable[int], seen: Iterable[int]) -> Rule:
    """After field k come the later fields, or one that begins the next record.

    In a tie the longer delimiter wins; of equal ones that of the field that is due sooner.
    """
    fields = sorted(seen)
    beginners = [field for field in fields if field in set(first)]
    order = [tuple(beginners)]
    for before in range(count):
        later = [field for field in fields if field > before]
        order.append((*later, *(field for field in beginners if field <= before)))
    return Rule(tuple(order), longest=True)


def rows_of(count: int, values: Iterable[tuple[int, int, int]], rows: list[Row]) -> None:
    """Add the values to `rows`, one row per record: a field at or before the last one begins one.

    Where the values fail, `rows` holds the records that were complete.
    """
    row = [GONE] * count
    before = -1
    try:
        for field, start, end in values:
            if field <= before:
                rows.append(tuple(row))
                row = [GONE] * count
            row[field] = (start, end)
            before = field
    except MissingRight as failure:
        # A value that would begin another record shows that the one before it is complete.
        if failure.field <= before:
            rows.append(tuple(row))
        raise
    if before >= 0:
        rows.append(tuple(row))
