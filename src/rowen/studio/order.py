"""Names in the order in which people count: `p2` before `p10`."""

import re
from collections.abc import Iterable
from typing import Any

_NUMBER = re.compile(r"([0-9]+)")


def in_order(names: Iterable[str]) -> list[str]:
    """Sort names; digits count as numbers, capital letters as small ones.

    >>> in_order(["p10", "P2", "p1", "p02"])
    ['p1', 'P2', 'p02', 'p10']
    """
    return sorted(names, key=_key)


def _key(name: str) -> tuple[list[Any], str]:
    # Texts are at even places and numbers at odd ones, so that equal kinds are compared.
    parts = _NUMBER.split(name.casefold())
    return [int(part) if at % 2 else part for at, part in enumerate(parts)], name
