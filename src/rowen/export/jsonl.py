"""Records as JSON, a line a record: the form that all other tools of Rowen read."""

from collections.abc import Iterable, Iterator
from itertools import islice
from json.encoder import encode_basestring as quote

from rowen._core import json_lines
from rowen.export.target import Target
from rowen.export.writer import TargetWriter
from rowen.model import Page, Record, Records, Span
from rowen.model.records import Rows

BATCH = 256
"""So many records are put together before they are written."""


class JsonlWriter(TargetWriter):
    """A JSON object a line: page, values, spans and children."""

    def __init__(self, target: Target, *, name_extractor: bool) -> None:
        super().__init__(target)
        self._encoder = RecordEncoder(name_extractor=name_extractor)

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Add a line for each record."""
        if isinstance(records, Records) and records.rows is not None:
            self._target.write(self._encoder.lines(records.rows, extractor=extractor))
            return
        for batch in self._encoder.batches(records, page=page, extractor=extractor):
            batch.append("")
            self._target.write(encode_json("\n".join(batch)))

    def _finish(self) -> None:
        pass


class RecordEncoder:
    """Writes records as JSON objects, three times as fast as `json.dumps(record.to_dict())`.

    The objects are put together as text: their shape is known, only the strings need an encoder.
    """

    def __init__(self, *, name_extractor: bool) -> None:
        self._name_extractor = name_extractor
        self._keys: dict[str, str] = {}
        self._row_keys: dict[tuple[str, ...], list[bytes]] = {}

    def lines(self, rows: Rows, *, extractor: str) -> bytes:
        """The objects of a page's flat records, a line each, by the native core."""
        if not rows.rows:
            return b""
        keys = self._row_keys.get(rows.fields)
        if keys is None:
            keys = [encode_json(f"{quote(name)}: ") for name in rows.fields]
            self._row_keys[rows.fields] = keys
        head = encode_json(self._head(rows.page, extractor))
        return json_lines(rows.page.text, rows.rows, head=head, keys=keys)

    def batches(
        self, records: Iterable[Record], *, page: Page, extractor: str
    ) -> Iterator[list[str]]:
        """The objects of a page's records, a bounded number at a time."""
        head = self._head(page, extractor)
        source = iter(records)
        while batch := self._encode(islice(source, BATCH), head, page.text):
            yield batch

    def _head(self, page: Page, extractor: str) -> str:
        named = f'"extractor": {quote(extractor)}, ' if self._name_extractor else ""
        return f'{{"page": {quote(page.id)}, {named}"values": {{'

    def _encode(self, records: Iterable[Record], head: str, text: str) -> list[str]:
        keys = self._keys
        encoded: list[str] = []
        for record in records:
            values = spans = ""
            for name, where in record._spans.items():  # noqa: SLF001  # items() takes half the time
                try:
                    key = keys[name]
                except KeyError:
                    key = keys[name] = f"{quote(name)}: "
                if isinstance(where, Span):
                    start = where[0]
                    end = where[1]
                    value = quote(text[start:end])
                    place = f"[{start}, {end}]"
                elif where is None:
                    value = place = "null"
                else:
                    value = f"[{', '.join([quote(text[start:end]) for start, end in where])}]"
                    place = f"[{', '.join([f'[{start}, {end}]' for start, end in where])}]"
                if values:
                    values = f"{values}, {key}{value}"
                    spans = f"{spans}, {key}{place}"
                else:
                    values = key + value
                    spans = key + place
            nested = ""
            if record.children:
                nested = ", ".join(self._encode(record.children, '{"values": {', text))
            encoded.append(f'{head}{values}}}, "spans": {{{spans}}}, "children": [{nested}]}}')
        return encoded


def encode_json(text: str) -> bytes:
    r"""JSON as UTF-8; lone surrogates become JSON's own escapes, `\udXXX`."""
    return text.encode("utf-8", "backslashreplace")
