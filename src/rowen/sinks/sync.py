"""Bring a sink to the newest snapshot of a store, from whichever snapshot it holds.

    store   0 ── 1 ── 2 ── 3 ── 4         the sink holds 1: only pages that differ between
    sink         1 ─────────────▶ 4       1 and 4 are read, and only rows that differ are written

Each extractor is one transaction that also writes the number of the snapshot. So a synchronisation
that is killed leaves the sink at the old snapshot or at the new one, and the next one goes on.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TypeAlias

from rowen.model.errors import StoreError
from rowen.recycling.changes import all_pages, changed_pages
from rowen.sinks import open_sink
from rowen.sinks.identity import identity_of
from rowen.sinks.sink import Delivery, Held, PageRecords, Sink
from rowen.storage.snapshots.manifest import Manifest
from rowen.store import Store

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Called with an extractor, how many pages were compared, and how many there are if known."""


@dataclass(frozen=True, slots=True)
class Synced:
    """What was done for one extractor.

    >>> Synced("books", snapshot=4, previous=3, written=12, deleted=1).to_dict()["written"]
    12
    """

    extractor: str
    snapshot: int
    """The snapshot that the sink now holds."""
    previous: int | None
    """The one that it held before; None if it was filled anew."""
    written: int
    """Rows of records that were inserted or updated."""
    deleted: int

    def to_dict(self) -> dict[str, str | int | None]:
        """The report as it is written to files."""
        return {column.name: getattr(self, column.name) for column in fields(self)}


def sync(
    store: Store | str,
    to: str,
    *,
    extractors: Collection[str] = (),
    prefix: str = "",
    rebuild: bool = False,
    progress: Progress | None = None,
) -> list[Synced]:
    r"""Copy the newest records of a store into a database or files, and later only what changed.

    `to` is `sqlite:FILE`, `duckdb:FILE`, `postgresql://USER@HOST/DATABASE`, `parquet:DIR`,
    `iceberg:DIR` or `iceberg://CATALOG/NAMESPACE`. Each extractor has a table of its name, after
    `prefix`; in databases there is one for each nested field, too. By default all extractors of the
    store are copied. `rebuild` drops their tables and fills them anew.

    >>> import rowen
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")
    >>> store = rowen.Store("store")
    >>> _ = store.run([rooms], {"a.html": "CS 105", "b.html": "CS 310"})
    >>> [(done.written, done.deleted) for done in rowen.sync(store, "sqlite:rooms.sqlite")]
    [(2, 0)]
    >>> _ = store.run([rooms], {"a.html": "CS 105", "b.html": "CS 311"})
    >>> [(done.written, done.deleted) for done in rowen.sync(store, "sqlite:rooms.sqlite")]
    [(1, 1)]
    """
    opened = store if isinstance(store, Store) else Store(store, create=False)
    manifests = opened.snapshots()
    known = list(dict.fromkeys(name for manifest in manifests for name in manifest.extractors))
    if not known:
        raise StoreError(f"{opened.place.uri} has no snapshots yet: `rowen run` adds one")
    for name in extractors:
        if name not in known:
            raise StoreError(
                f"no records of {name!r} in {opened.place.uri}; its extractors: {', '.join(known)}"
            )
    chosen = [name for name in known if name in extractors or not extractors]
    with open_sink(to, prefix=prefix) as sink:
        return [
            _sync_extractor(opened, sink, name, manifests, rebuild=rebuild, progress=progress)
            for name in chosen
        ]


def _sync_extractor(
    store: Store,
    sink: Sink,
    extractor: str,
    manifests: Sequence[Manifest],
    *,
    rebuild: bool,
    progress: Progress | None,
) -> Synced:
    # A run may be of some extractors only: each has a newest snapshot of its own.
    holding = [manifest for manifest in manifests if extractor in manifest.extractors]
    newest = holding[-1]
    held = None if rebuild else sink.held(extractor)
    if held is not None and held == Held(newest.number, identity_of(newest)):
        return Synced(extractor, newest.number, newest.number, 0, 0)
    base = _base(sink, extractor, holding, held)
    if base is None:
        total: int | None = newest.pages
        pages: Iterator[PageRecords] = (
            ([], records) for records in all_pages(store.place, extractor, newest)
        )
    else:
        total = None
        pages = changed_pages(store.place, extractor, base, newest)
    counts = sink.take(
        Delivery(
            extractor=extractor,
            snapshot=newest.number,
            created=newest.created,
            identity=identity_of(newest),
            schema=newest.schema(extractor),
            fields=tuple(newest.fields.get(extractor, ())),
            pages=_counted(pages, extractor, total, progress),
            records=partial(store.each, extractor, newest.number),
            whole=base is None,
            rebuild=rebuild,
        )
    )
    previous = base.number if base is not None else None
    return Synced(extractor, newest.number, previous, counts.written, counts.deleted)


def _base(
    sink: Sink, extractor: str, holding: Sequence[Manifest], held: Held | None
) -> Manifest | None:
    """The snapshot that the sink holds; None if all records must be compared.

    That is so for a new sink, and for one whose snapshot was pruned.
    """
    if held is None or held.snapshot < holding[0].number:
        return None
    for manifest in holding:
        if held == Held(manifest.number, identity_of(manifest)):
            return manifest
    raise StoreError(
        f"{sink.target} holds records of {extractor!r} from snapshot {held.snapshot} of another "
        "store: choose another target or prefix, or replace them with rebuild"
    )


def _counted(
    pages: Iterator[PageRecords], extractor: str, total: int | None, progress: Progress | None
) -> Iterator[PageRecords]:
    for number, page in enumerate(pages):
        if progress is not None:
            progress(extractor, number, total)
        yield page
