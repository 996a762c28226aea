"""Records compared by their values: typed ones as the contract has them, or texts as read."""

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

from benchmarks.wrappers.modern_pages import Tree

Form: TypeAlias = Callable[[Any], Hashable]
"""What a single value counts as: values of one form are the same."""
Count: TypeAlias = Counter[tuple[str, Hashable]]
"""The values of a page by the names of their fields, `reviews.author` for a nested one."""

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BREAK = re.compile(
    r"</?(?:p|div|li|ul|ol|h[1-6]|br|figure|blockquote|section|table|tr|td|dd|dt)\b[^>]*>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^>]*>")
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\u2060\ufeff]")


def squeezed(text: str) -> str:
    """A text without invisible characters, with single spaces."""
    return " ".join(_INVISIBLE.sub("", text).split())


def as_read(text: str) -> str:
    """What a reader sees of a piece of source, which may be a string of JSON."""
    if "\\" in text:
        try:
            return squeezed(json.loads(f'"{text}"'))
        except ValueError:
            pass
    return squeezed(html.unescape(_TAG.sub("", _BREAK.sub(" ", _COMMENT.sub("", text)))))


def text_form(value: Any) -> Hashable:
    """A text that was read: without what looks like a tag in JSON, which `as_read` drops."""
    return squeezed(_TAG.sub("", str(value)))


def value_form(value: Any) -> Hashable:
    """A typed value; texts differ only by white space, so a value that is not clean is wrong."""
    form: Hashable
    match value:
        case str():
            form = squeezed(value)
        case bool():
            form = ("boolean", value)
        case int() | float() | Decimal():
            form = ("number", float(value))
        case datetime():
            form = ("datetime", value.timestamp() if value.tzinfo else value.isoformat())
        case date():
            form = ("date", value.isoformat())
        case {"amount": amount, "currency": currency}:
            form = ("price", Decimal(str(amount)), currency)
        case _:
            form = ("other", repr(value))
    return form


def values_in(record: Tree, form: Form, path: str = "") -> Iterator[tuple[str, Hashable]]:
    """The values of a record and of those nested in it; what is missing gives none."""
    for name, content in record.items():
        for each in listed(content):
            if is_record(each):
                yield from values_in(each, form, f"{path}{name}.")
            else:
                yield f"{path}{name}", form(each)


def listed(content: Any) -> Sequence[Any]:
    """A field's contents: none where it is missing."""
    if content is None:
        return ()
    return content if isinstance(content, list | tuple) else (content,)


def is_record(content: Any) -> bool:
    """Whether a field's content is a nested record; a price is a mapping, too."""
    return isinstance(content, Mapping) and content.keys() != {"amount", "currency"}


def shape(record: Tree, form: Form) -> Hashable:
    """A whole record: equal only where each value is in its place."""
    contents = []
    for name in sorted(record):
        inner = tuple(
            shape(each, form) if is_record(each) else form(each) for each in listed(record[name])
        )
        if inner:
            contents.append((name, inner))
    return tuple(contents)


class Comparison(NamedTuple):
    """Counts of values by field, of records, and of pages."""

    right: Count
    found: Count
    wanted: Count
    whole: int = 0
    given: int = 0
    records: int = 0
    pages_right: int = 0
    pages: int = 0

    @property
    def f1(self) -> float:
        """Of the values of all fields."""
        return _f1(self.right.total(), self.found.total(), self.wanted.total())

    def field_f1(self) -> dict[str, float]:
        """Of the values of each field."""
        counts = [_by_field(count) for count in (self.right, self.found, self.wanted)]
        return {name: _f1(*(count[name] for count in counts)) for name in sorted(counts[2])}

    @property
    def records_right(self) -> float:
        """The part of the wanted records that were found whole."""
        return self.whole / max(self.records, 1)

    @property
    def pages_part(self) -> float:
        """The part of the pages that have exactly the wanted records, in order."""
        return self.pages_right / max(self.pages, 1)


def compare(
    found: Sequence[Tree], wanted: Sequence[Tree], form: Form, known: Sequence[Tree] = ()
) -> Comparison:
    """What was found on one page with what was wanted there, both beyond what was marked on it."""
    marked = _values(known, form)
    values_found, values_wanted = _values(found, form) - marked, _values(wanted, form) - marked
    found, wanted = without(found, known, form), without(wanted, known, form)
    shapes_found = [shape(record, form) for record in found]
    shapes_wanted = [shape(record, form) for record in wanted]
    whole = Counter(shapes_found) & Counter(shapes_wanted)
    return Comparison(
        values_found & values_wanted,
        values_found,
        values_wanted,
        whole.total(),
        len(found),
        len(wanted),
        int(shapes_found == shapes_wanted),
        1,
    )


def without(records: Sequence[Tree], known: Iterable[Tree], form: Form) -> list[Tree]:
    """The records less those that were marked, each once."""
    marked = Counter(shape(record, form) for record in known)
    rest = []
    for record in records:
        key = shape(record, form)
        if marked[key]:
            marked[key] -= 1
        else:
            rest.append(record)
    return rest


def total(comparisons: Iterable[Comparison]) -> Comparison:
    """All together."""
    counts: tuple[Count, Count, Count] = (Counter(), Counter(), Counter())
    numbers = [0] * 5
    for comparison in comparisons:
        for count, more in zip(counts, comparison[:3], strict=True):
            count.update(more)
        numbers = [mine + more for mine, more in zip(numbers, comparison[3:], strict=True)]
    return Comparison(*counts, *numbers)


def _values(records: Sequence[Tree], form: Form) -> Count:
    return Counter(value for record in records for value in values_in(record, form))


def _by_field(count: Count) -> Counter[str]:
    fields: Counter[str] = Counter()
    for (name, _), number in count.items():
        fields[name] += number
    return fields


def _f1(right: int, found: int, wanted: int) -> float:
    return 2 * right / max(found + wanted, 1)
