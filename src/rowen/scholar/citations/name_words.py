"""The words of lists of names that are no names themselves, from `names.toml`, as patterns."""

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

_WORDS = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
_DIGRAPHS = frozenset(_WORDS["digraphs"].split())

PARTICLES = frozenset(_WORDS["particles"].split() + _WORDS["capital_particles"].split())
"""Words before a family name that are part of it."""
BODIES = frozenset(_WORDS["bodies"].split())
"""Words of organisations, beside those for institutions."""


def _either(phrases: Iterable[str]) -> str:
    """A pattern for one of some phrases; longer ones go first, blanks may be several or none."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in ordered)


def _cased(phrases: Iterable[str]) -> str:
    """The same in any case, but for phrases with single letters: `u. a.` is no initials."""
    ordered = list(phrases)
    short = [one for one in ordered if re.search(r"\b[^\W\d_]\b", one)]
    long = [one for one in ordered if one not in short]
    return "|".join(filter(None, (f"(?i:{_either(long)})" if long else "", _either(short))))


SUFFIX = _either(_WORDS["suffixes"].split())
"""A pattern for what may stand behind a name."""
NUMERAL = _either(_WORDS["numerals"].split())
"""The same of numbers, which may also be initials."""
TITLE_SUFFIX = _either(_WORDS["title_suffixes"].split())
"""The same of what may also be initials, or a name by itself."""
ROLES = frozenset(_WORDS["roles"].split())
"""What a bracket behind a name may say of them."""
ABBREVIATED = re.compile(r"(?:[^\W\d_a-z][a-z]{0,2}\.[\s\-‐‑]*)+$")
"""Given names that are cut short, each with its dot."""
BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]*)(?:[)\]](?=\s*(?:[,;&]|and\b|$))|$)")
"""What stands in brackets behind a name."""

_AND = _WORDS["and"].split()
_WORD_AND, _CAPITAL_AND = _either(_AND), _either(_WORDS["and_capitals"].split())
AND = re.compile(
    r"\s*[,;]?\s*[&+]\s+|\s+[&+]\s*"
    rf"|(?:\s*[,;]\s*|\s+|^)(?:(?:{_WORD_AND})(?:\s+(?:{_WORD_AND}))*|(?:{_CAPITAL_AND})(?!\s+(?:{_WORD_AND}|&)\s))(?:\s+|$)"
)
"""A word or sign for `and` with what is around it; before another one it is initials, as `ET`."""
LETTER_AND = re.compile(rf"(?:\s*,\s*|\s+)({_either(_WORDS['and_letters'].split())})\s+")
"""The same of one letter, which is kept."""

OTHERS = re.compile(
    rf"(?:^|(?<=[.,;\s)])[\s,;&(\[]*|[\s,;&(\[]+)"
    rf"(?:{_cased(_WORDS['others'])}|{_either(_WORDS['others_alone'])})(?![\w\-'’])[\s.,;)\]]*"
    rf"|[\s,，]*(?:{_either(_WORDS['others_unspaced'])})(?=[\s.,;，；)]|$)[\s.]*"
)
"""What stands for people who are not named, with what is around it."""

EDITORS = re.compile(
    r"[\s,(\[]*\b(?:eds?|editors?|éds?|hrsg|hgg?|herausgeber|coords?|dirs?|a c(?:ura|\.) d[ie])\b"
    r"[.\s)\],]*$",
    re.IGNORECASE,
)
"""What says behind a list that it is of editors."""
_INTRODUCTIONS = _WORDS["introductions"]
_SHORT = [phrase for phrase in _INTRODUCTIONS if " " not in phrase]
_LONG = [phrase for phrase in _INTRODUCTIONS if " " in phrase]
INTRODUCTION = re.compile(
    r"^[^\w'’]*(?:"
    rf"(?i:{_either(_LONG)})[\s:]+"
    rf"|(?i:{_either(_SHORT)})\s*:\s*"
    rf"|(?:{_either(_SHORT)})\s+(?=[^\W\d_])"
    # In, K. and Park, S. are names, and so is In Soo Kim.
    rf"|(?:{_either(map(str.capitalize, _SHORT))})\s+"
    r"(?=(?:[^\W\d_]\.[\s\-‐]*)+[^\W\d_]{2}|[^\W\d_]{2,},\s)"
    r"|(?:[Ee]ds?[.:]|eds?\s)\s*(?=[^\W\d_]))?"
)
"""What says so before it."""

FULL_STOP = re.compile(
    r"(?<=[^\W\d_A-Z]{3})\.\s+(?=[^\W\d_a-z][^\W\d_]+(?:[-\s][^\W\d_]+){0,3},\s)"
)
"""A stop between names that have commas inside: `Roussillon, René. Chabert, Catherine`."""


def is_initial(word: str, *, dotted: bool, alone: bool) -> bool:
    """Whether letters are initials: single capitals, or several without dots if nothing else is.

    Two letters may be one initial where a dot follows: `Yu.`.
    """
    if dotted and word in _DIGRAPHS:
        return True
    return word.isupper() and (len(word) == 1 or alone)
