"""Realms: what one tenant has, apart from what all others have."""

import asyncio
from collections import OrderedDict, defaultdict
from pathlib import Path

from rowen.service.claims import Claims
from rowen.service.extraction import Extraction
from rowen.service.files import disk, sync_folder
from rowen.service.jobs import Jobs
from rowen.service.neighbours import Neighbours
from rowen.service.opening import Sharing, open_neighbours, open_store
from rowen.service.quotas import Account
from rowen.service.store import SavedExtractor, Store, Usage
from rowen.service.workers import Workers
from rowen.studio.projects import Projects

HOME = ""
"""The realm of a service without tenants."""
STUDIO = "studio"
"""The folder of a realm's projects."""
_TENANTS = "tenants"


class Realm:
    """Documents, results and extractors that nobody outside of it sees or is served from.

    Its name is part of every place that it keeps things in; workers are all that realms share.
    """

    def __init__(
        self,
        name: str,
        store: Store,
        *,
        neighbours: Neighbours,
        projects: Projects,
        workers: Workers,
        claims: Claims,
    ) -> None:
        self.name = name
        self.store = store
        self.neighbours = neighbours
        self.projects = projects
        # One tenant leaves room for others.
        most = workers.share if name else None
        self.extraction = Extraction(store, workers, claims, neighbours, most=most, tenant=name)
        self.jobs = Jobs(self.extraction)
        # Only tenants have quotas, and counting may take long.
        self.account = Account(store.usage() if name else Usage(0, 0))
        self.users = 0
        self._registering = asyncio.Lock()

    @property
    def idle(self) -> bool:
        """Whether nobody would miss it now."""
        return not (self.users or self.extraction.busy or self.jobs.busy)

    async def register(self, extractor: SavedExtractor, *, most: int | None) -> bool:
        """Register an extractor, which counts like a document; tells whether its name is new."""
        async with self._registering:  # or two of one name would both count
            grown = extractor.size - await self._size(extractor.name)
            self.account.grow(grown, most=most)
            try:
                return await asyncio.to_thread(self.store.put_extractor, extractor)
            except BaseException:
                self.account.grow(-grown, most=None)
                raise

    async def unregister(self, name: str) -> None:
        """Forget an extractor."""
        async with self._registering:
            size = await self._size(name)
            if await asyncio.to_thread(self.store.delete_extractor, name):
                self.account.grow(-size, most=None)

    async def _size(self, name: str) -> int:
        known = await asyncio.to_thread(self.store.extractor, name)
        return 0 if known is None else known.size

    def close(self) -> None:
        """Let go of the projects, the neighbours and the store."""
        self.projects.close()
        self.neighbours.close()
        self.store.close()


class Realms:
    """Those of tenants: opened when somebody comes, and as many kept open as there is room for."""

    def __init__(self, data: Path, workers: Workers, sharing: Sharing, *, most: int) -> None:
        self._data = data
        self._workers = workers
        self._sharing = sharing
        self._most = most
        self._open: OrderedDict[str, Realm] = OrderedDict()
        self._changing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._closing: set[asyncio.Task[None]] = set()

    async def enter(self, name: str) -> Realm:
        """A realm to be left again; StoreError or OutputError where it can't be used."""
        realm = self._open.get(name) or await self._opened(name)
        realm.users += 1
        self._open.move_to_end(name)
        return realm

    def leave(self, realm: Realm) -> None:
        """One less is in it."""
        realm.users -= 1

    def close(self) -> None:
        """Let go of all of them."""
        for realm in self._open.values():
            realm.close()
        self._open.clear()

    async def _opened(self, name: str) -> Realm:
        async with self._changing[name]:
            if name not in self._open:
                opened = await asyncio.to_thread(
                    open_realm, self._data, name, self._workers, self._sharing
                )
                await self._make_room()
                self._open[name] = opened
            return self._open[name]

    async def _make_room(self) -> None:
        """Close one that nobody is in; the next who comes waits until that is done."""
        if len(self._open) < self._most:
            return
        for name, realm in self._open.items():
            lock = self._changing[name]
            if realm.idle and not lock.locked():
                await lock.acquire()
                if not realm.idle or self._open.get(name) is not realm:  # somebody was quicker
                    lock.release()
                    return
                del self._open[name]
                task = asyncio.create_task(self._close(realm, lock))
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)
                return

    async def _close(self, realm: Realm, lock: asyncio.Lock) -> None:
        try:
            await asyncio.to_thread(realm.close)
        finally:
            lock.release()


def open_realm(data: Path, name: str, workers: Workers, sharing: Sharing) -> Realm:
    """A realm with all that it kept before."""
    folder = data / _TENANTS / name if name else data
    with disk():
        folder.mkdir(parents=True, exist_ok=True)
        if name:
            for above in (folder.parent, data):  # a folder that is lost takes its documents along
                sync_folder(above)
    store = open_store(folder, sharing, realm=name)
    try:
        neighbours = open_neighbours(folder, sharing, realm=name)
        claims = Claims(sharing.redis, realm=name)
        return Realm(
            name,
            store,
            neighbours=neighbours,
            projects=Projects(folder / STUDIO),
            workers=workers,
            claims=claims,
        )
    except BaseException:
        store.close()
        raise
