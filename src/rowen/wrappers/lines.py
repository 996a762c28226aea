"""The lines class: records are lines of text, fields are columns of characters.

Not a class of the thesis. It is for text that is set in columns by spaces, in `<pre>` elements, or
on a page without any tags. Positions count what a reader sees: no tags, a reference as a character.

    Station  Name          Temp       station   characters 1 to 9
    ---------------------------       name      characters 10 to 21
    KBOS     Boston Logan  12.5       temp      from character 22 on, with a digit
    KJFK     New York       9.1

Or a `separator` is between the cells, and a column is the number of its cell, from 0:

    KBOS;"Boston; Logan";12.5         a cell may be in quotation marks

A line is a record if no word crosses the edge of a column, or it has as many cells as others, and
it has half of the `required` fields or more. Where tables are `ruled`, records begin after the
rule. Elsewhere a line counts as a record only if it has digits in at least half of the columns with
digits that it fills: a head has none.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records.records import Rows
from rowen.wrappers.base import Failure, Wrapper

SEPARATORS = ("\t", "|", ";", ",")
"""What may be between cells."""

_BLOCK = re.compile(r"<pre\b[^<>]*>(.*?)(?:</pre\b|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z]")
_LINE = re.compile(r"[^\r\n]+")
_MARKUP = re.compile(r"<[^<>]*>|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


@dataclass(frozen=True, slots=True)
class Line:
    """A line as a reader sees it, and where each of its characters is on the page."""

    text: str
    start: int
    bounds: tuple[tuple[int, int], ...] | None
    """Start and end of each character; None where nothing is between them."""

    def source(self, first: int, last: int) -> tuple[int, int]:
        """The place on the page of characters of the line."""
        if self.bounds is None:
            return self.start + first, self.start + last
        return self.bounds[first][0], self.bounds[last - 1][1]

    def cells(self, separator: str) -> list[tuple[int, int] | None]:
        """The texts between separators without white space and quotation marks around them."""
        found: list[tuple[int, int] | None] = []
        at = 0
        quoted = _quoted(separator)
        while at <= len(self.text):
            match = quoted.match(self.text, at)
            if match is not None:
                start, end = match.span(1)
                at = match.end() + 1
            else:
                stop = self.text.find(separator, at)
                start, end = at, len(self.text) if stop < 0 else stop
                at = end + 1
            content = self.text[start:end]
            start += len(content) - len(content.lstrip())
            found.append((start, start + len(content.strip())) if content.strip() else None)
        return found

    @property
    def is_rule(self) -> bool:
        """Whether it is drawn and not written: `-----  ----`."""
        return bool(self.text.strip()) and not any(map(str.isalnum, self.text))

    def is_blank(self, at: int) -> bool:
        """Whether a place is outside of the text or white space."""
        return not 0 <= at < len(self.text) or self.text[at].isspace()

    def cell(self, first: int, last: int | None) -> tuple[int, int] | None:
        """The text between two places without the white space around it; None where there is none.

        None also where a word crosses one of the places.
        """
        end = len(self.text) if last is None else min(last, len(self.text))
        crosses = (first and not self.is_blank(first - 1)) or not self.is_blank(end)
        content = self.text[first:end]
        if crosses or not content.strip():
            return None
        start = first + len(content) - len(content.lstrip())
        return start, start + len(content.strip())


@cache
def _quoted(separator: str) -> re.Pattern[str]:
    """A cell in quotation marks, and what may come after it."""
    sign = re.escape(separator)
    return re.compile(rf'(?:(?!{sign})\s)*+"((?:[^"]|"")*+)"(?:(?!{sign})\s)*+(?={sign}|\Z)')


@dataclass(frozen=True, slots=True)
class Column:
    """The characters of a line that hold a field."""

    first: int
    """Where it begins; with a separator the number of its cell."""
    last: int | None
    """Where it ends; None for the end of the line."""
    digits: bool = False
    """Whether its values have digits, as a rule."""

    def fits(self, line: Line) -> bool:
        """Whether no word crosses its edges."""
        before = not self.first or line.is_blank(self.first - 1)
        return before and (self.last is None or line.is_blank(self.last))

    def __str__(self) -> str:
        digits = ", as a rule with a digit" * self.digits
        if self.last is None:
            return f"from character {self.first + 1:,} of the line on{digits}"
        return f"characters {self.first + 1:,} to {self.last:,} of the line{digits}"


def blocks_of(text: str) -> Iterator[list[Line]]:
    """The lines of each `<pre>` element, or of a page without tags; those with nothing left out."""
    if _TAG.search(text) is None:
        yield [_read(match[0], match.start(), plain=True) for match in _LINE.finditer(text)]
        return
    for block in _BLOCK.finditer(text):
        yield [
            _read(match[0], match.start(), plain=False)
            for match in _LINE.finditer(text, block.start(1), block.end(1))
        ]


def _read(source: str, start: int, *, plain: bool) -> Line:
    if plain or ("<" not in source and "&" not in source):
        return Line(source, start, None)
    characters: list[str] = []
    bounds: list[tuple[int, int]] = []
    at = 0
    for match in _MARKUP.finditer(source):
        for place in range(at, match.start()):
            characters.append(source[place])
            bounds.append((start + place, start + place + 1))
        at = match.end()
        if match[0][0] == "&":
            characters.append(html.unescape(match[0])[:1] or "\ufffd")
            bounds.append((start + match.start(), start + match.end()))
    for place in range(at, len(source)):
        characters.append(source[place])
        bounds.append((start + place, start + place + 1))
    return Line("".join(characters), start, tuple(bounds))


class Lines(Wrapper):
    """Records as lines of columns; see the module."""

    wrapper_class = "lines"

    def __init__(
        self,
        fields: Sequence[str],
        *,
        places: Mapping[str, Column],
        required: Iterable[str] = (),
        ruled: bool = False,
        separator: str = "",
        cells: int = 0,
        **identity: Any,
    ) -> None:
        super().__init__(fields, **identity)
        self.places = dict(places)
        self.required = frozenset(required)
        self.ruled = ruled
        self.separator = separator
        """What is between cells; none where columns are places of characters."""
        self.cells = cells
        """So many cells a line has."""

    def _run(self, page: Page) -> Rows:
        rows = [
            tuple((-1, -1) if cell is None else line.source(*cell) for cell in cells)
            for block in blocks_of(page.text)
            for line in self._body(block)
            if (cells := self._cells(line)) is not None
        ]
        if not rows:
            raise Failure("no line of the page has these columns")
        return Rows(page, self.fields, rows)

    def _body(self, block: Sequence[Line]) -> Sequence[Line]:
        if not self.ruled:
            return block
        rule = next((at for at, line in enumerate(block) if line.is_rule), len(block))
        return block[rule + 1 :]

    def _cells(self, line: Line) -> list[tuple[int, int] | None] | None:
        """The value of each field; None where the line is no record."""
        columns = [self.places[name] for name in self.fields]
        cells = None if line.is_rule else self._split(line, columns)
        if cells is None:
            return None
        has = {name for name, cell in zip(self.fields, cells, strict=True) if cell is not None}
        if not has or 2 * len(has & self.required) < len(self.required):
            return None
        numbers = [
            any(map(str.isdigit, line.text[slice(*cell)]))
            for column, cell in zip(columns, cells, strict=True)
            if column.digits and cell is not None
        ]
        return cells if self.ruled or 2 * sum(numbers) >= len(numbers) else None

    def _split(self, line: Line, columns: Sequence[Column]) -> list[tuple[int, int] | None] | None:
        """The texts of a line in the columns; None where it does not keep to them."""
        if self.separator:
            cells = line.cells(self.separator)
            return [cells[column.first] for column in columns] if len(cells) == self.cells else None
        if not all(column.fits(line) for column in columns):
            return None
        return [line.cell(column.first, column.last) for column in columns]

    def _delimiters(self) -> dict[str, Any]:
        """The columns, which of them records must have, and whether a rule comes before them."""
        separated = {"separator": self.separator, "cells": self.cells} if self.separator else {}
        return {
            "places": {
                name: [column.first, column.last, column.digits]
                for name, column in self.places.items()
            },
            "required": sorted(self.required),
            "ruled": self.ruled,
            **separated,
        }

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        definition.expect(
            *("class", "fields", "learned_from", "places", "required", "ruled"),
            *("separator", "cells"),
        )
        common = cls._common(definition)
        saved = definition.get("places", Mapping, {})
        places = {}
        for name in common["fields"]:
            match saved.get(name):
                case [int(first), int() | None as last, bool(digits)] if first >= 0 and (
                    last is None or last > first
                ):
                    places[name] = Column(first, last, digits)
                case _:
                    raise definition.error(
                        f"'places' must have first and last character of {name!r}, and whether it "
                        "has digits"
                    )
        separator, cells = definition.get("separator", str, ""), definition.get("cells", int, 0)
        if separator and separator not in SEPARATORS:
            raise definition.error(f"'separator' must be one of {', '.join(map(repr, SEPARATORS))}")
        if separator and any(column.first >= cells for column in places.values()):
            raise definition.error("'cells' must be more than the number of each field's cell")
        required = definition.get("required", list, [])
        if not set(required) <= places.keys():
            raise definition.error("'required' must name fields")
        return cls(
            places=places,
            required=required,
            ruled=definition.get("ruled", bool, False),
            separator=separator,
            cells=cells,
            **common,
        )

    def describe(self) -> str:
        """The columns in words."""
        after = " after a drawn line" * self.ruled
        if not self.separator:
            head = f"A record is each line of text{after} whose words keep to the columns."
            return "\n".join([head, *(f"{name}: {self.places[name]}" for name in self.fields)])
        head = f"A record is each line of text{after} with {self.cells} cells, between "
        cells = [
            f"{name}: cell {self.places[name].first + 1}"
            f"{', as a rule with a digit' * self.places[name].digits}"
            for name in self.fields
        ]
        return "\n".join([f"{head}{self.separator!r}.", *cells])
