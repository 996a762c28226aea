"""Features of the tokens of a paper's front, for the CRF that finds people.

A token has features of its own text, of its line and of the lines around it. A line is summarized
as a profile: quarters of capitalized words, quarters of known names, halves of known places, and a
letter for each kind of word.

    Ada Lovelace¹, Charles Babbage²        shape      Xx Xx 1d , Xx Xx 1d
                                           raised     n  n  r  n n  n  r
                                           count      1 first, 2 next: marks count up
                                           chunk      Xx Xx 1d: the shapes up to the comma or mark

The names and the order of `FEATURES`, the texts that are hashed and `TEMPLATES` are part of the
trained model: a change to any of them needs a new model.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rowen._core import feature_value
from rowen.citations.lexicon import lexicon_class
from rowen.crf.tagger import template, templates_at
from rowen.papers.people.tokens import Token
from rowen.papers.people.words import kind_of

FEATURES = (
    "word", "stem", "shape", "ending", "short ending", "beginning", "kind", "lexicon",
    "touch", "raised", "place", "line", "line before", "line after", "type", "type change",
    "chunk", "zone", "count",
)  # fmt: skip


@lru_cache(maxsize=65536)
def _hashed(text: str) -> int:
    return feature_value(text) if text else 0


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
    """The hashed features of a token by itself; its shape, kind and classes in the lexicon."""
    low = text.lower()
    shape = _shape(text)
    letters = text[0].isalpha() and shape != "@@"
    kind = kind_of(low) if letters else ""
    classes = ""
    if letters and text[0].isupper():
        kinds = {letter for part in re.split(r"\W", low) for letter in lexicon_class(part)}
        classes = "".join(sorted(kinds))
    # Addresses and long numbers differ in each paper: their shape stands for them.
    word = shape if shape == "@@" or (text.isdigit() and len(text) > 2) else low
    values = (
        word,
        word[:5] if letters and len(word) > 5 else "",
        shape,
        word[-3:] if letters else "",
        word[-2:] if letters else "",
        word[:3] if letters else "",
        kind,
        classes,
    )
    return tuple(_hashed(value) for value in values), shape, kind, classes


def feature_rows(tokens: Sequence[Token]) -> NDArray[np.uint64]:
    """The features of tokens: one row per token, one column per name in `FEATURES`."""
    own = [_own(token.text) for token in tokens]
    rows: list[tuple[int, ...]] = []
    lines = [list(group) for _, group in groupby(range(len(tokens)), lambda i: tokens[i].line)]
    profiles = ["", *(_profile(tokens, own, line) for line in lines), ""]
    types = _types(tokens, lines)
    counts = _counts(tokens)
    for k, line in enumerate(lines):
        cells = [tokens[near[0]].cell for near in lines[max(k - 1, 0) : k + 2]]
        # A line in another cell may belong to another author: its profile says so.
        here = tokens[line[0]].cell
        before = profiles[k] if k and cells[0] == here else f"cell {profiles[k]}"
        after = profiles[k + 2] if cells[-1] == here else f"cell {profiles[k + 2]}"
        around = tuple(_hashed(text) for text in (profiles[k + 1], before, after, *types[k]))
        for (i, place), chunk in zip(
            _places(tokens, line), _chunks(tokens, own, line), strict=True
        ):
            zone = _hashed(tokens[i].zone)
            rows.append((*own[i][0], *place, *around, chunk, zone, counts[i]))
    return np.array(rows, np.uint64).reshape(len(tokens), len(FEATURES))


def _places(
    tokens: Sequence[Token], line: Sequence[int]
) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """For each token: whether it touches its neighbours, whether it is raised, its place."""
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
    """A summary of a line: shares of capitals, names and places, and the kinds of its words."""
    words = [i for i in line if tokens[i].text[0].isalpha()]
    if not words:
        return "signs" if not any(own[i][1] == "@@" for i in line) else "mail"
    kinds = {own[i][2] for i in words}
    named = sum(bool({"g", "f"} & set(own[i][3])) for i in words)
    capitals = sum(tokens[i].text[0].isupper() for i in words)
    placed = sum(bool({"p", "c"} & set(own[i][3])) for i in words)
    letters = [
        name[0] for name in ("organisation", "contact", "degree", "institution") if name in kinds
    ]
    if any(own[i][1] == "@@" for i in line):
        letters.append("@")
    return (
        f"{4 * capitals // len(words)} {min(4 * named // len(words), 2)}"
        f" {min(2 * placed // len(words), 1)} {''.join(letters)}"
    )


def _chunks(
    tokens: Sequence[Token],
    own: Sequence[tuple[tuple[int, ...], str, str, str]],
    line: Sequence[int],
) -> Iterator[int]:
    """For each token the shapes of its chunk, which separators and raised marks end."""
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
    """For each line its type relative to the largest, and the change from the line before."""
    sizes = [token.type.size for token in tokens if token.type is not None]
    largest = max(sizes, default=0.0)
    shown = []
    before = None
    for line in lines:
        own = tokens[line[0]].type
        if own is None:
            shown.append(("", ""))
            continue
        own_type = f"{min(round(largest - own.size), 4)} {own.bold:d}{own.italic:d}"
        change = "first"
        if before is not None:
            step = round(2 * (own.size - before.size))
            sign = (step > 0) - (step < 0)
            change = f"{sign} {own.bold == before.bold:d}{own.italic == before.italic:d}"
        shown.append((own_type, change))
        before = own
    return shown


def _counts(tokens: Sequence[Token]) -> list[int]:
    """For each number whether it is the next one: the marks of affiliations count up."""
    hashes, last = [], 0
    for token in tokens:
        step = ""
        if token.text.isdecimal() and len(token.text) < 3:
            number = int(token.text)
            step = "first" if number == 1 else "next" if number == last + 1 else "no"
            last = number if step != "no" else last
        hashes.append(_hashed(step))
    return hashes


_at = partial(templates_at, FEATURES)
_both = partial(template, FEATURES)

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
