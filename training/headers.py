"""Headers of papers that GROBID's annotators labelled, as rows for the model of zones.

They come without pages: a token's features tell where lines and blocks begin, whether type grows or
shrinks, and what is bold. From these a layout is made up in which the sizes of type are only in
the right order, and the columns that tell of places are left empty.
"""

import json
import lzma
import re
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.papers.zones.features import FEATURES, feature_rows
from rowen.pdf import Layout, Line
from training.data import SHARED

_ABSTRACT = re.compile(r"\W*(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary)\W*$", re.IGNORECASE)
_ZONES = {
    "title": "title", "author": "author", "affiliation": "affiliation", "address": "affiliation",
    "abstract": "abstract", "keyword": "keywords",
}  # fmt: skip
_UNKNOWN = (
    "size", "height", "indent", "width", "centred", "furniture", "references", "order", "gap",
    "step", "before", "type", "page", "marks", "signs", "amount", "use", "usual", "space", "lead",
)  # fmt: skip
_WIDTH, _HEIGHT = 600.0, 6000.0
_STEP = 2.0  # points that type grows or shrinks by, of which the features only tell the direction


@dataclass(slots=True)
class _Drawn:
    """A line in the making."""

    block: int
    tokens: list[str] = field(default_factory=list)
    levels: Counter[int] = field(default_factory=Counter)
    fonts: Counter[int] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    bold: int = 0
    italic: int = 0


def headers() -> Iterator[tuple[NDArray[np.uint64], list[str]]]:
    """The labelled lines of each header."""
    for layout, labels in _drawn_headers():
        rows = feature_rows(layout)
        rows[:, [FEATURES.index(name) for name in _UNKNOWN]] = 0
        yield rows, labels


def _drawn_headers() -> Iterator[tuple[Layout, list[str]]]:
    """Made-up layouts with the labels of their lines."""
    features = _features()
    with lzma.open(SHARED / "headers" / "grobid_headers.jsonl.xz", "rt", encoding="utf-8") as file:
        for header in map(json.loads, file):
            if header["id"] in features:
                lines = _lines(features[header["id"]], _labelled_letters(header["segments"]))
                if lines:
                    yield _layout(lines), _labels(lines)


@cache
def _features() -> dict[str, list[list[str]]]:
    """The features of each header's tokens."""
    by_header = {}
    with tarfile.open(SHARED / "headers" / "grobid_header_raw_features.tar.xz") as archive:
        for member in archive:
            name = member.name.rpartition("/")[2]
            if name.endswith(".training.header") and (content := archive.extractfile(member)):
                rows = content.read().decode("utf-8").splitlines()
                by_header[name.removesuffix(".training.header")] = [
                    row.split() for row in rows if row.strip()
                ]
    return by_header


def _labelled_letters(segments: Sequence[Sequence[Any]]) -> list[tuple[str, str]]:
    return [(letter, label) for text, label in segments for letter in text if not letter.isspace()]


def _lines(tokens: Sequence[Sequence[str]], letters: Sequence[tuple[str, str]]) -> list[_Drawn]:
    """Tokens in lines, each with the labels of its letters; none where the two texts differ."""
    lines: list[_Drawn] = []
    at = level = font = block = 0
    for token, *features in tokens:
        level += ("HIGHERFONT" in features) - ("LOWERFONT" in features)
        font += "NEWFONT" in features
        block += "BLOCKSTART" in features
        if not lines or "LINESTART" in features:
            lines.append(_Drawn(block))
        line = lines[-1]
        start = _place(token, letters, at)
        if start is None:
            return []
        at = start + len(token)
        line.tokens.append(token)
        line.levels[level] += len(token)
        line.fonts[font] += len(token)
        flags = (
            features[features.index("SAMEFONTSIZE") + 1 :]
            if "SAMEFONTSIZE" in features
            else features[-15:]
        )
        line.bold += flags[0] == "1"
        line.italic += flags[1] == "1"
        line.labels.update(label for _, label in letters[start:at])
    return lines


def _place(token: str, letters: Sequence[tuple[str, str]], at: int) -> int | None:
    """Where a token goes on in the text: some letters may have been left out."""
    for start in range(at, min(at + 40, len(letters))):
        if letters[start][0] == token[0] and token == "".join(
            letter for letter, _ in letters[start : start + len(token)]
        ):
            return start
    return None


def _layout(lines: Sequence[_Drawn]) -> Layout:
    drawn: list[Line] = []
    baseline = _HEIGHT
    for line in lines:
        size = 12 + _STEP * line.levels.most_common(1)[0][0]
        new = not drawn or drawn[-1].block != line.block
        baseline -= (3 if new else 1.2) * 10
        drawn.append(
            Line(
                _spaced(line.tokens), 0, line.block, 50.0, baseline, _WIDTH - 50, baseline + 10,
                baseline, size, str(line.fonts.most_common(1)[0][0]),
                bold=2 * line.bold > len(line.tokens), italic=2 * line.italic > len(line.tokens),
                raised=(), gaps=(), offsets=(),
            )
        )  # fmt: skip
    return Layout(drawn, [(_WIDTH, _HEIGHT)])


def _spaced(tokens: Sequence[str]) -> str:
    """Tokens as a line; no space stands before what closes, or behind what opens."""
    return re.sub(r" (?=[,.;:)\]])|(?<=[(\[]) | ?(?:[-\u2013@/]) ?", _whole, " ".join(tokens))


def _whole(match: re.Match[str]) -> str:
    return match.group().strip()


def _labels(lines: Sequence[_Drawn]) -> list[str]:
    labels = []
    for line in lines:
        label = _ZONES.get(line.labels.most_common(1)[0][0], "header")
        if label in {"abstract", "header"} and _ABSTRACT.match(_spaced(line.tokens)):
            label = "abstract heading"
        labels.append(label)
    return labels
