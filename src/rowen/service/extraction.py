"""Representations: extracted when they are asked for, kept, and never worked on twice at once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from rowen.documents.sniffing import PDF
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
from rowen.service.claims import Claims
from rowen.service.logs import LOG
from rowen.service.near import Asked, Inquiry, NearAnswer, NearAnswers, form_of
from rowen.service.neighbours import Neighbours
from rowen.service.reading import (
    NEAR,
    PARTS,
    PROFILE,
    RECORDS,
    REPORT,
    VERSION,
    Check,
    Read,
    Search,
    Show,
    Task,
)
from rowen.service.registered import may_be_plugin
from rowen.service.stages import PAPER_FORMS, TEXT, Stages, stage_versions, version_of
from rowen.service.store import Document, SavedExtractor, Setback, Store, definition_digest
from rowen.service.workers import BusyError, Workers
from rowen.workers import Reply

Reuse: TypeAlias = Literal["off", "exact", "near"]
REUSES: tuple[Reuse, ...] = get_args(Reuse)
"""What may be reused: nothing, what was made of equal files, what was made of equal parts, too."""


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
class _Job:
    """Work on a content that gives some stages, all at once."""

    document: Document
    version: str
    work: Callable[[], Awaitable[Stages]]
    versions: dict[str, str]
    """Those of the stages that it gives."""
    keep: Callable[[Stages], None]
    fresh: bool
    """Whether nothing will do that was made before."""


@dataclass(frozen=True, slots=True)
class _Flight:
    """Work under way, and the document that it is done for."""

    task: "asyncio.Task[Stages | None]"
    source: str


class Extraction:
    """What stands between requests and the workers."""

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
        self._version = version_of(*sorted(self._versions.values()))
        kept = {**self._versions, PARTS: self._version}
        self._near = NearAnswers(store, neighbours, kept)
        self._plugins: dict[str, str] = {}
        self._flights: dict[tuple[str, str], _Flight] = {}

    @property
    def busy(self) -> bool:
        """Whether work is under way."""
        return bool(self._flights)

    def is_reading(self, document: Document) -> bool:
        """Whether a process works on this content now."""
        return any(
            digest == document.digest and self._workers.is_begun(flight.task)
            for (digest, _), flight in self._flights.items()
        )

    async def obtain(
        self, document: Document, stage: str, form: str, *, reuse: Reuse = "near"
    ) -> Obtained:
        """A stage of a document; InputError where it can't be read."""
        asked = Asked(document, stage, form, self._versions[stage])
        while True:
            kept = None
            if reuse != "off":
                kept = await self._kept(document, stage, form, asked.version)
            if kept is not None:
                return kept
            inquiry = None
            if reuse == "near":
                answer = await asyncio.to_thread(self._near.recall, asked)
                if answer is not None:
                    return _answered(asked, answer)
                inquiry = Inquiry(self._near, asked)
            key = await asyncio.to_thread(lambda: self._near.key)
            job = self._reading(document, inquiry, key, fresh=reuse == "off")
            obtained = await self._extracted(job, stage, form)
            near = None if inquiry is None else inquiry.answer or inquiry.near(stage, form)
            if near is not None:
                return _answered(asked, near)
            if obtained is not None:
                return obtained
            # One who led asked for something else, and was answered by a near-duplicate.

    async def records(
        self, document: Document, extractor: SavedExtractor, form: str, *, reuse: Reuse = "near"
    ) -> Obtained:
        """What an extractor finds in a document, or in the text of a PDF."""
        stage = f"{RECORDS} {extractor.digest}"
        version = version_of(
            self._versions[TEXT], extractor.digest, *await self._plugin_versions(extractor)
        )
        fresh = reuse == "off"
        kept = None if fresh else await self._kept(document, stage, form, version)
        if kept is not None:
            return kept

        async def search() -> Stages:
            if document.media_type == PDF:
                text = (await self.obtain(document, TEXT, "text")).content
                found = await self._do(_search(document, extractor, text))
            else:
                async with self._file(document) as path:
                    found = await self._do(_search(document, extractor), file=path)
            return {stage: found[RECORDS]}

        versions = {stage: version}
        keep = partial(self._put, document, versions)
        job = _Job(document, version, search, versions, keep, fresh)
        obtained = await self._extracted(job, stage, form)
        assert obtained is not None
        return obtained

    async def delete(self, document: Document) -> bool:
        """Delete a document, if it is still there; nothing is answered from it any more."""
        return await asyncio.to_thread(self._near.delete, document)

    async def report(self, document: Document) -> bytes:
        """A paper's pages with what was found on them, as a page for people."""
        version = version_of(self._version, REPORT)
        kept = await self._kept(document, REPORT, "html", version)
        if kept is not None:
            return kept.content

        async def show() -> Stages:
            async with self._file(document) as path:
                return await self._do(Show(document.media_type, document.digest), file=path)

        versions = {REPORT: version}
        keep = partial(self._put, document, versions)
        job = _Job(document, version, show, versions, keep, fresh=False)
        obtained = await self._extracted(job, REPORT, "html")
        assert obtained is not None
        return obtained.content

    async def check(self, form: str, definition: str) -> str:
        """The digest of an extractor's definition; ExtractorError where it is no good."""
        await self._do(Check(form, definition))
        return definition_digest(form, definition)

    def _reading(
        self, document: Document, inquiry: Inquiry | None, key: bytes | None, *, fresh: bool
    ) -> _Job:
        """All stages of a document; only what to find it by where an equal one answers for it."""

        async def read() -> Stages:
            async with self._file(document) as path:
                near = inquiry is not None
                task = Read(document.media_type, document.digest, key=key, near=near)
                return _completed(await self._do(task, file=path, reply=inquiry), inquiry)

        keep = partial(self._put_read, document, inquiry, key)
        return _Job(document, self._version, read, self._versions, keep, fresh)

    async def _plugin_versions(self, extractor: SavedExtractor) -> list[str]:
        """What else the records depend on; it stays so as long as the service runs."""
        if not may_be_plugin(extractor.content):
            return []
        if extractor.digest not in self._plugins:
            made = await self._do(Check(extractor.form, extractor.content))
            self._plugins[extractor.digest] = made[VERSION]["text"].decode()
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

    async def _extracted(self, job: _Job, stage: str, form: str) -> Obtained | None:
        """What work on a content gives, by whomever it is done; None where it gives no such stage.

        That is so where an equal document answers for it.
        """
        version = job.versions[stage]
        for alone in (False, False, True):
            stages, source = await self._once(job, stage, form, alone=alone)
            if stages is not None:
                forms = stages.get(stage, {})
                return Obtained(forms[form], source, version) if form in forms else None
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
            if self._most is not None and len(self._flights) >= self._most:
                raise BusyError("too many documents of this tenant are waiting to be read")
            task = asyncio.create_task(self._take_turn(job, stage, form, alone=alone))
            flight = self._flights[key] = _Flight(task, job.document.id)
            task.add_done_callback(lambda done: self._land(key, done))
        # One that goes away leaves the work to those who wait for it, and to the store.
        stages = await asyncio.shield(flight.task)
        return stages, None if leads else flight.source

    def _land(self, key: tuple[str, str], task: "asyncio.Task[Stages | None]") -> None:
        flight = self._flights.get(key)
        if flight is not None and flight.task is task:  # else one who worked alone took its place
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # perhaps nobody waits for it any more

    async def _take_turn(self, job: _Job, stage: str, form: str, *, alone: bool) -> Stages | None:
        if alone or not self._claims.shared:
            return await self._work(job)
        async with self._claims.turn(f"{job.document.digest}:{job.version}"):
            kept = await self._kept(job.document, stage, form, job.versions[stage])
            if kept is not None and not job.fresh:
                return None
            return await self._work(job)

    async def _work(self, job: _Job) -> Stages:
        await asyncio.to_thread(self._refuse_set_aside, job.document, job.version)
        try:
            stages = await job.work()
        except (DocumentError, ExtractionError) as error:
            await asyncio.to_thread(self._put_setback, job.document, job.version, error)
            raise InputError(error.reason) from error
        try:
            await asyncio.to_thread(job.keep, stages)
        except (OutputError, StoreError) as error:  # the answer is known all the same
            LOG.warning("results were not kept: %s", error)
        return stages

    def _put(self, document: Document, versions: dict[str, str], stages: Stages) -> None:
        for stage, forms in stages.items():
            self._store.put_results(document, stage, versions[stage], forms)

    def _put_read(
        self, document: Document, inquiry: Inquiry | None, key: bytes | None, stages: Stages
    ) -> None:
        made = {stage: dict(forms) for stage, forms in stages.items()}
        kept = made.pop(NEAR, {})
        if key is None or PROFILE not in kept:
            self._put(document, self._versions, made)
        elif made:
            made[TEXT][form_of(PROFILE, key)] = kept[PROFILE]
            if PARTS in kept:
                made[PARTS] = {form_of(PARTS, key): kept[PARTS]}
            self._put(document, {**self._versions, PARTS: self._version}, made)
            self._near.enter(document)
        elif inquiry is not None and inquiry.answer is not None:
            profile = Profile.from_bytes(kept[PROFILE])
            self._near.link(document, profile, inquiry.answer, key=key)

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


def _search(document: Document, extractor: SavedExtractor, text: bytes | None = None) -> Search:
    return Search(text, document.digest, extractor.form, extractor.content)


def _completed(stages: Stages, inquiry: Inquiry | None) -> Stages:
    """What a worker made with what it left out, as that is known.

    One that has been taken over may leave out more: who waits for that must not wait in vain.
    """
    known = {} if inquiry is None else inquiry.stages
    made = {**stages, **known}
    is_answered = inquiry is not None and inquiry.answer is not None
    if not made.keys() >= PAPER_FORMS.keys() and not is_answered:
        raise LimitError("the document", "reading it gave less than was asked for")
    return made


def _answered(asked: Asked, answer: NearAnswer) -> Obtained:
    return Obtained(answer.content, answer.source, asked.version, answer)
