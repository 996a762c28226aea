"""Features of the lines of a paper, for the CRF that labels zones.

A line has features of its words (`words.py`), of its type compared with the rest of the paper, of
its position, and of the lines around it:

    line                      first     start     size  face  gap  turn
    On the origin of titles   on                   12    10   new   0     bold, 6 points larger
    Ada Lovelace              ada                   2    00    14   1     below a wide gap
    Abstract                  abstract  abstract    0    10    14   2     opens an abstract
    We study titles ...       we                    0    00     8   3

The names and the order of `FEATURES`, the texts that are hashed and `TEMPLATES` are part of the
trained model: a change to any of them needs a new model. A feature is computed for all lines at
once, as an array: a paper has about a thousand lines.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import feature_value
from rowen.crf.tagger import template
from rowen.papers.zones.typography import uses_of_types
from rowen.papers.zones.words import (
    BEGINNINGS,
    WORD_FEATURES,
    beginning_of,
    ending_of,
    word_features,
)
from rowen.pdf import Layout, Line
from rowen.pdf.furniture import furniture_of
from rowen.pdf.stretches import Stretch, stretches_of

_EARLY = 0.2  # of the lines: a heading before them belongs to a table of contents
_LIST = 30  # lines below the heading of a list of references, some of which have a year
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|[\u0660-\u0669\u06f0-\u06f9]{4}")
_FRONT = 3  # pages: a heading such as `Summary` after these opens no abstract
_NONE, _OTHER = -(10**6), 10**6  # stand for no value, and for a value with a name
# Texts of small numbers, made once.
_BITS = {count: {n: f"{n:0{count}b}" for n in range(2**count)} for count in (2, 3)}
_WITHIN = [[f"{before}{after}" for after in range(3)] for before in range(4)]
_PAIRS = {n: f"{n:02d}" for n in range(100)}


@lru_cache(maxsize=65536)
def _hashed(text: str) -> int:
    return feature_value(text)


def _parts(part: NDArray[Any], whole: NDArray[Any], steps: int) -> NDArray[np.int64]:
    """Shares in whole steps, such as eighths; 0 where the whole is 0."""
    present = whole > 0
    shares = np.trunc(steps * part / np.where(present, whole, 1.0))
    return np.where(present, np.minimum(shares, steps), 0).astype(np.int64)


def body_size(lines: Sequence[Line]) -> float:
    """The size of most letters of a paper, to half a point."""
    exactly: defaultdict[float, int] = defaultdict(int)
    for line in lines:
        exactly[line.size] += len(line.text)
    counts: Counter[float] = Counter()
    for size, count in exactly.items():  # of which there are few
        counts[round(2 * size) / 2] += count
    return counts.most_common(1)[0][0] if counts else 10.0


def usual_face(lines: Sequence[Line]) -> str:
    """The font of most letters."""
    fonts = {line.font for line in lines}
    if len(fonts) == 1:
        return fonts.pop()
    counts: defaultdict[str, int] = defaultdict(int)
    for line in lines:
        counts[line.font] += len(line.text)
    return max(counts, key=counts.__getitem__, default="")


_STRETCH_FEATURES = ("stretch", "opening", "type", "turn", "longs", "within")


WordRows: TypeAlias = Callable[[Sequence[Line]], NDArray[np.uint64]]
"""Returns the `WORD_FEATURES` of lines, one row per line: `word_rows`, or a cache of it."""


def word_rows(lines: Sequence[Line]) -> NDArray[np.uint64]:
    """The word features of lines, one row per line; a row depends on its own line only."""
    words = [word_features(line, beginning_of(line.text)) for line in lines]
    if not words:
        return np.zeros((0, len(WORD_FEATURES)), np.uint64)
    return np.stack([_written(column) for column in zip(*words, strict=True)], axis=1)


@cache
def _beginnings() -> dict[int, str]:
    """The part that a line opens, by its hashed value in the feature `start`.

    Word features may come from a cache, which has hashes only; this maps them back.
    """
    return {0: "", **{_hashed(name): name for name in BEGINNINGS}}


class _Paper:
    """A paper's lines as arrays, and what each line is compared with: body size, blocks, font."""

    def __init__(self, layout: Layout, words: WordRows) -> None:
        self.lines = lines = layout.lines
        self.pages = layout.pages
        self.body = body_size(lines)
        self.furniture = furniture_of(lines, layout.pages)
        first = [
            line.size for i, line in enumerate(lines) if line.page < 2 and i not in self.furniture
        ]
        self.largest = max(first, default=self.body)
        self.left, self.right, self.baseline, self.size = np.array(
            [(line.left, line.right, line.baseline, line.size) for line in lines]
        ).T
        self.page = np.array([line.page for line in lines])
        self.block = np.array([line.block for line in lines])
        numbers, firsts, own = np.unique(self.block, return_index=True, return_inverse=True)
        lefts, rights = np.full(len(numbers), np.inf), np.full(len(numbers), -np.inf)
        np.minimum.at(lefts, own, self.left)
        np.maximum.at(rights, own, self.right)
        self.block_first, self.block_left, self.block_right = firsts[own], lefts[own], rights[own]
        self.words = words(lines)
        kinds = _beginnings()
        self.beginnings = [
            kinds.get(n, "") for n in self.words[:, WORD_FEATURES.index("start")].tolist()
        ]
        headings = [
            i for i, kind in enumerate(self.beginnings)
            if kind == "references" and i > _EARLY * len(lines) and i not in self.furniture
        ]  # fmt: skip
        self.references = next((i for i in reversed(headings) if self._dated_below(i)), None)
        self.abstracts = self._abstracts()
        self.face = usual_face(lines)
        self.ranks = self._ranks()
        self.stretches = self._stretches()
        widths = np.maximum(self.block_right - self.block_left, 1)
        reach = (self.right - self.block_left) / widths
        self.amounts, self.places, self.usual = uses_of_types(lines, self.furniture, reach)

    def _dated_below(self, heading: int) -> bool:
        """Whether works follow a heading such as `References`: some of the next lines have a year.

        A section about references may have this heading, too, and is part of the body.
        """
        return any(_YEAR.search(line.text) for line in self.lines[heading + 1 : heading + _LIST])

    def _abstracts(self) -> list[int]:
        """For each line: 0 before the abstract's heading, 1 after it, 2 after the next part."""
        stages, stage = [], 0
        for kind, page in zip(self.beginnings, self.page.tolist(), strict=True):
            if kind == "abstract" and page < _FRONT:
                stage = 1
            elif stage == 1 and kind in {"introduction", "keywords"}:
                stage = 2
            stages.append(stage)
        return stages

    def _ranks(self) -> dict[int, int]:
        """The rank of each size of type on the first page; the largest has rank 0."""
        sizes = {
            round(line.size)
            for i, line in enumerate(self.lines)
            if line.page == 0 and i not in self.furniture and len(line.text) > 3
        }
        return {size: rank for rank, size in enumerate(sorted(sizes, reverse=True))}

    def _stretches(self) -> list[tuple[str, ...]]:
        """For each line the features of its stretch that `_STRETCH_FEATURES` names."""
        stretches = stretches_of(self.lines)
        turns = self._turns(stretches)
        rows: list[tuple[str, ...]] = []
        longs = 0
        for stretch in stretches:
            own = self.lines[stretch.first : stretch.end]
            longs += stretch.long
            shown = (
                f"{min(len(own).bit_length(), 5)}{stretch.long:d}",
                self.beginnings[stretch.first],
                f"{usual_face(own) == self.face:d}",
                turns.get(stretch.first, ""),
                f"{longs}{stretch.long:d}" if longs < 4 else "",
            )
            last = len(own) - 1
            rows += [(*shown, _WITHIN[min(k, 3)][min(last - k, 2)]) for k in range(last + 1)]
        return rows

    def _turns(self, stretches: Sequence[Stretch]) -> dict[int, str]:
        """For each stretch of the first page its number, counted from the largest one.

        The largest is most often the title; authors and affiliations follow it.
        """
        front = [
            stretch
            for stretch in stretches
            if stretch.page == 0 and stretch.first not in self.furniture
        ]
        shown = [k for k, stretch in enumerate(front) if stretch.letters > 8]
        if not shown:
            return {}
        top = max(shown, key=lambda k: (round(front[k].size), -k))
        return {
            stretch.first: f"{min(k - top, 7)}" if k >= top else "before"
            for k, stretch in enumerate(front)
        }

    def columns(self) -> dict[str, NDArray[np.uint64]]:
        """All features by name, one hashed value per line."""
        return {
            **dict(zip(WORD_FEATURES, self.words.T, strict=True)),
            **{
                name: _written(column)
                for name, column in _turned(self.stretches, _STRETCH_FEATURES)
            },
            **self._typed(),
            **self._placed(),
            **self._around(),
        }

    def _typed(self) -> dict[str, NDArray[np.uint64]]:
        """Features of a line's type: size and face, compared with the body and the line before."""
        size, page = self.size, self.page
        larger = size - self.body
        bold = np.array([line.bold for line in self.lines])
        italic = np.array([line.italic for line in self.lines])
        near = np.abs(np.diff(size)) < 0.6
        font = np.array([line.font == next_.font for line, next_ in pairwise(self.lines)], bool)
        same = _bits(near, bold[1:] == bold[:-1], font)
        largest = np.where(page < 2, (size > self.largest - 0.6).astype(int), _NONE)
        ranks = [min(self.ranks.get(round(line.size), 9), 5) for line in self.lines]
        return {
            "size": _numbered(
                np.where(np.abs(larger) < 8, np.rint(2 * larger), _OTHER), {_OTHER: "large"}
            ),
            "face": _numbered(_bits(bold, italic), _BITS[2]),
            "same type": _numbered(np.append(_NONE, same), _BITS[3]),
            "largest": _numbered(largest),
            "rank": _numbered(np.where(page == 0, ranks, _NONE)),
            "amount": _written(self.amounts),
            "use": _written(self.places),
            "usual": _numbered(np.array(self.usual, np.int64)),
            "lead": _written(map(_led, self.lines)),
        }

    def _placed(self) -> dict[str, NDArray[np.uint64]]:
        """Features of a line's position: on its page, in its block, in the paper."""
        order = np.arange(len(self.lines))
        page, left, right = self.page, self.left, self.right
        width, height = np.array(self.pages)[page].T
        centred = (np.abs((left + right) / 2 - width / 2) < 12) & (left > self.block_left + 12)
        last = page == len(self.pages) - 1
        furniture = np.isin(order, list(self.furniture))
        references = np.full(len(order), _NONE)
        if self.references is not None:
            references = np.sign(order - self.references)
        return {
            "block start": _numbered(np.minimum(order - self.block_first, 4)),
            "page": _numbered(10 * np.minimum(page, 2) + last, _PAIRS),
            "height": _numbered(_parts(self.baseline, height, 8)),
            "indent": _numbered(np.minimum(np.rint((left - self.block_left) / self.body), 5)),
            "width": _numbered(
                _parts(self.block_right - right, self.block_right - self.block_left, 4)
            ),
            "centred": _numbered(10 * centred + _parts(right - left, width, 5), _PAIRS),
            "furniture": _numbered(np.where(furniture, 0, _NONE), {0: "f"}),
            "references": _numbered(references, {-1: "before", 0: "at", 1: "after"}),
            "order": _numbered(np.where((page == 0) & (order < 60), order // 2, _NONE)),
            "abstract": _numbered(10 * np.array(self.abstracts) + (page > 0), _PAIRS),
        }

    def _around(self) -> dict[str, NDArray[np.uint64]]:
        """Features of the step from the line before: gap, indent, and how that line ended."""
        new = np.append(True, np.diff(self.block) != 0)
        fall = np.append(0.0, -np.diff(self.baseline))
        gap = np.minimum(np.rint(4 * fall / np.maximum(self.size, 1)), 14)
        step = np.clip(np.rint(np.diff(self.left) / self.body), -4, 4)
        room = _parts(
            self.block_right[1:] - self.right[:-1], (self.block_right - self.block_left)[1:], 4
        )
        close = (fall > 0) & ~new & (np.abs(self.size - self.body) < 1)
        leading = float(np.median(fall[close])) if close.any() else 1.2 * self.body
        space = np.clip(np.rint(6 * fall / leading), -1, 15)
        endings = [ending_of(line.text) for line in self.lines[:-1]]
        before = [f"{ending}{part}" for ending, part in zip(endings, room.tolist(), strict=True)]
        return {
            "gap": _numbered(np.where(new, _OTHER, gap), {_OTHER: "new"}),
            "space": _numbered(np.where(new, _OTHER, space), {_OTHER: "new"}),
            "step": _numbered(np.append(_NONE, step)),
            "before": _written(["", *before]),
        }


def _led(line: Line) -> str:
    """The face of a line's beginning where it differs from the others, and the sign at its end."""
    if line.lead is None:
        return ""
    beginning = line.text[: line.lead.end].rstrip()
    ending = ending_of(beginning) if beginning else ""
    return f"{line.lead.bold:d}{line.lead.italic:d}{ending}{min(len(beginning) // 8, 5)}"


def _turned(
    rows: Sequence[tuple[str, ...]], names: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Rows as columns, each with its name."""
    return zip(names, zip(*rows, strict=True), strict=True)


def _written(column: Iterable[str]) -> NDArray[np.uint64]:
    """A feature from texts, hashed; the empty text is 0, no value."""
    return np.array([_hashed(text) if text else 0 for text in column], np.uint64)


def _numbered(column: NDArray[Any], names: Mapping[int, str] | None = None) -> NDArray[np.uint64]:
    """A feature from whole numbers, some of which may have names; `_NONE` becomes 0, no value."""
    # Each distinct number is written and hashed once: there are few of them.
    named = names or {}
    distinct, places = np.unique(column.astype(np.int64), return_inverse=True)
    texts = ["" if n == _NONE else named.get(n, str(n)) for n in distinct.tolist()]
    hashes: NDArray[np.uint64] = _written(texts)[places]
    return hashes


def _bits(*flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Flags as one number per line; the last flag is the lowest bit."""
    number = np.zeros(len(flags[0]), np.int64)
    for flag in flags:
        number = 2 * number + flag
    return number


FEATURES = (
    "first", "second", "last", "start", "length", "capitals", "digits", "names", "signs", "ending",
    "marks", "content", "size", "face", "same type", "largest", "block start", "page", "height",
    "indent", "width", "centred", "furniture", "references", "order", "abstract", "gap", "step",
    "before", "rank", "stretch", "opening", "type", "turn", "longs", "within",
    "amount", "use", "usual", "lead", "space",
)  # fmt: skip


def feature_rows(layout: Layout, *, words: WordRows = word_rows) -> NDArray[np.uint64]:
    """The features of a paper's lines: one row per line, one column per name in `FEATURES`."""
    if not layout.lines:
        return np.zeros((0, len(FEATURES)), np.uint64)
    columns = _Paper(layout, words).columns()
    return np.stack([columns[name] for name in FEATURES], axis=1)


_all = partial(template, FEATURES)


def _here(*names: str) -> list[tuple[int, int]]:
    return _all(*((name, 0) for name in names))


_NEIGHBOURS = (
    "start", "size", "face", "length", "capitals", "names", "content", "signs", "gap", "references",
    "width", "step", "furniture", "first", "centred", "amount", "use", "usual", "space", "lead",
)  # fmt: skip

TEMPLATES: list[list[tuple[int, int]]] = [
    *(_here(name) for name in FEATURES),
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
    _here("amount", "use"),
    _here("amount", "space"),
    _here("use", "space"),
    _here("amount", "use", "space"),
    _here("use", "start"),
    _here("use", "face"),
    _here("amount", "width"),
    _here("usual", "capitals", "width"),
    _here("lead", "before"),
    _all(("use", 0), ("usual", 1)),
    _all(("use", 0), ("amount", 0), ("usual", 1)),
    _all(("use", 0), ("space", 1)),
    _all(("space", 0), ("space", 1)),
    _all(("usual", -1), ("usual", 0), ("usual", 1)),
    _all(("use", -1), ("use", 0)),
    _all(("amount", -1), ("amount", 0)),
    _all(("width", -1), ("usual", 0), ("space", 0)),
]
