"""Around every request: its id, its log line, its metrics, and internal errors."""

import re
import traceback
from secrets import token_hex
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rowen.logs import LOG
from rowen.service.problems import problem
from rowen.storage.documents.guard import budget

# An id that a client sends goes into the log: nothing that could forge another line, or fill it.
_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
_HEADER = b"x-request-id"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})


class Watch:
    """Middleware; it also turns HEAD into GET, for which uvicorn sends no body."""

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
                    # A browser must not take a submitted document for a script or a page.
                    (b"x-content-type-options", b"nosniff"),
                )
            await send(message)

        try:
            with budget():
                await self._app(inner, receive, answer)
        except Exception as error:  # noqa: BLE001  # the client gets 500, the log the details
            fields = {"request": request, "error": type(error).__name__, "where": places_of(error)}
            LOG.error("internal error", extra={"fields": fields})
            if not status:
                response = problem(500, f"internal error; see {request} in the log")
                await response(inner, receive, answer)
        _log(inner, scope["method"], request, status, perf_counter() - start)


def _id_of(scope: Scope) -> str:
    """The id that a request brings, or a new one where it is not plain text."""
    for name, value in scope["headers"]:
        if name == _HEADER:
            text = value.decode("latin-1")
            return text if _ID.fullmatch(text) else token_hex(8)
    return token_hex(8)


def places_of(error: BaseException) -> list[str]:
    """The traceback of an error, here and in a worker, without its message.

    Messages may quote a document, and the log must not.
    """
    here = traceback.format_tb(error.__traceback__)
    in_worker = "\n".join(getattr(error, "__notes__", ())).splitlines()
    return [*here, *(line for line in in_worker if line.startswith('  File "'))]


def _log(scope: Scope, method: str, request: str, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", "none")
    metrics = scope["app"].state.service.metrics
    # Clients may send any word; each would become a new label in the metrics.
    method = method if method in _METHODS else "other"
    metrics.requests.labels(method, route, str(status)).inc()
    metrics.seconds.labels(route).observe(seconds)
    realm = scope.get("realm")
    fields = {
        "request": request,
        **({"tenant": realm.name} if realm is not None and realm.name else {}),
        "method": method,
        "route": route,
        "status": status,
        "seconds": round(seconds, 6),
    }
    LOG.info("request", extra={"fields": fields})
