"""The manifest of a snapshot. A folder without one is what is left of a run that did not end."""

from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, get_origin, get_type_hints

from rowen.model.errors import StoreError
from rowen.records.schema import Schema
from rowen.storage.place import PARTIAL, Place
from rowen.storage.snapshots.texts import TEXTS, texts_folder

FORMAT = 3
"""The format of stores that are written. It has differences, which earlier versions can't read."""

READABLE = (2, FORMAT)
_STORE = "store.json"
_SNAPSHOTS = "snapshots"
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    r"""A snapshot: its pages, its extractors and the report of its run.

    >>> import rowen
    >>> store = rowen.Store("store")
    >>> _ = store.run([rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")], {"a.html": "CS 105"})
    >>> (manifest,) = store.snapshots()
    >>> manifest.number, manifest.pages, list(manifest.extractors)
    (0, 1, ['rooms'])
    """

    number: int
    """Snapshots are numbered from 0."""
    created: str
    """When, in ISO 8601."""
    source: str
    """Where the pages came from."""
    partitions: int
    """Into how many files the pages are divided."""
    pages: int
    """How many pages there are, ..."""
    bytes: int
    """... and how many bytes of text."""
    extractors: dict[str, str]
    """The version of each extractor whose results are here."""
    texts: dict[str, int]
    """The snapshots with which the texts of the pages came, and how many bytes each one wrote."""
    report: dict[str, Any] = field(default_factory=dict)
    """The report of the run, as `Report.to_dict` writes it."""
    code: dict[str, str] = field(default_factory=dict)
    """A digest of each extractor's code or settings when its records were made."""
    checks: dict[str, Any] = field(default_factory=dict)
    """By extractor, how far the checks of copied records are, and whether its locality failed."""

    schemas: dict[str, Any] = field(default_factory=dict)
    """By extractor, what each field holds, as `Schema.to_dict` writes it."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    """By extractor, the fields that it declares: the columns of its table."""

    format: int = 2
    """The format of its files."""

    bases: list[int] = field(default_factory=list)
    """The snapshots from which its files are differences, the nearest first."""

    since: dict[str, int] = field(default_factory=dict)
    """By extractor, the snapshot in which it last started anew. Its records of all snapshots since
    then are as good as those of this one."""

    def schema(self, extractor: str) -> Schema:
        """What each field of an extractor holds."""
        return Schema.from_dict(self.schemas.get(extractor, {}))

    @property
    def folder(self) -> str:
        """The folder of its files."""
        return folder_of(self.number)


def folder_of(number: int) -> str:
    """The folder of a snapshot's files."""
    return f"{_SNAPSHOTS}/{number:06}"


def open_place(place: Place, *, create: bool) -> None:
    """Check that a place holds a store of this format, or create one in an empty place."""
    if place.exists(_STORE):
        content = place.read_json(_STORE)
        version = content.get("rowen") if isinstance(content, dict) else None
        if version not in READABLE:
            raise StoreError(
                f"{place.uri} is a store of format {version!r}; this Rowen reads formats "
                f"{' and '.join(map(str, READABLE))}: use the Rowen that wrote it, or start a new "
                "store"
            )
    elif not create:
        raise StoreError(f"no store at {place.uri}: `rowen run` creates one")
    else:
        _create(place)


def upgrade(place: Place) -> None:
    """Mark a store of an earlier format before a run writes files that its Rowen can't read."""
    if place.read_json(_STORE).get("rowen") != FORMAT:
        _write_mark(place)


def _write_mark(place: Place) -> None:
    place.write_json(_STORE, {"rowen": FORMAT, "kind": "store"})
    place.sync("")


def _create(place: Place) -> None:
    # A mistyped path must not fill somebody's folder, from which runs later remove files.
    if place.is_local and (names := [name for name in place.names("") if not _is_own(name)]):
        raise StoreError(
            f"{place.uri} is not a Rowen store and is not empty (it contains {names[0]}): choose "
            "another folder"
        )
    with place.locked():
        _write_mark(place)


def _is_own(name: str) -> bool:
    """Whether a file may be in the folder of a store that is just being created."""
    return name in {"lock", _STORE} or (name.startswith(_STORE) and name.endswith(PARTIAL))


