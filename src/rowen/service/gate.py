"""The gate before every request: checks its Host, its Origin and its access token."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from rowen.model.errors import RowenError
from rowen.service.access import Access, AccessError
from rowen.service.extension import Extension
from rowen.service.metrics import Metrics
from rowen.service.problems import problem
from rowen.service.realms import Realm, Realms
from rowen.service.sessions import COOKIE, CSRF, Sessions
from rowen.service.tokens import Token

PUBLIC = frozenset({"/livez", "/readyz", "/docs", "/openapi.json"})
"""Paths that need no access token: they show only that the service is there."""
PAGES = frozenset({"/", "/library"})
"""Paths that need none for a browser that opens a page: the page itself shows nothing."""
SESSION = "/session"
"""Where people sign in."""
METRICS = "/metrics"
"""The path that needs the token of an operator."""

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?", re.IGNORECASE)
_WRITES = frozenset({"POST", "PUT", "DELETE", "PATCH"})
# "none" is what a person types or opens from a bookmark. "same-site" is not here: another host of
# the same domain may belong to somebody else.
_QUESTIONS = frozenset({"readings", "positions", "places", "history", "export"})
_OWN = frozenset({"same-origin", "none"})


@dataclass(frozen=True, slots=True)
class PublicPaths:
    """The paths that need no access token."""

    paths: frozenset[str]
    folders: tuple[str, ...]

    @classmethod
    def of(cls, extensions: Sequence[Extension]) -> "PublicPaths":
        """Those of the service and of its extensions."""
        paths = PUBLIC.union(*(extension.public_paths for extension in extensions))
        folders = [folder for extension in extensions for folder in extension.public_folders]
        return cls(paths, tuple(folders))

    def __contains__(self, path: str) -> bool:
        return path in self.paths or path.startswith(self.folders)


class Gate:
    """Middleware that gives each request its realm, or refuses it."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        access: Access | None,
        sessions: Sessions | None,
        hosts: Collection[str] | None,
        home: Realm,
        realms: Realms,
        metrics: Metrics,
        public: PublicPaths,
    ) -> None:
        self._app = app
        self._access = access
        self._sessions = sessions
        self._hosts = hosts
        self._home = home
        self._realms = realms
        self._metrics = metrics
        self._public = public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Admit or refuse a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            token = self._admit(scope)
        except AccessError as error:
            self._metrics.refused.labels(reason=error.reason).inc()
            headers = dict(error.headers or {})
            if _has_body(scope):  # which the service does not read
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
        # Only writes: what a foreign page reads, its browser does not show to it.
        if scope["method"] in _WRITES:
            _check_origin(scope)
        is_page = scope["path"] in PAGES and wants_page(scope)
        is_signing_in = scope["path"] == SESSION and scope["method"] in ("POST", "DELETE")
        is_open = is_page or is_signing_in or scope["path"] in self._public
        if self._access is None or is_open:
            return None
        client = scope["client"][0] if scope.get("client") else ""
        token = self._signed_in(scope, self._access)
        if token is None:
            token = self._access.admit(_values(scope, b"authorization"), client)
        if scope["path"] == METRICS and not token.operator:
            raise AccessError(403, "operator", "this needs the access token of an operator")
        if token.reader and scope["method"] in _WRITES and not _only_asks(scope["path"]):
            raise AccessError(403, "reader", "this access token may only read")
        return token

    def _signed_in(self, scope: Scope, access: Access) -> Token | None:
        """The token of somebody who signed in; None for programs, which send theirs."""
        cookie = session_cookie(scope)
        if cookie is None or self._sessions is None or any(_values(scope, b"authorization")):
            return None
        digest = self._sessions.digest(cookie)
        if digest is None:
            raise AccessError(401, "session", "the session has ended: sign in again")
        # A browser sends the cookie whatever page makes it send a request; only our own know this.
        if scope["method"] in _WRITES and not any(
            self._sessions.is_own(cookie, value) for value in _values(scope, CSRF)
        ):
            raise AccessError(403, "csrf", "this needs the header Rowen-CSRF of the session")
        return access.admit_digest(digest)


def session_cookie(scope: Scope) -> str | None:
    """The session cookie of a request."""
    for header in _values(scope, b"cookie"):
        for pair in header.split(";"):
            name, _, value = pair.strip().partition("=")
            if name == COOKIE:
                return value
    return None


def _only_asks(path: str) -> bool:
    """Whether a call has a body only because its question does not fit into an address."""
    return path.rpartition("/")[2] in _QUESTIONS


def wants_page(scope: Scope) -> bool:
    """Whether a browser opens a page, and not a program calls the service."""
    if scope["method"] not in ("GET", "HEAD"):
        return False
    return any("text/html" in value.lower() for value in _values(scope, b"accept"))


def describe_tokens(description: dict[str, Any], public: PublicPaths) -> None:
    """Say in an OpenAPI description which calls need an access token."""
    # FastAPI describes security per route, but here the middleware checks it for all.
    schemes = description.setdefault("components", {}).setdefault("securitySchemes", {})
    schemes["token"] = {"type": "http", "scheme": "bearer"}
    description["security"] = [{"token": []}]
    for path, calls in description["paths"].items():
        if path in public:
            for call in calls.values():
                call["security"] = []


def _check_host(headers: Iterator[str], allowed: Collection[str]) -> None:
    """Refuse other names, against DNS rebinding: a site's name may point to this service.

    Then a page of that site could read everything here as if it were its own.
    """
    # Of two Host headers, a proxy might check one and this service the other.
    hosts = list(headers)
    match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if match is None or not (is_loopback(name := _plain(match[1])) or name in allowed):
        raise AccessError(421, "host", "unknown Host header; allow it with --allow-host")


def _check_origin(scope: Scope) -> None:
    """Refuse writes from pages of other sites (cross-site request forgery)."""
    # Browsers set Sec-Fetch-Site themselves; pages can't. Older ones send only Origin, and programs
    # that are not browsers send neither: they act for no user.
    if fetched := list(_values(scope, b"sec-fetch-site")):
        is_own = len(fetched) == 1 and fetched[0] in _OWN
    else:
        hosts = list(_values(scope, b"host"))
        is_own = all(
            origin.partition("://")[2].lower() in [host.lower() for host in hosts]
            for origin in _values(scope, b"origin")
        )
    if not is_own:
        raise AccessError(403, "origin", "requests from pages of other sites are refused")


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether a name or an address always means this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _plain(host: str) -> str:
    # A name with a final dot is the same name in DNS.
    return host.strip("[]").rstrip(".").lower()


def _values(scope: Scope, name: bytes) -> Iterator[str]:
    return (value.decode("latin-1") for key, value in scope["headers"] if key == name)


def _has_body(scope: Scope) -> bool:
    return any(key in (b"content-length", b"transfer-encoding") for key, _ in scope["headers"])
