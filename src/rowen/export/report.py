"""One page in the HTML report: its text with the records marked, and a table per extractor."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import count

from rowen.export.highlight import Edge, Extent, Gap, Mark, Piece, excerpts, pieces
from rowen.export.markup import markup
from rowen.model import Page, Span
from rowen.records import Record
from rowen.records.label import NESTING
from rowen.records.nested import Nested
from rowen.records.reading import Problems, value_of
from rowen.records.schema import TEXT, Field, Schema
from rowen.values.clean import clean
from rowen.values.display import display

REPORT_RECORDS = 1_000
"""Limit: how many records of a page the HTML report shows: more make the browser slow."""

REPORT_VALUE_CHARACTERS = 300
"""Limit: how much of a value a table cell shows; the whole value is marked in the text."""

REPORT_SOURCE_CHARACTERS = 6_000
"""Limit: how much of a value's source is read for a table cell."""

REPORT_NESTED = 100
"""Limit: how many records of a nested field a table cell shows."""

REPORT_CHARACTERS = 32 * 1024 * 1024
"""Limit: the length of an HTML report; further pages are only counted. Browsers still open this."""


_COLOURS = 8
_LINES = 3
_LONG_WORD = 18
"""Longer words may be broken at the edge of a cell."""

_SIDE_BY_SIDE = 4
"""A table with more columns needs the whole width, so it is shown above the text."""

_UNSAFE = {0: "\u2400", 13: "&#13;"}
"""HTML can't contain NUL, and its parser would turn a carriage return into a line feed."""


@dataclass(slots=True)
class Row:
    """A record in its table, with one mark per span; a field without marks is missing."""

    number: str
    depth: int
    cells: dict[str, list[Mark]]
    schema: Schema | None = None
    held: dict[str, list["Row"]] = field(default_factory=dict)
    """The records of nested fields; their marks are in `cells`, too."""


@dataclass(slots=True)
class Table:
    """The records of one extractor on the page."""

    extractor: str
    rows: list[Row] = field(default_factory=list)
    record_count: int = 0
    fields: dict[str, None] = field(default_factory=dict)


