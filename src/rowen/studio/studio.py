"""The studio: processes that learn for projects."""

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from rowen.limits import STUDIO_MEMORY_BYTES, STUDIO_PROCESSES, STUDIO_SECONDS
from rowen.studio.material import Pages, states_of
from rowen.studio.project import Project
from rowen.studio.published import Version
from rowen.studio.tasks import (
    WORK,
    Answer,
    Inspect,
    Judge,
    Mend,
    Propose,
    Recognize,
    Rehearse,
    Task,
)
from rowen.studio.view import view_of
from rowen.workers import Pool
from rowen.workers.schema import ProtocolError

Made = TypeVar("Made")


class Studio:
    """What all windows share."""

    def __init__(self) -> None:
        self._pool: Pool[Task, Answer] = Pool(
            WORK,
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
        paths = {page: project.path(page)}
        return await self._call(project, paths, lambda states: Recognize(states, names))

    async def rehearsal(self, project: Project) -> Answer:
        """What publishing the project as it is now would do."""
        revision, last = project.revision, project.published.last
        before = None if last is None else last.definition()
        answer = await self._call(
            project, _paths(project), lambda states: Rehearse(_pages(project, states), before)
        )
        return {"revision": revision, "before": None if last is None else last.number, **answer}

    async def inspection(self, project: Project, version: Version) -> Answer:
        """Whether a published version fits the new pages."""
        paths, wrapper = project.visit.paths(), version.definition()
        return await self._call(project, paths, lambda states: Inspect(wrapper, states))

    async def repair(self, project: Project, version: Version) -> Answer:
        """A wrapper for the new pages, and what it changes."""
        paths, wrapper = project.visit.paths(), version.definition()
        answer = await self._call(project, paths, lambda states: Mend(wrapper, states))
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
        self._pool.stop()
        self._threads.shutdown(cancel_futures=True)
        with self._pool:
            pass  # leaving it waits for the processes

    async def _learned(self, project: Project, kind: type[Propose] | type[Judge]) -> Answer:
        """Learn once for each revision, however many windows ask."""
        revision = project.revision
        key = (str(project.folder), kind.__name__, revision)
        flight = self._flights.get(key)
        if flight is None:
            call = self._call(
                project, _paths(project), lambda states: kind(_pages(project, states))
            )
            flight = self._flights[key] = asyncio.create_task(call)
            flight.add_done_callback(lambda _: self._flights.pop(key))
        answer: dict[str, Any] = await asyncio.shield(flight)
        return {"revision": revision, **answer}

    async def _call(
        self, project: Project, paths: Mapping[str, Path], task: Callable[[dict[str, str]], Task]
    ) -> Answer:
        """Have a task done, which is made of the states of the pages that it may ask for."""

        def content(name: str) -> bytes:
            if name not in paths:
                raise ProtocolError("a page is asked for that is none of the task's")
            return paths[name].read_bytes()

        def call() -> Answer:
            given, tenant = task(states_of(paths)), str(project.folder.parent)
            return self._pool.call(given, name=project.name, reply=content, tenant=tenant)

        return await self.run(call)


def _paths(project: Project) -> dict[str, Path]:
    return {name: project.path(name).absolute() for name in project.state.pages}


def _pages(project: Project, states: Mapping[str, str]) -> Pages:
    state = project.state
    return Pages(states, state.labels, state.fields, state.wrapper_class)
