"""Publishing, checking and repairing a wrapper in the studio."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from rowen.labels.files import label_line
from rowen.records import Example
from rowen.service.state import realm_of, token_of
from rowen.storage.documents.store import SavedExtractor
from rowen.studio.material import read_pages
from rowen.studio.project import Project
from rowen.studio.published import Version
from rowen.studio.routes.projects import page_body
from rowen.studio.routes.state import project_of, studio_of
from rowen.studio.snippets import snippets_of

router = APIRouter(prefix="/studio/api/projects/{name}", include_in_schema=False)


class Publication(BaseModel):
    """The revision to publish, and the name."""

    model_config = ConfigDict(extra="forbid")

    revision: int
    name: str
    anyway: bool = False
    """Whether to publish although a completely labelled page differs."""


class Acceptance(BaseModel):
    """A repair that a person has accepted."""

    model_config = ConfigDict(extra="forbid")

    version: int


@router.get("/rehearsal")
async def rehearsal(request: Request, name: str) -> Response:
    """What publishing would do: the tests, and the difference to the last version."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).rehearsal(project))


@router.post("/publish", status_code=201)
async def publish(request: Request, name: str, publication: Publication) -> Response:
    """Publish the learned wrapper: the service registers it as an extractor."""
    project = await project_of(request, name)
    studio = studio_of(request)
    rehearsed = await studio.rehearsal(project)
    # The person has checked another state than the one that would be published.
    if rehearsed["revision"] != publication.revision:
        raise HTTPException(409, "the project was changed meanwhile: check it again")
    if rehearsed["wrapper"] is None:
        raise HTTPException(422, f"no wrapper fits the marks: {rehearsed['conflict']['reason']}")
    failed = [test["page"] for test in rehearsed["tests"] if not test["passed"]]
    if failed and not publication.anyway:
        pages = ", ".join(failed)
        raise HTTPException(422, f"on these pages the output differs from the labels: {pages}")
    state = project.state
    # Complete labels are the tests that the version is published with.
    labels = [
        label_line(project.example(page, label))
        for page, label in state.labels.items()
        if label.complete and page in state.pages
    ]
    version = await _publish(request, project, publication.name, rehearsed["wrapper"], labels)
    return _answer(request, version, status=201)


@router.get("/versions")
async def versions(request: Request, name: str) -> list[dict[str, Any]]:
    """The published versions, newest first."""
    project = await project_of(request, name)
    return [_described(version) for version in reversed(project.published.versions)]


@router.get("/versions/{number}")
async def version(request: Request, name: str, number: int) -> Response:
    """A published version, with code snippets."""
    return _answer(request, _version(await project_of(request, name), number))


@router.get("/visit")
async def visit(request: Request, name: str) -> list[str]:
    """The new pages that published versions are checked on."""
    return list((await project_of(request, name)).visit.paths())


@router.post("/visit", status_code=201)
async def add_visit(request: Request, name: str, page: Annotated[str, Query()]) -> list[str]:
    """Add a new page, whose bytes are the body."""
    project = await project_of(request, name)
    content = await page_body(request, page)
    await studio_of(request).run(lambda: project.add_visit(page, content))
    return list(project.visit.paths())


@router.delete("/visit")
async def clear_visit(request: Request, name: str) -> list[str]:
    """Remove the new pages."""
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
    """A repaired wrapper for the new pages, and what it changes."""
    project = await project_of(request, name)
    if not project.visit.paths():
        raise HTTPException(422, "add new pages of the site first")
    chosen = _version(project, version)
    return JSONResponse(await studio_of(request).repair(project, chosen))


@router.post("/repair", status_code=201)
async def accept_repair(request: Request, name: str, acceptance: Acceptance) -> Response:
    """Publish a repair; its pages become the tests of the new version."""
    project = await project_of(request, name)
    before = _version(project, acceptance.version)
    repaired = studio_of(request).last_repair(project, before)
    if repaired is None:
        raise HTTPException(409, "the new pages were changed meanwhile: check the repair again")
    pages = read_pages(project.visit.paths())
    labels = [
        label_line(Example(pages[page], records)) for page, records in repaired["labels"].items()
    ]
    version = await _publish(request, project, before.name, repaired["wrapper"], labels)
    return _answer(request, version, status=201)


async def _publish(
    request: Request, project: Project, name: str, wrapper: dict[str, Any], labels: list[str]
) -> Version:
    """Write a version, and register it as an extractor of the service."""
    realm = realm_of(request)
    published = project.published
    number = 1 + (0 if published.last is None else published.last.number)
    named = {**wrapper, "name": name, "version": str(number)}
    definition = json.dumps(named, indent=2, ensure_ascii=False) + "\n"
    version = await studio_of(request).run(lambda: published.add(name, definition, labels))
    # As for any client: a worker checks the definition before it is registered.
    digest = await realm.extraction.check("json", definition)
    saved = SavedExtractor(name, "json", definition, digest)
    token = token_of(request)
    await realm.register(saved, most=None if token is None else token.bytes)
    return version


def _version(project: Project, number: int) -> Version:
    version = project.published.get(number)
    if version is None:
        raise HTTPException(404, f"version {number} not found")
    return version


def _described(version: Version) -> dict[str, Any]:
    return {"number": version.number, "name": version.name, "created": version.created}


def _answer(request: Request, version: Version, *, status: int = 200) -> Response:
    wrapper = json.loads(version.definition())
    body = {
        **_described(version),
        "wrapper": wrapper,
        "warnings": wrapper.get("warnings", []),
        "snippets": snippets_of(version, str(request.base_url)),
        "uri": f"{request.base_url}extractors/{version.name}",
    }
    return JSONResponse(body, status)
