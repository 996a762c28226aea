"""Parsing lists of people's names, as references and headers print them.

Styles differ in which name comes first and in what a comma means: `Smith, J., Doe, M.`, `J. Smith,
M. Doe`, `Smith J, Doe M`, `Smith, John and Mary Doe`. The form of each part between commas decides:
a part of initials alone completes the name before it.

    Smith, J., Doe, M., & van Dam, A.
    split at `and`     Smith, J., Doe, M. | van Dam, A.
    split at commas    Smith | J. | Doe | M. | van Dam | A.
    initials complete  (J., Smith) (M., Doe) (A., van Dam)

The words of such lists, in several languages, are in `names.toml`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rowen.citations.citation import Name
from rowen.citations.lexicon import lexicon_class
from rowen.citations.name_words import (
    ABBREVIATED,
    AND,
    BODIES,
    BRACKETED,
    CHINESE,
    DOUBLE,
    EDITORS,
    FULL_STOP,
    INTRODUCTION,
    LETTER_AND,
    NUMERAL,
    OTHERS,
    PARTICLES,
    PINYIN,
    ROLES,
    SUFFIX,
    SUFFIXES,
    TITLE_SUFFIX,
    is_initial,
)

_COMMA = re.compile(r"\s*[,，、،]\s*")
_STRONG = re.compile(r"\s*(?:[;；؛/・]|\s[–—-]\s)\s*")
_LAST_SUFFIX = re.compile(
    rf"(?<=[\w.])\s+(?:{SUFFIX})\.?$|(?<=[A-Z.])\s+(?:{NUMERAL})$"  # Smith JR Jr
)
_SUFFIX = re.compile(rf"(?:{SUFFIX}|{NUMERAL}|{TITLE_SUFFIX})\.?$")
_INITIAL_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN_INITIALS = re.compile(r"[\s.\-‐‑–'’]*$")
_RUN = re.compile(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*$")
_FIRST_INITIAL = re.compile(r"[^\W\d_]\.")
_DOTTED = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*\.?$")
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+$"
)
_EDGES = " ,;:，；、،؛"
_SEMICOLONS = frozenset(";；؛")
_MOST_DOTTED, _MOST_BARE = 6, 4  # initials of one name, with dots and without


class _Part(NamedTuple):
    """A part between two commas."""

    text: str
    opens: bool
    """Whether it is the first part of the list, or the first after a word for `and`."""


def parse_names(text: str) -> tuple[Name, ...]:
    """The names of a list, in order; a part without letters is left out."""
    text = " ".join(text.split())
    if not text:
        return ()
    text = EDITORS.sub("", INTRODUCTION.sub("", text, count=1))
    names = [name for part in OTHERS.split(text) for name in _list(part.strip(_EDGES))]
    return tuple(name for name in names if _has_letters(name.family))


def _has_letters(text: str) -> bool:
    return text[:1].isalpha() or any(letter.isalpha() for letter in text)


def _list(text: str) -> Iterator[Name]:
    """The names of a list without `et al.`."""
    if not text:
        return
    text = _without_brackets(text)
    stop = FULL_STOP.search(text) if ";" not in text else None
    if stop is not None and "," in text[: stop.start()]:  # not Jeff. Smith, Alan. Jones, ...
        text = FULL_STOP.sub("; ", text).removesuffix(".")
    groups = _STRONG.split(text)
    parted = not _SEMICOLONS.isdisjoint(text) or not _COMMA.search(text)
    if len(groups) > 1 and (parted or all(len(_COMMA.split(group)) == 2 for group in groups)):
        for group in groups:
            yield from _group(group.strip(_EDGES), alone=True)
    elif text:
        yield from _group(text, alone=False)


def _without_brackets(text: str) -> str:
    """A list with its brackets resolved: `Kefi (N.)`, `Aad, G. (ATLAS Collaboration)`."""
    if "(" not in text and "[" not in text:
        return text
    return BRACKETED.sub(_unbracketed, text).strip(_EDGES)


def _unbracketed(match: re.Match[str]) -> str:
    content = match.group(1).strip()
    if ABBREVIATED.match(content):
        return f", {content}"
    if content.lower().rstrip(".") in ROLES:
        return ""
    return (
        f"; {content}"
        if _body(content) and not _body(match.string[: match.start()])
        else f" ({content})"
    )


def _group(text: str, *, alone: bool) -> list[Name]:
    """The names of a list that is separated by commas and words for `and`.

    With `alone` it stands between semicolons, and is a single name if it has no such word.
    """
    chunks = _chunks(text)
    if _body(text) and not _COMMA.search(text) and not _with_people(chunks):
        return [Name("", text)]
    parts = [
        _Part(_without_suffix(part), i == 0)
        for chunk in chunks
        for i, part in enumerate(_COMMA.split(chunk))
        if part
    ]
    if len(parts) == 2 and not parts[1].opens and _one_name(parts, alone=alone):
        return [_inverted(parts[0].text, parts[1].text)]
    return _in_turn(parts)


def _chunks(text: str) -> list[str]:
    """Split a list at words for `and`, but not at single letters inside family names."""
    joined_chunks: list[str] = []
    for chunk in AND.split(text):
        pieces = LETTER_AND.split(chunk)  # with the letters: the pattern has a group
        whole = pieces[0]
        for letter, piece in zip(pieces[1::2], pieces[2::2], strict=True):
            if _compound(whole, piece):
                whole = f"{whole} {letter} {piece}"
            else:
                joined_chunks.append(whole)
                whole = piece
        joined_chunks.append(whole)
    return [piece for chunk in joined_chunks if (piece := chunk.strip(_EDGES))]


def _compound(before: str, after: str) -> bool:
    """Whether a letter is inside a family name: `Ortega y Gasset, J.`, `José Ortega y Gasset`.

    Between two names both are complete: each has a given name.
    """
    first, last = _COMMA.split(before)[-1], _COMMA.split(after)
    if _initials(first) or (_given_first(first) and len(last[0].split()) > 1):
        return False
    if " " in first:
        return not _family_first(first) and len(last) == 1 and " " not in last[0]
    return "," not in before and ((len(last) > 1 and " " not in last[0]) or _family_first(last[0]))


def _one_name(parts: list[_Part], *, alone: bool) -> bool:
    """Whether two parts are a family name and a given one."""
    family, given_name = parts[0].text, parts[1].text
    if _SUFFIX.match(given_name) or _unspaced(family) or _body(family):
        return _initials(given_name)
    if (
        (_initials(family) and not _is_letter(family, given_name))
        or _family_first(family)
        or (_given_first(family) and not _is_letter(family, given_name))
        or _given_first(given_name)
    ):
        return False
    if alone or " " not in family or " " not in given_name:
        return True
    return _initials(given_name) or _inverted_by_words(family, given_name)


def _closing_name(part: _Part, after: _Part) -> bool:
    """Whether the last two parts of a list are one name: `..., and Zhang, Min`."""
    return part.text[0].isupper() and _one_name([part, after], alone=False)


def _inverted_by_words(family: str, given_name: str) -> bool:
    """Whether the lexicon says that the family name comes first."""
    first, last = _known(given_name.split(maxsplit=1)[0]), _known(given_name.rsplit(maxsplit=1)[-1])
    return _known(family.split(maxsplit=1)[0]) == "f" and "g" in {first, last} and last != "f"


def _known(word: str) -> str:
    """`g` or `f` where the lexicon has a word as given or family name only; else nothing."""
    kinds = {kind for kind in lexicon_class(word.lower().strip(".")) if kind in "fg"}
    return kinds.pop() if len(kinds) == 1 else ""


def _in_turn(parts: list[_Part]) -> list[Name]:
    """The names of a list, by the form of each part and of the part after it."""
    inverted = sum(_initials(part.text) for part in parts)
    single = sum(" " not in part.text and not _initials(part.text) for part in parts)
    alternate = not inverted and len(parts) > 2 and single > 0.4 * len(parts) and _alternates(parts)
    names: list[Name] = []
    in_order: list[int] = []  # names as they are printed, without a comma
    i = 0
    while i < len(parts):
        part = parts[i].text
        after = parts[i + 1] if i + 1 < len(parts) else _Part("", opens=True)
        last = i + 2 == len(parts) or (i + 2 < len(parts) and parts[i + 2].opens)
        if _SUFFIX.match(part) and names:
            i += 1
        elif _initials(part) and not names and after.text and not _initials(after.text):
            names.append(_inverted(after.text, part))
            i += 2
        elif (
            after.text
            and not after.opens
            and (not _given_first(part) or _is_letter(part, after.text))
            and not _unspaced(part)
            and (
                _initials(after.text)
                or alternate
                or (i == 0 and " " not in part and not _family_first(part))
                or (i > 0 and parts[i].opens and last and _closing_name(parts[i], after))
            )
        ):
            names.append(_inverted(part, after.text))
            i += 2
        else:
            in_order.append(len(names))
            names.append(_natural(part))
            i += 1
    if in_order and _chinese_order([names[k] for k in in_order]):
        for k in in_order:
            names[k] = _turned(names[k])
    return names


def _chinese_order(names: list[Name]) -> bool:
    """Whether family names come first, as Chinese names are spoken: `Li Xiaoming, Wang Fang`."""
    first = [name for name in names if name.given in CHINESE and PINYIN.match(name.family)]
    last = [name for name in names if name.family in CHINESE and name.given not in CHINESE]
    only_first = [name for name in first if name.family not in CHINESE]
    return bool(only_first) and not last and 2 * len(first) > len(names)


def _turned(name: Name) -> Name:
    if name.given in CHINESE and PINYIN.match(name.family):
        return Name(name.family, name.given)
    return name


def _body(text: str) -> bool:
    """Whether a text contains a word of organisations' names."""
    return not BODIES.isdisjoint([word.strip("(),.") for word in text.lower().split()])


