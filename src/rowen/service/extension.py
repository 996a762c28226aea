"""Extensions: applications that the service hosts beside its own HTTP calls.

The service knows them only by this protocol. `rowen serve` and `rowen studio` pass the studio.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from fastapi import APIRouter


class RealmData(Protocol):
    """What an extension keeps for one tenant."""

    def close(self) -> None:
        """Release locks and open files."""


class Extension(Protocol):
    """An application with its own routes and its own data for each tenant."""

    name: str
    """Unique among the extensions of a service."""
    routers: Sequence[APIRouter]
    public_paths: frozenset[str]
    """Paths that need no access token, because they show nothing of any tenant."""
    public_folders: tuple[str, ...]
    """Path prefixes that need none; each ends with a slash."""

    def open_realm(self, folder: Path) -> RealmData:
        """Open the extension's data in the data folder of a tenant."""

    def copy_realm(self, folder: Path, target: Path) -> None:
        """Bring a backup of that data up to date; both are data folders of the same tenant."""

    def close(self) -> None:
        """End the extension's own processes and threads."""
