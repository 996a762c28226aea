"""Find fingerprints within a few bits: algorithm 1 of the CiteSeerExtractor paper, corrected.

The paper cuts a simhash into sub-hashes, keeps a table for each, and compares a new document with
those that share a sub-hash. Its figures have k + 1 sub-hashes, but its algorithm only k = 3. Then
three different bits can fall one into each, no sub-hash is shared, and nearly a quarter of the
pairs that differ in three bits are missed. Four blocks of 16 bits miss none: three bits touch three
blocks at most, so one block is equal (Manku, Jain and Das Sarma, 2007).

    stored   0011 | 0101 | 1100 | 1010
    asked    0111 | 0100 | 1101 | 1010     three bits differ, and the fourth block is equal
    lookup   the fourth table, at 1010, finds the stored one; comparing all bits gives 3

For distances of 4 to 7 bits some block differs in at most one bit, so all 17 such values of each
block are looked up, and so on (`_core/near_index.hpp`).
"""

from rowen._core import NearIndex
from rowen.duplicates.ids import pack_id, unpack_id
from rowen.model.errors import UsageError

BITS = 64


class NearDuplicates:
    """An index of documents by simhash: finds all that differ in at most `distance` bits.

    An id may have several fingerprints. Simhash alone is easy to deceive, so the results are
    candidates; `rowen.duplicates.verified` verifies them.

    >>> import rowen
    >>> seen = NearDuplicates(distance=3)
    >>> seen.add("first", rowen.simhash("A paper about wrappers for web pages."))
    >>> seen.query(rowen.simhash("a paper about wrappers, for web pages"))
    [('first', 0)]
    """

    def __init__(self, *, distance: int = 3) -> None:
        if not 0 <= distance <= BITS:
            raise UsageError(f"distance must be from 0 to {BITS} bits, not {distance}")
        self._distance = distance
        self._index = NearIndex(rest=0, note=0)

    def add(self, id: str | int, fingerprint: int) -> None:  # noqa: A002  # the word for it
        """Add a document."""
        self._index.add(pack_id(id), _checked(fingerprint), b"")

    def remove(self, id: str | int, fingerprint: int) -> bool:  # noqa: A002  # the word for it
        """Remove a document that was added with this fingerprint; false if there is none."""
        return self._index.remove(pack_id(id), _checked(fingerprint))

    def query(self, fingerprint: int) -> list[tuple[str | int, int]]:
        """The documents near a fingerprint with their distances: nearest first, then oldest."""
        nearest: dict[bytes, int] = {}
        for name, distance, _ in self._index.find_near(_checked(fingerprint), self._distance):
            nearest[name] = min(distance, nearest.get(name, BITS))
        ordered = sorted(nearest.items(), key=lambda candidate: candidate[1])
        return [(unpack_id(name), distance) for name, distance in ordered]

    def __len__(self) -> int:
        return len(self._index)

    @property
    def memory(self) -> int:
        """The memory of the index in bytes."""
        return self._index.memory()


def _checked(fingerprint: int) -> int:
    if not 0 <= fingerprint < 1 << BITS:
        raise UsageError(f"{fingerprint} is not a fingerprint of {BITS} bits")
    return fingerprint
