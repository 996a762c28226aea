"""A sink of Iceberg tables (`pip install rowen[iceberg]`).

    pages that differ ──▶ rows on disk ──▶ delete ids, append rows, note the snapshot ──▶ one commit

An extractor has one table, with nested fields inside: a catalog commits one table at a time, so
tables of their own could be of another snapshot than the table of their records.
"""

import re
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import pyarrow as pa

from rowen.export.target import reporting
from rowen.model.errors import OutputError, RowenError, UsageError
from rowen.model.extras import needs
from rowen.model.text import replace_surrogates
from rowen.records.arrow import arrow_array, arrow_type
from rowen.sinks.layout import RECORD_ID, Layout, Row, Table
from rowen.sinks.sink import Counts, Delivery, Held

with needs("iceberg", "an Iceberg target"):
    from pyiceberg.catalog import Catalog, load_catalog
    from pyiceberg.exceptions import CommitFailedException, NoSuchTableError
    from pyiceberg.expressions import AlwaysTrue, In
    from pyiceberg.table import Table as IcebergTable
    from pyiceberg.table import Transaction

NAMESPACE = "rowen"
"""The namespace of the tables, if the target names none."""

BATCH_ROWS = 20_000
"""Limit: rows of an Iceberg table that are in memory until they are written to a temporary file."""

FILE_BYTES = 64 * 1024 * 1024
"""Limit: bytes of rows in a data file of an Iceberg table: a file with a row to delete is in memory
while it is rewritten."""

_SNAPSHOT, _IDENTITY, _LAYOUT = "rowen.snapshot", "rowen.identity", "rowen.layout"
_EXTRACTOR, _PREFIX = "rowen.extractor", "rowen.prefix"
_UNFINISHED = {_SNAPSHOT: "unfinished"}
"""Of the steps before the last one of a commit: a table that is rolled back to one is compared."""

_SEPARATORS = re.compile(r"[^\w -]")
"""What the name of a table may not have: it is a folder, too."""


