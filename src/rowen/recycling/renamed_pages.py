"""Pages that come back under another id with a changed text, found by their fingerprints.

The paper matches pages with the same URL only. A page whose URL changed would be extracted as a
whole; here it is matched with the vanished page that it resembles most.

Up to some thousand pages, each new one is compared with all vanished ones. Beyond, fingerprints are
sorted several times, each time with their bits in another order, and only neighbours are compared
(Charikar 2002, section 3): near fingerprints begin with the same bits in one of the orders.

    bits in order 1    0010|1101  0010|1110    neighbours
    bits in order 2    1101|0010  1110|0010    far apart, with 1101|1000 in between
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.duplicates.simhash import simhash
from rowen.recycling.page_changes import Changes, Fate
from rowen.recycling.snapshot_texts import SnapshotTexts

RENAMES_COMPARED = 20_000
"""Limit: vanished pages, and as many new ones, of which all pairs are compared by fingerprint to
find renames. Of more, only pairs that are neighbours in a sorted order are."""

RENAMES_SEARCHED = 1_000_000
"""Limit: vanished pages, and as many new ones, among which renames are searched. For each of them a
text is read. The report says so if there are more."""

DISTANCE = 10
"""Texts whose fingerprints differ in at most this many of 64 bits count as similar. A wrong guess
costs a matching, never a record."""

_ORDERS = 24
"""Orders of bits. Of a million random fingerprints with planted near ones, all at distance 4 were
found, and 76% of those at distance 10; of 100,000, 93%."""

_NEIGHBOURS = 8
"""Neighbours that are compared on each side, however many fingerprints begin alike: the pages of a
site often do."""

_NEAREST = 6
"""Vanished pages that are kept for a new page: others may come back as its first ones."""

_AT_ONCE = 4096
"""New pages whose neighbours are compared at once, which takes some megabytes."""

_Fingerprints: TypeAlias = NDArray[np.uint64]
_Pairs: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]
"""New pages, vanished ones, and how many bits of their fingerprints differ."""


def find_moved(changes: Changes, texts: SnapshotTexts) -> Changes:
    """Give each new page the vanished page that it resembles most, if one is near enough."""
    fresh = np.flatnonzero(changes.fates == Fate.NEW)
    gone = changes.gone
    if not len(fresh) or not len(gone) or _is_too_much(changes):
        return changes
    fingerprints = np.array(texts.of_new(fresh, simhash), np.uint64)
    gone_fingerprints = np.array(texts.of_old(gone, simhash), np.uint64)
    fates, origins = changes.fates.copy(), changes.origins.copy()
    few = max(len(fresh), len(gone)) <= RENAMES_COMPARED
    pairs = (all_pairs if few else neighbouring_pairs)(fingerprints, gone_fingerprints)
    taken = np.zeros(len(gone), np.bool_)
    for at, origin in pairs:
        taken[origin] = True
        fates[fresh[at]], origins[fresh[at]] = Fate.MOVED, gone[origin]
    return Changes(fates, origins, gone[~taken])


def renames_warning(changes: Changes) -> list[str]:
    """A message if renames are not searched, because too many pages are new or have vanished."""
    if not _is_too_much(changes):
        return []
    message = (
        f"renamed pages were not searched: {changes.count(Fate.NEW):,} pages are new and "
        f"{len(changes.gone):,} are gone, and Rowen compares up to {RENAMES_SEARCHED:,}. Pages "
        "whose id and text changed are extracted as a whole; the records are right all the same"
    )
    return [message]


def _is_too_much(changes: Changes) -> bool:
    # Without vanished pages nothing was renamed.
    most = max(changes.count(Fate.NEW), len(changes.gone))
    return len(changes.gone) > 0 and most > RENAMES_SEARCHED


def all_pairs(new: _Fingerprints, gone: _Fingerprints) -> Iterator[tuple[int, int]]:
    """For each new page in turn the nearest vanished one that is left, if it is near enough."""
    taken = np.zeros(len(gone), np.int64)
    for at, fingerprint in enumerate(new):
        # One vanished page for each new page: with 64 added, a page that is taken is never near
        # enough.
        distances = np.bitwise_count(gone ^ fingerprint) + 64 * taken
        nearest = int(np.argmin(distances))
        if distances[nearest] <= DISTANCE:
            taken[nearest] = 1
            yield at, nearest


def neighbouring_pairs(new: _Fingerprints, gone: _Fingerprints) -> Iterator[tuple[int, int]]:
    """Pairs of a new page and a vanished one that are near; no page is in two of them.

    The nearest pairs are chosen first. Some near pairs are missed, the nearer the fewer.
    """
    numbers, origins, distances = _near(new, gone)
    order = np.lexsort((origins, numbers, distances))
    is_paired, is_taken = bytearray(len(new)), bytearray(len(gone))
    for at, origin in zip(numbers[order].tolist(), origins[order].tolist(), strict=True):
        if not is_paired[at] and not is_taken[origin]:
            is_paired[at] = is_taken[origin] = True
            yield at, origin


def _near(new: _Fingerprints, gone: _Fingerprints) -> _Pairs:
    """Near pairs, at most a few for each new page."""
    orders = _orders()
    # By order: the vanished pages, sorted, and the place among them of each new page.
    sorted_gone, places = [], []
    for order in orders:
        shuffled = _shuffled(gone, order)
        rank = np.argsort(shuffled, kind="stable")
        sorted_gone.append(rank.astype(np.int32))
        places.append(np.searchsorted(shuffled[rank], _shuffled(new, order)).astype(np.int32))
    around = np.arange(-_NEIGHBOURS, _NEIGHBOURS)
    pairs: list[_Pairs] = []
    for start in range(0, len(new), _AT_ONCE):
        own = new[start : start + _AT_ONCE]
        candidates = np.concatenate(
            [
                ranks[np.clip(place[start : start + _AT_ONCE, None] + around, 0, len(gone) - 1)]
                for ranks, place in zip(sorted_gone, places, strict=True)
            ],
            axis=1,
        )
        candidates.sort(axis=1)
        distances = np.bitwise_count(gone[candidates] ^ own[:, None]).astype(np.int64)
        # The same neighbour in several orders counts once.
        distances[:, 1:][candidates[:, 1:] == candidates[:, :-1]] = 65
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :_NEAREST]
        distances = np.take_along_axis(distances, nearest, axis=1)
        rows, columns = np.nonzero(distances <= DISTANCE)
        chosen = np.take_along_axis(candidates, nearest, axis=1)[rows, columns]
        pairs.append((rows + start, chosen.astype(np.intp), distances[rows, columns]))
    numbers, origins, bits = zip(*pairs, strict=True)
    return np.concatenate(numbers), np.concatenate(origins), np.concatenate(bits)


def _orders() -> list[list[int]]:
    """Orders of the bits of a fingerprint, always the same."""
    chance = np.random.default_rng(7)
    return [chance.permutation(64).tolist() for _ in range(_ORDERS)]


def _shuffled(fingerprints: _Fingerprints, order: list[int]) -> _Fingerprints:
    """The fingerprints with their bits in another order."""
    shuffled = np.zeros(len(fingerprints), np.uint64)
    for place, bit in enumerate(order):
        shuffled |= ((fingerprints >> np.uint64(bit)) & np.uint64(1)) << np.uint64(place)
    return shuffled
