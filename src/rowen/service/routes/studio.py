"""The studio's part of the service: its files, and what its windows ask for."""

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from rowen import __version__
from rowen.documents.charset import encode
from rowen.limits import STUDIO_PAGE_BYTES, URL_CHARACTERS
from rowen.model.errors import DocumentError
from rowen.service.app import realm_of, service_of
from rowen.service.routes.found import is_known, unchanged
from rowen.studio.actions import CLASSES, Action
from rowen.studio.project import Project
from rowen.studio.studio import Studio
from rowen.wrappers.recognizing.library import ready_names

_SAMPLE = "bookshop"


# What the studio's windows ask for may change with the studio; so it is not described.
router = APIRouter(prefix="/studio", include_in_schema=False)

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewProject(_Given):
    """A project to be."""

    name: str


class Address(_Given):
    """Where a page is."""

    url: str = Field(max_length=URL_CHARACTERS)


class Step(_Given):
    """Something to do to the state that a window shows."""

    revision: int
    action: Action


class Seen(_Given):
    """The state that a window shows."""

    revision: int


@router.get("")
async def studio() -> Response:
    """The studio itself."""
    return await asset("index.html")


@router.get("/static/{name:path}")
async def asset(name: str) -> Response:
    """One of its files."""
    kind = _TYPES.get(name.rpartition(".")[2])
    found = files("rowen.studio").joinpath("static").joinpath(name)
    if kind is None or ".." in name.split("/") or not found.is_file():
        raise HTTPException(404, "the studio has no such file")
    headers = {
        "Content-Security-Policy": _POLICY,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
    }
    return Response(found.read_bytes(), 200, headers, kind)


@router.get("/api/settings")
async def settings(request: Request) -> dict[str, Any]:
    """What a window must know before it can begin."""
    return {
        "recognizers": ready_names(),
        "classes": CLASSES,
        "page_bytes": STUDIO_PAGE_BYTES,
        "fetches": service_of(request).fetcher is not None,
    }


@router.post("/api/fetch")
async def fetch(request: Request, address: Address) -> Response:
    """A page by its address, as a file that a window can add."""
    fetcher = service_of(request).fetcher
    if fetcher is None:
        raise HTTPException(403, "this server fetches no pages; it would with --fetch public")
    page = await fetcher.fetch(address.url)

    def told() -> bytes:
        shown = {"name": page.name, "text": encode(page.text).decode()}
        return json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace")

    return Response(await studio_of(request).run(told), media_type="application/json")


@router.get("/api/sample")
async def sample() -> dict[str, Any]:
    """Pages to begin with, for those who have none at hand."""
    found = files("rowen.samples").joinpath(_SAMPLE).iterdir()
    pages = sorted((one.name, one.read_text("utf-8")) for one in found)
    return {"name": _SAMPLE, "pages": dict(pages)}


@router.get("/api/projects")
async def projects(request: Request) -> list[dict[str, Any]]:
    """All projects."""
    found = realm_of(request).projects
    return [{"name": name} for name in await studio_of(request).run(found.names)]


@router.post("/api/projects", status_code=201)
async def create(request: Request, new: NewProject) -> Response:
    """A new project."""
    found = realm_of(request).projects
    project = await studio_of(request).run(lambda: found.create(new.name))
    return _told(project, status=201)


@router.get("/api/projects/{name}")
async def describe(request: Request, name: str) -> Response:
    """A project as it is now."""
    return _told(await project_of(request, name))


@router.delete("/api/projects/{name}")
async def delete(request: Request, name: str) -> dict[str, str]:
    """Delete a project with its pages and all that was learned."""
    found = realm_of(request).projects
    if not await studio_of(request).run(lambda: found.delete(name)):
        raise HTTPException(404, f"no project is called {name!r}")
    return {"deleted": name}


