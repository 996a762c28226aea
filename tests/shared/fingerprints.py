"""Made-up fingerprints, and the slow way to find those that another is like."""

import random

from rowen.duplicates.fingerprint import Fingerprint
from rowen.storage.documents.neighbours import LIKE, NEAR_DONORS


def sketched(seed, *flips):
    """Those of one seed are near to each other, by how many bits of the sketch are flipped."""
    drawn = random.Random(seed)
    simhash, sketch = drawn.getrandbits(64), drawn.getrandbits(256)
    for flip in flips:
        sketch ^= 1 << flip
    return Fingerprint(simhash, sketch.to_bytes(32, "little"))


def reference_nearest(entered, query):
    """What is most similar, the newest first of those that are as much so."""
    ranked = [
        (-fingerprint.similarity(query), -age, own)
        for age, (own, fingerprint) in enumerate(entered.items())
        if fingerprint.similarity(query) >= LIKE
    ]
    return [own for _, _, own in sorted(ranked)[:NEAR_DONORS]]
