"""The pages and labels of a project, as the studio's processes get them."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from rowen.extractors.saved import parse_all
from rowen.model import Page
from rowen.model.errors import ExtractorError
from rowen.records import Example
from rowen.studio.nesting import fold, folded_types
from rowen.studio.state import Label
from rowen.text.charset import read_page
from rowen.wrappers.base import Wrapper

_CACHED = 64  # pages per process


Fetch: TypeAlias = Callable[[str], bytes]
"""Returns the content of the page with this name."""


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages and labels of a project."""

    states: Mapping[str, str]
    """For each page a text that changes when its file is replaced."""
    labels: Mapping[str, Label]
    fields: tuple[str, ...]
    wrapper_class: str
    types: Mapping[str, str] = field(default_factory=dict)
    table: str | None = None
    """The definition of the suggested table that was chosen."""

    def read(self, fetch: Fetch) -> dict[str, Page]:
        """All pages by name."""
        return fetch_pages(self.states, fetch)

    def schema(self) -> dict[str, Any]:
        """The types of the fields that are marked: learning knows no others."""
        marked = {
            name for label in self.labels.values() for marks in label.records for name in marks
        }
        return folded_types({name: kind for name, kind in self.types.items() if name in marked})

    def can_propose(self, examples: Sequence[Example]) -> bool:
        """Whether there is anything to propose records from: labels, or a chosen table."""
        return self.table is not None or any(example.records for example in examples)

    def examples(self, pages: Mapping[str, Page]) -> list[Example]:
        """The labelled pages."""
        return [
            example_of(pages[name], label)
            for name, label in self.labels.items()
            if label.is_usable and name in pages
        ]


def wrapper_of(definition: str) -> Wrapper:
    """The wrapper of a definition; ExtractorError if it is another kind of extractor."""
    (extractor,) = parse_all(definition, "json")
    if not isinstance(extractor, Wrapper):
        raise ExtractorError(f"{extractor.name!r} is not a wrapper")
    return extractor


def example_of(page: Page, label: Label) -> Example:
    """A page with its label; LabelError if they contradict each other."""
    records = [fold(record, complete=label.complete) for record in label.records]
    return Example(page, records, partial=not label.complete)


def read_pages(paths: Mapping[str, Path]) -> dict[str, Page]:
    """Pages by name, from their files."""
    return {name: read_page(path.read_bytes(), name) for name, path in paths.items()}


def states_of(paths: Mapping[str, Path]) -> dict[str, str]:
    """The state of each file, by which a process knows whether it has read it already."""
    # Also the inode: two writes may fall into one tick of the clock, but a file is replaced.
    statuses = {name: path.stat() for name, path in paths.items()}
    return {
        name: f"{paths[name]} {status.st_ino} {status.st_mtime_ns}"
        for name, status in statuses.items()
    }


def fetch_pages(states: Mapping[str, str], fetch: Fetch) -> dict[str, Page]:
    """Pages by name; each is fetched once, unless its file is replaced."""
    return {name: _fetched(name, state, fetch) for name, state in states.items()}


def _fetched(name: str, state: str, fetch: Fetch) -> Page:
    page = _read.get((name, state))
    if page is None:
        page = _read[name, state] = read_page(fetch(name), name)
        if len(_read) > _CACHED:
            _read.popitem(last=False)
    _read.move_to_end((name, state))
    return page


_read: OrderedDict[tuple[str, str], Page] = OrderedDict()
"""Pages that this process has read, the latest last."""
