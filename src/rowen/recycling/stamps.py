"""Pages that need not be read: what their source says of them is what it said in the last run.

    last run    a.html  1,204 bytes, 3 May 10:15    text and stamp are stored
    this run    a.html  1,204 bytes, 3 May 10:15    the same stamp: the page is kept, unread
                b.html    988 bytes, 4 May 07:30    another one: it is read

A stamp is whatever a source knows before it reads: the object id in git, size and time of a file.
Only a digest of it is stored, with Rowen's version: another version may decode pages otherwise.
"""

from collections.abc import Container
from functools import cached_property
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from rowen.model.errors import StoreError
from rowen.recycling.kept_pages import key_of
from rowen.storage.place import Place
from rowen.storage.snapshots.columns import read_columns, write_columns
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index, digest_of
from rowen.storage.snapshots.texts import encoded, worth_keeping

_NONE = bytes(16)
"""The stamp of a page that has none."""


class StoredStamps:
    """The stamps of the last snapshot, and those of the pages that come now."""

    def __init__(self, place: Place, last: tuple[Manifest, Index] | None) -> None:
        self._place = place
        self._last = last
        self._now: dict[bytes, bytes] = {}
        self._version = encoded(f"{version('rowen')} ")

    def is_known(self, page: str, stamp: str) -> bool:
        """Whether a page need not be read: it has this stamp in the last snapshot.

        The stamp is noted down for the next run; an empty one says nothing.
        """
        key = key_of(page)
        if key in self._now:  # an id that comes twice: the first page counts
            return False
        own = digest_of(self._version + encoded(stamp)) if stamp else _NONE
        self._now[key] = own
        return bool(stamp) and key in self.numbers and self._stored.get(key) == own

    def forget(self, page: str) -> None:
        """Take a stamp back: the page could not be read."""
        self._now.pop(key_of(page), None)

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """By key, the pages of the last snapshot that can be kept unread."""
        if self._last is None:
            return {}
        manifest, index = self._last
        # Texts in folders that are little used are written again, and so they are read.
        within = index.spots.links_within(worth_keeping(index.spots, manifest.texts))
        whole = np.flatnonzero(within == index.spots.lengths).tolist()
        keys = index.keys.tolist()
        return {keys[number]: number for number in whole}

    @cached_property
    def _stored(self) -> dict[bytes, bytes]:
        if self._last is None:
            return {}
        manifest, index = self._last
        stamps: list[bytes] = []
        for partition in range(manifest.partitions):
            count = int(np.sum(index.partitions == partition))
            stamps += _read(self._place, manifest, partition, count)
        pairs = zip(index.keys.tolist(), stamps, strict=True)
        return {key: stamp for key, stamp in pairs if stamp != _NONE}

    def write(
        self, folder: str, index: Index, partitions: int, came: Container[bytes], base: int | None
    ) -> None:
        """Write the stamps of a new snapshot, if its source has any.

        Pages that did not come have the stamps that they had.
        """
        if not any(stamp != _NONE for stamp in self._now.values()):
            return
        stamps = np.array(
            [
                self._now.get(key, _NONE) if key in came else self._stored.get(key, _NONE)
                for key in index.keys.tolist()
            ],
            "V16",
        )
        for partition in range(partitions):
            own = np.flatnonzero(index.partitions == partition)
            own = own[np.argsort(index.rows[own])]
            columns: dict[str, NDArray[np.void]] = {"stamps": stamps[own]}
            write_columns(self._place, folder, _file(partition), columns, base=base)


def _file(partition: int) -> str:
    return f"stamps-{partition:04}"


def _read(place: Place, manifest: Manifest, partition: int, count: int) -> list[bytes]:
    """The stamps of a partition; where they are missing or damaged, its pages are read."""
    try:
        columns = read_columns(place, manifest.folder, _file(partition))
    except StoreError:
        columns = None
    stamps = [] if columns is None else columns.arrays.get("stamps", np.empty(0, "V16")).tolist()
    return stamps if len(stamps) == count else [_NONE] * count
