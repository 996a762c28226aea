"""Intake, the first step of a run: pages stream from a source into the files of a new snapshot."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from rowen.model import Page, UsageError
from rowen.records.numbers import distinct
from rowen.recycling.kept_pages import Keeping
from rowen.recycling.stamps import StoredStamps
from rowen.recycling.task import PARTITION_BYTES
from rowen.sources.base import CrawlNote
from rowen.storage.place import Place
from rowen.storage.snapshots.columns import BASES
from rowen.storage.snapshots.manifest import FORMAT, Manifest
from rowen.storage.snapshots.pages import Index, PagesWriter, digest_of
from rowen.storage.snapshots.texts import encoded, worth_keeping

PARTITIONS = 512
"""Limit: partitions of a snapshot. Each is an open file while pages are read, and systems allow a
process 1024 of them."""

_UNKNOWN = 64
"""Partitions of a first snapshot of unknown size that does not fit into one: enough for some
gigabytes."""


@dataclass(frozen=True, slots=True)
class Intake:
    """The pages that came in, and the ids that came twice, of which only the first page counts."""

    index: Index
    partitions: int
    repeated: list[str]
    texts: dict[str, int]
    """The snapshots whose texts this one refers to, itself included, and the bytes of each."""
    fresh: list[dict[int, str]]
    """By partition and row, texts in memory: those that the last snapshot doesn't have, and those
    that may be checked, as far as there is room."""
    earlier: dict[int, bytes]
    """By page of the last snapshot, texts in memory of pages that changed, as they are stored."""
    came: Container[bytes]
    """The keys of the pages that came in. All others were kept from the last snapshot."""
    kept: int
    """How many pages were kept."""
    unread: int
    """How many pages came with their old stamps, so that they were not read."""
    bases: list[int]
    """The snapshots from which the files of this one are differences, the nearest first."""


class Expected(NamedTuple):
    """About how much comes in, where that is known."""

    pages: int | None = None
    bytes: int | None = None
    last: int | None = None
    """How many bytes the last snapshot has."""

    def size(self, mean: float) -> int | None:
        """About how many bytes come, if a page has `mean` bytes."""
        counted = None if self.pages is None else int(self.pages * mean)
        return max(filter(None, (counted, self.bytes, self.last)), default=None)


@dataclass(frozen=True, slots=True)
class Earlier:
    """The last snapshot, whose texts need not be written again."""

    manifest: Manifest
    index: Index


def take_in(
    pages: Iterable[Page | CrawlNote],
    place: Place,
    number: int,
    *,
    jobs: int,
    expected: Expected,
    earlier: Earlier | None = None,
    keeping: Keeping | None = None,
    same: StoredStamps | None = None,
    held: Container[bytes] = (),
) -> Intake:
    """Write all pages, and those that `keeping` keeps from the last snapshot.

    Notes are about pages that are the same as before; `same` knows which these are. Texts of pages
    whose key is in `held` stay in memory if there is room.
    """
    incoming = map(_encoded, pages)
    first: list[_Incoming] = []
    size = 0
    # The number of partitions must be known before the first page is written. So pages are read
    # ahead until the snapshot is over, or too large for one partition.
    for entry in incoming:
        first.append(entry)
        if entry[1] is None:
            expected_size = expected.last
            break
        size += len(entry[1])
        if size > PARTITION_BYTES:
            expected_size = expected.size(size / len(first))
            break
    else:
        kept_size = expected.last or 0 if keeping and keeping.keeps_some else 0
        expected_size = max(size, kept_size)
    partitions = _partitions(expected_size, jobs)
    seen: set[bytes] = set()
    repeated = []
    unread = 0
    old, written, reusable = None, {}, set()
    if earlier is not None:
        old, written = earlier.index, earlier.manifest.texts
        # Texts in folders that are not in this set are written again, so that those folders can go.
        reusable = worth_keeping(old.spots, written)
    bases = _bases(earlier, partitions)
    with PagesWriter(
        place,
        number,
        partitions,
        old=old,
        reusable=reusable,
        held=held,
        base=bases[0] if bases else None,
    ) as writer:
        for page, data in chain(_emptied(first), incoming):
            name = page.id if isinstance(page, Page) else page.page
            page_id = encoded(name)
            # Digests of ids: the set of all ids of a large corpus would take much more memory.
            key = digest_of(page_id)
            if key in seen:
                repeated.append(name)
                continue
            seen.add(key)
            if data is not None and isinstance(page, Page):
                writer.add(page_id, key, page.text, data)
            elif old is not None and same is not None:
                writer.keep(page_id, old, same.numbers[key])
                unread += 1
        kept = keeping.write(writer, seen, reusable=reusable, held=held) if keeping else 0
        pages_written = writer.close()
    index = pages_written.index
    written = {**written, str(number): pages_written.text_bytes}
    used = map(str, distinct(index.spots.folders).tolist())
    texts = {folder: written[folder] for folder in used}
    return Intake(
        index,
        partitions,
        repeated,
        texts,
        pages_written.fresh,
        pages_written.earlier,
        seen,
        kept,
        unread,
        bases,
    )


def _bases(earlier: Earlier | None, partitions: int) -> list[int]:
    """The snapshots that are read to read the new one: none for a file that is stored as it is."""
    if earlier is None or earlier.manifest.format != FORMAT:
        return []
    manifest = earlier.manifest
    # With other partitions, the files of the same names have other pages.
    if manifest.partitions != partitions or len(manifest.bases) + 1 >= BASES:
        return []
    return [manifest.number, *manifest.bases]


def pages_of(snapshot: Iterable[Page | str] | Mapping[str, Page | str]) -> Iterator[Page]:
    """The pages of a snapshot that is no source: pages or texts, or texts by their ids."""
    if isinstance(snapshot, Mapping):
        for page_id, page in snapshot.items():
            if not isinstance(page_id, str) or not isinstance(page, Page | str):
                raise UsageError(
                    "a snapshot that is a mapping must have ids as keys and texts as values"
                )
            yield Page(page.text if isinstance(page, Page) else page, id=page_id)
        return
    if not isinstance(snapshot, Iterable):
        raise UsageError(f"a snapshot has pages or texts, it is no {type(snapshot).__name__}")
    for page in snapshot:
        if not isinstance(page, Page | str):
            raise UsageError(
                f"a snapshot must consist of pages or texts, not {type(page).__name__}"
            )
        yield Page.of(page)


_Incoming: TypeAlias = tuple[Page, bytes] | tuple[CrawlNote, None]


def _encoded(page: Page | CrawlNote) -> _Incoming:
    return (page, encoded(page.text)) if isinstance(page, Page) else (page, None)


def _emptied(first: list[_Incoming]) -> Iterator[_Incoming]:
    """The pages that were read ahead; each is released from memory when it is used."""
    first.reverse()
    while first:
        yield first.pop()


def _partitions(expected: int | None, jobs: int) -> int:
    """A power of two, so that a partition of another snapshot is a part or a union of ours."""
    if expected is None:
        return _UNKNOWN
    # One for each job, if they have a megabyte each: else a small snapshot would keep one job busy.
    least = max(expected / PARTITION_BYTES, min(jobs, expected / 1_000_000), 1)
    return int(min(1 << (int(least - 1e-9)).bit_length(), PARTITIONS))
