"""Numbers and integers: the only number in a text, with its sign, its unit left out."""

import re
from decimal import Decimal
from functools import cache
from math import isfinite
from typing import Literal

from rowen.values.numeral import NUMERAL, check_before, plain, read_numeral
from rowen.values.power import power_after
from rowen.values.refusal import NotConverted, shown, stripped
from rowen.values.setting import Setting, locale_of
from rowen.values.tables import read_table

_SCIENTIFIC = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,3}")
_LARGEST = 10**18
"""Limit: whole numbers beyond it are refused, for the 64-bit columns of tables can't hold them."""

_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅕": 0.2, "⅛": 0.125,
              "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}  # fmt: skip
_BOUNDS = "<>≤≥≈~±"


def to_number(text: str, setting: Setting) -> int | float:
    """The number in a text: an int where no fraction is written, else a float.

    Raises:
        NotConverted: the text has no number, several, or one that can be read in two ways.

    >>> to_number("1.234,5 kg", Setting()), to_number("1,204 reviews", Setting("en"))
    (1234.5, 1204)
    """
    return _convert(text, setting, "number")


def to_integer(text: str, setting: Setting) -> int:
    """The whole number in a text. `(128)` is a count in brackets.

    Raises:
        NotConverted: as for numbers, or the number has a fraction.

    >>> to_integer("(1.204)", Setting())
    1204
    """
    number = _convert(text, setting, "integer")
    if isinstance(number, float):
        if not number.is_integer():
            raise NotConverted(f"{shown(text)} is not a whole number")
        number = int(number)
    return number


def _convert(text: str, setting: Setting, kind: Literal["number", "integer"]) -> int | float:
    text = stripped(text)
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    text = plain(text)  # of the same length, so that reasons can quote it
    if _SCIENTIFIC.fullmatch(text):
        return _finite(float(text), text)
    written, start, end = _only_numeral(text)
    negative = sign_before(text, start)
    if kind == "number" and text[0] == "(" and text[-1] == ")" and end - start == len(text) - 2:
        raise NotConverted(
            f"{shown(text)} may be a count or a negative amount:"
            " use type integer for a count, price for an amount"
        )
    locale = locale_of(setting.language)
    power, after = power_after(text, end, locale, money=False)
    _check_after(text, after)
    if power and written.count(".") + written.count(",") == 1:
        written = written.replace(",", ".")  # nobody writes 1,234 million for 1234 million
        digits = "0" + written if written[0] == "." else written
    else:
        digits = read_numeral(written, locale, kind)
    number = _value(digits, power, text)
    fraction = text[after : after + 2].strip()[:1]
    if fraction in _FRACTIONS:
        number += _FRACTIONS[fraction]
    return -number if negative else number


def _only_numeral(text: str) -> tuple[str, int, int]:
    matches = [*NUMERAL.finditer(text)]
    if not matches:
        return _only_fraction(text)
    match = matches[0]
    if len(matches) > 1 and not is_rating(text, matches):
        raise NotConverted(f"{shown(text)} has {len(matches)} numbers")
    return match[0], match.start(), match.end()


def _only_fraction(text: str) -> tuple[str, int, int]:
    for place, character in enumerate(text):
        if character in _FRACTIONS:
            return "0", place, place
    raise NotConverted(f"{shown(text)} has no number")


def is_rating(text: str, numerals: list[re.Match[str]]) -> bool:
    """Whether a text says a rating and the best one that can be given: 4.5 out of 5 stars."""
    if len(numerals) != 2:
        return False
    words, best = _scale()
    rating, highest = numerals
    between = text[rating.end() : highest.start()].strip().casefold()
    # 4/5 may be a fraction or a date, 4.5/5 can't be.
    slash = between == "/" and not rating[0].isdigit()
    return highest[0] in best and (slash or between in words)


def sign_before(text: str, start: int) -> bool:
    """Whether a minus stands before a number.

    Raises:
        NotConverted: what stands before says that the digits are no number of their own.
    """
    before = text[:start]
    if not before:
        return False
    check_before(before, text)
    if before[-1] == "-":
        if before[-2:-1].isalnum():
            raise NotConverted(f"the digits in {shown(text)} are part of a word")
        return True
    last = before.rstrip()[-1:]
    if last == "-":
        raise NotConverted(f"the dash in {shown(text)} may be a minus or not")
    if last and last in _BOUNDS:
        raise NotConverted(f"{shown(text)} gives a bound, not a number")
    return False


def _check_after(text: str, end: int) -> None:
    after = text[end : end + 2]
    if after[:1] == "+":
        raise NotConverted(f"{shown(text)} gives a bound, not a number")
    if after[:1] == "-" and not after[1:].isalpha():
        raise NotConverted(f"{shown(text)} ends in a sign: a range or a negative number")
    if after[:1] and after[0] in "²³¹⁰⁴⁵⁶⁷⁸⁹":
        raise NotConverted(f"{shown(text)} has a power")


def _value(digits: str, power: int, text: str) -> int | float:
    if "." not in digits:
        number: int = int(digits) * 10**power
        if number > _LARGEST:
            raise NotConverted(f"{shown(text)} is larger than {_LARGEST}")
        return number
    if power:
        exact = Decimal(digits).scaleb(power)
        return int(exact) if exact == exact.to_integral_value() else float(exact)
    return _finite(float(digits), text)


def _finite(number: float, text: str) -> float:
    if not isfinite(number):
        raise NotConverted(f"{shown(text)} is too large")
    return number


@cache
def _scale() -> tuple[frozenset[str], frozenset[str]]:
    scale = read_table("numbers.toml")["scale"]
    return frozenset(scale["words"]), frozenset(scale["best"])
