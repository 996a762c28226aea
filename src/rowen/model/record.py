"""Records: what an extractor finds on a page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, Self, SupportsIndex, TypeAlias

from rowen.model.page import Page
from rowen.model.span import Span

Spans: TypeAlias = Span | tuple[Span, ...] | None
"""A field as it is kept: one span, several, or known to be missing."""

CHILDREN = "children"
"""The key under which nested records are written; no field can have this name."""


class Record:
    """One tuple: a span, several spans or `None` (missing) a field; a field left out is unknown.

    Two records are equal when their pages, spans and children are; they hash, so that results can
    be compared as sets.
    """

    __slots__ = ("_spans", "children", "page")

    page: Page
    children: tuple["Record", ...]
    _spans: dict[str, Spans]

    def __init__(
        self,
        page: Page | str,
        spans: Mapping[str, object],
        children: Iterable["Record"] = (),
    ) -> None:
        page = Page.of(page)
        size = len(page.text)
        _set_page(self, page)
        _set_spans(self, {name: spans_of(name, given, size) for name, given in spans.items()})
        _set_children(self, tuple(children))

    @classmethod
    def trusted(
        cls, page: Page, spans: dict[str, Spans], children: tuple["Record", ...] = ()
    ) -> Self:
        """A record of spans that are known to be right: no checks, no copies."""
        record = _new(cls)
        _set_page(record, page)
        _set_spans(record, spans)
        _set_children(record, children)
        return record

    @classmethod
    def from_mapping(cls, page: Page, given: Mapping[str, object]) -> Self:
        """A record from what people write: fields beside an optional list of `children`."""
        nested = given.get(CHILDREN, ())
        if not isinstance(nested, Iterable):
            raise TypeError(f"{CHILDREN!r} is a list of records, not {type(nested).__name__}")
        fields = {name: value for name, value in given.items() if name != CHILDREN}
        return cls(page, fields, [cls.from_mapping(page, child) for child in nested])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a record can't be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied as what it is made of: it can't be filled in afterwards."""
        return type(self).trusted, (self.page, self._spans, self.children)

    @property
    def spans(self) -> dict[str, Span | list[Span] | None]:
        """Where each field stands: a span, a list of spans, or None where it is missing."""
        return {
            name: where if where is None or isinstance(where, Span) else list(where)
            for name, where in self._spans.items()
        }

    @property
    def values(self) -> dict[str, str | list[str] | None]:
        """What each field says, as it stands in the page."""
        text = self.page.text
        return {name: _text_of(where, text) for name, where in self._spans.items()}

    @property
    def extent(self) -> Span | None:
        """From the first to the last character of any field, children too; None without any."""
        bounds = list(self._all_spans())
        if not bounds:
            return None
        return Span(min(span.start for span in bounds), max(span.end for span in bounds))

    def items(self) -> Iterator[tuple[str, tuple[Span, ...]]]:
        """Each field with all of its spans, none where it is missing."""
        for name, where in self._spans.items():
            if where is None:
                yield name, ()
            elif isinstance(where, Span):
                yield name, (where,)
            else:
                yield name, where

    def shift(self, by: int, page: Page) -> "Record":
        """The same record on a page where its text stands `by` characters further on."""
        moved: dict[str, Spans] = {}
        for name, where in self._spans.items():
            if where is None:
                moved[name] = None
            elif isinstance(where, Span):
                moved[name] = where.shift(by)
            else:
                moved[name] = tuple(span.shift(by) for span in where)
        return Record.trusted(page, moved, tuple(child.shift(by, page) for child in self.children))

    def to_dict(self) -> dict[str, Any]:
        """The record as it is written to files."""
        return {
            "page": self.page.id,
            "values": self.values,
            "spans": self.spans,
            "children": [_without_page(child.to_dict()) for child in self.children],
        }

    def _all_spans(self) -> Iterator[Span]:
        for _, spans in self.items():  # noqa: PERF102  # not a dict
            yield from spans
        for child in self.children:
            yield from child._all_spans()  # noqa: SLF001  # its own class

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            self._spans == other._spans
            and self.children == other.children
            and self.page == other.page
        )

    def __hash__(self) -> int:
        return hash((self.page.id, frozenset(self._spans.items()), self.children))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        nested = f", children={len(self.children)}" if self.children else ""
        return f"Record({fields}{nested})"


# A record refuses to be changed, so it is filled in below that: four times as fast as by
# object.__setattr__, and records are made by the million.
_new = object.__new__
_set_page = vars(Record)["page"].__set__
_set_spans = vars(Record)["_spans"].__set__
_set_children = vars(Record)["children"].__set__


def spans_of(name: str, given: object, size: int) -> Spans:
    """A field as it is kept, from what people give, on a page of so many characters."""
    if name == CHILDREN:
        raise ValueError(f"a field can't be called {CHILDREN!r}")
    if isinstance(given, (tuple, list)) and len(given) == 2:  # the rule, made quick
        start, end = given
        if type(start) is type(end) is int and 0 <= start <= end <= size:
            return Span.trusted((start, end))
    if given is None:
        return None
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise TypeError(f"field {name!r}: {given!r} is not a span")
    if _is_pair(given):
        return _span_of(name, given, size)
    return tuple(_span_of(name, one, size) for one in given) or None


def _is_pair(given: Sequence[object]) -> bool:
    return len(given) == 2 and _is_offset(given[0]) and _is_offset(given[1])


def _is_offset(given: object) -> bool:
    if type(given) is int:  # the rule; asking about the protocol takes long
        return True
    return isinstance(given, SupportsIndex) and not isinstance(given, bool)


def _span_of(name: str, given: object, size: int) -> Span:
    if not isinstance(given, Sequence) or not _is_pair(given):
        raise TypeError(f"field {name!r}: {given!r} is not a span")
    start, end = map(index, given)
    if not 0 <= start <= end <= size:
        raise ValueError(
            f"field {name!r}: [{start}, {end}) is not a span of a page of {size} characters"
        )
    return Span(start, end)


def _text_of(where: Spans, text: str) -> str | list[str] | None:
    if where is None:
        return None
    if isinstance(where, Span):
        return where.of(text)
    return [span.of(text) for span in where]


def _without_page(written: dict[str, Any]) -> dict[str, Any]:
    del written["page"]
    return written
