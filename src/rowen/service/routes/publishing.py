"""What the studio does with a wrapper that is learned: publish it, watch it, repair it."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from rowen.model import Example
from rowen.service.app import realm_of, token_of
from rowen.service.routes.studio import page_body, project_of, studio_of
from rowen.service.store import SavedExtractor
from rowen.studio.material import read_pages
from rowen.studio.project import Project
from rowen.studio.published import Version
from rowen.studio.snippets import snippets_of
from rowen.wrappers.labels import label_line

router = APIRouter(prefix="/studio/api/projects/{name}", include_in_schema=False)


class Publication(BaseModel):
    """What to publish, and under which name."""

    model_config = ConfigDict(extra="forbid")

    revision: int
    name: str
    anyway: bool = False
    """Though a page that is marked whole comes out otherwise."""


class Acceptance(BaseModel):
    """A repair that was looked at."""

    model_config = ConfigDict(extra="forbid")

    version: int


@router.get("/rehearsal")
async def rehearsal(request: Request, name: str) -> Response:
    """What publishing would do: the pages as tests, and the difference to the last version."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).rehearsal(project))


@router.post("/publish", status_code=201)
async def publish(request: Request, name: str, asked: Publication) -> Response:
    """Publish what is learned from the marks; the service offers it from then on."""
    project = await project_of(request, name)
    studio = studio_of(request)
    found = await studio.rehearsal(project)
    if found["revision"] != asked.revision:
        raise HTTPException(409, "the project was changed meanwhile: look at it again")
    if found["wrapper"] is None:
        raise HTTPException(422, f"no wrapper fits the marks: {found['conflict']['reason']}")
    failed = [one["page"] for one in found["tests"] if not one["passed"]]
    if failed and not asked.anyway:
        raise HTTPException(422, f"these pages come out otherwise: {', '.join(failed)}")
    state = project.state
    labels = [
        label_line(project.example(page, label))
        for page, label in state.labels.items()
        if label.complete and page in state.pages
    ]
    version = await _kept(request, project, asked.name, found["wrapper"], labels)
    return _told(request, version, status=201)


@router.get("/versions")
async def versions(request: Request, name: str) -> list[dict[str, Any]]:
    """What was published, the newest first."""
    project = await project_of(request, name)
    return [_described(one) for one in reversed(project.published.versions)]


@router.get("/versions/{number}")
async def version(request: Request, name: str, number: int) -> Response:
    """A published version, and how to use it."""
    return _told(request, _version(await project_of(request, name), number))


@router.get("/visit")
async def visit(request: Request, name: str) -> list[str]:
    """The new pages that published versions are tried on."""
    return list((await project_of(request, name)).visit.paths())


@router.post("/visit", status_code=201)
async def add_visit(request: Request, name: str, page: Annotated[str, Query()]) -> list[str]:
    """Add a new page, its bytes as they are."""
    project = await project_of(request, name)
    content = await page_body(request, page)
    await studio_of(request).run(lambda: project.add_visit(page, content))
    return list(project.visit.paths())


@router.delete("/visit")
async def clear_visit(request: Request, name: str) -> list[str]:
    """Forget the new pages."""
    project = await project_of(request, name)
    await studio_of(request).run(project.visit.clear)
    return []


@router.get("/inspection")
async def inspection(request: Request, name: str, version: Annotated[int, Query()]) -> Response:
    """Whether a version still fits, on the new pages."""
    project = await project_of(request, name)
    chosen = _version(project, version)
    return JSONResponse(await studio_of(request).inspection(project, chosen))


@router.get("/repair")
async def repair(request: Request, name: str, version: Annotated[int, Query()]) -> Response:
    """A wrapper for the new pages, as a difference to look at."""
    project = await project_of(request, name)
    if not project.visit.paths():
        raise HTTPException(422, "add new pages of the site first")
    chosen = _version(project, version)
    return JSONResponse(await studio_of(request).repair(project, chosen))


@router.post("/repair", status_code=201)
async def accept_repair(request: Request, name: str, asked: Acceptance) -> Response:
    """Publish a repair that was looked at; its pages become the new version's tests."""
    project = await project_of(request, name)
    before = _version(project, asked.version)
    mended = studio_of(request).mended(project, before)
    if mended is None:
        raise HTTPException(409, "the pages have changed since: look at the repair again")
    pages = read_pages(project.visit.paths())
    labels = [
        label_line(Example(pages[page], records)) for page, records in mended["labels"].items()
    ]
    version = await _kept(request, project, before.name, mended["wrapper"], labels)
    return _told(request, version, status=201)


async def _kept(
    request: Request, project: Project, name: str, wrapper: dict[str, Any], labels: list[str]
) -> Version:
    """Write a version and register it, so that the service offers it."""
    realm = realm_of(request)
    published = project.published
    number = 1 + (0 if published.last is None else published.last.number)
    named = {**wrapper, "name": name, "version": str(number)}
    definition = json.dumps(named, indent=2, ensure_ascii=False) + "\n"
    version = await studio_of(request).run(lambda: published.add(name, definition, labels))
    digest = await realm.extraction.check("json", definition)
    saved = SavedExtractor(name, "json", definition, digest)
    token = token_of(request)
    await realm.register(saved, most=None if token is None else token.bytes)
    return version


def _version(project: Project, number: int) -> Version:
    found = project.published.get(number)
    if found is None:
        raise HTTPException(404, f"there is no version {number}")
    return found


def _described(version: Version) -> dict[str, Any]:
    return {"number": version.number, "name": version.name, "created": version.created}


def _told(request: Request, version: Version, *, status: int = 200) -> Response:
    wrapper = json.loads(version.definition())
    told = {
        **_described(version),
        "wrapper": wrapper,
        "warnings": wrapper.get("warnings", []),
        "snippets": snippets_of(version, str(request.base_url)),
        "uri": f"{request.base_url}extractors/{version.name}",
    }
    return JSONResponse(told, status)
