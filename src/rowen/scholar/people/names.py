"""Given and family names: how a name as it is printed divides."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rowen.limits import MENTIONS
from rowen.scholar.citations.citation import Name
from rowen.scholar.citations.names import parse_names
from rowen.scholar.people.words import kind_of

_ROMAN = re.compile(r"(?:II|III|IV)$")
_INITIAL = re.compile(r"[^\W\d_]\.?(?:-?[^\W\d_]\.)*$")

_WORD = re.compile(r"[^\W\d_]+(?:[-‐‑'’`][^\W\d_]+)*")


def name_of(text: str, elsewhere: Sequence[str] = ()) -> Name | None:
    """The name that a text is; a compound family name is told by how the paper cites it.

    Printed in full, a name doesn't show where the family's begins. Lines `elsewhere` that mention
    it may: `J. Soares de Oliveira` among references, `Ford Versypt (2019)`, `Ford Versypt et al.`.
    """
    text = text.strip(" ,;-•|")
    if not text.endswith(".") or not _INITIAL.match(text.split()[-1]):
        text = text.rstrip(" .,;-")
    text = _titled(text) if text.isupper() else text
    words = text.split()
    if "," not in text:
        if name := _capitals(words):
            return name
        if name := _cited(words, elsewhere):
            return name
    names = parse_names(text)
    return names[0] if names and names[0].given else None


def _titled(text: str) -> str:
    """A name that is set in capitals, as it is else."""
    first, *rest = text.split(" ")
    inner, last = rest[:-1], rest[-1:]
    small = [
        word.lower() if kind_of(word.lower()) == "particle" else _capitalised(word)
        for word in inner
    ]
    return " ".join([_capitalised(first), *small, *map(_capitalised, last)])


def _capitalised(word: str) -> str:
    """A word in capitals, as it is else; numbers behind a name stay as they are."""
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
        given = words[end:] if start == 0 else words[:start]
        if family and given and all(map(str.isupper, family)) and max(map(len, family)) > 2:
            lower = [
                word.lower() if kind_of(word.lower()) == "particle" else word.title()
                for word in family[:-1]
            ]
            return Name(" ".join(given), " ".join([*lower, family[-1].title()]))
    return None


def _cited(words: list[str], elsewhere: Sequence[str]) -> Name | None:
    """A division of a name that the paper's lines have more often than others."""
    if not elsewhere or not _compound(words):
        return None
    text = "\n".join(elsewhere)
    counts = {at: _count(words[:at], words[at:], text) for at in range(1, len(words))}
    best = max(counts, key=lambda at: (counts[at], at))
    return Name(" ".join(words[:best]), " ".join(words[best:])) if counts[best] else None


def _compound(words: Sequence[str]) -> bool:
    """Whether more than the last word may be the family name."""
    return sum(not _INITIAL.match(word) for word in words) > 2


def mentions_of(texts: Iterable[str], lines: Iterable[str]) -> dict[str, list[str]]:
    """For each name that may divide in several ways the lines with its last word or an address."""
    found: dict[str, list[str]] = {}
    by_word: defaultdict[str, list[list[str]]] = defaultdict(list)
    for text in texts:
        words = text.strip(" ,;-•|.").split()
        if _compound(words) and text not in found:
            found[text] = []
            by_word[words[-1].lower()].append(found[text])
    for line in lines if found else ():
        every = found.values() if "@" in line else ()
        own = (one for word in set(_WORD.findall(line.lower())) for one in by_word.get(word, ()))
        for mentions in (*every, *own):
            if len(mentions) < MENTIONS:
                mentions.append(line)
    return found


def _count(given: list[str], family: list[str], text: str) -> int:
    """How often a family name stands with initials, or as a reference or an address has it."""
    name = r"\s".join(map(re.escape, family))
    first = re.escape(given[0][0])
    initials = "".join(re.escape(word[0]) for word in given)
    run = r"[._\-]?".join(map(re.escape, family))
    forms = (
        rf"(?<![\w.]){first}\.\s?(?:-?[^\W\d_]\.\s?){{0,4}}{name}(?!\w)",
        rf"(?<![\w.\-])(?<![\w\-] ){name},?\s{first}\.?(?:[^\W\d_a-z]\.?|\s|-){{0,8}}(?!\w)",
        rf"(?:^|[(\[;,&\n]\s?|and\s){name}(?:,? et al|,? \(?(?:1[5-9]|20)\d\d|, & )",
    )
    address = rf"(?<!\w)(?:{initials}|{re.escape(given[0])})[._\-]?{run}\d*\s?@"
    # One's own address says more than how others cite.
    own = 2 if re.search(address, text, re.IGNORECASE) else 0
    return own + sum(len(re.findall(form, text, re.MULTILINE)) for form in forms)
