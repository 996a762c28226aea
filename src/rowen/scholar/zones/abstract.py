"""The lines of the abstract: from its heading on as far as one type goes, or as labels tell."""

from collections.abc import Sequence
from itertools import pairwise

from rowen.scholar.layout import Line
from rowen.scholar.zones.words import beginning_of

_PAGES = 2
_LONGEST_HEADING, _LONGEST_SUBHEADING = 12, 40
_ENDS = frozenset({"keywords", "introduction", "history", "contact", "licence", "citation", "doi"})
_BETWEEN = 12  # lines of footnotes and the like, where an abstract goes on behind them
_LEADING = 1.8  # of the size: lines further apart are not of one paragraph

Labelled = Sequence[tuple[Line, str]]


def abstract_lines(labelled: Labelled) -> list[Line]:
    """The abstract's lines, with the word that opens them if it isn't on a line of its own."""
    front = [
        (line, label) for line, label in labelled if line.page < _PAGES and label != "furniture"
    ]
    named = _named(front)
    if named is not None:
        found = _onward(front, _start(front, named))
        if sum(len(line.text) for line in found) > 100:
            return found
    runs = _runs(front)
    if not runs:
        return []
    first, end = max(runs, key=lambda run: sum(len(front[i][0].text) for i in range(*run)))
    leading = _leading([front[i][0] for i in range(first, end)])
    while first > 0 and _follows(front[first - 1], front[first], leading):
        first -= 1
    return _onward(front, first)


def _named(front: Labelled) -> int | None:
    """Where the word stands that opens an abstract."""
    found = [i for i, (line, _) in enumerate(front) if beginning_of(line.text) == "abstract"]
    told = [i for i in found if front[i][1] in {"abstract", "abstract heading"}]
    return next(iter(told or found), None)


def _start(front: Labelled, named: int) -> int:
    """The first line of an abstract: boxes may stand between it and its heading."""
    if len("".join(front[named][0].text.split())) > _LONGEST_HEADING:
        return named
    heading, after = front[named][0], range(named + 1, min(named + 1 + _BETWEEN, len(front)))
    if after and front[named + 1][0].block == heading.block:
        return named + 1
    return next((i for i in after if front[i][1] == "abstract"), named + 1)


def _onward(front: Labelled, start: int) -> list[Line]:
    """Lines from one on: those labelled so and set alike, and what follows them closely."""
    found: list[Line] = []
    i = start
    while i < len(front):
        line, label = front[i]
        told = label == "abstract" and _alike(line, found)
        if not found or told or _follows(front[i - 1], front[i], _leading(found)):
            found.append(line)
            i += 1
        elif (further := _further(front, i, found)) is not None:
            i = further
        else:
            break
    return found


def _alike(line: Line, found: Sequence[Line]) -> bool:
    """Whether a line is set as the abstract so far; a heading in it may be set in another face."""
    faces = {one.font for one in found}
    short = len(line.text) < _LONGEST_SUBHEADING
    return not found or (abs(line.size - found[0].size) < 0.6 and (short or line.font in faces))


def _leading(found: Sequence[Line]) -> float:
    """How far apart lines may be, by those found: some abstracts are set with double spacing."""
    steps = [
        one.baseline - other.baseline for one, other in pairwise(found) if one.block == other.block
    ]
    return max(_LEADING * found[0].size, 1.4 * min(steps, default=0.0)) if found else 0.0


def _further(front: Labelled, start: int, found: Sequence[Line]) -> int | None:
    """Where an abstract that is not at its end goes on, in another column or on the next page."""
    first = found[0]
    if found[-1].text.endswith((".", "?", "!")):
        return None
    for i in range(start, min(start + _BETWEEN, len(front))):
        line, label = front[i]
        if label == "heading" or beginning_of(line.text) in {"keywords", "introduction"}:
            break
        if label == "abstract" and line.font == first.font and abs(line.size - first.size) < 0.3:
            return i
    return None


def _follows(before: tuple[Line, str], after: tuple[Line, str], leading: float) -> bool:
    """Whether a line goes on with the paragraph of the one above it."""
    one, other = before[0], after[0]
    return (
        one.block == other.block
        and abs(one.size - other.size) < 0.6
        and one.bold == other.bold
        and 0 <= one.baseline - other.baseline < leading
        and (after[1] == "abstract" or beginning_of(other.text) not in _ENDS)
        and after[1] not in {"keywords", "title", "author", "affiliation", "heading"}
    )


def _runs(front: Labelled) -> list[tuple[int, int]]:
    """Stretches of lines labelled as the abstract's; a few others may stand between."""
    runs: list[tuple[int, int]] = []
    for i, (_, label) in enumerate(front):
        if label == "abstract":
            if runs and i - runs[-1][1] <= 4:
                runs[-1] = (runs[-1][0], i + 1)
            else:
                runs.append((i, i + 1))
    return runs
