"""Home as an extension of the service: its screens, and the stores that it shows."""

from collections.abc import Sequence
from pathlib import Path

from fastapi import APIRouter

from rowen.files import copy_file
from rowen.home.routes import extractors, overview, screens, session, status, stores
from rowen.home.stores import CHOSEN, NAME, ShownStores
from rowen.storage.documents.files import disk


class HomeExtension:
    """The first screen of the application, extractors and operations."""

    name = NAME
    routers: Sequence[APIRouter] = (
        screens.router,
        session.router,
        overview.router,
        extractors.router,
        stores.router,
        status.router,
    )
    public_paths: frozenset[str] = frozenset()
    public_folders: tuple[str, ...] = ("/home/static/",)

    def __init__(self, *, stores: Sequence[str] = (), folders: Sequence[Path] = ()) -> None:
        """`stores` are always shown; below `folders`, people may choose more."""
        self._stores = tuple(stores)
        self._folders = tuple(folders)

    def has_work(self, folder: Path) -> bool:  # noqa: ARG002  # the protocol of extensions
        """Nothing is done in the background."""
        return False

    def open_realm(self, folder: Path) -> ShownStores:
        """The stores that a tenant sees."""
        return ShownStores(folder, stores=self._stores, folders=self._folders)

    def copy_realm(self, folder: Path, target: Path) -> None:
        """Copy the list of chosen stores to a backup."""
        source, copy = folder / NAME / CHOSEN, target / NAME / CHOSEN
        with disk():
            if source.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy_file(source, copy)
            else:
                copy.unlink(missing_ok=True)

    def close(self) -> None:
        """Nothing runs on its own."""
