"""The studio: projects, and processes that learn for them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from rowen.documents.sandbox import Sandbox
from rowen.limits import STUDIO_MEMORY_BYTES, STUDIO_PROCESSES, STUDIO_SECONDS
from rowen.studio.project import Project
from rowen.studio.projects import Projects
from rowen.studio.tasks import Answer, Judge, Pages, Propose, Recognize, Task, work
from rowen.studio.view import view_of

Made = TypeVar("Made")


class Studio:
    """What all windows share."""

    def __init__(self, folder: Path) -> None:
        self.projects = Projects(folder)
        self._sandbox: Sandbox[Task, Answer] = Sandbox(
            work,
            processes=STUDIO_PROCESSES,
            seconds=2 * STUDIO_SECONDS,
            memory=STUDIO_MEMORY_BYTES,
        )
        self._threads = ThreadPoolExecutor(STUDIO_PROCESSES + 2, thread_name_prefix="studio")
        self._flights: dict[tuple[str, str, int], asyncio.Task[Answer]] = {}

    async def proposals(self, project: Project) -> Answer:
        """What is learned from the labels as they are now, and extracted by it."""
        return await self._learned(project, Propose)

    async def judgement(self, project: Project) -> Answer:
        """How certain each page is, and which to look at next."""
        return await self._learned(project, Judge)

    async def recognized(self, project: Project, page: str, names: tuple[str, ...]) -> Answer:
        """What recognizers find on a page."""
        return await self._call(Recognize(project.path(page), names), page)

    async def view(self, project: Project, page: str) -> Answer:
        """A page as it is shown."""
        return await self.run(lambda: view_of(project.page(page)))

    async def run(self, work: Callable[[], Made]) -> Made:
        """Do something that takes a while or uses the disk."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """End the processes, then let go of the projects."""
        self._sandbox.stop()
        self._threads.shutdown(cancel_futures=True)
        with self._sandbox:
            pass  # leaving it waits for the processes
        self.projects.close()

    async def _learned(self, project: Project, kind: type[Propose] | type[Judge]) -> Answer:
        """Learn once for each revision, however many windows ask."""
        revision, state = project.revision, project.state
        key = (str(project.folder), kind.__name__, revision)
        flight = self._flights.get(key)
        if flight is None:
            paths = {name: project.path(name).absolute() for name in state.pages}
            task = kind(Pages(paths, state.labels, state.wrapper_class))
            flight = self._flights[key] = asyncio.create_task(self._call(task, project.name))
            flight.add_done_callback(lambda _: self._flights.pop(key))
        answer: dict[str, Any] = await asyncio.shield(flight)
        return {"revision": revision, **answer}

    async def _call(self, task: Task, name: str) -> Answer:
        return await self.run(lambda: self._sandbox.call(task, name=name))
