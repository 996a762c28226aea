"""What a line of a paper shows: its words, its type, its place, and what stands around it."""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from rowen._core import attribute
from rowen.scholar.layout import Layout, Line
from rowen.scholar.layout.furniture import furniture_of
from rowen.scholar.lexicon import lexicon_class
from rowen.scholar.tagging import together
from rowen.scholar.zones.stretches import Stretch, stretches_of

_WORD = re.compile(r"[^\W\d_]+")
_YEAR = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_PAGES = re.compile(r"\d+\s?[-–]\s?\d+")


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


_BEGINNINGS, _BEGINNING, _CONTENTS = _signs()


@lru_cache(maxsize=65536)
def _hashed(text: str) -> int:
    return attribute(text)


@lru_cache(maxsize=4096)
def beginning_of(text: str) -> str:
    """What kind of part a line opens, by its first words; nothing where they tell none."""
    found = _BEGINNING.match(text)
    return _BEGINNINGS[int((found.lastgroup or "k0")[1:])] if found else ""


def _part(part: float, whole: float, steps: int) -> int:
    return min(int(steps * part / whole), steps) if whole > 0 else 0


def body_size(lines: Sequence[Line]) -> float:
    """The size that most letters of a paper are set in."""
    counts: Counter[float] = Counter()
    for line in lines:
        counts[round(2 * line.size) / 2] += len(line.text)
    return counts.most_common(1)[0][0] if counts else 10.0


