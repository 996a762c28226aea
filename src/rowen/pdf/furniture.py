"""Page furniture: running heads and feet, page numbers, line numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from rowen.pdf.lines import Line

_EDGE = 0.12  # of the page's height at its top and bottom: heads and feet are there
_NUMBER_EDGE = 0.2  # the same for numbers of pages that count up
_LONE_EDGE = 0.08  # the same for lines that are there on one page only
_LONE = 3.0  # of the size: how far such a line is from all others
_LONE_OTHER = 2.0  # the same for a line of another face than these
_LONE_ROWS = 3  # rows of a head
_SENTENCE = re.compile(r"[.!?:;]\W*$")
_RULE = re.compile(r"\s*([_=*.\u00b7\u2013\u2014\u2015\u2212-])(?:\s*\1){7,}\s*")
_END_NUMBERS = re.compile(r"(?:(\d{1,4})\s)?.*?(?:\s(\d{1,4}))?$")
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(
    r"[^\w(]*(?:page|p\.?|s\.?)?\s*(?:\d{1,5}|[ivxlc]{1,6})(?:\s*(?:of|/|von)\s*\d{1,5})?\W*$",
    re.IGNORECASE,
)


def furniture_of(lines: Sequence[Line], pages: Sequence[tuple[float, float]]) -> set[int]:
    """The indexes of the lines that are furniture.

    Running heads are at the edges of several pages, with the same words except numbers, or with the
    same height and size as such lines of other pages.
    """
    furniture = _line_numbers(lines)
    edge = [i for i, line in enumerate(lines) if _at_edge(line, pages[line.page][1])]
    seen: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for i in edge:
        seen[_shown(lines[i])].add(lines[i].page)
    for i in edge:
        # In a long paper two pages may share a line by chance.
        times = len(seen[_shown(lines[i])])
        if times >= (2 if len(pages) < 6 else 3) or _NUMBER.match(lines[i].text):
            furniture.add(i)
    furniture |= _page_numbers(lines, pages) | _heads(lines, pages)
    return furniture | _outermost(lines, pages, furniture)


def lone_edges(lines: Sequence[Line], pages: Sequence[tuple[float, float]]) -> set[int]:
    """The indexes of the lines at the very edge of a page that are far from all its other lines.

    A paper of two pages has a running head once, so that nothing repeats. Running text goes on
    close by, unless a figure is below it; then it ends a sentence.
    """
    by_page: defaultdict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(lines):
        by_page[line.page].append(i)
    lone: set[int] = set()
    for page, own in by_page.items():
        for side in (1, -1):
            rows = _rows_from_edge(lines, own, pages[page][1], side)
            if all(not _SENTENCE.search(lines[i].text) for i in rows):
                lone.update(rows)
    return lone


def _rows_from_edge(
    lines: Sequence[Line], own: Sequence[int], height: float, side: int
) -> list[int]:
    """The lines of up to three rows at the top (side 1) or foot (-1) of a page, if a gap follows.

    A smaller gap is enough if the text after it has another face.
    """
    ordered = sorted(own, key=lambda i: -side * lines[i].baseline)
    begun = 0
    for _ in range(_LONE_ROWS):
        line = lines[ordered[begun]]
        edge = height - line.baseline if side > 0 else line.baseline
        end = begun + 1
        while end < len(ordered) and _falls(line, lines[ordered[end]]) < 0.5 * line.size:
            end += 1
        if edge > _LONE_EDGE * height or end == len(ordered):
            return []
        after = lines[ordered[end]]
        alike = after.font == line.font and abs(after.size - line.size) < 0.5
        if _falls(lines[ordered[end - 1]], after) > (_LONE if alike else _LONE_OTHER) * line.size:
            return ordered[:end]
        begun = end
    return []


def _falls(line: Line, other: Line) -> float:
    return abs(line.baseline - other.baseline)


def is_drawn_rule(line: Line) -> bool:
    """Whether a line is a rule that is made of letters: nothing but underscores, dashes or dots."""
    return _RULE.fullmatch(line.text) is not None


def _page_numbers(lines: Sequence[Line], pages: Sequence[tuple[float, float]]) -> set[int]:
    """Numbers alone above or below all text that count up with the pages, also far from the edge.

    Pages with wide margins have theirs where others have text.
    """
    tops: dict[int, int] = {}
    feet: dict[int, int] = {}
    for i, line in enumerate(lines):
        if line.baseline > lines[tops.setdefault(line.page, i)].baseline:
            tops[line.page] = i
        if line.baseline < lines[feet.setdefault(line.page, i)].baseline:
            feet[line.page] = i
    numbered: defaultdict[tuple[bool, int], set[int]] = defaultdict(set)
    for top, ends in ((True, tops), (False, feet)):
        for page, i in ends.items():
            line, edge = lines[i], _NUMBER_EDGE * pages[page][1]
            far = pages[page][1] - line.baseline < edge if top else line.baseline < edge
            if far and line.text.isdecimal() and len(line.text) < 5:
                numbered[top, int(line.text) - page].add(i)
    return set().union(*(own for own in numbered.values() if len(own) > 2))


def _heads(lines: Sequence[Line], pages: Sequence[tuple[float, float]]) -> set[int]:
    """Running heads below wide margins: the topmost lines of pages, on the same height.

    They repeat, or have a number at one end that counts up with the pages:

        44   A. D. Brucker          A Simple Example   45
    """
    tops: dict[int, int] = {}
    for i, line in enumerate(lines):
        if line.baseline > lines[tops.setdefault(line.page, i)].baseline:
            tops[line.page] = i
    heights: defaultdict[int, list[int]] = defaultdict(list)
    for page, i in tops.items():
        if pages[page][1] - lines[i].baseline < _NUMBER_EDGE * pages[page][1]:
            heights[round(lines[i].baseline / 3)].append(i)
    heads: set[int] = set()
    for own in heights.values():
        alike = Counter(_shown(lines[i]) for i in own)
        offsets = Counter(offset for i in own for offset in _offsets(lines[i]))
        heads.update(
            i for i in own
            if alike[_shown(lines[i])] >= (2 if len(pages) < 6 else 3)
            or any(offsets[offset] > 2 for offset in _offsets(lines[i]))
        )  # fmt: skip
    return heads


def _offsets(line: Line) -> set[int]:
    """What the numbers at the ends of a line are beyond the number of its page."""
    ends = _END_NUMBERS.match(line.text)
    numbers = [number for number in (ends.groups() if ends else ()) if number]
    return {int(number) - line.page for number in numbers}


def _shown(line: Line) -> tuple[str, int]:
    """What a running head has in common on all pages, but not with the title that it repeats."""
    words = _DIGITS.sub("0", "".join(line.text.lower().split()))
    # The number of the page is now before the head, and now after it.
    return words.strip("0") or words, round(line.size / 4)


def _at_edge(line: Line, height: float) -> bool:
    return line.baseline > (1 - _EDGE) * height or line.baseline < _EDGE * height


def _outermost(
    lines: Sequence[Line], pages: Sequence[tuple[float, float]], furniture: set[int]
) -> set[int]:
    """Lines at the edge with the same height and size as furniture of three or more pages."""
    places: Counter[tuple[int, int]] = Counter()
    for i in furniture:
        places[round(lines[i].baseline), round(2 * lines[i].size)] += 1
    return {
        i
        for i, line in enumerate(lines)
        if _at_edge(line, pages[line.page][1])
        and places[round(line.baseline), round(2 * line.size)] >= 3
    }


def _line_numbers(lines: Sequence[Line]) -> set[int]:
    """Numbers that count up along a margin, as in manuscripts."""
    margins: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for i, line in enumerate(lines):
        if line.text.isdecimal() and len(line.text) <= 4:
            margins[line.page, round(line.right / 4)].append(i)
    numbered: set[int] = set()
    for indexes in margins.values():
        ordered = sorted(indexes, key=lambda i: -lines[i].baseline)
        numbers = [int(lines[i].text) for i in ordered]
        if len(numbers) >= 8 and all(0 < b - a <= 5 for a, b in pairwise(numbers)):
            numbered.update(indexes)
    return numbered
