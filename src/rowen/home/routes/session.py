"""Sign in with an access token, sign out, and who is signed in."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from rowen.service.gate import session_cookie
from rowen.service.sessions import COOKIE, SESSION_SECONDS
from rowen.service.state import Service, service_of, token_of
from rowen.service.tokens import Token

# Calls of the application's own pages; programs send their access token with each request.
router = APIRouter(prefix="/session", include_in_schema=False)


class SignIn(BaseModel):
    """The access token of a person."""

    model_config = ConfigDict(extra="forbid")

    token: str = Field(max_length=600)


@router.post("")
async def sign_in(request: Request, own: SignIn) -> Response:
    """Exchange an access token for a cookie that no script can read."""
    service = service_of(request)
    if service.access is None or service.sessions is None:
        return JSONResponse(_open())
    client = request.client.host if request.client else ""
    # Wrong ones count as they do anywhere: tokens can't be guessed here either.
    token = service.access.admit([f"Bearer {own.token.strip()}"], client)
    cookie = service.sessions.cookie(token.digest)
    response = JSONResponse(_described(service, token, cookie))
    response.set_cookie(
        COOKIE,
        cookie,
        max_age=SESSION_SECONDS,
        path=_path(request),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response


@router.get("")
async def who(request: Request) -> dict[str, Any]:
    """Who is signed in, and the token that writes need."""
    service, token = service_of(request), token_of(request)
    if token is None:
        return _open()
    return _described(service, token, session_cookie(request.scope))


@router.delete("")
async def sign_out(request: Request) -> Response:
    """Forget the cookie."""
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path=_path(request), httponly=True, samesite="strict")
    return response


def _open() -> dict[str, Any]:
    """What a service without access control says."""
    return {"signed_in": False, "tenant": None, "role": "operator", "csrf": None}


def _described(service: Service, token: Token, cookie: str | None) -> dict[str, Any]:
    sessions = service.sessions
    csrf = None if cookie is None or sessions is None else sessions.csrf(cookie)
    return {"signed_in": True, "tenant": token.tenant, "role": token.role, "csrf": csrf}


def _path(request: Request) -> str:
    """The cookie is for the service only, not for others on the same host."""
    prefix: str = request.scope.get("app_root_path", "")
    return f"{prefix}/"
