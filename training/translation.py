"""Papers in other languages, made of English ones: words are exchanged, places are not.

There are no annotated papers in these languages here. Features of lines see few words: the first
two and the last, their capitals, names, signs, and whether the line opens a part. So a paper whose
words are exchanged is, to the model, much like a paper of that language:

    References                          Literaturverzeichnis
    Smith, A., and Doe, B. (2004).      Smith, A. und Doe, B. (2004).
    The theory of pages. pp. 3-14.      Die Lermung der Gorten. S. 3-14.

Words of the language's own (the, of, and) come from `translation.toml`; other words are made up of
syllables, with as many capitals as the language has.
"""

import random
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rowen.papers.zones.words import beginning_of
from rowen.pdf import Layout, Line

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_HEADED = ("references", "abstract", "keywords", "introduction", "section", "end", "caption")
_COMMON = 0.42  # of the words in lower case: those of the language's own, such as articles
_OPENED = frozenset(
    {"reference heading", "abstract heading", "heading", "keywords", "abstract", "caption", "body"}
)


@cache
def languages() -> dict[str, dict[str, Any]]:
    """The languages by their codes."""
    return tomllib.loads(Path(__file__).with_name("translation.toml").read_text("utf-8"))


def translated(layout: Layout, labels: Sequence[str], code: str, chance: random.Random) -> Layout:
    """A layout with the words of another language; labels stay as they are.

    In half of them no font is bold or italic: many files don't say it of their fonts.
    """
    language = _Language(languages()[code], chance)
    source = layout.lines if chance.random() < 0.5 else map(_without_face, layout.lines)
    lines = [
        replace(
            line, text=text, lead=None, raised=line.raised if len(text) == len(line.text) else ()
        )
        if (text := language.line(line, label)) != line.text
        else line
        for line, label in zip(source, labels, strict=True)
    ]
    return Layout(lines, layout.pages)


def _without_face(line: Line) -> Line:
    return replace(line, bold=False, italic=False, lead=None)


class _Language:
    def __init__(self, words: dict[str, Any], chance: random.Random) -> None:
        self.words = words
        self.chance = chance
        self.known: dict[str, str] = {}
        self.headings = {part: chance.choice(words[part]) for part in _HEADED}

    def line(self, line: Line, label: str) -> str:
        """A line's text in the language."""
        if label in {"furniture", "author", "affiliation", "title", "header"}:
            return line.text if self.chance.random() < 0.5 else self._exchanged(line.text)
        part = beginning_of(line.text)
        if part in self.headings and label in _OPENED:
            return self._opened(line.text, part)
        if label in {"reference", "after"}:
            return self._reference(line.text)
        return self._exchanged(line.text)

    def _opened(self, text: str, part: str) -> str:
        """A line that opens a part: its words are exchanged, its number and the others stay."""
        words = [match for match in _WORD.finditer(text) if len(match.group()) > 1]
        if not words:
            return text
        opening = self.headings[part]
        opening = opening.upper() if text.isupper() else opening
        # What follows on the same line is running text.
        end = words[0].end() if len(words) > 3 else words[-1].end()
        return text[: words[0].start()] + opening + self._exchanged(text[end:])

    def _reference(self, text: str) -> str:
        for english, other in self.words["cited"].items():
            text = re.sub(rf"(?<![^\W\d_]){re.escape(english)}(?![^\W\d_])", other, text)
        if self.words["script"] == "latin" and self.chance.random() < 0.6:
            return text
        return self._exchanged(text)

    def _exchanged(self, text: str) -> str:
        exchanged = _WORD.sub(lambda match: self._word(match.group()), text)
        return exchanged.replace(" ", "") if self.words["script"] == "han" else exchanged

    def _word(self, word: str) -> str:
        """Another word for a word, the same each time in a paper; names and short forms stay."""
        if word not in self.known:
            self.known[word] = self._new(word)
        return self.known[word]

    def _new(self, word: str) -> str:
        other = self.words["script"] != "latin"
        if (word.isupper() or (len(word) < 3 and word[0].isupper())) and not other:
            return word
        if len(word) < 5 and word.islower():
            return str(self.chance.choice(self.words["common"]))
        if word[0].isupper() and not other and self.chance.random() < 0.5:
            return word
        if word.islower() and self.chance.random() < _COMMON:
            return str(self.chance.choice(self.words["common"]))
        made = "".join(
            self.chance.choice(self.words["syllables"]) for _ in range(max(len(word) // 3, 1))
        )
        capital = word[0].isupper() or self.chance.random() < self.words["capitals"]
        return made.capitalize() if capital and self.words["script"] != "han" else made
