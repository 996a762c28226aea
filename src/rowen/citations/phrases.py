"""Known names of journals, publishers and places in the tokens of a reference string."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

LONGEST = 8  # words; of longer names only the first words are compared


@cache
def _names_by_first_word() -> dict[str, dict[tuple[str, ...], str]]:
    """For each first word: the words of each name, and the kind of the name."""
    by_first_word: dict[str, dict[tuple[str, ...], str]] = {}
    learned = files("rowen.crf.models").joinpath("phrases.tsv").read_text("utf-8")
    for line in learned.splitlines():
        name, kind = line.split("\t")
        _add(by_first_word, name, kind)
    written = tomllib.loads(files(__package__).joinpath("phrases.toml").read_text("utf-8"))
    for kind, names in written.items():
        for name in names.split(","):
            _add(by_first_word, name, kind)
    return by_first_word


def _add(by_first_word: dict[str, dict[tuple[str, ...], str]], name: str, kind: str) -> None:
    words = tuple(name.split())[:LONGEST]
    by_first_word.setdefault(words[0], {})[words] = kind


def words_of(text: str) -> list[str]:
    """The words of a name, in lower case."""
    return re.findall(r"[^\W\d_]+", text.lower())


def phrases_in(texts: Sequence[str]) -> list[str]:
    """For each token the kind of the longest name that contains it: `B kind`, then `I kind`.

    Names start with a capital; some punctuation marks may stand between their words.
    """
    by_first_word = _names_by_first_word()
    kinds = [""] * len(texts)
    i = 0
    while i < len(texts):
        names = by_first_word.get(texts[i].lower()) if texts[i][0].isupper() else None
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
                    kinds[i:end] = [f"B {kind}", *[f"I {kind}"] * (end - i - 1)]
                    break
        i = end
    return kinds
