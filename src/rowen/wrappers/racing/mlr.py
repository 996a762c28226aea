"""M-LR: flat records in which any field may be missing (chapter 9.2.1's idea, other means).

Fields 1..K stand in a fixed order. From the cursor on, after a value of field k, the left
delimiters of fields k+1..K race with those of the fields that may *begin* a record; at the start of
a page only the latter race. The one that comes first wins; of several that start at the same place
the longest; of equal ones that of the field that is due first (k+1, .., K, 1, .., k). If the
winner's number is k or less, a new record begins with it. Fields that were passed over are missing:
what is missing leaves its place empty and moves nothing. The page ends where none is found. After
a value the cursor is at the start of its right delimiter.

Without missing fields this is LR, as long as no later delimiter comes too soon. The thesis marks a
missing value by a delimiter of its own (`x`), which few pages have. The price of doing without: two
records in a row, of which the second begins with a later field than the first ends with, are one.

Learning is complete: it finds a wrapper exactly when there is one, among all ends of the gaps
before a field's values and all starts of those after them, with those fields as beginners that
begin a record in the examples (more of them only make it harder). See `propagation`. A field that
is missing from all examples has no delimiters and is never looked for. Where values are unknown,
`passage` is the search, for beginners and the order of fields, too.
"""

from collections.abc import Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.locality import Locality
from rowen.model import Example, Page
from rowen.model.records import Row, Rows
from rowen.wrappers.base import Evidence, Failure, Wrapper
from rowen.wrappers.racing.missing import Labels, learn_ordered, missing_rule, rows_of
from rowen.wrappers.racing.passage import find_passage
from rowen.wrappers.racing.race import run_race
from rowen.wrappers.racing.sides import check_sides, describe, read_sides, save_sides
from rowen.wrappers.racing.unbounded import learn_sides


class MLR(Wrapper):
    """Flat records; a field that isn't there is None. `first` are the fields that begin one."""

    wrapper_class = "m-lr"

    def __init__(
        self,
        fields: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        *,
        first: Sequence[str] | None = None,
        name: str = "wrapper",
        version: str | None = None,
        locality: Locality | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(fields, name=name, version=version, locality=locality, evidence=evidence)
        self.left = tuple(left)
        self.right = tuple(right)
        self.first = self.fields if first is None else tuple(first)
        wrong = check_sides(self.fields, self.left, self.right, optional=True)
        if wrong is None and not set(self.first) <= set(self.fields):
            wrong = "a record can only begin with one of its fields"
        if wrong is not None:
            raise self.error(wrong)
        self._rule = missing_rule(
            len(self.fields),
            [self.fields.index(one) for one in self.first],
            [number for number, one in enumerate(self.left) if one],
        )

    def run(self, page: Page) -> Rows:
        """A row a record."""
        return self._rows(page, cursor=0, tail=None)

    def _rows(self, page: Page, *, cursor: int, tail: str | None) -> Rows:
        rows: list[Row] = []
        values = run_race(
            page.text,
            self._rule,
            self.left,
            self.right,
            fields=self.fields,
            cursor=cursor,
            tail=tail,
        )
        found = Rows(page, self.fields, rows)
        try:
            rows_of(len(self.fields), values, rows)
        except Failure as failure:
            failure.rows = found
            raise
        return found

    def delimiters(self) -> dict[str, Any]:
        """A left and a right delimiter a field, and the fields that begin a record."""
        return {**save_sides(self.left, self.right), "first": list(self.first)}

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        left, right = read_sides(definition)
        return cls(left=left, right=right, first=read_first(definition), **cls.common(definition))

    def describe(self) -> str:
        """Where each value starts and ends, and how missing ones are told."""
        return "\n".join(self._explained())

    def _explained(self) -> list[str]:
        return [
            "A record has these fields in this order, each of which may be missing:",
            *describe(self.fields, self.left, self.right),
            "After a value, the field whose start comes first is next; those passed over are None.",
            f"A record begins with {' or '.join(self.first)}.",
        ]


def read_first(definition: Definition) -> list[str]:
    """The fields that begin a record; all of them where the file doesn't say."""
    first: list[str] = definition.get("first", list, definition.get("fields", list))
    if not first or not all(isinstance(one, str) for one in first):
        raise definition.error("'first' must be a list of fields")
    return first


def learn_class(examples: Sequence[Example]) -> MLR:
    """An M-LR wrapper that reproduces every label."""
    evidence = Evidence.of(examples)
    return learn_ordered(examples, lambda labels: _learn(labels, evidence))


def _learn(labels: Labels, evidence: Evidence) -> MLR:
    if labels.is_known:
        left, right = learn_sides(labels.laps, labels.rule, labels.fields)
        first = [labels.fields[one] for one in labels.first]
    else:
        left, right, first, *_ = find_passage(labels, framed=False)
    return MLR(labels.fields, left, right, first=first, evidence=evidence)
