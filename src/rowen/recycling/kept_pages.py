"""Pages of the last snapshot that stay, though the crawl has no text of them.

A crawl is rarely whole. In an update all pages stay that it does not mention:

    last snapshot   a   b   c   d            the crawl   a (changed)   b: 304   d: 404
    new snapshot    a (changed)   b   c      c was not fetched, d is gone

Without an update the snapshot has only what the crawl has: then only b would stay beside a.
"""

from collections.abc import Collection, Container
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rowen.records.numbers import distinct
from rowen.sources.base import CrawlNote
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index, Pages, PagesWriter, digest_of, read_index
from rowen.storage.snapshots.texts import encoded


@dataclass(slots=True)
class CrawlNotes:
    """What a crawl says of pages whose texts it does not have, by the digests of their ids."""

    gone: set[bytes] = field(default_factory=set)
    unchanged: dict[bytes, str] = field(default_factory=dict)
    failed: dict[bytes, str] = field(default_factory=dict)
    """Messages about pages that could not be fetched, ..."""
    unreadable: dict[bytes, str] = field(default_factory=dict)
    """... and about those that were fetched, but can't be read."""

    def add(self, note: CrawlNote) -> None:
        """Take down a note of a source."""
        key = key_of(note.page)
        if note.state == "gone":
            self.gone.add(key)
        elif note.state == "unchanged":
            self.unchanged[key] = note.page
        else:
            self.failed[key] = f"{note.page}: {note.reason}"

    @property
    def are_empty(self) -> bool:
        """Whether the crawl says nothing of any page."""
        return not (self.gone or self.unchanged or self.failed or self.unreadable)

    def problems(
        self, stored: Container[bytes], came: Container[bytes]
    ) -> tuple[list[str], list[str]]:
        """Messages about pages that stay as they are in the store, and about those it has not.

        Addresses that failed and were never stored need no message: most are no pages.
        """
        missing = {
            key: f"{page}: unchanged, as the crawl says, but the store has no earlier version"
            for key, page in self.unchanged.items()
            if key not in stored
        }
        kept, lost = [], []
        for key, message in {**self.failed, **self.unreadable, **missing}.items():
            if key in came:
                continue
            if key in stored:
                kept.append(f"{message}; its last version is kept")
            elif key not in self.failed:
                lost.append(message)
        return kept, lost


def key_of(page_id: str) -> bytes:
    """The digest by which a page is found in a snapshot."""
    return digest_of(encoded(page_id))


class Keeping:
    """Which pages of the last snapshot stay."""

    def __init__(
        self, place: Place, manifest: Manifest, notes: CrawlNotes, *, update: bool
    ) -> None:
        """`notes` may still grow until `write` is called."""
        self.place = place
        self.manifest = manifest
        self.notes = notes
        self.update = update

    @cached_property
    def keys(self) -> frozenset[bytes]:
        """The digests of the ids of its pages."""
        return frozenset(self.index.keys.tolist())

    @cached_property
    def index(self) -> Index:
        """The pages of the last snapshot. A run that keeps none of them does not read it."""
        return read_index(self.place, self.manifest.folder, self.manifest.partitions)

    @property
    def keeps_some(self) -> bool:
        """Whether any page may stay that did not come."""
        return self.update or bool(self.notes.unchanged)

    def write(
        self,
        writer: PagesWriter,
        came: Collection[bytes],
        *,
        reusable: Container[int],
        held: Container[bytes],
    ) -> int:
        """Write the pages that stay and did not come; return how many they are.

        Texts are read only if they have to be written again or are checked in this run.
        """
        numbers = self._numbers(came)
        for partition in distinct(self.index.partitions[numbers]).tolist():
            own = numbers[self.index.partitions[numbers] == partition]
            to_read = self._to_read(own, reusable, held)
            self._write_again(writer, partition, own[to_read])
            ids = Pages(self.place, self.manifest.folder, partition).ids
            for number in own[~to_read].tolist():
                writer.keep(encoded(ids[self.index.rows[number]]), self.index, number)
        return len(numbers)

    def _write_again(self, writer: PagesWriter, partition: int, numbers: NDArray[np.intp]) -> None:
        if not len(numbers):
            return
        pages = Pages(self.place, self.manifest.folder, partition)
        texts = pages.texts(self.index.rows[numbers].astype(np.intp))
        for number, (row, text) in zip(numbers.tolist(), texts, strict=True):
            key = self.index.keys[number].tobytes()
            writer.add(encoded(pages.ids[row]), key, text, encoded(text))

    def _numbers(self, came: Collection[bytes]) -> NDArray[np.intp]:
        """The pages that stay, in the order of the last snapshot."""
        if not self.keeps_some:
            return np.empty(0, np.intp)
        stays = (key not in came and self._stays(key) for key in self.index.keys.tolist())
        return np.flatnonzero(np.fromiter(stays, np.bool_, self.index.count))

    def _stays(self, key: bytes) -> bool:
        # A crawler may have asked twice. That a page is there outweighs that it is not.
        if key in self.notes.unchanged:
            return True
        return self.update and key not in self.notes.gone

    def _to_read(
        self, numbers: NDArray[np.intp], reusable: Container[int], held: Container[bytes]
    ) -> NDArray[np.bool_]:
        """Which of these pages need their text: to be written again, or to be checked."""
        spots = self.index.spots.of(numbers)
        outside = spots.links_within(reusable) < spots.lengths
        asked = (key in held for key in self.index.keys[numbers].tolist())
        return outside | np.fromiter(asked, np.bool_, len(numbers))
