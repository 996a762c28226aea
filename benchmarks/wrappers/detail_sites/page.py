"""Pages written with their gold: a marked value carries its field's name until it is read."""

import random
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

Writer: TypeAlias = Callable[[random.Random], str]
"""Writes one page of a site, with marks."""

_MARK = re.compile("\ue000(\\w+)\ue001|\ue002")


def mark(field: str, value: str) -> str:
    """A value of a field."""
    return f"\ue000{field}\ue001{value}\ue002"


def read_gold(marked: str) -> tuple[str, dict[str, list[tuple[int, int]]]]:
    """The page's text without marks, and the places of each field's values."""
    parts: list[str] = []
    label: dict[str, list[tuple[int, int]]] = {}
    begun: list[tuple[str, int]] = []
    at = length = 0
    for sign in _MARK.finditer(marked):
        parts.append(marked[at : sign.start()])
        length += sign.start() - at
        at = sign.end()
        if sign[1]:
            begun.append((sign[1], length))
        else:
            field, start = begun.pop()
            label.setdefault(field, []).append((start, length))
    return "".join([*parts, marked[at:]]), label


def shuffled(chance: random.Random, rows: Sequence[str]) -> str:
    """Rows in an order by chance."""
    return "\n".join(chance.sample(rows, len(rows)))


def maybe(chance: random.Random, share: float, text: str) -> str:
    """A text on this share of the pages."""
    return text if chance.random() < share else ""


CITIES = (
    ("Springfield", "IL", "62701"),
    ("Springfield", "IL", "62701"),
    ("Portland", "OR", "97205"),
    ("Boston", "MA", "02116"),
    ("Boston", "MA", "02116"),
    ("Austin", "TX", "78701"),
    ("Denver", "CO", "80202"),
    ("St. Paul", "MN", "55102"),
)
STREETS = "Main St|Oak Avenue|W. 4th Street|Harbor Blvd|Church Lane|Mill Road|State Street".split(
    "|"
)
FIRST = "Ada Ben Carla Dimitri Elena Farid Grace Hugo Ines Jonas Kim Lena Marcus Nadia Omar".split()
LAST = (
    "Adler Brooks Castillo Duarte Ekwueme Fischer Grant Hale Ivanov Jansen Kerr Lowe Moss".split()
)
WORDS = (
    "the place is quiet at noon and busy later people come from far to see it there is more than a "
    "visitor would expect some say that it was better before but most return with their friends and "
    "the service never hurries anyone who wants to stay a little longer in the old rooms by the river"
).split()


def city(chance: random.Random) -> tuple[str, str, str]:
    """A city with its state and ZIP code; some are more likely, as on a local site."""
    return chance.choice(CITIES)


def street(chance: random.Random) -> str:
    """A street with a number."""
    return f"{chance.randint(1, 980)} {chance.choice(STREETS)}"


def phone(chance: random.Random) -> str:
    """A telephone number; the area code is often the same."""
    return f"({chance.choice(('617', '617', '512', '303'))}) 555-{chance.randint(100, 9999):04}"


def person(chance: random.Random) -> str:
    """A name."""
    return f"{chance.choice(FIRST)} {chance.choice(LAST)}"


def sentences(chance: random.Random, count: int) -> str:
    """Some sentences."""
    written = []
    for _ in range(count):
        first = chance.randrange(len(WORDS) - 14)
        chosen = WORDS[first : first + chance.randint(6, 14)]
        written.append(" ".join(chosen).capitalize() + ".")
    return " ".join(written)


def advert(chance: random.Random) -> str:
    """An advertisement, in one of several shapes."""
    number = chance.randint(1, 9999)
    return chance.choice(
        (
            f'<div class="ad"><a href="/ads/{number}"><img src="/b/{number}.gif" alt=""></a></div>',
            f'<div id="banner"><script>show({number});</script></div>',
            f'<p class="sponsored">Sponsored: <a href="/go?{number}">{chance.choice(LAST)} Insurance</a></p>',
        )
    )
