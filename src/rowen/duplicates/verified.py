"""Near-duplicates that one may rely on: verified by what the texts share, and standing apart.

Departs from algorithm 1 of CiteSeerExtractor's paper: simhash collides on mathematics, and a tenth
of filler words brings any two texts' simhashes together. So documents are found by the bits of
their sketches, which are nearer for the same similarity, and answered by the similarity that the
whole sketches show.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rowen._core import NearIndex
from rowen.duplicates.fingerprint import SIMHASH_BYTES, SKETCH_BYTES, Fingerprint, estimate
from rowen.duplicates.ids import pack_id, unpack_id
from rowen.model.errors import UsageError

THRESHOLD = 0.85
"""How much of their runs of words a text and its near-duplicate share at least. Chosen by
cross-validation on revisions of real documents; docs/duplicates.md has the trade-off."""

MARGIN = 0.1
"""By how much the best match must be ahead of every other text. What is much like several different
texts is a filled-in form or a page from a generator, and like none of them in particular."""

_CODE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Match:
    """A document that is nearly the same: how many bits of simhash differ, and what is shared."""

    id: str | int
    distance: int
    similarity: float


class VerifiedDuplicates:
    """Documents by their fingerprints, and which of them a text nearly is.

    All fingerprints must be made with the same key. Of documents of which one was answered by
    another only that one should be added: each revision would else stand in the other's way.
    """

    def __init__(self, *, threshold: float = THRESHOLD, margin: float = MARGIN) -> None:
        if not (0 < threshold <= 1 and 0 <= margin < threshold):
            raise UsageError("a threshold lies in (0, 1], a margin in [0, threshold)")
        self._threshold = threshold
        self._margin = margin
        self._index = NearIndex(rest=SKETCH_BYTES - _CODE_BYTES, note=SIMHASH_BYTES)

    def add(self, id: str | int, fingerprint: Fingerprint) -> None:  # noqa: A002  # the word for it
        """Adds a document; one without any words is never found."""
        code, rest, note = _parts(fingerprint)
        self._index.add(pack_id(id), code, rest + note)

    def remove(self, id: str | int, fingerprint: Fingerprint) -> bool:  # noqa: A002  # the word for it
        """Removes a document that was added with this fingerprint; false where none was."""
        return self._index.remove(pack_id(id), _parts(fingerprint)[0])

    def match(self, fingerprint: Fingerprint) -> Match | None:
        """The document that a text nearly is, if there is one that stands apart from all others.

        Documents of the same fingerprint count as one; the oldest of them is given.
        """
        found = list(self._texts(fingerprint))
        if not found or found[0].similarity < self._threshold:
            return None
        best = found[0]
        if len(found) > 1 and found[1].similarity > best.similarity - self._margin:
            return None
        return best

    def nearest(
        self, fingerprint: Fingerprint, count: int, *, threshold: float | None = None
    ) -> list[Match]:
        """The most similar documents, best first, and the newest first of those that are as good.

        They need not stand apart: this is where to look, not what to rely on.
        """
        least = self._threshold if threshold is None else threshold
        code, rest, _ = _parts(fingerprint)
        found = self._like(code, rest, least) if any(fingerprint.sketch) else []
        best = sorted(range(len(found)), key=lambda age: (found[age][1], -age))
        return [_match(found[age], fingerprint) for age in best[:count]]

    def __len__(self) -> int:
        return len(self._index)

    @property
    def memory(self) -> int:
        """How many bytes it takes."""
        return self._index.memory()

    def _texts(self, fingerprint: Fingerprint) -> Iterator[Match]:
        """The most similar texts, best first, as far down as they can stand in the way."""
        if not any(fingerprint.sketch):
            return
        code, rest, _ = _parts(fingerprint)
        seen = set()
        found = self._like(code, rest, self._threshold - self._margin)
        for one in sorted(found, key=lambda one: one[1]):
            if one[1:] not in seen:
                seen.add(one[1:])
                yield _match(one, fingerprint)

    def _like(self, code: int, rest: bytes, least: float) -> list[tuple[bytes, int, bytes]]:
        """Ids, different bits and what is kept of documents that are as similar, oldest first."""
        return self._index.find_like(code, rest, int((1 - least) * 4 * SKETCH_BYTES))


def _match(found: tuple[bytes, int, bytes], asked: Fingerprint) -> Match:
    name, different, extra = found
    simhash = int.from_bytes(extra[-SIMHASH_BYTES:], "little")
    return Match(unpack_id(name), (simhash ^ asked.simhash).bit_count(), estimate(different))


def _parts(fingerprint: Fingerprint) -> tuple[int, bytes, bytes]:
    """The bits that documents are found by, the other ones, and what is kept beside them."""
    code = int.from_bytes(fingerprint.sketch[:_CODE_BYTES], "little")
    note = fingerprint.simhash.to_bytes(SIMHASH_BYTES, "little")
    return code, fingerprint.sketch[_CODE_BYTES:], note
