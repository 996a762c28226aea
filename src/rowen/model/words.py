r"""What a word is, in one place: what `\w` and `\b` of the `regex` package say.

A word character is a letter or another alphabetic character (Unicode's Alphabetic), a combining
mark, a decimal digit, a connector such as `_`, or one of the two joiners U+200C and U+200D. So a
word is the same however it is encoded: `José` is one word as four characters and as five. `²`,
`½` and `₂` are numbers, but no digits and no word characters.

Patterns run on `regex`, whose notion can't be changed; so dictionaries and all others that ask
where a word begins or ends ask the same engine, in the version of Unicode that it knows.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regex import Pattern

_CHARACTERS = 8_192
"""How many answers are remembered: more characters than any script but the Chinese has."""


@lru_cache(maxsize=_CHARACTERS)
def is_word_character(character: str) -> bool:
    r"""Whether a character is one that `\w` matches.

    >>> [is_word_character(character) for character in "é_7\u0301²-"]
    [True, True, True, True, False, False]
    """
    return _word().match(character) is not None


def is_inside_word(text: str, place: int) -> bool:
    r"""Whether a place has a word character on either side, so that a word would be cut there.

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
    import regex  # takes some milliseconds, and commands that ask for no words do without

    return regex.compile(r"\w")
