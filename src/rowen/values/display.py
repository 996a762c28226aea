"""Values as short texts for people: in reports, tables and on terminals."""

from collections.abc import Mapping
from typing import Any

from rowen.values.conversion import to_json


def display(value: Any) -> str:
    """A value as a text: a price with its currency, dates in ISO 8601, lists with commas.

    >>> from decimal import Decimal
    >>> display({"amount": Decimal("48.00"), "currency": "GBP"}), display([1, 2.5]), display(True)
    ('48.00 GBP', '1, 2.5', 'yes')
    >>> display([{"author": "Ada", "stars": 5}])
    '(author: Ada, stars: 5)'
    """
    match value:
        case None:
            text = ""
        case str():
            text = value
        case bool():
            text = "yes" if value else "no"
        case {"amount": amount, "currency": currency, **more} if not more:
            text = " ".join(str(to_json(part)) for part in (amount, currency) if part is not None)
        case Mapping():
            inner = (f"{name}: {display(part)}" for name, part in value.items() if part is not None)
            text = f"({', '.join(inner)})"
        case list() | tuple():
            text = ", ".join(map(display, value))
        case _:
            text = str(to_json(value))
    return text
