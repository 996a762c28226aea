"""Wrappers in use: whether `check` tells right from wrong, and how much `repair` brings back.

Needs the shared data. What is right comes from labels (swde) or, on pages with a history, from the
HTML tree; a wrapper that finds anything else is wrong, however little.
"""

import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise

from benchmarks.measure import Table
from benchmarks.redesigns import REDESIGNS, redesigned
from benchmarks.shared import DATA
from benchmarks.wrappers.sites import Label, Marked, sites
from benchmarks.wrappers.texts import Record as Texts
from benchmarks.wrappers.texts import record_of
from benchmarks.wrappers.trial import perfect, try_learn
from rowen import Page, RowenError, Wrapper
from rowen.maintenance.drift import check
from rowen.maintenance.repair import repair
from rowen.text.tree import Element, Text, parse

MARKED = 3
"""So many pages of a site are marked."""
EVERY = 4
"""Repairing takes long: each fourth site is tried."""
KINDS = {"headings": ("h1", "h2", "h3"), "list items": ("li",), "links": ("a",)}


def in_tree(page: Page, tags: tuple[str, ...]) -> Label:
    """The elements of these names that have nothing but one text, by the HTML tree."""
    found = []
    for node in parse(page).descendants():
        if isinstance(node, Element) and node.tag in tags and len(node.children) == 1:
            (child,) = node.children
            if isinstance(child, Text) and len(child.spans) == 1:
                (span,) = child.spans
                text = span.of(page.text)
                if text.strip():
                    start = span.start + len(text) - len(text.lstrip())
                    found.append({"text": (start, start + len(text.strip()))})
    return found


def histories() -> Iterator[list[Page]]:
    """The versions of each page of the corpus that has them, in order of time."""
    versions: dict[str, list[Page]] = {}
    with tarfile.open(DATA / "evolving" / "ota_html.tar.xz") as tar:
        for member in sorted(tar.getmembers(), key=lambda one: one.name):
            if member.isfile() and (file := tar.extractfile(member)) is not None:
                path = re.sub(r"^.*?\d\d/", "", member.name)
                text = file.read().decode("utf-8", "replace")
                versions.setdefault(path, []).append(Page(text, id=path))
    yield from versions.values()


def verdicts() -> Iterator[tuple[str, bool, bool]]:
    """What was tried, whether the wrapper is still right, whether `check` found drift."""
    learned: list[tuple[Wrapper, Sequence[Marked]]] = []
    for _, pages in sites("swde"):
        wrapper = try_learn(pages[:MARKED], "token")
        if wrapper is not None:
            learned.append((wrapper, pages[MARKED:]))
    for (wrapper, rest), (_, others) in pairwise([*learned, learned[0]]):
        for pages, what in ((rest, "held-out pages"), (others, "another site's pages")):
            drifted = check(wrapper, [page for page, _ in pages]).drifted
            yield what, perfect(wrapper, pages), drifted
    for versions in histories():
        yield from _later(versions)


def _later(versions: list[Page]) -> Iterator[tuple[str, bool, bool]]:
    """The last version of a page, for a wrapper that was learned from the first."""
    first, last = versions[0], versions[-1]
    for tags in KINDS.values():
        label = in_tree(first, tags)
        if len(label) < 2:
            continue
        wrapper = try_learn([(first, label)], "token")
        if wrapper is not None and perfect(wrapper, [(first, label)]):
            drifted = check(wrapper, [last]).drifted
            yield "later versions", perfect(wrapper, [(last, in_tree(last, tags))]), drifted


def drift() -> Table:
    """How often `check` is right, by whether the wrapper still is."""
    title = "upkeep: what check says of wrappers that are still right, and of those that are not"
    table = Table(title, ("pages", "right: fits", "right: drift", "wrong: fits", "wrong: drift"))
    counts = Counter(verdicts())
    for what in dict.fromkeys(one for one, _, _ in counts):
        cells = [
            counts[what, right, drifted] for right in (True, False) for drifted in (False, True)
        ]
        table.add(what, *map(str, cells))
    return table


def repairs() -> Table:
    """Sites in a new design: whether the new wrapper finds there what the old one found before.

    Sites whose wrapper outlives the redesign don't count. *Same texts* are repairs that give all
    texts of all pages, some of them from another place where they stand as well. *In doubt* are
    those that don't and say so, and those that are refused.
    """
    title = "upkeep: repair of redesigned sites (swde)"
    columns = ("redesign", "sites", "right", "same texts", "in doubt", "wrong unsaid")
    table = Table(title, columns)
    for name, change in REDESIGNS.items():
        counts: Counter[str] = Counter()
        for _, site in islice(sites("swde"), 0, None, EVERY):
            outcome = _repaired(site, change)
            if outcome is not None:
                counts[outcome] += 1
        cells = [counts[one] for one in ("right", "texts", "doubt", "wrong")]
        table.add(name, str(counts.total()), *map(str, cells))
    return table


def _repaired(site: Sequence[Marked], change: Callable[[str], str]) -> str | None:
    wrapper = try_learn(site[:MARKED], "auto")
    if wrapper is None:
        return None
    found = [(page, wrapper.extract(page)) for page, _ in site]
    new = [
        redesigned(page, [dict(records[0].spans)], change)
        for page, records in found
        if len(records) == 1
    ]
    pages = [one for one in new if one is not None]
    if len(pages) < len(site) / 2 or perfect(wrapper, pages):
        return None
    known = [record.to_dict() for page, _ in site for record in wrapper.extract(page)]
    try:
        made = repair(wrapper, [page for page, _ in pages], known)
    except RowenError:
        return "doubt"
    if perfect(made.wrapper, pages):
        return "right"
    if all(_texts_of(made.wrapper, page) == [record_of(page, label[0])] for page, label in pages):
        return "texts"
    return "doubt" if made.report.doubts else "wrong"


def _texts_of(wrapper: Wrapper, page: Page) -> list[Texts]:
    return [record_of(page, record.spans) for record in wrapper.extract(page)]


def run() -> str:
    """All tables."""
    if not (DATA / "wrappers").exists():
        return "### upkeep\n\nThe shared data is not there."
    return f"{drift()}\n\n{repairs()}"


if __name__ == "__main__":
    print(run())
