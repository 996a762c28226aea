"""Representations: extracted on request, stored, and never extracted twice at the same time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from rowen.duplicates.profile import Profile
from rowen.logs import LOG
from rowen.model.errors import (
    DocumentError,
    ExtractionError,
    InputError,
    LimitError,
    OutputError,
    StoreError,
)
from rowen.papers.parts import PARTS_FORM
from rowen.service.near import Asked, Inquiry, NearAnswer, NearAnswers, form_of
from rowen.service.reading import (
    CITED_STRINGS,
    NEAR,
    PROFILE,
    RECORDS,
    REPORT,
    REPORT_FORM,
    VERSION,
    Check,
    Cite,
    Excerpt,
    Read,
    Search,
    Show,
    Task,
)
from rowen.service.registered import may_be_plugin
from rowen.service.stages import (
    CITATIONS,
    PAPER_FORMS,
    TEXT,
    WRITTEN,
    Stages,
    stage_versions,
    version_of,
)
from rowen.service.workers import BusyError, Workers
from rowen.storage.documents.neighbours import Neighbours
from rowen.storage.documents.redis_claims import Claims
from rowen.storage.documents.store import (
    PARTS,
    Document,
    SavedExtractor,
    Setback,
    Store,
    definition_digest,
)
from rowen.text.formats import is_refusal
from rowen.text.sniffing import PDF
from rowen.workers import Reply
from rowen.workers.work import WORKER_DEATHS

Reuse: TypeAlias = Literal["off", "exact", "near"]
REUSES: tuple[Reuse, ...] = get_args(Reuse)
"""What may be reused: nothing, results of equal files, or results of equal parts of files too."""


@dataclass(frozen=True, slots=True)
class Obtained:
    """A representation; `reused_from` is the document it was extracted for, if it was reused."""

    content: bytes
    reused_from: str | None
    version: str
    near: NearAnswer | None = None
    """How similar that document is, where it is a near-duplicate."""

    @property
    def kind(self) -> str:
        """How it was reused: none, exact or near."""
        if self.near is not None:
            return "near"
        return "none" if self.reused_from is None else "exact"


@dataclass(frozen=True, slots=True)
class _Job:
    """Work on a content that gives several stages at once."""

    document: Document
    version: str
    work: Callable[[], Awaitable[Stages]]
    versions: dict[str, str]
    """The versions of the stages that it gives."""
    keep: Callable[[Stages], None]
    fresh: bool
    """Whether stored results may not be used."""


@dataclass(frozen=True, slots=True)
class _Flight:
    """Running work, and the document that it is done for."""

    task: "asyncio.Task[Stages | None]"
    source: str


class Extraction:
    """Gives requests what is stored, or has the workers make it; equal requests share the work."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        claims: Claims,
        neighbours: Neighbours,
        *,
        most: int | None = None,
        tenant: str = "",
    ) -> None:
        self._most = most
        self._tenant = tenant
        self._store = store
        self._workers = workers
        self._claims = claims
        self._versions = stage_versions()
        # All stages come from one reading of a document, so that the work is named by all versions.
        self._version = version_of(*sorted(self._versions.values()))
        parts = version_of(self._version, f"{PARTS} {PARTS_FORM}")
        self._read_versions = {**self._versions, PARTS: parts}
        self._near = NearAnswers(store, neighbours, self._read_versions)
        self._plugins: dict[str, str] = {}
        self._flights: dict[tuple[str, str], _Flight] = {}

    @property
    def busy(self) -> bool:
        """Whether work is running."""
        return bool(self._flights)

    def is_reading(self, document: Document) -> bool:
        """Whether a process is reading this content now."""
        return any(
            digest == document.digest and self._workers.is_begun(flight.task)
            for (digest, _), flight in self._flights.items()
        )

    async def obtain(
        self, document: Document, stage: str, form: str, *, reuse: Reuse = "near"
    ) -> Obtained:
        """A stage of a document; InputError where it can't be read."""
        request = Asked(document, stage, form, self._versions[stage])
        while True:
            stored = None
            if reuse != "off":
                stored = await self._stored(document, stage, form, request.version)
            if stored is not None:
                return stored
            inquiry = None
            if reuse == "near":
                answer = await asyncio.to_thread(self._near.recall, request)
                if answer is not None:
                    return _answered(request, answer)
                inquiry = Inquiry(self._near, request)
            key = await asyncio.to_thread(lambda: self._near.key)
            job = self._reading(document, inquiry, key, fresh=reuse == "off")
            obtained = await self._extracted(job, stage, form)
            near = None if inquiry is None else inquiry.answer or inquiry.near(stage, form)
            if near is not None:
                return _answered(request, near)
            if obtained is not None:
                return obtained
            # This request joined the work of another one, which asked for another stage and was
            # answered by a near-duplicate: so the stage was not made. Try again.

    async def records(
        self, document: Document, extractor: SavedExtractor, form: str, *, reuse: Reuse = "near"
    ) -> Obtained:
        """The records that an extractor finds in a document, or in the text of a PDF."""
        stage = f"{RECORDS} {extractor.digest}"
        version = version_of(
            self._versions[TEXT],
            extractor.digest,
            *await self._plugin_versions(extractor),
            # The same content elsewhere has other links.
            *filter(None, [document.url]),
        )
        fresh = reuse == "off"
        stored = None if fresh else await self._stored(document, stage, form, version)
        if stored is not None:
            return stored

        async def search() -> Stages:
            if document.media_type == PDF:
                # The text of a PDF is a stage of its own: extractors share it, and the PDF is read
                # once.
                text = (await self.obtain(document, TEXT, "text")).content
                stages = await self._do(_search(document, extractor, text))
            else:
                async with self._file(document) as path:
                    stages = await self._do(_search(document, extractor), file=path)
            return {stage: stages[RECORDS]}

        versions = {stage: version}
        keep = partial(self._put, document, versions)
        job = _Job(document, version, search, versions, keep, fresh)
        obtained = await self._extracted(job, stage, form)
        assert obtained is not None
        return obtained

    async def delete(self, document: Document) -> bool:
        """Delete a document, if it exists; its results are no longer reused."""
        return await asyncio.to_thread(self._near.delete, document)

    async def report(self, document: Document) -> bytes:
        """A paper's pages with the extracted parts highlighted, as HTML."""
        version = version_of(self._version, f"{REPORT} {REPORT_FORM}")
        stored = await self._stored(document, REPORT, "html", version)
        if stored is not None:
            return stored.content

        async def show() -> Stages:
            async with self._file(document) as path:
                return await self._do(Show(document.media_type, document.digest), file=path)

        versions = {REPORT: version}
        keep = partial(self._put, document, versions)
        job = _Job(document, version, show, versions, keep, fresh=False)
        obtained = await self._extracted(job, REPORT, "html")
        assert obtained is not None
        return obtained.content

    async def cite(self, strings: tuple[str, ...]) -> bytes:
        """The citations of reference strings, as JSON."""
        if len(strings) > CITED_STRINGS:
            raise InputError(f"send at most {CITED_STRINGS:,} reference strings at once")
        return (await self._do(Cite(strings)))[CITATIONS]["json"]

    async def excerpt(self, document: Document, first: int, last: int | None) -> list[bytes]:
        """Some pages of a PDF, read as if there were no others, in `WRITTEN`'s stages as JSON.

        They are not stored: hardly anyone asks for the same pages again.
        """
        async with self._file(document) as path:
            stages = await self._do(Excerpt(document.digest, first, last), file=path)
        return [stages[stage]["json"] for stage in WRITTEN]

    async def check(self, form: str, definition: str) -> str:
        """The digest of an extractor's definition; ExtractorError where it is invalid."""
        await self._do(Check(form, definition))
        return definition_digest(form, definition)

    def _reading(
        self, document: Document, inquiry: Inquiry | None, key: bytes | None, *, fresh: bool
    ) -> _Job:
        """The job to read a document: all stages, or only its profile where an equal one exists."""

        async def read() -> Stages:
            async with self._file(document) as path:
                near = inquiry is not None
                task = Read(document.media_type, document.digest, key=key, near=near)
                return _completed(await self._do(task, file=path, reply=inquiry), inquiry)

        keep = partial(self._put_read, document, inquiry, key)
        return _Job(document, self._version, read, self._versions, keep, fresh)

    async def _plugin_versions(self, extractor: SavedExtractor) -> list[str]:
        """The versions of plugins, which the records depend on; constant while the service runs."""
        # Rules and wrappers need no worker to find out: their definition has all that they depend
        # on.
        if not may_be_plugin(extractor.content):
            return []
        if extractor.digest not in self._plugins:
            stages = await self._do(Check(extractor.form, extractor.content))
            self._plugins[extractor.digest] = stages[VERSION]["text"].decode()
        return [self._plugins[extractor.digest]]

    async def _do(
        self, task: Task, *, file: Path | None = None, reply: Reply | None = None
    ) -> Stages:
        try:
            return await self._workers.do(task, file=file, reply=reply, tenant=self._tenant)
        except DocumentError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                raise DocumentError("the document", "was deleted meanwhile") from error
            raise

    async def _stored(
        self, document: Document, stage: str, form: str, version: str
    ) -> Obtained | None:
        name = document.digest, stage, form, version
        if self._store.results_are_remote:
            result = await asyncio.to_thread(self._store.result, *name)
        else:  # a local lookup is faster than a change of threads
            result = self._store.result(*name)
        return None if result is None else Obtained(result.content, result.source, version)

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

    async def _extracted(self, job: _Job, stage: str, form: str) -> Obtained | None:
        """The result of work that this or another request starts; None where it has no such stage.

        That happens where an equal document answers for it.
        """
        version = job.versions[stage]
        # Where another service has done the work, its result may be gone again before it is read.
        # After two such attempts this request works alone.
        for alone in (False, False, True):
            stages, source = await self._once(job, stage, form, alone=alone)
            if stages is not None:
                forms = stages.get(stage, {})
                return Obtained(forms[form], source, version) if form in forms else None
            stored = await self._stored(job.document, stage, form, version)
            if stored is not None:
                return stored
        raise AssertionError  # work done alone always gives stages

    async def _once(
        self, job: _Job, stage: str, form: str, *, alone: bool
    ) -> tuple[Stages | None, str | None]:
        """Do work on a content, or join the request that does it, and name its document.

        None in place of stages where another service has done the work.
        """
        # By content, not by document: equal documents share the work.
        key = (job.document.digest, job.version)
        flight = self._flights.get(key) if not alone else None
        is_leader = flight is None
        if flight is None:
            # One tenant must not fill the queue of all others.
            if self._most is not None and len(self._flights) >= self._most:
                raise BusyError("too many documents of this tenant are waiting")
            task = asyncio.create_task(self._take_turn(job, stage, form, alone=alone))
            flight = self._flights[key] = _Flight(task, job.document.id)
            task.add_done_callback(lambda ended: self._land(key, ended))
        # shield: a client that disconnects leaves the work to others who wait, and to the store.
        stages = await asyncio.shield(flight.task)
        return stages, None if is_leader else flight.source

    def _land(self, key: tuple[str, str], task: "asyncio.Task[Stages | None]") -> None:
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:  # else work done alone has replaced it
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # marks it as seen: perhaps nobody waits any more

    async def _take_turn(self, job: _Job, stage: str, form: str, *, alone: bool) -> Stages | None:
        if alone or not self._claims.shared:
            return await self._work(job)
        # Another service may have stored the result while this one waited for the claim.
        async with self._claims.turn(f"{job.document.digest}:{job.version}"):
            stored = await self._stored(job.document, stage, form, job.versions[stage])
            if stored is not None and not job.fresh:
                return None
            return await self._work(job)

    async def _work(self, job: _Job) -> Stages:
        await asyncio.to_thread(self._refuse_set_aside, job.document, job.version)
        try:
            stages = await job.work()
        except (DocumentError, ExtractionError) as error:
            await asyncio.to_thread(self._put_setback, job.document, job.version, error)
            raise _refused(error.reason) from error
        try:
            await asyncio.to_thread(job.keep, stages)
        except (OutputError, StoreError) as error:  # the client gets its answer anyway
            LOG.warning("results were not stored: %s", error)
        return stages

    def _put(self, document: Document, versions: dict[str, str], stages: Stages) -> None:
        for stage, forms in stages.items():
            self._store.put_results(document, stage, versions[stage], forms)

    def _put_read(
        self, document: Document, inquiry: Inquiry | None, key: bytes | None, stages: Stages
    ) -> None:
        results = {stage: dict(forms) for stage, forms in stages.items()}
        for_others = results.pop(NEAR, {})
        # Without a key there is no index. Without a profile the document has too many characters.
        if key is None or PROFILE not in for_others:
            self._put(document, self._versions, results)
        elif results:
            results[TEXT][form_of(PROFILE, key)] = for_others[PROFILE]
            if PARTS in for_others:
                results[PARTS] = {form_of(PARTS, key): for_others[PARTS]}
            self._put(document, self._read_versions, results)
            self._near.enter(document)
        elif inquiry is not None and inquiry.answer is not None:
            profile = Profile.from_bytes(for_others[PROFILE])
            self._near.link(document, profile, inquiry.answer, key=key)

    def is_set_aside(self, document: Document) -> bool:
        """Whether reading this document is not tried any more."""
        setback = self._store.setback(document.digest, self._version)
        return setback is not None and setback.final

    def forgive(self, document: Document) -> None:
        """Let a document be tried again that was set aside."""
        if self.is_set_aside(document):
            self._store.put_setback(document, self._version, Setback(0, "", final=False))

    def _put_setback(
        self, document: Document, version: str, error: DocumentError | ExtractionError
    ) -> None:
        """Remember a failure: an unreadable document is not tried again, nor one that fails
        twice.
        """
        before = self._store.setback(document.digest, version)
        count = 1 + (before.count if before is not None else 0)
        # An unreadable document stays unreadable. A limit or a crash may be due to a busy machine,
        # so such a document gets a second attempt.
        hopeless = isinstance(error, DocumentError) and not isinstance(error, LimitError)
        reason = error.reason
        if not hopeless and count >= WORKER_DEATHS:
            reason = f"set aside after {count} attempts: {reason}"
        try:
            final = hopeless or count >= WORKER_DEATHS
            self._store.put_setback(document, version, Setback(count, reason, final=final))
        except (OutputError, StoreError) as failure:
            LOG.warning("a setback was not stored: %s", failure)

    def _refuse_set_aside(self, document: Document, version: str) -> None:
        setback = self._store.setback(document.digest, version)
        if setback is not None and setback.final:
            raise _refused(setback.reason)


def _refused(reason: str) -> InputError:
    """The error for a document that can't be read; 415 for one of another format."""
    return DocumentError("the document", reason) if is_refusal(reason) else InputError(reason)


def _search(document: Document, extractor: SavedExtractor, text: bytes | None = None) -> Search:
    page = document.url or document.digest
    return Search(text, page, extractor.form, extractor.content)


def _completed(stages: Stages, inquiry: Inquiry | None) -> Stages:
    """The stages of a worker, with those that it left out because they are known.

    A worker that a document has taken over may leave out more: then this raises, because requests
    that wait for a missing stage would start the work again and again.
    """
    reused = {} if inquiry is None else inquiry.stages
    complete = {**stages, **reused}
    is_answered = inquiry is not None and inquiry.answer is not None
    if not complete.keys() >= PAPER_FORMS.keys() and not is_answered:
        raise LimitError("the document", "the worker returned fewer stages than requested")
    return complete


def _answered(request: Asked, answer: NearAnswer) -> Obtained:
    return Obtained(answer.content, answer.source, request.version, answer)
