"""Pages with their gold in them: values are written between signs, which are then taken out.

row = gold.record()
f"<li>{row('name', 'Ada')}, {row('year', '1815')}</li>"
page <li>Ada, 1815</li>      gold {"name": (4, 7), "year": (9, 13)}
"""

import html
import re
from collections.abc import Mapping, Sequence

from rowen import Page

_OPEN, _NAMED, _CLOSE = "\ue000", "\ue001", "\ue002"
_SIGNS = re.compile(f"{_OPEN}(\\d+):(\\w+){_NAMED}|{_CLOSE}")

Gold = Sequence[Mapping[str, tuple[int, int] | None]]


class Row:
    """A record while its page is written."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, field: str, text: str) -> str:
        """A value of it, to be put into the page."""
        return f"{_OPEN}{self.number}:{field}{_NAMED}{html.escape(text, quote=False)}{_CLOSE}"


class Rows:
    """The records of a page while it is written."""

    def __init__(self) -> None:
        self.count = 0

    def record(self) -> Row:
        """The next record."""
        self.count += 1
        return Row(self.count - 1)


def read(written: str, name: str) -> tuple[Page, Gold]:
    """The page without signs, and where the values of each record are; None where it has none."""
    text, place, size = [], 0, 0
    spans: dict[int, dict[str, tuple[int, int] | None]] = {}
    opened: tuple[int, str, int] | None = None
    for sign in _SIGNS.finditer(written):
        before = written[place : sign.start()]
        text.append(before)
        size += len(before)
        place = sign.end()
        if sign[0] == _CLOSE:
            assert opened is not None
            number, field, start = opened
            spans.setdefault(number, {})[field] = (start, size)
        else:
            opened = int(sign[1]), sign[2], size
    text.append(written[place:])
    fields = list(dict.fromkeys(field for record in spans.values() for field in record))
    gold = [{name: spans[number].get(name) for name in fields} for number in sorted(spans)]
    return Page("".join(text), id=name), gold
