"""The store: snapshots of a corpus with their records, and runs that add one.

It composes recycling, engines and storage, and so it is above all three.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rowen.extractors.base import Extractor
from rowen.model import Page, StoreError
from rowen.records import Records
from rowen.records.packed import unpack
from rowen.recycling.options import ALLOWED_SHRINK
from rowen.recycling.report import Report
from rowen.recycling.time_limit import EXTRACTION_SECONDS
from rowen.storage.place import Place
from rowen.storage.snapshots.columns import make_whole
from rowen.storage.snapshots.manifest import (
    Manifest,
    cut_off,
    open_place,
    read_manifests,
    remove,
)
from rowen.storage.snapshots.pages import Pages
from rowen.storage.snapshots.results import read_results

if TYPE_CHECKING:
    import pyarrow as pa
    from opentelemetry.trace import Tracer

    from rowen.records.version import Version
    from rowen.recycling.engine import Engine
    from rowen.recycling.run import Progress


class Store:
    r"""Snapshots and records in a folder, or in any place that Arrow's file systems reach.

    Only `run` and `drop` write. They take a lock, and a snapshot exists once all of it is written.

    >>> import rowen
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    >>> store = Store("store")
    >>> _ = store.run([rooms], {"a.html": "CS 105", "b.html": "CS 310"})
    >>> report = store.run([rooms], {"a.html": "CS 105", "b.html": "CS 311"})
    >>> report.pages["unchanged"], report.pages["changed"]
    (1, 1)
    >>> store.records("rooms")["room"].to_pylist()
    ['CS 105', 'CS 311']
    """

    def __init__(self, place: str | os.PathLike[str], *, create: bool = True) -> None:
        self.place = Place(place)
        open_place(self.place, create=create)

    def snapshots(self) -> list[Manifest]:
        """All snapshots, the oldest first."""
        return read_manifests(self.place)

    def snapshot(self, number: int = -1) -> Manifest:
        """A snapshot by its number; negative numbers count from the newest."""
        manifests = self.snapshots()
        if number < 0 and -number <= len(manifests):
            return manifests[number]
        # A number is not a position in the list: `drop` removes the oldest ones.
        for manifest in manifests:
            if manifest.number == number:
                return manifest
        numbers = ", ".join(str(manifest.number) for manifest in manifests) or "none"
        raise StoreError(f"no snapshot {number} in {self.place.uri}; its snapshots: {numbers}")

    def _holding(self, extractor: str, number: int) -> Manifest:
        manifest = self.snapshot(number)
        if extractor not in manifest.extractors:
            names = ", ".join(manifest.extractors)
            raise StoreError(
                f"no records of {extractor!r} in snapshot {manifest.number}; "
                f"its extractors: {names}"
            )
        return manifest

    def run(
        self,
        extractors: Sequence[Extractor],
        snapshot: "Iterable[Page | str] | Mapping[str, Page | str] | str | os.PathLike[str]",
        *,
        engine: "str | Engine" = "local",
        update: bool = False,
        gone: Iterable[str] = (),
        allow_shrink: float = ALLOWED_SHRINK,
        matcher: str = "auto",
        jobs: int | None = None,
        verify: float | None = None,
        scratch: bool = False,
        strict: bool = False,
        page_seconds: float = EXTRACTION_SECONDS,
        progress: "Progress | None" = None,
        tracer: "Tracer | None" = None,
    ) -> Report:
        """Take in a snapshot and make its records, reusing those of the last snapshot where safe.

        A snapshot is a source as the command line takes it, or pages: a list of them, or a mapping
        of ids to texts. With `update`, pages of the last snapshot that are not in it stay, except
        those whose ids are in `gone`. Otherwise the snapshot is the whole corpus, and is refused if
        it has lost more than the share `allow_shrink` of its pages.

        The result is that of extraction from scratch, as sets of records. Some of
        the pages with copied records are extracted again and compared, within 2% of the cost, or
        the share of them that `verify` sets. An extractor whose records differ is run again on
        all pages, and the report's `differed` says so. `scratch` reuses nothing. A page on which an
        extractor fails is recorded as failed, and tried again in the next run; with `strict` the
        run ends there, and the store is unchanged. `progress` is called with a step (`reading`,
        then `extracting`), how many of its pages are done, and how many there are, or None. A
        `tracer` of OpenTelemetry gets spans of the run, its steps, partitions and extractors.
        """
        # Imported here: a program that only reads records needs neither engines nor matchers.
        from rowen.engines.opening import open_engine
        from rowen.recycling.options import Options
        from rowen.recycling.run import Run

        options = Options(
            matcher=matcher,
            verify=verify,
            scratch=scratch,
            strict=strict,
            page_seconds=page_seconds,
            update=update,
            gone=frozenset(gone),
            allow_shrink=allow_shrink,
        )
        run = Run(self.place, extractors, options=options, progress=progress, tracer=tracer)
        source = self._opened(snapshot, extractors, scratch=scratch)
        return run.execute(source, open_engine(engine, jobs), jobs=jobs or 1)

    def explain(
        self,
        extractors: Sequence[Extractor],
        snapshot: "Iterable[Page | str] | Mapping[str, Page | str] | str | os.PathLike[str]",
        *,
        update: bool = False,
        gone: Iterable[str] = (),
        allow_shrink: float = ALLOWED_SHRINK,
        matcher: str = "auto",
        verify: float | None = None,
        scratch: bool = False,
        strict: bool = False,
        progress: "Progress | None" = None,
    ) -> Report:
        """Report what `run` would do and why, with estimates. Nothing is extracted or stored."""
        from rowen.recycling.options import Options
        from rowen.recycling.run import Run

        options = Options(
            matcher=matcher,
            verify=verify,
            scratch=scratch,
            strict=strict,
            update=update,
            gone=frozenset(gone),
            allow_shrink=allow_shrink,
        )
        run = Run(self.place, extractors, options=options, progress=progress)
        return run.explain(self._opened(snapshot, extractors, scratch=scratch))

    def _opened(self, snapshot: Any, extractors: Sequence[Extractor], *, scratch: bool) -> Any:
        from rowen.extractors.chain import reads_papers

        is_path = isinstance(snapshot, str | os.PathLike)
        if any(map(reads_papers, extractors)):
            from rowen.sheets.snapshot import PaperFiles

            source = PaperFiles(snapshot) if is_path else snapshot
            # Files that the store has read are not read again.
            if isinstance(source, PaperFiles) and not scratch and self.snapshots():
                return source.knowing(self.pages())
            return source
        if is_path:
            from rowen.sources import open_source

            return open_source(snapshot)
        return snapshot

    def pages(self, snapshot: int = -1) -> Iterator[Page]:
        """The pages of a snapshot."""
        manifest = self.snapshot(snapshot)
        # One partition at a time: a snapshot may be larger than the memory.
        for partition in range(manifest.partitions):
            yield from _pages(self.place, manifest, partition)

    def each(self, extractor: str, snapshot: int = -1) -> Iterator[tuple[Page, Records]]:
        """Each page of a snapshot with an extractor's records, in the store's order."""
        manifest = self._holding(extractor, snapshot)
        schema = manifest.schema(extractor)
        for partition in range(manifest.partitions):
            results = read_results(self.place, manifest.folder, extractor, partition)
            first = results.first()
            for row, page in enumerate(_pages(self.place, manifest, partition)):
                part = results.records.slice(int(first[row]), int(first[row + 1]))
                records = unpack(part, results.shapes, page, schema)
                yield (
                    page,
                    Records(
                        records,
                        failure=results.failures[row],
                        schema=schema,
                        fields=manifest.fields.get(extractor, ()),
                    ),
                )

    def records(
        self, extractor: str, snapshot: int = -1, *, source: bool = False, spans: bool = False
    ) -> "pa.Table":
        """An extractor's records of a snapshot, with the columns of `Records.to_arrow`."""
        manifest = self._holding(extractor, snapshot)
        records = [record for _, own in self.each(extractor, manifest.number) for record in own]
        fields = manifest.fields.get(extractor, ())
        schema = manifest.schema(extractor)
        return Records(records, schema=schema, fields=fields).to_arrow(source=source, spans=spans)

    def failures(self, extractor: str, snapshot: int = -1) -> list[tuple[str, str]]:
        """The pages on which an extractor failed or stopped early, each with the reason."""
        manifest = self._holding(extractor, snapshot)
        failures = []
        for partition in range(manifest.partitions):
            results = read_results(self.place, manifest.folder, extractor, partition)
            # Ids are read only where they are needed.
            if any(results.failures):
                ids = Pages(self.place, manifest.folder, partition).ids
                failures += [
                    (page, reason)
                    for page, reason in zip(ids, results.failures, strict=True)
                    if reason is not None
                ]
        return failures

    def differences(
        self, extractor: str, old: int = -2, new: int = -1
    ) -> "Iterator[dict[str, Any]]":
        """Records that came, went, moved or changed between two snapshots, as dictionaries.

        A record that changed was found by the key of the schema, on whatever page (`matched` is
        `key`), or is likely the same one of its page (`likely`).
        """
        from rowen.recycling.changes import differences

        sides = [self._holding(extractor, number) for number in (old, new)]
        for change in differences(self.place, extractor, *sides):
            yield change.to_dict()

    def changes(self, extractor: str, *, since: int | None = None) -> "Iterator[dict[str, Any]]":
        """The change feed: what `differences` gives from each snapshot to the next.

        Each change has the number of its `snapshot`, and when that was `created`. The feed begins
        with the records of the oldest snapshot, which all came, or after the snapshot `since`.
        """
        from rowen.recycling.history import feed

        if since is not None and since not in {kept.number for kept in self.snapshots()}:
            raise StoreError(
                f"snapshot {since} is not in {self.place.uri}, so that the changes since then are "
                "not known"
            )
        self._known(extractor)
        for manifest, change in feed(self.place, extractor, self.snapshots(), since=since):
            yield {
                "snapshot": manifest.number,
                "created": manifest.created,
                **change.to_dict(),
            }

    def history(
        self, extractor: str, key: Mapping[str, str] | None = None, *, field: str | None = None
    ) -> "list[Version]":
        """The values that records had over time, since when, and on which page.

        `key` has values by which records are chosen; by default all records are. With `field`, only
        changes of that field count.
        """
        from rowen.recycling.history import history, of_field

        self._known(extractor)
        versions = history(self.place, extractor, self.snapshots(), key or {})
        return versions if field is None else of_field(versions, field)

    def _known(self, extractor: str) -> None:
        """Raise a `StoreError` if no snapshot has records of an extractor."""
        names = {name for manifest in self.snapshots() for name in manifest.extractors}
        if extractor not in names:
            raise StoreError(
                f"no records of {extractor!r} in {self.place.uri}; its extractors: "
                f"{', '.join(sorted(names)) or 'none'}"
            )

    def drop(self, *, keep: int = 1) -> int:
        """Keep only the newest snapshots; how many were removed."""
        if keep < 1:
            raise StoreError("the newest snapshot can't be dropped: the next run reuses it")
        # A run that is at work copies from the newest snapshot and refers to older texts.
        with self.place.locked():
            manifests = self.snapshots()
            gone, kept = manifests[:-keep], manifests[-keep:]
            if gone:
                # Killed at any point here, every file can still be read.
                make_whole(self.place, kept[0].folder)
                remove(self.place, gone, cut_off(self.place, kept))
        return len(gone)


def _pages(place: Place, manifest: Manifest, partition: int) -> Iterator[Page]:
    pages = Pages(place, manifest.folder, partition)
    for row, text in pages.all_texts():
        yield Page(text, id=pages.ids[row])
