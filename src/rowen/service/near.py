"""Reuse through near-duplicates: similar documents are searched, equal inputs are reused.

The matching of CiteSeerExtractor's paper (algorithm 1). It departs from the paper, which reuses the
results of a match as they are: here a match only says where to look. A result is reused only where
it was made of exactly the same inputs. For a new document:

    profile -> index -> similar documents (donors) -> all inputs equal?  reuse the representation
                                                   -> some parts equal?  reuse these parts
                                                   -> else               extract
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import PROFILE_BYTES, Profile
from rowen.logs import LOG
from rowen.model.errors import OutputError, StoreError
from rowen.papers.parts import parted
from rowen.service.questions import (
    KnownParts,
    KnownStages,
    Likeness,
    Question,
    Told,
    WhatIsIt,
    WhichParts,
    WhichStages,
)
from rowen.service.reading import PROFILE
from rowen.service.stages import PAPER_FORMS, TEXT, WRITTEN, Forms, renamed
from rowen.storage.documents.neighbours import NEAR_DONORS, Neighbours
from rowen.storage.documents.store import PARTS, Document, Result, Store

NEAR_REPAIRS = 8
"""Limit: how often one request searches again after it removed entries of deleted documents."""


@dataclass(frozen=True, slots=True)
class NearAnswer:
    """A representation that was made for another document, and how similar that is."""

    content: bytes
    source: str
    distance: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Asked:
    """The representation that a request asks for."""

    document: Document
    stage: str
    form: str
    version: str


@dataclass(frozen=True, slots=True)
class Donor:
    """A similar document, whose results may be reused."""

    id: str
    digest: str
    profile: Profile


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is stored of a content: its profile, and the content whose results it reuses, if any."""

    profile: Profile
    source: str | None


class NearAnswers:
    """Finds reusable results; for threads, because the store and the index may be remote.

    The index only proposes. The profile of a content, and the content whose results it reuses, are
    stored as a form of its text, so that they are deleted with it, or by an upgrade.
    """

    def __init__(self, store: Store, neighbours: Neighbours, versions: Mapping[str, str]) -> None:
        """`versions` are those of the stages, and that of the parts of documents."""
        self._store = store
        self._neighbours = neighbours
        self._versions = versions

    @property
    def key(self) -> bytes | None:
        """The current key of profiles; None where near-duplicates can't be found."""
        return self._neighbours.key

    def recall(self, request: Asked) -> NearAnswer | None:
        """The answer for a document whose equal is known from an earlier request."""
        key, entry = self.key, self._entry(request.document.digest)
        if key is None or entry is None:
            return None
        if entry.source is not None and self._entry(entry.source) is not None:
            answer = self._answer(request, entry.profile, entry.source)
            if answer is not None:
                return answer
        donors = self.donors(request, entry.profile)
        answer = self.equal(request, entry.profile, donors)
        if answer is not None:
            self.link(request.document, entry.profile, answer, key=key)
        return answer

    def donors(self, request: Asked, profile: Profile) -> list[Donor]:
        """Documents like this profile that have the requested result, the most similar first.

        Entries of the index whose document, profile or results were deleted are removed.
        """
        donors: list[Donor] = []
        for _ in range(NEAR_REPAIRS):
            matches = self._neighbours.nearest(profile.fingerprint, self._fingerprint)
            donors = []
            for match in matches[:NEAR_DONORS]:
                name = str(match.id)
                source = self._store.document(name)
                entry = None if source is None else self._entry(source.digest)
                if source is None or entry is None or self._result(request, source.digest) is None:
                    fingerprint = None if entry is None else entry.profile.fingerprint
                    self._neighbours.remove(name, fingerprint)
                else:
                    donors.append(Donor(name, source.digest, entry.profile))
            if len(donors) == len(matches):
                break
        return donors

    def equal(self, request: Asked, profile: Profile, donors: Sequence[Donor]) -> NearAnswer | None:
        """The answer of a document all of which is equal."""
        for donor in donors:
            if not profile.equals(donor.profile):
                continue  # and nothing is read
            if (answer := self._answer(request, profile, donor.digest)) is not None:
                return answer
        return None

    def parts(self, donor: Donor) -> dict[bytes, bytes]:
        """The parts of a document by digest."""
        key = self.key
        if key is None:
            return {}
        result = self._store.result(donor.digest, PARTS, form_of(PARTS, key), self._versions[PARTS])
        return {} if result is None else parted(result.content)

    def forms(self, document: Document, stage: str, donor: Donor) -> Forms | None:
        """A stage of a donor as that of this document, if all its forms are stored."""
        forms = {}
        for form in PAPER_FORMS[stage]:
            result = self._store.result(donor.digest, stage, form, self._versions[stage])
            if result is None:
                return None
            forms[form] = renamed(result.content, donor.digest, document.digest)
        return forms

    def link(self, document: Document, profile: Profile, answer: NearAnswer, *, key: bytes) -> None:
        """Remember the content whose results this document reuses."""
        source = self._store.document(answer.source)
        if source is not None:
            packed = profile.to_bytes() + bytes.fromhex(source.digest)
            forms = {form_of(PROFILE, key): packed}
            self._store.put_results(document, TEXT, self._versions[TEXT], forms)

    def enter(self, document: Document) -> None:
        """Add an extracted document to the index, unless an equal one is there."""
        entry = self._entry(document.digest)
        if entry is None:  # it was deleted meanwhile, or the key has changed
            return
        for match in self._neighbours.nearest(entry.profile.fingerprint, self._fingerprint):
            source = self._store.document(str(match.id))
            similar = None if source is None else self._entry(source.digest)
            if similar is not None and entry.profile.equals(similar.profile):
                return
        self._neighbours.add(document.id, entry.profile.fingerprint)

    def delete(self, document: Document) -> bool:
        """Delete a document; another one with its content takes its place in the index."""
        entry = self._entry(document.digest)
        deleted = self._store.delete(document.id)
        if entry is not None:
            self._neighbours.remove(document.id, entry.profile.fingerprint)
            result = self._packed_entry(document.digest)
            successor = None if result is None else self._store.document(result.source)
            if successor is not None and entry.source is None:
                self.enter(successor)
        return deleted

    def _packed_entry(self, digest: str) -> Result | None:
        key = self.key
        if key is None:
            return None
        return self._store.result(digest, TEXT, form_of(PROFILE, key), self._versions[TEXT])

    def _entry(self, digest: str) -> _Entry | None:
        result = self._packed_entry(digest)
        if result is None or len(result.content) < PROFILE_BYTES:
            return None
        profile = Profile.from_bytes(result.content[:PROFILE_BYTES])
        return _Entry(profile, result.content[PROFILE_BYTES:].hex() or None)

    def _fingerprint(self, document_id: str) -> Fingerprint | None:
        document = self._store.document(document_id)
        entry = None if document is None else self._entry(document.digest)
        return None if entry is None else entry.profile.fingerprint

    def _result(self, request: Asked, digest: str) -> Result | None:
        return self._store.result(digest, request.stage, request.form, request.version)

    def _answer(self, request: Asked, profile: Profile, digest: str) -> NearAnswer | None:
        """The result of another content, if the two profiles are equal."""
        entry, result = self._entry(digest), self._result(request, digest)
        if entry is None or result is None or not profile.equals(entry.profile):
            return None
        content = renamed(result.content, digest, request.document.digest)
        return _near_answer(content, result.source, profile, entry.profile)


