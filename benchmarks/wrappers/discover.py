"""`rowen discover` without any mark: how many gold fields are columns of the tables that it finds.

Each site's labelled pages are given to `rowen.discover`. A column and a gold field are compared as
multisets of (page, text): all values of the field on a page, as a reader sees them, whatever their
order. Texts must be equal, so that a value which is part of a cell counts only where discover
offers that part as a column. A field counts where a column has an F1 of at least `ENOUGH`:

- of a list site, a column of one of the first `TABLES` tables;
- of a detail site (one record per page), a column of any table.

The variant leaves out pages whose labels miss records that the page shows (`missing_labels`).

Sites are held out by the digest of their name: only the others were looked at while developing.
"""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha1
from statistics import median
from typing import NamedTuple, TypeAlias

import rowen
from benchmarks.measure import Table
from benchmarks.wrappers.list_sites import list_sites
from benchmarks.wrappers.missing_labels import without_missing
from benchmarks.wrappers.sites import DETAIL, LISTS, Site, sites, there
from benchmarks.wrappers.texts import cleaned
from benchmarks.wrappers.trial import values_of

ENOUGH = 0.95
"""The F1 from which a column is the field."""
TABLES = 3
"""So many of a list site's tables are looked at."""

Values: TypeAlias = Counter[tuple[str, str]]
"""The texts of a column, with their pages."""


class Result(NamedTuple):
    """What discover found on a site: the best F1 of each gold field, and the seconds it took."""

    best: dict[str, float]
    seconds: float

    @property
    def hits(self) -> int:
        """How many gold fields are a column."""
        return sum(f1 >= ENOUGH for f1 in self.best.values())


def is_held(site: Site) -> bool:
    """Whether a site took no part in development."""
    return int(sha1(site.name.encode()).hexdigest(), 16) % 2 == 0


def run() -> str:
    """By collection: gold fields that are columns, sites with all of them, and seconds."""
    heads = ("sites", "number", "fields", "found", "all fields", "median s", "slowest s")
    table = Table(f"wrappers: discover, fields with F1 >= {ENOUGH}", heads)
    variant = Table("Variant: without the pages whose labels miss records", heads)
    collections: dict[str, Sequence[Site]] = {
        "made up": [Site(site.name, site.pages) for site in list_sites()]
    }
    if there():
        collections |= {name: sites(name) for name in (*LISTS, *DETAIL)}
    for collection, every in collections.items():
        is_list = collection not in DETAIL
        for held in (False, True):
            name = f"{collection}, {'held out' if held else 'developed on'}"
            chosen = [site for site in every if is_held(site) == held]
            whole = list(without_missing(chosen)) if is_list else chosen
            results = {site.name: measure(site, is_list=is_list) for site in chosen}
            if results:
                table.add(name, *_row(list(results.values())))
            if is_list and whole:
                pages = {site.name: len(site.pages) for site in chosen}
                others = [
                    results[site.name]
                    if len(site.pages) == pages[site.name]
                    else measure(site, is_list=True)
                    for site in whole
                ]
                variant.add(name, *_row(others))
    return f"{table}\n\n{variant}"


def _row(results: Sequence[Result]) -> Iterator[str]:
    fields = sum(len(result.best) for result in results)
    yield str(len(results))
    yield str(fields)
    yield f"{sum(result.hits for result in results) / fields:.0%}"
    yield f"{sum(result.hits == len(result.best) for result in results) / len(results):.0%}"
    yield f"{median(result.seconds for result in results):.2f}"
    yield f"{max(result.seconds for result in results):.2f}"


def measure(site: Site, *, is_list: bool) -> Result:
    """The best column for each gold field of a site."""
    begin = time.process_time()
    tables = rowen.discover([page for page, _ in site.pages])
    seconds = time.process_time() - begin
    if is_list:
        tables = tables[:TABLES]
    columns = [column for table in tables for column in _columns(table.records).values()]
    best = {
        name: max((overlap(gold, column) for column in columns), default=0.0)
        for name, gold in gold_fields(site).items()
    }
    return Result(best, seconds)


def gold_fields(site: Site) -> dict[str, Values]:
    """The values of each labelled field."""
    fields: dict[str, Values] = {}
    for page, label in site.pages:
        for record in label:
            for name, start, end in values_of(record):
                value = (page.id, cleaned(page.text[start:end]))
                fields.setdefault(name, Counter())[value] += 1
    return fields


def _columns(records: Iterable[rowen.Record]) -> dict[str, Values]:
    columns: dict[str, Values] = {}
    for record in records:
        for name, spans in record.items():
            for span in spans:
                value = (record.page.id, cleaned(record.page.text[span.start : span.end]))
                columns.setdefault(name, Counter())[value] += 1
    return columns


def overlap(gold: Values, column: Values) -> float:
    """F1 of the values of a column, as those of a field."""
    return 2 * (gold & column).total() / (gold.total() + column.total())
