"""The first step of a run: pages stream from a source into the files of a new snapshot."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from rowen.limits import PARTITION_BYTES, PARTITIONS
from rowen.model import Page
from rowen.stores.manifest import Manifest
from rowen.stores.pages import Index, PagesWriter, digest_of
from rowen.stores.place import Place
from rowen.stores.texts import encoded, worth_keeping

_UNKNOWN = 64
"""Partitions of a first snapshot that is too large to wait for: good for some gigabytes."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What came in, and which ids came twice, of which only the first page counts."""

    index: Index
    partitions: int
    repeated: list[str]
    texts: dict[str, int]
    """The snapshots whose texts this one refers to, its own included, and the bytes of each."""


class Expected(NamedTuple):
    """About what comes in, where that is known."""

    pages: int | None = None
    bytes: int | None = None
    last: int | None = None
    """How many bytes the last snapshot has."""

    def size(self, mean: float) -> int | None:
        """About how many bytes; the pages that are known have so many each."""
        counted = None if self.pages is None else int(self.pages * mean)
        return max(filter(None, (counted, self.bytes, self.last)), default=None)


@dataclass(frozen=True, slots=True)
class Earlier:
    """The last snapshot, whose texts need not be written again."""

    manifest: Manifest
    index: Index


def take_in(
    pages: Iterable[Page],
    place: Place,
    number: int,
    *,
    jobs: int,
    expected: Expected,
    earlier: Earlier | None = None,
) -> Intake:
    """Write all pages."""
    coming = _encoded(pages)
    first: list[tuple[str, bytes]] = []
    size = 0
    for one in coming:
        first.append(one)
        size += len(one[1])
        if size > PARTITION_BYTES:
            wanted = expected.size(size / len(first))
            break
    else:
        wanted = size
    partitions = _partitions(wanted, jobs)
    seen = set()
    repeated = []
    old, written, kept = None, {}, set()
    if earlier is not None:
        old, written = earlier.index, earlier.manifest.texts
        kept = worth_keeping(old.spots.folders, old.sizes, written)
    with PagesWriter(place, number, partitions, old=old, kept=kept) as writer:
        for page_id, text in chain(_emptied(first), coming):
            key = encoded(page_id)
            digest = digest_of(key)
            if digest in seen:
                repeated.append(page_id)
                continue
            seen.add(digest)
            writer.add(key, digest, text)
        index, size = writer.close()
    written = {**written, str(number): size}
    used = map(str, np.unique(index.spots.folders).tolist())
    return Intake(index, partitions, repeated, {one: written[one] for one in used})


def _encoded(pages: Iterable[Page]) -> Iterator[tuple[str, bytes]]:
    for page in pages:
        yield page.id, encoded(page.text)


def _emptied(first: list[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The pages that were read ahead, let go of one by one."""
    first.reverse()
    while first:
        yield first.pop()


def _partitions(expected: int | None, jobs: int) -> int:
    """A power of two, so that a partition of another snapshot is a part or a union of ours."""
    if expected is None:
        return _UNKNOWN
    wanted = max(expected / PARTITION_BYTES, min(jobs, expected / 1_000_000), 1)
    return int(min(1 << (int(wanted - 1e-9)).bit_length(), PARTITIONS))
