"""What clean and typed values cost, in proportion to extraction with the page's own text."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from benchmarks.measure import Table, best_of
from benchmarks.wrappers.sites import DETAIL, LISTS, sites
from benchmarks.wrappers.trial import try_learn
from rowen import Page, Wrapper
from rowen.records.schema import Schema
from rowen.text.charset import read_page

File: TypeAlias = tuple[bytes, str]
"""The content of a page, and its id."""

CLASSES = ("lr", "hlrt", "token")
TARGET = 0.15
ROUNDS = 3


def run() -> str:
    """The cost by class, over all shared sites."""
    table = Table(
        "wrappers: values over the shared pages, every value read, beside the page's own text",
        (
            *("class", "pages", "values", "with markup, references or white space"),
            *("ms a page with reading it, sources", "texts", "more", f"target {TARGET:.0%}"),
            *("types as suggested", "more"),
            *("ms a page in memory, sources", "texts"),
        ),
    )
    for name in CLASSES:
        table.add(name, *_cells(name))
    return str(table)


def _cells(name: str) -> list[str]:
    seconds = dict.fromkeys(("source", "text", "typed", "memory source", "memory text"), 0.0)
    pages = values = changed = 0
    for site in sites(*DETAIL, *LISTS):
        wrapper = try_learn(site.pages[:1], name)
        if wrapper is None:
            continue
        texts = [page for page, _ in site.pages]
        files = [(page.text.encode("utf-8", "replace"), page.id) for page in texts]
        typed = Schema.of(wrapper.suggested_types)
        ways: dict[str, Callable[[], object]] = {
            "source": partial(_sources, wrapper, files),
            "text": partial(_values, wrapper, files, Schema()),
            "typed": partial(_values, wrapper, files, typed),
            "memory source": partial(_sources, wrapper, texts),
            "memory text": partial(_values, wrapper, texts, Schema()),
        }
        for way, least in best_of(ways, rounds=ROUNDS, clock=time.process_time).items():
            seconds[way] += least
        wrapper.given_schema = Schema()
        for page in texts:
            for record in wrapper.extract(page):
                pairs = zip(record.source.values(), record.values.values(), strict=True)
                values += len(record.source)
                changed += sum(source != value for source, value in pairs)
        pages += len(texts)
    source, text, typed_seconds, *memory = (1e3 * seconds[way] / pages for way in seconds)
    more = text / source - 1
    return [
        str(pages),
        str(values),
        f"{changed / values:.0%}",
        f"{source:.3f}",
        f"{text:.3f}",
        f"{more:.0%}",
        "met" if more <= TARGET else "MISSED",
        f"{typed_seconds:.3f}",
        f"{typed_seconds / source - 1:.0%}",
        *(f"{milliseconds:.3f}" for milliseconds in memory),
    ]


def _sources(wrapper: Wrapper, pages: Sequence[File | Page]) -> object:
    return [record.source for page in pages for record in wrapper.extract(_read(page))]


def _values(wrapper: Wrapper, pages: Sequence[File | Page], schema: Schema) -> object:
    wrapper.given_schema = schema
    return [record.values for page in pages for record in wrapper.extract(_read(page))]


def _read(page: File | Page) -> Page:
    return page if isinstance(page, Page) else read_page(*page)
