"""Times of day in a text, with the offset from UTC where the text says one."""

import re
from dataclasses import dataclass
from datetime import time, timedelta, timezone
from functools import cache
from typing import Any

from rowen.values.refusal import NotConverted, shown
from rowen.values.setting import Locale
from rowen.values.tables import read_table

_SECONDS = r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
_OFFSET = r"(?P<offset>[+-][0-9]{1,2}(?::?[0-9]{2})?)(?![0-9:])"


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, where it stands in the text, and the zone that is written after it."""

    start: int
    end: int
    hour: int
    minute: int
    second: int
    microsecond: int
    zone: str | None
    offset: str | None


def find_clocks(text: str) -> list[Clock]:
    """All times of day in a text.

    >>> [(clock.hour, clock.minute) for clock in find_clocks("3 May, 2:30 PM to 16h45")]
    [(14, 30), (16, 45)]
    """
    return [_clock(match, text) for match in _pattern().finditer(text)]


def _clock(match: re.Match[str], text: str) -> Clock:
    hour, minute = int(match["hour"] or match["only"]), int(match["minute"] or 0)
    second = int(match["second"] or 0)
    half = (match["before"] or match["after"] or "").casefold()
    if half:
        hour = _twelve_hours(hour, half in _table()["half_days"]["pm"], text)
    if hour > 23 or minute > 59 or second > 59:
        raise NotConverted(f"{shown(match[0].strip())} is not a time of day")
    microsecond = int((match["fraction"] or "")[:6].ljust(6, "0"))
    return Clock(
        match.start(),
        match.end(),
        hour,
        minute,
        second,
        microsecond,
        match["zone"],
        match["offset"],
    )


def _twelve_hours(hour: int, after_noon: bool, text: str) -> int:  # noqa: FBT001  # an answer
    if hour > 12:
        if after_noon and hour < 24:
            return hour  # 14:30 PM
        raise NotConverted(f"{shown(text)} has no time of day that can be read")
    return hour % 12 + 12 * after_noon


def time_of(clock: Clock, text: str, locale: Locale) -> time:
    """The time, aware of its offset where the text says one.

    Raises:
        NotConverted: the abbreviation of the zone means several.
    """
    zone = _zone(clock, text, locale)
    return time(clock.hour, clock.minute, clock.second, clock.microsecond, zone)


def _zone(clock: Clock, text: str, locale: Locale) -> timezone | None:
    if clock.offset:
        return offset_zone(clock.offset, text)
    if not clock.zone:
        return None
    table = _table()
    hours = table["zones"].get(clock.zone)
    if hours is None:
        hours = table["zones_by_country"][clock.zone].get(locale.country)
    if hours is None:
        raise NotConverted(
            f"the zone {clock.zone} in {shown(text)} means several offsets;"
            " set the field's language with its country"
        )
    return timezone(timedelta(hours=hours))


def offset_zone(offset: str, text: str) -> timezone:
    """The zone of an offset such as `+02:00`, `-0500` or `+2`."""
    digits = offset[1:].replace(":", "")
    hours, minutes = (digits[:-2], digits[-2:]) if len(digits) > 2 else (digits, "0")
    if int(hours) > 14 or int(minutes) > 59:
        raise NotConverted(f"{shown(offset)} in {shown(text)} is not an offset from UTC")
    distance = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-distance if offset[0] == "-" else distance)


@cache
def _table() -> dict[str, Any]:
    return read_table("times.toml")


@cache
def _pattern() -> re.Pattern[str]:
    """One pattern for all ways to write a time.

    An offset needs seconds, UTC or GMT before it, a plus, or four digits in a row:
    10:00-12:00 is a range.
    """
    table = _table()
    halves = [word for words in table["half_days"].values() for word in words]
    half = "|".join(map(re.escape, sorted(halves, key=len, reverse=True)))
    zones = "|".join(sorted({*table["zones"], *table["zones_by_country"]}, key=len, reverse=True))
    hour, minute = r"(?P<hour>[0-9]{1,2})", r"(?P<minute>[0-9]{2})"
    return re.compile(
        rf"(?:(?P<before>{half}) ?)?(?<![0-9:.,/-])"
        rf"(?:{hour}(?::|[hH](?=[0-9]{{2}}(?![0-9]))| h (?=[0-9]{{2}}(?![0-9]))"
        rf"|\.(?=[0-9]{{2}} ?(?:Uhr|uhr|uur|h\b)))"
        rf"{minute}{_SECONDS}(?![0-9])"
        rf"|(?P<only>[0-9]{{1,2}})(?= ?(?:(?i:{half})(?![^\W\d_])|Uhr\b|h\b(?! ?[0-9]))))"
        rf"(?: ?(?:Uhr|uhr|uur|h\b))?"
        rf"(?: ?(?P<after>(?i:{half}))(?![^\W\d_]))?"
        rf"(?: ?\(?(?P<zone>{zones})(?![^\W\d_]))?"
        rf"(?:(?:(?<=UTC)|(?<=GMT)|(?<=[0-9]:[0-9]{{2}}:[0-9]{{2}})|(?= ?\+)"
        rf"|(?= ?-[0-9]{{4}}(?![0-9])))"
        rf" ?{_OFFSET})?"
    )
