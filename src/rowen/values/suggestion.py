"""Which type do these texts have? A suggestion must be safe: text is never wrong.

A conversion reads whatever a field's owner asks for. A suggestion also asks whether the type is
plausible: digits may be a phone number, and words around a date may be what the field is about.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from rowen.values.conversion import NotConverted, Setting, convert
from rowen.values.currency import find_marks
from rowen.values.numeral import plain

SUGGESTION_TEXTS = 1_000
"""Limit: how many texts of a field are looked at: more would hardly change the answer."""

_ID_DIGITS = 8
"""Whole numbers with so many digits and no separators are ids: phone numbers, ISBNs, dates."""

_WORDS_BESIDE = 3
"""Words beside a date or a price, such as "Published on"; with more the text is a sentence."""

_LETTERS = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|//|/|\.\.?/|\?|mailto:)\S+", re.IGNORECASE)
_QUANTITY = re.compile(
    r"[(]?[+-]?(?P<digits>[0-9]+(?:[.,' ][0-9]+)*)(?P<unit> ?%| [^\W\d_][^\d]*| ?/ ?5|[kKM])?[)]?"
)
_RATING = re.compile(
    r"[0-9]+(?:[.,][0-9]+)?(?: ?/ ?| [^\W\d_]+(?: [^\W\d_]+)? )(?:5|10|100)\b[^\d]*"
)
_SURE_ANSWERS = {"true", "false"}


def suggest_type(texts: Sequence[str], setting: Setting) -> str:
    """The narrowest plausible type to which all texts that are not empty convert; else `text`.

    >>> suggest_type(["£48.00", "£5"], Setting()), suggest_type(["1987", "2026"], Setting())
    ('price', 'integer')
    >>> suggest_type(["02134", "90210"], Setting())
    'text'
    """
    samples = [text.strip() for text in texts[:SUGGESTION_TEXTS] if text and text.strip()]
    if not samples:
        return "text"
    for name, is_plausible in _PLAUSIBLE.items():
        if is_plausible(samples) and all(_converts(text, name, setting) for text in samples):
            return name
    return "text"


def _converts(text: str, name: str, setting: Setting) -> bool:
    try:
        value = convert(text, name, setting)
        # 4.0 and 1.234 can be read as integers by whoever asks for them; they are no evidence.
        if name == "integer" and text[0] != "(":
            value = convert(text, "number", setting)
    except NotConverted:
        return False
    return name != "integer" or isinstance(value, int)


def _answers(samples: list[str]) -> bool:
    """Words, not 0 and 1; a single "no" may be a word of another kind."""
    words = {text.casefold() for text in samples}
    return not any(map(str.isdigit, words)) and (len(samples) > 1 or words <= _SURE_ANSWERS)


def _addresses(samples: list[str]) -> bool:
    return all(_ADDRESS.fullmatch(text) for text in samples)


def _dates(samples: list[str]) -> bool:
    return all(_has_few_words(text) and not text.isdigit() for text in samples)


def _prices(samples: list[str]) -> bool:
    return all(_has_few_words(text) and find_marks(plain(text)) for text in samples)


def _has_few_words(text: str) -> bool:
    """Whether the words of a text are a month, a weekday, a unit and a few more at most."""
    return len(text) <= 60 and len(_LETTERS.findall(text)) <= _WORDS_BESIDE + 3


def _quantities(samples: list[str]) -> bool:
    """Several numbers with the same unit, or none, that are no ids."""
    if len(samples) < 2:
        return False
    matches = [_QUANTITY.fullmatch(plain(text)) for text in samples]
    if not all(matches):
        return all(_RATING.fullmatch(plain(text)) for text in samples)
    present = [match for match in matches if match]
    return _have_one_unit(match["unit"] for match in present) and not any(
        _is_id(match["digits"]) for match in present
    )


def _have_one_unit(units: Iterable[str | None]) -> bool:
    """Whether numbers count the same: 1 review and 87 reviews do; 12 Main St, 5 High St don't."""
    beginnings = {(unit or "").strip().casefold()[:3] for unit in units}
    return len(beginnings - {"k", "m"}) <= 1


def _is_id(digits: str) -> bool:
    """A number of which every digit counts, the first zero and the length included."""
    begins_with_zero = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
    return begins_with_zero or (digits.isdigit() and len(digits) >= _ID_DIGITS)


_PLAUSIBLE: dict[str, Callable[[list[str]], bool]] = {
    "boolean": _answers,
    "url": _addresses,
    "datetime": _dates,
    "date": _dates,
    "price": _prices,
    "integer": _quantities,
    "number": _quantities,
}
"""From the narrowest to the widest."""
