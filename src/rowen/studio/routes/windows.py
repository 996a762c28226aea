"""What keeps windows up to date, and the ways into the studio."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from rowen.service.connections import ON_SHUTDOWN
from rowen.studio.project import Project
from rowen.studio.projects import Projects
from rowen.studio.routes.state import project_of, projects_of

CHANGE_SECONDS = 0.2
"""Limit: how long a change of another window stays unnoticed. Looking takes microseconds."""

EVENT_SECONDS = 10.0
"""Limit: how long nothing is sent to a window. Proxies close connections that are silent for
longer."""


router = APIRouter(include_in_schema=False)


@router.get("/studio/")
async def studio_with_slash() -> Response:
    """The same place as without the slash."""
    return RedirectResponse("/studio", 308)


@router.get("/studio/api/projects/{name}/events")
async def events(request: Request, name: str) -> Response:
    """Tell a window each new revision of a project, as server-sent events."""
    project, projects = await project_of(request, name), projects_of(request)
    stopping = asyncio.Event()
    # Else the service would wait for the windows when it stops.
    request.scope[ON_SHUTDOWN] = stopping.set
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        _events(project, projects, stopping), 200, headers, "text/event-stream"
    )


async def _events(
    project: Project, projects: Projects, stopping: asyncio.Event
) -> AsyncIterator[bytes]:
    """The revision now, each later one, and at the end that the project has gone."""
    sent, silent = -1, 0.0
    while not stopping.is_set():
        if not projects.is_open(project):
            yield b"event: gone\ndata:\n\n"
            return
        if project.revision != sent:
            sent, silent = project.revision, 0.0
            yield f"data: {sent}\n\n".encode()
        elif silent >= EVENT_SECONDS:
            silent = 0.0
            yield b":\n\n"
        silent += CHANGE_SECONDS
        await asyncio.sleep(CHANGE_SECONDS)
