"""Fields one after the other, as all classes of string delimiters need them.

Where values are unknown, labels may leave open which of two fields comes first.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from rowen.model import NoConsistentWrapper
from rowen.records import Record


def check_apart(record: Record) -> None:
    """Refuse a record of which one value lies inside another."""
    values = sorted((span, name) for name, spans in record.items() for span in spans)
    for (earlier, around), (later, name) in pairwise(values):
        if later.start < earlier.end:
            raise NoConsistentWrapper(
                f"shares text with field {around!r}, but delimiters find one value after the "
                "other; use class 'token'",
                field=name,
                pages=(record.page.id,),
            )


def orders(before: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    """All orders in which each name comes after those before it, first as they are named."""
    placed: list[str] = []

    def extend() -> Iterator[tuple[str, ...]]:
        # Depth first in the order of the names: the first order is the one in which they are named.
        if len(placed) == len(before):
            yield tuple(placed)
        for name, earlier in before.items():
            if name not in placed and all(predecessor in placed for predecessor in earlier):
                placed.append(name)
                yield from extend()
                placed.pop()

    return extend()
