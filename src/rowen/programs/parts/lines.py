"""Lines of text whose words keep to columns of characters: the class lines."""

import html
import re
from typing import TypeAlias

from rowen.programs.parts.result import Place, Record, Result, program

_PREFORMATTED = re.compile(r"<pre\b[^<>]*>(.*?)(?:</pre\b|\Z)", re.DOTALL | re.IGNORECASE)
_SIGN = re.compile(
    r"<[^<>]*>|(&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)|(.)", re.DOTALL
)

Signs: TypeAlias = list[tuple[str, int, int]]
"""The characters of a line as a reader sees it, and where each is on the page."""


@program("lines")
def read_lines(
    page: str,
    columns: dict[str, tuple[int, int | None, bool]],
    *,
    required: list[str],
    ruled: bool,
    separator: str = "",
    cells: int = 0,
) -> Result:
    """A column is its first character, the one after its last, and whether it has digits.

    With a separator it is the number of its cell.
    """
    records: list[Record] = []
    is_html = re.search("</?[a-zA-Z]", page) is not None
    blocks = [match.span(1) for match in _PREFORMATTED.finditer(page)]
    for begin, end in blocks if is_html else [(0, len(page))]:
        waits = ruled
        for line in re.compile(r"[^\r\n]+").finditer(page, begin, end):
            signs = _signs(page, *line.span(), is_html=is_html)
            if _is_rule(signs):
                waits = False
            elif not waits and (found := _record(signs, columns, separator, cells)) is not None:
                values, numbers = found
                present = sum(values[name] is not None for name in required)
                is_filled = any(values.values()) and 2 * present >= len(required)
                if is_filled and (ruled or 2 * sum(numbers) >= len(numbers)):
                    records.append(values)
    return records, bool(records)


def _signs(page: str, start: int, end: int, *, is_html: bool) -> Signs:
    if not is_html:
        return [(page[at], at, at + 1) for at in range(start, end)]
    signs: Signs = []
    for match in _SIGN.finditer(page, start, end):
        reference, character = match.groups()
        if reference:
            signs.append((html.unescape(reference)[:1] or "\ufffd", *match.span()))
        elif character:
            signs.append((character, *match.span()))
    return signs


def _cells(line: str, separator: str) -> list[tuple[int, int]]:
    """The texts between separators; a cell may be in quotation marks."""
    sign = re.escape(separator)
    space = rf"(?:(?!{sign})\s)*+"
    cell = re.compile(rf'{space}"((?:[^"]|"")*+)"{space}(?={sign}|\Z)|[^{sign}]*+')
    bounds: list[tuple[int, int]] = []
    at = 0
    while at <= len(line) and (match := cell.match(line, at)) is not None:
        bounds.append(match.span(1) if match[1] is not None else match.span())
        at = match.end() + 1
    return bounds


def _is_rule(signs: Signs) -> bool:
    seen = [sign for sign, _, _ in signs]
    return not any(map(str.isalnum, seen)) and not all(map(str.isspace, seen))


def _record(
    signs: Signs,
    columns: dict[str, tuple[int, int | None, bool]],
    separator: str,
    cells: int,
) -> tuple[dict[str, Place | None], list[bool]] | None:
    """The place of each value, and for each with a column of digits whether it has one."""

    def is_free(at: int) -> bool:
        return at >= len(signs) or signs[at][0].isspace()

    values: dict[str, Place | None] = {}
    numbers: list[bool] = []
    bounds = _cells("".join(sign for sign, _, _ in signs), separator) if separator else []
    if len(bounds) != cells:
        return None
    for name, (first, last, has_digits) in columns.items():
        if not bounds and (
            (first and not is_free(first - 1)) or (last is not None and not is_free(last))
        ):
            return None
        inside = signs[slice(*bounds[first])] if bounds else signs[first:last]
        written = [at for at, sign in enumerate(inside) if not sign[0].isspace()]
        values[name] = (inside[written[0]][1], inside[written[-1]][2]) if written else None
        if written and has_digits:
            numbers.append(any(sign[0].isdigit() for sign in inside))
    return values, numbers
