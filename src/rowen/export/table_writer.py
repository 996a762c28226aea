"""What all formats with columns share: rows at once if the columns are known, else at the end."""

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from rowen.export.jsonl import RecordEncoder
from rowen.export.plan import ALL, Plan
from rowen.export.spool import Spool
from rowen.export.target import Target
from rowen.export.unicode import encode
from rowen.export.writer import TargetWriter
from rowen.model import ExtractorError, Page
from rowen.model.text import SURROGATE
from rowen.records import Record, Records
from rowen.records.outline import Outline
from rowen.records.records import Rows
from rowen.records.written import Written, content_of


class TableWriter(TargetWriter):
    """Writes the tables of groups: of each extractor, or of all records together.

    If all fields are declared, the columns are known, and rows are written as they come. Otherwise
    records are spooled as JSON lines until the end.
    """

    by_extractor = False
    """Whether each extractor has tables of its own."""
    needs_outline = False
    """Whether declared fields are not enough, because columns depend on how often they occur."""

    def __init__(self, target: Target, plan: Plan) -> None:
        super().__init__(target)
        self.plan = plan
        self._encoder = RecordEncoder(name_extractor=True)
        self._outlines: dict[str, Outline] = {}
        self._spools: dict[str, Spool] = {}
        self._fields: dict[str, frozenset[str]] = {}
        self._numbers: tuple[str, str, int] = ("", "", 0)
        self._prepare()
        try:
            # At once, so that a table that does not exist is reported before any work is done.
            for group in self._groups():
                if not self.needs_outline and plan.known(group) is not None:
                    self._open_group(group)
        except BaseException:
            self._discard()
            raise

    def _prepare(self) -> None:
        """Open what the format needs before its first table."""

    def _groups(self) -> list[str]:
        return self.plan.extractors if self.by_extractor else [ALL]

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Write the rows of each record, or spool it."""
        group = extractor if self.by_extractor else ALL
        if group not in self._fields and group not in self._outlines:
            self._open_group(group)
        if group not in self._outlines:
            self._add(group, self._rows(records, group, page, extractor))
            return
        spool, outline = self._spools[group], self._outlines[group]
        rows = records.rows if isinstance(records, Records) else None
        # The native core writes them without Record objects, but keeps lone surrogates.
        if rows is not None and rows.rows and _is_encodable(rows):
            assert isinstance(records, Records)
            outline.widen_by_rows(rows.fields, records.schema)
            spool.write(self._encoder.lines(rows, records.schema, extractor=extractor))
            return
        seen = _seen(records, outline)
        for batch in self._encoder.batches(seen, page=page, extractor=extractor):
            batch.append("")
            spool.write(encode("\n".join(batch)))

    def _open_group(self, group: str) -> None:
        known = None if self.needs_outline else self.plan.known(group)
        if known is None:
            self._outlines[group] = self.plan.outline(group)
            self._spools[group] = Spool()
            return
        fields, schema = known
        self._fields[group] = frozenset(fields) | schema.keys()
        # A record's own schema may say more than the writer knows; columns follow the writer.
        self._begin(group, Outline(schema, fields))

    def _rows(
        self, records: Iterable[Record], group: str, page: Page, extractor: str
    ) -> Iterator[Written]:
        fields = self._fields[group]
        plan = self.plan
        for number, record in enumerate(records, self._first(page.id, extractor)):
            _check(record, fields, extractor)
            self._numbers = (page.id, extractor, number)
            content = content_of(record, source=plan.source, spans=plan.spans)
            yield Written(page.id, extractor, number, content)

    def _first(self, page: str, extractor: str) -> int:
        """The number of the next record: an extractor's records of a page may come in parts."""
        last_page, last_extractor, number = self._numbers
        return number + 1 if (page, extractor) == (last_page, last_extractor) else 1

    def _finish(self) -> None:
        for group in self._groups():
            if group not in self._fields and group not in self._outlines:
                self._open_group(group)
        for group, outline in self._outlines.items():
            self._begin(group, outline)
            self._add(group, self._spooled(self._spools[group]))
        self._end()

    def _spooled(self, spool: Spool) -> Iterator[Written]:
        self._numbers = ("", "", 0)
        for line in spool.lines():
            row: dict[str, Any] = json.loads(line)
            page, extractor = row["page"], row["extractor"]
            number = self._first(page, extractor)
            self._numbers = (page, extractor, number)
            yield Written(page, extractor, number, row, len(line))

    def _discard(self) -> None:
        for spool in self._spools.values():
            spool.close()

    @abstractmethod
    def _begin(self, group: str, outline: Outline) -> None:
        """Start the tables of a group."""

    @abstractmethod
    def _add(self, group: str, rows: Iterator[Written]) -> None:
        """Add records to the tables of a group."""

    @abstractmethod
    def _end(self) -> None:
        """Write what comes last."""


def _seen(records: Iterable[Record], outline: Outline) -> Iterator[Record]:
    for record in records:
        outline.widen(record)
        yield record


def _is_encodable(rows: Rows) -> bool:
    texts = (rows.page.text, rows.page.id, *rows.fields)
    return not any(SURROGATE.search(text) for text in texts if not text.isascii())


def _check(record: Record, fields: frozenset[str], extractor: str) -> None:
    """Refuse a field for which the header, already written, has no column."""
    for name, _ in record.stored():
        if name not in fields:
            raise ExtractorError(
                f"extractor {extractor!r} returned a field that it does not declare: {name!r}"
            )
    for child in record.children:
        _check(child, fields, extractor)
