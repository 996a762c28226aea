"""What is said to a service until there is an answer: the same whether one waits or awaits.

A conversation is a generator. It gives requests, to be sent, and numbers, which are seconds to
wait; it is sent what became of them. So all that is decided, is decided here, without I/O.
"""

import random
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import urlsplit

from rowen.client.answers import Reply
from rowen.client.bodies import Body
from rowen.client.problems import error_of, lost_error, problem_error
from rowen.limits import CLIENT_PATIENCE_SECONDS, CLIENT_PAUSE_SECONDS
from rowen.model.errors import ServiceError

T = TypeVar("T")

TRANSIENT = frozenset({429, 502, 503, 504})
"""Answers after which asking again may help."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call of the HTTP contract."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str | bytes]
    body: Body | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer came."""

    reason: str
    final: bool
    """Whether asking again is no use."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request, and how its answer is read."""

    request: Request
    read: Callable[[Reply], T]
    repeated: frozenset[int] = frozenset()
    """Answers that are as good as done where an earlier try may have got through."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to ask, and for how long."""

    retries: int
    seconds: float


Step: TypeAlias = Request | float
Outcome: TypeAlias = Reply | Lost | None
Conversation: TypeAlias = Generator[Step, Outcome, T]


def converse(call: Call[T], patience: Patience) -> Conversation[T]:
    """All of a call; ServiceError where it comes to nothing."""
    reply = yield from _ask(call, patience)
    if reply.status == 202:
        yield from _job(reply, patience)
        plain = {name: told for name, told in call.request.headers.items() if name != "Prefer"}
        reply = yield from _ask(
            replace(call, request=replace(call.request, headers=plain)), patience
        )
    return call.read(reply)


def _ask(call: Call[Any], patience: Patience) -> Conversation[Reply]:
    """An answer that is no error, after some tries."""
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
        if hopeless or last or wait > CLIENT_PATIENCE_SECONDS:
            raise error
        yield wait
    raise AssertionError("the last try ends in an answer or an error")


def _job(accepted: Reply, patience: Patience) -> Conversation[None]:
    """Wait until the job of an accepted request is done."""
    # Only its path: the token is for this service, wherever an answer may lead.
    place = urlsplit(accepted.headers.get("location", "")).path
    if not place:
        raise ServiceError("a job was promised without saying where", status=accepted.status)
    look = Call(Request("GET", place, {}, {"Accept": "application/json"}), lambda reply: reply)
    end, told, attempt = monotonic() + patience.seconds, accepted, 0
    while True:
        wait = _pause(told, min(attempt, 3))
        if monotonic() + wait > end:
            raise ServiceError(f"the job took more than {patience.seconds:g} seconds", status=None)
        yield wait
        told = yield from _ask(look, patience)
        if told.status != 200:  # it leads to the result
            return
        job = told.json()
        if isinstance(job.get("problem"), dict):
            raise problem_error(job["problem"])
        if job.get("state") in {"done", "failed"}:  # a failure is told by the request itself
            return
        attempt += 1


def _pause(outcome: Reply | Lost, attempt: int) -> float:
    """How long to wait, a little by chance, so that many clients don't come back together."""
    first, most = CLIENT_PAUSE_SECONDS
    wait = min(most, first * 2.0**attempt)
    told = _retry_after(outcome.headers.get("retry-after")) if isinstance(outcome, Reply) else None
    if told is not None:
        return told + random.uniform(0, wait)  # noqa: S311  # no secret
    return wait * random.uniform(0.5, 1.0)  # noqa: S311  # as above


def _retry_after(header: str | None) -> float | None:
    """Seconds, also from a date; None where there is nothing that can be read."""
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
