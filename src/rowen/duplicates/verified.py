"""Verified near-duplicates: similar enough by their sketches, and similar to no other document.

This departs from algorithm 1 of the CiteSeerExtractor paper, which relies on simhash alone. Simhash
collides on mathematics, and 13% of filler words bring the simhashes of any two texts together.
So documents are looked up by 64 bits of their sketches, which differ less for the same similarity,
and accepted by the similarity of the whole sketches.

    sketches       old: 0110...   new: 0100...   20 of 256 bits differ
    similarity     1 - 2 * 20 / 256 = 0.84, below the threshold of 0.85: no match
    with 10 bits   0.92: a match, if every other document has at most 0.92 - 0.1
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rowen._core import NearIndex
from rowen.duplicates.fingerprint import SIMHASH_BYTES, SKETCH_BYTES, Fingerprint, estimate
from rowen.duplicates.ids import pack_id, unpack_id
from rowen.model.errors import UsageError

THRESHOLD = 0.85
"""The smallest similarity of near-duplicates: the share of common runs of words. Chosen by
cross-validation on revisions of real documents; docs/duplicates.md has the trade-off."""

MARGIN = 0.1
"""By how much the best match must be ahead of every other text. A text that is similar to several
different texts is a filled-in form or comes from a template, and is none of them."""

_CODE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Match:
    """A near-duplicate: its id, the different bits of simhash, and the estimated similarity."""

    id: str | int
    distance: int
    similarity: float


class VerifiedDuplicates:
    """An index of documents by fingerprint that finds the one that a text nearly equals.

    All fingerprints must be made with the same key. A document that was answered by an earlier one
    should not be added: two similar documents would prevent each other's matches by the margin.
    """

    def __init__(self, *, threshold: float = THRESHOLD, margin: float = MARGIN) -> None:
        if not (0 < threshold <= 1 and 0 <= margin < threshold):
            raise UsageError("the threshold must be in (0, 1], the margin in [0, threshold)")
        self._threshold = threshold
        self._margin = margin
        self._index = NearIndex(rest=SKETCH_BYTES - _CODE_BYTES, note=SIMHASH_BYTES)

    def add(self, id: str | int, fingerprint: Fingerprint) -> None:  # noqa: A002  # the word for it
        """Add a document; one without words is never found."""
        code, tail, note = _parts(fingerprint)
        self._index.add(pack_id(id), code, tail + note)

    def remove(self, id: str | int, fingerprint: Fingerprint) -> bool:  # noqa: A002  # the word for it
        """Remove a document that was added with this fingerprint; false if there is none."""
        return self._index.remove(pack_id(id), _parts(fingerprint)[0])

    def match(self, fingerprint: Fingerprint) -> Match | None:
        """The document that a text nearly equals, if there is exactly one by the margin.

        Documents with the same fingerprint count as one; the oldest of them is returned.
        """
        matches = list(self._texts(fingerprint))
        if not matches or matches[0].similarity < self._threshold:
            return None
        best = matches[0]
        if len(matches) > 1 and matches[1].similarity > best.similarity - self._margin:
            return None
        return best

    def nearest(
        self, fingerprint: Fingerprint, count: int, *, threshold: float | None = None
    ) -> list[Match]:
        """The most similar documents: best first, and newest first among equals.

        The margin does not apply: these are candidates, not matches to rely on.
        """
        least = self._threshold if threshold is None else threshold
        code, tail, _ = _parts(fingerprint)
        candidates = self._like(code, tail, least) if any(fingerprint.sketch) else []
        best = sorted(range(len(candidates)), key=lambda age: (candidates[age][1], -age))
        return [_match(candidates[age], fingerprint) for age in best[:count]]

    def __len__(self) -> int:
        return len(self._index)

    @property
    def memory(self) -> int:
        """The memory of the index in bytes."""
        return self._index.memory()

    def _texts(self, fingerprint: Fingerprint) -> Iterator[Match]:
        """The most similar texts, best first, down to where the margin no longer counts."""
        # A text without words has an empty sketch, which is equal to that of every other such text.
        if not any(fingerprint.sketch):
            return
        code, tail, _ = _parts(fingerprint)
        seen = set()
        candidates = self._like(code, tail, self._threshold - self._margin)
        for candidate in sorted(candidates, key=lambda candidate: candidate[1]):
            if candidate[1:] not in seen:
                seen.add(candidate[1:])
                yield _match(candidate, fingerprint)

    def _like(self, code: int, tail: bytes, least: float) -> list[tuple[bytes, int, bytes]]:
        """Ids, different bits and stored bytes of documents that similar, oldest first."""
        # The inverse of `estimate`: so many of the sketch's bits may differ.
        return self._index.find_like(code, tail, int((1 - least) * 4 * SKETCH_BYTES))


def _match(candidate: tuple[bytes, int, bytes], fingerprint: Fingerprint) -> Match:
    name, different, extra = candidate
    simhash = int.from_bytes(extra[-SIMHASH_BYTES:], "little")
    return Match(unpack_id(name), (simhash ^ fingerprint.simhash).bit_count(), estimate(different))


def _parts(fingerprint: Fingerprint) -> tuple[int, bytes, bytes]:
    """The 64 bits of the sketch for looking up documents, its other bits, and the simhash."""
    code = int.from_bytes(fingerprint.sketch[:_CODE_BYTES], "little")
    note = fingerprint.simhash.to_bytes(SIMHASH_BYTES, "little")
    return code, fingerprint.sketch[_CODE_BYTES:], note
