"""Lists of people's names, as references and headers print them, name by name.

Styles differ in what comes first and in what a comma means: `Smith, J., Doe, M.`, `J. Smith, M.
Doe`, `Smith J, Doe M`, `Smith, John and Mary Doe`. What is between commas shows by its form which
of them it is: initials alone finish the name before them. The words that lists have in several
languages are in `names.toml`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rowen.scholar.citations.citation import Name
from rowen.scholar.citations.keywords import KEYWORDS
from rowen.scholar.citations.name_words import (
    ABBREVIATED,
    AND,
    BODIES,
    BRACKETED,
    EDITORS,
    FULL_STOP,
    INTRODUCTION,
    LETTER_AND,
    NUMERAL,
    OTHERS,
    PARTICLES,
    ROLES,
    SUFFIX,
    TITLE_SUFFIX,
    is_initial,
)
from rowen.scholar.lexicon import lexicon_class

_COMMA = re.compile(r"\s*[,，、]\s*")
_STRONG = re.compile(r"\s*(?:[;；/・]|\s[–—-]\s)\s*")
_LAST_SUFFIX = re.compile(
    rf"(?<=[\w.])\s+(?:{SUFFIX})\.?$|(?<=[A-Z.])\s+(?:{NUMERAL})$"  # Smith JR Jr
)
_SUFFIX = re.compile(rf"(?:{SUFFIX}|{NUMERAL}|{TITLE_SUFFIX})\.?$")
_INITIAL_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN_INITIALS = re.compile(r"[\s.\-‐‑–'’]*$")
_RUN = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*$")
_DOTTED = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*\.?$")
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+$"
)
_EDGES = " ,;:，；、"
_MOST_DOTTED, _MOST_BARE = 6, 4  # initials of one name, with dots and without


class _Part(NamedTuple):
    """What stands between two commas."""

    text: str
    opens: bool
    """Whether a word for `and` stands before it, or nothing."""


def parse_names(text: str) -> tuple[Name, ...]:
    """The names of a list, in order; what is left of no name is left out."""
    text = " ".join(text.split())
    text = EDITORS.sub("", INTRODUCTION.sub("", text, count=1))
    found = [name for part in OTHERS.split(text) for name in _list(part.strip(_EDGES))]
    return tuple(name for name in found if any(letter.isalpha() for letter in name.family))


def _list(text: str) -> Iterable[Name]:
    """The names of a list in which all are named."""
    text = _without_brackets(text)
    stop = FULL_STOP.search(text) if ";" not in text else None
    if stop is not None and "," in text[: stop.start()]:  # not Jeff. Smith, Alan. Jones, ...
        text = FULL_STOP.sub("; ", text).removesuffix(".")
    groups = _STRONG.split(text)
    parted = ";" in text or "；" in text or not _COMMA.search(text)
    if len(groups) > 1 and (parted or all(len(_COMMA.split(one)) == 2 for one in groups)):
        for group in groups:
            yield from _group(group.strip(_EDGES), alone=True)
    elif text:
        yield from _group(text, alone=False)


def _without_brackets(text: str) -> str:
    """A list in which brackets are read: `Kefi (N.)`, `Aad, G. (ATLAS Collaboration)`."""
    return BRACKETED.sub(_unbracketed, text).strip(_EDGES)


def _unbracketed(found: re.Match[str]) -> str:
    content = found.group(1).strip()
    if ABBREVIATED.match(content):
        return f", {content}"
    if content.lower().rstrip(".") in ROLES:
        return ""
    return (
        f"; {content}"
        if _body(content) and not _body(found.string[: found.start()])
        else f" ({content})"
    )


def _group(text: str, *, alone: bool) -> list[Name]:
    """The names of a list that only commas and words for `and` part.

    One that stands `alone` between semicolons is a single name if it has no such word.
    """
    chunks = _chunks(text)
    if _body(text) and not _COMMA.search(text) and not _with_people(chunks):
        return [Name("", text)]
    parts = [
        _Part(_LAST_SUFFIX.sub("", part), i == 0)
        for chunk in chunks
        for i, part in enumerate(_COMMA.split(chunk))
        if part
    ]
    if len(parts) == 2 and not parts[1].opens and _one_name(parts, alone=alone):
        return [_inverted(parts[0].text, parts[1].text)]
    return _in_turn(parts)


def _chunks(text: str) -> list[str]:
    """What stands between words for `and`, but for the single letters inside family names."""
    found: list[str] = []
    for chunk in AND.split(text):
        pieces = LETTER_AND.split(chunk)  # with the letters, which a group keeps
        whole = pieces[0]
        for letter, piece in zip(pieces[1::2], pieces[2::2], strict=True):
            if _compound(whole, piece):
                whole = f"{whole} {letter} {piece}"
            else:
                found.append(whole)
                whole = piece
        found.append(whole)
    return [piece for chunk in found if (piece := chunk.strip(_EDGES))]


def _compound(before: str, after: str) -> bool:
    """Whether a letter stands inside a family name: `Ortega y Gasset, J.`, `José Ortega y Gasset`.

    Between two names the first is complete, with a given name, and so is the second.
    """
    first, last = _COMMA.split(before)[-1], _COMMA.split(after)
    if _initials(first) or (_given_first(first) and len(last[0].split()) > 1):
        return False
    if " " in first:
        return not _family_first(first) and len(last) == 1 and " " not in last[0]
    return "," not in before and ((len(last) > 1 and " " not in last[0]) or _family_first(last[0]))


def _one_name(parts: list[_Part], *, alone: bool) -> bool:
    """Whether two parts are a family name and a given one."""
    family, given = parts[0].text, parts[1].text
    if _SUFFIX.match(given) or _unspaced(family) or _body(family):
        return _initials(given)
    if _initials(family) or _family_first(family) or _given_first(family) or _given_first(given):
        return False
    if alone or " " not in family or " " not in given:
        return True
    return _initials(given) or _inverted_by_words(family, given)


def _closing_name(part: _Part, after: _Part) -> bool:
    """Whether two parts that nothing follows are one name: `..., and Zhang, Min`."""
    return part.text[0].isupper() and _one_name([part, after], alone=False)


def _inverted_by_words(family: str, given: str) -> bool:
    """Whether words that are known as names say that the family name stands first."""
    first, last = _known(given.split(maxsplit=1)[0]), _known(given.rsplit(maxsplit=1)[-1])
    return _known(family.split(maxsplit=1)[0]) == "f" and "g" in {first, last} and last != "f"


def _known(word: str) -> str:
    """Whether a word is known as a given name or as a family's; nothing if as both."""
    kinds = {kind for kind in lexicon_class(word.lower().strip(".")) if kind in "fg"}
    return kinds.pop() if len(kinds) == 1 else ""


