"""The types of columns, as suggested by their texts.

The same texts are a column of many groups of regions, so that the last answers are remembered.
"""

from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock

from rowen.values.conversion import Setting
from rowen.values.suggestion import suggest_type

REMEMBERED = 4096
"""Limit: for so many columns the types are remembered. A large site has about 2,000 of them."""

PLAIN = Setting()
ANY_ORDER = Setting(language="en-US")
"""To ask whether a text is a date at all, whichever of 5/1 and 1/5 it means."""

_TYPES: dict[bytes, str] = {}
_LOCK = Lock()


def type_of(texts: Sequence[str], *, setting: Setting = PLAIN) -> str:
    """The type that texts suggest, `text` where they suggest none.

    >>> type_of(["7.50 EUR", "8 EUR"])
    'price'
    """
    # A digest takes the place of the texts, which would keep much of their pages.
    lengths = ",".join(str(len(text)) for text in texts)
    key = blake2b(
        f"{setting}\0{lengths}\0{''.join(texts)}".encode("utf-8", "surrogatepass"), digest_size=16
    ).digest()
    known = _TYPES.get(key)
    if known is None:
        known = suggest_type(texts, setting)
        with _LOCK:
            if len(_TYPES) >= REMEMBERED:
                _TYPES.clear()
            _TYPES[key] = known
    return known
