"""Pages that came back under another id with a changed text, found by fingerprint."""

import numpy as np

from rowen.duplicates.simhash import simhash
from rowen.limits import RENAMES_COMPARED
from rowen.runs.plan import Texts
from rowen.stores.changes import Changes, Fate

DISTANCE = 10
"""Fingerprints that differ in at most so many of 64 bits are of much the same text. A wrong guess
costs a matching, never a record."""


def find_moved(changes: Changes, texts: Texts) -> Changes:
    """Give new pages the vanished page that they resemble most."""
    fresh = np.flatnonzero(changes.fates == Fate.NEW)
    gone = changes.gone
    if not len(fresh) or not len(gone) or max(len(fresh), len(gone)) > RENAMES_COMPARED:
        return changes
    mine = np.array(texts.of_new(fresh, simhash), np.uint64)
    theirs = np.array(texts.of_old(gone, simhash), np.uint64)
    fates, origins = changes.fates.copy(), changes.origins.copy()
    taken = np.zeros(len(gone), np.bool_)
    for at, number in enumerate(fresh.tolist()):
        distances = np.bitwise_count(theirs ^ mine[at]).astype(np.int64) + 64 * taken
        nearest = int(np.argmin(distances))
        if distances[nearest] <= DISTANCE:
            taken[nearest] = True
            fates[number], origins[number] = Fate.MOVED, gone[nearest]
    return Changes(fates, origins, gone[~taken])
