"""The studio: worker processes that learn for the projects of all tenants."""

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar
from weakref import WeakKeyDictionary

from rowen.model.errors import LimitError
from rowen.studio.discovery import DISCOVERY_BYTES, DISCOVERY_PAGES
from rowen.studio.fetching import Fetcher, Reach
from rowen.studio.flights import Call, Flights, Key
from rowen.studio.material import Pages, states_of
from rowen.studio.project import Project
from rowen.studio.published import Version
from rowen.studio.saved.captures import capture_pool
from rowen.studio.tasks import (
    NOT_JUDGED,
    STUDIO_SECONDS,
    WORK,
    Answer,
    Discover,
    Extract,
    First,
    Inspect,
    Judge,
    Locate,
    Propose,
    Recognize,
    Rehearse,
    Repair,
    Task,
    Test,
)
from rowen.studio.views import Show, view_pool
from rowen.views.wanted import WANTED_ROUNDS
from rowen.workers import Handle, Pool, Stopped
from rowen.workers.schema import ProtocolError

STUDIO_PROCESSES = 3
"""Limit: how many processes learn for the studio. One learns from all pages while another looks at
few of them first, and the third may still judge what was learned before."""

STUDIO_MEMORY_BYTES = 2 * 1024 * 1024 * 1024
"""Limit: the memory of each process, for all pages of a project and what is learned from them."""


Result = TypeVar("Result")


