"""Rowen beside peers on all shared and made-up sites: lists from some marked records of a page,
detail pages from two marked pages.

Texts of the other records are compared for all, since peers give texts. A site without an answer in
time counts 0. Each collection is printed to standard error as soon as it is done: peers take long.
"""

import logging
import sys
from collections.abc import Sequence
from statistics import mean

from benchmarks.measure import Table
from benchmarks.optional import optional, told
from benchmarks.wrappers.comparison import TOOLS, Rowen, compare
from benchmarks.wrappers.detail_sites import made_up_sites
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.list_sites import list_sites
from benchmarks.wrappers.marks import LEAST
from benchmarks.wrappers.peers.base import Peer
from benchmarks.wrappers.quality import Task, detail
from benchmarks.wrappers.sites import DETAIL, LISTS, Marked, Site, sites, there
from benchmarks.wrappers.texts import Record, record_of
from benchmarks.wrappers.trial import Score
from rowen import Page

SECONDS = 3.0
"""For one site, learning and extraction together, in CPU time."""

COUNTS = (1, 3)
"""So many records of a list are marked."""

ASKED = 3
"""So many of a detail site's other pages are asked for."""


def run() -> str:
    """Macro F1 by tool and number of marked records."""
    logging.disable(logging.WARNING)
    usable = [name for name in TOOLS if optional(name) is not None]
    heads = [f"{name}, {count} marked" for name in usable for count in COUNTS]
    lists = Table("wrappers: lists beside peers, macro F1 of texts", ("sites", "number", *heads))
    for name, collection in _lists().items():
        pages = [page for site in collection if (page := _page(site)) is not None]
        scores = [
            mean(_of_list(tool, page, count) for page in pages)
            for tool in usable
            for count in COUNTS
        ]
        lists.add(name, str(len(pages)), *(f"{score:.2f}" for score in scores))
        print(lists.rows[-1], file=sys.stderr, flush=True)
    details = Table(
        "wrappers: detail pages beside peers, two marked, macro F1 of texts",
        ("sites", "number", *usable),
    )
    for name, collection in _details().items():
        tasks = [task for site in collection if (task := detail(site)) is not None]
        scores = [mean(_of_detail(tool, task) for task in tasks) for tool in usable]
        details.add(name, str(len(tasks)), *(f"{score:.2f}" for score in scores))
        print(details.rows[-1], file=sys.stderr, flush=True)
    logging.disable(logging.NOTSET)
    return "\n".join([f"{lists}\n\n{details}\n", *(f"- {told(name)}" for name in TOOLS)])


def _lists() -> dict[str, Sequence[Site]]:
    shared = {name: sites(name) for name in LISTS} if there() else {}
    return {"made up": [Site(site.name, site.pages) for site in list_sites()], **shared}


def _details() -> dict[str, Sequence[Site]]:
    return {
        "made up": made_up_sites(),
        **({name: sites(name) for name in DETAIL} if there() else {}),
    }


def _page(site: Site) -> Marked | None:
    return next((page for page in site.pages if len(page[1]) >= LEAST), None)


def _of_list(tool: str, marked: Marked, count: int) -> float:
    page, label = marked
    shown = [(page, label[:count])]
    found = _found(tool, shown, [page], several=True)
    known = [record_of(page, record) for record in label[:count]]
    wanted = [record_of(page, record) for record in label[count:]]
    return compare(found[0], wanted, known).f1 if found else 0.0


def _of_detail(tool: str, task: Task) -> float:
    asked = task.asked[:ASKED]
    found = _found(tool, task.marked, [page for page, _ in asked], several=False)
    total = Score()
    for (page, label), records in zip(asked, found, strict=False):
        wanted = [record_of(page, record) for record in label]
        total = total.plus(compare(records, wanted, []))
    return total.f1 if found else 0.0


def _found(
    tool: str, shown: Sequence[Marked], pages: Sequence[Page], *, several: bool
) -> list[list[Record]]:
    """The records of pages; none at all without an answer in time."""

    def work() -> list[list[Record]]:
        learned: Peer
        if tool == "rowen":
            learned = Rowen(shown, several=several, partial=several)
        else:
            learned = TOOLS[tool](shown, several=several)
        return [learned.extract(page) for page in pages]

    try:
        return limited(work, SECONDS)
    except NotDone:
        return []
