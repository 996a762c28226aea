"""The stores of runs that a tenant sees: those of the command line, and those that people chose.

An operator says below which folders people may choose. A tenant chooses below a subfolder of its
own name, so that no tenant sees the pages of another.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rowen.files import write_file
from rowen.model.errors import StoreError, UsageError
from rowen.service.realms import HOME
from rowen.storage.documents.files import disk
from rowen.store import Store

NAME = "home"
"""The name among the service's extensions, and the folder of a tenant's choices."""

CHOSEN = "stores.json"
"""The file with the stores that people chose."""

CHOSEN_STORES = 200
"""Limit: how many stores a tenant may choose. Home reads the last run of each."""

DEPTH = 3
"""Limit: how many folders deep stores are searched below a folder that an operator allowed."""

SEARCHED_FOLDERS = 5_000
"""Limit: how many folders are searched for stores. On slow disks more would take seconds."""

_MARK = "store.json"


@dataclass(frozen=True, slots=True)
class ShownStore:
    """A store with runs to show."""

    place: str
    """Its folder or address."""
    chosen: bool
    """Whether somebody chose it, and may remove it."""

    @property
    def id(self) -> str:
        """Its name in addresses: the place itself may have characters that these can't have."""
        return sha256(self.place.encode("utf-8", "surrogateescape")).hexdigest()[:12]

    @property
    def name(self) -> str:
        """What people call it."""
        path = Path(self.place)
        # Many stores are called `store`: then the folder above says more.
        return f"{path.parent.name}/{path.name}" if path.name == "store" else path.name

    def open(self) -> Store:
        """The store; StoreError where it is not one any more."""
        return Store(self.place, create=False)


class ShownStores:
    """The stores of one tenant."""

    def __init__(self, folder: Path, *, stores: Sequence[str], folders: Sequence[Path]) -> None:
        """`folder` is the data folder of the tenant."""
        tenant = folder.name if folder.parent.name == "tenants" else HOME
        # Stores of the command line belong to the operator: tenants must not see them.
        self._fixed = () if tenant else tuple(stores)
        self._folders = tuple(base / tenant if tenant else base for base in folders)
        self._file = folder / NAME / CHOSEN

    @property
    def may_choose(self) -> bool:
        """Whether an operator allowed any folder."""
        return bool(self._folders)

    def all(self) -> list[ShownStore]:
        """All stores, those of the command line first."""
        fixed = [ShownStore(place, chosen=False) for place in self._fixed]
        return fixed + [ShownStore(place, chosen=True) for place in self._chosen()]

    def get(self, store_id: str) -> ShownStore | None:
        """The store with this id."""
        return next((store for store in self.all() if store.id == store_id), None)

    def candidates(self) -> list[ShownStore]:
        """The stores below the allowed folders that are not shown yet."""
        shown = {store.id for store in self.all()}
        found = [ShownStore(str(path), chosen=True) for path in self._search()]
        return [store for store in found if store.id not in shown]

    def choose(self, place: str) -> ShownStore:
        """Show one more store; UsageError where it may not be chosen, StoreError if it is none."""
        path = Path(place).resolve()  # a symbolic link must not lead out of the allowed folders
        if not any(path.is_relative_to(base.resolve()) for base in self._folders):
            raise UsageError(
                f"{place} is not below a folder that the operator allowed (rowen serve --stores)"
            )
        store = ShownStore(str(path), chosen=True)
        store.open()
        chosen = self._chosen()
        if str(path) not in chosen:
            if len(chosen) >= CHOSEN_STORES:
                raise UsageError(f"at most {CHOSEN_STORES} stores can be added")
            self._write([*chosen, str(path)])
        return store

    def remove(self, store_id: str) -> bool:
        """Show a store no longer; its files stay. False if nobody chose it."""
        chosen = self._chosen()
        remaining = [place for place in chosen if ShownStore(place, chosen=True).id != store_id]
        if len(remaining) < len(chosen):
            self._write(remaining)
        return len(remaining) < len(chosen)

    def close(self) -> None:
        """Nothing is open."""

    def _chosen(self) -> list[str]:
        if not self._file.exists():
            return []
        try:
            with disk():
                places = json.loads(self._file.read_bytes())["stores"]
        except (ValueError, TypeError, KeyError) as error:
            raise StoreError(f"{self._file} is damaged: {error}") from None
        # An operator may have withdrawn a folder since.
        bases = [base.resolve() for base in self._folders]
        return [
            place
            for place in places
            if any(Path(place).resolve().is_relative_to(base) for base in bases)
        ]

    def _write(self, places: Sequence[str]) -> None:
        content = json.dumps({"rowen": 1, "kind": "stores", "stores": list(places)}, indent=1)
        with disk():
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._file, content.encode("utf-8", "surrogateescape"))

    def _search(self) -> Iterator[Path]:
        level, searched = list(self._folders), 0
        for _ in range(DEPTH + 1):
            below: list[Path] = []
            for folder in level:
                searched += 1
                if searched > SEARCHED_FOLDERS:
                    return
                if (folder / _MARK).is_file():
                    yield folder.resolve()
                else:
                    below += _folders_in(folder)
            level = below


def _folders_in(folder: Path) -> list[Path]:
    try:
        entries = sorted(folder.iterdir())
        # Links are not followed: they could lead anywhere, also back.
        return [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
    except OSError:  # one that can't be read has no stores to choose
        return []
