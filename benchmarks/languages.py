"""Reference strings by language: those of `refs/dev`, and made-up ones that nothing learned from.

The language of annotated strings is guessed from their most frequent words. Names and
abbreviations say nothing of a language, so that many strings are left without one. Made-up strings
have the templates and words of `foreign.toml`, which are not those of training.
"""

import re
from collections import Counter, defaultdict
from pathlib import Path

from training.foreign import foreign
from training.foreign import languages as known_languages

from benchmarks.measure import Table
from benchmarks.papers_peers import parse, scorer, strings

MADE_UP = 200
_SHOWN = ("author", "title", "container", "date", "pages", "publisher", "editor")

_WORDS = {
    "English": "the of and in for on with an by from to at its how is are using",
    "German": "der die das und für im zur zum über eine einer des den von mit auf als",
    "French": "le les des du et dans une aux sur pour la au chez l d",
    "Spanish": "el los las del y en para una por con la",
    "Italian": "il della di e nel per gli delle una dei nella lo dal",
    "Portuguese": "do da dos das e em uma para os no na ao",
    "Dutch": "het een voor en op met bij naar",
}
_LANGUAGES: defaultdict[str, set[str]] = defaultdict(set)
for _language, _words in _WORDS.items():
    for _word in _words.split():
        _LANGUAGES[_word].add(_language)
_SCRIPTS = {
    "Cyrillic": re.compile(r"[\u0400-\u04ff]{3}"),
    "Chinese, Japanese": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]{2}"),
    "Arabic, Hebrew": re.compile(r"[\u0590-\u06ff]{3}"),
    "Greek": re.compile(r"[\u0370-\u03ff]{3}"),
}


def language_of(text: str) -> str:
    """The language that most of the words are of, if one has more than all others."""
    for script, letters in _SCRIPTS.items():
        if letters.search(text):
            return script
    votes: Counter[str] = Counter()
    for word in re.findall(r"[^\W\d_]+", text):
        if word.islower():  # Die and Et are names, too
            for language in _LANGUAGES[word]:
                votes[language] += 1
    first = votes.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return "not told"
    return first[0][0]


def languages() -> Table:
    """Fields of the strings of `refs/dev`, by language."""
    rows, reffields = strings(), scorer()
    pairs = defaultdict(list)
    for row, found in zip(rows, parse([row["raw"] for row in rows]), strict=True):
        pairs[language_of(row["raw"])].append((row["source"], row["fields"], found))
    table = Table(
        "papers: reference strings (soft), by language",
        ("language", "strings", "F1", "strings all right"),
    )
    for language, own in sorted(pairs.items(), key=lambda item: -len(item[1])):
        counts, whole = reffields.score(own)
        hits = [sum(count[i] for count in counts.values()) for i in range(3)]
        table.add(language, str(len(own)), f"{reffields.prf(hits)[2]:.3f}", f"{whole:.3f}")
    return table


def made_up() -> Table:
    """Fields of made-up strings in other languages, by language."""
    reffields = scorer()
    table = Table(
        f"papers: made-up reference strings (soft), {MADE_UP} by language, templates held out",
        ("language", "F1", "strings all right", *_SHOWN),
    )
    for language in known_languages(Path(__file__).with_name("foreign.toml")):
        rows = list(foreign([language], [], MADE_UP, seed=1))
        pairs = [
            (row["source"], row["fields"], fields)
            for row, fields in zip(rows, parse([row["raw"] for row in rows]), strict=True)
        ]
        counts, whole = reffields.score(pairs)
        hits = [sum(count[i] for count in counts.values()) for i in range(3)]
        table.add(
            language.code, f"{reffields.prf(hits)[2]:.3f}", f"{whole:.3f}",
            *(f"{reffields.prf(counts[name])[2]:.3f}" for name in _SHOWN),
        )  # fmt: skip
    return table


if __name__ == "__main__":
    print(languages())
    print()
    print(made_up())
