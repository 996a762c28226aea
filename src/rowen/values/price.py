"""Prices: one amount with its digits as written, and its currency."""

import re
from decimal import Decimal
from typing import TypedDict

from rowen.values.currency import (
    Mark,
    find_marks,
    has_three_decimals,
    is_minor,
    resolve,
    whole_sign,
)
from rowen.values.numeral import NUMERAL, Unsure, check_before, plain, read_numeral
from rowen.values.power import power_after
from rowen.values.refusal import NotConverted, shown, stripped
from rowen.values.setting import Locale, Setting, locale_of

AMOUNT_DIGITS = 38
"""Limit: the digits of an amount, as many as the decimals of tables hold, ..."""

AMOUNT_PLACES = 10
"""Limit: ... and how many of them may follow the decimal point; longer amounts are refused."""

_HIDDEN = "¤"
"""What stands in place of a currency's characters while the amount is read."""

_BESIDE_MARK = re.compile(r"([0-9]) ?([.,]) ?([0-9]{2})(?![0-9])")
_NO_CENTS = re.compile(r"([0-9]) ?[.,:] ?-{1,2}")
_CENTS_AFTER_SIGN = re.compile(r"([0-9])(?:¤+|¤+ | ¤+ )([0-9]{2})(?![0-9]|[.,][0-9])")


class Price(TypedDict):
    """An amount and the ISO 4217 code of its currency, or None where the page does not say it."""

    amount: Decimal
    currency: str | None


def to_price(text: str, setting: Setting) -> Price:
    """The price in a text.

    Raises:
        NotConverted: the text has no amount, several, or one that can be read in two ways.

    >>> to_price("1.299,00 €", Setting())
    {'amount': Decimal('1299.00'), 'currency': 'EUR'}
    """
    text = stripped(text)
    written = plain(text)
    marks = find_marks(written)
    minor = None
    if len(marks) == 1 and is_minor(marks[0]):
        minor = whole_sign(marks[0], written, setting)
        if minor is None:
            raise NotConverted(f"{shown(marks[0].written)} in {shown(text)} may be a currency")
    currency = resolve([Mark(minor, 0, 0)] if minor else marks, text, setting)
    hidden = _hide(written, marks)
    start, end, digits = _only_amount(hidden, text, has_mark=bool(marks))
    negative = _is_negative(hidden, start, text)
    amount = _read(hidden, end, digits, locale_of(setting.language), currency)
    if minor:
        amount = amount.scaleb(-2)
    whole, places = amount.adjusted() + 1, -int(amount.as_tuple().exponent)
    if whole > AMOUNT_DIGITS - AMOUNT_PLACES or places > AMOUNT_PLACES:
        raise NotConverted(f"{shown(text)} has more digits than an amount may have")
    return Price(amount=-amount if negative else amount, currency=currency)


def _hide(text: str, marks: list[Mark]) -> str:
    """The text with its currency hidden and its amount in one piece.

    Pages split amounts: `£48<sup>00</sup>` reads as "£48 00", `12€50` has the sign for a mark.
    """
    for mark in marks:
        text = text[: mark.start] + _HIDDEN * (mark.end - mark.start) + text[mark.end :]
    if len(marks) == 1 and marks[0].start > 0 and marks[0].end < len(text):
        text = _CENTS_AFTER_SIGN.sub(r"\1.\2", text)
    if " " in text:
        text = _BESIDE_MARK.sub(r"\1\2\3", text)
    return _NO_CENTS.sub(r"\1", text) if "-" in text else text


def _only_amount(hidden: str, text: str, *, has_mark: bool) -> tuple[int, int, str]:
    """Where the only amount stands, and what is written there; percentages don't count."""
    numerals = [*NUMERAL.finditer(hidden)]
    amounts = [n for n in numerals if not hidden[n.end() : n.end() + 2].lstrip().startswith("%")]
    if not amounts:
        raise NotConverted(f"{shown(text)} {'is a percentage' if numerals else 'has no amount'}")
    if len(amounts) == 2 and has_mark and _is_split(hidden, *amounts):
        whole, cents = amounts
        return whole.start(), cents.end(), f"{whole[0]}|{cents[0]}"
    if len(amounts) > 1:
        raise NotConverted(f"{shown(text)} has several amounts: a range, or prices side by side")
    (amount,) = amounts
    return amount.start(), amount.end(), amount[0]


def _is_split(hidden: str, whole: re.Match[str], cents: re.Match[str]) -> bool:
    """Whether two numbers are the two sizes of one price: 48 99 €; "£48 50 left" is none."""
    return (
        len(cents[0]) == 2
        and hidden[whole.end() : cents.start()] == " "
        and not hidden[cents.end() :].strip(f"{_HIDDEN} .*)-")
    )


def _read(hidden: str, end: int, written: str, locale: Locale, currency: str | None) -> Decimal:
    if "|" in written:
        whole, cents = written.split("|")
        digits = read_numeral(whole, locale, "integer")
        if not digits.isdigit():
            raise NotConverted(f"{shown(f'{whole} {cents}')} has several amounts")
        return Decimal(f"{digits}.{cents}")
    power, after = power_after(hidden, end, locale, money=True)
    if power and written.count(".") + written.count(",") == 1:
        return Decimal(written.replace(",", ".")).scaleb(power)
    if hidden[after : after + 1] == "+":
        raise NotConverted(f"{shown(written + '+')} gives a bound, not a price")
    if hidden[after : after + 1] == "-":
        raise NotConverted(f"{shown(written + '-')} ends in a sign: a range or a negative price")
    kind: Unsure = "number" if has_three_decimals(currency) else "price"
    amount = Decimal(read_numeral(written, locale, kind))
    return amount.scaleb(power) if power else amount


def _is_negative(hidden: str, start: int, text: str) -> bool:
    """Whether a minus stands directly before the amount or its currency, or brackets around."""
    before = hidden[:start]
    check_before(before, text)
    if hidden[0] in f"({_HIDDEN}" and hidden[-1] in f"){_HIDDEN}":
        inner = hidden.strip(f" {_HIDDEN}")
        if inner[0] == "(" and inner[-1] == ")" and not any(map(str.isalpha, inner)):
            return True
    before = before.rstrip(f" {_HIDDEN}") if _HIDDEN in before else before.rstrip(" ")
    if before[-1:] != "-":
        if before[-1:] and before[-1] in "<>≤≥≈~±":
            raise NotConverted(f"{shown(text)} gives a bound, not a price")
        return False
    beside = hidden[len(before) : len(before) + 1]
    if beside == " " or before[-2:-1].isalnum():
        raise NotConverted(f"the dash in {shown(text)} may be a minus or not")
    return True
