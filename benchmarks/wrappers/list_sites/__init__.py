"""List sites in many layouts, invented, with gold: what regions were not developed on.

Each layout writes any number of pages with random contents, always the same for a seed. Sites whose
name's digest is odd are held out: their results were not looked at one by one.
"""

from collections.abc import Callable, Sequence
from hashlib import sha1
from random import Random
from typing import NamedTuple

from benchmarks.wrappers.list_sites import cards, tables, texts
from benchmarks.wrappers.list_sites.writing import Gold, Rows, read
from rowen import Page

LAYOUTS: Sequence[Callable[[Random, Rows], str]] = (
    cards.results,
    cards.shop,
    cards.board,
    cards.auction,
    cards.staff,
    cards.media,
    tables.fixtures,
    tables.departures,
    tables.rates,
    tables.stripes,
    tables.stories,
    tables.episodes,
    tables.month,
    tables.medals,
    tables.docket,
    tables.yellow,
    tables.timetable,
    texts.thread,
    texts.glossary,
    texts.outline,
    texts.notices,
    texts.lines,
    texts.results_text,
    texts.links,
    texts.comments,
    texts.references,
    texts.minutes,
    texts.directory,
    texts.features,
)
PAGES = 3
"""So many pages has a site."""


class ListSite(NamedTuple):
    """A site's pages with their records."""

    name: str
    pages: Sequence[tuple[Page, Gold]]

    @property
    def is_held(self) -> bool:
        """Whether it took no part in development."""
        return sha1(self.name.encode()).digest()[0] % 2 == 1


def list_sites(seed: int = 0) -> list[ListSite]:
    """All sites; another seed gives other contents."""
    return [list_site(layout, seed) for layout in LAYOUTS]


def list_site(layout: Callable[[Random, Rows], str], seed: int = 0) -> ListSite:
    """The site of a layout."""
    name = layout.__name__
    chance = Random(f"{name} {seed}")
    pages = [read(layout(chance, Rows()), f"{name}/{number}.html") for number in range(PAGES)]
    return ListSite(name, pages)
