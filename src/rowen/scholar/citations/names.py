"""Lists of people's names, as references and headers print them, name by name.

Styles differ in what comes first and in what a comma means: `Smith, J., Doe, M.`, `J. Smith, M.
Doe`, `Smith J, Doe M`, `Smith, John and Mary Doe`. What is between commas shows by its form which
of them it is: initials alone finish the name before them.
"""

import re
from functools import lru_cache

from rowen.scholar.citations.citation import Name
from rowen.scholar.citations.keywords import KEYWORDS
from rowen.scholar.lexicon import lexicon_class

_PARTICLES = frozenset(
    [
        "van",
        "von",
        "vom",
        "der",
        "den",
        "de",
        "del",
        "della",
        "dalla",
        "degli",
        "di",
        "da",
        "dos",
        "das",
        "do",
        "du",
        "des",
        "la",
        "le",
        "ter",
        "ten",
        "zu",
        "zur",
        "af",
        "av",
        "bin",
        "ibn",
        "ben",
        "al",
        "el",
        "Van",
        "Von",
        "De",
        "Del",
        "Della",
        "Di",
        "Da",
        "Dos",
        "Das",
        "Du",
        "La",
        "Le",
        "El",
        "Al",
        "Ben",
        "Ter",
    ]
)
_BODIES = frozenset(
    [
        "team",
        "group",
        "community",
        "nations",
        "committee",
        "consortium",
        "collaboration",
        "network",
        "corporation",
        "board",
        "federation",
        "union",
        "initiative",
        "panel",
        "program",
        "programme",
        "project",
        "government",
        "parliament",
    ]
)  # beside the words for institutions
_SUFFIX = re.compile(r"(?:Jr|Sr|Jun|Sen|II|III|IV|2nd|3rd|MD|PhD|Ph\.D|M\.D)\.?$")
_LAST_SUFFIX = re.compile(r"(?<=[A-Z.])\s+(?:Jr|Sr|II|III)\b\.?$")  # Smith JR Jr
_INITIALS = re.compile(
    r"(?:[^\W\d_a-z]\.?(?:\s*[-‐‑–]\s*)?\s*|(?:Yu|Ya|Zh|Ch|Sh|Th|Ph|Kh|Ts|Dz)\.\s*){1,5}$"
)
_ET_AL = re.compile(
    r"[,;&\s]*(?:\b(?:and|et|und|u)\b[.\s]*)?\b(?:al|others|alii|colleagues|a)\b\.?[\s,;.]*$",
    re.IGNORECASE,
)
_EDITORS = re.compile(
    r"[\s,(\[]*\b(?:eds?|editors?|hrsg|hgg?|herausgeber|coords?|dirs?|a c(?:ura|\.) d[ie])\b"
    r"[.\s)\],]*$",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^\W*(?:(?:in|edited by|eds?\.?|by|hrsg\.? v(?:on|\.)|par|von)\b[:.\s]*)?", re.IGNORECASE
)
_AND = re.compile(
    r"\s*(?:,\s*)?(?:&|\band\b|\bund\b|\bet\b|\by\b|\boch\b|\ben\b)\s+", re.IGNORECASE
)
_COMMA = re.compile(r"\s*,\s*")
_SIGNS = re.compile(r"\W")
_DOTTED = re.compile(r"[^\W\d_]\.?(?:-?[^\W\d_]\.)*$")
_BARE = re.compile(r"\s((?:[^\W\d_a-z]\.?[-\s]?){1,4})$")
_STRONG = re.compile(r"\s*(?:;|/|\s[–—-]\s)\s*")


def parse_names(text: str) -> tuple[Name, ...]:
    """The names of a list, in order; what is left of no name is left out."""
    text = " ".join(text.split())
    text = _EDITORS.sub("", _LEADING.sub("", text, count=1))
    text = _ET_AL.sub("", text).strip(" ,;:")
    if not text:
        return ()
    if _body(text) and not re.search(r"[,;]", text):
        return (Name("", text),)
    if ";" in text or (_STRONG.search(text) and "," not in text):
        groups = _STRONG.split(_AND.sub("; ", text))
        found = [name for group in groups for name in _group(group)]
    else:
        found = _group(text)
    return tuple(name for name in found if any(letter.isalpha() for letter in name.family))


