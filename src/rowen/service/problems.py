"""Errors as responses: problem details (RFC 9457) for all, and never a traceback."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from rowen.model.errors import RowenError
from rowen.service.quotas import QuotaError

RETRY_SECONDS = 5
"""After how many seconds a client may retry that got 503."""


MEDIA_TYPE = "application/problem+json"
QUOTA = "/docs#quota"
"""The type of the problem that a tenant's quota is used up."""
_SCHEMA = {
    "title": "Problem",
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
"""For the description of every call."""


def problem(
    status: int, detail: str = "", *, headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """The response for an error."""
    body = _details(status, detail)
    retry = {"Retry-After": str(RETRY_SECONDS)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return JSONResponse(
        body | more, status, headers={**retry, **(headers or {})}, media_type=MEDIA_TYPE
    )


def details(error: BaseException) -> dict[str, Any]:
    """The problem details of an error that is not itself the response, such as that of a job."""
    if isinstance(error, RowenError):
        return _details(error.http_status, str(error))
    return _details(500, "internal error; see the log")


def _details(status: int, detail: str) -> dict[str, Any]:
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    return {**body, "detail": detail} if detail else body


def handle_problems(app: FastAPI) -> None:
    """Register the handlers of an application; `watching` handles internal errors."""
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(RowenError, _rowen_error)
    app.add_exception_handler(QuotaError, _quota_error)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    is_default = error.detail == HTTPStatus(error.status_code).phrase
    headers = error.headers
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers = {"Allow": _allowed(request)}
    return problem(error.status_code, "" if is_default else error.detail, headers=headers)


def _allowed(request: Request) -> str:
    """All methods of a path; FastAPI names only those of the first matching route."""
    path = getattr(request.scope.get("route"), "path_format", "")
    methods = {method.upper() for method in request.app.openapi()["paths"].get(path, ["get"])}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [
        {"where": ".".join(map(str, fault["loc"])), "message": str(fault["msg"])}
        for fault in error.errors()
    ]
    detail = "; ".join(f"{fault['where']}: {fault['message']}" for fault in errors)
    return problem(422, detail, errors=errors)


async def _rowen_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RowenError)
    return problem(error.http_status, str(error))


async def _quota_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, QuotaError)
    numbers = {"unit": error.unit, "held": error.held, "limit": error.limit}
    closing = {"Connection": "close"}  # so that the client stops sending
    return problem(error.http_status, str(error), headers=closing, type=QUOTA, **numbers)
