"""What came, went and moved between two snapshots of a store."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from rowen.model import Page, Record
from rowen.model.packed import unpack
from rowen.runs.plan import Texts
from rowen.stores.changes import Fate, compare
from rowen.stores.manifest import Manifest
from rowen.stores.pages import Index, Pages, read_index
from rowen.stores.place import Place
from rowen.stores.results import Results, read_results


class Change(NamedTuple):
    """A record that `came`, `went`, or `moved`: the same values elsewhere, `before` is where."""

    kind: str
    record: Record
    before: Record | None = None

    def to_dict(self) -> dict[str, Any]:
        """As it is written."""
        told = {"change": self.kind, **self.record.to_dict()}
        if self.before is not None:
            told["before"] = {"page": self.before.page.id, "spans": self.before.spans}
        return told


def differences(place: Place, extractor: str, old: Manifest, new: Manifest) -> Iterator[Change]:
    """How an extractor's records differ, page by page; a renamed page is the same page."""
    before = _Side(place, extractor, old)
    after = _Side(place, extractor, new)
    changes = compare(before.index, after.index)
    texts = Texts(place, (old.folder, before.index), (new.folder, after.index))
    same_extractor = old.extractors[extractor] == new.extractors[extractor]
    for number in range(after.index.count):
        if same_extractor and changes.fates[number] == Fate.UNCHANGED:
            continue
        own = after.records(number, texts.new(number))
        origin = int(changes.origins[number])
        earlier = before.records(origin, texts.old(origin)) if origin >= 0 else []
        yield from _compare(earlier, own)
    for number in changes.gone.tolist():
        for record in before.records(number, texts.old(number)):
            yield Change("went", record)


class _Side:
    """An extractor's results of one snapshot, by the numbers of pages."""

    def __init__(self, place: Place, extractor: str, manifest: Manifest) -> None:
        self.place = place
        self.extractor = extractor
        self.manifest = manifest
        self.index: Index = read_index(place, manifest.folder, manifest.partitions)
        self._open: dict[int, tuple[Results, Any, list[str]]] = {}

    def records(self, number: int, text: str) -> list[Record]:
        partition, row = int(self.index.partitions[number]), int(self.index.rows[number])
        if partition not in self._open:
            results = read_results(self.place, self.manifest.folder, self.extractor, partition)
            ids = Pages(self.place, self.manifest.folder, partition).ids
            self._open[partition] = (results, results.first(), ids)
        results, first, ids = self._open[partition]
        part = results.records.slice(int(first[row]), int(first[row + 1]))
        return list(unpack(part, results.shapes, Page(text, id=ids[row])))


def _compare(old: list[Record], new: list[Record]) -> Iterator[Change]:
    waiting: dict[str, list[Record]] = {}
    for record in reversed(old):
        waiting.setdefault(_key(record), []).append(record)
    for record in new:
        same = waiting.get(_key(record))
        if not same:
            yield Change("came", record)
            continue
        before = same.pop()
        if before.spans != record.spans or before.page.id != record.page.id:
            yield Change("moved", record, before)
    for left in waiting.values():
        for record in left:
            yield Change("went", record)


def _key(record: Record) -> str:
    """What a record says, wherever it stands."""
    return json.dumps([record.values, [_key(child) for child in record.children]], sort_keys=True)
