"""Realms: the data of one tenant, separate from that of all others."""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from pathlib import Path

from rowen.files import sync
from rowen.service.extension import RealmData, WorkingData
from rowen.service.extraction import Extraction
from rowen.service.jobs import Jobs
from rowen.service.opening import Sharing, open_neighbours, open_store
from rowen.service.quotas import Account
from rowen.service.workers import Workers
from rowen.storage.documents.files import disk
from rowen.storage.documents.neighbours import Neighbours
from rowen.storage.documents.redis_claims import Claims
from rowen.storage.documents.store import Document, SavedExtractor, Store, Usage

HOME = ""
"""The realm of a service without tenants."""
_TENANTS = "tenants"


class Realm:
    """A tenant's documents, results and extractors; no other tenant sees or reuses them.

    Its name is part of every path and key that it stores under. Realms share only the workers.
    """

    def __init__(
        self,
        name: str,
        store: Store,
        *,
        neighbours: Neighbours,
        extensions: Mapping[str, RealmData],
        workers: Workers,
        claims: Claims,
    ) -> None:
        self.name = name
        self.store = store
        self.neighbours = neighbours
        self.extensions = extensions
        """The data of each extension of the service, by the extension's name."""
        # One tenant must leave workers for others.
        most = workers.share if name else None
        self.extraction = Extraction(store, workers, claims, neighbours, most=most, tenant=name)
        self.jobs = Jobs(self.extraction)
        self._working = [data for data in extensions.values() if isinstance(data, WorkingData)]
        for data in self._working:
            data.attend(store, self.extraction, readers=workers.processes)
        # Only tenants have quotas; counting what is stored may take long.
        self.account = Account(store.usage() if name else Usage(0, 0))
        self.users = 0
        self._registering = asyncio.Lock()

    @property
    def idle(self) -> bool:
        """Whether it can be closed now."""
        works = any(data.busy for data in self._working)
        return not (self.users or self.extraction.busy or self.jobs.busy or works)

    async def go_on(self) -> None:
        """Go on with work that was left when the service ended."""
        for data in self._working:
            await data.go_on()

    async def stop(self) -> None:
        """Stop working in the background."""
        for data in self._working:
            await data.stop()

    async def delete(self, document: Document) -> bool:
        """Delete a document, if it exists, with all that extensions have of it."""
        deleted = await self.extraction.delete(document)
        if deleted:
            self.account.forget(document.size)
            for data in self._working:
                await asyncio.to_thread(data.forget, document.id)
        return deleted

    async def register(self, extractor: SavedExtractor, *, most: int | None) -> bool:
        """Register an extractor; True if its name is new. Its size counts towards the quota."""
        async with self._registering:  # otherwise two of one name would both count
            grown = extractor.size - await self._size(extractor.name)
            self.account.grow(grown, most=most)
            try:
                return await asyncio.to_thread(self.store.put_extractor, extractor)
            except BaseException:
                self.account.grow(-grown, most=None)
                raise

    async def unregister(self, name: str) -> None:
        """Delete an extractor."""
        async with self._registering:
            size = await self._size(name)
            if await asyncio.to_thread(self.store.delete_extractor, name):
                self.account.grow(-size, most=None)

    async def _size(self, name: str) -> int:
        stored = await asyncio.to_thread(self.store.extractor, name)
        return 0 if stored is None else stored.size

    def close(self) -> None:
        """Close the data of extensions, the near-duplicate index and the store."""
        for data in self.extensions.values():
            data.close()
        self.neighbours.close()
        self.store.close()


class Realms:
    """The realms of tenants: opened on request, and at most `most` of them kept open."""

    def __init__(self, data: Path, workers: Workers, sharing: Sharing, *, most: int) -> None:
        self._data = data
        self._workers = workers
        self._sharing = sharing
        self._most = most
        self._open: OrderedDict[str, Realm] = OrderedDict()
        self._changing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._closing: set[asyncio.Task[None]] = set()

    async def enter(self, name: str) -> Realm:
        """Open a realm and count a user; StoreError or OutputError where it can't be opened."""
        realm = self._open.get(name) or await self._opened(name)
        # Nothing is awaited since the realm was looked up, so that it can't have been closed
        # meanwhile.
        realm.users += 1
        self._open.move_to_end(name)
        return realm

    def leave(self, realm: Realm) -> None:
        """Count a user less; every `enter` needs one `leave`."""
        realm.users -= 1

    async def go_on(self) -> None:
        """Open the realms in which work was left, and go on with it."""
        for name in await asyncio.to_thread(self._with_work):
            realm = await self.enter(name)
            try:
                await realm.go_on()
            finally:
                self.leave(realm)

    async def stop(self) -> None:
        """Stop working in the background."""
        for realm in self._open.values():
            await realm.stop()

    def _with_work(self) -> list[str]:
        tenants = self._data / _TENANTS
        with disk():
            folders = sorted(tenants.iterdir()) if tenants.is_dir() else []
        return [
            folder.name
            for folder in folders
            if any(extension.has_work(folder) for extension in self._sharing.extensions)
        ]

    def close(self) -> None:
        """Close all realms."""
        for realm in self._open.values():
            realm.close()
        self._open.clear()

    async def _opened(self, name: str) -> Realm:
        # One lock per name: two requests must not open the same folder, which is locked.
        async with self._changing[name]:
            if name not in self._open:
                opened = await asyncio.to_thread(
                    open_realm, self._data, name, self._workers, self._sharing
                )
                await self._make_room()
                self._open[name] = opened
            return self._open[name]

    async def _make_room(self) -> None:
        """Close an idle realm; the next request for it waits until it is closed."""
        if len(self._open) < self._most:
            return
        for name, realm in self._open.items():
            lock = self._changing[name]
            if realm.idle and not lock.locked():
                await lock.acquire()
                if (
                    not realm.idle or self._open.get(name) is not realm
                ):  # it was used while this waited
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
    """Open the realm of this name; it is created if missing."""
    folder = data / _TENANTS / name if name else data
    with disk():
        folder.mkdir(parents=True, exist_ok=True)
        if name:
            for above in (folder.parent, data):  # else a power failure could lose the folder itself
                sync(above)
    store = open_store(folder, sharing, realm=name)
    try:
        neighbours = open_neighbours(folder, sharing, realm=name)
        claims = Claims(sharing.redis, realm=name)
        return Realm(
            name,
            store,
            neighbours=neighbours,
            extensions={
                extension.name: extension.open_realm(folder) for extension in sharing.extensions
            },
            workers=workers,
            claims=claims,
        )
    except BaseException:
        store.close()
        raise
