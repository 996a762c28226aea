"""Nested records: trees of values whose field is their depth (chapter 5.3)."""

from collections.abc import Iterable, Iterator, Sequence

from rowen.model import Example, NoConsistentWrapper, Page, Record, Span
from rowen.wrappers.racing.laps import Lap, Value
from rowen.wrappers.racing.race import Endless, Rule


def nested_rule(count: int) -> Rule:
    """After field k come the fields up to k+1, ties going to the outer one."""
    order = tuple(tuple(range(min(before + 2, count))) for before in range(-1, count))
    return Rule(order, longest=False)


def nested_laps(examples: Sequence[Example]) -> tuple[list[str], list[Lap]]:
    """The fields from the outermost to the innermost, and the examples' values."""
    fields: list[str] = []
    laps = []
    for example in examples:
        values = tuple(_values(example.page, example.records, fields, depth=0, parent=""))
        laps.append(Lap(example.page, values, example.partial))
    return fields, laps


def _values(
    page: Page, records: Iterable[Record], fields: list[str], *, depth: int, parent: str
) -> Iterator[Value]:
    for number, record in enumerate(records, 1):
        place = f"{parent}{number}"
        named = list(record.items())
        if len(named) != 1 or len(named[0][1]) != 1:
            raise NoConsistentWrapper(
                f"record {place} isn't nested: one field with one value on each level, "
                "and what belongs to it under 'children'",
                pages=(page.id,),
            )
        name, (span,) = named[0]
        if depth == len(fields) and name not in fields:
            fields.append(name)
        if depth >= len(fields) or fields[depth] != name:
            raise NoConsistentWrapper(
                f"record {place} has it on level {depth + 1}, others elsewhere",
                field=name,
                pages=(page.id,),
            )
        yield Value(depth, span.start, span.end)
        yield from _values(page, record.children, fields, depth=depth + 1, parent=f"{place}.")


def nest(
    page: Page, fields: Sequence[str], values: Iterator[tuple[int, int, int]]
) -> Iterator[Record]:
    """The outermost records, each as soon as it is complete."""
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
    except Endless as failure:
        if failure.field == 0:
            close(0)
            yield from open_[0]
        raise
    close(0)
    yield from open_[0]
