"""Access tokens: who may use the service, in a file that has only the tokens' digests."""

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from stat import S_IMODE
from typing import Any

from rowen.files import writing
from rowen.model.errors import InputError, OutputError, UsageError
from rowen.service.rates import Rate

TOKENS_BYTES = 16 * 1024 * 1024
"""Limit: the size of a file of access tokens, about 50,000 tokens."""


PREFIX = "rowen_"
"""Lets secret scanners recognise an access token in the wrong place."""

_TENANT = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_FORMAT = {"rowen": 1, "kind": "tokens"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """An access token, and what its holder may do."""

    digest: str
    """SHA-256 of the token. A token has 256 random bits, so no slow password hash is needed."""
    tenant: str
    name: str
    """Its name for the operator; unique in a file."""
    created: datetime
    expires: datetime | None = None
    bytes: int | None = None
    """How many bytes the tenant may store in all, for this token to add more."""
    documents: int | None = None
    """The same as a number of documents."""
    rate: Rate | None = None
    operator: bool = False
    """Whether it may read /metrics, which shows the whole service."""
    reader: bool = False
    """Whether it may only read: documents and results, nothing that changes them."""

    @property
    def role(self) -> str:
        """`operator`, `editor` or `reader`."""
        return "operator" if self.operator else "reader" if self.reader else "editor"


def digest_of(secret: str) -> str:
    """The digest of a token, which the file has in its place."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def new_secret() -> str:
    """A new random token."""
    return PREFIX + token_urlsafe(32)


def check_tenant(name: str) -> str:
    """Check the name of a tenant, which is also the name of a folder."""
    if not _TENANT.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a valid tenant name: use at most 63 lower-case letters, digits, "
            "dots, dashes and underscores, starting with a letter or a digit"
        )
    return name


def read_tokens(path: Path) -> list[Token]:
    """The tokens of a file; InputError where it is missing or damaged."""
    try:
        with path.open("rb") as file:
            data = file.read(TOKENS_BYTES + 1)
    except OSError as error:
        raise InputError(f"can't read the access tokens in {path}: {error.strerror}") from None
    if len(data) > TOKENS_BYTES:
        raise InputError(f"{path} has more than {TOKENS_BYTES:,} bytes")
    try:
        content = json.loads(data)
        if {name: content.pop(name, None) for name in _FORMAT} != _FORMAT:
            raise ValueError("not a file of access tokens")  # noqa: TRY301  # reported below
        tokens = [_token(entry) for entry in content.pop("tokens")]
        if content or len({token.name for token in tokens}) < len(tokens):
            raise ValueError("unknown settings, or two tokens with one name")  # noqa: TRY301
    except (ValueError, TypeError, KeyError, AttributeError, UsageError, RecursionError) as error:
        raise InputError(f"{path} is damaged: {error}") from None
    return tokens


def add_token(
    path: Path,
    tenant: str,
    *,
    name: str | None = None,
    expires: datetime | None = None,
    bytes: int | None = None,  # noqa: A002  # as in `Token`
    documents: int | None = None,
    rate: Rate | None = None,
    operator: bool = False,
    reader: bool = False,
) -> str:
    """Add a new access token to a file, created if missing; the token itself is only returned.

    Without a `name` it gets that of its tenant, with a number if that is taken.
    """
    if operator and reader:
        raise UsageError("an access token is for an operator or for a reader, not for both")
    secret = new_secret()
    token = Token(
        digest=digest_of(secret),
        tenant=check_tenant(tenant),
        name="",
        created=datetime.now(UTC),
        expires=expires,
        bytes=bytes,
        documents=documents,
        rate=rate,
        operator=operator,
        reader=reader,
    )
    with changed_tokens(path) as tokens:
        tokens.append(replace(token, name=_free_name(name, tenant, {own.name for own in tokens})))
    return secret


def remove_token(path: Path, name: str) -> None:
    """Remove the access token with this name; the documents of its tenant stay."""
    with changed_tokens(path) as tokens:
        remaining = [token for token in tokens if token.name != name]
        if len(remaining) == len(tokens):
            raise InputError(f"no access token {name!r} in {path}")
        tokens[:] = remaining


def _free_name(chosen: str | None, tenant: str, taken: set[str]) -> str:
    if chosen is None:
        names = (f"{tenant}-{number}" if number > 1 else tenant for number in count(1))
        return next(name for name in names if name not in taken)
    if chosen in taken:
        raise UsageError(f"an access token {chosen!r} exists: remove it, or choose another name")
    if not chosen or not chosen.isprintable():
        raise UsageError("the name of a token must have printable characters")
    return chosen


@contextmanager
def changed_tokens(path: Path) -> Iterator[list[Token]]:
    """The tokens of a file, to be changed; the file is written at the end, created if missing."""
    # The file itself is replaced, also where the path is a symbolic link.
    path = path.resolve()
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # two commands at once must not lose a token
        tokens = read_tokens(path) if path.exists() else []
        yield tokens
        _write(path, tokens)
    finally:
        os.close(folder)


def _write(path: Path, tokens: list[Token]) -> None:
    text = json.dumps({**_FORMAT, "tokens": [_json(token) for token in tokens]}, indent=1) + "\n"
    try:
        with writing(path, permissions=0o600) as file:
            if path.exists():  # the service that reads it may run as another user
                before = path.stat()
                with suppress(PermissionError):
                    os.fchown(file.fileno(), before.st_uid, before.st_gid)
                # Never readable for everybody, whatever it was before.
                os.fchmod(file.fileno(), S_IMODE(before.st_mode) & 0o640)
            file.write(text.encode())
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}") from None


def _json(token: Token) -> dict[str, Any]:
    entry = {
        "name": token.name,
        "tenant": token.tenant,
        "digest": token.digest,
        "created": token.created.isoformat(timespec="seconds"),
        "expires": token.expires and token.expires.isoformat(timespec="seconds"),
        "bytes": token.bytes,
        "documents": token.documents,
        "rate": token.rate and str(token.rate),
        "operator": token.operator,
        "reader": token.reader,
    }
    return {
        name: value for name, value in entry.items() if value is not None and value is not False
    }


def _token(entry: dict[str, Any]) -> Token:
    settings = dict(entry)
    if not _DIGEST.fullmatch(settings["digest"]):
        raise ValueError("a digest has 64 hexadecimal digits")
    check_tenant(settings["tenant"])
    settings["created"] = _time(settings["created"])
    if "expires" in settings:
        settings["expires"] = _time(settings["expires"])
    if "rate" in settings:
        settings["rate"] = Rate.parse(settings["rate"])
    kinds = {"name": str, "bytes": int, "documents": int, "operator": bool, "reader": bool}
    for name, kind in kinds.items():
        # Not `isinstance`: `true` would pass for a number of bytes.
        if name in settings and type(settings[name]) is not kind:
            raise ValueError(f"{name!r} must be of type {kind.__name__}")
    return Token(**settings)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)
