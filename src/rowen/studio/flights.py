"""Learning under way: asked for once per revision, stopped by a person or by the next change.

A person who waits must see that something happens, be able to stop it, and keep what was there
before: the proposals of the last wrapper that was learned.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from rowen.model.errors import LimitError
from rowen.workers import Handle, Stopped

SUPERSEDED_SECONDS = 1.5
"""Limit: learning for an older state that takes longer than this is stopped. What takes less is
finished: a new process would have to read the pages again, and learns as long once more."""

_REMEMBERED = 32  # projects whose last proposals are kept in memory

Answer: TypeAlias = dict[str, Any]
Call: TypeAlias = Callable[[Handle], Coroutine[Any, Any, Answer]]


class Key(NamedTuple):
    """What is learned."""

    project: str
    task: str
    revision: int


@dataclass(frozen=True, slots=True)
class _Flight:
    answer: asyncio.Task[Answer]
    handle: Handle
    start: float


class Flights:
    """The learning that is under way for all projects."""

    def __init__(self) -> None:
        self._flights: dict[Key, _Flight] = {}
        self._last: OrderedDict[str, Answer] = OrderedDict()

    async def join(self, key: Key, call: Call) -> Answer:
        """The answer of the call for this key, which starts unless it is under way already.

        Raises `Stopped` where it was stopped.
        """
        flight = self._flights.get(key)
        if flight is None:
            handle = Handle()
            answer = asyncio.create_task(call(handle))
            flight = self._flights[key] = _Flight(answer, handle, monotonic())
            answer.add_done_callback(lambda _: self._flights.pop(key))
        # shield: a window that closes must not cancel the learning for other windows.
        return dict(await asyncio.shield(flight.answer))

    def stop(self, project: str) -> int:
        """Stop all learning for a project; the number of calls that were under way."""
        return self._stop(lambda key, _: key.project == project)

    def supersede(self, project: str, revision: int) -> int:
        """Stop what takes long and is for an older revision than this."""
        latest = monotonic() - SUPERSEDED_SECONDS
        return self._stop(
            lambda key, flight: (
                key.project == project and key.revision < revision and flight.start < latest
            )
        )

    async def proposed(self, key: Key, call: Call) -> Answer:
        """Proposals. Without a wrapper they are those of the last one, marked as `stale`."""
        try:
            answer = await self.join(key, call)
        except Stopped:
            return self._kept(key.project, {"stopped": True})
        except LimitError as error:
            return self._kept(key.project, {"failure": str(error)})
        if answer["conflict"] is not None:
            return self._kept(key.project, answer)
        self._last[key.project] = answer["pages"]
        self._last.move_to_end(key.project)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
        return answer

    def _kept(self, project: str, answer: Answer) -> Answer:
        nothing = {"wrapper": None, "explanation": None, "conflict": None}
        return {**nothing, **answer, "pages": self._last.get(project, {}), "stale": True}

    def _stop(self, is_meant: Callable[[Key, _Flight], bool]) -> int:
        meant = [flight for key, flight in self._flights.items() if is_meant(key, flight)]
        for flight in meant:
            flight.handle.stop()
        return len(meant)
