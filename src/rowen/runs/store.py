"""The store: snapshots of a corpus with the records of each, and runs that add one."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowen.extractors.base import Extractor
from rowen.limits import EXTRACTION_SECONDS
from rowen.model import Page, Records, StoreError
from rowen.model.packed import unpack
from rowen.runs.report import Report
from rowen.stores.manifest import Manifest, open_place, read_manifests, remove
from rowen.stores.pages import Pages
from rowen.stores.place import Place
from rowen.stores.results import read_results

if TYPE_CHECKING:
    import pyarrow as pa

    from rowen.engines.base import Engine


class Store:
    """Snapshots and records in a folder, or in any place that Arrow's file systems reach.

    Only `run` writes; it takes a lock, and a snapshot exists once all of it is written.
    """

    def __init__(self, place: str | os.PathLike[str], *, create: bool = True) -> None:
        self.place = Place(place)
        open_place(self.place, create=create)

    def snapshots(self) -> list[Manifest]:
        """All snapshots, the oldest first."""
        return read_manifests(self.place)

    def snapshot(self, number: int = -1) -> Manifest:
        """A snapshot by its number; below 0 it counts from the newest."""
        there = self.snapshots()
        if number < 0 and -number <= len(there):
            return there[number]
        for one in there:
            if one.number == number:
                return one
        known = ", ".join(str(one.number) for one in there) or "none"
        raise StoreError(f"no snapshot {number} in {self.place.uri}; there are: {known}")

    def _holding(self, extractor: str, number: int) -> Manifest:
        manifest = self.snapshot(number)
        if extractor not in manifest.extractors:
            known = ", ".join(manifest.extractors)
            raise StoreError(
                f"no records of {extractor!r} in snapshot {manifest.number}; there are: {known}"
            )
        return manifest

    def run(
        self,
        extractors: Sequence[Extractor],
        snapshot: "Iterable[Page | str] | Mapping[str, Page | str] | str | os.PathLike[str]",
        *,
        engine: "str | Engine" = "local",
        matcher: str = "auto",
        jobs: int | None = None,
        verify: float | None = None,
        scratch: bool = False,
        strict: bool = False,
        page_seconds: float = EXTRACTION_SECONDS,
    ) -> Report:
        """Take in a snapshot and make its records, those of the last snapshot reused where safe.

        A snapshot is a source as the command line takes it, or pages: a list of them, or a mapping
        of ids to texts. The result is that of extraction from scratch, as sets of records. Some of
        the pages with copied records are extracted again and compared, within 2% of the cost, or as
        large a share of them as `verify` says; an extractor that differs is extracted anew on all
        pages, and the report's `differed` says so. `scratch` reuses nothing. A page on which an
        extractor fails is recorded as failed, and tried again in the next run; with `strict` the
        run ends there, and the store stays as it was.
        """
        from rowen.runs.run import Options, Run
        from rowen.sources import open_source

        pages: Any = open_source(snapshot) if isinstance(snapshot, str | os.PathLike) else snapshot
        options = Options(
            matcher=matcher,
            verify=verify,
            scratch=scratch,
            strict=strict,
            page_seconds=page_seconds,
        )
        run = Run(self.place, extractors, engine=engine, jobs=jobs, options=options)
        return run.execute(pages)

    def pages(self, snapshot: int = -1) -> Iterator[Page]:
        """The pages of a snapshot."""
        manifest = self.snapshot(snapshot)
        for partition in range(manifest.partitions):
            yield from _pages(self.place, manifest, partition)

    def each(self, extractor: str, snapshot: int = -1) -> Iterator[tuple[Page, Records]]:
        """Every page of a snapshot with an extractor's records, in the store's order."""
        manifest = self._holding(extractor, snapshot)
        for partition in range(manifest.partitions):
            results = read_results(self.place, manifest.folder, extractor, partition)
            first = results.first()
            for row, page in enumerate(_pages(self.place, manifest, partition)):
                part = results.records.slice(int(first[row]), int(first[row + 1]))
                records = unpack(part, results.shapes, page)
                yield page, Records(records, failure=results.failures[row])

    def records(self, extractor: str, snapshot: int = -1) -> "pa.Table":
        """An extractor's records of a snapshot, with the columns page, values, spans, children."""
        found = [record for _, own in self.each(extractor, snapshot) for record in own]
        return Records(found).to_arrow()

    def failures(self, extractor: str, snapshot: int = -1) -> list[tuple[str, str]]:
        """The pages on which an extractor failed or stopped early, each with the reason."""
        manifest = self._holding(extractor, snapshot)
        found = []
        for partition in range(manifest.partitions):
            results = read_results(self.place, manifest.folder, extractor, partition)
            if any(results.failures):
                ids = Pages(self.place, manifest.folder, partition).ids
                found += [
                    (page, reason)
                    for page, reason in zip(ids, results.failures, strict=True)
                    if reason is not None
                ]
        return found

    def differences(
        self, extractor: str, old: int = -2, new: int = -1
    ) -> "Iterator[dict[str, Any]]":
        """Records that came, went or moved from one snapshot to another, as they are written."""
        from rowen.runs.difference import differences

        sides = [self._holding(extractor, number) for number in (old, new)]
        for change in differences(self.place, extractor, *sides):
            yield change.to_dict()

    def drop(self, *, keep: int = 1) -> int:
        """Remove all snapshots but the newest ones; how many went."""
        if keep < 1:
            raise StoreError("the newest snapshot stays: the next run reuses it")
        with self.place.locked():
            there = self.snapshots()
            remove(self.place, there[:-keep], there[-keep:])
        return len(there[:-keep])


def _pages(place: Place, manifest: Manifest, partition: int) -> Iterator[Page]:
    pages = Pages(place, manifest.folder, partition)
    for row, text in pages.all_texts():
        yield Page(text, id=pages.ids[row])
