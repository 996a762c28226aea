"""Checking all files of a store: checksums, digests of ids and texts, and counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rowen.model.errors import StoreError
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import Manifest
from rowen.storage.snapshots.pages import Index, Pages, digest_of, read_partition
from rowen.storage.snapshots.results import read_results
from rowen.storage.snapshots.texts import encoded


@dataclass(slots=True)
class Verified:
    """What was found."""

    texts: int = 0
    """How many texts were compared with their digests; each one once."""
    damages: list[tuple[int, str]] = field(default_factory=list)
    """Snapshots and what is wrong with them."""
    bad: dict[bytes, str] = field(default_factory=dict)
    """Digest and place of texts that are damaged, with the reason."""


def verify(place: Place, manifests: Sequence[Manifest]) -> Iterator[tuple[Manifest, Verified]]:
    """Check the files of each snapshot; what was found so far is yielded after each of them."""
    verified = Verified()
    before: set[bytes] = set()
    for manifest in manifests:
        seen: set[bytes] = set()
        pages = 0
        for partition in range(manifest.partitions):
            try:
                own = read_partition(place, manifest.folder, partition)
            except StoreError as error:
                verified.damages.append((manifest.number, str(error)))
                continue
            pages += own.count
            spots = _spots(own)
            seen.update(spots)
            # A text that the snapshot before has at the same place is not read again.
            rows = [row for row, spot in enumerate(spots) if spot not in before]
            for row, message in _wrong_texts(place, manifest, partition, rows, verified):
                verified.bad[spots[row]] = message
            messages = [
                *(verified.bad[spot] for spot in spots if spot in verified.bad),
                *_wrong_ids(place, manifest, partition),
                *_wrong_results(place, manifest, partition, own.count),
            ]
            verified.damages += [(manifest.number, message) for message in dict.fromkeys(messages)]
        if pages != manifest.pages and not any(
            number == manifest.number for number, _ in verified.damages
        ):
            message = f"it has {pages:,} pages, but its manifest says {manifest.pages:,}"
            verified.damages.append((manifest.number, message))
        before = seen
        yield manifest, verified


def _spots(index: Index) -> list[bytes]:
    """By row, the digest of a text with the place where it is."""
    spots = index.spots
    last = spots.first[1:] - 1
    places = np.stack((spots.folders[last], spots.files[last], spots.rows[last]), axis=1)
    return [
        digest + place.tobytes()
        for digest, place in zip(index.digests.tolist(), places, strict=True)
    ]


def _wrong_texts(
    place: Place, manifest: Manifest, partition: int, rows: list[int], verified: Verified
) -> Iterator[tuple[int, str]]:
    """Rows whose text can't be read, or is another one, with the reason."""
    pages = Pages(place, manifest.folder, partition)
    done = 0
    try:
        for row, text in pages.texts(np.array(rows, np.intp)):
            done += 1
            verified.texts += 1
            if digest_of(encoded(text)) != pages.digests[row].tobytes():
                yield row, f"the text in row {row} of partition {partition} is another one"
    except StoreError as error:
        if len(rows) == 1:
            yield rows[0], str(error)
            return
        # Texts are read in batches: which of them are damaged shows one by one.
        for row in rows[done:]:
            yield from _wrong_texts(place, manifest, partition, [row], verified)


def _wrong_ids(place: Place, manifest: Manifest, partition: int) -> Iterator[str]:
    pages = Pages(place, manifest.folder, partition)
    try:
        for page, key in zip(pages.ids, pages.keys.tolist(), strict=True):
            if digest_of(encoded(page)) != key:
                yield f"the id {page!r} does not have its digest"
    except (StoreError, UnicodeDecodeError) as error:
        yield str(error)


def _wrong_results(place: Place, manifest: Manifest, partition: int, pages: int) -> Iterator[str]:
    for name in manifest.extractors:
        try:
            results = read_results(place, manifest.folder, name, partition)
        except StoreError as error:
            yield str(error)
            continue
        if len(results.counts) != pages or int(results.counts.sum()) != results.records.count:
            yield f"the records of {name!r} in partition {partition} don't fit its pages"
