"""The runs of the stores that the studio was started with."""

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException

from rowen.service.realms import HOME
from rowen.service.state import realm_of
from rowen.store import Store
from rowen.studio.routes.state import studio_of
from rowen.studio.runs import changes_of, runs_of

router = APIRouter(prefix="/studio/api/stores", include_in_schema=False)


@router.get("")
async def stores(request: Request) -> list[dict[str, Any]]:
    """The stores with runs to show."""
    return [
        {"number": number, "name": _name(store)} for number, store in enumerate(_stores(request))
    ]


@router.get("/{number}")
async def runs(request: Request, number: int) -> dict[str, Any]:
    """The runs of a store, oldest first."""
    place = _place(request, number)
    shown = await studio_of(request).run(lambda: runs_of(Store(place, create=False)))
    return {"name": _name(place), "runs": shown}


@router.get("/{number}/changes")
async def changes(
    request: Request,
    number: int,
    extractor: Annotated[str, Query()],
    snapshot: Annotated[int, Query()],
) -> dict[str, Any]:
    """The records of an extractor that a run added and removed."""
    place = _place(request, number)
    return await studio_of(request).run(
        lambda: changes_of(Store(place, create=False), extractor, snapshot)
    )


def _place(request: Request, number: int) -> str:
    places = _stores(request)
    if not 0 <= number < len(places):
        raise HTTPException(404, f"store {number} not found")
    return places[number]


def _stores(request: Request) -> tuple[str, ...]:
    """The stores of the command line; tenants must not see them."""
    return studio_of(request).stores if realm_of(request).name == HOME else ()


def _name(place: str) -> str:
    return Path(place).name or place
