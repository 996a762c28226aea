"""N-LR: nested records, each value between a left and a right delimiter (chapter 5.3.1).

The next value is that of whichever left delimiter among fields 1..k+1 comes first, where k is the
field just extracted; ties go to the outer field. The scan ends where none is found. After a value
the cursor is at the start of its right delimiter.

Learning is complete: see `propagation`. The thesis tries every combination of delimiters,
O(N R^((2K+3)/3)); here a solution is found, or ruled out, in a few scans of the examples.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.locality import Locality
from rowen.model import Example, Page, Record
from rowen.wrappers.base import Evidence, Wrapper
from rowen.wrappers.racing.nesting import nest, nested_laps, nested_rule
from rowen.wrappers.racing.race import run_race
from rowen.wrappers.racing.sides import check_sides, describe, read_sides, save_sides
from rowen.wrappers.racing.unbounded import learn_sides


class NLR(Wrapper):
    """Nested records; the first field is the outermost."""

    wrapper_class = "n-lr"

    def __init__(
        self,
        fields: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        *,
        name: str = "wrapper",
        version: str | None = None,
        locality: Locality | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(fields, name=name, version=version, locality=locality, evidence=evidence)
        self.left = tuple(left)
        self.right = tuple(right)
        wrong = check_sides(self.fields, self.left, self.right, optional=False)
        if wrong is not None:
            raise self.error(wrong)
        self._rule = nested_rule(len(self.fields))

    def run(self, page: Page) -> Iterator[Record]:
        """The outermost records, their details as children."""
        values = run_race(page.text, self._rule, self.left, self.right, fields=self.fields)
        return nest(page, self.fields, values)

    def delimiters(self) -> dict[str, Any]:
        """A left and a right delimiter a field."""
        return save_sides(self.left, self.right)

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        left, right = read_sides(definition)
        return cls(left=left, right=right, **cls.common(definition))

    def describe(self) -> str:
        """What is nested in what, and where each value starts and ends."""
        return "\n".join(
            [
                f"Records are nested: {' > '.join(self.fields)}.",
                *describe(self.fields, self.left, self.right),
                "After a value comes one of the same field, the one below or any above, whichever",
                "starts first. The records end where none does.",
            ]
        )


def learn_class(examples: Sequence[Example]) -> NLR:
    """An N-LR wrapper that reproduces every label."""
    fields, laps = nested_laps(examples)
    left, right = learn_sides(laps, nested_rule(len(fields)), fields)
    return NLR(fields, left, right, evidence=Evidence.of(examples))
