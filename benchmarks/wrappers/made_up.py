"""Made-up pages of any size: easy ones and ones that need a full search."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.wrappers.sites import Marked
from rowen import Page

AD = '<i id="{word}"><div><b>{word}</b></div></i>'

SHAPES: Mapping[str, tuple[str, str]] = {
    "plain": ("", ""),
    "oclr": (AD, ""),
    "hoclrt": (AD, '<tr id="{word}"><th>{word}</th></tr>'),
}
"""What stands between the records, and before and after them. With the second a value's left side
stands in the head and in the gaps, so that neither LR nor HLRT will do; with the third what opens
a record also stands outside, so that OCLR won't."""


def made_up(
    size: int, shape: str, chance: random.Random, *, records: int = 20, fields: int = 6
) -> Marked:
    """A page of so many characters and a few more."""
    between, outside = SHAPES[shape]

    def word() -> str:
        return "".join(chance.choices("xyz", k=6))

    rest = size - records * (20 + 34 * fields)
    filler = " ".join("".join(chance.choices("abcdefgh", k=5)) for _ in range(rest // 6))
    text = f"<html><p>{filler}</p>{outside.format(word=word())}<table>{between.format(word=word())}"
    label: list[dict[str, Any]] = []
    for _ in range(records):
        record = {}
        text += f'<tr id="{word()}">' if between else "<tr>"
        for field in range(fields):
            text += "<div><b>" if between and not field else f'<td class="f{field}"><b>'
            value = word()
            record[f"f{field}"] = (len(text), len(text) + len(value))
            text += f"{value}</b></td>\n"
        text += f"</tr>{between.format(word=word())}\n"
        label.append(record)
    return Page(f"{text}</table>{outside.format(word=word())}</html>"), label


def pages(
    size: int, shape: str, count: int, *, records: int = 20, fields: int = 6
) -> Sequence[Marked]:
    """The same pages each time."""
    chance = random.Random(size)
    return [made_up(size, shape, chance, records=records, fields=fields) for _ in range(count)]


def long_table(rows: int = 22_500) -> Marked:
    """A table of many rows, 2.3 MB."""
    text = "<html><body><table><tr><th>No.</th><th>Name</th><th>Date</th><th>Sum</th></tr>\n"
    label: list[dict[str, Any]] = []
    for number in range(1, rows + 1):
        record = {}
        parts = [
            ("number", str(number), "<tr><td>", "</td>"),
            ("url", f"/p/{number}", '<td><a href="', '">'),
            ("name", f"Person {number}", "", "</a></td>"),
            ("date", f"{2000 + number % 26}-0{number % 9 + 1}-1{number % 9}", "<td>", "</td>"),
            ("sum", f"{number * 7 % 1000}.50", "<td>", "</td></tr>\n"),
        ]
        line = []
        place = len(text)
        for name, value, before, after in parts:
            record[name] = (place + len(before), place + len(before) + len(value))
            line.append(before + value + after)
            place += len(line[-1])
        text += "".join(line)
        label.append(record)
    return Page(f"{text}</table></body></html>", id="long.html"), label
