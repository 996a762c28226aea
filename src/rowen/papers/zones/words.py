"""Word features: features of a line that depend only on its own text and raised letters.

The same text always gives the same values, so they can be cached (`rowen.papers.parts`). The
patterns for opening words and for contents, such as `References` or an e-mail address, are in
`signs.toml`.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from rowen.citations.lexicon import lexicon_class
from rowen.pdf import Line

_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_PAGES = re.compile(r"\d\s?[-–]\s?\d")


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


@lru_cache(maxsize=4096)
def beginning_of(text: str) -> str:
    """The part of a paper that a line opens by its first words, such as `abstract`; "" for none."""
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
    words = _WORD.findall(text)
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