@router.post("/api/projects/{name}/pages", status_code=201)
async def add_page(request: Request, name: str, page: Annotated[str, Query()]) -> Response:
    """Add a page: its bytes as they are, under a name like the one given."""
    project = await project_of(request, name)
    content = await page_body(request, page)
    chosen = await studio_of(request).run(lambda: project.add_page(page, content))
    return _told(project, status=201, added=chosen)


@router.post("/api/projects/{name}/actions")
async def act(request: Request, name: str, step: Step) -> Response:
    """Do something to a project."""
    project = await project_of(request, name)
    await studio_of(request).run(lambda: project.do(step.action, revision=step.revision))
    return _told(project)


@router.post("/api/projects/{name}/undo")
async def undo(request: Request, name: str, seen: Seen) -> Response:
    """Take the last thing back."""
    project = await project_of(request, name)
    await studio_of(request).run(lambda: project.undo(revision=seen.revision))
    return _told(project)


@router.post("/api/projects/{name}/redo")
async def redo(request: Request, name: str, seen: Seen) -> Response:
    """Do again what was taken back."""
    project = await project_of(request, name)
    await studio_of(request).run(lambda: project.redo(revision=seen.revision))
    return _told(project)


@router.get("/api/projects/{name}/proposals")
async def proposals(request: Request, name: str) -> Response:
    """What is learned from the marks, and what it extracts from all pages."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).proposals(project))


@router.get("/api/projects/{name}/judgement")
async def judgement(request: Request, name: str) -> Response:
    """How certain each page is, and which to look at next."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).judgement(project))


@router.get("/api/projects/{name}/pages/{page}/view")
async def view(request: Request, name: str, page: str) -> Response:
    """A page as a tree that does no harm, with the place in the source of each text."""
    project = await project_of(request, name)
    studio = studio_of(request)
    found = await studio.run(lambda: project.page(page))
    told = f"{__version__} {found.text}".encode("utf-8", "surrogatepass")
    etag = f'"{sha256(told).hexdigest()[:32]}"'
    if is_known(request, etag):
        return unchanged(etag)
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    return Response(await studio.view(project, page), 200, headers, "application/json")


@router.get("/api/projects/{name}/pages/{page}/source")
async def source(request: Request, name: str, page: str) -> Response:
    """A page's text as offsets count it."""
    project = await project_of(request, name)
    found = await studio_of(request).run(lambda: project.page(page))
    return JSONResponse({"page": page, "text": found.text})


@router.get("/api/projects/{name}/pages/{page}/recognized")
async def recognized(
    request: Request, name: str, page: str, use: Annotated[list[str], Query()]
) -> Response:
    """What ready recognizers find on a page."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).recognized(project, page, tuple(use)))


def studio_of(request: Request) -> Studio:
    """The studio that a request came to."""
    return service_of(request).studio


async def project_of(request: Request, name: str) -> Project:
    """The project of a name from anywhere, or 404."""
    found = realm_of(request).projects
    project = await studio_of(request).run(lambda: found.get(name))
    if project is None:
        raise HTTPException(404, f"no project is called {name!r}")
    return project


async def page_body(request: Request, page: str) -> bytes:
    """A page's bytes, unless they are too many."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > STUDIO_PAGE_BYTES:
            raise DocumentError(
                page, f"is larger than the {STUDIO_PAGE_BYTES:,} bytes that the studio opens"
            )
    return bytes(content)


def _told(project: Project, *, status: int = 200, **more: object) -> Response:
    state = project.state
    labels: Mapping[str, Any] = {
        page: {"records": label.records, "complete": label.complete}
        for page, label in state.labels.items()
        if page in state.pages
    }
    told = {
        "name": project.name,
        "revision": project.revision,
        "undo": project.undoable,
        "redo": project.redoable,
        "fields": state.fields,
        "class": state.wrapper_class,
        "pages": state.pages,
        "labels": labels,
        **more,
    }
    return JSONResponse(told, status)
