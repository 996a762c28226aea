"""The studio: processes that learn for projects."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from rowen.documents.sandbox import Sandbox
from rowen.limits import STUDIO_MEMORY_BYTES, STUDIO_PROCESSES, STUDIO_SECONDS
from rowen.studio.material import Pages
from rowen.studio.project import Project
from rowen.studio.published import Version
from rowen.studio.tasks import (
    Answer,
    Inspect,
    Judge,
    Mend,
    Propose,
    Recognize,
    Rehearse,
    Task,
    work,
)
from rowen.studio.view import view_of

Made = TypeVar("Made")


class Studio:
    """What all windows share."""

    def __init__(self) -> None:
        self._sandbox: Sandbox[Task, Answer] = Sandbox(
            work,
            processes=STUDIO_PROCESSES,
            seconds=2 * STUDIO_SECONDS,
            memory=STUDIO_MEMORY_BYTES,
        )
        self._threads = ThreadPoolExecutor(STUDIO_PROCESSES + 2, thread_name_prefix="studio")
        self._flights: dict[tuple[str, str, int], asyncio.Task[Answer]] = {}
        self._mended: dict[str, tuple[int, frozenset[str], Answer]] = {}

    async def proposals(self, project: Project) -> Answer:
        """What is learned from the labels as they are now, and extracted by it."""
        return await self._learned(project, Propose)

    async def judgement(self, project: Project) -> Answer:
        """How certain each page is, and which to look at next."""
        return await self._learned(project, Judge)

    async def recognized(self, project: Project, page: str, names: tuple[str, ...]) -> Answer:
        """What recognizers find on a page."""
        return await self._call(Recognize(project.path(page), names), page)

    async def rehearsal(self, project: Project) -> Answer:
        """What publishing the project as it is now would do."""
        revision, last = project.revision, project.published.last
        before = None if last is None else last.definition()
        answer = await self._call(Rehearse(_pages(project), before), project.name)
        return {"revision": revision, "before": None if last is None else last.number, **answer}

    async def inspection(self, project: Project, version: Version) -> Answer:
        """Whether a published version fits the new pages."""
        return await self._call(Inspect(version.definition(), project.visit.paths()), project.name)

    async def repair(self, project: Project, version: Version) -> Answer:
        """A wrapper for the new pages, and what it changes."""
        paths = project.visit.paths()
        answer = await self._call(Mend(version.definition(), paths), project.name)
        self._mended[str(project.folder)] = (version.number, frozenset(paths), answer)
        return answer

    def mended(self, project: Project, version: Version) -> Answer | None:
        """What the last repair gave, if it was of this version and these pages."""
        number, pages, answer = self._mended.get(str(project.folder), (0, frozenset(), {}))
        same = number == version.number and pages == frozenset(project.visit.paths())
        return answer if same else None

    async def view(self, project: Project, page: str) -> bytes:
        """A page as it is shown, as JSON."""

        def made() -> bytes:
            return json.dumps(view_of(project.page(page)), separators=(",", ":")).encode()

        return await self.run(made)

    async def run(self, work: Callable[[], Made]) -> Made:
        """Do something that takes a while or uses the disk."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """End the processes."""
        self._sandbox.stop()
        self._threads.shutdown(cancel_futures=True)
        with self._sandbox:
            pass  # leaving it waits for the processes

    async def _learned(self, project: Project, kind: type[Propose] | type[Judge]) -> Answer:
        """Learn once for each revision, however many windows ask."""
        revision = project.revision
        key = (str(project.folder), kind.__name__, revision)
        flight = self._flights.get(key)
        if flight is None:
            call = self._call(kind(_pages(project)), project.name)
            flight = self._flights[key] = asyncio.create_task(call)
            flight.add_done_callback(lambda _: self._flights.pop(key))
        answer: dict[str, Any] = await asyncio.shield(flight)
        return {"revision": revision, **answer}

    async def _call(self, task: Task, name: str) -> Answer:
        return await self.run(lambda: self._sandbox.call(task, name=name))


def _pages(project: Project) -> Pages:
    state = project.state
    paths = {name: project.path(name).absolute() for name in state.pages}
    return Pages(paths, state.labels, state.fields, state.wrapper_class)
