"""Pages marked until a wrapper is perfect on pages held out (figure 7.4)."""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from statistics import mean
from typing import NamedTuple

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.wrappers.sites import DETAIL, LISTS, Marked, Site, sites
from benchmarks.wrappers.trial import CLASSES, SIX, form_for, perfect, try_learn

SPLITS = 3
"""Random splits of a site into halves to mark and to hold out; the thesis made 30."""
PAGES = 14
"""So many pages of a site take part."""
MOST = 6
"""The most pages that are marked."""
THESIS_MEAN = 3.0
ASKED = tuple(name for name in CLASSES if name != "auto")
"""`auto` is no class of its own: it learns all of them, several times over, which takes long."""


class Trials(NamedTuple):
    """The splits of one site: the pages needed in each, None where the half was not enough."""

    site: Site
    needed: tuple[int | None, ...]


@cache
def needed_by(name: str) -> tuple[Trials, ...]:
    """The trials of a class, on the sites with four pages or more that it can wrap."""
    found = []
    for site in sites(*DETAIL, *LISTS):
        form = form_for(name, site, whole=name not in SIX)
        if form is None or len(form.pages) < 4:
            continue
        pages = form.pages[:PAGES]
        if try_learn(pages, name) is None:
            continue
        chance = random.Random(site.name)
        needed = [_needed(chance.sample(pages, len(pages)), name) for _ in range(SPLITS)]
        found.append(Trials(form, tuple(needed)))
    return tuple(found)


def _needed(pages: Sequence[Marked], name: str) -> int | None:
    half = len(pages) // 2
    for count in range(1, min(half, MOST) + 1):
        wrapper = try_learn(pages[:count], name)
        if wrapper is not None and perfect(wrapper, pages[half:]):
            return count
    return None


def run() -> str:
    """The distribution over all trials, and means over sites as in the thesis."""
    counts = [str(count) for count in range(1, MOST + 1)]
    table = Table(
        f"wrappers: marked pages needed, {SPLITS} splits a site (the thesis' mean for hlrt: 3.0)",
        ("class", "sites", "trials", *counts, "more", "mean where enough", "at most 3"),
    )
    shares = {}
    for name in ASKED:
        trials = needed_by(name)
        all_needed = [one for trial in trials for one in trial.needed]
        distribution = Counter(all_needed)
        enough = [one for one in all_needed if one is not None]
        average = mean(enough) if enough else float("nan")
        shares[name] = [distribution[count] for count in (*range(1, MOST + 1), None)]
        table.add(
            name,
            str(len(trials)),
            str(len(all_needed)),
            *map(str, shares[name]),
            f"{average:.2f}",
            "yes" if average <= THESIS_MEAN else "NO",
        )
    figures.stacks(
        "examples",
        shares,
        parts=(*counts, "more"),
        title="Pages marked until perfect on held-out pages",
        axis="trials",
    )
    return (
        f"{table}\n\nOn the thesis' six classes only the fields count that each record has exactly "
        "once; on the others all fields. Sites that a class can't wrap are left out."
    )