class Studio:
    """Worker processes and threads for all windows."""

    def __init__(self, *, fetch: Reach | None = None) -> None:
        self.fetcher = None if fetch is None else Fetcher(fetch)
        self._pool: Pool[Task, Answer] = Pool(
            WORK,
            processes=STUDIO_PROCESSES,
            seconds=4 * STUDIO_SECONDS,
            memory=STUDIO_MEMORY_BYTES,
        )
        self._views = view_pool()
        self._captures = capture_pool()
        self._threads = ThreadPoolExecutor(STUDIO_PROCESSES + 3, thread_name_prefix="studio")
        self._flights = Flights()
        # The last answers, by project: opening a screen needn't learn or search again.
        self._proposals: WeakKeyDictionary[Project, Answer] = WeakKeyDictionary()
        self._tables: WeakKeyDictionary[Project, tuple[tuple[str, ...], Answer]] = (
            WeakKeyDictionary()
        )
        self._repairs: dict[str, tuple[int, frozenset[str], Answer]] = {}

    async def proposals(self, project: Project) -> Answer:
        """The wrapper that is learned from the current labels, and the records it extracts."""
        last = self._proposals.get(project)
        if last is not None and last["revision"] == project.revision:
            return last
        key = Key(str(project.folder), "propose", project.revision)
        answer = await self._flights.proposed(key, self._learning(project, Propose))
        answer = {"revision": key.revision, **answer}
        if not answer.get("stale"):  # what was stopped may be tried again
            self._proposals[project] = answer
        return answer

    async def first_proposals(self, project: Project, page: str) -> Answer:
        """The records by what is learned from few pages, before all pages are learned from."""
        last = self._proposals.get(project)
        wrapper = None if last is None else _definition(last)

        def task(pages: Pages) -> Task:
            return First(pages, page, wrapper)

        key = Key(str(project.folder), f"first {page}", project.revision)
        try:
            answer = await self._flights.join(key, self._learning(project, task))
        except (Stopped, LimitError):
            answer = {"pages": {}}  # what is learned from all pages says what is wrong
        return {"revision": key.revision, **answer}

    async def judgement(self, project: Project) -> Answer:
        """How certain each page is, and which page to check next."""
        last = self._proposals.get(project)
        is_current = last is not None and last["revision"] == project.revision
        wrapper = _definition(last) if last is not None and is_current else None

        def task(pages: Pages) -> Task:
            return Judge(pages, wrapper)

        key = Key(str(project.folder), "judge", project.revision)
        try:
            answer = await self._flights.join(key, self._learning(project, task))
        except Stopped:
            answer = dict(NOT_JUDGED)
        return {"revision": key.revision, **answer}

    async def tables(self, project: Project) -> Answer:
        """The tables of the project's pages, found without any mark."""
        paths = searched(_paths(project))
        # The pages of a project keep their content, so their names tell whether to search again.
        names, answer = self._tables.get(project, (None, {}))
        if names != tuple(paths):
            answer = await self._call(project, paths, Discover) if paths else {"tables": []}
            self._tables[project] = (tuple(paths), answer)
        return answer

    async def places(self, project: Project, page: str, tables: tuple[str, ...]) -> Answer:
        """Where the records of tables are on a page."""
        paths = {page: project.path(page).absolute()}
        return await self._call(project, paths, lambda states: Locate(tables, states))

    async def extracted(self, project: Project, wrapper: str, paths: Mapping[str, Path]) -> Answer:
        """The records that a wrapper finds on pages."""
        return await self._call(project, paths, lambda states: Extract(wrapper, states))

    def stop_learning(self, project: Project) -> int:
        """End the processes that learn for a project; their number."""
        return self._flights.stop(str(project.folder))

    def supersede(self, project: Project) -> None:
        """End learning for older states that takes long: the project has changed."""
        self._flights.supersede(str(project.folder), project.revision)

    async def recognized(self, project: Project, page: str, names: tuple[str, ...]) -> Answer:
        """The instances that recognizers find on a page."""
        paths = {page: project.path(page)}
        return await self._call(project, paths, lambda states: Recognize(states, names))

    async def rehearsal(self, project: Project) -> Answer:
        """What publishing the current state would do."""
        revision, last = project.revision, project.published.last
        before = None if last is None else last.definition()
        answer = await self._call(
            project, _paths(project), lambda states: Rehearse(_pages(project, states), before)
        )
        return {"revision": revision, "before": None if last is None else last.number, **answer}

    async def tests(self, project: Project, version: Version) -> Answer:
        """What a published version gives on the pages that are labelled completely."""
        wrapper = version.definition()
        return await self._call(
            project, _paths(project), lambda states: Test(_pages(project, states), wrapper)
        )

    async def inspection(self, project: Project, version: Version) -> Answer:
        """Whether a published version still fits, on the new pages."""
        paths, wrapper = project.visit.paths(), version.definition()
        return await self._call(project, paths, lambda states: Inspect(wrapper, states))

    async def repair(self, project: Project, version: Version) -> Answer:
        """A repaired wrapper for the new pages, and what it changes."""
        paths, wrapper = project.visit.paths(), version.definition()
        answer = await self._call(project, paths, lambda states: Repair(wrapper, states))
        self._repairs[str(project.folder)] = (version.number, frozenset(paths), answer)
        return answer

    def last_repair(self, project: Project, version: Version) -> Answer | None:
        """The last repair, if it was of this version and these pages."""
        number, pages, answer = self._repairs.get(str(project.folder), (0, frozenset(), {}))
        # A person accepts what was shown: the repair of this version on exactly these pages.
        same = number == version.number and pages == frozenset(project.visit.paths())
        return answer if same else None

    async def view(self, project: Project, page: str) -> bytes:
        """The view of a page, as JSON."""
        path, tenant = project.path(page).absolute(), str(project.folder.parent)

        def call() -> bytes:
            attached = project.kept.attached(page)
            show = Show(page, attached.base, tuple(attached.digests))

            def content(url: str) -> bytes:
                # The worker names addresses, not paths: it can't read other files.
                if url not in attached.digests:
                    raise ProtocolError("the worker asked for a file that the page does not have")
                return project.kept.content(attached.digests[url])

            return self._views.call(show, name=page, file=path, reply=content, tenant=tenant)

        return await self.run(call)

    async def add_capture(self, project: Project, name: str, content: bytes) -> list[str]:
        """Add the pages of an MHTML file or WARC archive with their files; returns their names."""
        tenant = str(project.folder.parent)
        capture = await self.run(
            lambda: self._captures.call(name, name=name, file=content, tenant=tenant)
        )
        added = [
            await self.run(partial(project.add_page, page.name, page.content))
            for page in capture.pages
        ]
        for page, chosen in zip(capture.pages, added, strict=True):
            await self.run(partial(project.attach, chosen, {}, base=page.url))
            for _ in range(WANTED_ROUNDS):
                wanted = json.loads(await self.view(project, chosen))["wanted"]
                files = {url: capture.files[url] for url in wanted if url in capture.files}
                if not files:
                    break
                await self.run(partial(project.attach, chosen, files))
        return added

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run a function in a thread: it is slow or uses the disk."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Kill the processes."""
        pools = (self._pool, self._views, self._captures)
        for pool in pools:
            pool.stop()
        self._threads.shutdown(cancel_futures=True)
        for pool in pools:
            with pool:
                pass  # leaving it waits for the processes

    def _learning(self, project: Project, task: Callable[[Pages], Task]) -> Call:
        """The call of a task with the project as it is now."""
        return lambda handle: self._call(
            project,
            _paths(project),
            lambda states: task(_pages(project, states)),
            handle=handle,
        )

    async def _call(
        self,
        project: Project,
        paths: Mapping[str, Path],
        task: Callable[[dict[str, str]], Task],
        *,
        handle: Handle | None = None,
    ) -> Answer:
        """Have a process do a task; it may read the pages in `paths` and no others."""

        def content(name: str) -> bytes:
            # The worker names pages, not paths: it can't read other files.
            if name not in paths:
                raise ProtocolError("the worker asked for a page that is not part of its task")
            return paths[name].read_bytes()

        def call() -> Answer:
            work, tenant = task(states_of(paths)), str(project.folder.parent)
            return self._pool.call(
                work, name=project.name, reply=content, tenant=tenant, handle=handle
            )

        return await self.run(call)


def _definition(proposals: Answer) -> str | None:
    """The definition of the wrapper that proposals come from."""
    definition = proposals["wrapper"]
    return None if definition is None else json.dumps(definition)


def _paths(project: Project) -> dict[str, Path]:
    return {name: project.path(name).absolute() for name in project.state.pages}


def searched(paths: Mapping[str, Path]) -> dict[str, Path]:
    """The pages that are searched for tables: the first ones, and not too much of them."""
    chosen: dict[str, Path] = {}
    size = 0
    for name, path in list(paths.items())[:DISCOVERY_PAGES]:
        size += path.stat().st_size
        if size > DISCOVERY_BYTES and chosen:
            break
        chosen[name] = path
    return chosen


def _pages(project: Project, states: Mapping[str, str]) -> Pages:
    state = project.state
    table = None if state.table is None else state.table.written(state.types)
    return Pages(states, state.labels, state.fields, state.wrapper_class, state.types, table)
