"""How long learning takes (figure 7.6), and how that grows with the pages."""

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.wrappers.made_up import long_table, pages
from benchmarks.wrappers.sites import LISTS, Label, Marked, Site, nested, sites
from benchmarks.wrappers.survey import survey
from benchmarks.wrappers.trial import CLASSES, NESTED, TABULAR, try_learn
from rowen import Example, Page, learn

SIZES = (25_000, 50_000, 100_000, 200_000)
ROUNDS = 2
ALLOWED_SECONDS = 0.3
ALLOWED_GROWTH = 1.3
"""Of tabular classes: seconds for ten pages of 25 KB; and growth beside that of the pages."""


def run() -> str:
    """On made-up pages, easy and hard, and on the sites."""
    return "\n\n".join(map(str, (_growth(), _on_sites(), _of_lists())))


def _growth() -> Table:
    table = Table(
        "wrappers: CPU seconds to learn 10 pages of 20 records of 6 fields, made up",
        (
            "class",
            "pages",
            *(f"{size // 1000} KB" for size in SIZES),
            "largest growth a doubling",
            "growth 25 to 200 KB, over 8",
            "targets",
        ),
    )
    curves = {}
    easy = [(name, "plain") for name in CLASSES]
    for name, shape in (*easy, ("oclr", "oclr"), ("hoclrt", "hoclrt")):
        seconds = [_seconds(pages(size, shape, 10), name) for size in SIZES]
        searched = "quick path" if shape == "plain" else "full search"
        what = searched if name in TABULAR else "plain"
        curves[f"{name}, {what}" if what != "plain" else name] = [
            (size / 1000, one) for size, one in zip(SIZES, seconds, strict=True)
        ]
        doublings = [after / before for before, after in pairwise(seconds)]
        growth = seconds[-1] / seconds[0] / (SIZES[-1] / SIZES[0])
        met = growth <= ALLOWED_GROWTH and seconds[0] < ALLOWED_SECONDS
        table.add(
            name,
            what,
            *(f"{one:.3f}" for one in seconds),
            f"{max(doublings):.2f}",
            f"{growth:.2f}",
            ("met" if met else "MISSED") if name in TABULAR else "",
        )
    figures.lines(
        "learning",
        curves,
        title="Learning from 10 made-up pages",
        axes=("page size, KB", "seconds"),
    )
    return table


def _seconds(marked: Sequence[Marked], name: str) -> float:
    """The best of some rounds; of one where it takes long anyway."""
    given = nested(Site("", marked)).pages if name in NESTED else marked
    examples = [Example(*one) for one in given]
    best = float("inf")
    for _ in range(ROUNDS):
        best = min(best, _timed(lambda: learn(examples, name)))
        if best > 5:
            break
    return best


def _timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _of_lists() -> Table:
    """`auto` from the first marked records of lists, and of a table of 2.3 MB."""
    table = Table(
        "wrappers: CPU seconds of auto from marked records of a list",
        ("pages", "1 marked, median", "99%", "2 marked, median", "99%"),
    )
    labelled = [site.pages[0] for site in sites(*LISTS) if len(site.pages[0][1]) > 2]
    columns = []
    for count in (1, 2):
        seconds = sorted(_of_marks(page, label[:count]) for page, label in labelled)
        columns += [f"{median(seconds):.3f}", f"{seconds[len(seconds) * 99 // 100]:.2f}"]
    table.add(f"{len(labelled)} list sites", *columns)
    page, label = long_table()
    for name, first in (("first rows", 0), ("rows in the middle", len(label) // 2)):
        cells = [f"{_of_marks(page, label[first : first + count]):.2f}" for count in (1, 2)]
        table.add(f"a table of {len(page.text) / 1e6:.1f} MB, {name}", cells[0], "", cells[1], "")
    return table


def _of_marks(page: Page, marks: Label) -> float:
    def work() -> None:
        try_learn([(page, marks)], "auto", partial=True)

    return _timed(work)


def _on_sites() -> Table:
    table = Table(
        "wrappers: CPU seconds to learn a site's first pages, whether a wrapper exists or not",
        ("class", "sites", "median", "90%", "most", "slowest site", "KB/s at the median"),
    )
    for name in CLASSES:
        asked = sorted(
            (found[name].seconds, found[name].characters, site)
            for site, found in survey(whole=True).items()
            if found[name].characters
        )
        rates = [characters / seconds / 1000 for seconds, characters, _ in asked]
        table.add(
            name,
            str(len(asked)),
            f"{asked[len(asked) // 2][0]:.3f}",
            f"{asked[len(asked) * 9 // 10][0]:.3f}",
            f"{asked[-1][0]:.2f}",
            asked[-1][2],
            f"{median(rates):.0f}",
        )
    return table
