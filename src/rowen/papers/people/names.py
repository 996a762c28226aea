"""Divide a printed name into given and family name.

    Romain PEREIRA             the family name is in capitals
    Ludwig van Beethoven       particles belong to the family name
    Ana Soares de Oliveira     Ana Soares | de Oliveira, by default
    [1] A. Soares de Oliveira  a line elsewhere in the paper: then Ana | Soares de Oliveira

`orders.py` knows what a whole list of names shows. `rowen.citations.names` parses names without
such evidence.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rowen.citations.citation import Name
from rowen.citations.names import parse_names
from rowen.papers.people.orders import (
    chinese_name,
    is_unspaced,
    spaced_name,
    spanish_name,
    unspaced_name,
    vietnamese_name,
)
from rowen.papers.people.words import kind_of

MENTIONS = 200
"""Limit: lines of a paper that are searched for other mentions of an author's name."""


_ROMAN = re.compile(r"(?:II|III|IV)$")
_INITIAL = re.compile(r"[^\W\d_]\.?(?:-?[^\W\d_]\.)*$")

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
    text = _titled(text) if text.isupper() else text
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
    """For each name with several possible divisions: the lines with its last word or an address."""
    # Each line is searched once for all names, by its words: a paper may have 3,000 authors.
    by_name: dict[str, list[str]] = {}
    by_word: defaultdict[str, list[list[str]]] = defaultdict(list)
    for text in texts:
        words = text.strip(" ,;-•|.").split()
        if _compound(words) and text not in by_name:
            by_name[text] = []
            by_word[words[-1].lower()].append(by_name[text])
    for line in lines if by_name else ():
        with_address = by_name.values() if "@" in line else ()
        own = (
            mention_list
            for word in set(_WORD.findall(line.lower()))
            for mention_list in by_word.get(word, ())
        )
        for mentions in (*with_address, *own):
            if len(mentions) < MENTIONS:
                mentions.append(line)
    return by_name


def _count(given_names: list[str], family: list[str], text: str) -> int:
    """How often a text has this division: with initials, as a citation, or in an address."""
    name = r"\s".join(map(re.escape, family))
    first = re.escape(given_names[0][0])
    initials = "".join(re.escape(word[0]) for word in given_names)
    run = r"[._\-]?".join(map(re.escape, family))
    forms = (
        rf"(?<![\w.]){first}\.\s?(?:-?[^\W\d_]\.\s?){{0,4}}{name}(?!\w)",
        rf"(?<![\w.\-])(?<![\w\-] ){name},?\s{first}\.?(?:[^\W\d_a-z]\.?|\s|-){{0,8}}(?!\w)",
        rf"(?:^|[(\[;,&\n]\s?|and\s){name}(?:,? et al|,? \(?(?:1[5-9]|20)\d\d|, & )",
    )
    address = rf"(?<!\w)(?:{initials}|{re.escape(given_names[0])})[._\-]?{run}\d*\s?@"
    # An author's own address is better evidence than the way others cite the name.
    own = 2 if re.search(address, text, re.IGNORECASE) else 0
    return own + sum(len(re.findall(form, text, re.MULTILINE)) for form in forms)
