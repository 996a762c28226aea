"""Errors as answers: problem details (RFC 9457) for all of them, and never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from rowen.limits import RETRY_SECONDS
from rowen.model.errors import RowenError
from rowen.service.quotas import QuotaError

MEDIA_TYPE = "application/problem+json"
QUOTA = "/docs#quota"
"""The type of the problem that a tenant is out of room."""
_SCHEMA = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
    "required": ["type", "title", "status"],
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "What went wrong (RFC 9457)",
        "content": {MEDIA_TYPE: {"schema": _SCHEMA}},
    }
}
"""Every call may be answered so."""


def problem(
    status: int, detail: str = "", *, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """The answer for an error."""
    told = _details(status, detail)
    retry = {"Retry-After": str(RETRY_SECONDS)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return JSONResponse(
        told | more, status, headers={**retry, **(headers or {})}, media_type=MEDIA_TYPE
    )


def details(error: BaseException) -> dict[str, Any]:
    """What an error would be answered with, for those who only hear of it."""
    if isinstance(error, RowenError):
        return _details(error.http_status, str(error))
    return _details(500, "a bug of ours; the log has more")


def _details(status: int, detail: str) -> dict[str, Any]:
    told = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    return {**told, "detail": detail} if detail else told


def handle_problems(app: FastAPI) -> None:
    """Have an application answer so; bugs are answered where requests are watched."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(RowenError, _known)
    app.add_exception_handler(QuotaError, _over)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    plain = error.detail == HTTPStatus(error.status_code).phrase
    headers = error.headers
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers = {"Allow": _allowed(request)}
    return problem(error.status_code, "" if plain else error.detail, headers=headers)


def _allowed(request: Request) -> str:
    """All methods of a path; the framework tells only those of its first route."""
    path = getattr(request.scope.get("route"), "path", "")
    methods = {method.upper() for method in request.app.openapi()["paths"].get(path, ["get"])}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    told = [
        {"where": ".".join(map(str, one["loc"])), "message": str(one["msg"])}
        for one in error.errors()
    ]
    detail = "; ".join(f"{one['where']}: {one['message']}" for one in told)
    return problem(422, detail, errors=told)


async def _known(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RowenError)
    return problem(error.http_status, str(error))


async def _over(_request: Request, error: Exception) -> Response:
    assert isinstance(error, QuotaError)
    told = {"unit": error.unit, "held": error.held, "limit": error.limit}
    closing = {"Connection": "close"}  # the rest of it need not be sent
    return problem(error.http_status, str(error), headers=closing, type=QUOTA, **told)
