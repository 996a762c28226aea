"""Records that came, went and moved between two snapshots of a store."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.model import Page
from rowen.records import Record
from rowen.records.packed import unpack
from rowen.recycling.page_changes import Fate, compare
from rowen.recycling.snapshot_texts import SnapshotTexts
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index, Pages, read_index
from rowen.storage.snapshots.results import Results, read_results
from rowen.values.conversion import to_json

_PARTITIONS_HELD = 4
"""Limit: partitions of a snapshot in memory. Pages come partition by partition."""


class Change(NamedTuple):
    """A record that `came`, `went` or `moved`: the same values elsewhere, `before` says where."""

    kind: str
    record: Record
    before: Record | None = None

    def to_dict(self) -> dict[str, Any]:
        """The change as it is written to files."""
        written = {"change": self.kind, **self.record.to_dict()}
        if self.before is not None:
            written["before"] = {"page": self.before.page.id, "spans": self.before.spans}
        return written


def differences(place: Place, extractor: str, old: Manifest, new: Manifest) -> Iterator[Change]:
    """How an extractor's records differ, page by page. A renamed page counts as the same page."""
    before = _Side(place, extractor, old)
    after = _Side(place, extractor, new)
    changes = compare(before.index, after.index)
    texts = SnapshotTexts(place, (old.folder, before.index), (new.folder, after.index))
    same_extractor = old.extractors[extractor] == new.extractors[extractor]
    for number in range(after.index.count):
        origin = int(changes.origins[number])
        # Such a page has the records that it had. A page that failed then or now may not.
        if (
            same_extractor
            and changes.fates[number] == Fate.UNCHANGED
            and not after.failed(number)
            and not before.failed(origin)
        ):
            continue
        own = after.records(number, texts.new(number))
        earlier = before.records(origin, texts.old(origin)) if origin >= 0 else []
        yield from _compare(earlier, own)
    for number in changes.gone.tolist():
        for record in before.records(number, texts.old(number)):
            yield Change("went", record)


class _Side:
    """An extractor's results of one snapshot, by the numbers of pages."""

    def __init__(self, place: Place, extractor: str, manifest: Manifest) -> None:
        self.place = place
        self.extractor = extractor
        self.manifest = manifest
        self.index: Index = read_index(place, manifest.folder, manifest.partitions)
        self.schema = manifest.schema(extractor)
        self._partition = lru_cache(_PARTITIONS_HELD)(self._read)

    def failed(self, number: int) -> bool:
        """Whether the extractor failed on a page or stopped early."""
        results, _, _ = self._partition(int(self.index.partitions[number]))
        return results.failures[int(self.index.rows[number])] is not None

    def records(self, number: int, text: str) -> list[Record]:
        partition, row = int(self.index.partitions[number]), int(self.index.rows[number])
        results, first, ids = self._partition(partition)
        part = results.records.slice(int(first[row]), int(first[row + 1]))
        page = Page(text, id=ids[row])
        return list(unpack(part, results.shapes, page, self.schema))

    def _read(self, partition: int) -> tuple[Results, NDArray[np.int64], list[str]]:
        results = read_results(self.place, self.manifest.folder, self.extractor, partition)
        ids = Pages(self.place, self.manifest.folder, partition).ids
        return results, results.first(), ids


def _compare(old: list[Record], new: list[Record]) -> Iterator[Change]:
    waiting: dict[str, list[Record]] = {}
    for record in reversed(old):
        waiting.setdefault(_key(record), []).append(record)
    for record in new:
        same = waiting.get(_key(record))
        if not same:
            yield Change("came", record)
            continue
        # In the order of the page: of equal records, the first old one is paired with the first new
        # one.
        before = same.pop()
        if before.spans != record.spans or before.page.id != record.page.id:
            yield Change("moved", record, before)
    for left in waiting.values():
        for record in left:
            yield Change("went", record)


def _key(record: Record) -> str:
    """The values of a record, without its position."""
    values = {name: to_json(value) for name, value in record.values.items()}
    return json.dumps([values, [_key(child) for child in record.children]], sort_keys=True)
