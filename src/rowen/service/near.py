"""Answers from near-duplicates: what was extracted from one document serves another.

The matching of CiteSeerExtractor's paper (algorithm 1). Departs from it where it takes matches for
granted: they are verified, and what is answered must stand in a part that is the same in both.
"""

from dataclasses import dataclass
from hashlib import sha256

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import PROFILE_BYTES, Profile
from rowen.limits import NEAR_REPAIRS
from rowen.model.errors import OutputError, StoreError
from rowen.service.logs import LOG
from rowen.service.neighbours import Neighbours
from rowen.service.reading import PROFILE
from rowen.service.stages import CITATIONS, HEADER, TEXT
from rowen.service.store import Document, Result, Store
from rowen.workers.schema import ProtocolError

NEAR_STAGES = frozenset({HEADER, CITATIONS})
"""A body and a text are a document's own."""


@dataclass(frozen=True, slots=True)
class NearAnswer:
    """A representation of another document, and how near that is."""

    content: bytes
    source: str
    distance: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be answered."""

    document: Document
    stage: str
    form: str
    version: str


@dataclass(frozen=True, slots=True)
class _Known:
    """What is kept of a content: its profile, and the content that answered for it, if any did."""

    profile: Profile
    source: str | None


class NearAnswers:
    """Finds, remembers and repairs them; for threads, as the store and the index may be far away.

    The index only proposes. What is known of a content (its profile, and the content that answered
    for it) is kept as a form of its text, so that it goes with it, or with an upgrade.
    """

    def __init__(self, store: Store, neighbours: Neighbours, *, version: str) -> None:
        self._store = store
        self._neighbours = neighbours
        self._version = version

    @property
    def key(self) -> bytes | None:
        """What profiles must be made with now; None where nothing near can be found."""
        return self._neighbours.key

    def recall(self, asked: Asked) -> tuple[NearAnswer | None, bool]:
        """The answer for a document whose profile is known; and whether it is."""
        key, known = self.key, self._known(asked.document.digest)
        if key is None or known is None:
            return None, False
        if known.source is not None and self._known(known.source) is not None:
            found = self._answer(asked, known.profile, known.source)
            if found is not None:
                return found, True
        found = self.find(asked, known.profile)
        if found is not None:
            self.link(asked.document, known.profile, found, key=key)
        return found, True

    def find(self, asked: Asked, profile: Profile) -> NearAnswer | None:
        """The answer for a document with this profile, as far as the profile tells.

        Entries of the index whose document, profile or results are gone are removed.
        """
        for _ in range(NEAR_REPAIRS):
            match = self._neighbours.match(profile.fingerprint, self._fingerprint)
            if match is None:
                break
            source = self._store.document(str(match.id))
            known = None if source is None else self._known(source.digest)
            if source is None or known is None or self._result(asked, source.digest) is None:
                fingerprint = None if known is None else known.profile.fingerprint
                self._neighbours.remove(str(match.id), fingerprint)
                continue
            return self._answer(asked, profile, source.digest)
        return None

    def link(self, document: Document, profile: Profile, answer: NearAnswer, *, key: bytes) -> None:
        """Remember which content answered for this document, whose profile has this key."""
        source = self._store.document(answer.source)
        if source is not None:
            packed = profile.to_bytes() + bytes.fromhex(source.digest)
            self._store.put_results(document, TEXT, self._version, {form_of(key): packed})

    def enter(self, document: Document) -> None:
        """Let a document that was extracted answer for others.

        Not where it is a revision of one that does so: the two would stand in each other's way.
        """
        known = self._known(document.digest)
        if known is None:  # it was deleted meanwhile, or the key is another now
            return
        match = self._neighbours.match(known.profile.fingerprint, self._fingerprint)
        source = None if match is None else self._store.document(str(match.id))
        other = None if source is None else self._known(source.digest)
        if other is None or not known.profile.shares_header(other.profile):
            self._neighbours.add(document.id, known.profile.fingerprint)

    def delete(self, document: Document) -> bool:
        """Delete a document; where another one has its content, that answers in its place."""
        known = self._known(document.digest)
        deleted = self._store.delete(document.id)
        if known is not None:
            self._neighbours.remove(document.id, known.profile.fingerprint)
            kept = self._kept(document.digest)
            other = None if kept is None else self._store.document(kept.source)
            if other is not None and known.source is None:
                self.enter(other)
        return deleted

    def _kept(self, digest: str) -> Result | None:
        key = self.key
        if key is None:
            return None
        return self._store.result(digest, TEXT, form_of(key), self._version)

    def _known(self, digest: str) -> _Known | None:
        kept = self._kept(digest)
        if kept is None:
            return None
        profile = Profile.from_bytes(kept.content[:PROFILE_BYTES])
        return _Known(profile, kept.content[PROFILE_BYTES:].hex() or None)

    def _fingerprint(self, document_id: str) -> Fingerprint | None:
        document = self._store.document(document_id)
        known = None if document is None else self._known(document.digest)
        return None if known is None else known.profile.fingerprint

    def _result(self, asked: Asked, digest: str) -> Result | None:
        return self._store.result(digest, asked.stage, asked.form, asked.version)

    def _answer(self, asked: Asked, profile: Profile, digest: str) -> NearAnswer | None:
        """What another content has for it, where the part agrees that this is made of."""
        known, result = self._known(digest), self._result(asked, digest)
        if known is None or result is None or not _agrees(asked.stage, profile, known.profile):
            return None
        # A digest stands where a file's name would: that of the document that was asked for.
        content = result.content.replace(digest.encode(), asked.document.digest.encode())
        own, other = profile.fingerprint, known.profile.fingerprint
        return NearAnswer(content, result.source, own.distance(other), own.similarity(other))


def form_of(key: bytes) -> str:
    """The form of a text that its profile is kept as: one that has another key is of no use."""
    return f"{PROFILE}-{sha256(key).hexdigest()[:8]}"


class Inquiry:
    """What a worker's questions about one document are replied to with, and the last reply."""

    def __init__(self, near: NearAnswers, asked: Asked) -> None:
        self._near = near
        self._asked = asked
        self.answer: NearAnswer | None = None

    def __call__(self, packed: bytes) -> bool:
        """Whether a near-duplicate answers for a document with this profile."""
        try:
            profile = Profile.from_bytes(packed)
        except ValueError as error:
            raise ProtocolError("this is no profile") from error
        try:
            self.answer = self._near.find(self._asked, profile)
        except (OutputError, StoreError) as error:
            LOG.warning("near-duplicates can't be asked for: %s", error)
            self.answer = None
        return self.answer is not None


def _agrees(stage: str, profile: Profile, other: Profile) -> bool:
    """Whether the part is the same that a stage is made of; a front that is unknown may be."""
    if stage == CITATIONS:
        return profile.shares_references(other)
    return not profile.front or profile.shares_header(other)
