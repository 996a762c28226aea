"""Records: what an extractor returns for a page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, Self, SupportsIndex, TypeGuard

from rowen._core import plain_values
from rowen.model import Page, Span, Warning  # noqa: A004  # the design's word
from rowen.records.columns import Parts, row_columns
from rowen.records.nested import Nested
from rowen.records.reading import Spans, source_of, value_of
from rowen.records.schema import TEXT, Field, Schema
from rowen.values.conversion import to_json

CHILDREN = "children"
"""The key under which nested records are written; no field can have this name."""


class Record:
    """One tuple: a span, several spans or `None` (missing) per field; an absent field is unknown.

    `values` are what a reader sees, of the types that the schema names; `source` is the page's own
    text, and `spans` are its places. A field may hold records of its own: a list of mappings. Two
    records are equal if their pages, spans and children are; records can be hashed, so that
    results can be compared as sets.

    >>> spans = {"title": (3, 25), "price": (33, 48), "note": None}
    >>> record = Record("<b>Tom &amp; <i>Jerry</i></b> <i>&pound;1,048.00", spans,
    ...                 schema={"price": "price"})
    >>> record.values["title"], record.values["price"], record.values["note"]
    ('Tom & Jerry', {'amount': Decimal('1048.00'), 'currency': 'GBP'}, None)
    >>> record.source["title"]
    'Tom &amp; <i>Jerry</i>'
    >>> record.spans["title"], record.extent
    (Span(3, 25), Span(3, 48))
    """

    __slots__ = ("_spans", "children", "page", "schema")

    page: Page
    children: tuple["Record", ...]
    schema: Schema | None
    """What each field holds; without one, all are texts."""
    _spans: dict[str, Spans]

    def __init__(
        self,
        page: Page | str,
        spans: Mapping[str, object],
        children: Iterable["Record"] = (),
        *,
        schema: object = None,
    ) -> None:
        page = Page.of(page)
        _set_page(self, page)
        _set_spans(self, {name: _where(page, name, value) for name, value in spans.items()})
        _set_children(self, tuple(children))
        _set_schema(self, None if schema is None else Schema.of(schema))

    @classmethod
    def trusted(
        cls,
        page: Page,
        spans: dict[str, Spans],
        children: tuple["Record", ...] = (),
        schema: Schema | None = None,
    ) -> Self:
        """A record of spans that are known to be valid: no checks, no copies."""
        record = _new(cls)
        _set_page(record, page)
        _set_spans(record, spans)
        _set_children(record, children)
        _set_schema(record, schema)
        return record

    @classmethod
    def from_mapping(cls, page: Page, mapping: Mapping[str, object]) -> Self:
        """A record from a mapping: fields, and optionally a list of `children`."""
        if type(mapping) is dict:  # the common case, made fast: a span for each field
            size, spans = len(page.text), dict[str, Spans]()
            for name, value in mapping.items():
                if (
                    (type(value) is not tuple and type(value) is not Span)
                    or len(value) != 2
                    or name == CHILDREN
                ):
                    break
                start, end = value
                if not (type(start) is type(end) is int and 0 <= start <= end <= size):
                    break
                spans[name] = Span.trusted(value)
            else:
                return cls.trusted(page, spans)
        nested = mapping.get(CHILDREN, ())
        if not isinstance(nested, Iterable):
            raise TypeError(f"{CHILDREN!r} must be a list of records, not {type(nested).__name__}")
        fields = {name: value for name, value in mapping.items() if name != CHILDREN}
        return cls(page, fields, [cls.from_mapping(page, child) for child in nested])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a record can't be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by its parts: a record can't be changed after it is built."""
        return type(self).trusted, (self.page, self._spans, self.children, self.schema)

    @property
    def spans(self) -> dict[str, Any]:
        """The place of each field: a span, a list of spans, or None if it is missing.

        For a nested field it is a list with the spans of each record.
        """
        return {name: _listed(where) for name, where in self._spans.items()}

    @property
    def source(self) -> dict[str, Any]:
        """The page's own text at each field's span."""
        return {name: source_of(self.page, where) for name, where in self._spans.items()}

    @property
    def values(self) -> dict[str, Any]:
        """Each field as data: what a reader sees, converted to the type in the schema."""
        page, schema = self.page, self.schema
        # Most values are single texts that a reader sees as they are written.
        values: dict[str, Any] = plain_values(page.text, self._spans)
        if schema is None and None not in values.values():
            return values
        for name, value in values.items():
            field = TEXT if schema is None else schema.field(name)
            is_text = field is TEXT or (field.type == "text" and not field.many)
            if value is None or not is_text:
                values[name] = value_of(page, self._spans[name], field)
        return values

    def keys(self) -> list[str]:
        """The columns of its row in a table: `page`, then those of each field."""
        return ["page", *row_columns(tuple(self._spans), self.schema)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, column: str) -> Any:
        """The cell of a column, or a field's value.

        So `dict(record)` is a flat row, as pandas.DataFrame(records) takes it: that needs mappings.
        """
        if column == "page":
            return self.page.id
        known = row_columns(tuple(self._spans), self.schema).get(column)
        field = column if known is None else known.field
        where = self._spans[field]
        if isinstance(where, Nested):
            return [{key: inner[key] for key in inner.keys()[1:]} for inner in where]
        value = value_of(self.page, where, self._field(field))
        if known is None or known.part == "value":
            return value
        return known.cell(Parts({field: value}, {}, {}))

    def warnings(self, number: int | None = None) -> Iterator[Warning]:
        """What could not be read: values that are None although there is text for them.

        `number` is the record's place among those of its page, from 0.
        """
        for field, kind, message in self._problems(""):
            yield Warning(kind, message, self.page.id, number, field)

    def _problems(self, parent: str) -> Iterator[tuple[str, str, str]]:
        """The field, kind and message of each problem; a field of nested records is a path."""
        for name, where in self._spans.items():
            if isinstance(where, Nested):
                for inner, record in enumerate(where, 1):
                    yield from record._problems(f"{parent}{name}[{inner}].")  # noqa: SLF001  # its own class
                continue
            problems: list[tuple[str, str]] = []
            value_of(self.page, where, self._field(name), problems)
            yield from ((f"{parent}{name}", kind, message) for kind, message in problems)
        for child in self.children:
            yield from child._problems(parent)  # noqa: SLF001  # its own class

    def to_model(self, model: type | None = None) -> Any:
        """The values as an instance of a pydantic model or dataclass: by default the schema's."""
        model = model or (self.schema.model if self.schema is not None else None)
        if model is None:
            raise TypeError("no model was given, and the schema was not made from one")
        # A field that is missing falls back to the model's own default.
        values = {name: value for name, value in self.values.items() if value is not None}
        validate = getattr(model, "model_validate", None)
        return validate(values) if validate is not None else model(**values)

    def with_schema(self, schema: Schema | None) -> "Record":
        """The same record, read by another schema."""
        spans: dict[str, Spans] = {
            name: Nested(
                inner.with_schema(None if schema is None else schema.field(name).fields)
                for inner in where
            )
            if isinstance(where, Nested)
            else where
            for name, where in self._spans.items()
        }
        children = tuple(child.with_schema(schema) for child in self.children)
        return Record.trusted(self.page, spans, children, schema)

    def _field(self, name: str) -> Field:
        return TEXT if self.schema is None else self.schema.field(name)

    @property
    def extent(self) -> Span | None:
        """From the first to the last character of all fields and children; None without spans."""
        bounds = list(self._all_spans())
        if not bounds:
            return None
        return Span(min(span.start for span in bounds), max(span.end for span in bounds))

    def items(self) -> Iterator[tuple[str, tuple[Span, ...]]]:
        """Each field with all of its spans, those in nested records too; none if it is missing."""
        for name, where in self._spans.items():
            if where is None:
                yield name, ()
            elif isinstance(where, Span):
                yield name, (where,)
            elif isinstance(where, Nested):
                yield name, tuple(span for record in where for span in record._all_spans())  # noqa: SLF001  # its own class
            else:
                yield name, where

    def stored(self) -> Iterable[tuple[str, Spans]]:
        """Each field as it is stored: a span, several, nested records, or None."""
        return self._spans.items()

    def leaves(self, parent: str = "") -> Iterator[tuple[str, tuple[Span, ...]]]:
        """Each field with its own spans, as `items`; one of a nested record by its path.

        The path of the field `stars` of each of the `reviews` is `reviews.stars`.
        """
        for name, where in self._spans.items():
            if isinstance(where, Nested):
                for record in where:
                    yield from record.leaves(f"{parent}{name}.")
            elif where is None:
                yield f"{parent}{name}", ()
            else:
                yield f"{parent}{name}", (where,) if isinstance(where, Span) else where

    def shift(self, by: int, page: Page) -> "Record":
        """The same record on a page where its text is `by` characters further on."""
        moved: dict[str, Spans] = {}
        for name, where in self._spans.items():
            if where is None:
                moved[name] = None
            elif isinstance(where, Span):
                moved[name] = where.shift(by)
            elif isinstance(where, Nested):
                moved[name] = Nested(record.shift(by, page) for record in where)
            else:
                moved[name] = tuple(span.shift(by) for span in where)
        children = tuple(child.shift(by, page) for child in self.children)
        return Record.trusted(page, moved, children, self.schema)

    def to_dict(self) -> dict[str, Any]:
        """The record as written to files."""
        written: dict[str, Any] = {
            "page": self.page.id,
            "values": {name: to_json(value) for name, value in self.values.items()},
            "source": self.source,
            "spans": self.spans,
        }
        if self.children:
            written[CHILDREN] = [_without_page(child.to_dict()) for child in self.children]
        return written

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


