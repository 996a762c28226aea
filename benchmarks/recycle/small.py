"""What a run costs per small page and extractor, beside the bare regular expression.

2,000 made-up pages of 2 KB, one record each, by one pattern and by ten; the least of three rounds.
"""

import random
import shutil
import time
from collections.abc import Sequence

import regex

from benchmarks.measure import Table, best_of
from benchmarks.recycle.corpora import workspace
from benchmarks.recycle.trial import Effort
from rowen import Page, Pattern, Store

PAGES = 2000


def run(_effort: Effort) -> str:
    """The table."""
    pages = _pages()
    patterns = [
        Pattern(rf"CS (?P<room>\d{{3}}), (?P<time>{hour} [ap]m)", name=f"at {hour}")
        for hour in range(1, 11)
    ]
    compiled = regex.compile(patterns[1].pattern)

    def bare() -> None:
        for page in pages:
            [match.regs for match in compiled.finditer(page.text)]

    seconds = best_of(
        {
            "the expression": bare,
            "a run, one extractor": lambda: _run(patterns[:1], pages),
            "a run, ten extractors": lambda: _run(patterns, pages),
        },
        rounds=3,
        clock=time.process_time,
    )
    more = (seconds["a run, ten extractors"] - seconds["a run, one extractor"]) / 9
    table = Table("recycle: new pages of 2 KB, CPU", ("what", "ms per page"))
    for what, spent in {**seconds, "each further extractor": more}.items():
        table.add(what, f"{1000 * spent / PAGES:.4f}")
    return str(table)


def _pages() -> list[Page]:
    chance = random.Random(3)
    words = ["".join(chance.choices("abcdefghij", k=chance.randint(3, 9))) for _ in range(500)]
    return [
        Page(
            " ".join([*chance.choices(words, k=300), f"CS {100 + number % 900}, 2 pm\n"]),
            id=f"{number}.txt",
        )
        for number in range(PAGES)
    ]


def _run(patterns: Sequence[Pattern], pages: Sequence[Page]) -> None:
    place = workspace() / "small"
    shutil.rmtree(place, ignore_errors=True)
    Store(place).run(patterns, pages, jobs=1)
