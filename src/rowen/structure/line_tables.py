"""Tables of lines of text: in `<pre>` elements, and on pages without any tags.

    Station  Name          Temp          KBOS;Boston Logan;12.5
    ---------------------------          KJFK;New York JFK;14.0
    KBOS     Boston Logan  12.5          KSEA;Seattle;9.1
    KJFK     New York JFK  14.0

    gaps     characters 5 to 8, 21 and 22 are blank in nearly all lines
    cells    nearly all lines have two ";"

Each layout that a block of lines has is tried on all pages. A gap inside dates or prices is none.
What a wrapper of class `lines` finds with it are the table's records.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rowen.model import Page
from rowen.records import Record
from rowen.structure.column_names import distinct_names
from rowen.structure.column_types import ANY_ORDER, type_of
from rowen.structure.columns import SURE_TYPES
from rowen.text.data.names import plain_name
from rowen.wrappers.lines import SEPARATORS, Column, Line, Lines, blocks_of

LEAST = 3
"""So many lines make a table: two may agree by chance."""

LINES = 400
"""Limit: at most so many lines of a block show its layout."""

WIDTH = 1_000
"""Limit: longer lines are prose."""

CROSSED = 0.1
"""Words of at most this share of the lines are in a gap: these are titles and notes."""

NARROW = 6
"""A single blank is a gap if there are so many lines: in fewer ones words may end together."""

ALIKE = 0.8
"""This share of the lines has the same number of cells."""

COMMAS = 3
"""So many cells between commas make a table: sentences have a comma, too."""

CELL = 60
"""Half of the cells between separators are at most so long, else they are prose."""

JOINED = 4
"""Limit: so many columns side by side may be one date or price."""

FILLED = 0.15
OFTEN = 0.8
"""A column has a value in this share of the records, and is required with the second."""

COLUMNS = 60
"""Limit: a table has at most so many columns."""

LAYOUTS = 12
"""Limit: at most so many layouts are tried on all pages."""


_WIDE = re.compile(r"\s{2,}")
_WORDS = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the columns of lines are, and what their header calls them."""

    columns: tuple[Column, ...]
    names: tuple[str, ...]
    separator: str = ""
    cells: int = 0
    ruled: bool = False

    def wrapper(self, names: Sequence[str], required: Sequence[str] = ()) -> Lines:
        """The wrapper that finds records of this layout."""
        return Lines(
            names,
            places=dict(zip(names, self.columns, strict=True)),
            required=required,
            ruled=self.ruled,
            separator=self.separator,
            cells=self.cells,
        )


def line_tables(pages: Sequence[Page]) -> Iterator[tuple[Lines, list[Record]]]:
    """The wrapper of each table of lines on some pages, with its records."""
    layouts: Counter[Layout] = Counter()
    for page in pages:
        for block in blocks_of(page.text):
            layouts.update({layout: len(block) for layout in _layouts(block)})
    for layout, _ in layouts.most_common(LAYOUTS):
        found = _table(layout, pages)
        if found is not None:
            yield found


def _table(layout: Layout, pages: Sequence[Page]) -> tuple[Lines, list[Record]] | None:
    """The wrapper for the columns that have values and vary; None where fewer than two do."""
    plain = [f"column_{number}" for number in range(1, len(layout.columns) + 1)]
    wrapper = layout.wrapper(plain)
    rows = [
        {name: _texts(record, spans) for name, spans in record.items()}
        for page in pages
        for record in wrapper.extract(page)
    ]
    values = [[row[name] for row in rows if row[name]] for name in plain]
    kept = [
        number
        for number, own in enumerate(values)
        if len(own) >= max(LEAST, FILLED * len(rows)) and len(set(own)) > 1 and _is_read(own)
    ]
    if len(kept) < 2:
        return None
    names = distinct_names([layout.names[number] or plain[number] for number in kept])
    often = [
        name
        for name, number in zip(names, kept, strict=True)
        if len(values[number]) >= OFTEN * len(rows)
    ]
    columns = tuple(layout.columns[number] for number in kept)
    own = Layout(columns, tuple(names), layout.separator, layout.cells, layout.ruled)
    # Columns that are left out may cross words that no other column does: now more lines may fit.
    made = own.wrapper(names, often)
    records = [record for page in pages for record in made.extract(page)]
    return (made, records) if len(records) >= LEAST else None


def _texts(record: Record, spans: Sequence[tuple[int, int]]) -> str:
    return " ".join(record.page.text[slice(*span)] for span in spans)


def _is_read(values: Sequence[str]) -> bool:
    return any(any(map(str.isalnum, value)) for value in values)


def _layouts(block: Sequence[Line]) -> Iterator[Layout]:
    """The layouts that a block of lines may have."""
    written = [line for line in block if line.text.strip() and not line.is_rule][:LINES]
    if len(written) < LEAST or max(len(line.text) for line in written) > WIDTH:
        return
    for separator in SEPARATORS:
        if layout := _separated(written, separator):
            yield layout
    rule = next((at for at, line in enumerate(block) if line.is_rule), None)
    if rule is not None:
        after = [line for line in block[rule + 1 :] if line.text.strip() and not line.is_rule]
        edges = _drawn(block[rule]) or _gaps(after[:LINES])
        heads = [line for line in block[:rule] if line.text.strip()]
        if len(after) >= LEAST and edges:
            yield _layout(edges, after[:LINES], heads[-1] if heads else None, ruled=True)
    # The words of a header may be longer than its columns: it is no measure of them.
    header, body = written[0], written[1:]
    if edges := _gaps(body):
        layout = _layout(edges, body, header, ruled=False)
        pairs = [(column.first, column.last) for column in layout.columns]
        if _is_header(_pieces(header, pairs), [column.digits for column in layout.columns]):
            yield layout
            return
    if edges := _gaps(written):
        yield _layout(edges, written, None, ruled=False)


