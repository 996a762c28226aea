"""The agents' server over HTTP: streamable HTTP at `/mcp`, with a token where one is set."""

import hmac
import socket
from typing import TYPE_CHECKING

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from rowen.agents.jobs import AGENT_HEAD_BYTES
from rowen.service.gate import is_loopback

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from rowen.agents.server import Agents

MCP_PATH = "/mcp"

AGENT_SHUTDOWN_SECONDS = 5
"""Limit: how long the server goes on with running requests after a signal to stop."""

AGENT_SESSIONS = 100
"""Limit: how many clients may be connected over HTTP at the same time."""


class WithToken:
    """Lets requests in that carry the token: `Authorization: Bearer TOKEN`."""

    def __init__(self, application: "ASGIApp", token: str) -> None:
        self._application = application
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer 401 to all other requests."""
        if scope["type"] == "http":
            given = Headers(scope=scope).get("Authorization", "").encode("latin-1")
            # Compared in constant time, so that the time says nothing of the token.
            if not hmac.compare_digest(given, self._expected):
                refused = PlainTextResponse(
                    "a token is needed: Authorization: Bearer TOKEN\n",
                    401,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                await refused(scope, receive, send)
                return
        await self._application(scope, receive, send)


def application(agents: "Agents", host: str, token: str | None) -> "ASGIApp":
    """The server as an application of ASGI.

    On this machine only, the SDK refuses names of other hosts: a page in a browser must not reach
    it by DNS rebinding.
    """
    inner = agents.server.streamable_http_app(
        host="127.0.0.1" if is_loopback(host) else host,
        streamable_http_path=MCP_PATH,
        max_request_body_size=AGENT_HEAD_BYTES,
        max_sessions=AGENT_SESSIONS,
    )
    return inner if token is None else WithToken(inner, token)


def serve(agents: "Agents", listener: socket.socket, host: str, token: str | None) -> None:
    """Answer requests until a signal comes."""
    config = uvicorn.Config(
        application(agents, host, token),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=AGENT_SHUTDOWN_SECONDS,
    )
    server = uvicorn.Server(config)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:  # uvicorn raises the signal again that has stopped it
        if not server.should_exit:
            raise
