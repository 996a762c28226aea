"""What the keys of data call a value: `offers.price` is a price, `brand.name` the brand's name."""

import re
from collections.abc import Iterable

from rowen.text.character_references import decode

LONGEST_NAME = 40
"""A longer text is no name."""

OF_THINGS = ("name", "id", "url", "title")
"""Keys that many things have: which thing it is says the key before them."""

THINGS = ("item", "node", "attributes", "fields", "data", "record")
"""Keys that say nothing about the thing under them."""

VALUES = ("value", "@value", "text", "raw", "label", "formatted")
"""Keys that say nothing about the value under them."""

_OTHER = re.compile(r"[\W_]+")


def plain_name(text: str) -> str:
    """A text of the page as a name; empty where it is none.

    >>> plain_name("Number of Pages:"), plain_name("978-0")
    ('number_of_pages', '')
    """
    name = _OTHER.sub("_", decode(text).text.casefold()).strip("_")
    letters, digits = (sum(map(kind, name)) for kind in (str.isalpha, str.isdigit))
    return name if len(name) <= LONGEST_NAME and letters > digits else ""


def name_of(path: Iterable[object]) -> str:
    """The last key that says what a value is, after that of the thing whose name it is.

    >>> name_of(("offers", 0, "price", "value")), name_of(("brand", "name"))
    ('price', 'brand_name')
    """
    keys = [step for step in path if isinstance(step, str)]
    telling = [key for key in keys if key.lower() not in VALUES] or keys or [""]
    name = plain_name(telling[-1])
    if len(telling) > 1 and name in OF_THINGS and telling[-2].lower() not in THINGS:
        return plain_name(f"{telling[-2]} {name}")
    return name
