"""What a process of the studio works on: the pages of a project and their labels."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowen.documents.charset import read_page
from rowen.model import Example, Page, Record
from rowen.studio.state import Label

_CACHED = 64


@dataclass(frozen=True, slots=True)
class Pages:
    """A project's pages and labels, as far as a process needs them."""

    paths: Mapping[str, Path]
    labels: Mapping[str, Label]
    fields: tuple[str, ...]
    wrapper_class: str

    def read(self) -> dict[str, Page]:
        """All pages, by their names."""
        return read_pages(self.paths)

    def examples(self, pages: Mapping[str, Page]) -> list[Example]:
        """Those of them that tell something."""
        return [
            Example(pages[name], label.records, partial=not label.complete)
            for name, label in self.labels.items()
            if label.tells and name in pages
        ]


def read_pages(paths: Mapping[str, Path]) -> dict[str, Page]:
    """Pages by their names."""
    return {name: read(name, path) for name, path in paths.items()}


def read(name: str, path: Path) -> Page:
    """A page; it is read once, as long as its file is not replaced."""
    found = path.stat()
    key = (name, path, found.st_ino, found.st_mtime_ns)
    page = _read.get(key)
    if page is None:
        page = _read[key] = read_page(path.read_bytes(), name)
        if len(_read) > _CACHED:
            _read.popitem(last=False)
    _read.move_to_end(key)
    return page


def marks_of(record: Record) -> dict[str, Any]:
    """A record as label files have it."""
    marks: dict[str, Any] = dict(record.spans)
    if record.children:
        marks["children"] = [marks_of(child) for child in record.children]
    return marks


_read: OrderedDict[tuple[str, Path, int, int], Page] = OrderedDict()
"""What this process has read."""