def _in_turn(parts: list[_Part]) -> list[Name]:
    """The names of a list, by the form of each part and of the one behind it."""
    inverted = sum(_initials(part.text) for part in parts)
    single = sum(" " not in part.text and not _initials(part.text) for part in parts)
    alternate = not inverted and len(parts) > 2 and single > 0.4 * len(parts) and _alternates(parts)
    found: list[Name] = []
    i = 0
    while i < len(parts):
        part = parts[i].text
        after = parts[i + 1] if i + 1 < len(parts) else _Part("", opens=True)
        last = i + 2 == len(parts) or (i + 2 < len(parts) and parts[i + 2].opens)
        if _SUFFIX.match(part) and found:
            i += 1
        elif _initials(part) and not found and after.text and not _initials(after.text):
            found.append(_inverted(after.text, part))
            i += 2
        elif (
            after.text
            and not after.opens
            and not _given_first(part)
            and not _unspaced(part)
            and (
                _initials(after.text)
                or alternate
                or (i == 0 and " " not in part and not _family_first(part))
                or (i > 0 and parts[i].opens and last and _closing_name(parts[i], after))
            )
        ):
            found.append(_inverted(part, after.text))
            i += 2
        else:
            found.append(_natural(part))
            i += 1
    return found


def _body(text: str) -> bool:
    """Whether a text has a word that makes it the name of an organisation."""
    words = [word.strip("(),.") for word in text.lower().split()]
    return any(word in BODIES or KEYWORDS.get(word) == "institution" for word in words)


