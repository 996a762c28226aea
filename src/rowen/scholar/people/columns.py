"""What a token of a paper's front shows: of itself, of its line, of the lines around it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rowen._core import attribute
from rowen.scholar.lexicon import lexicon_class
from rowen.scholar.people.tokens import Token
from rowen.scholar.people.words import kind_of
from rowen.scholar.tagging import singly, together

COLUMNS = (
    "word", "stem", "shape", "ending", "short ending", "beginning", "kind", "lexicon",
    "touch", "raised", "place", "line", "line before", "line after", "type", "type change",
    "chunk", "zone", "count",
)  # fmt: skip


@lru_cache(maxsize=65536)
def _hashed(text: str) -> int:
    return attribute(text) if text else 0


def _shape(text: str) -> str:  # noqa: PLR0911  # one for each kind
    if "@" in text and len(text) > 1:
        return "@@"
    if text[0].isdigit():
        return f"{min(len(text), 5)}d"
    if not text[0].isalpha():
        return text
    if len(text) == 1:
        return "X" if text.isupper() else "x"
    if text.isupper():
        return "XX" if len(text) < 4 else "XXX"
    inner = "-" if any(not letter.isalpha() for letter in text) else ""
    if text[0].isupper():
        return f"Xx{inner}" if text[1:].islower() or inner else "XxX"
    return f"x+{inner}" if text.islower() else "xX"


@lru_cache(maxsize=65536)
def _own(text: str) -> tuple[tuple[int, ...], str, str, str]:
    """The hashed columns that a token has by itself; its shape, kind and lexicon's class."""
    low = text.lower()
    shape = _shape(text)
    letters = text[0].isalpha() and shape != "@@"
    kind = kind_of(low) if letters else ""
    known = ""
    if letters and text[0].isupper():
        kinds = {one for part in re.split(r"\W", low) for one in lexicon_class(part)}
        known = "".join(sorted(kinds))
    word = shape if shape == "@@" or (text.isdigit() and len(text) > 2) else low
    rest = (
        word,
        word[:5] if letters and len(word) > 5 else "",
        shape,
        word[-3:] if letters else "",
        word[-2:] if letters else "",
        word[:3] if letters else "",
        kind,
        known,
    )
    return tuple(_hashed(one) for one in rest), shape, kind, known


def columns_of(tokens: Sequence[Token]) -> NDArray[np.uint64]:
    """A row a token, with the columns that `COLUMNS` names."""
    own = [_own(token.text) for token in tokens]
    rows: list[tuple[int, ...]] = []
    lines = [list(group) for _, group in groupby(range(len(tokens)), lambda i: tokens[i].line)]
    profiles = ["", *(_profile(tokens, own, line) for line in lines), ""]
    types = _types(tokens, lines)
    counts = _counts(tokens)
    for k, line in enumerate(lines):
        cells = [tokens[other[0]].cell for other in lines[max(k - 1, 0) : k + 2]]
        here = tokens[line[0]].cell
        before = profiles[k] if k and cells[0] == here else f"cell {profiles[k]}"
        after = profiles[k + 2] if cells[-1] == here else f"cell {profiles[k + 2]}"
        around = tuple(_hashed(one) for one in (profiles[k + 1], before, after, *types[k]))
        for (i, place), chunk in zip(
            _places(tokens, line), _chunks(tokens, own, line), strict=True
        ):
            zone = _hashed(tokens[i].zone)
            rows.append((*own[i][0], *place, *around, chunk, zone, counts[i]))
    return np.array(rows, np.uint64).reshape(len(tokens), len(COLUMNS))