def _near_answer(content: bytes, source: str, profile: Profile, similar: Profile) -> NearAnswer:
    fingerprint, theirs = profile.fingerprint, similar.fingerprint
    distance, similarity = fingerprint.distance(theirs), fingerprint.similarity(theirs)
    return NearAnswer(content, source, distance, similarity)


def form_of(kind: str, key: bytes) -> str:
    """The form that a profile or parts are stored as; it has the key, because others are
    useless.
    """
    return f"{kind}-{sha256(key).hexdigest()[:8]}"


class Inquiry:
    """Replies to a worker's questions about one document, and remembers what it reuses."""

    def __init__(self, near: NearAnswers, request: Asked) -> None:
        self._near = near
        self._request = request
        self._profile: Profile | None = None
        self._donors: list[Donor] = []
        self._parts: dict[str, dict[bytes, bytes]] = {}
        self.answer: NearAnswer | None = None
        """The answer of an equal document."""
        self.stages: dict[str, Forms] = {}
        """Stages of other documents with equal inputs."""
        self._sources: dict[str, Donor] = {}

    def __call__(self, question: Question) -> Told:
        """The reply to a question of the worker."""
        match question:
            case WhatIsIt():
                return Likeness(self._look(question.profile))
            case WhichParts():
                return KnownParts.of(self._find_parts(question.digests))
            case WhichStages():
                return self._find_stages(question.digests)

    def near(self, stage: str, form: str) -> NearAnswer | None:
        """The answer from a reused stage."""
        donor, profile = self._sources.get(stage), self._profile
        if donor is None or profile is None:
            return None
        return _near_answer(self.stages[stage][form], donor.id, profile, donor.profile)

    def _look(self, profile: Profile) -> Literal["equal", "like", "new"]:
        self._profile, self._parts = profile, {}
        self._donors, self.answer = [], None
        with _without_failing():
            self._donors = self._near.donors(self._request, profile)
            self.answer = self._near.equal(self._request, profile, self._donors)
        if self.answer is not None:
            return "equal"
        return "like" if self._donors else "new"

    def _find_parts(self, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those of the nearest document, and of the next ones as long as some are missing.

        Computing a page again takes much longer than reading it from another document.
        """
        parts: dict[bytes, bytes] = {}
        with _without_failing():
            for donor in self._donors:
                if donor.id not in self._parts:
                    self._parts[donor.id] = self._near.parts(donor)
                theirs = self._parts[donor.id]
                missing = [digest for digest in digests if digest not in parts]
                parts |= {digest: theirs[digest] for digest in missing if digest in theirs}
                if len(parts) == len(digests):
                    break
        return parts

    def _find_stages(self, digests: tuple[bytes, ...]) -> KnownStages:
        with _without_failing():
            for number, stage in enumerate(WRITTEN):
                for donor in self._donors:
                    if donor.profile.shares_stage(digests, number):
                        self._take(stage, donor)
        header, citations, body = (stage in self.stages for stage in WRITTEN)
        return KnownStages((header, citations, body))

    def _take(self, stage: str, donor: Donor) -> None:
        forms = self._near.forms(self._request.document, stage, donor)
        if forms is not None and stage not in self.stages:
            self.stages[stage], self._sources[stage] = forms, donor


@contextmanager
def _without_failing() -> Iterator[None]:
    """An unusable store costs only reuse."""
    try:
        yield
    except (OutputError, StoreError) as error:
        LOG.warning("near-duplicates can't be looked up: %s", error)
