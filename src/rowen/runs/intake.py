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
    fresh: list[dict[int, str]]
    """Texts that the last snapshot doesn't have, as far as they are still in memory."""


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
    coming = ((page, encoded(page.text)) for page in pages)
    first: list[tuple[Page, bytes]] = []
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
        for page, data in chain(_emptied(first), coming):
            page_id = encoded(page.id)
            key = digest_of(page_id)
            if key in seen:
                repeated.append(page.id)
                continue
            seen.add(key)
            writer.add(page_id, key, page.text, data)
        made = writer.close()
    written = {**written, str(number): made.text_bytes}
    used = map(str, np.unique(made.index.spots.folders).tolist())
    texts = {one: written[one] for one in used}
    return Intake(made.index, partitions, repeated, texts, made.fresh)


def _emptied(first: list[tuple[Page, bytes]]) -> Iterator[tuple[Page, bytes]]:
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
