"""M-HLRT: M-LR between a head and a tail.

The cursor starts where the head is first found, and the wrapper fails where it isn't. Values
follow as in M-LR until no left delimiter is found, or the tail starts at or before it.

Learning is complete for heads that stand before the first value of every example and tails that
stand after the last one of every example: see `bounded`, and `passage` where values are unknown.
"""

from collections.abc import Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.locality import Locality
from rowen.model import Example, Page
from rowen.model.records import Rows
from rowen.wrappers.base import Evidence
from rowen.wrappers.racing.bounded import learn_framed
from rowen.wrappers.racing.missing import Labels, learn_ordered
from rowen.wrappers.racing.mlr import MLR, read_first
from rowen.wrappers.racing.passage import find_passage
from rowen.wrappers.racing.race import find_head
from rowen.wrappers.racing.sides import describe_ends, read_sides, save_sides


class MHLRT(MLR):
    """Flat records with missing fields between a head and a tail."""

    wrapper_class = "m-hlrt"

    def __init__(
        self,
        fields: Sequence[str],
        left: Sequence[str],
        right: Sequence[str],
        *,
        head: str,
        tail: str,
        first: Sequence[str] | None = None,
        name: str = "wrapper",
        version: str | None = None,
        locality: Locality | None = None,
        evidence: Evidence | None = None,
    ) -> None:
        super().__init__(
            fields,
            left,
            right,
            first=first,
            name=name,
            version=version,
            locality=locality,
            evidence=evidence,
        )
        if not tail:
            raise self.error("the tail must not be empty")
        self.head = head
        self.tail = tail

    def run(self, page: Page) -> Rows:
        """A row a record."""
        return self._rows(page, cursor=find_head(page.text, self.head), tail=self.tail)

    def delimiters(self) -> dict[str, Any]:
        """As M-LR, with head and tail."""
        ends = save_sides(self.left, self.right, head=self.head, tail=self.tail)
        return {**super().delimiters(), **ends}

    @classmethod
    def read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        left, right = read_sides(definition)
        return cls(
            left=left,
            right=right,
            head=definition.text("head"),
            tail=definition.text("tail"),
            first=read_first(definition),
            **cls.common(definition),
        )

    def describe(self) -> str:
        """As M-LR, with where the records start and end."""
        return "\n".join([*self._explained(), *describe_ends(self.head, self.tail)])


def learn_class(examples: Sequence[Example]) -> MHLRT:
    """An M-HLRT wrapper that reproduces every label."""
    evidence = Evidence.of(examples)
    return learn_ordered(examples, lambda labels: _learn(labels, evidence))


def _learn(labels: Labels, evidence: Evidence) -> MHLRT:
    if labels.is_known:
        head, tail, left, right = learn_framed(labels.laps, labels.rule, labels.fields)
        first = [labels.fields[one] for one in labels.first]
    else:
        left, right, first, head, tail = find_passage(labels, framed=True)
    return MHLRT(labels.fields, left, right, head=head, tail=tail, first=first, evidence=evidence)
