"""Answers that are asked for again and again, held in memory as they were sent."""

import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, TypeAlias

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rowen.limits import HOT_ANSWER_BYTES, HOT_BYTES
from rowen.model.errors import RowenError
from rowen.service.routes.found import document_of, is_known, unchanged
from rowen.service.store import Store

_PATH = re.compile("/([0-9a-f]{32})(?:/(header|citations|body|text))?")
_REUSE = re.compile("exact; source=([0-9a-f]{32})")
_OVERHEAD = 1024
"""About what an answer takes beside its body."""

Asked: TypeAlias = tuple[str, bytes, tuple[bytes, ...]]
"""All of a request that its answer depends on: the stage, the query, and what is accepted."""


@dataclass(frozen=True, slots=True)
class Hot:
    """An answer with a body, and the document that it was extracted for."""

    source: str
    etag: str
    headers: list[tuple[bytes, bytes]]
    body: bytes
    route: Any

    @property
    def size(self) -> int:
        """How much memory it takes, about."""
        return len(self.body) + _OVERHEAD


class HotAnswers:
    """The answers last used, of all documents together not more than so many bytes."""

    def __init__(self, most: int = HOT_BYTES) -> None:
        self._most = most
        self._documents: OrderedDict[str, dict[Asked, Hot]] = OrderedDict()
        self.size = 0

    def get(self, document: str, asked: Asked) -> Hot | None:
        """The answer to a request."""
        answers = self._documents.get(document)
        if answers is None:
            return None
        self._documents.move_to_end(document)
        return answers.get(asked)

    def put(self, document: str, asked: Asked, hot: Hot) -> None:
        """Hold an answer; what was not used for long gives way."""
        answers = self._documents.setdefault(document, {})
        self._documents.move_to_end(document)
        if asked in answers:
            self.size -= answers[asked].size
        answers[asked] = hot
        self.size += hot.size
        while self.size > self._most:
            self.forget(next(iter(self._documents)))

    def forget(self, document: str) -> None:
        """Let go of a document's answers."""
        for hot in self._documents.pop(document, {}).values():
            self.size -= hot.size


class Reheat:
    """Middleware: gives hot answers, and holds those that are worth it.

    Only what was reused exactly is held: it stays the same as long as its document and the one
    that it was extracted for are there, which is looked up each time.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._answers = HotAnswers()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        document, stage = found.groups()
        if scope["method"] == "DELETE":
            await self._app(scope, receive, send)
            self._answers.forget(document)
        elif scope["method"] != "GET" or stage is None:
            await self._app(scope, receive, send)
        else:
            asked = stage, scope["query_string"], _accepted(scope)
            hot = self._answers.get(document, asked)
            if hot is not None and await _stands(_store(scope), document, hot):
                await _answer(scope, receive, send, stage, hot)
                return
            hearing = _Hearing(send)
            await self._app(scope, receive, hearing)
            hot = hearing.heard(scope)
            if hot is not None:
                self._answers.put(document, asked, hot)


class _Hearing:
    """Passes an answer on, and has it afterwards, where it came in one piece."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._body: bytes | None = None

    async def __call__(self, message: Message) -> None:
        """Send a message of it."""
        if message["type"] == "http.response.start":
            # A copy: others add to it what is for this request only.
            self._start = {**message, "headers": list(message["headers"])}
        elif not message.get("more_body") and self._body is None:
            self._body = message.get("body", b"")
        await self._send(message)

    def heard(self, scope: Scope) -> Hot | None:
        """The answer, where it is one to be held."""
        if self._start is None or self._start["status"] != 200 or self._body is None:
            return None
        headers = Headers(raw=self._start["headers"])
        reused = _REUSE.fullmatch(headers.get("rowen-reuse", ""))
        if reused is None or len(self._body) > HOT_ANSWER_BYTES:
            return None
        held: list[tuple[bytes, bytes]] = self._start["headers"]
        return Hot(reused[1], headers["etag"], held, self._body, scope["route"])


async def _answer(scope: Scope, receive: Receive, send: Send, stage: str, hot: Hot) -> None:
    scope["route"] = hot.route  # for whoever watches
    scope["app"].state.service.metrics.results.labels(stage, "exact").inc()
    asked = any(name == b"if-none-match" for name, _ in scope["headers"])
    if asked and is_known(Request(scope), hot.etag):
        await unchanged(hot.etag)(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": list(hot.headers)})
    await send({"type": "http.response.body", "body": hot.body})


def _store(scope: Scope) -> Store:
    store: Store = scope["realm"].store
    return store


def _accepted(scope: Scope) -> tuple[bytes, ...]:
    return tuple(value for name, value in scope["headers"] if name == b"accept")


async def _stands(store: Store, document: str, hot: Hot) -> bool:
    """Whether an answer is still what it was; other services may have deleted something."""
    try:
        for one in {document, hot.source}:
            await document_of(store, one)
    except (HTTPException, RowenError):  # which the application answers, as it does others
        return False
    return True
