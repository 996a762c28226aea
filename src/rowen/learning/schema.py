"""The schema of a learned wrapper: what was asked for, and what the marked values look like."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rowen.model import Span, UsageError, Warning  # noqa: A004  # the design's word
from rowen.records import Example, Record
from rowen.records.nested import Nested
from rowen.records.schema import Field, Schema
from rowen.text.declarations import language_of
from rowen.values.conversion import Setting
from rowen.values.suggestion import suggest_type
from rowen.wrappers.base import Wrapper
from rowen.wrappers.nested_fields import whole_schema


def apply_schema(wrapper: Wrapper, examples: Sequence[Example], given: object) -> None:
    """Set what each field of a wrapper holds, and warn of marked values that do not fit.

    A field that was marked with a list of values is a list, whatever its type.
    """
    marked = whole_schema(wrapper)
    asked = _unfolded(Schema.of(given), marked)
    unknown = list(_unknown(asked, marked, ""))
    if unknown and asked.model is None:
        fields = ", ".join(_paths(marked, ""))
        raise UsageError(f"schema: no field {unknown[0]!r} is marked; the fields are {fields}")
    # A model may have fields that nobody marked: they keep their defaults.
    asked = Schema({name: asked[name] for name in asked if name in wrapper.fields}, asked.model)
    records = [record for example in examples for record in example.records]
    wrapper.given_schema = _lists(records).merged(asked)
    wrapper.suggested_types = dict(_suggested(records, asked))
    wrapper.warnings = (*wrapper.warnings, *_not_converted(examples, wrapper.schema))


def _unfolded(asked: Schema, marked: Schema) -> Schema:
    """The schema with paths such as `reviews.stars` as nested fields."""
    schema = Schema({name: field for name, field in asked.items() if not _is_path(name, marked)})
    for name, field in asked.items():
        if _is_path(name, marked):
            head, _, rest = name.partition(".")
            inner = _unfolded(Schema({rest: field}), marked[head].fields or Schema())
            schema = schema.merged(Schema({head: Field(fields=inner)}))
    return Schema(schema, asked.model)


def _is_path(name: str, marked: Schema) -> bool:
    head, dot, _ = name.partition(".")
    return bool(dot) and name not in marked and marked.field(head).fields is not None


def _unknown(asked: Schema, marked: Schema, parent: str) -> Iterator[str]:
    """The fields that nobody marked, by their paths."""
    for name, field in asked.items():
        if name not in marked:
            yield f"{parent}{name}"
        elif field.fields is not None:
            yield from _unknown(field.fields, marked[name].fields or Schema(), f"{parent}{name}.")


def _paths(schema: Schema, parent: str) -> Iterator[str]:
    for name, field in schema.items():
        yield f"{parent}{name}"
        if field.fields is not None and not parent:
            yield from _paths(field.fields, f"{parent}{name}.")


def _lists(records: Iterable[Record]) -> Schema:
    """The fields that were marked with lists, and the fields of nested records."""
    schema = Schema()
    for record in records:
        for name, where in record.stored():
            if isinstance(where, Nested):
                # An empty list may be one of values.
                field = Field(fields=_lists(where)) if where else Field(many=True)
                schema = schema.merged(Schema({name: field}))
            elif where is not None and not isinstance(where, Span):
                schema = schema.merged(Schema({name: Field(many=True)}))
    return schema


def _suggested(records: Sequence[Record], asked: Schema) -> Iterator[tuple[str, str]]:
    """The type of each field that has none yet, where the marked values all have one."""
    texts: dict[str, list[str]] = {}
    language: str | None = None
    for record in records:
        language = language or language_of(record.page.text)
        for path, text in _texts(record, asked, ""):
            texts.setdefault(path, []).append(text)
    for name, marked in texts.items():
        kind = suggest_type(marked, Setting(language=language)) if marked else "text"
        if kind != "text":
            yield name, kind


def _texts(record: Record, asked: Schema, parent: str) -> Iterator[tuple[str, str]]:
    """The texts of fields without a type, with their paths."""
    values = record.with_schema(None).values
    for name, where in record.stored():
        if isinstance(where, Nested):
            for inner in where:
                yield from _texts(inner, asked.field(name).fields or Schema(), f"{parent}{name}.")
        elif name not in asked:
            listed = values[name] if isinstance(values[name], list) else [values[name]]
            yield from ((f"{parent}{name}", text) for text in listed if isinstance(text, str))


def _not_converted(examples: Sequence[Example], schema: Schema) -> Iterator[Warning]:
    for example in examples:
        for number, record in enumerate(example.records):
            for warning in record.with_schema(schema).warnings(number):
                yield replace(warning, message=f"{warning.message} (a marked value)")