def _separated(lines: Sequence[Line], separator: str) -> Layout | None:
    """Cells between separators, where nearly all lines have the same number of them."""
    rows = [line.cells(separator) for line in lines]
    cells, count = Counter(map(len, rows)).most_common(1)[0]
    least = COMMAS if separator == "," else 2
    if not least <= cells <= COLUMNS or count < max(LEAST, ALIKE * len(lines)):
        return None
    texts = [
        [line.text[slice(*cell)] if cell else "" for cell in row]
        for line, row in zip(lines, rows, strict=True)
        if len(row) == cells
    ]
    lengths = sorted(len(text) for row in texts for text in row if text)
    if not lengths or lengths[len(lengths) // 2] > CELL:
        return None
    digits = [_have_digits([row[number] for row in texts[1:]]) for number in range(cells)]
    columns = tuple(Column(number, None, digits[number]) for number in range(cells))
    header = texts[0] if _is_header(texts[0], digits) else [""] * cells
    return Layout(columns, tuple(map(plain_name, header)), separator, cells)


def _have_digits(texts: Sequence[str]) -> bool:
    """Whether texts have a digit as a rule."""
    own = [text for text in texts if text]
    return bool(own) and sum(any(map(str.isdigit, text)) for text in own) > OFTEN * len(own)


def _is_header(texts: Sequence[str], digits: Sequence[bool]) -> bool:
    """Whether the columns with digits have none here, most of them."""
    own = [text for text, has in zip(texts, digits, strict=True) if has and text]
    return bool(own) and 2 * sum(any(map(str.isdigit, text)) for text in own) < len(own)


def _drawn(rule: Line) -> list[int]:
    """The blanks before the pieces of a drawn line, but for the first: `---  ----  ---`."""
    text = rule.text
    return [
        at - 1
        for at in range(1, len(text))
        if not text[at].isspace() and text[at - 1].isspace() and text[:at].strip()
    ]


def _gaps(lines: Sequence[Line]) -> list[int]:
    """A blank place in each gap that nearly all lines have between their words."""
    if len(lines) < LEAST:
        return []
    width = max(len(line.text) for line in lines)
    is_word = np.zeros((len(lines), width + 1), bool)
    for number, line in enumerate(lines):
        is_word[number, : len(line.text)] = [not sign.isspace() for sign in line.text]
    occupied = is_word.sum(axis=0)
    is_free = occupied <= CROSSED * len(lines)
    inside = np.flatnonzero(~is_free)
    if not len(inside):
        return []
    free = np.flatnonzero(is_free[: inside[-1]])
    free = free[free > inside[0]]
    runs = np.split(free, np.flatnonzero(np.diff(free) > 1) + 1) if len(free) else []
    edges = []
    for run in runs:
        first, last = int(run[0]), int(run[-1])
        if first == last and len(lines) < NARROW:
            continue
        # Values of the next column begin together, or those before it end together, or neither.
        after, before = occupied[last + 1], occupied[first - 1]
        edges.append(last if after >= before else first)
    return edges[: COLUMNS - 1]


def _layout(
    edges: Sequence[int], lines: Sequence[Line], head: Line | None, *, ruled: bool
) -> Layout:
    """The columns between edges, with the names that the line above them has."""
    bounds = _merged(_bounds(edges), lines)
    digits = [_have_digits([_text(line, *pair) for line in lines]) for pair in bounds]
    columns = tuple(Column(*pair, own) for pair, own in zip(bounds, digits, strict=True))
    names = [""] * len(bounds) if head is None else map(plain_name, _pieces(head, bounds))
    return Layout(columns, tuple(names), ruled=ruled)


def _bounds(edges: Sequence[int]) -> list[tuple[int, int | None]]:
    starts = [0, *(edge + 1 for edge in edges)]
    return list(zip(starts, [*edges, None], strict=True))


def _merged(
    bounds: Sequence[tuple[int, int | None]], lines: Sequence[Line]
) -> list[tuple[int, int | None]]:
    """Columns side by side as one where they are parts of dates or prices."""
    merged: list[tuple[int, int | None]] = []
    at = 0
    while at < len(bounds):
        reach = 1
        for count in range(2, min(JOINED, len(bounds) - at) + 1):
            if _type(lines, bounds[at][0], bounds[at + count - 1][1]) in SURE_TYPES and not any(
                _type(lines, *pair) in SURE_TYPES for pair in bounds[at : at + count]
            ):
                reach = count
        merged.append((bounds[at][0], bounds[at + reach - 1][1]))
        at += reach
    return merged


def _type(lines: Sequence[Line], first: int, last: int | None) -> str:
    texts = [text for line in lines if (text := _text(line, first, last))]
    return type_of(texts, setting=ANY_ORDER)


def _text(line: Line, first: int, last: int | None) -> str:
    cell = line.cell(first, last)
    return "" if cell is None else line.text[slice(*cell)]


def _pieces(line: Line, bounds: Sequence[tuple[int, int | None]]) -> list[str]:
    """A header's text for each column: its pieces, or the words that begin in each."""
    pieces = _WIDE.split(line.text.strip())
    if len(pieces) == len(bounds):
        return pieces
    words = [(match.start(), match[0]) for match in _WORDS.finditer(line.text)]
    return [
        " ".join(word for at, word in words if first <= at and (last is None or at < last))
        for first, last in bounds
    ]
