"""The change feed of a store, and the history of its records.

The feed is what `differences` gives from each snapshot to the next. A record's history follows it
through the feed: one version for each set of values, with the time since when it had them.

    snapshot 0   came      Black Beauty 4.50
    snapshot 3   changed   Black Beauty 5.25          versions: 4.50 (0 to 3), 5.25 (3 to 7)
    snapshot 7   went      Black Beauty 5.25
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rowen.records.version import Version
from rowen.recycling.changes import all_records, differences
from rowen.recycling.pairing import Change, Written
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import Manifest


def feed(
    place: Place, extractor: str, manifests: Sequence[Manifest], *, since: int | None = None
) -> Iterator[tuple[Manifest, Change]]:
    """Each change after snapshot `since` with the snapshot that has it; by default, all of them.

    `manifests` are the snapshots in order. Those without the extractor are passed over. The records
    of the first snapshot count as having come.
    """
    holding = [manifest for manifest in manifests if extractor in manifest.extractors]
    previous: Manifest | None = None
    for manifest in holding:
        if since is None or manifest.number > since:
            if previous is None:
                for record in all_records(place, extractor, manifest):
                    yield manifest, Change("came", record)
            else:
                for change in differences(place, extractor, previous, manifest):
                    yield manifest, change
        previous = manifest


@dataclass(slots=True)
class _Follower:
    """Follows records through the feed."""

    wanted: Mapping[str, str]
    keys: Sequence[str]
    """The fields that identify a record."""
    versions: list[Version] = field(default_factory=list)
    current: dict[str, list[int]] = field(default_factory=dict)
    """By page and values, the last versions of the records that are there now."""
    names: list[str] = field(default_factory=list)

    def add(self, manifest: Manifest, change: Change) -> None:
        before = change.before if change.before is not None else change.record
        if change.kind == "moved" and before["page"] == change.record["page"]:
            return
        number = None
        if change.kind != "came":
            number = self._end(manifest, before)
        if change.kind != "went" and (number is not None or self._is_wanted(change.record)):
            self._begin(manifest, change, number)

    def _begin(self, manifest: Manifest, change: Change, number: int | None) -> None:
        record = change.record
        if number is None:
            number = len(self.names)
            self.names.append(self._name(record))
        self.current.setdefault(_identity(record), []).append(len(self.versions))
        self.versions.append(
            Version(
                number,
                self.names[number],
                record["page"],
                record["values"],
                manifest.number,
                manifest.created,
                change=change.kind,
                matched=change.matched,
            )
        )

    def _end(self, manifest: Manifest, record: Written) -> int | None:
        """End the version of a record; returns the record's number if it is followed."""
        versions = self.current.get(_identity(record))
        if not versions:
            return None
        place = versions.pop(0)
        ended = self.versions[place]
        self.versions[place] = replace(
            ended, until_snapshot=manifest.number, until=manifest.created
        )
        return ended.record

    def _name(self, record: Written) -> str:
        texts = [texts_of(record["values"].get(key)) for key in self.keys]
        return ", ".join(own[0] for own in texts if own) or record["page"]

    def _is_wanted(self, record: Written) -> bool:
        values = record["values"]
        return all(text in texts_of(values.get(name)) for name, text in self.wanted.items())


def history(
    place: Place, extractor: str, manifests: Sequence[Manifest], key: Mapping[str, str]
) -> list[Version]:
    """The versions of all records that once had the values in `key`; the oldest of each first."""
    schemas = [manifest.schema(extractor) for manifest in manifests]
    follower = _Follower(key, schemas[-1].keys_of_records if schemas else ())
    for manifest, change in feed(place, extractor, manifests):
        follower.add(manifest, change)
    return sorted(follower.versions, key=lambda version: (version.record, version.snapshot))


def of_field(versions: Sequence[Version], name: str) -> list[Version]:
    """The versions of one field: those after which its value was another one, or the page."""
    merged: list[Version] = []
    for version in versions:
        reduced = replace(version, values={name: version.values.get(name)})
        last = merged[-1] if merged else None
        if (
            last is not None
            and (last.record, last.values) == (reduced.record, reduced.values)
            and last.until_snapshot == reduced.snapshot
        ):
            merged[-1] = replace(
                last, until=reduced.until, until_snapshot=reduced.until_snapshot, page=reduced.page
            )
        else:
            merged.append(reduced)
    return merged


def texts_of(value: object) -> list[str]:
    """The texts by which a user may name a value: `4.50`, or `4.50 GBP` for a price."""
    if isinstance(value, Mapping):
        parts = [str(part) for part in value.values() if part is not None]
        return [" ".join(parts), *parts]
    if isinstance(value, list):
        return [text for part in value for text in texts_of(part)]
    if isinstance(value, bool):
        return [str(value).lower()]
    return [] if value is None else [str(value)]


def _identity(record: Written) -> str:
    return json.dumps([record["page"], record["values"]], sort_keys=True)
