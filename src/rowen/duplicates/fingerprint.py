"""Fingerprints: what is stored of a text to recognize near-duplicates later."""

from dataclasses import dataclass
from typing import Self

from rowen._core import fingerprint, shared_shingles
from rowen.duplicates.normal_form import normal_form

SKETCH_BYTES = 32
"""256 bits. For texts that share 85% of their runs of words, the estimate has a standard deviation
of .033, and unrelated texts never come near a threshold."""

SIMHASH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A text's simhash, and a sketch of the set of its runs of three words.

    The runs are divided into 256 groups; the sketch has one bit of the smallest hash of each group
    (b-bit MinHash, Li and König, 2010).
    """

    simhash: int
    sketch: bytes

    @classmethod
    def of(cls, text: str, *, key: int = 0) -> Self:
        """Compute the fingerprint of a text.

        Only sketches with the same key can be compared. With a secret key nobody else can construct
        a text that has the sketch of another text.
        """
        return cls(*fingerprint(normal_form(text), key))

    @classmethod
    def from_bytes(cls, packed: bytes) -> Self:
        """Read what `to_bytes` wrote; ValueError for another length."""
        if len(packed) != SIMHASH_BYTES + SKETCH_BYTES:
            raise ValueError("a fingerprint has 40 bytes")
        return cls(int.from_bytes(packed[:SIMHASH_BYTES], "little"), packed[SIMHASH_BYTES:])

    def to_bytes(self) -> bytes:
        """40 bytes to store."""
        return self.simhash.to_bytes(SIMHASH_BYTES, "little") + self.sketch

    def distance(self, fingerprint: Self) -> int:
        """The number of different bits of the simhashes, of 64."""
        return (self.simhash ^ fingerprint.simhash).bit_count()

    def similarity(self, fingerprint: Self) -> float:
        """An estimate of the Jaccard similarity of the texts' runs of words, 0 to 1."""
        different = int.from_bytes(self.sketch, "little") ^ int.from_bytes(
            fingerprint.sketch, "little"
        )
        return estimate(different.bit_count())


def estimate(different: int) -> float:
    """Estimate the similarity of texts from the number of different bits of their sketches."""
    # Groups with different smallest hashes still agree in one bit half of the time, so only half
    # of them show. Of texts with similarity J, (1 - J) / 2 of the bits differ.
    return max(0.0, 1 - 2 * different / (8 * SKETCH_BYTES))


def similarity(left: str, right: str) -> float:
    """The exact Jaccard similarity of two texts' runs of three words; 0 without words."""
    shared, all_of_both = shared_shingles(normal_form(left), normal_form(right))
    return shared / all_of_both if all_of_both else 0.0
