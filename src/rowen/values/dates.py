"""Dates and times: written as numbers, with names of months, or in the ways of standards.

A text has a date if exactly one can be read in it and no digits are left over. Nothing is made up:
no year, no day, no time of day that the text does not say.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from functools import cache
from typing import NamedTuple

from rowen.values.clock import find_clocks, offset_zone, time_of
from rowen.values.months import is_thai, month_of
from rowen.values.numeral import plain
from rowen.values.refusal import NotConverted, shown, stripped
from rowen.values.setting import Locale, Setting, locale_of
from rowen.values.tables import read_table

DATE_CHARACTERS = 200
"""Limit: the longest text that is searched for a date; a longer one is prose with a date in it."""

_YEARS = range(1600, 2400)
"""Years of other ways to write than ISO 8601. Earlier and later ones are mostly of other calendars:
1405 is Persian, 1448 Islamic, 2569 Buddhist."""

_PIVOT = 69
"""Years of two digits: from here on they are of the last century, as in POSIX and Python."""

_BUDDHIST = 543

_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r" ?(?:([Zz])|([+-][0-9]{2}(?::?[0-9]{2})?))?(?:\[[\w/+-]+\])?)?"
)
_COMPACT = re.compile(r"((?:19|20)[0-9]{2})(0[1-9]|1[0-2])([0-3][0-9])")
_NUMBERED = re.compile(r"([0-9]{4}) ?[年년] ?([0-9]{1,2}) ?[月월] ?([0-9]{1,2}) ?[日일號号]?")
_VIETNAMESE = re.compile(
    r"([0-9]{1,2}) (?:tháng|thg) ([0-9]{1,2})(?:,| năm)? ([0-9]{4})", re.IGNORECASE
)
_NUMERIC = re.compile(
    r"(?<![0-9])(?<![0-9][./-])([0-9]{4}|[0-9]{1,2})([./-]) ?([0-9]{1,2})\2 ?([0-9]{4}|[0-9]{1,2})"
    r"(?![0-9])(?![./-][0-9])"
)
_TOKEN = re.compile(r"[0-9]+|[^\s0-9.,:;/()\[\]|'+<>׳॰\"-]+")
_BETWEEN = frozenset(
    "st nd rd th er re ere º ª ° of the de del d di den le el ος η го e o an gada m".split()  # noqa: SIM905  # reads well
)
"""Words and endings between the parts of a date: 3rd of May, 1er mai, 3 de mayo de 2026."""


class Found(NamedTuple):
    """A date and the text that is left without it."""

    day: date
    rest: str


def to_date(text: str, setting: Setting) -> date:
    """The date in a text; a time of day beside it is left out.

    Raises:
        NotConverted: the text has no whole date, several, or one that can be read in two ways.

    >>> to_date("3. Oktober 2026", Setting()), to_date("10/03/26", Setting("en-US"))
    (datetime.date(2026, 10, 3), datetime.date(2026, 10, 3))
    """
    written = _prepared(text)
    match = _ISO.fullmatch(written)
    if match:
        return _iso_date(match, text)
    if compact := _COMPACT.fullmatch(written):
        return _valid(int(compact[1]), int(compact[2]), int(compact[3]), text)
    for clock in reversed(find_clocks(written)):
        written = f"{written[: clock.start]} | {written[clock.end :]}"
    return _only_date(written, text, locale_of(setting.language))


def to_datetime(text: str, setting: Setting) -> datetime:
    """The date and time of day in a text, aware of the offset from UTC where the text says one.

    Raises:
        NotConverted: as for dates, or the text has no time of day.

    >>> to_datetime("3 October 2026, 14:30 UTC", Setting()).isoformat()
    '2026-10-03T14:30:00+00:00'
    """
    written = _prepared(text)
    match = _ISO.fullmatch(written)
    if match:
        return _iso_datetime(match, text)
    locale = locale_of(setting.language)
    clocks = find_clocks(written)
    if len(clocks) > 1:
        raise NotConverted(f"{shown(text)} has several times of day")
    if not clocks:
        _only_date(written, text, locale)
        raise _no_time(text)
    (clock,) = clocks
    written = f"{written[: clock.start]} | {written[clock.end :]}"
    return datetime.combine(_only_date(written, text, locale), time_of(clock, text, locale))


def _prepared(text: str) -> str:
    text = stripped(text)
    if len(text) > DATE_CHARACTERS:
        raise NotConverted(
            f"{shown(text)} is longer than {DATE_CHARACTERS} characters: too long for a date"
        )
    return plain(text)


def _iso_date(match: re.Match[str], text: str) -> date:
    return _valid(int(match[1]), int(match[2]), int(match[3]), text, any_year=True)


def _iso_datetime(match: re.Match[str], text: str) -> datetime:
    day = _iso_date(match, text)
    if match[4] is None:
        raise _no_time(text)
    zone = offset_zone(match[9] or "+0", text) if match[8] or match[9] else None
    microsecond = int((match[7] or "")[:6].ljust(6, "0"))
    try:
        clock = time(int(match[4]), int(match[5]), int(match[6] or 0), microsecond, zone)
    except ValueError as error:
        raise NotConverted(f"{shown(text)} has no valid time of day: {error}") from None
    return datetime.combine(day, clock)


def _only_date(written: str, text: str, locale: Locale) -> date:
    found = _in_standard_parts(written, text) or _numeric(written, text, locale)
    day, rest = found or _named(written, text, locale)
    if any(character.isdigit() for character in rest):
        raise NotConverted(
            f"{shown(text)} has more numbers than one date: a range, or several dates"
        )
    return day


def _in_standard_parts(written: str, text: str) -> Found | None:
    """Dates whose parts are numbered and named: 2026年10月3日, 3 tháng 10, 2026."""
    if match := _NUMBERED.search(written):
        year, month, day = match.groups()
    elif match := _VIETNAMESE.search(written):
        day, month, year = match.groups()
    else:
        return None
    rest = written[: match.start()] + " " + written[match.end() :]
    return Found(_valid(int(year), int(month), int(day), text), rest)


def _numeric(written: str, text: str, locale: Locale) -> Found | None:
    """Dates of three numbers."""
    match = _NUMERIC.search(written)
    if not match:
        return None
    first, mark, second, third = match.groups()
    if len(first) == 4:
        if len(third) == 4:
            raise NotConverted(f"{shown(text)} has no date")
        day = _valid(int(first), int(second), int(third), text)
    else:
        day = _ordered((first, second, third), mark, text, locale)
    return Found(day, written[: match.start()] + " " + written[match.end() :])


def _ordered(parts: tuple[str, str, str], mark: str, text: str, locale: Locale) -> date:
    """The date of three numbers of which the first is no year of four digits."""
    order = locale.order
    short_year = len(parts[2]) == 2
    if order == "ymd" and len(parts[0]) == 2 and len(parts[2]) < 4:
        return _in_order(parts, "ymd", text)
    if len(parts[2]) == 1:
        raise NotConverted(f"{shown(text)} has no date")
    # Dots are the marks of countries that begin with the day, whatever a page says of its language.
    if order == "dmy" or (order == "mdy" and mark != "."):
        try:
            return _in_order(parts, order, text)
        except NotConverted:
            raise NotConverted(
                f"{shown(text)} is not a date in the order {order} of {_tag(locale)};"
                " set the field's language"
            ) from None
    if mark == "." and not locale.language:
        return _in_order(parts, "dmy", text)  # the order of all countries that write dots
    orders = ["mdy", "dmy"] + (["ymd"] if short_year and mark == "-" else [])
    readings = dict.fromkeys(day for order in orders if (day := _try_order(parts, order, text)))
    if len(readings) == 1:
        return next(iter(readings))
    if not readings:
        raise NotConverted(f"{shown(text)} is not a date of the calendar")
    names = " or ".join(map(str, readings))
    raise NotConverted(f"{shown(text)} is ambiguous: {names}; set the field's language")


def _tag(locale: Locale) -> str:
    return f"{locale.language}-{locale.region}" if locale.region else str(locale.language)


def _try_order(parts: tuple[str, str, str], order: str, text: str) -> date | None:
    try:
        return _in_order(parts, order, text)
    except NotConverted:
        return None


def _in_order(parts: tuple[str, str, str], order: str, text: str) -> date:
    values = dict(zip(order, parts, strict=True))
    return _valid(_year(values["y"]), int(values["m"]), int(values["d"]), text)


def _named(written: str, text: str, locale: Locale) -> Found:
    """Dates with the name of a month."""
    tokens = [t for t in _TOKEN.finditer(written) if t[0].casefold() not in _BETWEEN]
    months = [
        (place, month)
        for place, token in enumerate(tokens)
        if not token[0].isdigit() and (month := month_of(token[0], locale))
    ]
    if not months:
        raise _no_date(written, text)
    whole = [
        found for place, month in months if (found := _around(tokens, place, month, written, text))
    ]
    if not whole:
        raise _lacking(tokens, text)
    if len(whole) > 1:
        raise NotConverted(f"{shown(text)} has several dates")
    return whole[0]


def _around(
    tokens: list[re.Match[str]], place: int, month: int, written: str, text: str
) -> Found | None:
    """The date whose month is at a place among the words and numbers of a text."""
    before = tokens[place - 1] if place else None
    after = tokens[place + 1 : place + 3]
    choices = []
    if before and after:
        choices += [(before, after[0], before, after[0]), (after[0], before, before, after[0])]
    if len(after) == 2:
        choices.append((after[0], after[1], tokens[place], after[1]))
    if before and place > 1:  # Latvian: 2026. gada 3. oktobris
        choices.append((before, tokens[place - 2], tokens[place - 2], tokens[place]))
    for day, year, first, last in choices:
        short = last is year and len(year[0]) == 2 and day is before
        if _is_number(day, 1, 2) and (_is_number(year, 4, 4) or (short and year[0].isdigit())):
            number = _year(year[0])
            if is_thai(tokens[place][0]) and number > _YEARS.stop:
                number -= _BUDDHIST
            rest = written[: first.start()] + " " + written[last.end() :]
            return Found(_valid(number, month, int(day[0]), text), rest)
    return None


def _is_number(token: re.Match[str], least: int, most: int) -> bool:
    return least <= len(token[0]) <= most and token[0].isdigit()


def _year(digits: str) -> int:
    number = int(digits)
    if len(digits) > 2:
        return number
    return number + (1900 if number >= _PIVOT else 2000)


def _valid(year: int, month: int, day: int, text: str, *, any_year: bool = False) -> date:
    if not any_year and year not in _YEARS:
        raise NotConverted(f"the year {year} in {shown(text)} may be of another calendar")
    try:
        return date(year, month, day)
    except ValueError:
        raise NotConverted(f"{shown(text)} is not a date of the calendar") from None


def _lacking(tokens: list[re.Match[str]], text: str) -> NotConverted:
    """Why a text with a month has no date."""
    if _is_relative(tokens):  # "ago" is August in Spanish, too
        return _not_absolute(text)
    numbers = [token[0] for token in tokens if token[0].isdigit()]
    if not any(len(number) == 4 for number in numbers):
        return NotConverted(f"{shown(text)} has no year")
    if len(numbers) == 1:
        return NotConverted(f"{shown(text)} has no day")
    return NotConverted(f"{shown(text)} has no date that can be read")


def _no_date(written: str, text: str) -> NotConverted:
    if _is_relative(_TOKEN.finditer(written)):
        return _not_absolute(text)
    return NotConverted(f"{shown(text)} has no date")


def _is_relative(tokens: Iterable[re.Match[str]]) -> bool:
    """Whether a text has a word that counts from today."""
    words = f" {' '.join(token[0].casefold() for token in tokens)} "
    return any(f" {word} " in words for word in _relative())


def _not_absolute(text: str) -> NotConverted:
    return NotConverted(
        f"{shown(text)} counts from a day that the page does not say: use the page's exact date"
    )


def _no_time(text: str) -> NotConverted:
    return NotConverted(f"{shown(text)} has no time of day: use type date")


@cache
def _relative() -> frozenset[str]:
    return frozenset(read_table("times.toml")["relative"]["words"])
