"""The conversation with a service until there is an answer: retries, pauses and jobs.

A conversation is a generator. It yields requests to send and numbers of seconds to wait, and is
sent the outcomes. So both clients share all decisions, and this module does no I/O.
"""

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import urlsplit

from rowen.client.answers import Reply
from rowen.client.bodies import Body
from rowen.client.problems import error_of, lost_error, problem_error
from rowen.model.errors import ServiceError

CLIENT_PAUSE_SECONDS = (0.25, 8.0)
"""How long a client waits before the first retry, doubled each time, and at most."""

CLIENT_PATIENCE_SECONDS = 60.0
"""Limit: the longest `Retry-After` that a client obeys; for longer ones it raises the error."""


T = TypeVar("T")

TRANSIENT = frozenset({429, 502, 503, 504})
"""Statuses after which a retry may help."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call of the HTTP contract."""

    method: str
    path: str
    params: Mapping[str, str | Sequence[str]]
    headers: Mapping[str, str | bytes]
    body: Body | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer came."""

    reason: str
    final: bool
    """Whether a retry is useless."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request, and how its response is read."""

    request: Request
    read: Callable[[Reply], T]
    repeated: frozenset[int] = frozenset()
    """Statuses that mean success in a retry: an earlier attempt may have succeeded."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to retry, and for how long."""

    retries: int
    seconds: float


Step: TypeAlias = Request | float
Outcome: TypeAlias = Reply | Lost | None
Conversation: TypeAlias = Generator[Step, Outcome, T]


def converse(call: Call[T], patience: Patience) -> Conversation[T]:
    """Make a call; ServiceError where it fails."""
    reply = yield from _ask(call, patience)
    if reply.status == 202:
        yield from _job(reply, patience)
        plain = {name: value for name, value in call.request.headers.items() if name != "Prefer"}
        reply = yield from _ask(
            replace(call, request=replace(call.request, headers=plain)), patience
        )
    return call.read(reply)


def _ask(call: Call[Any], patience: Patience) -> Conversation[Reply]:
    """A response that is not an error, after retries."""
    request, lost = call.request, False
    for attempt in range(patience.retries + 1):
        outcome = yield request
        assert outcome is not None
        if isinstance(outcome, Lost):
            lost, error, hopeless = True, lost_error(outcome.reason), outcome.final
        elif outcome.status < 400 or (lost and outcome.status in call.repeated):
            return outcome
        else:
            error, hopeless = error_of(outcome), outcome.status not in TRANSIENT
        wait = _pause(outcome, attempt)
        last = attempt == patience.retries or (request.body and not request.body.repeatable)
        # A body that can't be sent again (a pipe) gets one attempt.
        if hopeless or last or wait > CLIENT_PATIENCE_SECONDS:
            raise error
        yield wait
    raise AssertionError("the last attempt returns or raises")


def _job(accepted: Reply, patience: Patience) -> Conversation[None]:
    """Wait until the job of an accepted request has ended."""
    # Only the path: the access token must not be sent to another host.
    place = urlsplit(accepted.headers.get("location", "")).path
    if not place:
        raise ServiceError("the response has no location of its job", status=accepted.status)
    look = Call(Request("GET", place, {}, {"Accept": "application/json"}), lambda reply: reply)
    end, reply, attempt = monotonic() + patience.seconds, accepted, 0
    while True:
        wait = _pause(reply, min(attempt, 3))
        if monotonic() + wait > end:
            raise ServiceError(f"the job took more than {patience.seconds:g} seconds", status=None)
        yield wait
        reply = yield from _ask(look, patience)
        if reply.status != 200:  # a redirect to the result
            return
        job = reply.json()
        if isinstance(job.get("problem"), dict):
            raise problem_error(job["problem"])
        if job.get("state") in {"done", "failed"}:  # the request itself reports a failure
            return
        attempt += 1


def _pause(outcome: Reply | Lost, attempt: int) -> float:
    """How long to wait; partly random, so that many clients don't retry at the same time."""
    first, most = CLIENT_PAUSE_SECONDS
    wait = min(most, first * 2.0**attempt)
    advised = (
        _retry_after(outcome.headers.get("retry-after")) if isinstance(outcome, Reply) else None
    )
    if advised is not None:
        return advised + random.uniform(0, wait)  # noqa: S311  # not a secret
    return wait * random.uniform(0.5, 1.0)  # noqa: S311  # as above


def _retry_after(header: str | None) -> float | None:
    """The seconds of a Retry-After, which may be a date; None where it is invalid."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        then = parsedate_to_datetime(header)
    except ValueError:
        return None
    aware = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
