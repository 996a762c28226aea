"""Pages that are set for training: characters with places, as a PDF has them, and what they are.

A run is a text with a label, such as `name 3`; a sheet sets runs as lines. The lines that
`rowen.pdf` makes of a sheet's characters have places, gaps and raised letters as those of PDFs
have, with all that goes wrong there, and each letter leads back to its label.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

import numpy as np

from rowen.pdf import Layout, Line
from rowen.pdf.characters import Font, PageCharacters
from rowen.pdf.document import lines_on

Align = Literal["left", "centre", "right"]
OTHER = ("other", 0)
_NARROW, _WIDE = frozenset("iljtfr.,;:'|!()[]·•* I"), frozenset("mwMWQ@©%—✉")
_FACES = [
    Font(f"Sheet{'Bold' if bold else ''}{'Italic' if italic else ''}", bold, italic)
    for bold in (False, True)
    for italic in (False, True)
]


@dataclass(frozen=True, slots=True)
class Run:
    """A text with its label: a kind, and a number that tells neighbours of one kind apart."""

    text: str
    label: tuple[str, int] = OTHER
    raised: bool = False
    bold: bool = False
    italic: bool = False
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Type:
    """The size and the face of a paragraph, the space between its lines, and its alignment."""

    size: float
    bold: bool = False
    italic: bool = False
    leading: float = 1.2
    align: Align = "left"


@dataclass(slots=True)
class Sheet:
    """A page in the making."""

    width: float = 595.0
    height: float = 842.0
    codes: list[int] = field(default_factory=list)
    places: list[tuple[float, ...]] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)
    labels: list[tuple[str, int]] = field(default_factory=list)
    columns: dict[int, list[int]] = field(default_factory=dict)
    """The indexes of characters by the rounded place of their left edge."""

    def paragraph(
        self, runs: Iterable[Run], left: float, top: float, width: float, style: Type
    ) -> float:
        """Set runs as lines of at most a width; the result is the lower edge."""
        baseline = top
        for line in _wrapped(runs, width, style):
            baseline -= style.leading * style.size
            slack = max(width - sum(_width(run, style) for run in line), 0.0)
            indent = {"left": 0.0, "centre": slack / 2, "right": slack}[style.align]
            x = left + indent
            for run in line:
                x = self._set(run, x, baseline, style)
        return baseline

    def _set(self, run: Run, x: float, baseline: float, style: Type) -> float:
        size = _size(run, style)
        y = baseline + (0.35 * style.size if run.raised else 0.0)
        face = 2 * (run.bold or style.bold) + (run.italic or style.italic)
        for letter in run.text:
            wide = _advance(letter) * size
            self.codes.append(ord(letter))
            edges = (x, y - 0.2 * size, x + 0.95 * wide, y + 0.7 * size)
            self.places.append((*edges, x, y, size))
            self.faces.append(face)
            self.labels.append(run.label)
            x += wide
        return x

    def label_at(self, line: Line, at: int) -> tuple[str, int]:
        """The label of a letter of a line, found by its place on the page."""
        if not self.columns:
            for i, place in enumerate(self.places):
                self.columns.setdefault(round(place[0]), []).append(i)
        left = line.left + line.offsets[at] / 10
        near = [
            (abs(self.places[i][0] - left), i)
            for column in (round(left) - 1, round(left), round(left) + 1)
            for i in self.columns.get(column, ())
            if abs(self.places[i][5] - line.baseline) < 0.5 * line.size
        ]
        return self.labels[min(near)[1]] if near else OTHER

    def layout(self) -> Layout:
        """The lines of the page, as a PDF's."""
        count = len(self.codes)
        codes = np.array(self.codes, np.uint32)
        none = np.zeros(count, np.bool_)
        page = PageCharacters(
            0, self.width, self.height, codes, np.array(self.places, np.float32).reshape(count, 7),
            np.array(self.faces, np.int32), none, none, (codes >= 32) & (codes < 94), _FACES,
            np.zeros((0, 5), np.float32),
        )  # fmt: skip
        return Layout(lines_on(page, 0).lines, [(self.width, self.height)])


def height_of(runs: Iterable[Run], width: float, style: Type) -> float:
    """The height of runs as a paragraph."""
    return style.leading * style.size * sum(1 for _ in _wrapped(runs, width, style))


def _size(run: Run, style: Type) -> float:
    return style.size * run.scale * (0.65 if run.raised else 1.0)


@cache
def _advance(letter: str) -> float:
    """The width of a letter, for a size of 1."""
    if letter in _NARROW:
        return 0.29
    if letter in _WIDE:
        return 0.87
    if ord(letter) > 0x2E80:
        return 1.0
    return 0.66 if letter.isupper() else 0.5


def _width(run: Run, style: Type) -> float:
    return sum(map(_advance, run.text)) * _size(run, style)


def _wrapped(runs: Iterable[Run], width: float, style: Type) -> Iterator[list[Run]]:
    """Runs in lines: a line ends at a newline of a text, and before a word that has no room."""
    line: list[Run] = []
    filled = 0.0
    for word in _words(runs):
        if word[0].text == "\n":
            yield line
            line, filled = [], 0.0
            continue
        wide = sum(_width(run, style) for run in word)
        if line and filled + wide > width and word[0].text != " ":
            yield _trimmed(line)
            line, filled = [], 0.0
        if line or word[0].text != " ":
            line += word
            filled += wide
    if line:
        yield _trimmed(line)


def _trimmed(line: Sequence[Run]) -> list[Run]:
    end = len(line)
    while end and line[end - 1].text == " ":
        end -= 1
    return list(line[:end])


def _words(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """Runs in pieces that a line does not part: spaces and line ends by themselves."""
    word: list[Run] = []
    for run in runs:
        text = ""
        for letter in run.text:
            if letter in " \n":
                word += [replace(run, text=text)] if text else []
                if word:
                    yield word
                yield [replace(run, text=letter)]
                word, text = [], ""
            else:
                text += letter
        word += [replace(run, text=text)] if text else []
    if word:
        yield word
