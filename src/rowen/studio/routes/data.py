"""The data of a project: suggested tables, records of all pages as files, and code to use."""

import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from rowen.studio.data import (
    DATA_FORMATS,
    PageData,
    file_name,
    more_data,
    page_data,
    written,
)
from rowen.studio.discovery import SUGGESTED_TABLES
from rowen.studio.material import read_pages
from rowen.studio.order import in_order
from rowen.studio.project import Project
from rowen.studio.routes.projects import page_body
from rowen.studio.routes.state import project_of, studio_of
from rowen.studio.snippets import file_snippets

router = APIRouter(prefix="/studio/api/projects/{name}", include_in_schema=False)

DATA_BATCH = 50
"""Limit: of how many pages a window asks for records at once, so that progress can be shown."""


class Definitions(BaseModel):
    """The wrappers of suggested tables."""

    model_config = ConfigDict(extra="forbid")

    wrappers: list[dict[str, Any]] = Field(max_length=SUGGESTED_TABLES)


@router.get("/tables")
async def tables(request: Request, name: str) -> Response:
    """The tables of the project's pages, found without any mark, best first."""
    project = await project_of(request, name)
    return JSONResponse(await studio_of(request).tables(project))


@router.post("/pages/{page}/places")
async def places(request: Request, name: str, page: str, chosen: Definitions) -> Response:
    """Where the records of suggested tables are on a page."""
    project = await project_of(request, name)
    wrappers = tuple(json.dumps(wrapper) for wrapper in chosen.wrappers)
    return JSONResponse(await studio_of(request).places(project, page, wrappers))


@router.get("/more")
async def more(request: Request, name: str) -> list[str]:
    """The pages that are not part of the project, but extracted from."""
    return list((await project_of(request, name)).more.paths())


@router.post("/more", status_code=201)
async def add_more(request: Request, name: str, page: Annotated[str, Query()]) -> dict[str, str]:
    """Add such a page, whose bytes are the body."""
    project = await project_of(request, name)
    content = await page_body(request, page)
    await studio_of(request).run(lambda: project.add_more(page, content))
    return {"added": page}


@router.delete("/more")
async def clear_more(request: Request, name: str) -> list[str]:
    """Remove these pages."""
    project = await project_of(request, name)
    await studio_of(request).run(project.more.clear)
    return []


@router.get("/data")
async def data(request: Request, name: str, first: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The records of some pages, from the `first` on; of the project's own, then of the others."""
    project = await project_of(request, name)
    parts = [part.described() async for part in _parts(request, project, first, DATA_BATCH)]
    body = {
        "total": len(project.state.pages) + len(project.more.paths()),
        "pages": parts,
    }
    return JSONResponse(body)


@router.get("/data/file")
async def data_file(request: Request, name: str, format: Annotated[str, Query()]) -> Response:  # noqa: A002  # the query's word
    """All records as a file."""
    project = await project_of(request, name)
    if format not in DATA_FORMATS:
        raise HTTPException(422, f"unknown format; the formats are {', '.join(DATA_FORMATS)}")
    total = len(project.state.pages) + len(project.more.paths())
    state = project.state
    parts = [part async for part in _parts(request, project, 0, total)]
    content = await studio_of(request).run(lambda: written(parts, state, format))
    headers = _attachment(file_name(name, format))
    return Response(content, 200, headers, DATA_FORMATS[format])


@router.get("/data/wrapper")
async def data_wrapper(request: Request, name: str) -> Response:
    """The wrapper as a file, for the command line and for programs."""
    project = await project_of(request, name)
    definition = json.dumps(await _wrapper(request, project), indent=2, ensure_ascii=False) + "\n"
    headers = _attachment(file_name(name, "json"))
    return Response(definition.encode("utf-8", "replace"), 200, headers, "application/json")


@router.get("/data/code")
async def data_code(request: Request, name: str) -> Response:
    """Code that uses the wrapper, to copy."""
    project = await project_of(request, name)
    definition = json.dumps(await _wrapper(request, project))
    path = file_name(name, "json")
    code = await studio_of(request).run(lambda: file_snippets(definition, path))
    return JSONResponse(code)


async def _parts(
    request: Request, project: Project, first: int, count: int
) -> AsyncIterator[PageData]:
    """The data of pages by their numbers: those of the project come first."""
    studio, state = studio_of(request), project.state
    answer = await studio.proposals(project)
    own = in_order(state.pages)[first : first + count]
    for page in own:
        proposal = answer["pages"].get(page, {})
        whole = await studio.run(partial(project.page, page))
        yield await studio.run(partial(page_data, whole, state, proposal))
    others = list(project.more.paths().items())
    start = max(0, first - len(state.pages))
    chosen = others[start : start + count - len(own)]
    wrapper = answer["wrapper"]
    for at in range(0, len(chosen), DATA_BATCH):
        paths = dict(chosen[at : at + DATA_BATCH])
        if wrapper is None:
            nothing = {"records": [], "failure": "nothing is marked yet"}
            extracted = dict.fromkeys(paths, nothing)
        else:
            found = await studio.extracted(project, json.dumps(wrapper), paths)
            extracted = found["pages"]
        pages = await studio.run(partial(read_pages, paths))
        for whole in pages.values():
            yield await studio.run(partial(more_data, whole, state, extracted[whole.id]))


async def _wrapper(request: Request, project: Project) -> dict[str, Any]:
    answer = await studio_of(request).proposals(project)
    wrapper: dict[str, Any] | None = answer["wrapper"]
    if wrapper is None:
        raise HTTPException(409, "there is no wrapper yet: mark a record, or choose a table")
    return {**wrapper, "name": project.name}


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
