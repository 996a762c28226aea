"""Orders of the fields: where values are unknown, labels may leave it open which comes first."""

from collections.abc import Collection, Iterator, Mapping


def orders(before: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    """All orders in which each name comes after those before it, first as they are named."""
    placed: list[str] = []

    def extend() -> Iterator[tuple[str, ...]]:
        if len(placed) == len(before):
            yield tuple(placed)
        for name, earlier in before.items():
            if name not in placed and all(one in placed for one in earlier):
                placed.append(name)
                yield from extend()
                placed.pop()

    return extend()
