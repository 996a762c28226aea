"""Divide a printed name into given and family name.

    Romain PEREIRA             the family name is in capitals
    Ludwig van Beethoven       particles belong to the family name
    Ana Soares de Oliveira     Ana Soares | de Oliveira, by default
    [1] A. Soares de Oliveira  a line elsewhere in the paper: then Ana | Soares de Oliveira

`orders.py` knows what a whole list of names shows. `rowen.citations.names` parses names without
such evidence.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rowen.citations.citation import Name
from rowen.citations.lexicon import lexicon_class
from rowen.citations.names import parse_names
from rowen.papers.people.orders import (
    chinese_name,
    compound_name,
    is_unspaced,
    spaced_name,
    spanish_name,
    unspaced_name,
    vietnamese_name,
)
from rowen.papers.people.words import kind_of

MENTIONS = 200
"""Limit: lines of a paper that are searched for other mentions of an author's name."""


_AFTER_INITIAL = re.compile(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]{2})")  # `A.Lovelace`
_ROMAN = re.compile(r"(?:II|III|IV)$")
_INITIAL = re.compile(r"[^\W\d_]\.?(?:-?[^\W\d_]\.)*$")

_LOCAL = re.compile(r"([\w.+\-]{1,64})\s?@")
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "ı": "i", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe"})
_PARTICLES = frozenset(
    ["van", "von", "de", "del", "di", "da", "la", "le", "mac", "mc", "ben", "bin"]
)
_EDGE = 3  # words at the end of a line that may be a part of a divided mention
_NEAR = 80  # letters of the lines around it
_WORD = re.compile(r"[^\W\d_]+(?:[-‐‑'’`][^\W\d_]+)*")


def name_of(text: str, elsewhere: Sequence[str] = (), *, family_first: bool = False) -> Name | None:
    """The name in a text; None where it is not a name.

    `family_first`: the list that it is from has family names first (see `orders.py`).

    A name in full does not show where a compound family name begins. Lines `elsewhere` in the paper
    may: `J. Soares de Oliveira` in a reference, `Ford Versypt (2019)`, `Ford Versypt et al.`.
    """
    # A dot at the end is that of an initial, or that of the sentence.
    text = text.strip(" ,;-•|")
    if not text.endswith(".") or not _INITIAL.match(text.split()[-1]):
        text = text.rstrip(" .,;-")
    text = _AFTER_INITIAL.sub(" ", _titled(text) if text.isupper() else text)
    words = text.split()
    if is_unspaced(text):
        return unspaced_name(text)
    if "," not in text:
        for divided in (
            _capitals(words),
            spaced_name(words),
            chinese_name(text) if family_first else None,
            _cited(words, elsewhere),
            spanish_name(words),
            compound_name(words),
            vietnamese_name(words),
        ):
            if divided is not None:
                return divided
    names = parse_names(text)
    return names[0] if names and names[0].given else None


def _titled(text: str) -> str:
    """A name in capitals, in its usual spelling; particles between the words in lower case."""
    first, *following = text.split(" ")
    inner, last = following[:-1], following[-1:]
    small = [
        word.lower() if kind_of(word.lower()) == "particle" else _capitalised(word)
        for word in inner
    ]
    return " ".join([_capitalised(first), *small, *map(_capitalised, last)])


def _capitalised(word: str) -> str:
    """A word in capitals, in its usual spelling; Roman numerals after a name stay."""
    return word if _ROMAN.match(word) else word.title()


def _capitals(words: list[str]) -> Name | None:
    """`Wei MENG` and `MENG Wei`: the family name is the one in capitals."""
    words = [word for word in words if not _ROMAN.match(word)]
    large = [len(word) > 1 and word.isupper() and "." not in word for word in words]
    small = [len(word) > 2 and not word.isupper() for word in words]
    if not any(large) or not any(small):
        return None
    for start, end in ((0, large.index(False)), (len(large) - large[::-1].index(False), None)):
        family = words[start:end]
        given_names = words[end:] if start == 0 else words[:start]
        if family and given_names and all(map(str.isupper, family)) and max(map(len, family)) > 2:
            lower = [
                word.lower() if kind_of(word.lower()) == "particle" else word.title()
                for word in family[:-1]
            ]
            return Name(" ".join(given_names), " ".join([*lower, family[-1].title()]))
    return None


