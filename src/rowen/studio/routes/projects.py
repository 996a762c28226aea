"""The studio's files, and the calls of its windows for projects and pages."""

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt
from starlette.exceptions import HTTPException

from rowen import __version__
from rowen.learning.recognizers.library import ready_names
from rowen.model.errors import DocumentError
from rowen.records.positions import Positions
from rowen.service.routes.lookup import is_known, unchanged
from rowen.service.static_files import static_file
from rowen.studio.actions import CLASSES, Action
from rowen.studio.order import in_order
from rowen.studio.project import STUDIO_PAGE_BYTES, Project
from rowen.studio.readings import reading
from rowen.studio.routes.state import project_of, projects_of, studio_of
from rowen.studio.saved.captures import CAPTURE_BYTES, is_capture
from rowen.text.charset import encode
from rowen.values.conversion import TYPES
from rowen.views.files import VIEW_FILE_BYTES

URL_CHARACTERS = 8_000
"""Limit: the length of a URL that the studio fetches. Servers accept no longer ones."""


READINGS = 2_000
"""Limit: how many texts of a page a window asks for at once: its table shows 80 rows."""

READ_CHARACTERS = 10_000
"""Limit: how much of a value's source is read for the table, which shows 300 characters."""

_SAMPLE = "bookshop"


# These calls may change with the studio, so they are not in the OpenAPI description.
router = APIRouter(prefix="/studio", include_in_schema=False)


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewProject(_Body):
    """A new project."""

    name: str


class Address(_Body):
    """The URL of a page."""

    url: str = Field(max_length=URL_CHARACTERS)


class Step(_Body):
    """An action on the revision that a window shows."""

    revision: int
    action: Action


class Spans(_Body):
    """Places on a page whose texts a window shows."""

    spans: list[tuple[NonNegativeInt, NonNegativeInt]] = Field(max_length=READINGS)
    type: str = "text"
    """The type that the values have."""


class Sought(_Body):
    """A text that somebody typed, as it is on a page."""

    text: str = Field(max_length=READ_CHARACTERS)


class Revision(_Body):
    """The revision that a window shows."""

    revision: int


@router.get("")
async def studio() -> Response:
    """The page of the studio."""
    return await asset("index.html")


@router.get("/static/{name:path}")
async def asset(name: str) -> Response:
    """A file of the studio."""
    return static_file("rowen.studio", name)


@router.get("/api/settings")
async def settings(request: Request) -> dict[str, Any]:
    """What a window needs at its start."""
    return {
        "recognizers": ready_names(),
        "classes": CLASSES,
        "types": TYPES,
        "page_bytes": STUDIO_PAGE_BYTES,
        "capture_bytes": CAPTURE_BYTES,
        "fetches": studio_of(request).fetcher is not None,
    }


@router.post("/api/fetch")
async def fetch(request: Request, address: Address) -> Response:
    """Fetch a page by its URL, for a window to add."""
    fetcher = studio_of(request).fetcher
    if fetcher is None:
        raise HTTPException(
            403, "fetching pages is not enabled; start the server with --fetch public"
        )
    page = await fetcher.fetch(address.url)

    def encoded() -> bytes:
        shown = {"name": page.name, "text": encode(page.text).decode()}
        return json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace")

    return Response(await studio_of(request).run(encoded), media_type="application/json")


@router.get("/api/sample")
async def sample() -> dict[str, Any]:
    """Sample pages to try the studio with."""
    samples = files("rowen.samples").joinpath(_SAMPLE).iterdir()
    pages = sorted((file.name, file.read_text("utf-8")) for file in samples)
    return {"name": _SAMPLE, "pages": dict(pages)}


@router.get("/api/projects")
async def projects(request: Request) -> list[dict[str, Any]]:
    """All projects."""
    projects = projects_of(request)
    return [{"name": name} for name in await studio_of(request).run(projects.names)]


@router.post("/api/projects", status_code=201)
async def create(request: Request, new: NewProject) -> Response:
    """Create a project."""
    projects = projects_of(request)
    project = await studio_of(request).run(lambda: projects.create(new.name))
    return _described(project, status=201)


@router.get("/api/projects/{name}")
async def describe(request: Request, name: str) -> Response:
    """The current state of a project."""
    return _described(await project_of(request, name))


@router.delete("/api/projects/{name}")
async def delete(request: Request, name: str) -> dict[str, str]:
    """Delete a project with its pages and published wrappers."""
    projects = projects_of(request)
    if not await studio_of(request).run(lambda: projects.delete(name)):
        raise HTTPException(404, f"project {name!r} not found")
    return {"deleted": name}


@router.post("/api/projects/{name}/pages", status_code=201)
async def add_page(request: Request, name: str, page: Annotated[str, Query()]) -> Response:
    """Add a page, whose bytes are the body, under a free name like `page`."""
    project = await project_of(request, name)
    content = await page_body(request, page, limit=CAPTURE_BYTES)
    if is_capture(content):
        added = await studio_of(request).add_capture(project, page, content)
    else:
        added = [await studio_of(request).run(lambda: project.add_page(page, content))]
    return _described(project, status=201, added=added[0], all_added=added)


@router.post("/api/projects/{name}/pages/{page}/files")
async def attach(request: Request, name: str, page: str, url: Annotated[str, Query()]) -> Response:
    """Add a style sheet, an image or a font to a page, by the address that the page uses."""
    project = await project_of(request, name)
    content = await page_body(request, url, limit=VIEW_FILE_BYTES)
    await studio_of(request).run(lambda: project.attach(page, {url: content}))
    return JSONResponse({"attached": url})


