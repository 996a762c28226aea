"""How fast wrappers extract: by class, and beside lxml and autoscraper on the same pages."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.measure import Table, best_of
from benchmarks.optional import optional, told
from benchmarks.wrappers.peers.autoscraper import AutoScraper
from benchmarks.wrappers.sites import DETAIL, LISTS, Marked, sites
from benchmarks.wrappers.trial import try_learn
from benchmarks.wrappers.xpaths import XPaths
from rowen import Page, Wrapper

TARGETS = {"lr": 200, "hlrt": 200, "token": 40}
"""MB/s."""
CLASSES = (*TARGETS, "auto")
LXML_TARGET = 3
AUTOSCRAPER_TARGET = 20
PAGES = 3
"""So many pages of a site are compared with others."""
EVERY = 16
"""Autoscraper takes long to learn: each sixteenth site is enough for it."""


def run() -> str:
    """Rates, and ratios site by site."""
    return "\n\n".join(map(str, (_rates(), _ratios())))


def _rates() -> Table:
    table = Table(
        "wrappers: extraction over the shared pages, every value read",
        ("class", "pages", "MB/s", "target"),
    )
    for name, target in TARGETS.items():
        read = took = 0.0
        count = 0
        for site in sites(*DETAIL, *LISTS):
            wrapper = try_learn(site.pages[:1], name)
            if wrapper is None:
                continue
            start = time.process_time()
            for page, _ in site.pages:
                _read(wrapper, page)
            took += time.process_time() - start
            read += sum(len(page.text) for page, _ in site.pages) / 1e6
            count += len(site.pages)
        rate = read / took
        met = "met" if rate >= target else "MISSED"
        table.add(name, str(count), f"{rate:.0f}", f">= {target}: {met}")
    return table


def _read(wrapper: Wrapper, page: Page) -> object:
    """Extracts, and looks at each value: records are made when somebody looks."""
    return [record.values for record in wrapper.extract(page)]


def _ratios() -> Table | str:
    if optional("lxml.etree") is None or optional("autoscraper") is None:
        return f"### wrappers: extraction beside others\n\n{told('lxml')}\n{told('autoscraper')}"
    table = Table(
        "wrappers: CPU milliseconds a page beside others that give the same fields",
        (
            *("class", "sites", "rowen", "lxml, compiled XPaths", "times", f"target {LXML_TARGET}"),
            *("sites below", "sites beside autoscraper", "rowen", "autoscraper", "times"),
            f"target {AUTOSCRAPER_TARGET}",
        ),
    )
    rivals = [_rivals(site.pages, number) for number, site in enumerate(sites(*DETAIL, *LISTS))]
    for name in CLASSES:
        beside: dict[str, list[tuple[float, float]]] = {"lxml": [], "autoscraper": []}
        for marked, ways in rivals:
            wrapper = try_learn(marked[:1], name) if ways else None
            if wrapper is not None:
                _measure(wrapper, [page for page, _ in marked], ways, beside)
        table.add(name, *_cells(beside))
    return table


def _rivals(
    pages: Sequence[Marked], number: int
) -> tuple[Sequence[Marked], dict[str, Callable[[Page], object]]]:
    """The first pages with the fields that XPaths find, and what finds them there."""
    xpaths = XPaths(pages[:PAGES])
    marked = [
        (page, [{key: one[key] for key in one if key in xpaths.fields} for one in label])
        for page, label in pages[:PAGES]
    ]
    if not xpaths.fields:
        return marked, {}
    sources = {page.text: page.text.encode() for page, _ in marked}
    ways: dict[str, Callable[[Page], object]] = {
        "lxml": lambda page: xpaths.extract(sources[page.text])
    }
    if number % EVERY == 0:
        scraper = AutoScraper(marked[:1], several=len(marked[0][1]) > 1)
        ways["autoscraper"] = scraper.extract
    return marked, ways


def _measure(
    wrapper: Wrapper,
    pages: Sequence[Page],
    ways: dict[str, Callable[[Page], object]],
    beside: dict[str, list[tuple[float, float]]],
) -> None:
    """Seconds a page of the wrapper and of each other way, in interleaved rounds."""
    for rival, way in ways.items():
        both: dict[str, Callable[[], object]] = {
            "rowen": partial(_each, partial(_read, wrapper), pages),
            "rival": partial(_each, way, pages),
        }
        best = best_of(both, rounds=3 if rival == "lxml" else 1, clock=time.process_time)
        beside[rival].append((best["rowen"] / len(pages), best["rival"] / len(pages)))


def _each(way: Callable[[Page], object], pages: Sequence[Page]) -> object:
    return [way(page) for page in pages]


def _cells(beside: dict[str, list[tuple[float, float]]]) -> list[str]:
    cells = []
    for rival, target in (("lxml", LXML_TARGET), ("autoscraper", AUTOSCRAPER_TARGET)):
        measured = beside[rival]
        mine, theirs = (sum(one) / len(measured) for one in zip(*measured, strict=True))
        times = theirs / mine
        met = "met" if times >= target else "MISSED"
        cells += [str(len(measured)), f"{mine * 1e3:.3f}", f"{theirs * 1e3:.2f}", f"{times:.1f}"]
        cells.append(met)
        if rival == "lxml":
            cells.append(str(sum(one[1] < target * one[0] for one in measured)))
    return cells
