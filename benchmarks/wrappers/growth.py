"""Whether results get better with more examples: the same pages are asked about each time."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import NamedTuple

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.wrappers.sites import DETAIL, LISTS, Marked, Site, sites
from benchmarks.wrappers.trial import Score, score, try_learn

COUNTS = (1, 2, 3, 5)
"""So many pages are marked, the fewer among the more."""
ASKED = 20
"""So many of a site's other pages are asked about at the most, none of which is ever marked."""
SPLITS = 2
"""Orders of a site's pages: that of its labels, and by chance."""
STEP = 0.01
"""A difference that counts."""


class Curve(NamedTuple):
    """A site's scores, for each count of marked pages that leaves pages to ask about."""

    site: Site
    scores: dict[int, Score]

    @property
    def steps(self) -> list[tuple[int, int, float]]:
        """From fewer marked pages to more: how much better the values are."""
        return [
            (fewer, more, self.scores[more].f1 - self.scores[fewer].f1)
            for fewer, more in pairwise(self.scores)
        ]


def curves(collections: Sequence[str]) -> Iterator[Curve]:
    """The curves of all sites with pages enough for two counts."""
    for site in sites(*collections):
        counts = [count for count in COUNTS if count < len(site.pages)]
        if len(counts) > 1:
            for split in range(SPLITS):
                pages = list(site.pages)
                if split:
                    random.Random(f"{site.name} {split}").shuffle(pages)
                asked = pages[counts[-1] :][:ASKED]
                yield Curve(site, {count: _score(pages[:count], asked) for count in counts})


def _score(marked: Sequence[Marked], asked: Sequence[Marked]) -> Score:
    wrapper = try_learn(marked, "auto")
    each = [score(wrapper, page, label) for page, label in asked]
    return Score(*map(sum, zip(*each, strict=True)))


def run() -> str:
    """Means over sites and orders, and which sites got worse."""
    table = Table(
        f"wrappers: F1 of values / records right, by marked pages ({SPLITS} orders of a site's)",
        ("kind", "sites", *map(str, COUNTS), "steps", "better", "worse"),
    )
    notes = []
    lines = {}
    for kind, collections in {"detail pages": DETAIL, "lists": LISTS}.items():
        found = list(curves(collections))
        for most in COUNTS[1:]:
            some = [one for one in found if max(one.scores) == most]
            if not some:
                continue
            steps = [step for one in some for *_, step in one.steps]
            table.add(
                f"{kind}, up to {most}",
                str(len({one.site.name for one in some})),
                *(
                    _cell([one.scores[count] for one in some if count in one.scores])
                    for count in COUNTS
                ),
                str(len(steps)),
                str(sum(step > STEP for step in steps)),
                str(sum(step < -STEP for step in steps)),
            )
            notes += [
                f"- {one.site.name}, {fewer} to {more}: {step:+.3f}"
                for one in some
                for fewer, more, step in one.steps
                if step < -STEP
            ]
            if most == COUNTS[-1]:
                lines[kind] = [(n, mean(one.scores[n].f1 for one in some)) for n in COUNTS]
    figures.lines(
        "growth",
        lines,
        title="Values on the same pages, by pages marked",
        axes=("pages marked", "F1"),
        logarithmic=False,
    )
    return "\n".join([f"{table}\n", "Worse with more:", "", *notes])


def _cell(scores: Sequence[Score]) -> str:
    if not scores:
        return ""
    return f"{mean(one.f1 for one in scores):.3f} / {mean(one.whole_part for one in scores):.3f}"
