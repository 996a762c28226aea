"""`discover` beside other tools that need no marks, on all shared and made-up list sites.

As `discover` counts: gold fields that are a column, by their texts, of one of the first tables. A
peer sees one page at a time, so that its tables of the same number are compared on all pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import rowen
from benchmarks.measure import Table
from benchmarks.optional import optional, told
from benchmarks.wrappers.discover import ENOUGH, TABLES, Values, gold_fields, measure, overlap
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.list_sites import list_sites
from benchmarks.wrappers.peers.finders import FINDERS, Columns
from benchmarks.wrappers.sites import LISTS, Site, sites, there

SECONDS = 10.0
"""For one site, in CPU time."""


def run() -> str:
    """The share of gold fields that each tool finds."""
    usable = [name for name in FINDERS if optional(name) is not None]
    collections: dict[str, Sequence[Site]] = {
        "made up": [Site(site.name, site.pages) for site in list_sites()]
    }
    if there():
        collections |= {name: sites(name) for name in LISTS}
    table = Table(
        f"wrappers: without marks, fields with F1 >= {ENOUGH}",
        ("sites", "number", "fields", "rowen", *usable),
    )
    for name, collection in collections.items():
        fields = sum(len(gold_fields(site)) for site in collection)
        own = sum(measure(site, is_list=True).hits for site in collection)
        others = [sum(_hits(FINDERS[tool], site) for site in collection) for tool in usable]
        shares = (f"{hits / fields:.0%}" for hits in (own, *others))
        table.add(name, str(len(collection)), str(fields), *shares)
    return "\n".join([f"{table}\n", *(f"- {told(name)}" for name in FINDERS)])


def _hits(find: Callable[[rowen.Page], Iterator[Columns]], site: Site) -> int:
    def work() -> list[Values]:
        return list(_columns(find, site))

    try:
        columns = limited(work, SECONDS)
    except NotDone:
        return 0
    return sum(
        any(overlap(gold, column) >= ENOUGH for column in columns)
        for gold in gold_fields(site).values()
    )


def _columns(find: Callable[[rowen.Page], Iterator[Columns]], site: Site) -> Iterator[Values]:
    """The columns of the first tables, those of the same number on all pages together."""
    together: dict[tuple[int, int], Values] = {}
    for page, _ in site.pages:
        for number, table in zip(range(TABLES), find(page), strict=False):
            for place, texts in enumerate(table):
                values = together.setdefault((number, place), Counter())
                values.update((page.id, text) for text in texts)
    yield from together.values()
