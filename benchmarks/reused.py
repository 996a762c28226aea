"""A service without its processes: documents come, and are answered as it would answer them."""

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from rowen.service.extraction import Extraction, Obtained
from rowen.service.reading import Read, Task, received, work
from rowen.service.stages import PAPER_FORMS, Stages
from rowen.service.workers import Workers
from rowen.storage.documents.neighbours import EmbeddedNeighbours
from rowen.storage.documents.redis_claims import Claims
from rowen.storage.documents.sqlite import EmbeddedStore
from rowen.storage.documents.store import Document
from rowen.workers import Asker

Answers = dict[tuple[str, str], bytes]


class _Asker:
    """Asks in this process."""

    def __init__(self, file: Path | None, reply: Callable[[Any], Any] | None) -> None:
        self._file = file
        self._reply = reply

    def __call__(self, _seconds: float) -> None:
        """As long as it takes."""

    def ask(self, question: object) -> Any:
        """The reply."""
        assert self._reply is not None
        return self._reply(question)

    def document(self) -> bytes:
        """What the file holds."""
        assert self._file is not None
        return self._file.read_bytes()


class _Here:
    """Does tasks in this process, and adds up what they take."""

    def __init__(self) -> None:
        self.seconds = 0.0

    async def do(
        self,
        task: Task,
        *,
        file: Path | None = None,
        reply: Callable[[Any], Any] | None = None,
        tenant: str = "",  # noqa: ARG002  # as the real ones have it
    ) -> Stages:
        """What a worker would make of it."""
        start = time.process_time()
        made = received(task, work(task, cast("Asker", _Asker(file, reply))))
        self.seconds += time.process_time() - start
        return made


class Service:
    """Extraction with a store and an index of its own."""

    def __init__(self, folder: Path) -> None:
        self._store = EmbeddedStore(folder)
        self._neighbours = EmbeddedNeighbours(folder, version="1")
        self._here = _Here()
        self._extraction = Extraction(
            self._store, cast("Workers", self._here), Claims(None, realm="open"), self._neighbours
        )

    def add(self, data: bytes, media_type: str) -> Document:
        """A document that was submitted."""
        draft = self._store.draft()
        draft.write(data)
        return self._store.keep(draft, media_type=media_type, name="a", key=None)

    def answers(self, document: Document) -> tuple[Answers, dict[str, str]]:
        """All forms of all stages as they are answered, and how each stage was come by."""
        obtained = asyncio.run(self._obtain(document))
        kinds = {stage: one.kind for (stage, _), one in reversed(list(obtained.items()))}
        return {where: one.content for where, one in obtained.items()}, kinds

    async def _obtain(self, document: Document) -> Mapping[tuple[str, str], Obtained]:
        return {
            (stage, form): await self._extraction.obtain(document, stage, form)
            for stage, forms in PAPER_FORMS.items()
            for form in forms
        }

    def fresh(self, document: Document) -> Answers:
        """The same by extraction, of which nothing is kept."""
        with self._store.reading(document) as path:
            task = Read(document.media_type, document.digest)
            made = work(task, cast("Asker", _Asker(path, None)))
        return {(stage, form): made[stage][form] for stage in PAPER_FORMS for form in made[stage]}

    @property
    def seconds(self) -> float:
        """Processor time that the work on documents took so far, but for `fresh`."""
        return self._here.seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._neighbours.close()
        self._store.close()
