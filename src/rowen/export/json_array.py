"""Records as one JSON array."""

from collections.abc import Iterable

from rowen.export.jsonl import RecordEncoder, encode_json
from rowen.export.target import Target
from rowen.export.writer import TargetWriter
from rowen.model import Page
from rowen.records import Record


class JsonWriter(TargetWriter):
    """An array of the objects that the jsonl format has on its lines, written at once."""

    def __init__(self, target: Target, *, name_extractor: bool) -> None:
        super().__init__(target)
        self._encoder = RecordEncoder(name_extractor=name_extractor)
        self._before = b"[\n"

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Add an element for each record."""
        for batch in self._encoder.batches(records, page=page, extractor=extractor):
            self._target.write(self._before + encode_json(",\n".join(batch)))
            self._before = b",\n"

    def _finish(self) -> None:
        self._target.write(b"[]\n" if self._before == b"[\n" else b"\n]\n")