@router.post("/api/projects/{name}/actions")
async def act(request: Request, name: str, step: Step) -> Response:
    """Apply an action to a project."""
    project = await project_of(request, name)
    await studio_of(request).run(lambda: project.do(step.action, revision=step.revision))
    studio_of(request).supersede(project)
    return _described(project)


@router.post("/api/projects/{name}/undo")
async def undo(request: Request, name: str, shown: Revision) -> Response:
    """Undo the last action."""
    project = await project_of(request, name)
    await studio_of(request).run(lambda: project.undo(revision=shown.revision))
    studio_of(request).supersede(project)
    return _described(project)


@router.post("/api/projects/{name}/redo")
async def redo(request: Request, name: str, shown: Revision) -> Response:
    """Redo the action that was undone last."""
    project = await project_of(request, name)
    await studio_of(request).run(lambda: project.redo(revision=shown.revision))
    studio_of(request).supersede(project)
    return _described(project)


@router.get("/api/projects/{name}/proposals")
async def proposals(request: Request, name: str) -> Response:
    """The wrapper that is learned from the marks, and its records on all pages."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).proposals(project))


@router.get("/api/projects/{name}/proposals/first")
async def first_proposals(request: Request, name: str, page: str) -> Response:
    """The records of the page that was marked, before those of all pages are there."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).first_proposals(project, page))


@router.post("/api/projects/{name}/proposals/stop")
async def stop_learning(request: Request, name: str) -> dict[str, int]:
    """Stop learning for a project; the last proposals stay."""
    project = await project_of(request, name)
    return {"stopped": studio_of(request).stop_learning(project)}


@router.get("/api/projects/{name}/judgement")
async def judgement(request: Request, name: str) -> Response:
    """How certain each page is, and which page to check next."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).judgement(project))


@router.get("/api/projects/{name}/pages/{page}/view")
async def view(request: Request, name: str, page: str) -> Response:
    """The view of a page: a harmless tree, with the source position of each text."""
    project = await project_of(request, name)
    studio = studio_of(request)
    text = (await studio.run(lambda: project.page(page))).text
    attached = await studio.run(lambda: project.kept.attached(page))
    # A new version of Rowen may show the same page in another way.
    seed = f"{__version__} {attached} {text}".encode("utf-8", "surrogatepass")
    etag = f'"{sha256(seed).hexdigest()[:32]}"'
    if is_known(request, etag):
        return unchanged(etag)
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    return Response(await studio.view(project, page), 200, headers, "application/json")


@router.get("/api/projects/{name}/pages/{page}/source")
async def source(request: Request, name: str, page: str) -> Response:
    """The text of a page, to which offsets refer."""
    project = await project_of(request, name)
    text = (await studio_of(request).run(lambda: project.page(page))).text
    return JSONResponse({"page": page, "text": text})


@router.post("/api/projects/{name}/pages/{page}/readings")
async def readings(request: Request, name: str, page: str, places: Spans) -> Response:
    """What a reader sees at places of a page."""
    project = await project_of(request, name)

    if places.type not in TYPES:
        raise HTTPException(422, f"unknown type; the types are {', '.join(TYPES)}")

    def read() -> list[tuple[str, str | None]]:
        whole = project.page(page)
        size = len(whole.text)
        spans = (
            (min(start, size), max(min(start, size), min(end, start + READ_CHARACTERS, size)))
            for start, end in places.spans
        )
        return [reading(whole, span, places.type) for span in spans]

    read_texts = await studio_of(request).run(read)
    return JSONResponse(
        {
            "texts": [text for text, _ in read_texts],
            "wrong": [reason for _, reason in read_texts],
        }
    )


@router.post("/api/projects/{name}/pages/{page}/positions")
async def positions(request: Request, name: str, page: str, sought: Sought) -> Response:
    """Where a text is on a page, as a reader sees it."""
    project = await project_of(request, name)

    def find() -> dict[str, Any]:
        places = Positions(project.page(page))
        resembling = None if places.of(sought.text) else places.resembling(sought.text)
        return {
            "spans": places.of(sought.text)[:READINGS],
            "resembling": None if resembling is None else resembling[0],
        }

    return JSONResponse(await studio_of(request).run(find))


@router.get("/api/projects/{name}/pages/{page}/recognized")
async def recognized(
    request: Request, name: str, page: str, use: Annotated[list[str], Query()]
) -> Response:
    """The instances that ready recognizers find on a page."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).recognized(project, page, tuple(use)))


async def page_body(request: Request, page: str, *, limit: int = STUDIO_PAGE_BYTES) -> bytes:
    """The bytes of a page; DocumentError if they are too many."""
    content = bytearray()
    # Counted while it arrives: the request may state no length, or a wrong one.
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise DocumentError(page, f"is larger than {limit:,} bytes, the limit of the studio")
    return bytes(content)


def _described(project: Project, *, status: int = 200, **more: object) -> Response:
    state = project.state
    labels: Mapping[str, Any] = {
        page: {
            "records": label.records,
            "complete": label.complete,
            **({"rejected": label.rejected} if label.rejected else {}),
        }
        for page, label in state.labels.items()
        if page in state.pages
    }
    description = {
        "name": project.name,
        "revision": project.revision,
        "undo": project.undoable,
        "redo": project.redoable,
        "fields": state.fields,
        "class": state.wrapper_class,
        "types": state.types,
        "pages": in_order(state.pages),
        "labels": labels,
        **more,
    }
    return JSONResponse(description, status)
