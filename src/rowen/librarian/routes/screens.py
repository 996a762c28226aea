"""The pages of the library for people, and their files."""

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from rowen.service.gate import wants_page
from rowen.service.static_files import static_file


class PageRoute(APIRoute):
    """A route for browsers that open a page: a program's request goes on to the API's route."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether this route is meant."""
        if scope["type"] == "http" and not wants_page(scope):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(prefix="/library", include_in_schema=False, route_class=PageRoute)
files_router = APIRouter(prefix="/library", include_in_schema=False)


@router.get("")
async def library() -> Response:
    """The page of the library."""
    response = static_file("rowen.librarian", "index.html")
    response.headers["Vary"] = "Accept"
    return response


@router.get("/")
async def library_with_slash() -> Response:
    """The same place as without the slash."""
    return RedirectResponse("../library", 308)


@files_router.get("/static/{name:path}")
async def asset(name: str) -> Response:
    """A file of the library's screens."""
    return static_file("rowen.librarian", name)
