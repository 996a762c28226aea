"""A sink of Parquet files: one per extractor, replaced as a whole when its records change.

A file has no transactions, but a rename puts a complete file in the place of the old one. The note
beside the files, which says what they hold, comes after them: after a crash in between, a file is
written once more.
"""

import json
import re
from pathlib import Path
from typing import Any, Self

from rowen.export import open_writer
from rowen.export.target import reporting
from rowen.files import write_file
from rowen.model.errors import OutputError
from rowen.sinks.sink import Counts, Delivery, Held

_NOTE = "rowen-sync.json"
_UNSAFE = re.compile(r"[^\w .-]")


class ParquetSink:
    """A folder with the file `EXTRACTOR.parquet` for each extractor."""

    def __init__(self, folder: str, *, prefix: str) -> None:
        self.target = folder
        self._prefix = prefix
        self._folder = Path(folder)
        with reporting(folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        self._notes = self._read_notes()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        """Nothing is open between two deliveries."""

    def held(self, extractor: str) -> Held | None:
        """Which snapshot of an extractor its file holds."""
        note = self._notes.get(self._file(extractor).name)
        if note is None or note["snapshot"] is None or not self._file(extractor).exists():
            return None
        return Held(note["snapshot"], note["identity"])

    def take(self, delivery: Delivery) -> Counts:
        """Write the file of an extractor anew."""
        path = self._file(delivery.extractor)
        note = self._notes.get(path.name)
        if note is None and path.exists():
            raise OutputError(
                f"{path} was not made by `rowen sync`: choose another folder or --prefix"
            )
        if note is not None and note["extractor"] != delivery.extractor:
            raise OutputError(
                f"{path} holds the records of {note['extractor']!r}: choose another --prefix"
            )
        # Noted before the file appears, so that a crash in between does not leave a foreign file.
        self._note(path, delivery.extractor, None, "")
        written = 0
        with open_writer(
            "parquet",
            path,
            fields=delivery.fields,
            schema=delivery.schema,
            snapshot=delivery.snapshot,
        ) as writer:
            for page, records in delivery.records():
                writer.write(records, page=page, extractor=delivery.extractor)
                written += len(records)
        self._note(path, delivery.extractor, delivery.snapshot, delivery.identity)
        return Counts(written, 0)

    def _file(self, extractor: str) -> Path:
        return self._folder / f"{_UNSAFE.sub('_', f'{self._prefix}{extractor}')}.parquet"

    def _note(self, path: Path, extractor: str, snapshot: int | None, identity: str) -> None:
        self._notes[path.name] = {
            "extractor": extractor,
            "snapshot": snapshot,
            "identity": identity,
        }
        with reporting(str(self._folder / _NOTE)):
            write_file(self._folder / _NOTE, json.dumps(self._notes, indent=1).encode())

    def _read_notes(self) -> dict[str, dict[str, Any]]:
        path = self._folder / _NOTE
        with reporting(str(path)):
            content = path.read_bytes() if path.exists() else b"{}"
        try:
            notes = json.loads(content)
            for note in notes.values():
                {**note}["extractor"], {**note}["snapshot"], {**note}["identity"]
        except (ValueError, TypeError, AttributeError, KeyError):
            raise OutputError(
                f"{path} is damaged: remove it and the Parquet files, and sync again"
            ) from None
        return dict(notes)
