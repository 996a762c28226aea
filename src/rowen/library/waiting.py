"""Papers that wait to be read: the queue of a library, in its database.

A paper that is being read has no state of its own: if the service is killed, it simply still waits.
"""

import sqlite3
import time
from collections.abc import Collection
from dataclasses import dataclass

from rowen.model.errors import REASON_CHARACTERS

READ_ATTEMPTS = 5
"""Limit: how often reading a paper is tried where the fault may pass, such as a full disk."""

RETRY_SECONDS = (2.0, 300.0)
"""How long a paper waits before the second attempt, doubled each time, and at most."""

WAITING, READY, FAILED = "waiting", "ready", "failed"
STATES = (WAITING, READY, FAILED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A paper that is next to be read."""

    number: int
    id: str
    name: str
    fresh: bool
    """Whether stored results may not be used: somebody asked to read it again."""


def count_states(do: sqlite3.Connection) -> dict[str, int]:
    """How many papers are in each state."""
    rows = do.execute("SELECT state, count(*) FROM papers GROUP BY state").fetchall()
    return {**dict.fromkeys(STATES, 0), **dict(rows)}


def next_waiting(
    do: sqlite3.Connection, *, but: Collection[int] = (), now: float | None = None
) -> Waiting | None:
    """The paper that waits longest, but for those that are being read or wait for a retry."""
    moment = time.time() if now is None else now
    rows = do.execute(
        "SELECT number, id, name, fresh FROM papers WHERE state = 'waiting' AND due <= ?"
        " ORDER BY due, number LIMIT ?",
        (moment, len(but) + 1),
    ).fetchall()
    free = (row for row in rows if row[0] not in but)
    row = next(free, None)
    return None if row is None else Waiting(row[0], row[1], row[2], bool(row[3]))


def next_due(do: sqlite3.Connection) -> float | None:
    """When the next retry is due, as seconds since the epoch."""
    row = do.execute("SELECT min(due) FROM papers WHERE state = 'waiting' AND due > 0").fetchone()
    return None if row is None else row[0]


def put_failure(
    do: sqlite3.Connection, number: int, reason: str, *, final: bool, now: float | None = None
) -> bool:
    """Remember that a paper could not be read; whether it will not be tried again."""
    row = do.execute("SELECT attempts FROM papers WHERE number = ?", (number,)).fetchone()
    if row is None:
        return True
    attempts = row[0] + 1
    is_last = final or attempts >= READ_ATTEMPTS
    first, most = RETRY_SECONDS
    wait = min(most, first * 2.0 ** (attempts - 1))
    do.execute(
        "UPDATE papers SET state = ?, attempts = ?, due = ?, reason = ? WHERE number = ?",
        (
            FAILED if is_last else WAITING,
            attempts,
            0 if is_last else (time.time() if now is None else now) + wait,
            reason[:REASON_CHARACTERS],
            number,
        ),
    )
    return is_last


def put_waiting(do: sqlite3.Connection, number: int, *, fresh: bool) -> None:
    """Let a paper be read again."""
    do.execute(
        "UPDATE papers SET state = 'waiting', attempts = 0, due = 0, reason = NULL, fresh = ?"
        " WHERE number = ?",
        (int(fresh), number),
    )
