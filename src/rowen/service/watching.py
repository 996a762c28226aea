"""Around every request: its id, its line in the log, its numbers, and bugs caught."""

import re
import traceback
from secrets import token_hex
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rowen.service.guard import budget
from rowen.service.logs import LOG
from rowen.service.problems import problem

_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_HEADER = b"x-request-id"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})


class Watch:
    """Middleware; also answers HEAD as GET, of which the server leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = _id_of(scope)
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else dict(scope)
        start, status = perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] += (
                    (_HEADER, request.encode()),
                    (b"x-content-type-options", b"nosniff"),
                )
            await send(message)

        try:
            with budget():
                await self._app(inner, receive, answer)
        except Exception as error:  # noqa: BLE001  # a bug is an answer, and a line in the log
            told = {"request": request, "error": type(error).__name__, "where": places_of(error)}
            LOG.error("a bug of ours", extra={"told": told})
            if not status:
                bug = problem(500, f"a bug of ours; the log has more under {request}")
                await bug(inner, receive, answer)
        _tell(inner, scope["method"], request, status, perf_counter() - start)


def _id_of(scope: Scope) -> str:
    """The one that a request brings, where it is plain, or a new one."""
    for name, value in scope["headers"]:
        if name == _HEADER:
            given = value.decode("latin-1")
            return given if _ID.fullmatch(given) else token_hex(8)
    return token_hex(8)


def places_of(error: BaseException) -> list[str]:
    """Where an error came from, here and in a worker; its words may quote a document."""
    here = traceback.format_tb(error.__traceback__)
    there = "\n".join(getattr(error, "__notes__", ())).splitlines()
    return [*here, *(line for line in there if line.startswith('  File "'))]


def _tell(scope: Scope, method: str, request: str, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", "none")
    metrics = scope["app"].state.service.metrics
    method = method if method in _METHODS else "other"
    metrics.requests.labels(method, route, str(status)).inc()
    metrics.seconds.labels(route).observe(seconds)
    realm = scope.get("realm")
    told = {
        "request": request,
        **({"tenant": realm.name} if realm is not None and realm.name else {}),
        "method": method,
        "route": route,
        "status": status,
        "seconds": round(seconds, 6),
    }
    LOG.info("request", extra={"told": told})