def usual_face(lines: Sequence[Line]) -> str:
    """The font that most letters are set in."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts[line.font] += len(line.text)
    return counts.most_common(1)[0][0] if counts else ""


class _Paper:
    """What lines are seen against."""

    def __init__(self, layout: Layout) -> None:
        self.lines = lines = layout.lines
        self.pages = layout.pages
        self.body = body_size(lines)
        self.furniture = furniture_of(lines, layout.pages)
        first = [
            line.size for i, line in enumerate(lines) if line.page < 2 and i not in self.furniture
        ]
        self.largest = max(first, default=self.body)
        self.blocks: dict[int, tuple[float, float, int]] = {}
        for i, line in enumerate(lines):
            left, right, start = self.blocks.get(line.block, (line.left, line.right, i))
            self.blocks[line.block] = (min(left, line.left), max(right, line.right), start)
        headings = [i for i, line in enumerate(lines) if beginning_of(line.text) == "references"]
        self.references = headings[-1] if headings else None
        self.abstracts = self._abstracts()
        self.face = usual_face(lines)
        self.ranks = self._ranks()
        self.stretches = self._stretches()

    def _abstracts(self) -> list[int]:
        """For each line 0 before the abstract's heading, 1 after it, 2 after what follows it."""
        found, stage = [], 0
        for line in self.lines:
            kind = beginning_of(line.text)
            if kind == "abstract":
                stage = 1
            elif stage == 1 and kind in {"introduction", "keywords"}:
                stage = 2
            found.append(stage)
        return found

    def _ranks(self) -> dict[int, int]:
        """The sizes of the first page's type, from the largest."""
        sizes = {
            round(line.size)
            for i, line in enumerate(self.lines)
            if line.page == 0 and i not in self.furniture and len(line.text) > 3
        }
        return {size: rank for rank, size in enumerate(sorted(sizes, reverse=True))}

    def _stretches(self) -> list[dict[str, str]]:
        """For each line what its stretch shows."""
        stretches = stretches_of(self.lines)
        turns = self._turns(stretches)
        found: list[dict[str, str]] = []
        longs = 0
        for stretch in stretches:
            own = self.lines[stretch.first : stretch.end]
            longs += stretch.long
            shown = {
                "stretch": f"{min(len(own).bit_length(), 5)}{stretch.long:d}",
                "opening": beginning_of(own[0].text),
                "type": f"{usual_face(own) == self.face:d}",
                "turn": turns.get(stretch.first, ""),
                "longs": f"{longs}{stretch.long:d}" if longs < 4 else "",
            }
            found += [
                {**shown, "within": f"{min(k, 3)}{min(len(own) - 1 - k, 2)}"}
                for k in range(len(own))
            ]
        return found

    def _turns(self, stretches: Sequence[Stretch]) -> dict[int, str]:
        """How many stretches of the first page come after the one that is set largest."""
        front = [one for one in stretches if one.page == 0 and one.first not in self.furniture]
        shown = [k for k, one in enumerate(front) if one.letters > 8]
        if not shown:
            return {}
        top = max(shown, key=lambda k: (round(front[k].size), -k))
        return {
            one.first: f"{min(k - top, 7)}" if k >= top else "before" for k, one in enumerate(front)
        }

    def row(self, i: int) -> dict[str, str]:
        """The columns of a line."""
        line = self.lines[i]
        before = self.lines[i - 1] if i else None
        return {
            **_worded(line),
            **self._typed(line, before),
            **self._placed(i, line),
            **self._around(line, before),
            **self.stretches[i],
        }

    def _typed(self, line: Line, before: Line | None) -> dict[str, str]:
        larger = line.size - self.body
        same = ""
        if before is not None:
            near = abs(line.size - before.size) < 0.6
            same = f"{near:d}{line.bold == before.bold:d}{line.font == before.font:d}"
        return {
            "size": f"{round(2 * larger)}" if abs(larger) < 8 else "large",
            "face": f"{line.bold:d}{line.italic:d}",
            "same type": same,
            "largest": f"{line.size > self.largest - 0.6:d}" if line.page < 2 else "",
            "rank": f"{min(self.ranks.get(round(line.size), 9), 5)}" if line.page == 0 else "",
        }

    def _placed(self, i: int, line: Line) -> dict[str, str]:
        left, right, first = self.blocks[line.block]
        width, height = self.pages[line.page]
        centred = abs((line.left + line.right) / 2 - width / 2) < 12 and line.left > left + 12
        references = ""
        if self.references is not None:
            references = (
                "at" if i == self.references else "after" if i > self.references else "before"
            )
        return {
            "block start": f"{min(i - first, 4)}",
            "page": f"{min(line.page, 2)}{line.page == len(self.pages) - 1:d}",
            "height": f"{_part(line.baseline, height, 8)}",
            "indent": f"{min(round((line.left - left) / self.body), 5)}",
            "width": f"{_part(right - line.right, right - left, 4)}",
            "centred": f"{centred:d}{_part(line.right - line.left, width, 5)}",
            "furniture": "f" if i in self.furniture else "",
            "references": references,
            "order": f"{i // 2}" if line.page == 0 and i < 60 else "",
            "abstract": f"{self.abstracts[i]}{line.page > 0:d}",
        }

    def _around(self, line: Line, before: Line | None) -> dict[str, str]:
        if before is None:
            return {"gap": "new", "step": "", "before": ""}
        left, right, _ = self.blocks[line.block]
        gap = "new"
        if before.block == line.block:
            gap = f"{min(round(4 * (before.baseline - line.baseline) / max(line.size, 1)), 14)}"
        return {
            "gap": gap,
            "step": f"{min(max(round((line.left - before.left) / self.body), -4), 4)}",
            "before": f"{_ending(before.text)}{_part(right - before.right, right - left, 4)}",
        }


def _ending(text: str) -> str:
    return "a" if text[-1].isalnum() else text[-1]


def _worded(line: Line) -> dict[str, str]:
    words = _WORD.findall(line.text)
    capitals = [word for word in words if word[0].isupper()]
    known = sum(bool(lexicon_class(word.lower())) for word in capitals)
    digits = sum(map(str.isdigit, line.text))
    small = line.text.lower()
    numbers = f"{bool(_YEAR.search(line.text)):d}{bool(_PAGES.search(line.text)):d}"
    marks = [
        "r" if start == 0 else "e" if end == len(line.text) else "m" for start, end in line.raised
    ]
    return {
        "first": words[0].lower() if words else line.text[0],
        "second": words[1].lower() if len(words) > 1 else "",
        "last": words[-1].lower() if words else "",
        "start": beginning_of(line.text),
        "length": f"{min(len(words) // 2, 8)}",
        "capitals": f"{_part(len(capitals), len(words), 4)}{line.text.isupper():d}",
        "digits": f"{_part(digits, len(line.text), 6)}",
        "names": f"{_part(known, len(words), 4)}",
        "signs": f"{min(line.text.count(','), 4)}{bool(marks):d}{numbers}",
        "ending": _ending(line.text),
        "marks": "".join(marks[:4]),
        "content": " ".join(name for name, form in _CONTENTS.items() if form.search(small)),
    }


