"""Made-up sites of detail pages with gold: 23 layouts with the habits of real sites.

None was made to suit a learner: labels beside values, blocks that come and go, rows in another
order, related items with the markup of the main one, cities and ZIP codes that pages share by
chance, values inside sentences, two layouts in one site.
"""

import random
from functools import cache

from benchmarks.wrappers.detail_sites import (
    articles,
    guides,
    places,
    players,
    products,
    restaurants,
)
from benchmarks.wrappers.detail_sites.page import Writer, read_gold
from benchmarks.wrappers.sites import Site
from rowen import Page

PAGES = 16
"""Pages of each site."""


@cache
def made_up_sites() -> tuple[Site, ...]:
    """All sites, always the same."""
    rooms = (restaurants, places, players, products, articles, guides)
    return tuple(_site(name, room.SITES[name]) for room in rooms for name in room.SITES)


def _site(name: str, write_page: Writer) -> Site:
    pages = []
    for number in range(PAGES):
        text, label = read_gold(write_page(random.Random(f"{name} {number}")))
        pages.append((Page(text, id=f"{name}/{number}.html"), [label]))
    names = {field for _, (label,) in pages for field in label}
    return Site(
        f"made/{name}",
        [
            (page, [{field: label.get(field) for field in sorted(names)}])
            for page, (label,) in pages
        ],
    )
