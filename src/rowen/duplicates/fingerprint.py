"""What is kept of a text to tell later whether another one is nearly the same."""

from dataclasses import dataclass
from typing import Self

from rowen._core import fingerprint, shared_shingles
from rowen.duplicates.normal_form import normal_form

SKETCH_BYTES = 32
"""256 bits: where two texts share 85% of their runs of words, the estimate is off by .033 (standard
deviation), and what is unrelated never comes near a threshold."""

SIMHASH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A text's simhash, and a sketch of the set of its runs of three words.

    Of each of 256 groups of runs the sketch has one bit of the least hash (b-bit MinHash, Li and
    König, 2010).
    """

    simhash: int
    sketch: bytes

    @classmethod
    def of(cls, text: str, *, key: int = 0) -> Self:
        """The fingerprint of a text.

        Sketches can be compared where their keys are the same. With a key that nobody else knows,
        nobody can make a text whose sketch is that of another one.
        """
        return cls(*fingerprint(normal_form(text), key))

    @classmethod
    def from_bytes(cls, packed: bytes) -> Self:
        """What `to_bytes` gave; ValueError where it is of another length."""
        if len(packed) != SIMHASH_BYTES + SKETCH_BYTES:
            raise ValueError("a fingerprint has 40 bytes")
        return cls(int.from_bytes(packed[:SIMHASH_BYTES], "little"), packed[SIMHASH_BYTES:])

    def to_bytes(self) -> bytes:
        """40 bytes to store."""
        return self.simhash.to_bytes(SIMHASH_BYTES, "little") + self.sketch

    def distance(self, other: Self) -> int:
        """In how many of 64 bits the simhashes differ."""
        return (self.simhash ^ other.simhash).bit_count()

    def similarity(self, other: Self) -> float:
        """An estimate of how much of both texts' runs of words they share (Jaccard), 0 to 1."""
        apart = int.from_bytes(self.sketch, "little") ^ int.from_bytes(other.sketch, "little")
        return estimate(apart.bit_count())


def estimate(different: int) -> float:
    """The similarity of texts whose sketches differ in so many bits: half of the others do, too."""
    return max(0.0, 1 - 2 * different / (8 * SKETCH_BYTES))


def similarity(one: str, other: str) -> float:
    """How much of both texts' runs of three words they share, exactly (Jaccard); 0 for no words."""
    shared, all_of_both = shared_shingles(normal_form(one), normal_form(other))
    return shared / all_of_both if all_of_both else 0.0
