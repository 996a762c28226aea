"""What a reader sees of a value, converted to the type of its field."""

from rowen.model import Page, Span
from rowen.records.reading import value_of
from rowen.records.schema import Field
from rowen.values.clean import clean
from rowen.values.display import display


def reading(page: Page, span: tuple[int, int], kind: str) -> tuple[str, str | None]:
    """The value at a span as a text; and why the text is not of the type, if it is not.

    >>> page = Page("<p>&pound;48.00 <p>sold", id="a.html")
    >>> reading(page, (3, 15), "price"), reading(page, (19, 23), "text")
    (('48.00 GBP', None), ('sold', None))
    """
    if kind == "text":
        return clean(page, *span), None
    problems: list[tuple[str, str]] = []
    value = value_of(page, Span(*span), Field(kind), problems)
    if not problems:
        return display(value), None
    return clean(page, *span), problems[0][1]