def _group(text: str) -> list[Name]:
    """The names of a list that only commas and words for `and` part."""
    chunks = [chunk.strip(" ,") for chunk in _AND.split(text)]
    parts: list[tuple[str, bool]] = []  # with whether an `and` stands before it
    for chunk in chunks:
        for i, part in enumerate(_COMMA.split(chunk)):
            if part:
                parts.append((_LAST_SUFFIX.sub("", part), i == 0))
    if len(parts) == 2 and not parts[1][1] and not _initials(parts[0][0]):
        family, given = parts[0][0], parts[1][0]
        both_full = " " in family and " " in given and not _family_first(family)
        if not both_full and not _family_first(family):
            return [_inverted(family, given)]
    inverted = sum(_initials(part) for part, _ in parts)
    single = sum(" " not in part and not _initials(part) for part, _ in parts)
    alternate = not inverted and len(parts) > 2 and single > 0.4 * len(parts) and _alternates(parts)
    found: list[Name] = []
    i = 0
    while i < len(parts):
        part = parts[i][0]
        following = parts[i + 1] if i + 1 < len(parts) else ("", True)
        if _SUFFIX.match(part) and found:
            i += 1
        elif _initials(part) and not found and following[0] and not _initials(following[0]):
            found.append(_inverted(following[0], part))
            i += 2
        elif (
            following[0]
            and not following[1]
            and not _given_first(part)
            and (
                _initials(following[0])
                or alternate
                or (i == 0 and " " not in part and not _family_first(part))
            )
        ):
            found.append(_inverted(part, following[0]))
            i += 2
        else:
            found.append(_natural(part))
            i += 1
    return found


def _body(text: str) -> bool:
    """Whether a text has a word that makes it the name of an organisation."""
    words = text.lower().split()
    return any(word in _BODIES or KEYWORDS.get(word) == "institution" for word in words)


def _alternates(parts: list[tuple[str, bool]]) -> bool:
    """Whether family and given names take turns between the commas."""
    given = sum("g" in lexicon_class(part.split()[0].lower()) for part, _ in parts[1::2])
    return given >= 0.3 * len(parts[1::2])


@lru_cache(maxsize=4096)  # each part of a list is asked about several times
def _initials(part: str) -> bool:
    return bool(_INITIALS.match(part)) and len(_SIGNS.sub("", part)) <= 4


def _given_first(part: str) -> bool:
    """Whether initials stand first, as in `J. R. Smith`."""
    words = part.split()
    return len(words) > 1 and bool(_DOTTED.match(words[0])) and not _initials(part)


def _family_first(part: str) -> bool:
    """Whether bare initials stand last, as in `Smith JR` and `Smith J. R.`."""
    words = part.split()
    if len(words) < 2:
        return False
    tail = _BARE.search(part)
    return tail is not None and not re.match(r"[^\W\d_]\.", words[0])


def _inverted(family: str, given: str) -> Name:
    words = given.split()
    moved: list[str] = []
    while len(words) > 1 and words[-1] in _PARTICLES:  # Beethoven, Ludwig van
        moved.insert(0, words.pop())
    if len(words[-1]) == 1 and any(word.endswith(".") for word in words):
        words[-1] += "."  # the dot was taken for the end of the list
    return Name(" ".join(words), " ".join([*moved, family]))


def _natural(part: str) -> Name:
    words = [word for word in part.split() if not (_SUFFIX.match(word) and len(part.split()) > 2)]
    if len(words) == 1 or _body(part):
        return Name("", " ".join(words))
    if _family_first(part):
        tail = _BARE.search(" ".join(words))
        if tail is not None:
            return Name(tail.group(1).strip(), " ".join(words)[: tail.start()])
    at = len(words) - 1
    while at > 1 and words[at - 1] in _PARTICLES:
        at -= 1
    return Name(" ".join(words[:at]), " ".join(words[at:]))