class PageReport:
    """Collects a page's records, one extractor after the other, and renders the page's section."""

    def __init__(self, page: Page, *, number: int) -> None:
        self.page = page
        self.number = number
        self._tables: list[Table] = []
        self._marks: list[Mark] = []
        self._extents: list[Extent] = []
        self._rows = 0
        self._keys = count(1)

    @property
    def record_count(self) -> int:
        """The number of records, shown or not."""
        return sum(table.record_count for table in self._tables)

    def add(self, records: Iterable[Record], *, extractor: str) -> int:
        """Add the records of an extractor, as many as there is room for; return their number."""
        table = Table(extractor)
        self._tables.append(table)
        for record in records:
            table.record_count += 1
            if self._rows < REPORT_RECORDS:
                self._place(record, table, number=str(table.record_count), depth=0)
        return table.record_count

    def _place(self, record: Record, table: Table, *, number: str, depth: int) -> list[Span]:
        """Add a row for the record and for each child; return all of their spans."""
        self._rows += 1
        named = f"{table.extractor} {number}".lstrip()
        row = self._row(record, record.schema, named)
        row.number, row.depth = number, depth
        cells = row.cells
        table.rows.append(row)
        table.fields.update(dict.fromkeys(cells))
        placed = len(self._extents)
        marks = [mark for cell in cells.values() for mark in cell]
        spans = [mark.span for mark in marks]
        self._marks += marks
        if depth < NESTING:
            for position, child in enumerate(record.children, 1):
                if self._rows >= REPORT_RECORDS:
                    break
                spans += self._place(child, table, number=f"{number}.{position}", depth=depth + 1)
        if spans:
            whole = Span(min(span.start for span in spans), max(span.end for span in spans))
            self._extents.insert(placed, Extent(whole, named))
        return spans

    def _row(
        self, record: Record, schema: Schema | None, named: str, *, within: str = "", depth: int = 0
    ) -> Row:
        """A row with the marks of a record; those of nested records have the outer field's name."""
        row = Row("", 0, {}, schema)
        stored = dict(record.stored())
        for name, spans in record.items():
            inner = stored.get(name)
            if isinstance(inner, Nested) and depth < NESTING:
                fields = None if schema is None else schema.field(name).fields
                held = [
                    self._row(each, fields, named, within=within or name, depth=depth + 1)
                    for each in inner
                ]
                row.held[name] = held
                row.cells[name] = [
                    mark for each in held for own in each.cells.values() for mark in own
                ]
            else:
                row.cells[name] = [
                    Mark(span, f"{self.number}-{next(self._keys)}", within or name, named)
                    for span in spans
                ]
        return row

    def render(self, fields: Mapping[str, object], *, unfolded: bool) -> Iterator[str]:
        """The section as HTML; `fields` are all fields of the report, in the legend's order."""
        markers = {name: marker(position) for position, name in enumerate(fields)}
        widest = max((len(table.fields) for table in self._tables), default=0)
        stacked = "" if widest <= _SIDE_BY_SIDE else " stacked"
        yield (
            f'<details class="page" id="page-{self.number}"{" open" * unfolded}>\n'
            f'<summary><span class="id">{_text(self.page.id)}</span> '
            f'<span class="count">{plural(self.record_count, "record")}</span></summary>\n'
            f'<div class="views{stacked}">\n'
        )
        yield from self._render_text(markers)
        yield from self._render_tables(markers)
        yield "</div>\n</details>\n"

    def _render_text(self, markers: Mapping[str, str]) -> Iterator[str]:
        text = self.page.text
        yield '<div class="text" tabindex="0" role="region" aria-label="Text" translate="no">'
        seen: set[str] = set()
        shown = excerpts(len(text), self._marks)
        for piece in pieces(len(text), shown, self._marks, self._extents, markup(text, shown)):
            match piece:
                case Piece(span):
                    yield _piece(_text(span.of(text)), piece, markers, seen)
                case Edge(record, ends):
                    yield _edge(record, "end" if ends else "start")
                case Gap(span):
                    yield f'<p class="gap">{plural(span.length, "character")} not shown</p>'
        yield "</div>\n"

    def _render_tables(self, markers: Mapping[str, str]) -> Iterator[str]:
        yield '<div class="records" tabindex="0" role="region" aria-label="Records">'
        for table in self._tables:
            yield from self._render_table(table, markers)
        yield "</div>\n"

    def _render_table(self, table: Table, markers: Mapping[str, str]) -> Iterator[str]:
        caption = f"<caption>{_text(table.extractor)}</caption>" if table.extractor else ""
        if not table.rows:
            none = '<td class="none">no records</td>'
            yield f"<table>{caption}<tbody><tr>{none}</tr></tbody></table>"
            return
        head = "".join(
            f'<th scope="col"><span class="chip {markers[name]}">{_text(name)}</span></th>'
            for name in table.fields
        )
        yield f'<table>{caption}<thead><tr><th scope="col">#</th>{head}</tr></thead><tbody>\n'
        for row in table.rows:
            cells = "".join(self._cell(row, name, markers) for name in table.fields)
            nested = f' class="nested" style="--depth:{row.depth}"' if row.depth else ""
            yield f'<tr{nested}><th scope="row">{row.number}</th>{cells}</tr>\n'
        yield "</tbody></table>\n"
        shown = sum(not row.depth for row in table.rows)
        if shown < table.record_count:
            hidden = plural(table.record_count - shown, "further record")
            yield f'<p class="none">{hidden} not shown</p>'

    def _cell(self, row: Row, name: str, markers: Mapping[str, str]) -> str:
        marks, field = row.cells.get(name), _field(row.schema, name)
        if marks is None:
            return "<td></td>"
        if row.held.get(name):
            return f"<td>{self._inner_table(row.held[name], markers)}</td>"
        if not marks:
            return '<td class="missing" title="missing on the page">&ndash;</td>'
        values = [(mark, *self._value(mark, field)) for mark in marks]
        words = (word for _, value, *_ in values for word in value.split())
        long = ' class="long"' if any(len(word) > _LONG_WORD for word in words) else ""
        links = (
            f'<a id="c{mark.key}" data-m="{mark.key}" class="{markers[mark.field]}" '
            f'href="#m{mark.key}"{_title(note)}>{_shown(value, left)}</a>'
            for mark, value, left, note in values
        )
        return f"<td{long}>{''.join(links)}</td>"

    def _inner_table(self, rows: list[Row], markers: Mapping[str, str]) -> str:
        """The records of a nested field as a table of their own."""
        names = dict.fromkeys(name for row in rows for name in row.cells)
        head = "".join(f'<th scope="col">{_text(name)}</th>' for name in names)
        body = "".join(
            f"<tr>{''.join(self._cell(row, name, markers) for name in names)}</tr>"
            for row in rows[:REPORT_NESTED]
        )
        more = len(rows) - REPORT_NESTED
        left = f'<p class="more">{plural(more, "further record")} not shown</p>' if more > 0 else ""
        inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        return f'<table class="inner">{inner}</table>{left}'

    def _value(self, mark: Mark, field: Field) -> tuple[str, int, str]:
        """A value as a reader sees it, how much of it is left out, and a note about it."""
        start, end = mark.span
        source = self.page.text[start : min(end, start + REPORT_SOURCE_CHARACTERS)]
        span = Span(start, start + len(source))
        problems: Problems = []
        text = display(value_of(self.page, span, field, problems))
        note = "" if text == source else f"in the source: {source}"
        if problems:
            text, note = clean(self.page, *span), problems[0][1]
        shown = text[:REPORT_VALUE_CHARACTERS]
        return shown, len(text) - len(shown) + end - span.end, note