class IcebergSink:
    """The tables of a catalog.

    `place` is a folder, which has its catalog in an SQLite database, or `//CATALOG/NAMESPACE`: a
    catalog of PyIceberg's own configuration.
    """

    def __init__(self, place: str, *, prefix: str) -> None:
        self.target = f"iceberg:{place}"
        self._prefix = prefix
        if place.startswith("//"):
            address = urlsplit(place)
            self._namespace = tuple(address.path.strip("/").split("/")) if address.path else ()
            self._catalog = self._configured(address.netloc)
        else:
            self._namespace = ()
            self._catalog = self._in_folder(Path(place).absolute())
        if not any(self._namespace):
            self._namespace = (NAMESPACE,)
        with self._reporting():
            self._catalog.create_namespace_if_not_exists(self._namespace)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._catalog.close()

    def _configured(self, name: str) -> Catalog:
        if not name:
            raise UsageError(f"{self.target!r} names no catalog: write iceberg://CATALOG/NAMESPACE")
        try:
            return load_catalog(name)
        except Exception as error:
            raise UsageError(
                f"can't open the catalog {name!r} of PyIceberg's configuration "
                f"(.pyiceberg.yaml, PYICEBERG_CATALOG__...): {_line(error)}"
            ) from error

    def _in_folder(self, folder: Path) -> Catalog:
        if any(mark in str(folder) for mark in "?#%"):
            raise UsageError(f"{folder}: the folder of Iceberg tables can't have ?, # or % in it")
        with reporting(str(folder)):
            folder.mkdir(parents=True, exist_ok=True)
        with needs("iceberg", "a folder of Iceberg tables"):
            from pyiceberg.catalog.sql import SqlCatalog
            from sqlalchemy import URL
        database = URL.create("sqlite", database=str(folder / "catalog.sqlite"))
        with self._reporting():
            return SqlCatalog(
                "rowen", uri=database.render_as_string(), warehouse=f"file://{folder}"
            )

    def held(self, extractor: str) -> Held | None:
        """Which snapshot of an extractor its table holds: what the newest commit of ours says."""
        with self._reporting():
            table = self._find(extractor)
            return _held(table) if table is not None else None

    def take(self, delivery: Delivery) -> Counts:
        """Take over a delivery in one commit."""
        with self._reporting():
            table = self._find(delivery.extractor)
        layout = Layout(delivery.extractor, _named, self._prefix, nested="inside")
        if table is not None and not delivery.rebuild and _LAYOUT in table.properties:
            layout.restore(table.properties[_LAYOUT])
        layout.adopt(delivery.schema, delivery.fields, ())
        with tempfile.TemporaryDirectory(prefix="rowen-") as folder:
            rows = _Rows(layout, Path(folder), delivery.schema.keys_of_records)
            rows.compare(delivery)
            with self._reporting(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # PyIceberg warns of deletes without rows
                return self._commit(delivery, table, layout, rows)

    def _commit(
        self, delivery: Delivery, table: IcebergTable | None, layout: Layout, rows: "_Rows"
    ) -> Counts:
        root = layout.tables[()]
        properties = {
            _EXTRACTOR: delivery.extractor,
            _PREFIX: self._prefix,
            _LAYOUT: layout.to_json(),
        }
        schema = _arrow_schema(root)
        deleted = rows.deleted
        if table is None:
            change: Transaction = self._catalog.create_table_transaction(
                self._identifier(delivery.extractor),
                schema,
                properties={**properties, "write.target-file-size-bytes": str(FILE_BYTES)},
            )
        else:
            change = _once(table)
            if delivery.whole:
                deleted = rows.not_among(_ids(table))
                if table.current_snapshot() is not None:
                    change.delete(AlwaysTrue(), snapshot_properties=_UNFINISHED)
            elif rows.replaced:
                gone = In(RECORD_ID, rows.replaced)  # type: ignore[call-arg, arg-type]  # as pydantic's
                change.delete(gone, snapshot_properties=_UNFINISHED)
            if delivery.rebuild:
                with change.update_schema(allow_incompatible_changes=True) as update:
                    for field in change.table_metadata.schema().fields:
                        if field.name not in schema.names[: len(root.leading)]:
                            update.delete_column((field.name,))
            with change.update_schema() as update:
                update.union_by_name(schema)
            change.set_properties(properties)
        # Also where no row is new: this step bears the number of the snapshot.
        note = {_SNAPSHOT: str(delivery.snapshot), _IDENTITY: delivery.identity}
        change.append(rows.reader(schema), snapshot_properties=note)
        try:
            change.commit_transaction()
        except CommitFailedException as error:
            raise OutputError(
                f"another program has changed {'.'.join(self._identifier(delivery.extractor))} in "
                f"{self.target} meanwhile: sync again ({_line(error)})"
            ) from error
        return Counts(rows.written, deleted)

    def _identifier(self, extractor: str) -> tuple[str, ...]:
        name = _SEPARATORS.sub("_", replace_surrogates(f"{self._prefix}{extractor}"))
        return (*self._namespace, name)

    def _find(self, extractor: str) -> IcebergTable | None:
        """The table of an extractor; OutputError if it is not ours."""
        identifier = self._identifier(extractor)
        try:
            table = self._catalog.load_table(identifier)
        except NoSuchTableError:
            return None
        owner = table.properties.get(_EXTRACTOR)
        if owner is None:
            raise OutputError(
                f"{self.target} has a table {'.'.join(identifier)!r} that `rowen sync` did not "
                "make: choose other names with --prefix"
            )
        if (owner, table.properties.get(_PREFIX)) != (extractor, self._prefix):
            raise OutputError(
                f"the table {'.'.join(identifier)!r} of {self.target} holds the records of "
                f"{owner!r}: choose another --prefix"
            )
        return table

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except RowenError:
            raise
        except Exception as error:
            raise OutputError(f"can't write {self.target}: {_line(error)}") from error


class _Rows:
    """The rows to write, in temporary files, and the ids of those to delete."""

    def __init__(self, layout: Layout, folder: Path, keys: Sequence[str]) -> None:
        self.written = 0
        self.deleted = 0
        self.replaced: list[str] = []
        """The ids of rows that are in the table and have other values now, or are gone."""
        self._layout = layout
        self._table = layout.tables[()]
        self._folder = folder
        self._keys = keys
        self._waiting: list[Row] = []
        self._files: list[Path] = []

    def compare(self, delivery: Delivery) -> None:
        """Find the rows that differ."""
        for before, after in delivery.pages:
            for record in after:
                if missing := self._layout.missing(record):
                    self._flush()  # rows that wait have no cells for the new columns
                    self._layout.widen(missing)
            old, new = self._by_id(before), self._by_id(after)
            for row_id, row in new.items():
                if old.get(row_id) != row:
                    self._waiting.append(row)
                    self.written += 1
            self.replaced += [row_id for row_id, row in old.items() if new.get(row_id) != row]
            self.deleted += len(old.keys() - new.keys())
            if len(self._waiting) >= BATCH_ROWS:
                self._flush()
        self._flush()

    def _by_id(self, records: Sequence[Any]) -> dict[str, Row]:
        return {row_id: row for _, row_id, row in self._layout.rows(records, self._keys)}

    def _flush(self) -> None:
        if not self._waiting:
            return
        arrays = [
            arrow_array([row[number] for row in self._waiting], column)
            for number, column in enumerate(self._table.all_columns)
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=_arrow_schema(self._table))
        path = self._folder / f"{len(self._files)}.arrow"
        with reporting(str(path)), pa.ipc.new_file(path, batch.schema) as file:
            file.write(batch)
        self._files.append(path)
        self._waiting = []

    def _batches(self) -> Iterator[pa.RecordBatch]:
        for path in self._files:
            with pa.ipc.open_file(path) as file:
                for number in range(file.num_record_batches):
                    yield file.get_batch(number)

    def reader(self, schema: pa.Schema) -> pa.RecordBatchReader:
        """All rows; a column that an earlier batch did not know is empty there."""

        def widened() -> Iterator[pa.RecordBatch]:
            for batch in self._batches():
                known = set(batch.schema.names)
                arrays = [
                    batch[field.name]
                    if field.name in known
                    else pa.nulls(batch.num_rows, field.type)
                    for field in schema
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, widened())

    def not_among(self, ids: pa.ChunkedArray) -> int:
        """How many ids of a table are in no row that is written."""
        import pyarrow.compute as pc

        new = [batch[RECORD_ID] for batch in self._batches()]
        kept = pc.is_in(ids, value_set=pa.chunked_array(new, pa.string()))
        return len(ids) - int(pc.sum(kept).as_py() or 0)


def _once(table: IcebergTable) -> Transaction:
    """A transaction that is committed on the table as it was read, or not at all.

    PyIceberg would put it on top of what another program has committed meanwhile. If that is
    another synchronisation, its rows would be in the table twice.
    """
    only_once = {**table.properties, "commit.retry.num-retries": "0"}
    table.metadata = table.metadata.model_copy(update={"properties": only_once})
    return table.transaction()


def _held(table: IcebergTable) -> Held | None:
    """The snapshot that a table holds; other programs may have compacted it since."""
    snapshot = table.current_snapshot()
    while snapshot is not None:
        said = snapshot.summary.additional_properties if snapshot.summary is not None else {}
        if number := said.get(_SNAPSHOT):
            return Held(int(number), said.get(_IDENTITY, "")) if number.isdecimal() else None
        parent = snapshot.parent_snapshot_id
        snapshot = table.snapshot_by_id(parent) if parent is not None else None
    return None


def _ids(table: IcebergTable) -> pa.ChunkedArray:
    return table.scan(selected_fields=(RECORD_ID,)).to_arrow()[RECORD_ID].cast(pa.string())


def _arrow_schema(table: Table) -> pa.Schema:
    return pa.schema([(column.name, arrow_type(column)) for column in table.all_columns])


def _named(wanted: str, taken: set[str]) -> str:
    """The name of a column; a dot would name a field inside of another."""
    plain = replace_surrogates(wanted).replace(".", "_").replace("\0", "_") or "_"
    lower = {name.lower() for name in taken}
    name, number = plain, 1
    while name.lower() in lower:
        number += 1
        name = f"{plain}_{number}"
    return name


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).strip()}".split("\n")[0]
