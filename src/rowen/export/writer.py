"""What all formats have in common: records come page by page, and the end decides what stays."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import TracebackType
from typing import Protocol, Self

from rowen.export.target import Target
from rowen.model import Page, Record


class Writer(Protocol):
    """Takes the records of page after page; a file is in place once the writer is closed.

    As a context manager it closes itself, or drops what it has when an exception comes through.
    """

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Add what an extractor found on a page; called once for each, none found included."""

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
    """A writer with a target; formats add how records are written and what comes last."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._open = True

    @abstractmethod
    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Add what an extractor found on a page."""

    @abstractmethod
    def _finish(self) -> None:
        """Write what comes last."""

    def _discard(self) -> None:  # noqa: B027  # most formats keep nothing aside
        """Drop what was kept aside until the end."""

    def close(self) -> None:
        """Write what comes last, and put the output in place; a second time does nothing."""
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
