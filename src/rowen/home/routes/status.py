"""The service's own state: queue, workers, storage and tenants; and what changes, live."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.exceptions import HTTPException

from rowen import __version__
from rowen.home.routes.state import stores_of
from rowen.home.stores import ShownStores
from rowen.service.connections import ON_SHUTDOWN
from rowen.service.state import Service, realm_of, service_of, token_of
from rowen.storage.documents.sqlite import DATABASE
from rowen.studio.projects import Projects
from rowen.studio.routes.state import projects_of

LOOK_SECONDS = 5.0
"""Limit: how long a new run or a new version stays unnoticed by an open window."""

router = APIRouter(prefix="/home/api", include_in_schema=False)


@router.get("/status")
async def status(request: Request) -> dict[str, Any]:
    """Queue, workers and storage; for operators also the tenants."""
    service, token = service_of(request), token_of(request)
    if token is not None and not token.operator:
        raise HTTPException(403, "this needs the access token of an operator")
    workers = service.workers
    usage, tenants, disk = await asyncio.to_thread(_storage, service)
    return {
        "version": __version__,
        "workers": workers.processes,
        "busy": workers.busy,
        "waiting": workers.waiting,
        "uploads": service.uploads.count,
        "documents": usage[0],
        "bytes": usage[1],
        "disk": disk,
        "redis": None if service.redis is None else service.redis.address,
        "tenants": tenants,
    }


@router.get("/events")
async def events(request: Request) -> Response:
    """Tell a window when a run has ended or a version was published, as server-sent events."""
    shown, projects = stores_of(request), projects_of(request)
    extractors = realm_of(request).store.extractors
    stopping = asyncio.Event()
    # Else the service would wait for the windows when it stops.
    request.scope[ON_SHUTDOWN] = stopping.set

    async def tell() -> AsyncIterator[bytes]:
        known = await asyncio.to_thread(_state, shown, projects)
        names = await asyncio.to_thread(extractors)
        yield b":\n\n"
        while not stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), LOOK_SECONDS)
            state = await asyncio.to_thread(_state, shown, projects)
            now = await asyncio.to_thread(extractors)
            if (state, now) == (known, names):
                yield b":\n\n"  # proxies close connections that are silent for long
            else:
                known, names = state, now
                yield b"data: changed\n\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(tell(), 200, headers, "text/event-stream")


def _state(shown: ShownStores, projects: Projects) -> list[tuple[str, int]]:
    """What changes with each run and each project: times of folders, which take microseconds."""
    folders = [projects.folder, *(Path(store.place) / "snapshots" for store in shown.all())]
    folders += [projects.folder / name / "published" for name in projects.names()]
    return [(str(folder), _time(folder)) for folder in folders]


def _time(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _storage(
    service: Service,
) -> tuple[tuple[int, int], list[dict[str, Any]], dict[str, int]]:
    usage = service.home.store.usage()
    tokens = () if service.access is None else service.access.tokens
    tenants: dict[str, dict[str, Any]] = {}
    for token in tokens:
        entry = tenants.setdefault(
            token.tenant, {"tenant": token.tenant, "tokens": 0, "quota": None, "most": None}
        )
        entry["tokens"] += 1
        entry["quota"] = max(filter(None, (entry["quota"], token.bytes)), default=None)
        entry["most"] = max(filter(None, (entry["most"], token.documents)), default=None)
    for name, entry in tenants.items():
        documents, size = _usage(service.data / "tenants" / name / DATABASE)
        entry.update(documents=documents, bytes=size)
    disk = shutil.disk_usage(service.data)
    return (
        (usage.documents, usage.bytes),
        sorted(tenants.values(), key=lambda entry: str(entry["tenant"])),
        {"free": disk.free, "total": disk.total},
    )


def _usage(path: Path) -> tuple[int, int]:
    """How much a tenant stores. Its store need not be open: SQLite allows one more reader."""
    if not path.exists():
        return 0, 0
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            row = connection.execute("SELECT count(*), coalesce(sum(size), 0) FROM documents")
            documents, size = row.fetchone()
        finally:
            connection.close()
    except sqlite3.Error:  # it is just being created
        return 0, 0
    return int(documents), int(size)
