"""What was made of other documents and serves a new one: found by likeness, taken where equal.

The matching of CiteSeerExtractor's paper (algorithm 1). Departs from it where it takes matches for
granted: here they only say where to look. What is reused was made of exactly the same inputs.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from rowen.duplicates.fingerprint import Fingerprint
from rowen.duplicates.profile import PROFILE_BYTES, Profile
from rowen.limits import NEAR_DONORS, NEAR_REPAIRS
from rowen.model.errors import OutputError, StoreError
from rowen.scholar.parts import parted
from rowen.service.logs import LOG
from rowen.service.neighbours import Neighbours
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
from rowen.service.reading import PARTS, PROFILE
from rowen.service.stages import PAPER_FORMS, TEXT, WRITTEN, Forms, renamed
from rowen.service.store import Document, Result, Store


@dataclass(frozen=True, slots=True)
class NearAnswer:
    """A representation that was made for another document, and how near that is."""

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
class Donor:
    """A document whose results may serve, and what is known of it."""

    id: str
    digest: str
    profile: Profile


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

    def __init__(self, store: Store, neighbours: Neighbours, versions: Mapping[str, str]) -> None:
        """`versions` are those of the stages, and of the parts of documents."""
        self._store = store
        self._neighbours = neighbours
        self._versions = versions

    @property
    def key(self) -> bytes | None:
        """What profiles must be made with now; None where nothing near can be found."""
        return self._neighbours.key

    def recall(self, asked: Asked) -> NearAnswer | None:
        """The answer for a document that is known to be equal to another."""
        key, known = self.key, self._known(asked.document.digest)
        if key is None or known is None:
            return None
        if known.source is not None and self._known(known.source) is not None:
            found = self._answer(asked, known.profile, known.source)
            if found is not None:
                return found
        donors = self.donors(asked, known.profile)
        found = self.equal(asked, known.profile, donors)
        if found is not None:
            self.link(asked.document, known.profile, found, key=key)
        return found

    def donors(self, asked: Asked, profile: Profile) -> list[Donor]:
        """Documents like one with this profile that have what was asked for, the nearest first.

        Entries of the index whose document, profile or results are gone are removed.
        """
        found: list[Donor] = []
        for _ in range(NEAR_REPAIRS):
            matches = self._neighbours.nearest(profile.fingerprint, self._fingerprint)
            found = []
            for match in matches[:NEAR_DONORS]:
                own = str(match.id)
                source = self._store.document(own)
                known = None if source is None else self._known(source.digest)
                if source is None or known is None or self._result(asked, source.digest) is None:
                    fingerprint = None if known is None else known.profile.fingerprint
                    self._neighbours.remove(own, fingerprint)
                else:
                    found.append(Donor(own, source.digest, known.profile))
            if len(found) == len(matches):
                break
        return found

    def equal(self, asked: Asked, profile: Profile, donors: Sequence[Donor]) -> NearAnswer | None:
        """The answer of a document all of which is equal."""
        for donor in donors:
            if (found := self._answer(asked, profile, donor.digest)) is not None:
                return found
        return None

    def parts(self, donor: Donor) -> dict[bytes, bytes]:
        """The parts of a document by their digests."""
        key = self.key
        if key is None:
            return {}
        kept = self._store.result(donor.digest, PARTS, form_of(PARTS, key), self._versions[PARTS])
        return {} if kept is None else parted(kept.content)

    def forms(self, document: Document, stage: str, donor: Donor) -> Forms | None:
        """A stage of one document as another one's, where all its forms are there."""
        found = {}
        for form in PAPER_FORMS[stage]:
            kept = self._store.result(donor.digest, stage, form, self._versions[stage])
            if kept is None:
                return None
            found[form] = renamed(kept.content, donor.digest, document.digest)
        return found

    def link(self, document: Document, profile: Profile, answer: NearAnswer, *, key: bytes) -> None:
        """Remember which content answered for this document, whose profile has this key."""
        source = self._store.document(answer.source)
        if source is not None:
            packed = profile.to_bytes() + bytes.fromhex(source.digest)
            forms = {form_of(PROFILE, key): packed}
            self._store.put_results(document, TEXT, self._versions[TEXT], forms)

    def enter(self, document: Document) -> None:
        """Let a document that was extracted serve others, unless one is there that is equal."""
        known = self._known(document.digest)
        if known is None:  # it was deleted meanwhile, or the key is another now
            return
        for match in self._neighbours.nearest(known.profile.fingerprint, self._fingerprint):
            source = self._store.document(str(match.id))
            other = None if source is None else self._known(source.digest)
            if other is not None and known.profile.equals(other.profile):
                return
        self._neighbours.add(document.id, known.profile.fingerprint)

    def delete(self, document: Document) -> bool:
        """Delete a document; where another one has its content, that serves in its place."""
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
        return self._store.result(digest, TEXT, form_of(PROFILE, key), self._versions[TEXT])

    def _known(self, digest: str) -> _Known | None:
        kept = self._kept(digest)
        if kept is None or len(kept.content) < PROFILE_BYTES:
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
        """What another content has for it, where the two are made of the same."""
        known, result = self._known(digest), self._result(asked, digest)
        if known is None or result is None or not profile.equals(known.profile):
            return None
        content = renamed(result.content, digest, asked.document.digest)
        own, other = profile.fingerprint, known.profile.fingerprint
        return NearAnswer(content, result.source, own.distance(other), own.similarity(other))


