"""Reading a field: the text at its spans as data, of the type that the schema names."""

from typing import Any, TypeAlias

from rowen.model import Page, Span
from rowen.records.nested import Nested
from rowen.records.schema import Field
from rowen.text.declarations import language_of, page_base
from rowen.values.clean import clean, clean_digits
from rowen.values.conversion import NotConverted, Setting, Value, convert
from rowen.values.fragment import fragment

Spans: TypeAlias = Span | tuple[Span, ...] | Nested | None
"""A field as it is stored: one span, several, nested records, or None for missing."""

Problems: TypeAlias = list[tuple[str, str]]
"""The kind and the message of everything that could not be read."""

_DIGITS = ("number", "integer", "price")


def source_of(page: Page, where: Spans) -> Any:
    """The page's own text at the spans of a field."""
    text = page.text
    if where is None:
        return None
    if isinstance(where, Span):
        return text[where[0] : where[1]]
    if isinstance(where, Nested):
        return [record.source for record in where]
    return [text[start:end] for start, end in where]


def value_of(page: Page, where: Spans, field: Field, problems: Problems | None = None) -> Any:
    """The value of a field; what can't be converted is None, and noted in `problems`."""
    if where is None:
        return [] if field.many else None
    if isinstance(where, Span):
        value = _read(page, where, field, problems)
        return _without_none([value]) if field.many else value
    if isinstance(where, Nested):
        return [record.values for record in where]
    values = [_read(page, span, field, problems) for span in where]
    return _without_none(values)


def _without_none(values: list[Value | None]) -> list[Value]:
    return [value for value in values if value is not None]


def _read(page: Page, span: Span, field: Field, problems: Problems | None) -> Value | None:
    start, end = span
    kind = field.type
    if kind == "text":
        return clean(page, start, end)
    if kind == "source":
        return page.text[start:end]
    if kind == "html":
        return fragment(page.text[start:end])
    text = (clean_digits if kind in _DIGITS else clean)(page, start, end)
    if not text:
        return None
    try:
        return convert(text, kind, _setting(page, field))
    except NotConverted as reason:
        if problems is not None:
            problems.append(("not-converted", str(reason)))
        return None


def _setting(page: Page, field: Field) -> Setting:
    language = field.language or language_of(page.text)
    # The address says the country, where the language doesn't: `$` on a page of `.com.au`.
    return Setting(language, page_base(page) if field.type in ("url", "price") else None)
