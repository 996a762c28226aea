"""The runs of the stores that the service was started with, for the studio."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException

from rowen.runs.store import Store
from rowen.service.app import realm_of, service_of
from rowen.service.realms import HOME
from rowen.service.routes.studio import studio_of
from rowen.studio.runs import changes_of, runs_of

router = APIRouter(prefix="/studio/api/stores", include_in_schema=False)


@router.get("")
async def stores(request: Request) -> list[dict[str, Any]]:
    """The stores that there are to look at."""
    return [
        {"number": number, "name": _name(store)} for number, store in enumerate(_stores(request))
    ]


@router.get("/{number}")
async def runs(request: Request, number: int) -> dict[str, Any]:
    """A store's runs, the oldest first."""
    place = _place(request, number)
    found = await studio_of(request).run(lambda: runs_of(Store(place, create=False)))
    return {"name": _name(place), "runs": found}


@router.get("/{number}/changes")
async def changes(
    request: Request,
    number: int,
    extractor: Annotated[str, Query()],
    snapshot: Annotated[int, Query()],
) -> dict[str, Any]:
    """Which of an extractor's records came and went with a run."""
    place = _place(request, number)
    return await studio_of(request).run(
        lambda: changes_of(Store(place, create=False), extractor, snapshot)
    )


def _place(request: Request, number: int) -> str:
    places = _stores(request)
    if not 0 <= number < len(places):
        raise HTTPException(404, f"there is no store {number}")
    return places[number]


def _stores(request: Request) -> tuple[str, ...]:
    """Those that the service was started with; tenants have none."""
    return service_of(request).stores if realm_of(request).name == HOME else ()


def _name(place: str) -> str:
    return Path(place).name or place
