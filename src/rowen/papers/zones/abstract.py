"""The lines of the abstract.

Where a line begins with `Abstract` or `Summary`, the abstract starts there and goes on while lines
are labelled `abstract` or follow closely in the same type. Without such a word, the longest run of
lines labelled `abstract` is extended in the same way; without such labels, a paragraph between the
authors and the first heading is the abstract. Of abstracts in two languages the one in the language
of the body is taken.

    Abstract                            the opening word: the abstract starts below it
    We study wrappers for pages that    abstract
    change every day.                   body, but close below in the same type: abstract
    1 Introduction                      an opening word of another part: the end
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from rowen.papers.zones.features import body_size
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

_PAGES = 2  # pages that are searched: an abstract may go on on the second page
_LONGEST_HEADING, _LONGEST_SUBHEADING = 16, 40
_ENDS = frozenset({"keywords", "introduction", "history", "contact", "licence", "citation", "doi"})
_CLOSES = _ENDS | {"end"}
_LEAST = 100  # letters of an abstract
_LEAST_UNHEADED = 300  # the same, where no word opens it
_LINES = 4  # of an abstract that no word opens, at least
_COMMON = 60  # of the short words of the body: those that its language has most often
_SAMPLE = 400  # lines of the body that show its language
_SHORT_WORD = 4  # letters: articles, prepositions and the like have no more
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = 12  # lines of footnotes and the like, where an abstract goes on behind them
_LEADING = 1.8  # of the size: lines further apart are not of one paragraph

Labelled = Sequence[tuple[Line, str]]


def abstract_lines(labelled: Labelled) -> list[Line]:
    """The abstract's lines; the opening word is included where text follows it on its line."""
    front = [
        (line, label) for line, label in labelled if line.page < _PAGES and label != "furniture"
    ]
    body = body_size([line for line, _ in labelled])
    named = [_onward(front, _start(front, i), body) for i in _named(front)]
    named += [
        more for lines in named if lines and (more := _after_other_script(front, lines, body))
    ]
    # Less text is no abstract, whatever its first word says: then the labels decide.
    named = [lines for lines in named if _letters(lines) > _LEAST]
    if named:
        return _in_language(named, [line for line, label in labelled if label == "body"])
    # What stands right below the heading of the introduction is no abstract, whatever its label.
    runs = [run for run in _runs(front) if not _opens_introduction(front, run[0] - 1)]
    opened = next((i for i in range(len(front)) if _opens_introduction(front, i)), len(front))
    early = [run for run in runs if run[0] < opened]
    # Labels behind the heading of the introduction are wrong where a paragraph is before it.
    if not early and (paragraph := _unheaded(front)):
        return paragraph
    if not runs:
        return []
    runs = early or runs
    first, end = max(runs, key=lambda run: sum(len(front[i][0].text) for i in range(*run)))
    leading = _leading([front[i][0] for i in range(first, end)])
    while first > 0 and _follows(front[first - 1], front[first], leading):
        first -= 1
    return _onward(front, first, body)


def _opens_introduction(front: Labelled, index: int) -> bool:
    return index >= 0 and beginning_of(front[index][0].text) == "introduction"


