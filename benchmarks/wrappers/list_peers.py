"""Lists from one, two and three marked records, beside peers, on all shared and made-up list sites.

Texts of the page's other records are compared for all, since peers give texts. A site without an
answer in time counts 0.
"""

import logging
from collections.abc import Sequence
from statistics import mean

from benchmarks.measure import Table
from benchmarks.optional import optional, told
from benchmarks.wrappers.comparison import TOOLS, Rowen, compare
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.list_sites import list_sites
from benchmarks.wrappers.marks import COUNTS, LEAST
from benchmarks.wrappers.peers.base import Peer
from benchmarks.wrappers.sites import LISTS, Marked, Site, sites, there
from benchmarks.wrappers.texts import Record, record_of

SECONDS = 4.0
"""For one page, learning and extraction together, in CPU time."""


def run() -> str:
    """Macro F1 by tool and number of marked records."""
    logging.disable(logging.WARNING)
    usable = [name for name in TOOLS if optional(name) is not None]
    heads = [f"{name}, {count} marked" for name in usable for count in COUNTS]
    table = Table("wrappers: lists beside peers, macro F1 of texts", ("sites", "number", *heads))
    chosen: dict[str, Sequence[Site]] = {
        "made up": [Site(site.name, site.pages) for site in list_sites()]
    }
    if there():
        chosen = {**{name: sites(name) for name in LISTS}, **chosen}
    for name, collection in chosen.items():
        large = [page for site in collection if (page := _page(site)) is not None]
        scores = [
            mean(_f1(tool, page, count) for page in large) for tool in usable for count in COUNTS
        ]
        table.add(name, str(len(large)), *(f"{score:.2f}" for score in scores))
    logging.disable(logging.NOTSET)
    return "\n".join([f"{table}\n", *(f"- {told(name)}" for name in TOOLS)])


def _page(site: Site) -> Marked | None:
    return next((page for page in site.pages if len(page[1]) >= LEAST), None)


def _f1(tool: str, marked: Marked, count: int) -> float:
    page, label = marked

    def work() -> list[Record]:
        shown = [(page, label[:count])]
        learned: Peer
        if tool == "rowen":
            learned = Rowen(shown, several=True, partial=True)
        else:
            learned = TOOLS[tool](shown, several=True)
        return learned.extract(page)

    try:
        found = limited(work, SECONDS)
    except NotDone:
        return 0.0
    known = [record_of(page, record) for record in label[:count]]
    wanted = [record_of(page, record) for record in label[count:]]
    return compare(found, wanted, known).f1
