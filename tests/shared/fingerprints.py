"""Made-up fingerprints, and the slow way to find the one that another nearly is."""

import random

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.verified import MARGIN, THRESHOLD


def sketched(seed, *flips):
    """Those of one seed are near to each other, by how many bits of the sketch are flipped."""
    drawn = random.Random(seed)
    simhash, sketch = drawn.getrandbits(64), drawn.getrandbits(256)
    for flip in flips:
        sketch ^= 1 << flip
    return Fingerprint(simhash, sketch.to_bytes(32, "little"))


def reference_match(entered, asked):
    """What is most similar, unless something else is nearly as much."""
    by_text = {}
    for own, fingerprint in entered.items():
        by_text.setdefault(fingerprint, own)
    found = sorted(
        ((fingerprint.similarity(asked), own) for fingerprint, own in by_text.items()),
        key=lambda one: -one[0],
    )
    if not found or found[0][0] < THRESHOLD:
        return None
    if len(found) > 1 and found[1][0] > found[0][0] - MARGIN:
        return None
    return found[0][1]
