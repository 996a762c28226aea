"""Claims: one run at a time writes to object storage, where no file can be locked.

    run A   writes its claim   lists claims: only A's        works, renews its claim ...
    run B                      writes its claim   lists: A's is fresh   gives up

A claim that is not renewed runs out, so that a run that was killed does not block the store.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from socket import gethostname
from typing import TYPE_CHECKING

from rowen.model.errors import StoreError

if TYPE_CHECKING:
    from rowen.storage.place import Place

CLAIM_SECONDS = 300.0
"""Limit: seconds after which a claim that was not renewed runs out. A run renews it ten times in
that time. A network that fails for longer costs a run, never a store."""

_FOLDER = "locks"
"""The folder of claims."""


class Hold:
    """What a run has while it is the only one that writes. A local folder's lock can't be lost."""

    inherited = False
    """Whether an earlier run never withdrew its claim. It may be suspended, and wake up again."""

    def check(self) -> None:
        """Raise a `StoreError` if another run may be writing by now."""


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
                "run may be writing there: nothing was stored"
            )


@contextmanager
def claimed(place: "Place") -> Iterator[Hold]:
    """Be the only run that writes: first write a claim, then look for others.

    Of two runs that do so at once, the second sees the other's claim; both may see each other's,
    and then both give up. It needs a file system that lists a file as soon as it is written, as
    object stores do today. Only the place's own clock counts, so that the clocks of hosts may
    differ.
    """
    name = f"{_FOLDER}/{token_hex(8)}.json"
    now = datetime.now(UTC).isoformat(timespec="seconds")
    # Written before anything is read: of two runs that start at once, at least one sees the other.
    place.write_json(name, {"host": gethostname(), "process": os.getpid(), "since": now})
    try:
        expired = _expired(place, name)
        for claim in expired:
            place.delete(claim)
        with _renewed(place, name) as keeper:
            yield _Claim(place, name, keeper, inherited=bool(expired))
    finally:
        place.delete(name)


def _expired(place: "Place", own: str) -> list[str]:
    """The claims of other runs. It is an error if one of them has not run out."""
    # The place's clock, which also dated the claims of the others.
    now = place.changed(own)
    expired = []
    for file_name in place.names(_FOLDER):
        name = f"{_FOLDER}/{file_name}"
        since = place.changed(name) if name != own else None
        if since is None:  # gone again
            continue
        left = since + timedelta(seconds=CLAIM_SECONDS) - (now or since)
        if left >= timedelta():
            raise StoreError(_claimed_by(place, name, left))
        expired.append(name)
    return expired


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
def _renewed(place: "Place", name: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that renews the claim, whatever this one and its workers are busy with.

    Forked workers inherit its pipe: it ends when the last of them has ended.
    """
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from rowen.storage.claim_keeper import keep; "
        f"keep({place.uri!r}, {name!r}, {CLAIM_SECONDS!r})"
    )
    keeper = subprocess.Popen(  # noqa: S603  # this very interpreter
        # In a session of its own, an interrupt from the terminal does not end it before the run.
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield keeper
    finally:
        with suppress(OSError):  # it may have given up
            keeper.communicate(b"done")
