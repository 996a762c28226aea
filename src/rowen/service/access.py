"""Who may come in: the holder of a token, as often as it allows."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address
from math import ceil
from pathlib import Path
from time import monotonic

from starlette.exceptions import HTTPException

from rowen.limits import FAILED_ATTEMPTS, TOKENS_SECONDS
from rowen.model.errors import InputError
from rowen.service.logs import LOG
from rowen.service.rates import Buckets, Rate
from rowen.service.tokens import Token, digest_of, read_tokens

_BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]{1,512}=*)", re.IGNORECASE)
_CHALLENGE = 'Bearer realm="rowen"'
_FAILURES = Rate(FAILED_ATTEMPTS, 60.0)


class AccessError(HTTPException):
    """A request that is turned away; `reason` is a word for the service's numbers."""

    def __init__(
        self, status: int, reason: str, detail: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(status, detail, headers)
        self.reason = reason


class Access:
    """The tokens of a file as it is now; one that is damaged leaves those that were in force."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._state()
        self._tokens = {one.digest: one for one in read_tokens(path)}
        self._looked = monotonic()
        self._rates = Buckets()
        self._failures = Buckets()

    @property
    def count(self) -> int:
        """How many tokens there are."""
        return len(self._tokens)

    def admit(self, given: Iterable[str], client: str) -> Token:
        """The token of a request's `Authorization`; AccessError where it has no good one."""
        self._look()
        try:
            token = self._token(list(given))
        except AccessError as error:
            # Only those who fail are kept waiting: others may share their address.
            if wait := self._failures.take(_neighbourhood(client), _FAILURES):
                raise _too_often(wait, "failures") from error
            raise
        if token.rate is not None and (wait := self._rates.take(token.digest, token.rate)):
            raise _too_often(wait, "rate")
        return token

    def _token(self, given: list[str]) -> Token:
        if not given:
            told = "this service needs a token: Authorization: Bearer TOKEN"
            raise AccessError(401, "missing", told, {"WWW-Authenticate": _CHALLENGE})
        found = _BEARER.fullmatch(given[0].strip()) if len(given) == 1 else None
        if found is None:
            raise _invalid("malformed", "Authorization is not one Bearer token")
        token = self._tokens.get(digest_of(found[1]))
        if token is None:
            raise _invalid("unknown", "the token is not known")
        if token.expires is not None and token.expires <= datetime.now(UTC):
            raise _invalid("expired", "the token has expired")
        return token

    def _look(self) -> None:
        """Read the file again where it is another one, now and then."""
        if monotonic() < self._looked + TOKENS_SECONDS:
            return
        self._looked = monotonic()
        state = self._state()
        if state == self._seen:
            return
        self._seen = state
        try:
            self._tokens = {one.digest: one for one in read_tokens(self._path)}
        except InputError as error:
            LOG.error("the tokens stay as they were: %s", error)
        else:
            LOG.info("the tokens were read again", extra={"told": {"tokens": len(self._tokens)}})

    def _state(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino


def _invalid(reason: str, told: str) -> AccessError:
    challenge = f'{_CHALLENGE}, error="invalid_token", error_description="{told}"'
    return AccessError(401, reason, told, {"WWW-Authenticate": challenge})


def _too_often(wait: float, reason: str) -> AccessError:
    return AccessError(429, reason, "too many requests", {"Retry-After": str(ceil(wait))})


def _neighbourhood(client: str) -> str:
    """An address, or the network that one client of IPv6 has for itself."""
    try:
        address = ip_address(client)
    except ValueError:
        return client
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)
