"""The page of home, extractors and operations, and its files."""

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from rowen.service.gate import wants_page
from rowen.service.static_files import static_file

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """The first screen, for a person; programs can only send documents here."""
    if not wants_page(request.scope):
        raise HTTPException(405, "Method Not Allowed", {"Allow": "POST"})
    response = static_file("rowen.home", "index.html")
    response.headers["Vary"] = "Accept"
    return response


@router.get("/home/static/{name:path}")
async def asset(name: str) -> Response:
    """A file of these screens."""
    return static_file("rowen.home", name)