COLUMNS = (
    "first", "second", "last", "start", "length", "capitals", "digits", "names", "signs", "ending",
    "marks", "content", "size", "face", "same type", "largest", "block start", "page", "height",
    "indent", "width", "centred", "furniture", "references", "order", "abstract", "gap", "step",
    "before", "rank", "stretch", "opening", "type", "turn", "longs", "within",
)  # fmt: skip


def columns_of(layout: Layout) -> NDArray[np.uint64]:
    """A row a line, with the columns that `COLUMNS` names."""
    paper = _Paper(layout)
    rows = []
    for i in range(len(layout.lines)):
        row = paper.row(i)
        rows.append([_hashed(value) if (value := row[name]) else 0 for name in COLUMNS])
    return np.array(rows, np.uint64).reshape(len(rows), len(COLUMNS))


_all = partial(together, COLUMNS)


def _here(*names: str) -> list[tuple[int, int]]:
    return _all(*((name, 0) for name in names))


_NEIGHBOURS = (
    "start", "size", "face", "length", "capitals", "names", "content", "signs", "gap", "references",
    "width", "step", "furniture", "first", "centred",
)  # fmt: skip

TEMPLATES: list[list[tuple[int, int]]] = [
    *(_here(name) for name in COLUMNS),
    *(_all((name, offset)) for name in _NEIGHBOURS for offset in (-1, 1)),
    *(_all(("start", offset)) for offset in (-2, 2, 3)),
    _all(("gap", 2)),
    _here("size", "face"),
    _here("size", "face", "page"),
    _here("order", "size"),
    _here("page", "height"),
    _here("page", "start"),
    _here("page", "content"),
    _here("page", "names", "capitals"),
    _here("page", "largest"),
    _here("abstract", "size"),
    _here("abstract", "size", "face"),
    _here("abstract", "block start"),
    _here("references", "start"),
    _here("references", "size"),
    _here("references", "signs"),
    _here("references", "step"),
    _here("references", "before"),
    _here("references", "indent", "before"),
    _here("references", "step", "names"),
    _here("furniture", "page"),
    _here("gap", "face"),
    _here("same type", "gap"),
    _here("length", "face", "gap"),
    _here("start", "face"),
    _here("start", "length"),
    _here("marks", "names"),
    _here("content", "names"),
    _here("centred", "face", "page"),
    _all(("size", -1), ("size", 0)),
    _all(("size", 0), ("size", 1)),
    _all(("largest", 0), ("largest", -1), ("page", 0)),
    _all(("references", 0), ("step", 1), ("indent", 0)),
    _all(("gap", 0), ("size", 0), ("size", -1)),
    _all(("content", -1), ("content", 0)),
    _all(("content", 0), ("content", 1)),
    _here("turn", "rank"),
    _here("turn", "names"),
    _here("turn", "content"),
    _here("turn", "stretch"),
    _here("turn", "stretch", "rank"),
    _here("rank", "largest", "start"),
    _here("opening", "stretch"),
    _here("opening", "page"),
    _here("longs", "opening"),
    _here("longs", "type"),
    _here("longs", "type", "face"),
    _here("longs", "abstract"),
    _here("type", "size", "page"),
    _here("stretch", "size", "page"),
    _here("within", "start"),
    _here("within", "opening", "abstract"),
    _all(("turn", 0), ("turn", -1)),
    _all(("opening", -1), ("opening", 0)),
    _all(("opening", 0), ("opening", 1)),
]
