"""Quotas: how much a tenant stores and may store, counted also while documents arrive."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from rowen.model.errors import RowenError
from rowen.storage.documents.store import Usage


class QuotaError(RowenError):
    """A tenant's quota is used up, counting uploads in progress; `unit` is bytes or documents."""

    exit_code: ClassVar[int] = 6
    http_status: ClassVar[int] = 507

    def __init__(self, unit: str, held: int, limit: int) -> None:
        super().__init__(
            f"quota exceeded: {held:,} of {limit:,} {unit} are stored or being sent; nothing was "
            "stored: delete something, or ask for a larger quota"
        )
        self.unit = unit
        self.held = held
        self.limit = limit


class Account:
    """How much a realm stores, with uploads in progress; for the event loop's thread only."""

    def __init__(self, usage: Usage) -> None:
        self.documents = usage.documents
        self.bytes = usage.bytes

    @contextmanager
    def entry(self, *, most_bytes: int | None, most_documents: int | None) -> Iterator["Entry"]:
        """Count an arriving document; if it is not stored in the end, it does not count."""
        if most_documents is not None and self.documents >= most_documents:
            raise QuotaError("documents", self.documents, most_documents)
        entry = Entry(self, most_bytes)
        self.documents += 1
        try:
            yield entry
        finally:
            if not entry.kept:
                self.forget(entry.size)

    def grow(self, size: int, *, most: int | None) -> None:
        """Count more bytes, or fewer if negative; QuotaError where the quota is exceeded."""
        self.check(size, most=most)
        self.bytes += size

    def check(self, size: int, *, most: int | None) -> None:
        """QuotaError where `size` more bytes would exceed the quota."""
        # Making something smaller is allowed even where a quota was lowered below what is stored.
        if size > 0 and most is not None and self.bytes + size > most:
            raise QuotaError("bytes", self.bytes, most)

    def forget(self, size: int) -> None:
        """Stop counting a document."""
        self.documents -= 1
        self.bytes -= size


class Entry:
    """An arriving document."""

    def __init__(self, account: Account, most: int | None) -> None:
        self._account = account
        self._most = most
        self.size = 0
        self.kept = False

    def expect(self, size: int) -> None:
        """QuotaError where the announced size exceeds the quota, before it is sent."""
        self._account.check(size, most=self._most)

    def grow(self, size: int) -> None:
        """Count more bytes; QuotaError where the quota is exceeded."""
        self._account.grow(size, most=self._most)
        self.size += size