def _field(schema: Schema | None, name: str) -> Field:
    """How a span of a field is read; spans of nested records are texts."""
    field = TEXT if schema is None else schema.field(name)
    return TEXT if field.fields is not None else replace(field, many=False)


def marker(position: int) -> str:
    """The CSS classes of a field: its colour and, beyond eight fields, its underline."""
    return f"f{position % _COLOURS} l{position // _COLOURS % _LINES}"


def plural(number: int, noun: str) -> str:
    """A number with its noun in the right form."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _piece(shown: str, piece: Piece, markers: Mapping[str, str], seen: set[str]) -> str:
    """A piece as HTML: nested marks where fields overlap; the innermost links to its cell."""
    if not piece.marks:
        classes = ["in"] * piece.in_record + ["markup"] * piece.in_markup
        if piece.in_markup and "\n" in shown:
            classes.append("lines")
        return f'<span class="{" ".join(classes)}">{shown}</span>' if classes else shown
    innermost = piece.marks[-1]
    reached = ' tabindex="-1"' if innermost.key in seen else ""
    hollow = " hollow" if not piece.span.length else ""
    html = f'<a href="#c{innermost.key}"{reached}>{shown}</a>'
    for mark in reversed(piece.marks):
        anchor = "" if mark.key in seen else f' id="m{mark.key}"'
        seen.add(mark.key)
        html = (
            f'<mark{anchor} data-m="{mark.key}" class="{markers[mark.field]}{hollow}" '
            f'title="{_text(mark.field)}, record {_text(mark.record)}">{html}</mark>'
        )
    return html


def _edge(record: str, kind: str) -> str:
    number = record.rpartition(" ")[2]
    return f'<i class="{kind}" data-n="{number}" title="record {_text(record)} {kind}s"></i>'


def _shown(value: str, left: int) -> str:
    if not value.strip():
        return f'<span class="blank">{"blank" if value else "empty"}</span>'
    return _text(value) + (f'<span class="more"> … {left:,} more</span>' if left else "")


def _title(note: str) -> str:
    return f' title="{_text(note[:REPORT_VALUE_CHARACTERS])}"' if note else ""


def _text(text: str) -> str:
    return escape(text).translate(_UNSAFE)
