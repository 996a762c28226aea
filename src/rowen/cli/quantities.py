"""Sizes and times as people write them on the command line: 10GB, 90d, citations=6h."""

import re
from datetime import UTC, datetime, timedelta

from rowen.model.errors import UsageError

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt]i?)?b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_SPAN = re.compile(r"(\d{1,5})([dh])")
_SPANS = {"d": timedelta(days=1), "h": timedelta(hours=1)}
_SECONDS = re.compile(r"([1-9][0-9]{0,5})([smhd])")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 page`, `1,200 pages`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def read_size(text: str) -> int:
    """The bytes of a size: GB has powers of 1000, GiB powers of 1024."""
    if (match := _SIZE.fullmatch(text)) is None:
        raise UsageError(f"{text!r} is not a size: write 500MB, 10GB or 1TiB")
    unit = (match[2] or "").lower()
    base = 1024 if unit.endswith("i") else 1000
    return int(float(match[1]) * base ** _POWERS[unit[:1]])


def shown_size(size: int) -> str:
    """Bytes as people read them: `340 bytes`, `12.3 kB`, `4.5 MB`."""
    if size < 1_000:
        return f"{size} bytes"
    shown, unit = size / 1_000, "kB"
    for larger in ("MB", "GB", "TB"):
        if shown < 999.95:
            break
        shown, unit = shown / 1_000, larger
    return f"{shown:,.1f} {unit}"


def read_moment(text: str) -> datetime:
    """A time from now, or a date in UTC."""
    if match := _SPAN.fullmatch(text):
        return datetime.now(UTC) + int(match[1]) * _SPANS[match[2]]
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a time: write 90d, 12h or 2027-01-31") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def read_seconds(text: str) -> int:
    """The seconds of a span of time."""
    if (match := _SECONDS.fullmatch(text)) is None:
        raise UsageError(f"{text!r} is not a span of time: write 30s, 15m, 6h or 7d")
    return int(match[1]) * _UNITS[match[2]]
