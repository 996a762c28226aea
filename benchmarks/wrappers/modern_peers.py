"""Peers on the modern pages: two pages marked, the texts of all fields compared."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any

from benchmarks.measure import Table
from benchmarks.optional import optional, told
from benchmarks.wrappers.comparison import TOOLS
from benchmarks.wrappers.limited import NotDone, limited
from benchmarks.wrappers.modern_pages import GoldPage, ModernSite, Tree
from benchmarks.wrappers.modern_values import compare, is_record, listed, text_form, total
from benchmarks.wrappers.peers.base import Peer
from benchmarks.wrappers.sites import Marked

MARKED = 2
"""So many pages are marked."""
SECONDS = 15.0
"""For one site, learning and extraction together."""


def beside_peers(sites: Sequence[ModernSite]) -> str:
    """F1 of texts; no peer knows nested records, so all fields of a record are at one level."""
    usable = {
        name: tool for name, tool in TOOLS.items() if name != "rowen" and optional(name) is not None
    }
    versions = "\n".join(f"- {told(name)}" for name in TOOLS if name != "rowen")
    if not usable:
        return f"Peers on the modern pages:\n\n{versions}"
    logging.disable(logging.WARNING)
    table = Table(f"wrappers, modern pages: peers, {MARKED} pages: F1 of texts", ("site", *usable))
    figures: dict[str, list[float]] = {name: [] for name in usable}
    reasons: Counter[str] = Counter()
    for site in sites:
        for name, tool in usable.items():
            try:
                figures[name].append(_f1(tool, site))
            except NotDone as reason:
                figures[name].append(0.0)
                reasons[f"{name}: {reason}"] += 1
        table.add(site.name, *(f"{each[-1]:.2f}" for each in figures.values()))
    table.add("mean over sites", *(f"{mean(each):.2f}" for each in figures.values()))
    logging.disable(logging.NOTSET)
    notes = [f"- {count} x {reason}" for reason, count in reasons.items()]
    return "\n".join([f"{table}\n", versions, *notes])


def _f1(tool: Callable[..., Peer], site: ModernSite) -> float:
    several = site.is_list
    asked = site.pages[MARKED:]

    def work() -> list[list[dict[str, list[str]]]]:
        peer = tool([_marked(page) for page in site.pages[:MARKED]], several=several)
        return [peer.extract(page.page) for page in asked]

    found = limited(work, SECONDS)
    return total(
        compare(records, [_flat(label) for label in page.labels], text_form)
        for page, records in zip(asked, found, strict=True)
    ).f1


def _marked(page: GoldPage) -> Marked:
    return page.page, [_spans(record) for record in page.spans]


def _flat(record: Tree, path: str = "") -> dict[str, list[str]]:
    """All texts of a record by the paths of their fields."""
    return _level(record, path, is_leaf=lambda content: isinstance(content, str))


def _spans(record: Tree) -> Mapping[str, Any]:
    return _level(record, "", is_leaf=lambda content: isinstance(content[0], int))


def _level(record: Tree, path: str, *, is_leaf: Callable[[Any], bool]) -> dict[str, list[Any]]:
    level: dict[str, list[Any]] = {}
    for name, content in record.items():
        contents = [content] if content and is_leaf(content) else listed(content)
        for each in contents:
            if is_record(each):
                for inner, more in _level(each, f"{path}{name}.", is_leaf=is_leaf).items():
                    level.setdefault(inner, []).extend(more)
            else:
                level.setdefault(f"{path}{name}", []).append(each)
    return level
