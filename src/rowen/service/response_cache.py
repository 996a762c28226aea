"""The response cache: responses that clients ask for again and again, kept in memory as sent."""

import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rowen.model.errors import RowenError
from rowen.service.routes.lookup import document_of, is_known, unchanged
from rowen.storage.documents.store import Store

CACHE_BYTES = 32 * 1024 * 1024
"""Limit: how much memory the service gives to cached responses."""

CACHED_RESPONSE_BYTES = 1024 * 1024
"""Limit: the largest response that is cached. Sending larger ones takes long anyway."""


_PATH = re.compile("/([0-9a-f]{32})(?:/(header|citations|body|text))?")
_OVERHEAD = 1024
"""About how many bytes a cached response takes beside its body."""
_CACHEABLE = "rowen.cacheable"
"""Where a route leaves, in the ASGI scope, what the cache must know of its response."""

Question: TypeAlias = tuple[str, bytes, tuple[bytes, ...]]
"""All of a request that its response depends on: the stage, the query and the Accept headers."""


class Cacheable(NamedTuple):
    """What a route tells the cache about a response that it may keep."""

    source: str
    """The document that the response was extracted for."""
    etag: str


def allow_caching(request: Request, source: str, etag: str) -> None:
    """Let the cache keep the response to a request.

    Only for results that were reused exactly: they stay the same as long as the document of the
    request and the `source` exist.
    """
    request.scope[_CACHEABLE] = Cacheable(source, etag)


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response with a body, and the document that it was extracted for."""

    source: str
    etag: str
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: Any

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.body) + _OVERHEAD


class ResponseCache:
    """The responses used last; together they take at most `most` bytes."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._most = most
        self._documents: OrderedDict[str, dict[Question, CachedResponse]] = OrderedDict()
        self.size = 0

    def get(self, document: str, question: Question) -> CachedResponse | None:
        """The response to a request."""
        responses = self._documents.get(document)
        if responses is None:
            return None
        self._documents.move_to_end(document)
        return responses.get(question)

    def put(self, document: str, question: Question, response: CachedResponse) -> None:
        """Keep a response; those of the document that was unused for longest are dropped."""
        responses = self._documents.setdefault(document, {})
        self._documents.move_to_end(document)
        if question in responses:
            self.size -= responses[question].size
        responses[question] = response
        self.size += response.size
        # A document's responses go together: they are usually requested together too.
        while self.size > self._most:
            self.forget(next(iter(self._documents)))

    def forget(self, document: str) -> None:
        """Drop all responses of a document."""
        for response in self._documents.pop(document, {}).values():
            self.size -= response.size


class CacheResponses:
    """Middleware that answers from the cache, and fills it.

    A cached response is used only after a look whether its document and its source still exist.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._cache = ResponseCache()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request from the cache, or pass it on."""
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if match is None:
            await self._app(scope, receive, send)
            return
        document, stage = match.groups()
        if scope["method"] == "DELETE":
            await self._app(scope, receive, send)
            # For the memory only: `_is_valid` finds out about deletions, those by other services
            # included.
            self._cache.forget(document)
        elif scope["method"] != "GET" or stage is None:
            await self._app(scope, receive, send)
        else:
            question = stage, scope["query_string"], _accepted(scope)
            response = self._cache.get(document, question)
            if response is not None and await _is_valid(_store(scope), document, response):
                await _answer(scope, receive, send, stage, response)
                return
            recorder = _Recorder(send)
            await self._app(scope, receive, recorder)
            response = recorder.recorded(scope)
            if response is not None:
                self._cache.put(document, question, response)


class _Recorder:
    """Passes a response on, and keeps a copy of one that is sent in a single piece."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body: bytes | None = None

    async def __call__(self, message: Message) -> None:
        """Send a message of the response."""
        if message["type"] == "http.response.start":
            # A copy, because the middleware outside adds headers of this request, such as its id.
            self._start = {**message, "headers": list(message["headers"])}
        elif not message.get("more_body") and self._body is None:
            self._body = message.get("body", b"")
        await self._send(message)

    def recorded(self, scope: Scope) -> CachedResponse | None:
        """The response, where the route lets the cache keep it."""
        cacheable: Cacheable | None = scope.get(_CACHEABLE)
        if cacheable is None or self._start is None or self._body is None:
            return None
        if self._start["status"] != 200 or len(self._body) > CACHED_RESPONSE_BYTES:
            return None
        headers: list[tuple[bytes, bytes]] = self._start["headers"]
        source, etag = cacheable
        return CachedResponse(source, etag, headers, self._body, scope["route"])


async def _answer(
    scope: Scope, receive: Receive, send: Send, stage: str, response: CachedResponse
) -> None:
    scope["route"] = response.route  # which the log and the metrics name
    scope["app"].state.service.metrics.results.labels(stage, "exact").inc()
    is_conditional = any(name == b"if-none-match" for name, _ in scope["headers"])
    if is_conditional and is_known(Request(scope), response.etag):
        await unchanged(response.etag)(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": list(response.headers)})
    await send({"type": "http.response.body", "body": response.body})


def _store(scope: Scope) -> Store:
    store: Store = scope["realm"].store
    return store


def _accepted(scope: Scope) -> tuple[bytes, ...]:
    return tuple(value for name, value in scope["headers"] if name == b"accept")


async def _is_valid(store: Store, document: str, response: CachedResponse) -> bool:
    """Whether both documents still exist; another service may have deleted them."""
    try:
        for document_id in {document, response.source}:
            await document_of(store, document_id)
    except (HTTPException, RowenError):  # the application answers these, as it does without a cache
        return False
    return True
