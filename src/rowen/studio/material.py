"""What a process of the studio works on: the pages of a project and their labels."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from rowen.documents.charset import read_page
from rowen.model import Example, Page, Record
from rowen.studio.state import Label

_CACHED = 64


Fetch: TypeAlias = Callable[[str], bytes]
"""Gives the content of the page with this name."""


@dataclass(frozen=True, slots=True)
class Pages:
    """A project's pages and labels, as far as a process needs them."""

    states: Mapping[str, str]
    """For each page what changes when its file is replaced."""
    labels: Mapping[str, Label]
    fields: tuple[str, ...]
    wrapper_class: str

    def read(self, fetch: Fetch) -> dict[str, Page]:
        """All pages, by their names."""
        return fetch_pages(self.states, fetch)

    def examples(self, pages: Mapping[str, Page]) -> list[Example]:
        """Those of them that tell something."""
        return [
            Example(pages[name], label.records, partial=not label.complete)
            for name, label in self.labels.items()
            if label.tells and name in pages
        ]


def read_pages(paths: Mapping[str, Path]) -> dict[str, Page]:
    """Pages by their names, from their files."""
    return {name: read_page(path.read_bytes(), name) for name, path in paths.items()}


def states_of(paths: Mapping[str, Path]) -> dict[str, str]:
    """The state of each file, by which a process knows whether it has read it."""
    found = {name: path.stat() for name, path in paths.items()}
    return {name: f"{paths[name]} {one.st_ino} {one.st_mtime_ns}" for name, one in found.items()}


def fetch_pages(states: Mapping[str, str], fetch: Fetch) -> dict[str, Page]:
    """Pages by their names; each is fetched once, as long as its file is not replaced."""
    return {name: _fetched(name, state, fetch) for name, state in states.items()}


def _fetched(name: str, state: str, fetch: Fetch) -> Page:
    page = _read.get((name, state))
    if page is None:
        page = _read[name, state] = read_page(fetch(name), name)
        if len(_read) > _CACHED:
            _read.popitem(last=False)
    _read.move_to_end((name, state))
    return page


def marks_of(record: Record) -> dict[str, Any]:
    """A record as label files have it."""
    marks: dict[str, Any] = dict(record.spans)
    if record.children:
        marks["children"] = [marks_of(child) for child in record.children]
    return marks


_read: OrderedDict[tuple[str, str], Page] = OrderedDict()
"""What this process has read."""
