"""What a snapshot's folder says of itself; a folder without it is a run that did not end."""

from dataclasses import dataclass, field, fields
from typing import Any, get_origin, get_type_hints

from rowen.model.errors import StoreError
from rowen.stores.place import PARTIAL, Place
from rowen.stores.texts import TEXTS, texts_folder

FORMAT = 2
_STORE = "store.json"
_SNAPSHOTS = "snapshots"
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A snapshot that is complete."""

    number: int
    created: str
    source: str
    partitions: int
    pages: int
    bytes: int
    extractors: dict[str, str]
    """The version of each extractor whose results are here."""
    texts: dict[str, int]
    """The snapshots with which the texts of the pages came, and how many bytes each one wrote."""
    report: dict[str, Any] = field(default_factory=dict)
    """What the run did, for people and for the choice of the next run's plan."""
    code: dict[str, str] = field(default_factory=dict)
    """What the code or the settings of each extractor were when its records were made."""
    checks: dict[str, Any] = field(default_factory=dict)
    """By extractor how far its copied records are checked, and whether its locality failed."""

    @property
    def folder(self) -> str:
        """Where its files are."""
        return folder_of(self.number)


def folder_of(number: int) -> str:
    """Where the files of a snapshot are."""
    return f"{_SNAPSHOTS}/{number:06}"


def open_place(place: Place, *, create: bool) -> None:
    """Check that a place holds a store that can be read, or make one of an empty place."""
    if place.exists(_STORE):
        content = place.read_json(_STORE)
        found = content.get("rowen") if isinstance(content, dict) else None
        if found != FORMAT:
            raise StoreError(
                f"{place.uri} is a store of format {found!r}; this Rowen reads format {FORMAT}: "
                "use the Rowen that wrote it, or start a new store"
            )
    elif not create:
        raise StoreError(f"no store at {place.uri}: `rowen run` makes one")
    else:
        _create(place)


def _create(place: Place) -> None:
    if place.is_local and (names := [name for name in place.names("") if not _is_own(name)]):
        raise StoreError(
            f"{place.uri} is no store and not empty (it holds {names[0]}): name another folder"
        )
    with place.locked():
        place.write_json(_STORE, {"rowen": FORMAT, "kind": "store"})
        place.sync("")


def _is_own(name: str) -> bool:
    """Whether a file may be in the folder of a store that is not there yet."""
    return name in {"lock", _STORE} or (name.startswith(_STORE) and name.endswith(PARTIAL))


def read_manifests(place: Place) -> list[Manifest]:
    """All complete snapshots, the oldest first."""
    return [
        _read(place, f"{_SNAPSHOTS}/{name}/{_MANIFEST}")
        for name in place.names(_SNAPSHOTS)
        if name.isdigit() and place.exists(f"{_SNAPSHOTS}/{name}/{_MANIFEST}")
    ]


_LATER = {"code", "checks"}
"""What the first manifests of this format did not have."""


def _read(place: Place, name: str) -> Manifest:
    content = place.read_json(name)
    kinds = get_type_hints(Manifest)
    if (
        not isinstance(content, dict)
        or not kinds.keys() - _LATER <= content.keys() <= kinds.keys()
        or not all(
            isinstance(value, get_origin(kinds[key]) or kinds[key])
            for key, value in content.items()
        )
    ):
        raise StoreError(f"{place.path(name)} is damaged: it is not a manifest")
    return Manifest(**content)


def next_number(place: Place, complete: list[Manifest], *, inherited: bool) -> int:
    """The number of a new snapshot; no number that a run may use which was thought to be dead."""
    number = complete[-1].number + 1 if complete else 0
    if not inherited:
        return number
    left = [int(name) for name in place.names(_SNAPSHOTS) if name.isdigit()]
    return max([number, *left]) + 1


def commit(place: Place, manifest: Manifest) -> None:
    """From here on the snapshot exists, and none of its files can be missing."""
    texts = [texts_folder(manifest.number)] if str(manifest.number) in manifest.texts else []
    place.sync(manifest.folder, *texts)
    content = {one.name: getattr(manifest, one.name) for one in fields(manifest)}
    place.write_json(f"{manifest.folder}/{_MANIFEST}", content)
    place.sync(manifest.folder, _SNAPSHOTS, *([TEXTS] if texts else []), "")


def remove_unfinished(place: Place, complete: list[Manifest]) -> None:
    """What runs left that were killed."""
    for name in place.names(""):
        if name.endswith(PARTIAL):
            place.delete(name)
    known = {manifest.folder for manifest in complete}
    for name in place.names(_SNAPSHOTS):
        if f"{_SNAPSHOTS}/{name}" not in known:
            place.remove(f"{_SNAPSHOTS}/{name}")
    _remove_texts(place, complete)


def remove_files(place: Place, number: int) -> None:
    """What a run wrote that ends without a snapshot: its own alone, for another may be at work."""
    place.remove(folder_of(number))
    place.remove(texts_folder(number))


def remove(place: Place, manifests: list[Manifest], kept: list[Manifest]) -> None:
    """Drop snapshots: first each ceases to exist, then its files go, then texts of no use."""
    for manifest in manifests:
        place.files.delete_file(place.path(f"{manifest.folder}/{_MANIFEST}"))
        place.remove(manifest.folder)
    _remove_texts(place, kept)


def _remove_texts(place: Place, kept: list[Manifest]) -> None:
    """All texts to which no snapshot refers."""
    used = {texts_folder(int(number)) for manifest in kept for number in manifest.texts}
    for name in place.names(TEXTS):
        if f"{TEXTS}/{name}" not in used:
            place.remove(f"{TEXTS}/{name}")
