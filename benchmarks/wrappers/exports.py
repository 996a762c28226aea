"""Wrappers as Python modules: how many there are, and on how many pages values are Rowen's.

`auto` learns from two pages of each site, and on lists also from one marked record. Each module
runs in an interpreter of its own that can't import Rowen, over all pages of the site.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.measure import Table
from benchmarks.wrappers.modern import learned, page_tasks, record_tasks
from benchmarks.wrappers.modern_pages import modern_sites
from benchmarks.wrappers.sites import DETAIL, LISTS, sites, there
from benchmarks.wrappers.trial import try_learn
from rowen import Page, Record, RowenError, Wrapper, export_wrapper

MARKED = 2
"""So many pages are marked."""

DRIVER = """
import json, sys
sys.path.insert(0, sys.argv[1])
import exported
assert not any(name.partition(".")[0] == "rowen" for name in sys.modules)
for line in sys.stdin:
    print(json.dumps(list(map(repr, exported.extract(*json.loads(line))))))
"""
"""Prints the records of each page as Python writes them, so that types and order count."""


class Learned(NamedTuple):
    """A wrapper, and the pages of its site."""

    collection: str
    site: str
    wrapper: Wrapper
    pages: Sequence[Page]


def run() -> str:
    """By class: wrappers, those that can be exported, pages, and pages with the same values."""
    heads = ("class", "wrappers", "exported", "pages", "equal")
    counts: dict[str, Counter[str]] = {}
    unequal = []
    for case in learned_wrappers():
        count = counts.setdefault(case.wrapper.wrapper_class, Counter())
        count["wrappers"] += 1
        try:
            source = export_wrapper(case.wrapper, "python")
        except RowenError as error:
            unequal.append(f"{case.collection} {case.site}: {error}")
            continue
        count["exported"] += 1
        results = run_exported(source, [(page.text, page.id or "") for page in case.pages])
        for page, given in zip(case.pages, results, strict=True):
            count["pages"] += 1
            if given == [repr(values_of(record)) for record in case.wrapper.extract(page)]:
                count["equal"] += 1
            else:
                unequal.append(f"{case.collection} {case.site}: page {page.id}")
    table = Table("wrappers: exported Python modules", heads)
    for kind, count in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
        table.add(kind, *(str(count[head]) for head in heads[1:]))
    return "\n".join([str(table), "", *unequal])


def values_of(record: Record) -> dict[str, Any]:
    """A record's values as the modules give them: with the children of nested classes."""
    children = [values_of(child) for child in record.children]
    return {**record.values, **({"children": children} if children else {})}


def learned_wrappers() -> Iterator[Learned]:
    """What `auto` learns on the hand-made and the shared sites."""
    for modern in modern_sites():
        pages = [gold.page for gold in modern.pages]
        for tasks in (page_tasks(modern, MARKED), record_tasks(modern, 1)):
            task = next(tasks, None)
            wrapper = None if task is None else learned(task)
            if wrapper is not None:
                yield Learned("modern", modern.name, wrapper, pages)
    for site in sites(*DETAIL, *LISTS) if there() else ():
        pages = [page for page, _ in site.pages]
        wrapper = try_learn(site.pages[:MARKED], "auto")
        if wrapper is not None:
            yield Learned("shared", site.name, wrapper, pages)
        page, label = site.pages[0]
        if len(label) > 1:
            wrapper = try_learn([(page, label[:1])], "auto", partial=True)
            if wrapper is not None:
                yield Learned("shared", site.name, wrapper, pages)


def run_exported(source: str, pages: Sequence[tuple[str, str]]) -> list[list[str]]:
    """The records of pages, each a text and an address, by a module in its own interpreter."""
    with TemporaryDirectory() as folder:
        Path(folder, "exported.py").write_text(source, "utf-8")
        # Isolated and without site packages: the standard library is all that there is.
        result = subprocess.run(  # our own module
            [sys.executable, "-I", "-S", "-c", DRIVER, folder],
            input="".join(f"{json.dumps(page)}\n" for page in pages),
            capture_output=True,
            check=True,
            text=True,
        )
    return [json.loads(line) for line in result.stdout.splitlines()]
