"""What a tenant holds and may hold: counted as it comes, whoever else sends meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from rowen.model.errors import RowenError
from rowen.service.store import Usage


class QuotaError(RowenError):
    """A tenant has all that it may hold, with what is being sent; `unit` is bytes or documents."""

    exit_code: ClassVar[int] = 6
    http_status: ClassVar[int] = 507

    def __init__(self, unit: str, held: int, limit: int) -> None:
        super().__init__(
            f"{held:,} of {limit:,} {unit} are held or being sent; nothing was kept: "
            "delete something, or ask for more room"
        )
        self.unit = unit
        self.held = held
        self.limit = limit


class Account:
    """What a realm holds, with what is on its way in. It belongs to the event loop's thread."""

    def __init__(self, usage: Usage) -> None:
        self.documents = usage.documents
        self.bytes = usage.bytes

    @contextmanager
    def entry(self, *, most_bytes: int | None, most_documents: int | None) -> Iterator["Entry"]:
        """Count a document that comes in; unless it is kept in the end, it did not count."""
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
        """Count more bytes, or less of them; QuotaError where there is no room for more."""
        self.check(size, most=most)
        self.bytes += size

    def check(self, size: int, *, most: int | None) -> None:
        """Raise that at once."""
        if size > 0 and most is not None and self.bytes + size > most:
            raise QuotaError("bytes", self.bytes, most)

    def forget(self, size: int) -> None:
        """Count a document no more."""
        self.documents -= 1
        self.bytes -= size


class Entry:
    """A document that comes in."""

    def __init__(self, account: Account, most: int | None) -> None:
        self._account = account
        self._most = most
        self.size = 0
        self.kept = False

    def expect(self, size: int) -> None:
        """Refuse what is known to be too much before it is sent."""
        self._account.check(size, most=self._most)

    def grow(self, size: int) -> None:
        """Count some more bytes; QuotaError where there is no room for them."""
        self._account.grow(size, most=self._most)
        self.size += size
