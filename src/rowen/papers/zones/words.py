"""Word features: features of a line that depend only on its own text and raised letters.

The same text always gives the same values, so they can be cached (`rowen.papers.parts`). The
patterns for opening words and for contents, such as `References` or an e-mail address, are in
`signs.toml`, and the opening words of other languages in `languages.toml`.
"""

import re
import tomllib
from collections import defaultdict
from functools import cache, lru_cache
from importlib.resources import files

from rowen.citations.lexicon import lexicon_class
from rowen.pdf import Line

_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_PAGES = re.compile(r"\d\s?[-–]\s?\d")
_UNSPACED = "\u2e7f"  # characters above it are of scripts without spaces between words
_SHORT_WORD = re.compile(r"[\u2e80-\uffff]{1,2}|[^\W\d_]+")
_FIRST = re.compile(
    r"\W{0,3}(?:(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,4}(?=[\s.、．)])|[一二三四五六七八九十]{1,3}(?=[、.．]))[.、．)]?\s*)?"
    r"\W{0,2}([^\W\d_]+)"
)
_LETTERSPACED = re.compile(r"\W*(?:[^\W\d_]\s){2,}[^\W\d_]\W*$")
_USES = {
    "whole": re.compile(r"\W*$"), "first": re.compile(r"(?<=[\u2e80-\uffff])|(?![^\W_])"),
    "numbered": re.compile(r"\s?\.?\s?\d"),
}  # fmt: skip


def _signs() -> tuple[list[str], re.Pattern[str], dict[str, re.Pattern[str]]]:
    """The names of beginnings, one pattern for all of them, and a pattern per kind of content."""
    signs = tomllib.loads(files(__package__).joinpath("signs.toml").read_text("utf-8"))
    beginnings = {name: "".join(form.split("\n")) for name, form in signs["beginnings"].items()}
    # One pattern with a group for each beginning: a line is matched once, not once per beginning.
    either = "|".join(f"(?P<k{i}>\\W{{0,3}}{form})" for i, form in enumerate(beginnings.values()))
    contents = {
        name: re.compile("".join(form.split("\n")))  # for text in lower case
        for name, form in signs["contents"].items()
    }
    return list(beginnings), re.compile(either, re.IGNORECASE), contents


BEGINNINGS, _BEGINNING, _CONTENTS = _signs()


def _key(word: str) -> str:
    """What openings are looked up by: the first word, or two characters of scripts without any."""
    return word[:2] if word[:1] > _UNSPACED else word


@cache
def _openings() -> dict[str, list[tuple[str, str, str]]]:
    """Openings in other languages by their first words: the whole opening, its use and part."""
    openings: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    tables = tomllib.loads(files(__package__).joinpath("languages.toml").read_text("utf-8"))
    for use, parts in tables.items():
        for part, texts in parts.items():
            for text in map(str.casefold, texts):
                word = _WORD.match(text)
                assert word is not None, f"languages.toml: {text!r} does not begin with a word"
                openings[_key(word.group())].append((text, use, part))
    return dict(openings)


def _opened(text: str) -> str:
    """The part that a line opens in a language other than English; "" for none."""
    start = _FIRST.match(text)
    if start is None:
        return ""
    openings = _openings().get(_key(start.group(1).casefold()))
    if openings is None:
        # Titles with spaces between letters, as in `L I T E R A T U R`.
        if not _LETTERSPACED.match(text):
            return ""
        return _opened(text.replace(" ", ""))
    shown = text[start.start(1) :].casefold()
    for opening, use, part in openings:
        if shown.startswith(opening) and _USES[use].match(shown, len(opening)):
            return part
    return ""


def without_opening(text: str, part: str) -> str:
    """A text without the word of another language that opens a part, and signs after it.

    >>> without_opening("Palabras clave: olivar, riego", "keywords")
    'olivar, riego'
    """
    start = _FIRST.match(text)
    openings = _openings().get(_key(start.group(1).casefold()), []) if start is not None else []
    at = start.start(1) if start is not None else 0
    shown = text[at:].casefold()
    # Lengths differ where case folding changes the number of letters: then nothing is cut.
    if len(shown) == len(text) - at:
        for opening, _, own in sorted(openings, key=lambda entry: -len(entry[0])):
            if own == part and shown.startswith(opening):
                return text[at + len(opening) :].lstrip(" \t.:：;,—–-")
    return text


@lru_cache(maxsize=4096)
def beginning_of(text: str) -> str:
    """The part of a paper that a line opens by its first words, such as `abstract`; "" for none."""
    if part := _opened(text):
        return part
    match = _BEGINNING.match(text)
    return BEGINNINGS[int((match.lastgroup or "k0")[1:])] if match else ""


def _part(part: float, whole: float, steps: int) -> int:
    """A share in whole steps: values are hashed and have no order, so there must be few."""
    return min(int(steps * part / whole), steps) if whole > 0 else 0


def ending_of(text: str) -> str:
    """The sign at the end of a text; "a" for any letter or digit."""
    return "a" if text[-1].isalnum() else text[-1]


WORD_FEATURES = (
    "first", "second", "last", "start", "length", "capitals", "digits", "names", "signs", "ending",
    "marks", "content",
)  # fmt: skip


def word_features(line: Line, beginning: str) -> tuple[str, ...]:
    """The values of the features that `WORD_FEATURES` names, in that order."""
    text = line.text
    words = (_WORD if text.isascii() or max(text) <= _UNSPACED else _SHORT_WORD).findall(text)
    capitals = [word for word in words if word[0].isupper()]
    named = sum([bool(lexicon_class(word.lower())) for word in capitals])
    digits = _digits(text)
    small = text.lower()
    numbers = f"{bool(_YEAR.search(text)):d}{bool(_PAGES.search(text)):d}" if digits else "00"
    marks = "".join(
        "r" if start == 0 else "e" if end == len(text) else "m" for start, end in line.raised
    )
    count = len(words)
    return (
        words[0].lower() if words else text[0],
        words[1].lower() if count > 1 else "",
        words[-1].lower() if words else "",
        beginning,
        str(min(count // 2, 8)),
        f"{_part(len(capitals), count, 4)}{text.isupper():d}",
        str(_part(digits, len(text), 6)),
        str(_part(named, count, 4)),
        f"{min(text.count(','), 4)}{bool(marks):d}{numbers}",
        ending_of(text),
        marks[:4],
        " ".join(name for name, form in _CONTENTS.items() if form.search(small)),
    )


def _digits(text: str) -> int:
    """The number of digits of any script; counting in ASCII is faster, and most texts are."""
    if text.isascii():
        return sum(map(text.count, "0123456789"))
    return sum(map(str.isdigit, text))