def _with_people(chunks: list[str]) -> bool:
    """Whether all but the organisations among some chunks are people: `A. Smith and the X Team`."""
    others = [chunk for chunk in chunks if not _body(chunk)]
    return bool(others) and all(_given_first(one) or _family_first(one) for one in others)


def _alternates(parts: list[_Part]) -> bool:
    """Whether family and given names take turns between the commas."""
    given = sum("g" in lexicon_class(part.text.split()[0].lower()) for part in parts[1::2])
    return given >= 0.3 * len(parts[1::2])


@lru_cache(maxsize=4096)  # each part of a list is asked about several times
def _initials(part: str) -> bool:
    """Whether a part is made of initials alone: `J. R.`, `J.-P.`, `JR`, `Yu. A.`."""
    end = letters = 0
    words = list(_INITIAL_WORD.finditer(part))
    for word in words:
        dotted = part[word.end() : word.end() + 1] == "."
        if not is_initial(
            word.group(), dotted=dotted, alone=_RUN.match(part) is not None
        ) or not _BETWEEN_INITIALS.match(part[end : word.start()]):
            return False
        letters += len(word.group())
        end = word.end()
    most = _MOST_DOTTED if "." in part[:end] else _MOST_BARE
    return 0 < letters <= most and bool(_BETWEEN_INITIALS.match(part[end:]))


def _unspaced(part: str) -> bool:
    """Whether a part is a whole name in a script that needs no blank: `张伟`, `山田太郎`."""
    return bool(_UNSPACED.match(part))


def _given_first(part: str) -> bool:
    """Whether initials stand first, as in `J. R. Smith`."""
    words = part.split()
    return len(words) > 1 and bool(_DOTTED.match(words[0])) and not _initials(part)


def _family_first(part: str) -> bool:
    """Whether bare initials stand last, as in `Smith JR` and `Smith J. R.`."""
    words = part.split()
    return _tail(words) < len(words) and not re.match(r"[^\W\d_]\.", words[0])


def _tail(words: list[str]) -> int:
    """Where initials begin that end a name; its length where there are none."""
    at = len(words)
    while at > 1 and _initials(" ".join(words[at - 1 :])):
        at -= 1
    return at


def _inverted(family: str, given: str) -> Name:
    words = given.split()
    moved: list[str] = []
    while len(words) > 1 and words[-1] in PARTICLES:  # Beethoven, Ludwig van
        moved.insert(0, words.pop())
    bare = _LAST_SUFFIX.sub("", family)
    return Name(_with_last_dot(words), " ".join([*moved, bare]))


def _with_last_dot(words: list[str]) -> str:
    """Given names; the last dot may have been taken for the end of the list: `D. E`."""
    if len(words[-1]) == 1 and words[-1].isupper() and any(word.endswith(".") for word in words):
        words = [*words[:-1], f"{words[-1]}."]
    return " ".join(words)


def _natural(part: str) -> Name:
    words = part.split()
    if len(words) > 2:
        words = [word for word in words if not _SUFFIX.match(word)] or words
    if len(words) == 1 or _body(part):
        return Name("", " ".join(words))
    if _family_first(" ".join(words)):
        at = _tail(words)
        return Name(_with_last_dot(words[at:]), " ".join(words[:at]))
    if all(map(_unspaced, words)):  # 山田 太郎
        return Name(" ".join(words[1:]), words[0])
    at = len(words) - 1
    while at > 1 and (words[at - 1] in PARTICLES or _inside(words, at)):
        at -= 1
    return Name(" ".join(words[:at]), " ".join(words[at:]))


def _inside(words: list[str], at: int) -> bool:
    """Whether a word stands before a letter that joins two family names: `Ortega y Gasset`."""
    return len(words[at]) == 1 and words[at].islower() and at + 1 < len(words)
