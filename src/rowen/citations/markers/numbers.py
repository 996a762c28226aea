"""Markers by number: [3, 5-7], (3, 5-7), and raised; and by key: [Knu84]."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rowen.citations.markers.labels import Labels
from rowen.citations.markers.marker import Marker

_DASH = r"\s*[-‐‑‒–—−]\s*"
_SQUARE = re.compile(r"\[([^\[\]]{1,120})\]")
_ROUND = re.compile(rf"\((\d{{1,3}}(?:(?:{_DASH}|\s*[,;]\s*)\d{{1,3}})*)\)")
_BETWEEN = re.compile(rf"{_DASH}$")  # IEEE's [1]-[4]
_ITEM = re.compile(rf"(\d{{1,3}})(?:{_DASH}(\d{{1,3}}))?$")
_KEY = re.compile(r"[^\W\d_][\w+\-]{1,12}\d{2,4}[a-z]?$")
_WITHIN = re.compile(
    r"(?:pp?\.|pages?\b|chap|ch\.|sect?|§|th(?:m|eorem)|lemma|prop|cor|def|fig|eq|app|table|alg)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:eqs?|equations?|eqns?|figs?|figures?|tables?|steps?|cases?|sections?|items?)\.?\s*$",
    re.IGNORECASE,
)
_RAISED = re.compile(rf"\d{{1,3}}(?:(?:{_DASH}|\s*,\s*)\d{{1,3}})*$")
_PARTED = re.compile(r"[\s,‐‑‒–—−-]*")
_POWER = re.compile(
    r"\d$|(?:^|\W)(?:[^\W\d_]$|(?:[kcmµμnd]?m|min|kg|log|sin|cos|tan|exp|chi)\s?$)",
    re.IGNORECASE,
)
_LONGEST = 100
"""Limit: references in a range such as [3-7]; longer ranges are intervals or years."""


def bracketed(text: str, labels: Labels) -> list[Marker]:
    """Numbers or keys in square brackets; [1]-[4] is one marker with all between."""
    markers: list[Marker] = []
    for match in _SQUARE.finditer(text):
        names = _named(match.group(1))
        if not names:
            continue
        linked = tuple(labels[name] for name in names if name in labels)
        if len(linked) < len(names):
            # An interval, or a reference that is not in the list: a link to a part would be wrong.
            linked = ()
        if markers and linked and _BETWEEN.match(text[markers[-1].end : match.start()]):
            ends = (markers[-1].citations, linked)
            if all(len(end) == 1 for end in ends) and 0 < linked[0] - ends[0][0] < _LONGEST:
                whole = tuple(range(ends[0][0], linked[0] + 1))
                markers[-1] = Marker(markers[-1].start, match.end(), whole)
                continue
        if linked or "0" not in names:
            markers.append(Marker(match.start(), match.end(), linked))
    return markers


def rounded(texts: Sequence[str], labels: Labels) -> list[list[Marker]]:
    """Numbers in round brackets, text by text; none where lists of numbers are rare.

    Numbers of equations and steps come one by one, those of citations also in lists.
    """
    markers_by_text = [
        [
            Marker(match.start(), match.end(), linked)
            for match in _ROUND.finditer(text)
            if (linked := _linked(match.group(1), labels))
            and not _NUMBERED.search(text[max(0, match.start() - 12) : match.start()])
        ]
        for text in texts
    ]
    all_markers = [marker for own in markers_by_text for marker in own]
    lists = sum(len(marker.citations) > 1 for marker in all_markers)
    return markers_by_text if 12 * lists >= len(all_markers) else [[] for _ in texts]


def raised(text: str, stretches: Iterable[tuple[int, int]], labels: Labels) -> list[Marker]:
    """Raised numbers that are neither powers nor inside a formula."""
    markers = []
    for start, end in _runs(text, stretches):
        before = text[max(0, start - 8) : start]
        inside = text[end : end + 1].isalnum() or not before or before.isspace()
        if inside or not _RAISED.match(text[start:end]) or _POWER.search(before):
            continue
        if linked := _linked(text[start:end], labels):
            markers.append(Marker(start, end, linked))
    return markers


def _runs(text: str, stretches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Raised stretches, joined where only commas, dashes and spaces are between them."""
    run: tuple[int, int] | None = None
    for start, end in stretches:
        if run and _PARTED.fullmatch(text[run[1] : start]) and text[run[1] - 1] != " ":
            run = (run[0], end)
            continue
        if run:
            yield _bare(text, *run)
        run = (start, end)
    if run:
        yield _bare(text, *run)


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without punctuation at its ends."""
    while start < end and not text[start].isdecimal() and text[start] in " ,[(":
        start += 1
    while end > start and text[end - 1] in " ,.;)]":
        end -= 1
    return start, end


def _linked(numbers: str, labels: Labels) -> tuple[int, ...]:
    """The references of numbers and ranges; none if any of them is missing."""
    names = _named(numbers)
    linked = tuple(labels[name] for name in names if name in labels)
    return linked if len(linked) == len(names) else ()


def _named(text: str) -> Sequence[str]:
    """The numbers and keys of a list, with ranges expanded; none where it is something else."""
    names: dict[str, None] = {}
    for item in re.split(r"[,;]", text):
        word = item.strip()
        if match := _ITEM.match(word):
            first, last = int(match.group(1)), int(match.group(2) or match.group(1))
            if not first <= last < first + _LONGEST:
                return ()
            names.update(dict.fromkeys(map(str, range(first, last + 1))))
        elif _KEY.match(word):
            names[word.casefold()] = None
        elif not names or not _WITHIN.match(word):
            return ()
    return tuple(names)