def form_of(kind: str, key: bytes) -> str:
    """The form that a profile or parts are kept as: those that have another key are of no use."""
    return f"{kind}-{sha256(key).hexdigest()[:8]}"


class Inquiry:
    """What a worker's questions about one document are replied to with, and what came of them."""

    def __init__(self, near: NearAnswers, asked: Asked) -> None:
        self._near = near
        self._asked = asked
        self._profile: Profile | None = None
        self._donors: list[Donor] = []
        self._parts: dict[str, dict[bytes, bytes]] = {}
        self.answer: NearAnswer | None = None
        """That of a document which is equal."""
        self.stages: dict[str, Forms] = {}
        """What was written for other documents from the same, by stage."""
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
        """The answer with a stage that was written for another document."""
        donor, profile = self._sources.get(stage), self._profile
        if donor is None or profile is None:
            return None
        own, other = profile.fingerprint, donor.profile.fingerprint
        content = self.stages[stage][form]
        return NearAnswer(content, donor.id, own.distance(other), own.similarity(other))

    def _look(self, profile: Profile) -> Literal["equal", "like", "new"]:
        self._profile, self._parts = profile, {}
        self._donors, self.answer = [], None
        with _without_failing():
            self._donors = self._near.donors(self._asked, profile)
            self.answer = self._near.equal(self._asked, profile, self._donors)
        if self.answer is not None:
            return "equal"
        return "like" if self._donors else "new"

    def _find_parts(self, digests: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those of the nearest document, and of the next ones as long as it has few of them."""
        found: dict[bytes, bytes] = {}
        with _without_failing():
            for donor in self._donors:
                if donor.id not in self._parts:
                    self._parts[donor.id] = self._near.parts(donor)
                known = self._parts[donor.id]
                found |= {one: known[one] for one in digests if one in known and one not in found}
                if 2 * len(found) >= len(digests):
                    break
        return found

    def _find_stages(self, digests: tuple[bytes, ...]) -> KnownStages:
        with _without_failing():
            for number, stage in enumerate(WRITTEN):
                for donor in self._donors:
                    if donor.profile.shares_stage(digests, number):
                        self._take(stage, donor)
        header, citations, body = (stage in self.stages for stage in WRITTEN)
        return KnownStages((header, citations, body))

    def _take(self, stage: str, donor: Donor) -> None:
        forms = self._near.forms(self._asked.document, stage, donor)
        if forms is not None and stage not in self.stages:
            self.stages[stage], self._sources[stage] = forms, donor


@contextmanager
def _without_failing() -> Iterator[None]:
    """A store that can't be asked costs reuse, and nothing else."""
    try:
        yield
    except (OutputError, StoreError) as error:
        LOG.warning("near-duplicates can't be asked for: %s", error)