def _with_people(chunks: list[str]) -> bool:
    """Whether there are people, and all look like names: `A. Smith and the X Team`."""
    others = [chunk for chunk in chunks if not _body(chunk)]
    return bool(others) and all(_given_first(person) or _family_first(person) for person in others)


def _alternates(parts: list[_Part]) -> bool:
    """Whether family and given names alternate between the commas."""
    given_names = sum("g" in lexicon_class(part.text.split()[0].lower()) for part in parts[1::2])
    return given_names >= 0.3 * len(parts[1::2])


@lru_cache(maxsize=4096)  # several rules test the same part
def _initials(part: str) -> bool:
    """Whether a part consists of initials: `J. R.`, `J.-P.`, `JR`, `Yu. A.`."""
    end = letters = 0
    alone = _RUN.match(part) is not None
    for word in _INITIAL_WORD.finditer(part):
        dotted = part[word.end() : word.end() + 1] == "."
        if not is_initial(word.group(), dotted=dotted, alone=alone) or not _BETWEEN_INITIALS.match(
            part[end : word.start()]
        ):
            return False
        letters += len(word.group())
        end = word.end()
    most = _MOST_DOTTED if "." in part[:end] else _MOST_BARE
    return 0 < letters <= most and bool(_BETWEEN_INITIALS.match(part[end:]))


