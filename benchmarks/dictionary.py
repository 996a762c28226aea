"""A dictionary of 100,000 entries, beside the same entries as one regular expression."""

import random
import re
import string

from benchmarks.measure import Table, best_of
from rowen import Dictionary

ENTRIES = 100_000
IN_REGEX = 2_000
"""An alternation tries its branches one by one: all entries would take hours."""


def words(count: int, chance: random.Random) -> list[str]:
    """Made-up words of 4 to 12 letters."""
    return [
        "".join(chance.choices(string.ascii_lowercase, k=chance.randint(4, 12)))
        for _ in range(count)
    ]


def run() -> Table:
    """Building once, then a text of a megabyte of which every tenth word is an entry."""
    chance = random.Random(0)
    entries = words(ENTRIES, chance)
    others = words(150_000, chance)
    text = " ".join(chance.choice(entries) if chance.random() < 0.1 else word for word in others)
    few = re.compile(
        r"\b(?:" + "|".join(sorted(entries[:IN_REGEX], key=len, reverse=True)) + r")\b"
    )
    dictionary = Dictionary(entries)
    folding = Dictionary(entries, fold_case=True)
    sample = text[:20_000]
    seconds = best_of(
        {
            "build": lambda: Dictionary(entries),
            "dictionary": lambda: dictionary.extract(text),
            "dictionary, case folded": lambda: folding.extract(text),
            f"re, {IN_REGEX:,} of the entries": lambda: list(few.finditer(sample)),
        },
        rounds=3,
    )
    size = len(text) / 1e6
    table = Table(f"dictionary: {ENTRIES:,} entries, {size:.1f} MB", ("what", "seconds", "MB/s"))
    table.add("build", f"{seconds.pop('build'):.2f}", "")
    for name, took in seconds.items():
        read = len(sample) / 1e6 if name.startswith("re") else size
        table.add(name, f"{took:.3f}", f"{read / took:.2f}")
    return table


if __name__ == "__main__":
    print(run())
