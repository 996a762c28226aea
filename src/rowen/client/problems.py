"""Error responses of a service as Rowen's exceptions."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from rowen.client.answers import Reply
from rowen.model.errors import (
    InputError,
    OutputError,
    ServiceError,
    StoreError,
    UsageError,
)


class ServiceUsageError(UsageError, ServiceError):
    """The call was wrong: an unknown name, or an invalid request."""


class ServiceInputError(InputError, ServiceError):
    """The document or the extractor is invalid."""


class ServiceStoreError(StoreError, ServiceError):
    """The service can't be reached, or is busy."""


class ServiceOutputError(OutputError, ServiceError):
    """The service has no room."""


_KINDS: dict[int, type[ServiceError]] = {
    **dict.fromkeys((413, 415, 422), ServiceInputError),
    **dict.fromkeys((429, 502, 503, 504), ServiceStoreError),
    507: ServiceOutputError,
}


def error_of(reply: Reply) -> ServiceError:
    """The error of a response."""
    try:
        body = json.loads(reply.content)
    except ValueError:
        body = {}
    problem = body if isinstance(body, dict) else {}
    return problem_error({"status": reply.status, **problem})


def problem_error(problem: Mapping[str, Any]) -> ServiceError:
    """The error of problem details."""
    status = problem.get("status")
    status = status if isinstance(status, int) else 500
    kind = _KINDS.get(status, ServiceUsageError if 400 <= status < 500 else ServiceError)
    return kind(_reason(status, problem), status=status, problem=problem)


def lost_error(reason: str) -> ServiceError:
    """The error for a lost connection."""
    return ServiceStoreError(f"the service can't be reached: {reason}")


def _reason(status: int, problem: Mapping[str, Any]) -> str:
    is_standard = status in HTTPStatus.__members__.values()
    title = problem.get("title") or (HTTPStatus(status).phrase if is_standard else "error")
    detail = problem.get("detail")
    return f"the service answered {status} ({title})" + (f": {detail}" if detail else "")