def _unspaced(part: str) -> bool:
    """Whether a part is a whole name in a script without spaces: `张伟`, `山田太郎`."""
    return bool(_UNSPACED.match(part))


def _given_first(part: str) -> bool:
    """Whether initials come first, as in `J. R. Smith`."""
    words = part.split()
    return len(words) > 1 and bool(_DOTTED.match(words[0])) and not _initials(part)


def _is_letter(family: str, given_name: str) -> bool:
    """Whether a family name starts with a letter: `Ó Súilleabháin, É.`, `E, W.`.

    It has no dot, and the initials of the same name have.
    """
    return "." not in family and "." in given_name and _initials(given_name)


def _family_first(part: str) -> bool:
    """Whether initials come last, as in `Smith JR` and `Smith J. R.`."""
    words = part.split()
    return _tail(words) < len(words) and not _FIRST_INITIAL.match(words[0])


def _tail(words: list[str]) -> int:
    """The index of the first of the initials at the end; the number of words without any."""
    at = len(words)
    while at > 1 and _initials(" ".join(words[at - 1 :])):
        at -= 1
    return at


def _inverted(family: str, given_name: str) -> Name:
    words = given_name.split()
    moved: list[str] = []
    while len(words) > 1 and words[-1] in PARTICLES:  # Beethoven, Ludwig van
        moved.insert(0, words.pop())
    return Name(_with_last_dot(words), " ".join([*moved, _without_suffix(family)]))


def _without_suffix(name: str) -> str:
    """A name without `Jr` at its end; most names have none, and looking is quicker."""
    last = name.rpartition(" ")[2].removesuffix(".")
    return _LAST_SUFFIX.sub("", name) if last in SUFFIXES else name


def _with_last_dot(words: list[str]) -> str:
    """Given names as a text; a last dot that was taken for the end of the list is restored."""
    if len(words[-1]) == 1 and words[-1].isupper() and any(word.endswith(".") for word in words):
        words = [*words[:-1], f"{words[-1]}."]
    return " ".join(words)


def _natural(part: str) -> Name:
    words = part.split()
    if len(words) > 2:
        words = [word for word in words if not _SUFFIX.match(word)] or words
    if len(words) == 1 or _body(part):
        return Name("", " ".join(words))
    if (capitals := _in_capitals(words)) is not None:
        return capitals
    if _family_first(" ".join(words)):
        at = _tail(words)
        return Name(_with_last_dot(words[at:]), " ".join(words[:at]))
    if all(map(_unspaced, words)):  # 山田 太郎
        return Name(" ".join(words[1:]), words[0])
    at = len(words) - 1
    if at > 1 and words[at - 1] in DOUBLE:
        at -= 1
    while at > 1 and (words[at - 1] in PARTICLES or _inside(words, at)):
        at -= 1
    return Name(" ".join(words[:at]), " ".join(words[at:]))


def _in_capitals(words: list[str]) -> Name | None:
    """A name whose family name is printed in capitals: `LE GOFF Jacques`, `Jacques LE GOFF`.

    Capitals may be initials, too: a word must be long, or one of two.
    """
    large = [len(word) > 1 and word.isupper() and word.isalpha() for word in words]
    count = sum(large)
    longest = max([len(word) for word, own in zip(words, large, strict=True) if own], default=0)
    if not 0 < count < len(words) or longest < (4 if count > 1 else 5):
        return None
    if all(large[:count]):
        return Name(_with_last_dot(words[count:]), " ".join(words[:count]))
    if all(large[-count:]):
        return Name(" ".join(words[:-count]), " ".join(words[-count:]))
    return None


def _inside(words: list[str], at: int) -> bool:
    """Whether the word here is a letter that joins two family names: `Ortega y Gasset`."""
    return len(words[at]) == 1 and words[at].islower() and at + 1 < len(words)
