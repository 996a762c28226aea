"""Tokens: who may use the service, as a file that has only their digests."""

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_hex, token_urlsafe
from stat import S_IMODE
from typing import Any

from rowen.limits import TOKENS_BYTES
from rowen.model.errors import InputError, OutputError, UsageError
from rowen.service.rates import Rate

PREFIX = "rowen_"
"""So that those who look for secrets in the wrong places know one."""

_TENANT = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FORMAT = {"rowen": 1, "kind": "tokens"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What the one who holds a token may do."""

    digest: str
    """SHA-256 of the token: it has 256 random bits, so nothing slower is needed."""
    tenant: str
    name: str
    """What its keeper calls it; unique in a file."""
    created: datetime
    expires: datetime | None = None
    bytes: int | None = None
    """How much its tenant may hold, in all, where this token adds to it."""
    documents: int | None = None
    """The same in documents."""
    rate: Rate | None = None
    operator: bool = False
    """Whether it may see the numbers of the whole service."""


def digest_of(secret: str) -> str:
    """What is kept of a token."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def new_secret() -> str:
    """A token that nobody guesses."""
    return PREFIX + token_urlsafe(32)


def check_tenant(name: str) -> str:
    """A tenant's name, which is the name of a folder too, on whatever disk."""
    if not _TENANT.fullmatch(name):
        raise UsageError(
            f"{name!r} can't be a tenant's name: it has small letters, digits, dots, dashes and "
            "underscores, 63 at most, and starts with a letter or a digit"
        )
    return name


def read_tokens(path: Path) -> list[Token]:
    """The tokens of a file; InputError where there is none, or where it is damaged."""
    try:
        with path.open("rb") as file:
            data = file.read(TOKENS_BYTES + 1)
    except OSError as error:
        raise InputError(f"can't read the tokens in {path}: {error.strerror}") from None
    if len(data) > TOKENS_BYTES:
        raise InputError(f"{path} has more than {TOKENS_BYTES:,} bytes")
    try:
        told = json.loads(data)
        if {name: told.pop(name, None) for name in _FORMAT} != _FORMAT:
            raise ValueError("it is no file of tokens")  # noqa: TRY301  # all are told alike
        tokens = [_token(one) for one in told.pop("tokens")]
        if told or len({one.name for one in tokens}) < len(tokens):
            raise ValueError("unknown settings, or two tokens of one name")  # noqa: TRY301
    except (ValueError, TypeError, KeyError, AttributeError, UsageError, RecursionError) as error:
        raise InputError(f"{path} is damaged: {error}") from None
    return tokens


@contextmanager
def changed_tokens(path: Path) -> Iterator[list[Token]]:
    """The tokens of a file, perhaps of none yet, to be changed; then they are written at once."""
    path = path.resolve()
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # until it is closed
        tokens = read_tokens(path) if path.exists() else []
        yield tokens
        _write(path, tokens, folder)
    finally:
        os.close(folder)


def _write(path: Path, tokens: list[Token], folder: int) -> None:
    text = json.dumps({**_FORMAT, "tokens": [_json(one) for one in tokens]}, indent=1) + "\n"
    draft = path.with_name(f".{path.name}.{token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            if path.exists():  # the service that reads it may run as somebody else
                before = path.stat()
                with suppress(PermissionError):
                    os.fchown(file.fileno(), before.st_uid, before.st_gid)
                os.fchmod(file.fileno(), S_IMODE(before.st_mode) & 0o640)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
        os.fsync(folder)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OutputError(f"can't write {path}: {error.strerror}") from None


def _json(token: Token) -> dict[str, Any]:
    told = {
        "name": token.name,
        "tenant": token.tenant,
        "digest": token.digest,
        "created": token.created.isoformat(timespec="seconds"),
        "expires": token.expires and token.expires.isoformat(timespec="seconds"),
        "bytes": token.bytes,
        "documents": token.documents,
        "rate": token.rate and str(token.rate),
        "operator": token.operator,
    }
    return {name: value for name, value in told.items() if value is not None and value is not False}


def _token(told: dict[str, Any]) -> Token:
    given = dict(told)
    if not _DIGEST.fullmatch(given["digest"]):
        raise ValueError("a digest is 64 hexadecimal digits")
    check_tenant(given["tenant"])
    given["created"] = _time(given["created"])
    if "expires" in given:
        given["expires"] = _time(given["expires"])
    if "rate" in given:
        given["rate"] = Rate.parse(given["rate"])
    for name, kind in (("name", str), ("bytes", int), ("documents", int), ("operator", bool)):
        if name in given and type(given[name]) is not kind:
            raise ValueError(f"{name!r} is no {kind.__name__}")
    return Token(**given)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)
