"""What the words of a line show of it."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from rowen.scholar.layout import Line
from rowen.scholar.lexicon import lexicon_class

_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_PAGES = re.compile(r"\d\s?[-–]\s?\d")


def _signs() -> tuple[list[str], re.Pattern[str], dict[str, re.Pattern[str]]]:
    """The names of beginnings, what finds them, and what finds each kind of content."""
    signs = tomllib.loads(files(__package__).joinpath("signs.toml").read_text("utf-8"))
    beginnings = {name: "".join(form.split("\n")) for name, form in signs["beginnings"].items()}
    either = "|".join(f"(?P<k{i}>\\W{{0,3}}{form})" for i, form in enumerate(beginnings.values()))
    contents = {
        name: re.compile("".join(form.split("\n")))  # for text in small letters
        for name, form in signs["contents"].items()
    }
    return list(beginnings), re.compile(either, re.IGNORECASE), contents


BEGINNINGS, _BEGINNING, _CONTENTS = _signs()


@lru_cache(maxsize=4096)
def beginning_of(text: str) -> str:
    """What kind of part a line opens, by its first words; nothing where they tell none."""
    found = _BEGINNING.match(text)
    return BEGINNINGS[int((found.lastgroup or "k0")[1:])] if found else ""


def _part(part: float, whole: float, steps: int) -> int:
    return min(int(steps * part / whole), steps) if whole > 0 else 0


def ending_of(text: str) -> str:
    """The sign at the end of a text; "a" for any letter or digit."""
    return "a" if text[-1].isalnum() else text[-1]


WORDED = (
    "first", "second", "last", "start", "length", "capitals", "digits", "names", "signs", "ending",
    "marks", "content",
)  # fmt: skip


def worded(line: Line, beginning: str) -> tuple[str, ...]:
    """The columns that `WORDED` names."""
    text = line.text
    words = _WORD.findall(text)
    capitals = [word for word in words if word[0].isupper()]
    known = sum([bool(lexicon_class(word.lower())) for word in capitals])
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
        str(_part(known, count, 4)),
        f"{min(text.count(','), 4)}{bool(marks):d}{numbers}",
        ending_of(text),
        marks[:4],
        " ".join(name for name, form in _CONTENTS.items() if form.search(small)),
    )


def _digits(text: str) -> int:
    """How many digits of any script a text has; most texts have none but ASCII's."""
    if text.isascii():
        return sum(map(text.count, "0123456789"))
    return sum(map(str.isdigit, text))
