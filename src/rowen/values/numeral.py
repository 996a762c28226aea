"""Numerals: where digits stand in a text, and what their separators mean.

`1,234.56`, `1.234,56`, `1 234,56` and `1'234.56` are the same number. Which mark begins the
fraction follows from the numeral itself wherever only one reading is possible. It does not for one
mark with three digits after it: then the language decides, or the numeral is refused.
"""

import re
from functools import cache
from typing import Literal

from rowen.values.refusal import NotConverted, shown
from rowen.values.setting import Locale

NUMERAL = re.compile(r"(?:(?<![0-9A-Za-z.,])\.(?=[0-9]))?[0-9]+(?:[.,'][0-9]+| [0-9]{3}(?![0-9]))*")
"""Digits with single marks between them; after a space only groups of three. Linear in the text."""

_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0,
          0xF20, 0x1040, 0x17E0, 0x1810, 0xFF10)  # fmt: skip
"""The zeros of the scripts in use, each followed by its other digits: Arabic, Devanagari ..."""

_MARKS = re.compile(r"[.,' ]")
_GROUPS = re.compile(r"[1-9][0-9]{0,2}(?:([,.' ])[0-9]{3})(?:\1[0-9]{3})*")
_INDIAN = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}")

Unsure = Literal["number", "integer", "price"]
"""How `1.234` is read where no language decides.

An integer has no fraction, and a price hardly ever three decimals: they take it as 1234. A number
may be both; only the comma of English pages is taken for sure.
"""


def plain(text: str) -> str:
    """The text with ASCII digits, signs, spaces and marks in place of those of other scripts.

    The length stays the same.

    >>> plain("−١٢٫٥"), plain("1\u202f234 m²")
    ('-12.5', '1 234 m²')
    """
    return text if text.isascii() else text.translate(_plain_characters())


@cache
def _plain_characters() -> dict[int, str]:
    table = {zero + digit: str(digit) for zero in _ZEROS for digit in range(10)}
    for characters, character in (
        ("−﹣－‐‑–—", "-"),
        (
            "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000",
            " ",
        ),
        ("’‘ʼ＇′`´", "'"),
        ("．٫", "."),
        ("，٬", ","),
        ("％٪", "%"),
        ("（", "("),
        ("）", ")"),
        ("＋", "+"),
    ):
        table |= {ord(other): character for other in characters}
    return table


def read_numeral(written: str, locale: Locale, unsure: Unsure) -> str:
    """The digits of a numeral with `.` before the fraction: what `int` and `Decimal` read.

    Raises:
        NotConverted: the separators make no number, or two numbers are possible.

    >>> read_numeral("1.234,50", Locale(), "number")
    '1234.50'
    """
    marks = _MARKS.findall(written)
    if not marks:
        return written
    if written[0] == ".":
        if len(marks) > 1:
            raise _no_number(written)
        return "0" + written
    last = marks[-1]
    whole, _, fraction = written.rpartition(last)
    if len(marks) == 1 and last in ".,":
        if len(fraction) != 3 or len(whole) > 3 or whole == "0":
            return f"{whole}.{fraction}"
        if whole[0] == "0":
            raise _no_number(written)
        return (
            whole + fraction if _is_group(last, written, locale, unsure) else f"{whole}.{fraction}"
        )
    if len(set(marks)) == 1:
        return _joined(written, written)
    if marks.count(last) > 1 or last not in ".,":
        raise _no_number(written)
    return f"{_joined(whole, written) if len(marks) > 1 else whole}.{fraction}"


def _joined(whole: str, written: str) -> str:
    """The digits of groups of thousands, or of lakhs and crores."""
    if not (_GROUPS.fullmatch(whole) or _INDIAN.fullmatch(whole)):
        raise _no_number(written)
    return _MARKS.sub("", whole)


def _is_group(mark: str, written: str, locale: Locale, unsure: Unsure) -> bool:
    """Whether the only mark, with three digits after it, separates thousands."""
    if unsure == "integer" and not locale.decimal:
        return True
    if locale.decimal:
        if unsure != "price" or mark != locale.decimal:
            return mark != locale.decimal
    elif unsure == "price" or (mark == "," and locale.language is None):
        return True
    raise ambiguous(written)


def ambiguous(written: str) -> NotConverted:
    """Two readings of a numeral with one mark and three digits after it."""
    whole, fraction = _MARKS.split(written)
    return NotConverted(
        f"{shown(written)} is ambiguous: {whole}{fraction} or {whole}.{fraction};"
        " set the field's language"
    )


def _no_number(written: str) -> NotConverted:
    return NotConverted(f"the separators in {shown(written)} make no number")


def check_before(before: str, text: str) -> None:
    """Refuse digits that are no number of their own: part of a word, or after stray marks."""
    if before[-1:].isalpha():
        raise NotConverted(f"the digits in {shown(text)} are part of a word")
    if before[-1:] in {".", ","} and not before[-2:-1].isalpha():  # No.12 is one
        raise NotConverted(f"the separators in {shown(text)} make no number")