def _places(
    tokens: Sequence[Token], line: Sequence[int]
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Whether tokens touch, whether one is raised, and where in its line it stands."""
    for at, i in enumerate(line):
        token = tokens[i]
        follows = i + 1 < len(tokens) and not tokens[i + 1].spaced
        place = f"{min(at, 2)} {min(len(line) - 1 - at, 2)}"
        raised = "" if token.raised is None else "r" if token.raised else "n"
        touch = "gap" if token.gap else f"{token.spaced:d}{follows:d}"
        yield i, (_hashed(touch), _hashed(raised), _hashed(place))


def _profile(
    tokens: Sequence[Token],
    own: Sequence[tuple[tuple[int, ...], str, str, str]],
    line: Sequence[int],
) -> str:
    """A line in short: what its words are."""
    words = [i for i in line if tokens[i].text[0].isalpha()]
    if not words:
        return "signs" if not any(own[i][1] == "@@" for i in line) else "mail"
    kinds = {own[i][2] for i in words}
    named = sum(bool({"g", "f"} & set(own[i][3])) for i in words)
    capitals = sum(tokens[i].text[0].isupper() for i in words)
    placed = sum(bool({"p", "c"} & set(own[i][3])) for i in words)
    told = [
        name[0] for name in ("organisation", "contact", "degree", "institution") if name in kinds
    ]
    if any(own[i][1] == "@@" for i in line):
        told.append("@")
    return (
        f"{4 * capitals // len(words)} {min(4 * named // len(words), 2)}"
        f" {min(2 * placed // len(words), 1)} {''.join(told)}"
    )


def _chunks(
    tokens: Sequence[Token],
    own: Sequence[tuple[tuple[int, ...], str, str, str]],
    line: Sequence[int],
) -> Iterator[int]:
    """The shapes of what stands between two commas or marks, one for each token."""
    parts: list[list[int]] = [[]]
    for i in line:
        parts[-1].append(i)
        if tokens[i].text in ",;•·|&" or tokens[i].raised or own[i][2] == "and":
            parts.append([])
    for part in parts:
        telling = ("particle", "organisation")
        shapes = [own[i][2] if own[i][2] in telling else own[i][1] for i in part]
        style = " ".join(shapes) if len(shapes) <= 7 else "long"
        for at, _ in enumerate(part):
            yield _hashed(f"{min(at, 5)} {style}")


def _types(tokens: Sequence[Token], lines: Sequence[Sequence[int]]) -> list[tuple[str, str]]:
    """For each line its type against the largest, and how it differs from the line before."""
    sizes = [one.type.size for one in tokens if one.type is not None]
    largest = max(sizes, default=0.0)
    found = []
    before = None
    for line in lines:
        own = tokens[line[0]].type
        if own is None:
            found.append(("", ""))
            continue
        told = f"{min(round(largest - own.size), 4)} {own.bold:d}{own.italic:d}"
        change = "first"
        if before is not None:
            step = round(2 * (own.size - before.size))
            sign = (step > 0) - (step < 0)
            change = f"{sign} {own.bold == before.bold:d}{own.italic == before.italic:d}"
        found.append((told, change))
        before = own
    return found


def _counts(tokens: Sequence[Token]) -> list[int]:
    """For numbers whether they count on, as the marks of affiliations do."""
    found, last = [], 0
    for token in tokens:
        told = ""
        if token.text.isdecimal() and len(token.text) < 3:
            number = int(token.text)
            told = "first" if number == 1 else "next" if number == last + 1 else "no"
            last = number if told != "no" else last
        found.append(_hashed(told))
    return found


_at = partial(singly, COLUMNS)
_both = partial(together, COLUMNS)

TEMPLATES: list[list[tuple[int, int]]] = [
    *_at("word", -2, -1, 0, 1, 2),
    _both(("word", -1), ("word", 0)),
    _both(("word", 0), ("word", 1)),
    *_at("stem", 0),
    *_at("shape", -3, -2, -1, 0, 1, 2, 3),
    _both(("shape", -1), ("shape", 0)),
    _both(("shape", 0), ("shape", 1)),
    _both(("shape", -1), ("shape", 0), ("shape", 1)),
    _both(("shape", -2), ("shape", -1), ("shape", 0)),
    _both(("shape", 0), ("shape", 1), ("shape", 2)),
    *_at("ending", -1, 0, 1),
    *_at("short ending", 0),
    *_at("beginning", 0),
    *_at("kind", -3, -2, -1, 0, 1, 2, 3),
    _both(("kind", -1), ("kind", 0)),
    *_at("lexicon", -2, -1, 0, 1, 2),
    _both(("lexicon", 0), ("lexicon", 1)),
    _both(("lexicon", -1), ("lexicon", 0)),
    _both(("lexicon", -1), ("lexicon", 0), ("lexicon", 1)),
    _both(("touch", 0), ("shape", 0)),
    _both(("touch", 0), ("shape", 0), ("shape", -1)),
    *_at("raised", -1, 0, 1),
    _both(("raised", 0), ("shape", 0)),
    _both(("raised", 1), ("shape", 0)),
    _both(("raised", -1), ("shape", 0)),
    *_at("place", 0),
    _both(("place", 0), ("shape", 0)),
    _both(("place", 0), ("line", 0)),
    _both(("place", 0), ("type change", 0)),
    *_at("line", 0),
    _both(("line", 0), ("shape", 0)),
    _both(("line", 0), ("line before", 0)),
    _both(("line", 0), ("line after", 0)),
    _both(("line before", 0), ("shape", 0)),
    _both(("line after", 0), ("shape", 0)),
    *_at("type", 0),
    _both(("type", 0), ("shape", 0)),
    _both(("type change", 0), ("line", 0)),
    *_at("chunk", 0),
    *_at("zone", 0),
    _both(("zone", 0), ("shape", 0)),
    _both(("zone", 0), ("line", 0)),
    *_at("count", -1, 0, 1),
    _both(("count", 0), ("raised", 0)),
    _both(("count", 0), ("shape", 1)),
    _both(("count", 0), ("kind", 1)),
    _both(("count", -1), ("shape", 0)),
]
