"""Representations: extracted when they are asked for, kept, and never worked on twice at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Literal, TypeAlias

from rowen.duplicates.profile import Profile
from rowen.limits import WORKER_DEATHS
from rowen.model.errors import (
    DocumentError,
    ExtractionError,
    InputError,
    LimitError,
    OutputError,
    StoreError,
)
from rowen.service.logs import LOG
from rowen.service.near import NEAR_STAGES, Asked, Inquiry, NearAnswer, NearAnswers
from rowen.service.neighbours import Neighbours
from rowen.service.reading import PROFILE, RECORDS, REPORT, Check, Read, Search, Show
from rowen.service.sniffing import PDF
from rowen.service.stages import TEXT, Stages, stage_versions, version_of
from rowen.service.store import Document, Result, SavedExtractor, Setback, Store
from rowen.service.workers import Workers

Reuse: TypeAlias = Literal["off", "exact", "near"]
"""What may be reused: nothing, what was made of equal content, of nearly the same content, too."""


@dataclass(frozen=True, slots=True)
class Obtained:
    """A representation, and the document that it was extracted for if not for this request."""

    content: bytes
    reused_from: str | None
    version: str
    near: NearAnswer | None = None
    """How near that document is, where it is not the same."""

    @property
    def kind(self) -> str:
        """Whether it was reused: none, exact or near."""
        if self.near is not None:
            return "near"
        return "none" if self.reused_from is None else "exact"


@dataclass(frozen=True, slots=True)
class _Flight:
    """Work under way, and the document that it is done for."""

    task: "asyncio.Task[Stages]"
    source: str


class Extraction:
    """What stands between requests and the workers."""

    def __init__(self, store: Store, workers: Workers, neighbours: Neighbours) -> None:
        self._store = store
        self._workers = workers
        self._versions = stage_versions()
        self._version = version_of(*sorted(self._versions.values()))
        self._near = NearAnswers(store, neighbours, version=self._versions[TEXT])
        self._flights: dict[tuple[str, str], _Flight] = {}

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return bool(self._flights)

    async def obtain(
        self, document: Document, stage: str, form: str, *, reuse: Reuse = "near"
    ) -> Obtained:
        """A stage of a document; InputError where it can't be read."""
        if stage != TEXT and document.media_type != PDF:
            raise InputError(f"only a PDF has a {stage} here; this is {document.media_type}")
        asked = Asked(document, stage, form, self._versions[stage])
        while True:
            kept = None if reuse == "off" else self._kept(asked)
            if kept is not None:
                return Obtained(kept.content, kept.source, asked.version)
            inquiry = None
            if reuse == "near" and stage in NEAR_STAGES:
                answer, known = await asyncio.to_thread(self._near.recall, asked)
                if answer is not None:
                    return _answered(asked, answer)
                inquiry = None if known else Inquiry(self._near, asked)
            stages, source = await self._read(document, inquiry)
            if stage in stages and form in stages[stage]:
                return Obtained(stages[stage][form], source, asked.version)
            if source is None and inquiry is not None and inquiry.answer is not None:
                return _answered(asked, inquiry.answer)
            # One who led asked for something else, and was answered by a near-duplicate.

    async def records(
        self, document: Document, extractor: SavedExtractor, form: str, *, reuse: Reuse = "near"
    ) -> Obtained:
        """What an extractor finds in a document, or in the text of a PDF."""
        stage = f"{RECORDS} {extractor.digest}"
        version = version_of(self._versions[TEXT], extractor.digest)
        kept = None if reuse == "off" else self._kept(Asked(document, stage, form, version))
        if kept is not None:
            return Obtained(kept.content, kept.source, version)

        async def search() -> Stages:
            path = self._store.path(document)
            source = path if document.media_type != PDF else await self._text(document)
            task = Search(source, document.digest, extractor.form, extractor.content)
            found = await self._workers.do(task)
            return {stage: found[RECORDS]}

        keep = partial(self._put, document, {stage: version})
        stages, leader = await self._once(document, version, search, keep)
        return Obtained(stages[stage][form], leader, version)

    async def delete(self, document: Document) -> bool:
        """Delete a document, if it is still there; nothing is answered from it any more."""
        return await asyncio.to_thread(self._near.delete, document)

    async def report(self, document: Document) -> bytes:
        """A PDF's pages with what was found on them, as a page for people."""
        if document.media_type != PDF:
            raise InputError(f"only a PDF has pages to show; this is {document.media_type}")
        version = version_of(self._version, REPORT)
        kept = self._store.result(document.digest, REPORT, "html", version)
        if kept is not None:
            return kept.content
        task = Show(self._store.path(document), document.name or document.id)
        keep = partial(self._put, document, {REPORT: version})
        stages, _ = await self._once(document, version, lambda: self._workers.do(task), keep)
        return stages[REPORT]["html"]

    async def check(self, form: str, definition: str) -> str:
        """The digest of an extractor's definition; ExtractorError where it is no good."""
        await self._workers.do(Check(form, definition))
        return sha256(f"{form}\n{definition}".encode()).hexdigest()

    def _kept(self, asked: Asked) -> Result | None:
        digest = asked.document.digest
        return self._store.result(digest, asked.stage, asked.form, asked.version)

    async def _read(self, document: Document, inquiry: Inquiry | None) -> tuple[Stages, str | None]:
        """All stages of a document; none but its profile where a near-duplicate answers for it."""
        task = Read(
            self._store.path(document),
            document.media_type,
            document.digest,
            key=await asyncio.to_thread(lambda: self._near.key),
            near=inquiry is not None,
        )
        return await self._once(
            document,
            self._version,
            lambda: self._workers.do(task, inquiry),
            partial(self._put_read, document, inquiry),
        )

    async def _text(self, document: Document) -> str:
        return (await self.obtain(document, TEXT, "text")).content.decode()

    async def _once(
        self,
        document: Document,
        version: str,
        work: Callable[[], Awaitable[Stages]],
        keep: Callable[[Stages], None],
    ) -> tuple[Stages, str | None]:
        """Do work on a content, or wait for the one that does it, who is named then."""
        key = (document.digest, version)
        flight = self._flights.get(key)
        leads = flight is None
        if flight is None:
            self._refuse_set_aside(document, version)
            task = asyncio.create_task(self._work(document, version, work, keep))
            flight = self._flights[key] = _Flight(task, document.id)
            task.add_done_callback(lambda done: self._land(key, done))
        # One that goes away leaves the work to those who wait for it, and to the store.
        stages = await asyncio.shield(flight.task)
        return stages, None if leads else flight.source

    def _land(self, key: tuple[str, str], task: "asyncio.Task[Stages]") -> None:
        del self._flights[key]
        if not task.cancelled():
            task.exception()  # perhaps nobody waits for it any more

    async def _work(
        self,
        document: Document,
        version: str,
        work: Callable[[], Awaitable[Stages]],
        keep: Callable[[Stages], None],
    ) -> Stages:
        try:
            stages = await work()
        except (DocumentError, ExtractionError) as error:
            await asyncio.to_thread(self._put_setback, document, version, error)
            raise InputError(error.reason) from error
        try:
            await asyncio.to_thread(keep, stages)
        except (OutputError, StoreError) as error:  # the answer is known all the same
            LOG.warning("results were not kept: %s", error)
        return stages

    def _put(self, document: Document, versions: dict[str, str], stages: Stages) -> None:
        for stage, forms in stages.items():
            self._store.put_results(document, stage, versions[stage], forms)

    def _put_read(self, document: Document, inquiry: Inquiry | None, stages: Stages) -> None:
        text = dict(stages[TEXT])
        profile, form = text.pop(PROFILE, None), self._near.form
        if not text:
            if profile is not None and inquiry is not None and inquiry.answer is not None:
                self._near.link(document, Profile.from_bytes(profile), inquiry.answer)
            return
        if profile is not None and form is not None:
            text[form] = profile
        self._put(document, self._versions, {**stages, TEXT: text})
        if profile is not None:
            self._near.enter(document)

    def _put_setback(
        self, document: Document, version: str, error: DocumentError | ExtractionError
    ) -> None:
        """A document that can't be read is not tried again; nor one that took too much twice."""
        before = self._store.setback(document.digest, version)
        count = 1 + (before.count if before is not None else 0)
        hopeless = isinstance(error, DocumentError) and not isinstance(error, LimitError)
        reason = error.reason
        if not hopeless and count >= WORKER_DEATHS:
            reason = f"set aside after {count} attempts: {reason}"
        try:
            final = hopeless or count >= WORKER_DEATHS
            self._store.put_setback(document, version, Setback(count, reason, final=final))
        except (OutputError, StoreError) as failure:
            LOG.warning("a setback was not kept: %s", failure)

    def _refuse_set_aside(self, document: Document, version: str) -> None:
        known = self._store.setback(document.digest, version)
        if known is not None and known.final:
            raise InputError(known.reason)


def _answered(asked: Asked, answer: NearAnswer) -> Obtained:
    return Obtained(answer.content, answer.source, asked.version, answer)
