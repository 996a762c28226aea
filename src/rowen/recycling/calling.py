"""Calling an extractor in a run: it may raise, hang, exit or return anything."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rowen.model import ExtractionError, Page
from rowen.model.errors import REASON_CHARACTERS
from rowen.model.text import replace_surrogates
from rowen.records import Records
from rowen.recycling.recycle import Recycled
from rowen.recycling.task import Job, Pulse, Task
from rowen.recycling.time_limit import OutOfTime, TimeLimit


class Failure(NamedTuple):
    """Why an extractor gave no records for a page."""

    reason: str
    timed_out: bool = False
    """A timeout says nothing about the records: the machine may have been busy."""


class Calls:
    """Calls extractors within the time limit of a task, and tells the engine about each call."""

    def __init__(self, task: Task, pulse: Pulse) -> None:
        self._limit = TimeLimit(task.page_seconds)
        self._pulse = pulse
        self._numbers = {job.name: number for number, job in enumerate(task.jobs)}
        self._others = {job.name for job in task.jobs if job.runs_other_code}

    def attempt(self, job: Job, row: int, extract: Callable[[], Recycled]) -> Recycled | Failure:
        """What an extractor returns for a page, or why it returns nothing."""
        self._pulse.begins(row, self._numbers[job.name])
        try:
            self._limit.start()
            try:
                return extract()
            finally:
                self._limit.stop()
                # Who knows what other code has done to the signal's handler.
                if job.name in self._others:
                    self._limit.close()
        except ExtractionError as error:
            # Patterns have a time limit of their own, and report it as an `ExtractionError`.
            timed_out = isinstance(error.__context__, TimeoutError)
            return Failure(printable(error.reason), timed_out=timed_out)
        except OutOfTime as error:
            return Failure(printable(str(error)), timed_out=True)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # others' code may raise anything
            return Failure(printable(f"failed: {type(error).__name__}: {error}"))
        finally:
            self._pulse.ends()

    def attempt_each(
        self, job: Job, pages: Sequence[tuple[int, Page]], extract: Callable[[Page], Records]
    ) -> list[Records]:
        """What an extractor returns for pages, up to the first one on which it fails.

        They share one time limit. A page that it did not reach is no failure: by itself it has all
        of the time.
        """
        results: list[Records] = []
        begins, number = self._pulse.begins, self._numbers[job.name]
        try:
            self._limit.start()
            try:
                for row, page in pages:
                    begins(row, number)
                    results.append(extract(page))
            finally:
                self._limit.stop()
        except (Exception, SystemExit, OutOfTime):  # noqa: BLE001  # `attempt` says what it was
            return results
        finally:
            self._pulse.ends()
        return results

    def close(self) -> None:
        """No page is under way any more."""
        self._limit.close()


def printable(reason: str) -> str:
    """A reason that can be stored and shown, whatever an extractor put into it."""
    short = reason[:REASON_CHARACTERS] + ("..." if len(reason) > REASON_CHARACTERS else "")
    return replace_surrogates(short)
