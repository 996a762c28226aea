"""Being alone to write where no file can be locked: claims that run out unless they are renewed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from socket import gethostname
from typing import TYPE_CHECKING

from rowen.limits import CLAIM_SECONDS
from rowen.model.errors import StoreError

if TYPE_CHECKING:
    from rowen.stores.place import Place

_FOLDER = "locks"
"""Where runs say that they write."""


class Hold:
    """What a run has while it is alone to write; the lock of a local folder can't be lost."""

    inherited = False
    """Whether a run had the place before that never let go of it, and might wake up again."""

    def check(self) -> None:
        """Raises a `StoreError` where another run may be writing by now."""


class _Claim(Hold):
    def __init__(
        self, place: "Place", name: str, keeper: "subprocess.Popen[bytes]", *, inherited: bool
    ) -> None:
        self.inherited = inherited
        self._place = place
        self._name = name
        self._keeper = keeper

    def check(self) -> None:
        if self._keeper.poll() is not None or not self._place.exists(self._name):
            raise StoreError(
                f"this run's claim on {self._place.uri} could not be renewed in time, and another "
                "run may be writing there: nothing was kept"
            )


@contextmanager
def claimed(place: "Place") -> Iterator[Hold]:
    """Alone to write: first claim the place, then look for others.

    Of two that do so at once, one comes second and sees the other's claim; both may. It needs a
    file system that lists a file as soon as it is written, as all object stores do by now. A claim
    is renewed all the while, and one that is not has run out. Only the place's own clock counts.
    """
    name = f"{_FOLDER}/{token_hex(8)}.json"
    now = datetime.now(UTC).isoformat(timespec="seconds")
    place.write_json(name, {"host": gethostname(), "process": os.getpid(), "since": now})
    try:
        left = _run_out(place, name)
        for one in left:
            place.delete(one)
        with _kept(place, name) as keeper:
            yield _Claim(place, name, keeper, inherited=bool(left))
    finally:
        place.delete(name)


def _run_out(place: "Place", mine: str) -> list[str]:
    """The claims of others, none of which may be alive."""
    now = place.changed(mine)
    found = []
    for other in place.names(_FOLDER):
        name = f"{_FOLDER}/{other}"
        since = place.changed(name) if name != mine else None
        if since is None:  # gone again
            continue
        left = since + timedelta(seconds=CLAIM_SECONDS) - (now or since)
        if left >= timedelta():
            raise StoreError(_claimed_by(place, name, left))
        found.append(name)
    return found


def _claimed_by(place: "Place", name: str, left: timedelta) -> str:
    by = "another run"
    with suppress(StoreError, LookupError, TypeError):  # it may be gone again
        claim = place.read_json(name)
        by += f" (process {claim['process']} on {claim['host']}, since {claim['since']})"
    return (
        f"{by} is writing {place.uri}: wait until it has ended; if it was killed, its claim runs "
        f"out in {left.total_seconds():.0f} seconds, or remove {place.path(name)}"
    )


@contextmanager
def _kept(place: "Place", name: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that renews the claim, whatever this one and its workers are busy with.

    Forked workers have its pipe as well: it ends when the last of them is gone.
    """
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from rowen.stores.keeper import keep; "
        f"keep({place.uri!r}, {name!r}, {CLAIM_SECONDS!r})"
    )
    keeper = subprocess.Popen(  # noqa: S603  # this very interpreter
        [sys.executable, "-c", code], stdin=subprocess.PIPE, start_new_session=True
    )
    try:
        yield keeper
    finally:
        with suppress(OSError):  # it may have given up
            keeper.communicate(b"done")
