"""Cutting the lines of a reference list into reference strings.

Lists are numbered, or the first line of each reference is outdented (or indented), or the gap
before it is wider. All lines of the list together show which; where none of these shows, the words
of the lines decide. The first rule that finds starts wins:

    [1] Smith, A. On wrappers.      1. labels that count up     lines 0 and 2
    J. Webs 3, 14-15, 2020.         2. paragraphs (HTML, text)
    [2] Doe, B. On pages.           3. outdented or indented first lines
    J. Webs 4, 2021.                4. wider gaps
                                    5. a name after the end of a reference
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from rowen.pdf import Line

_LABELS = (
    re.compile(r"\s*\[\s?(\d{1,3})\s?\]"),
    re.compile(r"\s*(\d{1,3})\s?\.(?!\d)"),
    re.compile(r"\s*\(\s?(\d{1,3})\s?\)"),
    re.compile(r"\s*(\d{1,3})\s?\)"),
    re.compile(r"\s*(\d{1,3})\s+(?=[^\W\d_])"),
    re.compile(r"\s*(\d{1,3})\s?(?=[^\W\d_a-zß-öø-ÿ](?:[^\W\d_A-Z]|\.))"),
)
_NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§])\s?(?=[^\W\d_\s“\"])")
_CITING = re.compile(r"[^\W\d_a-zß-öø-ÿ][\w'’\-]*.{14,}(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_KEY = re.compile(r"\s*\[[^\W\d_][\w+\-]{1,10}\d{2,4}[a-z]?\]")
_CAPITAL = f"[{''.join(letter for letter in map(chr, range(0x590)) if letter.isupper())}]"
_UNCASED = r"[\u0590-\u065f\u066e-\u08ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_START = re.compile(
    rf"\s*(?:(?:van|von|de|der|den|di|du|la|le|del|al)\s+)*{_CAPITAL}[\w'’\-]+(?:\s{_CAPITAL}[\w'’\-]+)?"
    rf"(?:,\s*(?:{_CAPITAL}\.|{_CAPITAL}[^\W\d_]+)|\s{_CAPITAL}{{1,3}}[,.\s]|,?\s(?:and|und|et|y|e|i|и|&)\s)"
    rf"|\s*(?:{_CAPITAL}\.[\s-]*){{1,3}}(?:(?:van|von|de|der)\s+)*{_CAPITAL}[\w'’\-]+"
    rf"|\s*{_UNCASED}[\w'’\-]*(?:\s{_UNCASED}[\w'’\-]*){{0,3}}\s?[,.;:(،؛、，；：。（「『《“]"
)
_OPENS = re.compile(
    r"\W{0,3}(?:[^\W\d_a-zß-öø-ÿ]|(?:van|von|de|der|den|di|du|la|le|del|al|d[’'])\b)"
)
_UNSPACED = "\u2e7f"  # characters above it are of scripts without spaces between words
_LEFTWARDS = "\u0590", "\u08ff"  # the first and last characters of scripts that run leftwards
_TOGETHER = 2
_NAMES = re.compile(
    r"(?:[^\W\d_a-zß-öø-ÿ][\w'’\-]*\.?\s){1,3}(?:[a-z]{2,4}\s){0,2}[^\W\d_a-zß-öø-ÿ][\w'’\-]+"
    r"(?::|,|;|\.\s|\s?[(\[]\d{4}|\s\d{4}|\s[–—-]\s)"
)
_FEW = 3  # lines of a block that do not show how wide it is
_SPACE = 0.6  # of the size: what a word and the space before it need at least beside its letters
_ENDED = re.compile(r"[.)\]\d/。]\s*$|\.\w{2,4}$|(?:https?|doi)\S+$")


def cut_references(
    lines: Sequence[Line], *, paragraphs: frozenset[int] = frozenset()
) -> list[list[Line]]:
    """The lines of each reference, in order; `paragraphs` are ids of lines that start one."""
    if not lines:
        return []
    starts = (
        _numbered(lines)
        or _parted(lines, paragraphs)
        or _hanging(lines)
        or _spaced(lines)
        or _worded(lines)
    )
    bounds = sorted(starts)
    return [list(lines[a:b]) for a, b in pairwise([*bounds, len(lines)])]


def footnoted_references(lines: Sequence[Line]) -> list[list[Line]]:
    """Footnotes that may cite a work (a name and a year), for papers without a list."""
    starts = [i for i, line in enumerate(lines) if _NOTE.match(line.text)]
    notes = [list(lines[a:b]) for a, b in pairwise([*starts, len(lines)])]
    return [note for note in notes if _CITING.search(" ".join(line.text for line in note))]


def _numbered(lines: Sequence[Line]) -> set[int]:
    """Lines with labels that count up, or with keys such as [Knu84]."""
    best: list[int] = []
    for form in _LABELS:
        labels = [
            (i, int(label.group(1)))
            for i, line in enumerate(lines)
            if (label := form.match(line.text))
        ]
        counting = _counting(labels)
        if len(counting) > len(best):
            best = counting
    keys = [i for i, line in enumerate(lines) if _KEY.match(line.text)]
    best = max(best, keys, key=len)
    # Numbers at line starts may be chance (volumes, pages): then they are few, or begin late.
    if len(best) < 2 or len(best) * 12 < len(lines) or (best[0] > 6 and best[0] > 0.2 * len(lines)):
        return set()
    return set(best)


def _counting(labels: Sequence[tuple[int, int]]) -> list[int]:
    """The longest sequence of labels that count up; a few may be missing or between others."""
    lengths: list[int] = []
    origins: list[int] = []
    for k, (_, number) in enumerate(labels):
        length, origin = 1, -1
        # A window of 40 labels bounds the time for lists with a number on each line.
        for j in range(max(0, k - 40), k):
            if 0 < number - labels[j][1] <= 3 and lengths[j] + 1 > length:
                length, origin = lengths[j] + 1, j
        lengths.append(length)
        origins.append(origin)
    if not lengths:
        return []
    at = max(range(len(lengths)), key=lengths.__getitem__)
    counting = []
    while at >= 0:
        counting.append(labels[at][0])
        at = origins[at]
    return counting[::-1]


def _parted(lines: Sequence[Line], paragraphs: frozenset[int]) -> set[int]:
    """Lines that start a paragraph, if at least half of these look like starts of references."""
    starts = {i for i, line in enumerate(lines) if id(line) in paragraphs}
    return starts | {0} if len(starts) > 1 and _likely(lines, starts) >= 0.5 else set()


def _hanging(lines: Sequence[Line]) -> set[int]:
    """Lines that are outdented in their column, or indented, if references start there."""
    columns: defaultdict[int, list[int]] = defaultdict(list)
    # Most lines show the direction: single ones may be of another script.
    leftwards = 2 * sum(map(_runs_leftwards, lines)) > len(lines)
    begins = [-line.right if leftwards else line.left for line in lines]
    for i, line in enumerate(lines):
        columns[line.block].append(i)
    outside: set[int] = set()
    inside: set[int] = set()
    for indexes in columns.values():
        edge = min(begins[i] for i in indexes)
        for i in indexes:
            (outside if begins[i] < edge + 2.5 else inside).add(i)
    share = len(outside) / len(lines)
    steps = Counter(
        round(begins[i] - min(begins[j] for j in columns[lines[i].block])) for i in inside
    )
    steady = (
        sum(count for _, count in steps.most_common(3)) > 0.7 * len(inside) if inside else False
    )
    if len(lines) < 4 or not steady or not inside:
        return set()
    apart = _likely(lines, outside) > 0.7 and _likely(lines, inside) < _likely(lines, outside) - 0.3
    # Where most references have one line, their words must tell, too.
    if 0.1 < share < (0.95 if apart else 0.75) and _likely(lines, outside) >= _likely(
        lines, inside
    ):
        return _cleaned(lines, outside, columns)
    if 0.25 < share < 0.9 and _likely(lines, inside) > 0.6:
        return inside | {0}
    return set()


def _cleaned(lines: Sequence[Line], starts: set[int], columns: dict[int, list[int]]) -> set[int]:
    """Without the lines of short columns that are all outdented, unless they look like starts."""
    cleaned = set(starts)
    for indexes in columns.values():
        if len(indexes) < 4 and all(i in starts for i in indexes):
            cleaned -= {i for i in indexes if not _START.match(lines[i].text) and i}
    return cleaned | {0}


def _likely(lines: Sequence[Line], starts: set[int]) -> float:
    """The share of lines that look like the start of a reference."""
    return sum(bool(_START.match(lines[i].text)) for i in starts) / max(len(starts), 1)


def _spaced(lines: Sequence[Line]) -> set[int]:
    """Lines below a gap that is wider than most."""
    gaps = [
        (i + 1, before.baseline - line.baseline)
        for i, (before, line) in enumerate(pairwise(lines))
        if before.block == line.block
    ]
    if len(gaps) < 3:
        return set()
    # The lower third, not the median: with references of two lines half of all gaps are wide.
    usual = sorted(gap for _, gap in gaps)[len(gaps) // 3]
    wide = {i for i, gap in gaps if gap > 1.15 * usual + 0.5}
    if not 0.08 * len(lines) < len(wide) < 0.8 * len(lines) or _likely(lines, wide) < 0.5:
        return set()
    # Headings inside a list have wide gaps, too: then the other lines look more like starts.
    if _likely(lines, wide) < _likely(lines, set(range(1, len(lines))) - wide):
        return set()
    tops = {
        i + 1
        for i, (before, line) in enumerate(pairwise(lines))
        if before.block != line.block and _begins(before, line)
    }
    return wide | tops | {0}


def _worded(lines: Sequence[Line]) -> set[int]:
    """Lines that look like the start of a reference, after a line that looks like an end.

    So does a line whose first word had room on the line before: it begins a paragraph.
    """
    edges = _edges(lines)
    return {0} | {
        i + 1 for i, (before, line) in enumerate(pairwise(lines))
        if _begins(before, line)
        or (_had_room(before, line, edges[before.block]) and _OPENS.match(line.text))
    }  # fmt: skip


def _edges(lines: Sequence[Line]) -> dict[int, tuple[float, float]]:
    """Left and right edge of each block; short blocks are as wide as the widest."""
    own: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        own[line.block].append(line)
    edges = {
        block: (min(line.left for line in column), max(line.right for line in column))
        for block, column in own.items()
    }
    widest = max(right - left for left, right in edges.values())
    return {
        block: edges[block] if len(column) > _FEW else (edges[block][0], edges[block][0] + widest)
        for block, column in own.items()
    }


def _had_room(before: Line, line: Line, edges: tuple[float, float]) -> bool:
    """Whether the first word of a line would have fitted behind the line before."""
    text = line.text
    end = text.find(" ")
    if text[:1] > _UNSPACED:
        end = _TOGETHER  # any characters may end a line, but for a sign and the one before it
    left, _, right, _ = line.box_of(0, end if 0 < end < len(text) else len(text))
    room = before.left - edges[0] if _runs_leftwards(line) else edges[1] - before.right
    return room > right - left + _SPACE * line.size


def _runs_leftwards(line: Line) -> bool:
    return _LEFTWARDS[0] <= line.text[:1] <= _LEFTWARDS[1]


def _begins(before: Line, line: Line) -> bool:
    start = _START.match(line.text) or (before.text.endswith(".") and _NAMES.match(line.text))
    return bool(start and _ENDED.search(before.text))
