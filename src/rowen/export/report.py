"""One page in the HTML report: its text with the records marked, and the tables of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import count

from rowen.export.highlight import Edge, Extent, Gap, Mark, Piece, excerpts, pieces
from rowen.export.markup import markup
from rowen.limits import NESTING, REPORT_RECORDS, REPORT_VALUE_CHARACTERS
from rowen.model import Page, Record, Span

_COLOURS = 8
_LINES = 3
_LONG_WORD = 18
"""A longer word is broken where a cell ends."""

_SIDE_BY_SIDE = 4
"""A table of more columns needs the whole width, so it stands above the text."""

_UNSAFE = {0: "\u2400", 13: "&#13;"}  # what HTML can't hold, and what its parser would turn to \n


@dataclass(slots=True)
class Row:
    """A record in its table, with one mark a span; a field without marks is missing."""

    number: str
    depth: int
    cells: dict[str, list[Mark]]


@dataclass(slots=True)
class Table:
    """What one extractor found on the page."""

    extractor: str
    rows: list[Row] = field(default_factory=list)
    found: int = 0
    fields: dict[str, None] = field(default_factory=dict)


class PageReport:
    """Takes a page's records, extractor after extractor, and renders the page's section."""

    def __init__(self, page: Page, *, number: int) -> None:
        self.page = page
        self.number = number
        self._tables: list[Table] = []
        self._marks: list[Mark] = []
        self._extents: list[Extent] = []
        self._rows = 0
        self._keys = count(1)

    @property
    def found(self) -> int:
        """How many records there are, shown or not."""
        return sum(table.found for table in self._tables)

    def add(self, records: Iterable[Record], *, extractor: str) -> int:
        """Take what an extractor found, as far as there is room; give the number of records."""
        table = Table(extractor)
        self._tables.append(table)
        for record in records:
            table.found += 1
            if self._rows < REPORT_RECORDS:
                self._place(record, table, number=str(table.found), depth=0)
        return table.found

    def _place(self, record: Record, table: Table, *, number: str, depth: int) -> list[Span]:
        """Give the record and its children a row each; the answer is all of their spans."""
        self._rows += 1
        named = f"{table.extractor} {number}".lstrip()
        cells = {
            name: [Mark(span, f"{self.number}-{next(self._keys)}", name, named) for span in spans]
            for name, spans in record.items()
        }
        table.rows.append(Row(number, depth, cells))
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

    def render(self, fields: Mapping[str, object], *, unfolded: bool) -> Iterator[str]:
        """The section as HTML; `fields` are all of the report's, in the legend's order."""
        markers = {name: marker(position) for position, name in enumerate(fields)}
        widest = max((len(table.fields) for table in self._tables), default=0)
        stacked = "" if widest <= _SIDE_BY_SIDE else " stacked"
        yield (
            f'<details class="page" id="page-{self.number}"{" open" * unfolded}>\n'
            f'<summary><span class="id">{_text(self.page.id)}</span> '
            f'<span class="count">{plural(self.found, "record")}</span></summary>\n'
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
            cells = "".join(self._cell(row.cells.get(name), markers) for name in table.fields)
            nested = f' class="nested" style="--depth:{row.depth}"' if row.depth else ""
            yield f'<tr{nested}><th scope="row">{row.number}</th>{cells}</tr>\n'
        yield "</tbody></table>\n"
        shown = sum(not row.depth for row in table.rows)
        if shown < table.found:
            yield f'<p class="none">{plural(table.found - shown, "further record")} not shown</p>'

    def _cell(self, marks: list[Mark] | None, markers: Mapping[str, str]) -> str:
        if marks is None:
            return "<td></td>"
        if not marks:
            return '<td class="missing" title="known to be missing">&ndash;</td>'
        words = (word for mark in marks for word in self._value(mark).split())
        long = ' class="long"' if any(len(word) > _LONG_WORD for word in words) else ""
        links = (
            f'<a id="c{mark.key}" data-m="{mark.key}" class="{markers[mark.field]}" '
            f'href="#m{mark.key}">{_shown(self._value(mark), mark.span.length)}</a>'
            for mark in marks
        )
        return f"<td{long}>{''.join(links)}</td>"

    def _value(self, mark: Mark) -> str:
        start, end = mark.span
        return self.page.text[start : min(end, start + REPORT_VALUE_CHARACTERS)]


def marker(position: int) -> str:
    """The classes that tell a field by its colour and, beyond eight fields, by its line."""
    return f"f{position % _COLOURS} l{position // _COLOURS % _LINES}"


def plural(number: int, noun: str) -> str:
    """The number with its noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _piece(shown: str, piece: Piece, markers: Mapping[str, str], seen: set[str]) -> str:
    """A piece's HTML: marks inside marks where fields overlap; the innermost leads to its cell."""
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


def _shown(value: str, length: int) -> str:
    if not value.strip():
        return f'<span class="blank">{"blank" if value else "empty"}</span>'
    left = length - len(value)
    return _text(value) + (f'<span class="more"> … {left:,} more</span>' if left else "")


def _text(given: str) -> str:
    return escape(given).translate(_UNSAFE)
