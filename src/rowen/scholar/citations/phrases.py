"""Names of journals, publishers and places, of one word or several, in the tokens of a string."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

LONGEST = 8  # words; longer names are known by their beginning


@cache
def _known() -> dict[str, dict[tuple[str, ...], str]]:
    """By their first word: all words of each name, and what it is the name of."""
    known: dict[str, dict[tuple[str, ...], str]] = {}
    learned = files("rowen.scholar.models").joinpath("phrases.tsv").read_text("utf-8")
    for line in learned.splitlines():
        name, kind = line.split("\t")
        _add(known, name, kind)
    written = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text("utf-8"))
    for kind, names in written.items():
        for name in names.split(","):
            _add(known, name, kind)
    return known


def _add(known: dict[str, dict[tuple[str, ...], str]], name: str, kind: str) -> None:
    words = tuple(name.split())[:LONGEST]
    known.setdefault(words[0], {})[words] = kind


def words_of(text: str) -> list[str]:
    """The words by which a name is known."""
    return re.findall(r"[^\W\d_]+", text.lower())


def phrases_in(texts: Sequence[str]) -> list[str]:
    """For each token the kind of the name that it is part of, the longest; `B ` where it begins.

    Names begin with a capital; signs may stand between their words.
    """
    known = _known()
    found = [""] * len(texts)
    i = 0
    while i < len(texts):
        names = known.get(texts[i].lower()) if texts[i][0].isupper() else None
        end = i + 1
        if names:
            places, words = [i], [texts[i].lower()]
            for k in range(i + 1, min(len(texts), i + 2 * LONGEST)):
                if texts[k][0].isalpha():
                    places.append(k)
                    words.append(texts[k].lower())
                elif texts[k] not in ".&-’'":
                    break
            for count in range(min(len(words), LONGEST), 0, -1):
                kind = names.get(tuple(words[:count]))
                if kind is not None:
                    end = places[count - 1] + 1
                    found[i:end] = [f"B {kind}", *[f"I {kind}"] * (end - i - 1)]
                    break
        i = end
    return found
