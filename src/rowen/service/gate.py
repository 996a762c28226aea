"""Before every request: whom it is meant for, where it comes from, who sends it."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from rowen.model.errors import RowenError
from rowen.service.access import Access, AccessError
from rowen.service.metrics import Metrics
from rowen.service.problems import problem
from rowen.service.realms import Realm, Realms
from rowen.service.tokens import Token

OPEN = frozenset({"/livez", "/readyz", "/docs", "/openapi.json", "/studio"})
"""What needs no token: it tells nothing but that the service is there."""
OPEN_FOLDER = "/studio/static/"
OPERATION = "/metrics"

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?", re.IGNORECASE)
_WRITES = frozenset({"POST", "PUT", "DELETE", "PATCH"})
_OWN = frozenset({"same-origin", "none"})


class Gate:
    """Middleware that gives each request its realm, or turns it away."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        access: Access | None,
        hosts: Collection[str] | None,
        home: Realm,
        realms: Realms,
        metrics: Metrics,
    ) -> None:
        self._app = app
        self._access = access
        self._hosts = hosts
        self._home = home
        self._realms = realms
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            token = self._admit(scope)
        except AccessError as error:
            self._metrics.refused.labels(reason=error.reason).inc()
            headers = dict(error.headers or {})
            if _sends(scope):  # what is not to be read
                headers["Connection"] = "close"
            answer = problem(error.status_code, error.detail, headers=headers)
            await answer(scope, receive, send)
            return
        scope["token"] = token
        if token is None:
            scope["realm"] = self._home
            await self._app(scope, receive, send)
            return
        try:
            realm = await self._realms.enter(token.tenant)
        except RowenError as error:
            await problem(error.http_status, str(error))(scope, receive, send)
            return
        scope["realm"] = realm
        try:
            await self._app(scope, receive, send)
        finally:
            self._realms.leave(realm)

    def _admit(self, scope: Scope) -> Token | None:
        if self._hosts is not None:
            _check_host(_values(scope, b"host"), self._hosts)
        if scope["method"] in _WRITES:
            _check_origin(scope)
        if self._access is None or _is_open(scope["path"]):
            return None
        client = scope["client"][0] if scope.get("client") else ""
        token = self._access.admit(_values(scope, b"authorization"), client)
        if scope["path"] == OPERATION and not token.operator:
            raise AccessError(403, "operator", "this needs an operator's token")
        return token


def describe_tokens(description: dict[str, Any]) -> None:
    """Say in an OpenAPI description which calls need a token."""
    schemes = description.setdefault("components", {}).setdefault("securitySchemes", {})
    schemes["token"] = {"type": "http", "scheme": "bearer"}
    description["security"] = [{"token": []}]
    for path, calls in description["paths"].items():
        if _is_open(path):
            for call in calls.values():
                call["security"] = []


def _is_open(path: str) -> bool:
    return path in OPEN or path.startswith(OPEN_FOLDER)


def _check_host(given: Iterator[str], allowed: Collection[str]) -> None:
    """Names of others may lead here too: then a page of theirs would speak to this service."""
    hosts = list(given)
    found = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if found is None or not (is_loopback(name := _plain(found[1])) or name in allowed):
        raise AccessError(421, "host", "this service does not go by that name: see --allow-host")


def _check_origin(scope: Scope) -> None:
    """A page of another site may send requests in a user's name, and must change nothing."""
    if fetched := list(_values(scope, b"sec-fetch-site")):
        own = len(fetched) == 1 and fetched[0] in _OWN
    else:
        hosts = list(_values(scope, b"host"))
        own = all(
            origin.partition("://")[2].lower() in [host.lower() for host in hosts]
            for origin in _values(scope, b"origin")
        )
    if not own:
        raise AccessError(403, "origin", "pages of other sites can't change anything here")


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether a name or an address is always this machine's own."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def _values(scope: Scope, name: bytes) -> Iterator[str]:
    return (value.decode("latin-1") for key, value in scope["headers"] if key == name)


def _sends(scope: Scope) -> bool:
    return any(key in (b"content-length", b"transfer-encoding") for key, _ in scope["headers"])
