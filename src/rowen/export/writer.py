"""The protocol of writers, and what all formats share: complete output or none."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from rowen.export.target import Target
from rowen.model import Page
from rowen.records import Record


class Writer(Protocol):
    """Takes records page by page; a file is in place when the writer is closed.

    As a context manager it closes itself, or drops its output after an exception.

    >>> import pathlib, rowen
    >>> rooms, page = rowen.Pattern(r"(?P<room>CS [0-9]+)"), rowen.Page("CS 105", id="a.html")
    >>> with rowen.open_writer("csv", "rooms.csv") as writer:
    ...     writer.write(rooms.extract(page), page=page, extractor=rooms.name)
    >>> pathlib.Path("rooms.csv").read_text().splitlines()
    ['page,room', 'a.html,CS 105']
    """

    notes: list[str]
    """What the user should know about the output, such as what was left out."""

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Write an extractor's records of a page; called once for each, even without records."""

    def close(self) -> None:
        """Write what comes last, and put the output in place."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class TargetWriter(ABC):
    """A writer with a target; formats implement `write` and `_finish`."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._open = True
        self.notes: list[str] = []

    @abstractmethod
    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Write the records of an extractor on a page."""

    @abstractmethod
    def _finish(self) -> None:
        """Write what comes last."""

    def _discard(self) -> None:  # noqa: B027  # most formats spool nothing
        """Drop spooled output."""

    def close(self) -> None:
        """Write what comes last and put the output in place; a second call does nothing."""
        if not self._open:
            return
        try:
            self._finish()
        except BaseException:
            self._abandon()
            raise
        self._open = False
        self._discard()
        self._target.commit()

    def _abandon(self) -> None:
        if self._open:
            self._open = False
            self._discard()
            self._target.abandon()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._abandon()
