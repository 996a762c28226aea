"""A field's clean text as a value of the field's type: the one entry point.

A conversion gives the value that the text says, or refuses with a reason. It does not guess.
"""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from rowen.values.boolean import to_boolean
from rowen.values.dates import to_date, to_datetime
from rowen.values.number import to_integer, to_number
from rowen.values.price import Price, to_price
from rowen.values.refusal import NotConverted
from rowen.values.setting import Setting
from rowen.values.url import to_url

__all__ = ["TYPES", "NotConverted", "Price", "Setting", "Value", "convert", "to_json"]

TYPES = (
    "text", "html", "source", "number", "integer", "price", "date", "datetime", "url", "boolean",
)  # fmt: skip
"""The types that a field may have."""

Value = str | int | float | bool | date | datetime | Price
"""What a text may become. `bool` is an `int` and `datetime` a `date` for Python."""

_CONVERSIONS: dict[str, Callable[[str, Setting], Value]] = {
    "number": to_number,
    "integer": to_integer,
    "price": to_price,
    "date": to_date,
    "datetime": to_datetime,
    "url": to_url,
    "boolean": to_boolean,
}


def convert(text: str, type: str, setting: Setting) -> Value:  # noqa: A002  # a schema's word
    """The value of a text; texts of the types text, html and source stay as they are.

    Raises:
        NotConverted: the text does not say such a value, or could mean several.
        KeyError: there is no such type.

    >>> convert("1.299,00 €", "price", Setting("de"))
    {'amount': Decimal('1299.00'), 'currency': 'EUR'}
    """
    if type in {"text", "html", "source"}:
        return text
    return _CONVERSIONS[type](text, setting)


def to_json(value: Any) -> Any:
    """A value, or a list of values, as JSON has it: decimals as texts, dates in ISO 8601.

    >>> to_json({"amount": Decimal("48.00"), "currency": "GBP"})
    {'amount': '48.00', 'currency': 'GBP'}
    """
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date):  # datetime, too
        return value.isoformat()
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value
