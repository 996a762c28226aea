"""Representations: extracted when they are asked for, kept, and never worked on twice at once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rowen.limits import WORKER_DEATHS
from rowen.model.errors import (
    DocumentError,
    ExtractionError,
    InputError,
    LimitError,
    OutputError,
    StoreError,
)
from rowen.service.claims import Claims
from rowen.service.logs import LOG
from rowen.service.reading import RECORDS, REPORT, Check, Read, Search, Show
from rowen.service.sniffing import PDF
from rowen.service.stages import TEXT, Forms, Stages, stage_versions, version_of
from rowen.service.store import Document, SavedExtractor, Setback, Store
from rowen.service.workers import Workers


@dataclass(frozen=True, slots=True)
class Obtained:
    """A representation, and the document that it was extracted for if not for this request."""

    content: bytes
    reused_from: str | None
    version: str


@dataclass(frozen=True, slots=True)
class _Job:
    """Work on a content that gives some stages, all at once."""

    document: Document
    version: str
    work: Callable[[], Awaitable[Stages]]
    versions: dict[str, str]
    """Those of the stages that it gives."""


@dataclass(frozen=True, slots=True)
class _Flight:
    """Work under way, and the document that it is done for."""

    task: "asyncio.Task[Stages | None]"
    source: str


class Extraction:
    """What stands between requests and the workers."""

    def __init__(self, store: Store, workers: Workers, claims: Claims) -> None:
        self._store = store
        self._workers = workers
        self._claims = claims
        self._versions = stage_versions()
        self._version = version_of(*sorted(self._versions.values()))
        self._flights: dict[tuple[str, str], _Flight] = {}

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return bool(self._flights)

    async def obtain(self, document: Document, stage: str, form: str) -> Obtained:
        """A stage of a document; InputError where it can't be read."""
        kept = await self._kept(document, stage, form, self._versions[stage])
        if kept is not None:
            return kept
        # Here is the place to ask for near-duplicates: nothing equal is known, nothing is read yet.

        async def read() -> Stages:
            async with self._file(document) as path:
                return await self._workers.do(Read(path, document.media_type, document.digest))

        return await self._extracted(
            _Job(document, self._version, read, self._versions), stage, form
        )

    async def records(self, document: Document, extractor: SavedExtractor, form: str) -> Obtained:
        """What an extractor finds in a document, or in the text of a PDF."""
        stage = f"{RECORDS} {extractor.digest}"
        version = version_of(self._versions[TEXT], extractor.digest)
        kept = await self._kept(document, stage, form, version)
        if kept is not None:
            return kept

        async def search() -> Stages:
            if document.media_type == PDF:
                found = await self._search(await self._text(document), document, extractor)
            else:
                async with self._file(document) as path:
                    found = await self._search(path, document, extractor)
            return {stage: found[RECORDS]}

        return await self._extracted(_Job(document, version, search, {stage: version}), stage, form)

    async def report(self, document: Document) -> bytes:
        """A PDF's pages with what was found on them, as a page for people."""
        if document.media_type != PDF:
            raise InputError(f"only a PDF has pages to show; this is {document.media_type}")
        version = version_of(self._version, REPORT)
        kept = await self._kept(document, REPORT, "html", version)
        if kept is not None:
            return kept.content

        async def show() -> Stages:
            async with self._file(document) as path:
                return await self._workers.do(Show(path, document.name or document.id))

        job = _Job(document, version, show, {REPORT: version})
        return (await self._extracted(job, REPORT, "html")).content

    async def check(self, form: str, definition: str) -> str:
        """The digest of an extractor's definition; ExtractorError where it is no good."""
        await self._workers.do(Check(form, definition))
        return sha256(f"{form}\n{definition}".encode()).hexdigest()

    async def _text(self, document: Document) -> str:
        return (await self.obtain(document, TEXT, "text")).content.decode()

    async def _search(
        self, source: Path | str, document: Document, extractor: SavedExtractor
    ) -> Stages:
        return await self._workers.do(
            Search(source, document.digest, extractor.form, extractor.content)
        )

    async def _kept(
        self, document: Document, stage: str, form: str, version: str
    ) -> Obtained | None:
        wanted = document.digest, stage, form, version
        if self._store.results_are_remote:
            kept = await asyncio.to_thread(self._store.result, *wanted)
        else:
            kept = self._store.result(*wanted)
        return None if kept is None else Obtained(kept.content, kept.source, version)

    @asynccontextmanager
    async def _file(self, document: Document) -> AsyncIterator[Path]:
        held = self._store.reading(document)
        try:
            path = await asyncio.to_thread(held.__enter__)
        except FileNotFoundError:
            raise DocumentError("the document", "was deleted meanwhile") from None
        try:
            yield path
        finally:
            held.__exit__(None, None, None)

    async def _extracted(self, job: _Job, stage: str, form: str) -> Obtained:
        """What work on a content gives, by whomever it is done."""
        version = job.versions[stage]
        for alone in (False, False, True):
            stages, source = await self._once(job, stage, form, alone=alone)
            if stages is not None:
                return Obtained(stages[stage][form], source, version)
            kept = await self._kept(job.document, stage, form, version)
            if kept is not None:
                return kept
        raise AssertionError  # who works alone has stages

    async def _once(
        self, job: _Job, stage: str, form: str, *, alone: bool
    ) -> tuple[Stages | None, str | None]:
        """Do work on a content, or wait for the one that does it, who is named then.

        None in place of stages where another service did it.
        """
        key = (job.document.digest, job.version)
        flight = self._flights.get(key) if not alone else None
        leads = flight is None
        if flight is None:
            task = asyncio.create_task(self._take_turn(job, stage, form, alone=alone))
            flight = self._flights[key] = _Flight(task, job.document.id)
            task.add_done_callback(lambda done: self._land(key, done))
        # One that goes away leaves the work to those who wait for it, and to the store.
        stages = await asyncio.shield(flight.task)
        return stages, None if leads else flight.source

    def _land(self, key: tuple[str, str], task: "asyncio.Task[Stages | None]") -> None:
        if self._flights[key].task is task:
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # perhaps nobody waits for it any more

    async def _take_turn(self, job: _Job, stage: str, form: str, *, alone: bool) -> Stages | None:
        if alone or not self._claims.shared:
            return await self._work(job)
        async with self._claims.turn(f"{job.document.digest}:{job.version}"):
            if await self._kept(job.document, stage, form, job.versions[stage]) is not None:
                return None
            return await self._work(job)

    async def _work(self, job: _Job) -> Stages:
        await asyncio.to_thread(self._refuse_set_aside, job.document, job.version)
        try:
            stages = await job.work()
        except (DocumentError, ExtractionError) as error:
            await asyncio.to_thread(self._put_setback, job.document, job.version, error)
            raise InputError(error.reason) from error
        await asyncio.to_thread(self._put, job.document, job.versions, stages)
        return stages

    def _put(self, document: Document, versions: dict[str, str], stages: Stages) -> None:
        forms: Forms
        try:
            for stage, forms in stages.items():
                self._store.put_results(document, stage, versions[stage], forms)
        except (OutputError, StoreError) as error:  # the answer is known all the same
            LOG.warning("results were not kept: %s", error)

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
