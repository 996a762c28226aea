"""Sessions of people who signed in with an access token: a signed cookie, and a token against CSRF.

    cookie   DIGEST.EXPIRES.SIGNATURE    HttpOnly, SameSite: no script and no other site gets at it
    header   Rowen-CSRF: TOKEN           needed for every write that comes with the cookie

The server stores nothing for a session, so that it survives a restart, and all processes on a data
folder know it. The cookie names its access token by digest: where that is removed or has expired,
the session ends.
"""

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path
from time import time

from rowen.files import writing
from rowen.model.errors import OutputError

COOKIE = "rowen_session"
"""The name of the cookie."""

CSRF = b"rowen-csrf"
"""The header that proves that a write comes from the application's own pages."""

SESSION_SECONDS = 14 * 24 * 3600
"""Limit: for how long somebody stays signed in. Then the access token is needed again."""

_KEY = "session.key"
_KEY_BYTES = 32


class Sessions:
    """Makes and checks the cookies; the key is in the data folder."""

    def __init__(self, data: Path) -> None:
        self._key = _read_key(data / _KEY)

    def cookie(self, digest: str) -> str:
        """A new cookie for the access token with this digest."""
        content = f"{digest}.{int(time()) + SESSION_SECONDS}"
        return f"{content}.{self._sign('session', content)}"

    def digest(self, cookie: str) -> str | None:
        """The digest of the access token of a cookie; None where it is forged or has expired."""
        content, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("session", content).encode()):
            return None
        digest, _, expires = content.partition(".")
        return digest if int(expires) > time() else None

    def csrf(self, cookie: str) -> str:
        """The token that writes with this cookie need."""
        return self._sign("csrf", cookie)

    def is_own(self, cookie: str, csrf: str) -> bool:
        """Whether a write with this cookie comes from the application's own pages."""
        return hmac.compare_digest(csrf.encode(), self.csrf(cookie).encode())

    def _sign(self, purpose: str, content: str) -> str:
        # The purpose keeps a signature of one kind from being used as the other.
        return hmac.new(self._key, f"{purpose} {content}".encode(), sha256).hexdigest()


def _read_key(path: Path) -> bytes:
    """The key of a data folder, created if missing; another process may create it meanwhile."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            draft = path.with_name(f".{_KEY}.{secrets.token_hex(8)}")
            with writing(draft, permissions=0o600) as file:
                file.write(secrets.token_bytes(_KEY_BYTES))
            try:
                os.link(draft, path)  # fails where another process was faster
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        return path.read_bytes()
    except OSError as error:
        raise OutputError(f"can't use {path}: {error.strerror}") from None
