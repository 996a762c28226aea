"""The lines of the abstract.

Where a line begins with `Abstract` or `Summary`, the abstract starts there and goes on while lines
are labelled `abstract` or follow closely in the same type. Without such a word, the longest run of
lines labelled `abstract` is extended in the same way.

    Abstract                            the opening word: the abstract starts below it
    We study wrappers for pages that    abstract
    change every day.                   body, but close below in the same type: abstract
    1 Introduction                      an opening word of another part: the end
"""

from collections.abc import Sequence
from itertools import pairwise

from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

_PAGES = 2  # pages that are searched: an abstract may go on on the second page
_LONGEST_HEADING, _LONGEST_SUBHEADING = 12, 40
_ENDS = frozenset({"keywords", "introduction", "history", "contact", "licence", "citation", "doi"})
_BETWEEN = 12  # lines of footnotes and the like, where an abstract goes on behind them
_LEADING = 1.8  # of the size: lines further apart are not of one paragraph

Labelled = Sequence[tuple[Line, str]]


def abstract_lines(labelled: Labelled) -> list[Line]:
    """The abstract's lines; the opening word is included where text follows it on its line."""
    front = [
        (line, label) for line, label in labelled if line.page < _PAGES and label != "furniture"
    ]
    named = _named(front)
    if named is not None:
        lines = _onward(front, _start(front, named))
        # Less text is no abstract, whatever its first word says: then the labels decide.
        if sum(len(line.text) for line in lines) > 100:
            return lines
    runs = _runs(front)
    if not runs:
        return []
    first, end = max(runs, key=lambda run: sum(len(front[i][0].text) for i in range(*run)))
    leading = _leading([front[i][0] for i in range(first, end)])
    while first > 0 and _follows(front[first - 1], front[first], leading):
        first -= 1
    return _onward(front, first)


def _named(front: Labelled) -> int | None:
    """The index of the line that opens an abstract by its first word."""
    openings = [i for i, (line, _) in enumerate(front) if beginning_of(line.text) == "abstract"]
    labelled_so = [i for i in openings if front[i][1] in {"abstract", "abstract heading"}]
    return next(iter(labelled_so or openings), None)


def _start(front: Labelled, named: int) -> int:
    """The index of the abstract's first line; other boxes may come between it and its heading."""
    if len("".join(front[named][0].text.split())) > _LONGEST_HEADING:
        return named
    heading, after = front[named][0], range(named + 1, min(named + 1 + _BETWEEN, len(front)))
    if after and front[named + 1][0].block == heading.block:
        return named + 1
    return next((i for i in after if front[i][1] == "abstract"), named + 1)


def _onward(front: Labelled, start: int) -> list[Line]:
    """The lines from `start` to the end of the abstract.

    A line belongs to it if it is labelled `abstract` in the same type, or follows closely.
    """
    abstract: list[Line] = []
    i = start
    while i < len(front):
        line, label = front[i]
        labelled_so = label == "abstract" and _alike(line, abstract)
        if not abstract or labelled_so or _follows(front[i - 1], front[i], _leading(abstract)):
            abstract.append(line)
            i += 1
        elif (further := _further(front, i, abstract)) is not None:
            i = further
        else:
            break
    return abstract


def _alike(line: Line, abstract: Sequence[Line]) -> bool:
    """Whether a line has the type of the abstract so far.

    Short lines may have another font: structured abstracts have headings such as `Methods`.
    """
    faces = {member.font for member in abstract}
    short = len(line.text) < _LONGEST_SUBHEADING
    return not abstract or (
        abs(line.size - abstract[0].size) < 0.6 and (short or line.font in faces)
    )


def _leading(abstract: Sequence[Line]) -> float:
    """The largest distance between two lines of the abstract; some have double line spacing."""
    steps = [
        above.baseline - below.baseline
        for above, below in pairwise(abstract)
        if above.block == below.block
    ]
    return max(_LEADING * abstract[0].size, 1.4 * min(steps, default=0.0)) if abstract else 0.0


def _further(front: Labelled, start: int, abstract: Sequence[Line]) -> int | None:
    """The index at which an abstract continues in the next column or on the next page, if any."""
    first = abstract[0]
    # A full stop at the end of the last line: the abstract is complete.
    if abstract[-1].text.endswith((".", "?", "!")):
        return None
    for i in range(start, min(start + _BETWEEN, len(front))):
        line, label = front[i]
        if label == "heading" or beginning_of(line.text) in {"keywords", "introduction"}:
            break
        if label == "abstract" and line.font == first.font and abs(line.size - first.size) < 0.3:
            return i
    return None


def _follows(before: tuple[Line, str], after: tuple[Line, str], leading: float) -> bool:
    """Whether a line continues the paragraph of the line above it."""
    above, below = before[0], after[0]
    return (
        above.block == below.block
        and abs(above.size - below.size) < 0.6
        and above.bold == below.bold
        and 0 <= above.baseline - below.baseline < leading
        and (after[1] == "abstract" or beginning_of(below.text) not in _ENDS)
        and after[1] not in {"keywords", "title", "author", "affiliation", "heading"}
    )


def _runs(front: Labelled) -> list[tuple[int, int]]:
    """Runs of lines labelled `abstract`, as (first, end); up to four other lines may interrupt."""
    runs: list[tuple[int, int]] = []
    for i, (_, label) in enumerate(front):
        if label == "abstract":
            if runs and i - runs[-1][1] <= 4:
                runs[-1] = (runs[-1][0], i + 1)
            else:
                runs.append((i, i + 1))
    return runs
