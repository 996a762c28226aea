"""The order of the parts of names, from all names of a list.

Wang Xiaoming, Li Jinghua      family names come first: `Xiaoming` is no family name
Xiaoming Wang, Yang Li         they come last; the first name shows it, and the second follows
Juan Carlos García López       two Spanish family names
欧阳明                          written without a space; some family names have two characters
"""

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files

from rowen.citations.citation import Name

_UNSPACED = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff][\u3005\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff]{1,3}$"
)
_UNCASED = re.compile(
    r"[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]{1,5}$"
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.?|(?:[^\W\d_]\.-?){2,3}[^\W\d_]?)$")
_SPANISH_PARTICLES = frozenset(["de", "del", "la", "las", "los", "y"])
# Of Castilian and of Basque family names.
_SPANISH_ENDINGS = ("ez", "éz", "berria", "barria", "etxea", "echea", "goitia", "tegi", "tegui")
_CASTILIAN = frozenset(["la", "las", "los", "y"])
_ITALIAN = re.compile(r"[^\W\d_]{4,}[aeio]$")
_SYLLABLES = re.compile(r"[^\W\d_]+(?:[-‐‑'’][^\W\d_]+)*$")


_FAMILIES = {
    name: frozenset(text.split())
    for name, text in tomllib.loads(
        files(__package__).joinpath("family_names.toml").read_text("utf-8")
    ).items()
}
_SPANISH = _FAMILIES["spanish"] | _FAMILIES["spanish_others"]


def is_unspaced(text: str) -> bool:
    """Whether a text is a whole name in Chinese characters or Hangul, without a space.

    >>> is_unspaced("张伟"), is_unspaced("张"), is_unspaced("Wei")
    (True, False, False)
    """
    return _UNSPACED.match(text) is not None


def spaced_name(words: Sequence[str]) -> Name | None:
    """Two words in Chinese characters, kana or Hangul: the family name is first; None otherwise."""
    if len(words) != 2 or not all(map(_UNCASED.match, words)):
        return None
    return Name(words[1], words[0])


def unspaced_name(text: str) -> Name:
    """A name in Chinese characters or Hangul: the family name is its first character, or two."""
    length = 2 if text[:2] in _FAMILIES["han_double"] and len(text) > 2 else 1
    return Name(text[length:], text[:length])


def family_comes_first(names: Sequence[str]) -> bool:
    """Whether the names of a list begin with the family name, as Chinese names may.

    >>> family_comes_first(["Wang Xiaoming", "Li Yang"])
    True
    >>> family_comes_first(["Xiaoming Wang", "Yang Li"])
    False
    """
    chinese = _FAMILIES["chinese"]
    first = last = 0
    for name in names:
        words = name.lower().split()
        if len(words) == 2 and all(map(_SYLLABLES.match, words)):
            own = [word in chinese for word in words]
            first += own == [True, False]
            last += own == [False, True]
    return first > last


def chinese_name(text: str) -> Name | None:
    """A name of a list in which family names come first; None if it does not begin with one."""
    words = text.split()
    if len(words) != 2 or words[0].lower() not in _FAMILIES["chinese"]:
        return None
    return Name(words[1], words[0])


def spanish_name(words: Sequence[str]) -> Name | None:
    """A name that ends in two Spanish family names; None for other names.

    >>> spanish_name("Ana Gómez Villar".split()).family
    'Gómez Villar'
    >>> spanish_name("Eva López de la Torre".split()).family
    'López de la Torre'
    """
    spanish, first_names = _SPANISH, _FAMILIES["spanish_given"]
    at = len(words) - 2
    # `de la` between the two belongs to the second one.
    while at > 1 and words[at].lower() in _SPANISH_PARTICLES:
        at -= 1
    if at < 1 or words[at].endswith(".") or len(words[at]) == 1:
        return None
    before, first, last = words[:at], words[at].lower(), words[-1].lower()
    family = Name(" ".join(before), " ".join(words[at:]))
    known = all(word.lower() in first_names for word in before)
    if at < len(words) - 2:
        # Portuguese names have `de`, too, but no `de la`, and usually the last family name counts.
        castilian = known and any(word in _CASTILIAN for word in words[at:-1])
        return family if (first in spanish or castilian) and first not in first_names else None
    # Two given names before them are enough, too: nobody has four.
    if known and len(before) == 2 and first not in first_names:
        return family
    if first in first_names and not (first in spanish and last in spanish and len(before) > 1):
        return None
    listed = [word in spanish or word.endswith(_SPANISH_ENDINGS) for word in (first, last)]
    # One of the two is enough if all words before them are Spanish given names.
    return family if all(listed) or (known and any(listed)) else None


def compound_name(words: Sequence[str]) -> Name | None:
    """A name whose form shows that its last two words, or more, are the family name.

    >>> compound_name("Siobhán Mac Cárthaigh".split()).family
    'Mac Cárthaigh'
    >>> compound_name("Matthew G. Vander Heiden".split()).family
    'Vander Heiden'
    >>> compound_name("João Pedro da Silva Júnior".split()).family
    'da Silva Júnior'
    """
    if len(words) < 3:
        return None
    low = [word.lower().rstrip(".") for word in words]
    at = _family_start(low)
    if at < len(words) - 1:
        return Name(" ".join(words[:at]), " ".join(words[at:]))
    # After a given name and an initial there is hardly another given name.
    after_initial = len(words) > 3 and _is_initial(words[-3]) and not _is_initial(words[0])
    full = not any(map(_is_initial, words[-2:]))
    if full and after_initial and low[-2] not in _FAMILIES["spanish_given"]:
        return Name(" ".join(words[:-2]), " ".join(words[-2:]))
    return None


def _family_start(low: Sequence[str]) -> int:
    """The index of a family name's first word, by words that begin or end one of several words."""
    if len(low) > 3 and low[-2] == "na" and low[-1] in _FAMILIES["thai_places"]:
        return len(low) - 3
    at = len(low) - 1
    inherited = low[-1] in _FAMILIES["portuguese_endings"]
    italian = low[-2] in _FAMILIES["italian_articles"] and _ITALIAN.search(low[-1])
    persian = low[-1] in _FAMILIES["persian_endings"]
    if inherited or italian or persian or f"{low[-2]}-{low[-1]}" in _FAMILIES["pairs"]:
        at -= 1
    begun = at
    # Particles between prefixes, as in `Abd El Rahman`; alone they are `parse_names`' matter.
    for i in range(at - 1, 0, -1):
        if low[i] in _FAMILIES["prefixes"]:
            begun = i
        elif low[i] not in _FAMILIES["particles"]:
            break
        elif inherited:
            begun = i
    return begun


def _is_initial(word: str) -> bool:
    return _INITIALS.match(word) is not None


def vietnamese_name(words: Sequence[str]) -> Name | None:
    """`Nguyen Van Thanh`: after a Vietnamese family name, `Van` is no particle; None otherwise.

    In this order the last word is what people are called by, and what they are cited by.
    """
    if len(words) != 3 or words[0].lower() not in _FAMILIES["vietnamese"] or words[1] != "Van":
        return None
    return Name(" ".join(words[:2]), words[2])
