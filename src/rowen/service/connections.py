"""Connections of clients from anywhere: none of them may hold what others need.

The framework below waits for ever for the end of a request's head, for the rest of a body that
nobody reads, and for a client that does not take its answer. Here each of these has a limit.
"""

import asyncio
import json
from collections import Counter
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import ClassVar

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rowen.limits import (
    CONNECTIONS,
    CONNECTIONS_PER_ADDRESS,
    HEAD_BYTES,
    HEAD_SECONDS,
    LINGER_SECONDS,
    PIPELINED_REQUESTS,
    RETRY_SECONDS,
    SEND_SECONDS,
)
from rowen.service.problems import MEDIA_TYPE

_TICKS = 5
"""The framework ticks ten times a second; so many of them pass between two looks at all."""


class _Refusal(Exception):  # noqa: N818  # the parser takes it for an error, and so it ends
    """The request is answered before it is whole."""


class Connection(HttpToolsProtocol):
    """One client's; `check` is to be called now and then."""

    _head_since: float | None = None
    """When the head that is not there yet began."""
    _rest_since: float | None = None
    """When a request was answered of which more has to come."""
    _stuck_since: float | None = None
    """Since when the client takes nothing of an answer."""
    _head_received = 0
    _whole = True
    _status = HTTPStatus.BAD_REQUEST

    addresses: ClassVar[Counter[str]] = Counter()
    """How many connections each address has; a process has one server."""
    per_address: ClassVar[int] = CONNECTIONS_PER_ADDRESS
    _counted: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there; one too many is told so at once, of all or of its address."""
        address = _network(transport.get_extra_info("peername"))
        crowded = len(self.connections) >= CONNECTIONS
        greedy = address is not None and self.addresses[address] >= self.per_address
        super().connection_made(transport)
        self._head_since = self.loop.time()
        if crowded or greedy:
            told = "too many connections from this address" if greedy else ""
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, told)
        elif address is not None:
            self._counted = address
            self.addresses[address] += 1

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone, and leaves its place to another one."""
        if self._counted is not None:
            self.addresses[self._counted] -= 1
            if not self.addresses[self._counted]:
                del self.addresses[self._counted]
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes came."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._head_since is not None:
            self._head_received += len(data)
            if self._head_received > HEAD_BYTES and not self.transport.is_closing():
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._whole = False
        self._rest_since = None
        self._head_since = self.loop.time()
        self._head_received = 0

    def on_headers_complete(self) -> None:
        """A head is there; the application begins to work, unless it is too large."""
        self._head_since = None
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEAD_BYTES:
            self._status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refusal
        if len(self.pipeline) >= PIPELINED_REQUESTS:
            self.transport.abort()  # an answer would stand before those to earlier requests
            raise _Refusal
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A request is there as a whole."""
        self._whole = True
        self._rest_since = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """An answer was given; perhaps before all of the request was there."""
        if not self._whole and not self.pipeline:
            self._rest_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client does not take what is sent."""
        super().pause_writing()
        self._stuck_since = self.loop.time()

    def resume_writing(self) -> None:
        """It goes on."""
        super().resume_writing()
        self._stuck_since = None

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, or one that was refused."""
        if not self.transport.is_closing():
            self._refuse(self._status, msg if self._status is HTTPStatus.BAD_REQUEST else "")

    def check(self, now: float) -> None:
        """Hang up where a client takes too long."""
        if self.transport.is_closing() and self._stuck_since is None:
            self._stuck_since = now
        if _is_over(self._stuck_since, SEND_SECONDS, now):
            self.transport.abort()
        elif not self.transport.is_closing():
            if self._head_since is not None and self._owes_answer:
                self._head_since = now  # a head that was sent ahead has time until then
            late = _is_over(self._head_since, HEAD_SECONDS, now)
            if late and self._head_received:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            elif late or _is_over(self._rest_since, LINGER_SECONDS, now):
                self.transport.close()  # browsers connect ahead, and want no answer to nothing

    @property
    def _owes_answer(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, status: HTTPStatus, detail: str = "") -> None:
        """Answer before there is a request, and hang up."""
        if self._owes_answer and self.cycle.response_started:
            self.transport.abort()  # this would stand in the middle of another answer
            return
        told = {"type": "about:blank", "title": status.phrase, "status": status.value}
        if detail:
            told["detail"] = detail
        body = json.dumps(told).encode()
        lines = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            f"content-type: {MEDIA_TYPE}",
            f"content-length: {len(body)}",
            "connection: close",
        ]
        if status is HTTPStatus.SERVICE_UNAVAILABLE:
            lines.append(f"retry-after: {RETRY_SECONDS}")
        self.transport.write("\r\n".join([*lines, "", ""]).encode("ascii") + body)
        self.transport.close()


def _network(peer: object) -> str | None:
    """What counts as one address: of version 6 the 64 bits that one customer has all of."""
    if not isinstance(peer, tuple):
        return None
    found = ip_address(str(peer[0]).partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)


def _is_over(since: float | None, seconds: float, now: float) -> bool:
    return since is not None and now - since > seconds


class Server(uvicorn.Server):
    """Answers requests, and looks after those who don't let it."""

    async def on_tick(self, counter: int) -> bool:
        """Called by the framework all the time; tells whether to end."""
        if counter % _TICKS == 0:
            now = asyncio.get_running_loop().time()
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, Connection):
                    connection.check(now)
        return await super().on_tick(counter)
