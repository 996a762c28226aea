"""Access control: who may use the service, by access token, and how often."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address
from math import ceil
from pathlib import Path
from time import monotonic

from starlette.exceptions import HTTPException

from rowen.logs import LOG
from rowen.model.errors import InputError
from rowen.service.rates import Buckets, Rate
from rowen.service.tokens import Token, digest_of, read_tokens

TOKENS_SECONDS = 0.5
"""Limit: how long a removed access token may still work. The file is checked this often."""

FAILED_ATTEMPTS = 60
"""Limit: how many requests per minute without a valid access token one address may send, before it
gets only 429. Tokens can't be guessed; this keeps the log short."""


_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_CHALLENGE = 'Bearer realm="rowen"'
_FAILURES = Rate(FAILED_ATTEMPTS, 60.0)


class AccessError(HTTPException):
    """A refused request; `reason` is its label in the metrics."""

    def __init__(
        self, status: int, reason: str, detail: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(status, detail, headers)
        self.reason = reason


class Access:
    """The access tokens of a file, read again when it changes; a damaged file changes nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._state()
        self._tokens = {token.digest: token for token in read_tokens(path)}
        self._looked = monotonic()
        self._rates = Buckets()
        self._failures = Buckets()

    @property
    def count(self) -> int:
        """The number of tokens."""
        return len(self._tokens)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens."""
        self._look()
        return tuple(self._tokens.values())

    def admit_digest(self, digest: str) -> Token:
        """The token with this digest, for somebody who signed in with it."""
        self._look()
        token = self._tokens.get(digest)
        if token is None or (token.expires is not None and token.expires <= datetime.now(UTC)):
            raise _invalid("session", "the session has ended: sign in again")
        return self._within_rate(token)

    def admit(self, authorization: Iterable[str], client: str) -> Token:
        """The token in the Authorization headers of a request; AccessError where none is valid."""
        self._look()
        try:
            token = self._token(list(authorization))
        except AccessError as error:
            # Only failing requests are delayed: valid tokens may come from the same address.
            if wait := self._failures.take(_network(client), _FAILURES):
                raise _too_often(wait, "failures") from error
            raise
        return self._within_rate(token)

    def _within_rate(self, token: Token) -> Token:
        if token.rate is not None and (wait := self._rates.take(token.digest, token.rate)):
            raise _too_often(wait, "rate")
        return token

    def _token(self, headers: list[str]) -> Token:
        if not headers:
            detail = "this service needs an access token: Authorization: Bearer TOKEN"
            raise AccessError(401, "missing", detail, {"WWW-Authenticate": _CHALLENGE})
        # Of two such headers, a proxy in front might check one and this service the other.
        match = _BEARER.fullmatch(headers[0].strip()) if len(headers) == 1 else None
        if match is None:
            raise _invalid("malformed", "Authorization is not one Bearer token")
        # A lookup by digest: comparing the tokens themselves could leak them through timing.
        token = self._tokens.get(digest_of(match[1]))
        if token is None:
            raise _invalid("unknown", "unknown access token")
        if token.expires is not None and token.expires <= datetime.now(UTC):
            raise _invalid("expired", "the access token has expired")
        return token

    def _look(self) -> None:
        """Read the file again if it has changed; checked every `TOKENS_SECONDS`."""
        if monotonic() < self._looked + TOKENS_SECONDS:
            return
        self._looked = monotonic()
        state = self._state()
        # Size, time and inode: an editor that replaces the file changes at least one of them.
        if state == self._seen:
            return
        self._seen = state
        try:
            self._tokens = {token.digest: token for token in read_tokens(self._path)}
        except InputError as error:
            # A file that is half-written or missing must neither lock everybody out nor let anybody
            # in.
            LOG.error("the access tokens were not reloaded: %s", error)
        else:
            LOG.info("access tokens read", extra={"fields": {"tokens": len(self._tokens)}})

    def _state(self) -> tuple[int, ...]:
        try:
            status = self._path.stat()
        except OSError:
            return ()
        return status.st_mtime_ns, status.st_size, status.st_ino


def _invalid(reason: str, detail: str) -> AccessError:
    challenge = f'{_CHALLENGE}, error="invalid_token", error_description="{detail}"'
    return AccessError(401, reason, detail, {"WWW-Authenticate": challenge})


def _too_often(wait: float, reason: str) -> AccessError:
    return AccessError(429, reason, "too many requests", {"Retry-After": str(ceil(wait))})


def _network(client: str) -> str:
    """An address, or the /64 network of an IPv6 client, which usually has all of it."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
