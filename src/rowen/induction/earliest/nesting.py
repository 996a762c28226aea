"""Labels of nested records: trees of values whose field is their depth (thesis, section 5.3).

{author: Ada, children: [{book: Notes}, {book: Letters}]}

fields   author > book
values   (0, Ada) (1, Notes) (1, Letters), in page order
"""

from collections.abc import Iterable, Iterator, Sequence

from rowen.induction.earliest.labels import PageLabel, Value
from rowen.model import NoConsistentWrapper, Page
from rowen.records import Example, Record


def nested_labels(examples: Sequence[Example]) -> tuple[list[str], list[PageLabel]]:
    """The fields from the outermost to the innermost, and the examples' values."""
    fields: list[str] = []
    labels = []
    for example in examples:
        values = tuple(_values(example.page, example.records, fields, depth=0, parent=""))
        labels.append(PageLabel(example.page, values, example.partial))
    return fields, labels


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
        # The first record of each depth names the field of that level.
        if depth == len(fields) and name not in fields:
            fields.append(name)
        if depth >= len(fields) or fields[depth] != name:
            raise NoConsistentWrapper(
                f"record {place} has it on level {depth + 1}, other records on another level",
                field=name,
                pages=(page.id,),
            )
        yield Value(depth, span.start, span.end)
        yield from _values(page, record.children, fields, depth=depth + 1, parent=f"{place}.")
