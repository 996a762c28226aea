"""What a run changed: records that came, went and changed, with search; a page with its records."""

import io
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from rowen.export import open_writer
from rowen.model import Page
from rowen.model.errors import StoreError
from rowen.records import Record
from rowen.records.packed import unpack
from rowen.recycling.history import texts_of
from rowen.recycling.kept_pages import key_of
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Pages
from rowen.storage.snapshots.results import read_results
from rowen.store import Store

KEPT_CHANGES = 50_000
"""Limit: how many changes of a run can be searched; all are counted. Each takes about 1 kB."""

KEPT_RUNS = 8
"""Limit: of how many runs the changes stay in memory, for the next page of the table."""

VERSIONS = 2_000
"""Limit: how many versions of records a history shows."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of one run, compared with the last run of the same extractor."""

    before: int | None
    """That run; None for the first."""
    counts: Mapping[str, int]
    kept: list[dict[str, Any]]

    def matching(self, query: str, kind: str) -> list[dict[str, Any]]:
        """Those of a kind that have all words of a query in a value or in the page's id."""
        words = query.casefold().split()
        return [
            change
            for change in self.kept
            if (not kind or change["change"] == kind)
            and all(word in _searched(change) for word in words)
        ]


class ComparedRuns:
    """The changes of the runs that were looked at last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, int], Changes] = OrderedDict()
        self._lock = Lock()

    def get(self, store: Store, extractor: str, number: int) -> Changes:
        """The changes of a run; compared now, unless they are in memory."""
        key = store.place.uri, extractor, number
        with self._lock:
            known = self._kept.get(key)
        if known is None:
            known = compared(store, extractor, number)
            with self._lock:
                self._kept[key] = known
                while len(self._kept) > KEPT_RUNS:
                    self._kept.popitem(last=False)
        return known


def compared(store: Store, extractor: str, number: int) -> Changes:
    """Compare a run with the last one before it that ran this extractor."""
    numbers = [own.number for own in store.snapshots() if extractor in own.extractors]
    if number not in numbers:
        raise StoreError(f"run {number} has no records of {extractor!r}")
    before = max((earlier for earlier in numbers if earlier < number), default=None)
    if before is None:
        return Changes(None, {}, [])
    counts: Counter[str] = Counter()
    kept: list[dict[str, Any]] = []
    for change in store.differences(extractor, before, number):
        counts[change["change"]] += 1
        # A moved record has the same values as before: that is no news.
        if change["change"] != "moved" and len(kept) < KEPT_CHANGES:
            kept.append(
                {
                    **{name: change[name] for name in ("change", "page", "values")},
                    "before": change.get("before", {}).get("values"),
                    "fields": change.get("fields", []),
                }
            )
    return Changes(before, counts, kept)


def page_report(store: Store, extractor: str, number: int, page_id: str) -> bytes | None:
    """The page of a run with its records marked, as HTML; None where the run has no such page.

    Everything from the page is escaped, and the report runs only its own script.
    """
    manifest = store.snapshot(number)
    if extractor not in manifest.extractors:
        return None
    opened = _page(store, extractor, manifest, page_id)
    if opened is None:
        return None
    page, records = opened
    target = io.BytesIO()
    with open_writer("html", target, fields=manifest.fields.get(extractor, ())) as writer:
        writer.write(records, page=page, extractor=extractor)
    return target.getvalue()


def page_text(store: Store, manifest: Manifest, page_id: str) -> str | None:
    """The text of a page in a run."""
    pages, row = _row(store, manifest, page_id)
    return None if row is None else next(text for _, text in pages.texts(np.array([row])))


def versions_of(
    store: Store, extractor: str, values: Mapping[str, Any], page: str
) -> list[dict[str, Any]]:
    """The history of the record with these values: by its key, else by its first value and page."""
    schema = store.snapshot().schema(extractor)
    named = schema.keys_of_records or list(values)[:1]
    key = {name: texts[0] for name in named if (texts := texts_of(values.get(name)))}
    versions = store.history(extractor, key)
    if not schema.keys_of_records:
        own = {version.record for version in versions if version.page == page}
        versions = [version for version in versions if version.record in own]
    return [version.to_dict() for version in versions[:VERSIONS]]


def _page(
    store: Store, extractor: str, manifest: Manifest, page_id: str
) -> tuple[Page, Sequence[Record]] | None:
    pages, row = _row(store, manifest, page_id)
    if row is None:
        return None
    partition = _partition(manifest, page_id)
    results = read_results(store.place, manifest.folder, extractor, partition)
    first = results.first()
    text = next(text for _, text in pages.texts(np.array([row])))
    page = Page(text, id=page_id)
    part = results.records.slice(int(first[row]), int(first[row + 1]))
    return page, unpack(part, results.shapes, page, manifest.schema(extractor))


def _row(store: Store, manifest: Manifest, page_id: str) -> tuple[Pages, int | None]:
    """The partition of a page, the only one that is read, and the page's row in it."""
    pages = Pages(store.place, manifest.folder, _partition(manifest, page_id))
    ids = pages.ids
    return pages, ids.index(page_id) if page_id in ids else None


def _partition(manifest: Manifest, page_id: str) -> int:
    return int.from_bytes(key_of(page_id)[:4], "little") % manifest.partitions


def _searched(change: Mapping[str, Any]) -> str:
    texts = [change["page"], *texts_of(list(change["values"].values()))]
    if change["before"]:
        texts += texts_of(list(change["before"].values()))
    return "\n".join(texts).casefold()
