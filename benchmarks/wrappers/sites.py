"""The shared labelled sites, as they are and in the forms that single classes want."""

import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from benchmarks.shared import DATA
from rowen import Page

DETAIL = ("swde",)
LISTS = ("court_opinions", "procyclingstats", "pacer_attachments")

Label: TypeAlias = Sequence[Mapping[str, Any]]
Marked: TypeAlias = tuple[Page, Label]


class Site(NamedTuple):
    """A site's labelled pages, in the order of its label file."""

    name: str
    pages: Sequence[Marked]


def there() -> bool:
    """Whether the shared data is."""
    return (DATA / "wrappers").exists()


@cache
def sites(*collections: str) -> tuple[Site, ...]:
    """The sites of some collections."""
    return tuple(site for collection in collections for site in _read(collection))


def _read(collection: str) -> Iterator[Site]:
    texts: dict[str, str] = {}
    labels: dict[str, str] = {}
    with tarfile.open(DATA / "wrappers" / f"{collection}.tar.xz") as tar:
        for member in tar:
            if member.isfile() and (file := tar.extractfile(member)) is not None:
                kept = labels if member.name.endswith("labels.jsonl") else texts
                kept[member.name] = file.read().decode("utf-8", "replace")
    for name, lines in sorted(labels.items()):
        folder = name.removesuffix("labels.jsonl")
        pages = []
        for line in lines.splitlines():
            label = json.loads(line)
            if label.get("quality") != "partial" and label["spans"]:
                page = Page(texts[folder + label["page"]], id=label["page"])
                pages.append((page, label["spans"]))
        if pages:
            yield Site(folder.strip("/"), pages)


def plain(site: Site) -> Site | None:
    """Only the fields that each record has exactly once: the thesis' classes know no others."""
    names = set.intersection(
        *(
            {name for name, spans in record.items() if spans and isinstance(spans[0], int)}
            for _, label in site.pages
            for record in label
        )
    )
    if not names:
        return None
    return Site(
        site.name,
        [
            (page, [{name: record[name] for name in sorted(names)} for record in label])
            for page, label in site.pages
        ],
    )


def nested(site: Site) -> Site:
    """Each record as a chain: its first value, under it its second one, and so on (chapter 5.3).

    Works on plain labels; a table is the simplest of trees.
    """
    chained = [(page, [_chain(record) for record in label]) for page, label in site.pages]
    return Site(site.name, chained)


def _chain(record: Mapping[str, Any]) -> dict[str, Any]:
    chain: dict[str, Any] = {}
    for name, span in sorted(record.items(), key=lambda item: tuple(item[1]), reverse=True):
        chain = {name: span, "children": [chain] if chain else []}
    return chain
