"""For those who run the service: is it well, what does it do, what can it do."""

import asyncio
from dataclasses import asdict
from html import escape
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from rowen.service.app import service_of
from rowen.service.metrics import MEDIA_TYPE
from rowen.service.problems import PROBLEMS
from rowen.workers import Confinement

router = APIRouter(tags=["operations"], responses=PROBLEMS)

_STYLE = (
    "body{font:16px/1.5 system-ui;max-width:50em;margin:2em auto;padding:0 1em;"
    "color-scheme:light dark}code{font-size:1.1em}h2{margin-top:1.5em}"
)
_QUOTA = (
    '<h2 id="quota">Out of room</h2><p>The problem of type <code>/docs#quota</code>, with status '
    "507: the tenant holds all that the token's quota allows, together with what is being sent. "
    "<code>unit</code> is bytes or documents, <code>held</code> and <code>limit</code> are numbers "
    "of them. Nothing was kept. There is room again when something is deleted.</p>"
)


@router.get("/livez")
async def livez() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> dict[str, Any]:
    """Documents can be kept now; 503 or 507 where not. Without Redis it only takes longer.

    Tells what is in force for the workers that run, too.
    """
    service = service_of(request)
    await asyncio.to_thread(service.home.store.check)
    told = {"status": "ok", **_confinement(service.workers.confinement)}
    if service.redis is None:
        return told
    answers = await asyncio.to_thread(service.redis.answers)
    return {**told, "redis": "ok" if answers else "does not answer"}


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Numbers", "content": {"text/plain": {}}}},
)
async def metrics(request: Request) -> Response:
    """Numbers for Prometheus."""
    shown = service_of(request).metrics.exposition()
    return Response(shown, headers={"Content-Type": MEDIA_TYPE})


@router.get("/docs", response_class=HTMLResponse)
async def docs(request: Request) -> str:
    """The calls of this service, for people; `/openapi.json` has them for programs."""
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
        f'For programs: <a href="/openapi.json">OpenAPI</a>.</p>{calls}{_QUOTA}</html>'
    )


def _confinement(confinement: Confinement | None) -> dict[str, Any]:
    if confinement is None:
        return {"workers": "not started"}
    in_force = {**asdict(confinement), "landlock": confinement.landlock or False}
    whole = confinement.seccomp and confinement.memory
    return {"workers": "confined" if whole else "not confined", "confinement": in_force}


def _call(method: str, path: str, call: dict[str, Any]) -> str:
    told = escape(call.get("description", "")).replace("`", "")
    options = "".join(
        f"<li><code>{escape(one['name'])}</code> ({escape(one['in'])})</li>"
        for one in call.get("parameters", ())
    )
    return f"<h2><code>{method} {escape(path)}</code></h2><p>{told}</p><ul>{options}</ul>"
