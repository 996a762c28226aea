"""A service below a path of a site, such as https://example.org/rowen/, behind a proxy."""

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)*")
"""What a prefix may be: empty, or a path without a slash at its end."""


class Prefix:
    """Middleware that hides the prefix from the application; its own addresses have it again.

    It does not matter whether the proxy removes the prefix from what it passes on.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or not self._prefix:
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if path == self._prefix:  # relative addresses need the slash
            headers = [(b"location", f"{self._prefix}/".encode()), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 308, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        if path.startswith(f"{self._prefix}/"):
            path = path[len(self._prefix) :]
        # Starlette makes absolute addresses with `app_root_path`; routes see the plain path.
        inner = {**scope, "path": path, "app_root_path": self._prefix}

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [self._placed(*pair) for pair in message["headers"]]
            await send(message)

        await self._app(inner, receive, answer)

    def _placed(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        """A header; a Location within the service gets the prefix."""
        if name.lower() == b"location" and value.startswith(b"/"):
            return name, self._prefix.encode() + value
        return name, value
