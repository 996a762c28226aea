"""Pages that come back under another id with a changed text, found by their fingerprints.

The paper matches pages with the same URL only. A page whose URL changed would be extracted as a
whole; here it is matched with the vanished page that it resembles most.
"""

import numpy as np

from rowen.duplicates.simhash import simhash
from rowen.recycling.page_changes import Changes, Fate
from rowen.recycling.snapshot_texts import SnapshotTexts

RENAMES_COMPARED = 20_000
"""Limit: vanished pages, and as many new ones, that are compared by fingerprint to find renames.
Each new page is compared with all vanished ones."""

DISTANCE = 10
"""Texts whose fingerprints differ in at most this many of 64 bits count as similar. A wrong guess
costs a matching, never a record."""


def find_moved(changes: Changes, texts: SnapshotTexts) -> Changes:
    """Give each new page the vanished page that it resembles most, if one is near enough."""
    fresh = np.flatnonzero(changes.fates == Fate.NEW)
    gone = changes.gone
    if not len(fresh) or not len(gone) or max(len(fresh), len(gone)) > RENAMES_COMPARED:
        return changes
    fingerprints = np.array(texts.of_new(fresh, simhash), np.uint64)
    gone_fingerprints = np.array(texts.of_old(gone, simhash), np.uint64)
    fates, origins = changes.fates.copy(), changes.origins.copy()
    taken = np.zeros(len(gone), np.bool_)
    for at, number in enumerate(fresh.tolist()):
        differing_bits = np.bitwise_count(gone_fingerprints ^ fingerprints[at])
        # One vanished page for each new page: with 64 added, a page that is taken is never near
        # enough.
        distances = differing_bits.astype(np.int64) + 64 * taken
        nearest = int(np.argmin(distances))
        if distances[nearest] <= DISTANCE:
            taken[nearest] = True
            fates[number], origins[number] = Fate.MOVED, gone[nearest]
    return Changes(fates, origins, gone[~taken])
