"""Patterns for words in lists of names that are not names, from `names.toml`."""

import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

from rowen.citations.keywords import KEYWORDS

_WORDS = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))
_DIGRAPHS = frozenset(_WORDS["digraphs"].split())

PARTICLES = frozenset(_WORDS["particles"].split() + _WORDS["capital_particles"].split())
"""Words before a family name that are part of it, such as `van`."""
CHINESE = frozenset(_WORDS["chinese"].split())
"""Chinese family names in pinyin."""
DOUBLE = frozenset(_WORDS["double"].split())
"""Family names that are usually the first of two."""
_INITIAL = "(?:[bpmfdtnlgkhjqxzcsryw]|[zcs]h)?"
_FINAL = (
    "(?:[iu]?ang?|[iu]an|i?ong|i?ao|u?ai|ian|iang|ing?|iu|ie|ia|u[oain]|ue|ui|un|en|eng|ei|er|ou"
    "|[aoeiuüv])"
)
PINYIN = re.compile(rf"(?:{_INITIAL}{_FINAL}['’-]?){{1,2}}$", re.IGNORECASE)
"""One or two syllables of Chinese in Latin letters."""
BODIES = frozenset(_WORDS["bodies"].split()) | {
    word for word, kind in KEYWORDS.items() if kind == "institution"
}
"""Words in names of organisations."""


def _either(phrases: Iterable[str]) -> str:
    """A pattern for any of the phrases, the longest first; a space matches any white space."""
    ordered = sorted(phrases, key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in ordered)


def _cased(phrases: Iterable[str]) -> str:
    """The same in any case, except phrases with single letters: `U. A.` are initials."""
    ordered = list(phrases)
    short = [phrase for phrase in ordered if re.search(r"\b[^\W\d_]\b", phrase)]
    long = [phrase for phrase in ordered if phrase not in short]
    return "|".join(filter(None, (f"(?i:{_either(long)})" if long else "", _either(short))))


SUFFIXES = frozenset(_WORDS["suffixes"].split() + _WORDS["numerals"].split())
"""Suffixes and numerals that may come last in a name."""
SUFFIX = _either(_WORDS["suffixes"].split())
"""A pattern for suffixes of names, such as `Jr`."""
NUMERAL = _either(_WORDS["numerals"].split())
"""A pattern for numerals after names, which may also be initials."""
TITLE_SUFFIX = _either(_WORDS["title_suffixes"].split())
"""A pattern for suffixes that may also be initials or a name."""
ROLES = frozenset(_WORDS["roles"].split())
"""Roles that may stand in brackets after a name."""
ABBREVIATED = re.compile(r"(?:[^\W\d_a-z][a-z]{0,2}\.[\s\-‐‑]*)+$")
"""Abbreviated given names, each with its dot."""
BRACKETED = re.compile(r"\s*[(\[]([^()\[\]]*)(?:[)\]](?=\s*(?:[,;&]|and\b|$))|$)")
"""Brackets after a name."""

_AND = _WORDS["and"].split()
_WORD_AND, _CAPITAL_AND = _either(_AND), _either(_WORDS["and_capitals"].split())
AND = re.compile(
    r"\s*[,;]?\s*[&+]\s+|\s+[&+]\s*"
    rf"|(?:\s*[,;]\s*|\s+|^)(?:(?:{_WORD_AND})(?:\s+(?:{_WORD_AND}))*|(?:{_CAPITAL_AND})(?!\s+(?:{_WORD_AND}|&)\s))(?:\s+|$)"
)
"""A word or sign for `and` with the space around it. `ET` before another one is initials."""
LETTER_AND = re.compile(rf"(?:\s*,\s*|\s+)({_either(_WORDS['and_letters'].split())})\s+")
"""A single letter for `and`, such as Spanish `y`; it is kept, as it may be inside a name."""

_FIRST_LETTERS = {phrase[0] for phrase in [*_WORDS["others"], *_WORDS["others_alone"]]}
OTHERS = re.compile(
    rf"(?:^|(?<=[.,;\s)])[\s,;&(\[]*|[\s,;&(\[]+)"
    rf"(?=(?i:[{''.join(map(re.escape, sorted(_FIRST_LETTERS)))}]))"  # or all phrases are tried
    rf"(?:{_cased(_WORDS['others'])}|{_either(_WORDS['others_alone'])})(?![\w\-'’])[\s.,;)\]]*"
    rf"|[\s,，]*(?:{_either(_WORDS['others_unspaced'])})(?=[\s.,;，；)]|$)[\s.]*"
)
"""`et al.` and the like, with the punctuation around it."""

EDITORS = re.compile(
    r"[\s,(\[]*\b(?:eds?|editors?|éds?|hrsg|hgg?|herausgeber|coords?|dirs?|a c(?:ura|\.) d[ie])\b"
    r"[.\s)\],]*$",
    re.IGNORECASE,
)
"""`(eds.)` and the like after a list of editors."""
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
"""`In:`, `edited by` and the like before a list of names."""

FULL_STOP = re.compile(
    r"(?<=[^\W\d_A-Z]{3})\.\s+(?=[^\W\d_a-z][^\W\d_]+(?:[-\s][^\W\d_]+){0,3},\s)"
)
"""A stop between names that have commas inside: `Roussillon, René. Chabert, Catherine`."""


def is_initial(word: str, *, dotted: bool, alone: bool) -> bool:
    """Whether a word is initials: one capital, or several without dots if the part is only that.

    Two letters before a dot may be one initial: `Yu.`.
    """
    if dotted and word in _DIGRAPHS:
        return True
    return word.isupper() and (len(word) == 1 or alone)
