"""Detail pages from 1, 2, 3 and 5 marked ones: F1 by text, pages right, steps that made it worse.

For each site some orders of its pages are drawn by chance. The first pages of an order are marked,
the last ones are asked about, the same for each count. *With pages* gives the pages that are asked
about to the learner, without their labels, as `rowen learn` does with every page that it is given.
Sites are divided by a hash of their names: causes of errors are looked up in the half *seen* only,
and prices and other constants are chosen on it; the half *held out* is only counted.

    python -m benchmarks.wrappers details
"""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from statistics import mean
from typing import NamedTuple

from benchmarks.measure import Table
from benchmarks.wrappers.detail_sites import made_up_sites
from benchmarks.wrappers.sites import DETAIL, Label, Marked, Site, sites, there
from benchmarks.wrappers.texts import record_of
from rowen import Example, NoConsistentWrapper, Page, Wrapper, learn

COUNTS = (1, 2, 3, 5)
"""So many pages are marked, the fewer among the more."""
ORDERS = 3
"""Orders of a site's pages."""
WORSE = 0.02
"""A further page makes it worse where F1 falls by more than this."""


class Outcome(NamedTuple):
    """Values and pages that are right, by text, and what learning took."""

    right: int
    extracted: int
    expected: int
    pages_right: int
    pages: int
    seconds: float

    @property
    def f1(self) -> float:
        """Of the values."""
        return 2 * self.right / max(self.extracted + self.expected, 1)


class Curve(NamedTuple):
    """The outcomes of one order of a site's pages, by the count of marked pages."""

    site: str
    outcomes: dict[int, Outcome]

    @property
    def steps(self) -> list[float]:
        """From fewer marked pages to more: how much F1 rises."""
        return [after.f1 - before.f1 for before, after in pairwise(list(self.outcomes.values()))]


def is_seen(site: Site) -> bool:
    """Whether errors on this site may be looked at."""
    return sha256(site.name.encode()).digest()[0] % 2 == 0


def orders(site: Site, count: int = ORDERS) -> Iterator[list[Marked]]:
    """A site's pages in some orders by chance."""
    for number in range(count):
        pages = list(site.pages)
        random.Random(f"{site.name} {number}").shuffle(pages)
        yield pages


def curve(site: Site, pages: Sequence[Marked], *, unlabelled: bool) -> Curve:
    """Learn from ever more of the first pages, and compare on the last ones."""
    asked = pages[COUNTS[-1] :]
    voters = [page for page, _ in asked] if unlabelled else []
    return Curve(site.name, {count: _outcome(pages[:count], asked, voters) for count in COUNTS})


def _outcome(marked: Sequence[Marked], asked: Sequence[Marked], voters: list[Page]) -> Outcome:
    started = time.process_time()
    wrapper: Wrapper | None
    try:
        wrapper = learn([Example(page, label) for page, label in marked], pages=voters)
    except NoConsistentWrapper:
        wrapper = None
    seconds = time.process_time() - started
    counts = [_compare(wrapper, page, label) for page, label in asked]
    right, extracted, expected, whole = map(sum, zip(*counts, strict=True))
    return Outcome(right, extracted, expected, whole, len(asked), seconds)


def _compare(wrapper: Wrapper | None, page: Page, label: Label) -> tuple[int, int, int, int]:
    records = [] if wrapper is None else wrapper.extract(page)
    gives = _values(record_of(page, record.spans) for record in records)
    wants = _values(record_of(page, record) for record in label)
    return len(gives & wants), len(gives), len(wants), gives == wants


def _values(records: Iterable[dict[str, list[str]]]) -> set[tuple[str, str]]:
    return {(name, text) for record in records for name in record for text in record[name]}


def run() -> str:
    """A table of both halves of the shared and of the made-up sites."""
    table = Table(
        "wrappers: detail pages, F1 by text (macro) / pages right, by pages marked",
        (
            "sites",
            "number",
            "unlabelled pages",
            *map(str, COUNTS),
            f"steps worse by {WORSE}",
            "CPU median",
            "99%",
        ),
    )
    collections = {"swde": sites(*DETAIL) if there() else (), "made up": made_up_sites()}
    for kind, of_kind in collections.items():
        for half in (True, False):
            some = [site for site in of_kind if is_seen(site) is half]
            if not some:
                continue
            for unlabelled in (False, True):
                drawn = [
                    curve(site, pages, unlabelled=unlabelled)
                    for site in some
                    for pages in orders(site)
                ]
                name = f"{kind}, {'seen' if half else 'held out'}"
                given = "with" if unlabelled else "without"
                table.add(name, str(len(some)), given, *_cells(drawn))
    return str(table)


def _cells(drawn: Sequence[Curve]) -> Iterator[str]:
    for count in COUNTS:
        some = [each.outcomes[count] for each in drawn]
        whole = sum(outcome.pages_right for outcome in some) / sum(each.pages for each in some)
        yield f"{mean(outcome.f1 for outcome in some):.3f} / {whole:.0%}"
    steps = [step for each in drawn for step in each.steps]
    yield f"{sum(step < -WORSE for step in steps) / len(steps):.1%} of {len(steps)}"
    seconds = sorted(outcome.seconds for each in drawn for outcome in each.outcomes.values())
    yield f"{seconds[len(seconds) // 2]:.2f}"
    yield f"{seconds[len(seconds) * 99 // 100]:.2f}"