def read_manifests(place: Place) -> list[Manifest]:
    """All complete snapshots, the oldest first."""
    return [
        _read(place, f"{_SNAPSHOTS}/{name}/{_MANIFEST}")
        for name in place.names(_SNAPSHOTS)
        if name.isdigit() and place.exists(f"{_SNAPSHOTS}/{name}/{_MANIFEST}")
    ]


_LATER = {"code", "checks", "schemas", "format", "bases", "since"}
"""Fields that the first manifests of this format did not have."""


@cache
def _kinds() -> dict[str, Any]:
    """The type of each field."""
    return get_type_hints(Manifest)


def _read(place: Place, name: str) -> Manifest:
    content = place.read_json(name)
    # A manifest may be damaged or from elsewhere: what reads it relies on these types.
    kinds = _kinds()
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
    """The number of a new snapshot.

    A run whose claim ran out may be suspended and wake up again. So its number is never reused.
    """
    number = complete[-1].number + 1 if complete else 0
    if not inherited:
        return number
    left = [int(name) for name in place.names(_SNAPSHOTS) if name.isdigit()]
    return max([number, *left]) + 1


def commit(place: Place, manifest: Manifest) -> None:
    """Write the manifest, which makes the snapshot exist."""
    # All other files are on the disk before: after a power failure none of them can be missing.
    texts = [texts_folder(manifest.number)] if str(manifest.number) in manifest.texts else []
    place.sync(manifest.folder, *texts)
    # This one file makes the run atomic: without it, the next run removes the folder.
    _write(place, manifest)
    place.sync(manifest.folder, _SNAPSHOTS, *([TEXTS] if texts else []), "")


def _write(place: Place, manifest: Manifest) -> None:
    content = {column.name: getattr(manifest, column.name) for column in fields(manifest)}
    place.write_json(f"{manifest.folder}/{_MANIFEST}", content)


def cut_off(place: Place, remaining: list[Manifest]) -> list[Manifest]:
    """Note that no file of these snapshots is a difference from one of an older snapshot."""
    numbers = {manifest.number for manifest in remaining}
    kept = [
        replace(manifest, bases=[base for base in manifest.bases if base in numbers])
        for manifest in remaining
    ]
    for before, after in zip(remaining, kept, strict=True):
        if before != after:
            _write(place, after)
    return kept


def remove_unfinished(place: Place, complete: list[Manifest]) -> None:
    """Remove what is left of runs that were killed."""
    for name in place.names(""):
        if name.endswith(PARTIAL):
            place.delete(name)
    folders = _needed(complete)
    for name in place.names(_SNAPSHOTS):
        if f"{_SNAPSHOTS}/{name}" not in folders:
            place.remove(f"{_SNAPSHOTS}/{name}")
    _remove_texts(place, complete)


def remove_files(place: Place, number: int) -> None:
    """Remove what a failed run wrote; nothing else, for another run may be at work."""
    place.remove(folder_of(number))
    place.remove(texts_folder(number))


def remove(place: Place, manifests: list[Manifest], remaining: list[Manifest]) -> None:
    """Remove snapshots: first their manifests, then their files, then texts that none refers to.

    The files of those that remain must not be differences from theirs any more: see `cut_off`.
    """
    for manifest in manifests:
        # Killed from here on, the snapshot is gone as a whole, and the next run removes its files.
        place.files.delete(place.path(f"{manifest.folder}/{_MANIFEST}"))
    needed = _needed(remaining)
    for name in place.names(_SNAPSHOTS):
        # Not only those: a snapshot that was removed before may have been a base until now.
        if f"{_SNAPSHOTS}/{name}" not in needed:
            place.remove(f"{_SNAPSHOTS}/{name}")
    _remove_texts(place, remaining)


def _needed(manifests: list[Manifest]) -> set[str]:
    """The folders of snapshots, and of those from which their files are differences."""
    return {
        folder_of(number) for manifest in manifests for number in (manifest.number, *manifest.bases)
    }


def _remove_texts(place: Place, remaining: list[Manifest]) -> None:
    """Remove all texts to which no snapshot refers."""
    used = {texts_folder(int(number)) for manifest in remaining for number in manifest.texts}
    for name in place.names(TEXTS):
        if f"{TEXTS}/{name}" not in used:
            place.remove(f"{TEXTS}/{name}")