# pandas.DataFrame makes columns of a list of mappings alone. `values` is a property here, so that a
# record is no Mapping for type checkers, and for nobody who calls `values()`.
Mapping.register(Record)

_PAIRS = (tuple, Span)

# A record refuses changes, so its slots are filled by their descriptors: four times as fast as
# object.__setattr__, and records are built by the million.
_new = object.__new__
_set_page = vars(Record)["page"].__set__
_set_spans = vars(Record)["_spans"].__set__
_set_children = vars(Record)["children"].__set__
_set_schema = vars(Record)["schema"].__set__


def _where(page: Page, name: str, value: object) -> Spans:
    """A field as it is stored: like `spans_of`, and a list of mappings or records is nested."""
    if isinstance(value, Nested):
        return value
    if value and holds_records(value):
        return Nested(
            item if isinstance(item, Record) else Record.from_mapping(page, item) for item in value
        )
    return spans_of(name, value, len(page.text))


def holds_records(value: object) -> TypeGuard[Sequence[Mapping[str, object] | Record]]:
    """Whether a caller's value is a list of records; an empty list is one without any."""
    return isinstance(value, (list, tuple)) and all(
        isinstance(item, Mapping | Record) for item in value
    )


def spans_of(name: str, value: object, size: int) -> Spans:
    """A field as it is stored, from a caller's value; `size` is the length of the page."""
    if name == CHILDREN:
        raise ValueError(f"a field can't be called {CHILDREN!r}")
    if isinstance(value, (tuple, list)) and len(value) == 2:  # the common case, made fast
        start, end = value
        if type(start) is type(end) is int and 0 <= start <= end <= size:
            return Span.trusted((start, end))
    if value is None:
        return None
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TypeError(f"field {name!r}: {value!r} is not a span")
    if _is_pair(value):
        return _span_of(name, value, size)
    return tuple(_span_of(name, pair, size) for pair in value) or None


def _is_pair(value: Sequence[object]) -> bool:
    return len(value) == 2 and _is_offset(value[0]) and _is_offset(value[1])


def _is_offset(value: object) -> bool:
    if type(value) is int:  # the common case: checking the protocol is slow
        return True
    return isinstance(value, SupportsIndex) and not isinstance(value, bool)


def _span_of(name: str, value: object, size: int) -> Span:
    if not isinstance(value, Sequence) or not _is_pair(value):
        raise TypeError(f"field {name!r}: {value!r} is not a span")
    start, end = map(index, value)
    if not 0 <= start <= end <= size:
        raise ValueError(
            f"field {name!r}: [{start}, {end}) is not a span of a page of {size} characters"
        )
    return Span(start, end)


def _listed(where: Spans) -> Any:
    if where is None or isinstance(where, Span):
        return where
    return [record.spans for record in where] if isinstance(where, Nested) else list(where)


def _without_page(written: dict[str, Any]) -> dict[str, Any]:
    del written["page"]
    return written