def _letters(lines: Sequence[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _named(front: Labelled) -> list[int]:
    """The indexes of lines that open an abstract by their first words; labelled ones, if any."""
    openings = [
        i for i, (line, _) in enumerate(front)
        if beginning_of(line.text) == "abstract"
        # A line of a sentence may begin with the word: `abstract is typeset in bold type`.
        and (not line.text[:1].islower() or len(line.text) <= _LONGEST_HEADING)
    ]  # fmt: skip
    labelled_so = [i for i in openings if front[i][1] in {"abstract", "abstract heading"}]
    return labelled_so or openings[:1]


def _in_language(abstracts: Sequence[list[Line]], body: Sequence[Line]) -> list[Line]:
    """The abstract whose short words are most often those of the body; the first of equal ones."""
    if len(abstracts) == 1:
        return abstracts[0]
    common = {word for word, _ in _short_words(body).most_common(_COMMON)}
    shares = []
    for lines in abstracts:
        words = _short_words(lines)
        known = sum(count for word, count in words.items() if word in common)
        shares.append(known / max(words.total(), 1))
    # The first abstract is the usual choice; another must be clearly nearer to the body.
    best = max(range(len(abstracts)), key=shares.__getitem__)
    return abstracts[best if shares[best] > 2 * shares[0] else 0]


def _after_other_script(front: Labelled, abstract: Sequence[Line], body: float) -> list[Line]:
    """The lines right after an abstract that are in another script: the same in two languages."""
    end = next(i for i, (line, _) in enumerate(front) if line is abstract[-1]) + 1
    if end == len(front) or front[end][1] not in {"abstract", "body", "header"}:
        return []
    first, before = front[end][0], " ".join(line.text for line in abstract)
    if first.block != abstract[-1].block or _is_latin(first.text) == _is_latin(before):
        return []
    return _onward(front, end, body)


def _is_latin(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(letter < "\u0250" for letter in letters) >= len(letters)


def _short_words(lines: Sequence[Line]) -> Counter[str]:
    return Counter(
        word for line in lines[:_SAMPLE] for word in _WORD.findall(line.text.lower())
        if len(word) <= _SHORT_WORD
    )  # fmt: skip


def _unheaded(front: Labelled) -> list[Line]:
    """The last paragraph between the title and the first heading, if it is long enough."""
    titles = [i for i, (_, label) in enumerate(front) if label in {"title", "author"}]
    headings = [
        i for i, (line, label) in enumerate(front)
        if label == "heading" or beginning_of(line.text) in {"introduction", "keywords"}
    ]  # fmt: skip
    end = next((i for i in headings if titles and i > titles[-1]), 0)
    paragraph: list[Line] = []
    paragraphs: list[list[Line]] = []
    for i in range(titles[-1] + 1 if titles else 0, end):
        line, label = front[i]
        follows = bool(paragraph) and _follows(front[i - 1], front[i], _LEADING * line.size)
        if not follows:
            paragraph = []
            paragraphs.append(paragraph)
        if label in {"body", "header"} and beginning_of(line.text) not in _ENDS:
            paragraph.append(line)
    long = [own for own in paragraphs if len(own) >= _LINES and _letters(own) > _LEAST_UNHEADED]
    return long[-1] if long else []


def _start(front: Labelled, named: int) -> int:
    """The index of the abstract's first line; other boxes may come between it and its heading."""
    if len("".join(front[named][0].text.split())) > _LONGEST_HEADING:
        return named
    heading, after = front[named][0], range(named + 1, min(named + 1 + _BETWEEN, len(front)))
    if after and front[named + 1][0].block == heading.block:
        return named + 1
    return next((i for i in after if front[i][1] == "abstract"), named + 1)


def _onward(front: Labelled, start: int, body: float) -> list[Line]:
    """The lines from `start` to the end of the abstract.

    A line belongs to it if it is labelled `abstract` in the same type, or follows closely.
    """
    abstract: list[Line] = []
    i = start
    while i < len(front):
        line, label = front[i]
        labelled_so = label == "abstract" and _alike(line, abstract)
        if abstract and (_ended(abstract[-1], line) or _set_apart(abstract, line)):
            break
        if not abstract or labelled_so or _follows(front[i - 1], front[i], _leading(abstract)):
            abstract.append(line)
            i += 1
        elif (further := _further(front, i, abstract, body)) is not None:
            abstract.append(front[further][0])
            i = further + 1
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


def _ended(last: Line, line: Line) -> bool:
    """Whether a line opens another part after the end of a sentence, whatever its label is."""
    if not last.text.rstrip().endswith((".", "?", "!", ")")):
        return False
    return beginning_of(line.text) in _CLOSES and not line.text[:1].islower()


def _set_apart(abstract: Sequence[Line], line: Line) -> bool:
    """Whether a line after the end of a sentence is far below and at another edge.

    Labels may go on into an introduction without a heading. Paragraphs of an abstract share an
    edge.
    """
    last = abstract[-1]
    return (
        last.block == line.block
        and last.text.endswith((".", "?", "!"))
        and last.baseline - line.baseline > _leading(abstract)
        and min(member.left for member in abstract) - line.left > line.size
    )


def _further(front: Labelled, start: int, abstract: Sequence[Line], body: float) -> int | None:
    """The index at which an abstract continues in the next column or on the next page, if any."""
    first = abstract[0]
    # A full stop at the end of the last line: the abstract is complete.
    if abstract[-1].text.endswith((".", "?", "!")):
        return None
    for i in range(start, min(start + _BETWEEN, len(front))):
        line, label = front[i]
        if label == "heading" or beginning_of(line.text) in {"keywords", "introduction"}:
            break
        alike = line.font == first.font and abs(line.size - first.size) < 0.3
        # In a type that is not the body's, it is the abstract whatever the label.
        if alike and (
            label == "abstract" or (label in {"body", "header"} and abs(line.size - body) > 0.4)
        ):
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
