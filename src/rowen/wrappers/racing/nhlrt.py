"""N-HLRT: N-LR between a head and a tail (chapter 5.3.1).

The cursor starts where the head is first found, and the wrapper fails where it isn't. Values
follow as in N-LR until no left delimiter is found, or the tail starts at or before it.

Learning is complete for heads that stand before the first value of every example and tails that
stand after the last one of every example: see `bounded`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.locality import Locality
from rowen.model import Example, Page, Record
from rowen.wrappers.base import Evidence
from rowen.wrappers.racing.bounded import learn_framed
from rowen.wrappers.racing.nesting import nest, nested_laps, nested_rule
from rowen.wrappers.racing.nlr import NLR
from rowen.wrappers.racing.race import find_head, run_race
from rowen.wrappers.racing.sides import describe_ends, read_sides, save_sides


class NHLRT(NLR):
    """Nested records between a head and a tail."""

    wrapper_class = "n-hlrt"

    def __init__(
        self,
        fields: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        *,
        head: str,
        tail: str,
        name: str = "wrapper",
        version: str | None = None,
        locality: Locality | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(
            fields, left, right, name=name, version=version, locality=locality, evidence=evidence
        )
        if not tail:
            raise self.error("the tail must not be empty")
        self.head = head
        self.tail = tail

    def run(self, page: Page) -> Iterator[Record]:
        """The outermost records, their details as children."""
        values = run_race(
            page.text,
            self._rule,
            self.left,
            self.right,
            fields=self.fields,
            cursor=find_head(page.text, self.head),
            tail=self.tail,
        )
        return nest(page, self.fields, values)

    def delimiters(self) -> dict[str, Any]:
        """Head, tail, and a left and a right delimiter a field."""
        return save_sides(self.left, self.right, head=self.head, tail=self.tail)

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        left, right = read_sides(definition)
        return cls(
            left=left,
            right=right,
            head=definition.text("head"),
            tail=definition.text("tail"),
            **cls.common(definition),
        )

    def describe(self) -> str:
        """As N-LR, with where the records start and end."""
        return "\n".join([super().describe(), *describe_ends(self.head, self.tail)])


def learn_class(examples: Sequence[Example]) -> NHLRT:
    """An N-HLRT wrapper that reproduces every label."""
    fields, laps = nested_laps(examples)
    head, tail, left, right = learn_framed(laps, nested_rule(len(fields)), fields)
    return NHLRT(fields, left, right, head=head, tail=tail, evidence=Evidence.of(examples))
