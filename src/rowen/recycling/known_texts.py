"""Pages whose text the store knows: from another page, or from any snapshot that it still has.

    snapshot 0   a: "one"   b: "two"
    snapshot 1   a: "ONE"   b: "two"
    snapshot 2   a: "one"   b: "two"   c: "two"    a as in snapshot 0, c as b: nothing is extracted

Records are found by the digest of the text. Each snapshot has a small file of the texts that the
one before did not have. So a run reads those files, and the whole index of the oldest snapshot
only. It keeps only what its own new and changed pages need. An extractor's records are taken from
snapshots since it last started anew: with another version, from scratch, or because its copied
records were wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.model.errors import StoreError
from rowen.records.numbers import distinct
from rowen.recycling.page_changes import Changes, Fate
from rowen.storage.place import Place
from rowen.storage.snapshots.columns import ENDING, read_columns, write_columns
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index, read_partition
from rowen.storage.snapshots.reading import reading

_FILE = "texts"
_NEW = (Fate.CHANGED, Fate.MOVED, Fate.NEW)


@dataclass(frozen=True, slots=True)
class Known:
    """Pages by number or row, and where their records are: in which snapshot, partition and row."""

    pages: NDArray[np.intp]
    snapshots: NDArray[np.int32]
    partitions: NDArray[np.int32]
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, found: Mapping[int, tuple[int, int, int]]) -> "Known":
        """From places by page."""
        columns = np.array(list(found.values()), np.int32).reshape(-1, 3).T
        return cls(np.fromiter(found, np.intp, len(found)), *columns)

    def in_partition(self, number: int, index: Index) -> "Known":
        """Those in a partition of the new snapshot, by their rows there."""
        own = index.partitions[self.pages] == number
        return Known(
            index.rows[self.pages[own]].astype(np.intp),
            self.snapshots[own],
            self.partitions[own],
            self.rows[own],
        )


@dataclass(slots=True)
class _Search:
    """The search for one extractor's records."""

    oldest: int
    """The oldest snapshot whose records count."""
    found: dict[int, tuple[int, int, int]] = field(default_factory=dict)


def find_known(
    place: Place,
    earlier: Sequence[Manifest],
    indexes: tuple[Index, Index],
    changes: Changes,
    names: Sequence[str],
) -> dict[str, Known]:
    """For each of these extractors, the new and changed pages whose text is known.

    They are extractors of which the last of the `earlier` snapshots has records to reuse. The
    `indexes` are those of that snapshot and of the new one.
    """
    old, index = indexes
    wanted: dict[bytes, list[int]] = {}
    for number in np.flatnonzero(np.isin(changes.fates, _NEW)).tolist():
        wanted.setdefault(index.digests[number].tobytes(), []).append(number)
    if not wanted or not names:
        return {}
    since = earlier[-1].since
    searches = {name: _Search(since.get(name, earlier[-1].number)) for name in names}
    for at in range(len(earlier) - 1, -1, -1):
        manifest = earlier[at]
        asked = [search for search in searches.values() if search.oldest <= manifest.number]
        if not asked:
            break
        # What an older snapshot has as well is found there, unless there is none that counts.
        before = earlier[at - 1].number if at else -1
        whole = any(search.oldest > before for search in asked)
        # The index of the newest one is there already, and has what most copies are made of.
        known = (
            _by_partition(old) if manifest is earlier[-1] else _read(place, manifest, whole=whole)
        )
        for partition, digests, rows in known:
            for digest, row in _matches(digests, rows, wanted):
                for number in wanted[digest]:
                    for search in asked:
                        search.found.setdefault(number, (manifest.number, partition, row))
    return {name: Known.of(search.found) for name, search in searches.items() if search.found}


def without_known(changes: Changes, known: Mapping[str, Known], names: Sequence[str]) -> Changes:
    """The same changes, with pages that no extractor has to work on as unchanged ones."""
    if not known or any(name not in known for name in names):
        return changes
    for_all = known[names[0]].pages
    for name in names[1:]:
        for_all = np.intersect1d(for_all, known[name].pages)
    fates = changes.fates.copy()
    fates[for_all] = Fate.UNCHANGED
    return replace(changes, fates=fates)


def write_new_texts(place: Place, folder: str, index: Index, changes: Changes) -> None:
    """Write which texts a snapshot has that the one before did not have."""
    new = np.flatnonzero(np.isin(changes.fates, _NEW))
    write_columns(
        place,
        folder,
        _FILE,
        {
            "digests": index.digests[new],
            "partitions": index.partitions[new],
            "rows": index.rows[new],
        },
    )


_Texts: TypeAlias = Iterator[tuple[int, NDArray[np.void], NDArray[np.int32]]]
"""Texts of a snapshot: partition, digests and rows."""


def _by_partition(index: Index) -> _Texts:
    for number in distinct(index.partitions).tolist():
        own = index.partitions == number
        yield number, index.digests[own], index.rows[own]


def _read(place: Place, manifest: Manifest, *, whole: bool) -> _Texts:
    """The texts of an older snapshot, all or only its new ones."""
    try:
        yield from _all(place, manifest) if whole else _new(place, manifest)
    except StoreError:
        # Only what it knows is lost: a run needs no older snapshot. `verify-store` tells about it.
        return


def _all(place: Place, manifest: Manifest) -> _Texts:
    # One partition at a time, which bounds the memory.
    for number in range(manifest.partitions):
        own = read_partition(place, manifest.folder, number)
        yield number, own.digests, own.rows


def _new(place: Place, manifest: Manifest) -> _Texts:
    columns = read_columns(place, manifest.folder, _FILE)
    if columns is None:  # of an earlier format
        yield from _all(place, manifest)
        return
    with reading(place, f"{manifest.folder}/{_FILE}{ENDING}"):
        digests, partitions, rows = columns.arrays.values()
    for number in distinct(partitions).tolist():
        here = partitions == number
        yield number, digests[here], rows[here]


def _matches(
    digests: NDArray[np.void], rows: NDArray[np.int32], wanted: Mapping[bytes, object]
) -> Iterator[tuple[bytes, int]]:
    for digest, row in zip(digests.tolist(), rows.tolist(), strict=True):
        if digest in wanted:
            yield digest, row
