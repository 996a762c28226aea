"""The library as an extension of the service: its routes, its data and their backup."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from fastapi import APIRouter

from rowen.librarian.routes import lists, papers, screens
from rowen.librarian.shelf import NAME, Shelf
from rowen.library.library import Library
from rowen.library.selection import Selection
from rowen.library.tables import copy_library, has_library
from rowen.storage.documents.sqlite import DATABASE


class LibraryExtension:
    """The library for `rowen.service`."""

    name = NAME
    routers: Sequence[APIRouter] = (
        screens.router,
        screens.files_router,
        lists.router,
        papers.router,
    )
    public_paths: frozenset[str] = frozenset()
    public_folders: tuple[str, ...] = ("/library/static/",)

    def has_work(self, folder: Path) -> bool:
        """Whether there is a library, in which papers may wait to be read."""
        return has_library(folder)

    def open_realm(self, folder: Path) -> Shelf:
        """The library in a tenant's data folder."""
        return Shelf(folder)

    def copy_realm(self, folder: Path, target: Path) -> None:
        """Copy the library to a backup, without papers whose documents the backup lacks."""
        copy_library(folder, target)
        if not has_library(target):
            return
        with closing(sqlite3.connect(target / DATABASE)) as documents:
            known = {id_ for (id_,) in documents.execute("SELECT id FROM documents")}
        library = Library(target)
        try:
            for paper in library.chosen(Selection()):
                if paper not in known:  # it was added after the documents were copied
                    library.remove(paper)
        finally:
            library.close()

    def close(self) -> None:
        """Nothing runs beside the tenants' queues."""
