"""For operators: health, metrics and the description of the calls."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from rowen.model.errors import RowenError
from rowen.service.metrics import MEDIA_TYPE
from rowen.service.negotiation import result_of
from rowen.service.problems import PROBLEMS, problem
from rowen.service.state import service_of
from rowen.storage.documents.guard import READY_SECONDS, budget
from rowen.workers import Confinement

router = APIRouter(tags=["operations"], responses=PROBLEMS)

_STYLE = (
    "body{font:16px/1.5 system-ui;max-width:50em;margin:2em auto;padding:0 1em;"
    "color-scheme:light dark}code{font-size:1.1em}h2{margin-top:1.5em}"
)
_QUOTA = (
    '<h2 id="quota">Quota exceeded</h2><p>The problem of type <code>/docs#quota</code>, with '
    "status 507: what the tenant stores, together with uploads in progress, reaches the quota of "
    "the access token. <code>unit</code> is bytes or documents, <code>held</code> and "
    "<code>limit</code> are numbers of them. Nothing was stored. Delete documents to make room.</p>"
)


@router.get("/livez")
async def livez() -> dict[str, str]:
    """Whether the process answers."""
    return {"status": "ok"}


@router.get(
    "/readyz",
    responses={200: {"description": "Ready", "content": {"application/json": result_of("ready")}}},
)
async def readyz(request: Request) -> Response:
    """Whether documents can be stored now; else 503 with the `reasons`, within two seconds.

    The service is ready without Redis too, only slower. The response also says how workers are
    confined.
    """
    service = service_of(request)
    redis = service.redis
    # The same limit for steps on object storage: otherwise a check could go on for seconds.
    with budget(READY_SECONDS):
        reason, answers = await asyncio.gather(
            _within(service.home.store.check),
            _within(redis.answers) if redis is not None else _nothing(),
        )
    status: dict[str, Any] = _confinement(service.workers.confinement)
    if redis is not None:
        status["redis"] = "ok" if answers is True else "does not answer"
    if reason is None:
        return JSONResponse({"status": "ok", **status})
    why = str(reason) if isinstance(reason, RowenError) else "storing a document takes too long"
    return problem(503, why, headers=None, reasons=[why], **status)


async def _nothing() -> None:
    """For a part that the service does not have."""


async def _within(check: Callable[[], object]) -> object:
    """The result of a check if it comes in time, or an error; a late check goes on by itself."""
    task = asyncio.ensure_future(asyncio.to_thread(check))
    # Marks its error as seen: asyncio would log it as lost when the check ends late.
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        return await asyncio.wait_for(asyncio.shield(task), READY_SECONDS)
    except (RowenError, TimeoutError) as error:
        return error


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Metrics", "content": {"text/plain": {}}}},
)
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus."""
    shown = service_of(request).metrics.exposition()
    return Response(shown, headers={"Content-Type": MEDIA_TYPE})


@router.get("/docs", response_class=HTMLResponse)
async def docs(request: Request) -> str:
    """The calls of this service for people; `/openapi.json` describes them for programs."""
    described = request.app.openapi()
    calls = "".join(
        _call(method.upper(), path, call)
        for path, methods in described["paths"].items()
        for method, call in methods.items()
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Rowen</title>'
        f"<style>{_STYLE}</style><h1>Rowen {escape(described['info']['version'])}</h1>"
        f"<p>{escape(described['info']['description'])} "
        f'For programs: <a href="openapi.json">OpenAPI</a>.</p>{calls}{_QUOTA}</html>'
    )


def _confinement(confinement: Confinement | None) -> dict[str, Any]:
    if confinement is None:
        return {"workers": "not started"}
    in_force = {**asdict(confinement), "landlock": confinement.landlock or False}
    whole = confinement.seccomp and confinement.memory
    return {"workers": "confined" if whole else "not confined", "confinement": in_force}


def _call(method: str, path: str, call: dict[str, Any]) -> str:
    description = escape(call.get("description", "")).replace("`", "")
    options = "".join(
        f"<li><code>{escape(parameter['name'])}</code> ({escape(parameter['in'])})</li>"
        for parameter in call.get("parameters", ())
    )
    return f"<h2><code>{method} {escape(path)}</code></h2><p>{description}</p><ul>{options}</ul>"
