"""Fingerprints by what they are near to: algorithm 1 of CiteSeerExtractor's paper, corrected.

The paper's three sub-hashes miss nearly a quarter of the pairs that differ in three bits; four
blocks of 16 bits miss none (Manku, Jain and Das Sarma, 2007).
"""

from rowen._core import NearIndex
from rowen.duplicates.ids import pack_id, unpack_id
from rowen.model.errors import UsageError

BITS = 64


class NearDuplicates:
    """Documents by their simhash: finds all that differ in at most `distance` bits.

    An id may have several fingerprints. Simhash alone is easily deceived: what it finds are
    candidates.
    """

    def __init__(self, *, distance: int = 3) -> None:
        if not 0 <= distance <= BITS:
            raise UsageError(f"a distance of {distance} bits: fingerprints have {BITS}")
        self._distance = distance
        self._index = NearIndex(rest=0, note=0)

    def add(self, id: str | int, fingerprint: int) -> None:  # noqa: A002  # the word for it
        """Adds a document."""
        self._index.add(pack_id(id), _checked(fingerprint), b"")

    def remove(self, id: str | int, fingerprint: int) -> bool:  # noqa: A002  # the word for it
        """Removes a document that was added with this fingerprint; false where none was."""
        return self._index.remove(pack_id(id), _checked(fingerprint))

    def query(self, fingerprint: int) -> list[tuple[str | int, int]]:
        """The documents near a fingerprint and their distances: nearest first, then oldest."""
        nearest: dict[bytes, int] = {}
        for name, distance, _ in self._index.find_near(_checked(fingerprint), self._distance):
            nearest[name] = min(distance, nearest.get(name, BITS))
        ordered = sorted(nearest.items(), key=lambda one: one[1])
        return [(unpack_id(name), distance) for name, distance in ordered]

    def __len__(self) -> int:
        return len(self._index)

    @property
    def memory(self) -> int:
        """How many bytes it takes."""
        return self._index.memory()


def _checked(fingerprint: int) -> int:
    if not 0 <= fingerprint < 1 << BITS:
        raise UsageError(f"{fingerprint} is no fingerprint of {BITS} bits")
    return fingerprint
