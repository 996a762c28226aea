"""Records that came, went, moved and changed between two snapshots of a store."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rowen.model import Page
from rowen.records.packed import unpack
from rowen.recycling.page_changes import Fate, compare
from rowen.recycling.pairing import (
    Change,
    Unpaired,
    Written,
    pair_by_key,
    pair_equal,
    pair_likely,
)
from rowen.recycling.snapshot_texts import SnapshotTexts
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index, Pages, read_index
from rowen.storage.snapshots.results import Results, read_results

TEXTS_READ_BYTES = 16 * 1024 * 1024
"""Limit: bytes of old and new texts that are read together to compare snapshots."""

_NO_PAGE = -1

_PARTITIONS_HELD = 4
"""Limit: partitions of a snapshot in memory. Pages come partition by partition."""


def differences(place: Place, extractor: str, old: Manifest, new: Manifest) -> Iterator[Change]:
    """How an extractor's records differ, page by page. A renamed page counts as the same page.

    If the schema has keys, records that came or went are paired by key once all pages were
    compared, because a record may have moved from one page to another.
    """
    keys = new.schema(extractor).keys_of_records
    unpaired = Unpaired()
    for earlier, own in changed_pages(place, extractor, old, new):
        pairs, left = pair_equal(earlier, own)
        for before, record in pairs:
            if before["spans"] != record["spans"] or before["page"] != record["page"]:
                yield Change("moved", record, before)
        if keys:
            unpaired.old += left.old
            unpaired.new += left.new
        else:
            changes, left = pair_likely(left, earlier, own)
            yield from changes
            yield from left.changes()
    if keys:
        changes, left = pair_by_key(unpaired, keys)
        yield from changes
        yield from left.changes()


def all_records(place: Place, extractor: str, manifest: Manifest) -> Iterator[Written]:
    """All records of a snapshot, as they are written, without the page's text."""
    for records in all_pages(place, extractor, manifest):
        yield from records


def all_pages(place: Place, extractor: str, manifest: Manifest) -> Iterator[list[Written]]:
    """The records of each page of a snapshot."""
    side = _Side(place, extractor, manifest)
    for partition in range(manifest.partitions):
        yield from side.pages_in(partition)


def changed_pages(
    place: Place, extractor: str, old: Manifest, new: Manifest
) -> Iterator[tuple[list[Written], list[Written]]]:
    """The old and the new records of each page that may have other records than before."""
    before = _Side(place, extractor, old)
    after = _Side(place, extractor, new)
    changes = compare(before.index, after.index)
    texts = SnapshotTexts(place, (old.folder, before.index), (new.folder, after.index))
    # A schema is no part of the version, but another one gives the same records other values.
    same_extractor = old.extractors[extractor] == new.extractors[extractor] and (
        old.schemas.get(extractor) == new.schemas.get(extractor)
    )
    # Such a page has the records that it had. A page that failed then or now may not.
    same = (changes.fates == Fate.UNCHANGED) & same_extractor
    for number in np.flatnonzero(same).tolist():
        same[number] = not (after.failed(number) or before.failed(int(changes.origins[number])))
    pairs = np.stack((changes.origins[~same], np.flatnonzero(~same)), axis=1)
    gone = np.stack((changes.gone, np.full(len(changes.gone), _NO_PAGE)), axis=1)
    for batch in _batches(np.concatenate((pairs, gone)), before.index, after.index):
        # Texts are read together and in their order, so that none is decompressed twice.
        origins, numbers = (column[column != _NO_PAGE] for column in batch.T)
        old_texts = dict(zip(origins.tolist(), texts.of_old(origins, str), strict=True))
        new_texts = dict(zip(numbers.tolist(), texts.of_new(numbers, str), strict=True))
        for origin, number in batch.tolist():
            yield (
                before.records(origin, old_texts[origin]) if origin != _NO_PAGE else [],
                after.records(number, new_texts[number]) if number != _NO_PAGE else [],
            )


def _batches(pairs: NDArray[np.int64], old: Index, new: Index) -> Iterator[NDArray[np.int64]]:
    """Pairs of pages in batches, by the sizes of their texts."""
    sizes = np.zeros(len(pairs), np.int64)
    for column, index in zip(pairs.T, (old, new), strict=True):
        there = column != _NO_PAGE
        sizes[there] += index.sizes[column[there]]
    ends = np.cumsum(sizes)
    start = 0
    while start < len(pairs):
        before = int(ends[start - 1]) if start else 0
        end = max(int(np.searchsorted(ends, before + TEXTS_READ_BYTES, "right")), start + 1)
        yield pairs[start:end]
        start = end


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

    def records(self, number: int, text: str) -> list[Written]:
        """The records of a page, as they are written: without its text, which may be large."""
        partition, row = int(self.index.partitions[number]), int(self.index.rows[number])
        results, first, ids = self._partition(partition)
        part = results.records.slice(int(first[row]), int(first[row + 1]))
        page = Page(text, id=ids[row])
        return [record.to_dict() for record in unpack(part, results.shapes, page, self.schema)]

    def pages_in(self, partition: int) -> Iterator[list[Written]]:
        """The records of each page of a partition."""
        results, first, ids = self._partition(partition)
        for row, text in Pages(self.place, self.manifest.folder, partition).all_texts():
            part = results.records.slice(int(first[row]), int(first[row + 1]))
            page = Page(text, id=ids[row])
            yield [record.to_dict() for record in unpack(part, results.shapes, page, self.schema)]

    def _read(self, partition: int) -> tuple[Results, NDArray[np.int64], list[str]]:
        results = read_results(self.place, self.manifest.folder, self.extractor, partition)
        ids = Pages(self.place, self.manifest.folder, partition).ids
        return results, results.first(), ids
