"""Connections with limits, so that no client can keep others out.

Uvicorn waits for ever for the end of a request's head, for the rest of a body that nobody reads,
and for a client that does not read its response (slow-loris attacks). Here each of these has a
limit.
"""

import asyncio
import json
from collections import Counter
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from rowen.service.problems import MEDIA_TYPE, RETRY_SECONDS

CONNECTIONS = 512
"""Limit: how many connections the service has at once. Systems allow a process 1024 open files."""

CONNECTIONS_PER_ADDRESS = 128
"""Limit: how many of them one address may have. A quarter, so that no address keeps others out, and
enough for a program that sends as many documents at once as the service takes (64)."""

HEAD_BYTES = 64 * 1024
"""Limit: the size of a request before its body: address and headers."""

HEAD_SECONDS = 10.0
"""Limit: how long that may take, from the start of the connection or of the request."""

LINGER_SECONDS = 5.0
"""Limit: how long a client may go on sending a request that was answered before its end."""

SEND_SECONDS = 30.0
"""Limit: how long a client may read nothing of its response before the service hangs up."""

PIPELINED_REQUESTS = 16
"""Limit: how many requests a client may send before the first of them is answered."""


ON_SHUTDOWN = "rowen.on_shutdown"
"""The key of a request's scope for a function that ends its response when the service stops. A
response that has no end of its own needs one."""

_TICKS = 5
"""Connections are checked every `_TICKS` ticks of Uvicorn, which ticks ten times a second."""


class _Refusal(Exception):  # noqa: N818  # raised only to stop the parser
    """The request is refused before its end."""


class Connection(HttpToolsProtocol):
    """The connection of a client; `check` enforces the time limits."""

    _head_since: float | None = None
    """When the unfinished head began."""
    _answered_early_since: float | None = None
    """When a request was answered that the client is still sending."""
    _stuck_since: float | None = None
    """Since when the client reads nothing of a response."""
    _head_received = 0
    _whole = True
    _status = HTTPStatus.BAD_REQUEST

    addresses: ClassVar[Counter[str]] = Counter()
    """How many connections each address has. On the class: a process has one server."""
    per_address: ClassVar[int] = CONNECTIONS_PER_ADDRESS
    _counted: str | None = None

    def shutdown(self) -> None:
        """Let the running request finish; end one that would never finish."""
        scope: dict[str, Any] | None = getattr(self, "scope", None)
        if scope is not None and ON_SHUTDOWN in scope:
            scope[ON_SHUTDOWN]()
        super().shutdown()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a client, or refuse it at once where there are too many."""
        address = _network(transport.get_extra_info("peername"))
        is_full = len(self.connections) >= CONNECTIONS
        is_greedy = address is not None and self.addresses[address] >= self.per_address
        # Counted before this call, which adds the connection itself.
        super().connection_made(transport)
        self._head_since = self.loop.time()
        if is_full or is_greedy:
            detail = "too many connections from this address" if is_greedy else ""
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, detail)
        elif address is not None:
            # Refused connections are not counted: they are closing, and would keep their address
            # out longer.
            self._counted = address
            self.addresses[address] += 1

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place to another client."""
        if self._counted is not None:
            self.addresses[self._counted] -= 1
            if not self.addresses[self._counted]:
                del self.addresses[self._counted]
            self._counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive bytes."""
        # After a refusal, bytes that still arrive must not start another request.
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._head_since is not None:
            self._head_received += len(data)
            if self._head_received > HEAD_BYTES and not self.transport.is_closing():
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Note the start of a head."""
        super().on_message_begin()
        self._whole = False
        self._answered_early_since = None
        self._head_since = self.loop.time()
        self._head_received = 0

    def on_headers_complete(self) -> None:
        """Pass the request to the application, unless its head is too large."""
        self._head_since = None
        # The parser may get a whole head in one piece, before `data_received` has counted it.
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > HEAD_BYTES:
            self._status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise _Refusal
        if len(self.pipeline) >= PIPELINED_REQUESTS:
            self.transport.abort()  # a response now would come before those to earlier requests
            raise _Refusal
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note the end of a request."""
        self._whole = True
        self._answered_early_since = None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Note the end of a response, which may be before the end of its request."""
        # The rest of the body still comes. Reading it for a while lets the client see the response;
        # closing at once would make its system drop it (a reset).
        if not self._whole and not self.pipeline:
            self._answered_early_since = self.loop.time()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        super().pause_writing()
        self._stuck_since = self.loop.time()

    def resume_writing(self) -> None:
        """Note that it reads again."""
        super().resume_writing()
        self._stuck_since = None

    def send_400_response(self, msg: str) -> None:
        """Answer an invalid request, or one that was refused."""
        if not self.transport.is_closing():
            self._refuse(self._status, msg if self._status is HTTPStatus.BAD_REQUEST else "")

    def check(self, now: float) -> None:
        """Hang up where a client takes too long."""
        # A closing transport still waits for the client to read what was written.
        if self.transport.is_closing() and self._stuck_since is None:
            self._stuck_since = now
        if _is_over(self._stuck_since, SEND_SECONDS, now):
            self.transport.abort()
        elif not self.transport.is_closing():
            if self._head_since is not None and self._owes_answer:
                self._head_since = now  # the time of a pipelined head starts later
            late = _is_over(self._head_since, HEAD_SECONDS, now)
            if late and self._head_received:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            elif late or _is_over(self._answered_early_since, LINGER_SECONDS, now):
                # Without a response: browsers connect in advance, and send no request at all.
                self.transport.close()

    @property
    def _owes_answer(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, status: HTTPStatus, detail: str = "") -> None:
        """Answer outside of the application, and hang up."""
        if self._owes_answer and self.cycle.response_started:
            self.transport.abort()  # this would be inserted into another response
            return
        problem = {"type": "about:blank", "title": status.phrase, "status": status.value}
        if detail:
            problem["detail"] = detail
        body = json.dumps(problem).encode()
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
    """What counts as one address: for IPv6 the /64 network, which one customer usually has."""
    if not isinstance(peer, tuple):
        return None
    address = ip_address(str(peer[0]).partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


def _is_over(since: float | None, seconds: float, now: float) -> bool:
    return since is not None and now - since > seconds


class Server(uvicorn.Server):
    """A server that enforces the time limits of its connections."""

    async def on_tick(self, counter: int) -> bool:
        """Check the connections; uvicorn calls this ten times a second."""
        if counter % _TICKS == 0:
            now = asyncio.get_running_loop().time()
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, Connection):
                    connection.check(now)
        return await super().on_tick(counter)
