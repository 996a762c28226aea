"""The history of records for people and for other programs: as text, CSV, JSON lines or a plot."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from html import escape
from typing import Any

from rowen.records.version import Version

FORMATS = ("text", "jsonl", "csv", "svg")

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 720, 320, 70, 50, 20, 180
_COLOURS = ("#1b6e53", "#a03d00", "#3451b2", "#8a3ffc", "#96690a", "#b0135a")


def write_versions(versions: Sequence[Version], format_: str, *, field: str | None = None) -> str:
    """Versions of records in one of the formats; a plot needs the field that it shows."""
    if format_ == "jsonl":
        lines = (json.dumps(version.to_dict(), ensure_ascii=False) for version in versions)
        return "".join(f"{line}\n" for line in lines)
    if format_ == "svg":
        return _plot(versions, field or "")
    names = list(dict.fromkeys(name for version in versions for name in version.values))
    head = ["record", "since", "until", "page", *names]
    rows = [
        [
            version.name,
            version.since,
            version.until or "",
            version.page,
            *(shown(version.values.get(name)) for name in names),
        ]
        for version in versions
    ]
    return _table(head, rows) if format_ == "text" else _csv([head, *rows])


def shown(value: Any) -> str:
    """A value as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return " ".join(shown(part) for part in value.values() if part is not None)
    if isinstance(value, list):
        return "; ".join(shown(part) for part in value)
    return str(value)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _table(head: list[str], rows: list[list[str]]) -> str:
    table = [head, *([" ".join(cell.split()) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in table
    )


def _number(value: Any) -> float | None:
    """A number, or the amount of a price."""
    if isinstance(value, dict):
        value = value.get("amount")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return float(number) if number.is_finite() else None


def _plot(versions: Sequence[Version], field: str) -> str:
    """Steps over time, one line for each record."""
    points = [
        (version.record, _seconds(version.since), version.until, _number(version.values.get(field)))
        for version in versions
    ]
    drawn = [
        (record, since, _seconds(until) if until else None, number)
        for record, since, until, number in points
        if number is not None
    ]
    times = [time for _, since, until, _ in drawn for time in (since, until) if time is not None]
    numbers = [number for *_, number in drawn]
    first, last = min(times, default=0.0), max(times, default=1.0)
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    # The last value goes on: without some room to the right it would be a point.
    end = last + max((last - first) * 0.1, 1.0)
    spread = (high - low) or abs(high) or 1.0

    def x(time: float) -> float:
        return _LEFT + (time - first) / (end - first) * (_WIDTH - _LEFT - _RIGHT)

    def y(number: float) -> float:
        return _HEIGHT - _BOTTOM - (number - low) / spread * (_HEIGHT - _BOTTOM - _TOP)

    lines = []
    for place, record in enumerate(dict.fromkeys(record for record, *_ in drawn)):
        own = [step for step in drawn if step[0] == record]
        path = ""
        for _, since, until, number in own:
            path += f"{'L' if path else 'M'}{x(since):.1f} {y(number):.1f}"
            path += f"H{x(until if until is not None else end):.1f}"
        colour = _COLOURS[place % len(_COLOURS)]
        lines.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        label = next(version.name for version in versions if version.record == record)
        lines.append(
            f'<text x="{_WIDTH - _RIGHT + 8}" y="{_TOP + 16 * (place + 1)}" fill="{colour}">'
            f"{escape(_short(label))}</text>"
        )
    axis = (
        f'<path d="M{_LEFT} {_TOP}V{_HEIGHT - _BOTTOM}H{_WIDTH - _RIGHT}" fill="none" '
        'stroke="#888"/>'
        f'<text x="{_LEFT - 8}" y="{y(high):.1f}" text-anchor="end">{high:g}</text>'
        f'<text x="{_LEFT - 8}" y="{y(low):.1f}" text-anchor="end">{low:g}</text>'
        f'<text x="{_LEFT}" y="{_HEIGHT - _BOTTOM + 20}">{_day(first)}</text>'
        f'<text x="{x(last):.1f}" y="{_HEIGHT - _BOTTOM + 36}" text-anchor="end">'
        f"{_day(last)}</text>"
        f'<text x="{_LEFT}" y="{_TOP - 6}">{escape(field)}</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>{axis}{"".join(lines)}</svg>\n'
    )


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _day(time: float) -> str:
    return datetime.fromtimestamp(time).astimezone().strftime("%Y-%m-%d %H:%M")


def _short(text: str) -> str:
    return text if len(text) <= 24 else "…" + text[-23:]
