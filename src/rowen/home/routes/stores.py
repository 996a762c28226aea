"""Stores of runs: which are shown, their runs, what a run changed, and the way to a repair."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from rowen.home.nightly import ComparedRuns, page_report, versions_of
from rowen.home.repairs import prepare_repair
from rowen.home.routes.state import stores_of
from rowen.home.runs import alarms_of, run_of, summary_of
from rowen.home.stores import ShownStore
from rowen.service.state import realm_of
from rowen.studio.routes.state import projects_of, studio_of

CHANGES_SHOWN = 200
"""Limit: how many changes of a run one answer has. A browser draws more of them slowly."""

RUNS_SHOWN = 400
"""Limit: how many runs of a store are shown, the newest ones: a year of nights."""

router = APIRouter(prefix="/home/api/stores", include_in_schema=False)

_COMPARED = ComparedRuns()

_Result = TypeVar("_Result")


class Chosen(BaseModel):
    """A store to show."""

    model_config = ConfigDict(extra="forbid")

    place: str = Field(max_length=4_096)


class Drifted(BaseModel):
    """The wrapper to repair."""

    model_config = ConfigDict(extra="forbid")

    extractor: str


class Values(BaseModel):
    """The values of a record whose history is wanted."""

    model_config = ConfigDict(extra="forbid")

    extractor: str
    page: str
    values: dict[str, Any]


@router.get("")
async def stores(request: Request) -> dict[str, Any]:
    """The stores that are shown, and those below the allowed folders that could be."""
    shown, projects = stores_of(request), projects_of(request)

    def look() -> dict[str, Any]:
        candidates = shown.candidates()
        return {
            "stores": [summary_of(own, projects) for own in shown.all()],
            "may_choose": shown.may_choose,
            "candidates": [{"name": own.name, "place": own.place} for own in candidates],
        }

    return await asyncio.to_thread(look)


@router.post("", status_code=201)
async def choose(request: Request, chosen: Chosen) -> dict[str, Any]:
    """Show one more store."""
    shown, projects = stores_of(request), projects_of(request)
    return await asyncio.to_thread(lambda: summary_of(shown.choose(chosen.place), projects))


@router.delete("/{store_id}")
async def remove(request: Request, store_id: str) -> dict[str, str]:
    """Show a store no longer; its files stay."""
    if not await asyncio.to_thread(stores_of(request).remove, store_id):
        raise HTTPException(404, "nobody added this store, so that nobody can remove it")
    return {"removed": store_id}


@router.get("/{store_id}")
async def runs(request: Request, store_id: str) -> dict[str, Any]:
    """The runs of a store, newest first, with the alarms of the last one."""
    projects = projects_of(request)

    def look(shown: ShownStore) -> dict[str, Any]:
        manifests = shown.open().snapshots()
        last = manifests[-1] if manifests else None
        names = [] if last is None else list(last.extractors)
        return {
            "id": shown.id,
            "name": shown.name,
            "place": shown.place,
            "chosen": shown.chosen,
            "total": len(manifests),
            "runs": [run_of(manifest) for manifest in reversed(manifests[-RUNS_SHOWN:])],
            "alarms": alarms_of(manifests, projects),
            "extractors": names,
            "problems": [] if last is None else list(last.report.get("warnings", ())),
        }

    return await _look(request, store_id, look)


@router.get("/{store_id}/changes")
async def changes(
    request: Request,
    store_id: str,
    *,
    extractor: str,
    run: Annotated[int, Query(ge=0)],
    query: Annotated[str, Query(max_length=1_000)] = "",
    kind: str = "",
    first: Annotated[int, Query(ge=0)] = 0,
) -> dict[str, Any]:
    """The records that a run added, changed and removed, those that match a query."""

    def look(shown: ShownStore) -> dict[str, Any]:
        compared = _COMPARED.get(shown.open(), extractor, run)
        matching = compared.matching(query, kind)
        return {
            "before": compared.before,
            "counts": compared.counts,
            "total": len(matching),
            "changes": matching[first : first + CHANGES_SHOWN],
        }

    return await _look(request, store_id, look)


@router.post("/{store_id}/history")
async def history(request: Request, store_id: str, record: Values) -> dict[str, Any]:
    """The versions that a record had over time."""
    return await _look(
        request,
        store_id,
        lambda shown: {
            "versions": versions_of(shown.open(), record.extractor, record.values, record.page)
        },
    )


@router.get("/{store_id}/page")
async def page(
    request: Request, store_id: str, extractor: str, run: Annotated[int, Query(ge=0)], page: str
) -> Response:
    """A page of a run with its records marked where they stand."""
    content = await _look(
        request, store_id, lambda shown: page_report(shown.open(), extractor, run, page)
    )
    if content is None:
        raise HTTPException(404, "this run has no such page")
    # The report escapes everything from the page. Without an origin a script could not call the
    # service either.
    headers = {"Content-Security-Policy": "sandbox allow-scripts"}
    return Response(content, 200, headers, "text/html; charset=utf-8")


@router.post("/{store_id}/repair")
async def repair(request: Request, store_id: str, drifted: Drifted) -> Response:
    """Prepare the repair of a wrapper in the studio; names its project."""
    shown = await _shown(request, store_id)
    projects, documents = projects_of(request), realm_of(request).store
    project = await studio_of(request).run(
        lambda: prepare_repair(projects, documents, shown.open(), drifted.extractor)
    )
    return JSONResponse({"project": project.name})


async def _shown(request: Request, store_id: str) -> ShownStore:
    shown = await asyncio.to_thread(stores_of(request).get, store_id)
    if shown is None:
        raise HTTPException(404, "store not found")
    return shown


async def _look(request: Request, store_id: str, look: Callable[[ShownStore], _Result]) -> _Result:
    shown = await _shown(request, store_id)
    return await asyncio.to_thread(look, shown)