def _cited(words: list[str], elsewhere: Sequence[str]) -> Name | None:
    """The division of a name that occurs most often in other lines; None if none does."""
    if not elsewhere or not _compound(words):
        return None
    text = "\n".join(elsewhere)
    counts = {at: _count(words[:at], words[at:], text) for at in range(1, len(words))}
    best = max(counts, key=lambda at: (counts[at], at))
    return Name(" ".join(words[:best]), " ".join(words[best:])) if counts[best] else None


def _compound(words: Sequence[str]) -> bool:
    """Whether more than the last word may be the family name: more than two full words."""
    return sum(not _INITIAL.match(word) for word in words) > 2


def mentions_of(texts: Iterable[str], lines: Iterable[str]) -> dict[str, list[str]]:
    """For each name with several possible divisions: the lines with its last word or an address.

    A mention may be divided: then the end of the line before, or the line after, is with it.
    """
    # Each line is searched once for all names, by its words: a paper may have 3,000 authors.
    by_name: dict[str, list[str]] = {}
    by_word: defaultdict[str, list[list[str]]] = defaultdict(list)
    for text in texts:
        words = text.strip(" ,;-•|.").split()
        if _compound(words) and text not in by_name:
            by_name[text] = []
            by_word[words[-1].lower()].append(by_name[text])
    for before, line, after in _neighbours(lines) if by_name else ():
        if "@" in line:
            _add(by_name.values(), line)
        found = _WORD.findall(line.lower())
        for word in by_word.keys() & set(found):
            head = before[-_NEAR:] + _seam(before) if word in found[:_EDGE] else ""
            tail = _seam(line) + after[:_NEAR] if word in found[-_EDGE:] else ""
            _add(by_word[word], head + line + tail)
    return by_name


def _seam(line: str) -> str:
    """What is between a line and the next one: a mention does not go on after a full stop."""
    return "\n" if not line or line.endswith((".", ":", "?", "!")) else " "


def _add(mentions: Iterable[list[str]], line: str) -> None:
    for own in mentions:
        if len(own) < MENTIONS:
            own.append(line)


def _neighbours(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Each line with the one before and the one after."""
    before = line = ""
    for after in lines:
        if line:
            yield before, line, after
        before, line = line, after
    if line:
        yield before, line, ""


def _count(given_names: list[str], family: list[str], text: str) -> int:
    """How often a text has this division: with initials, as a citation, or in an address."""
    usual, large = (r"\s".join(map(re.escape, words)) for words in (family, map(str.upper, family)))
    name = f"(?:{usual}|{large})"
    first = re.escape(given_names[0][0])
    forms = (
        rf"(?<![\w.]){first}\.\s?(?:-?[^\W\d_]\.\s?){{0,4}}{name}(?!\w)",
        rf"(?<![\w.\-])(?<![\w\-] ){name},?\s{first}\.?(?:[^\W\d_a-z]\.?|\s|-){{0,8}}(?!\w)",
        rf"(?:^|[(\[;,&\n]\s?|and\s){name}(?:,? (?:et al|ET AL)|,? \(?(?:1[5-9]|20)\d\d|, & )",
    )
    cited = sum(len(re.findall(form, text, re.MULTILINE)) for form in forms)
    # An author's own address is better evidence than the way others cite the name.
    return cited + 2 * _addressed(given_names, family, text)


def _addressed(given_names: Sequence[str], family: Sequence[str], text: str) -> bool:
    """Whether a text has an address of the given name, or its initials, and the whole family name.

    The first of two family names is enough after an initial: `jgarcia@` for José García López.
    """
    if "@" not in text:
        return False
    given_words = [_plain(word) for word in given_names]
    family_words = [_plain(word) for word in family]
    own = "".join(family_words)
    initials = "".join(word[:1] for word in given_words)
    # Not all given names together: `maryannsmith@` may be of Ann Smith, too.
    starts = {initials, initials[:1], given_words[0]}
    whole = {own, *(start + own for start in starts), *(own + start for start in starts)}
    first = family_words[0]
    given_too = "g" in lexicon_class(family[0].lower())
    if len(family_words) > 1 and len(first) > 2 and first not in _PARTICLES and not given_too:
        whole |= {start + first for start in starts}
    return any(_plain(local) in whole for local in _LOCAL.findall(text))


def _plain(text: str) -> str:
    """Only the letters of a text, in lower case and without accents."""
    letters = unicodedata.normalize("NFKD", text).lower().translate(_PLAIN)
    return "".join(filter(str.isalpha, letters))
