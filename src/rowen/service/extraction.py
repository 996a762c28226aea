"""Representations: extracted when they are asked for, kept, and never worked on twice at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256

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
from rowen.service.reading import RECORDS, VERSION, Check, Read, Search
from rowen.service.registered import may_be_plugin
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
class _Flight:
    """Work under way, and the document that it is done for."""

    task: "asyncio.Task[Stages]"
    source: str


class Extraction:
    """What stands between requests and the workers."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self._store = store
        self._workers = workers
        self._versions = stage_versions()
        self._version = version_of(*sorted(self._versions.values()))
        self._plugins: dict[str, str] = {}
        self._flights: dict[tuple[str, str], _Flight] = {}

    async def obtain(self, document: Document, stage: str, form: str) -> Obtained:
        """A stage of a document; InputError where it can't be read."""
        if stage != TEXT and document.media_type != PDF:
            raise InputError(f"only a PDF has a {stage} here; this is {document.media_type}")
        version = self._versions[stage]
        kept = self._store.result(document.digest, stage, form, version)
        if kept is not None:
            return Obtained(kept.content, kept.source, version)
        # Here is the place to ask for near-duplicates: nothing equal is known, nothing is read yet.
        task = Read(self._store.path(document), document.media_type, document.digest)
        stages, source = await self._once(
            document, self._version, lambda: self._workers.do(task), self._versions
        )
        return Obtained(stages[stage][form], source, version)

    async def records(self, document: Document, extractor: SavedExtractor, form: str) -> Obtained:
        """What an extractor finds in a document, or in the text of a PDF."""
        stage = f"{RECORDS} {extractor.digest}"
        version = version_of(
            self._versions[TEXT], extractor.digest, *await self._plugin_versions(extractor)
        )
        kept = self._store.result(document.digest, stage, form, version)
        if kept is not None:
            return Obtained(kept.content, kept.source, version)

        async def search() -> Stages:
            path = self._store.path(document)
            source = path if document.media_type != PDF else await self._text(document)
            task = Search(source, document.digest, extractor.form, extractor.content)
            found = await self._workers.do(task)
            return {stage: found[RECORDS]}

        stages, leader = await self._once(document, version, search, {stage: version})
        return Obtained(stages[stage][form], leader, version)

    async def check(self, form: str, definition: str) -> str:
        """The digest of an extractor's definition; ExtractorError where it is no good."""
        await self._workers.do(Check(form, definition))
        return sha256(f"{form}\n{definition}".encode()).hexdigest()

    async def _plugin_versions(self, extractor: SavedExtractor) -> list[str]:
        """What else the records depend on; it stays so as long as the service runs."""
        if not may_be_plugin(extractor.content):
            return []
        if extractor.digest not in self._plugins:
            made = await self._workers.do(Check(extractor.form, extractor.content))
            self._plugins[extractor.digest] = made[VERSION]["text"].decode()
        return [self._plugins[extractor.digest]]

    async def _text(self, document: Document) -> str:
        return (await self.obtain(document, TEXT, "text")).content.decode()

    async def _once(
        self,
        document: Document,
        version: str,
        work: Callable[[], Awaitable[Stages]],
        versions: dict[str, str],
    ) -> tuple[Stages, str | None]:
        """Do work on a content, or wait for the one that does it, who is named then."""
        key = (document.digest, version)
        flight = self._flights.get(key)
        leads = flight is None
        if flight is None:
            self._refuse_set_aside(document, version)
            task = asyncio.create_task(self._work(document, version, work, versions))
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
        versions: dict[str, str],
    ) -> Stages:
        try:
            stages = await work()
        except (DocumentError, ExtractionError) as error:
            await asyncio.to_thread(self._put_setback, document, version, error)
            raise InputError(error.reason) from error
        await asyncio.to_thread(self._put, document, versions, stages)
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
