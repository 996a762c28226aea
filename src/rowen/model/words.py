r"""The definition of a word, in one place: that of `\w` and `\b` in the `regex` package.

A word character is a letter or another alphabetic character (Unicode's Alphabetic), a combining
mark, a decimal digit, a connector such as `_`, or one of the two joiners U+200C and U+200D. So a
word is the same however it is encoded: `José` is one word as four characters and as five. `²`,
`½` and `₂` are numbers, but neither digits nor word characters.

Patterns run on `regex`, whose definition can't be changed. So dictionaries and everything else that
needs the edges of words use the same engine, with its version of Unicode.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regex import Pattern

_CHARACTERS = 8_192
"""Limit: how many answers are cached: more characters than any script except Chinese has."""


@lru_cache(maxsize=_CHARACTERS)
def is_word_character(character: str) -> bool:
    r"""Whether `\w` matches a character.

    >>> [is_word_character(character) for character in "é_7\u0301²-"]
    [True, True, True, True, False, False]
    """
    return _word().match(character) is not None


def is_inside_word(text: str, place: int) -> bool:
    r"""Whether a place has word characters on both sides, so that a word would be cut there.

    >>> is_inside_word("Jose\u0301", 4), is_inside_word("CO₂", 2)
    (True, False)
    """
    return (
        0 < place < len(text)
        and is_word_character(text[place - 1])
        and is_word_character(text[place])
    )


@cache
def _word() -> "Pattern[str]":
    import regex  # late: it takes some milliseconds, and many commands don't need it

    return regex.compile(r"\w")
