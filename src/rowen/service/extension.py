"""Extensions: applications that the service hosts beside its own HTTP calls.

The service knows them only by this protocol. `rowen serve` and `rowen studio` pass the studio.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from fastapi import APIRouter

from rowen.service.extraction import Extraction
from rowen.storage.documents.store import Store


class RealmData(Protocol):
    """What an extension keeps for one tenant."""

    def close(self) -> None:
        """Release locks and open files."""


@runtime_checkable
class WorkingData(RealmData, Protocol):
    """Data that an extension works on in the background, with the documents of its tenant."""

    @property
    def busy(self) -> bool:
        """Whether it works now, so that the realm must stay open."""

    def attend(self, store: Store, extraction: Extraction, *, readers: int) -> None:
        """Take the tenant's documents; `readers` of them may be read at once."""

    async def go_on(self) -> None:
        """Go on with what was left when the service ended."""

    async def stop(self) -> None:
        """Stop working, before the service ends."""

    def forget(self, document: str) -> None:
        """A document was deleted."""


class Extension(Protocol):
    """An application with its own routes and its own data for each tenant."""

    name: str
    """Unique among the extensions of a service."""
    routers: Sequence[APIRouter]
    public_paths: frozenset[str]
    """Paths that need no access token, because they show nothing of any tenant."""
    public_folders: tuple[str, ...]
    """Path prefixes that need none; each ends with a slash."""

    def has_work(self, folder: Path) -> bool:
        """Whether something may wait to be done in the data folder of a tenant."""

    def open_realm(self, folder: Path) -> RealmData:
        """Open the extension's data in the data folder of a tenant."""

    def copy_realm(self, folder: Path, target: Path) -> None:
        """Bring a backup of that data up to date; both are data folders of the same tenant."""

    def close(self) -> None:
        """End the extension's own processes and threads."""
