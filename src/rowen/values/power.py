"""Words and letters after a number that multiply it: 1.2K, 5 million, 3万."""

import re
from functools import cache
from typing import Any

from rowen.values.refusal import NotConverted, shown
from rowen.values.setting import Locale
from rowen.values.tables import fold, read_table

_WORD = re.compile(r"( ?)([^\W\d_]+)")


def power_after(text: str, end: int, locale: Locale, *, money: bool) -> tuple[int, int]:
    """The power of ten by which what stands at `end` multiplies, and where it ends.

    >>> power_after("1.2K views", 3, Locale(), money=False)
    (3, 4)
    >>> power_after("12 km", 2, Locale(), money=False)
    (0, 2)
    """
    match = _WORD.match(text, end)
    if not match:
        return 0, end
    space, word = match.groups()
    table = _table()
    if not space and word in table["unsure_letters"] and not money:
        reading = table["unsure_letters"][word]["reading"]
        raise NotConverted(f"{shown(word)} after the number in {shown(text)} may mean {reading}")
    if not space and word in table["attached"]:
        return table["attached"][word], match.end()
    folded = fold(word)
    if folded in table["powers"]:
        return table["powers"][folded], match.end()
    if folded in table["powers_by_language"]:
        return _by_language(word, folded, text, locale), match.end()
    # Chinese, Japanese and Korean put no space after these: 3万円.
    power = table["powers"].get(word[0], 0)
    return power, match.start(2) + 1 if power else end


def _by_language(word: str, folded: str, text: str, locale: Locale) -> int:
    powers: dict[str, int] = _table()["powers_by_language"][folded]
    power = powers.get(locale.language or "any")
    if power is None:
        raise NotConverted(
            f"what {shown(word)} in {shown(text)} multiplies by depends on the language;"
            " set the field's language"
        )
    return power


@cache
def _table() -> dict[str, Any]:
    table = read_table("numbers.toml")
    for name in ("powers", "powers_by_language"):
        table[name] = {fold(word): power for word, power in table[name].items()}
    unsure = {word: letter["power"] for word, letter in table["unsure_letters"].items()}
    table["attached"] = table["letters"] | unsure
    return table
