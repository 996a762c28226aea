"""Headings: the labels of lines that look like headings, settled over the whole paper.

The CRF sees a line and its neighbours. A paper sets all headings of a level in one type: so a type
that headings have makes all short lines set in it headings, and lines in the type of the body lose
the label.

    line                    type            CRF        settled
    Animal preparation      Times-Italic    heading    heading
    We kept ten animals     Times           body       body
    Biochemical assay       Times-Italic    body       heading      the type of other headings
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby

from rowen.papers.zones.features import body_size, usual_face
from rowen.papers.zones.outline import one_heading
from rowen.papers.zones.typography import Type, type_of
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5})[.)]?\s+\W*[A-Z]")
_PLAIN = 45  # letters: a longer line in the type of the body belongs to the body
_LINES = 4  # of a heading, at most
_SURE = 0.3  # of the runs of a type: with so many headings among them, the others are headings
_FEW = 3  # runs of a type that may be of headings without any label
_MOST = 0.75  # of them are above paragraphs
_NEAR = 3.5  # of the size: a paragraph further below belongs to something else
_APART = 1.5  # of the size: a line further below the one before begins a paragraph
_LONGEST = 160  # letters of a heading
_BEGINS = re.compile(r"[^\w(]{0,2}(?:\d|[^\W\d_a-zß-öø-ÿ])")
_WORDED = re.compile(r"[^\W\d_]{2}|[\u2e80-\uffff]")
_NAMED = re.compile(
    r"[^\W\d_]{3}|[\u2e80-\uffff]|^\W*(?:\d[\d.]*\W+)?(?:[A-Z]{2}|[A-Z]\w{2}|[IVX]+\b)"
)
_STATEMENT = re.compile(
    r"(?i:theorem|lemma|corollary|proposition|definition|remark|conjecture|example)"
    r"\s\d+(?:\.\d+)*\.?\s*(?:\([^()]{1,60}\)\.?)?\s*[A-Z]\w*(?:\s\S+){3}"
)
_CODE = re.compile(r"\s*(?:\d+\W?\s+)?(?:[\\•●▪→$]|https?://|www\.)|.*=")
_TYPEWRITER = re.compile(r"mono|typewriter|courier|consol|cmtt|ectt|sftt|menlo", re.IGNORECASE)
_OPENING = re.compile(r"\W*(?:\d{1,2}\.?|[IVX]{1,4}\.?)?\W*[^\W\d_]+(?: [^\W\d_]+){0,3}\W*$")
_OPEN = frozenset({"body", "heading"})
_SMALL_CAPITALS = 2.5  # points by which headings in small capitals are smaller than the body
_SECTIONS = frozenset({"introduction", "section"})
_FRONT = frozenset({"body", "header", "author", "affiliation", "keywords"})
_OTHER = frozenset({"caption", "label", "contact", "affiliation", "theorem"})


def with_settled_headings(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which types that headings have are headings, and plain lines are not."""
    opened = _with_openings(lines, labels)
    typed = _with_typed_headings(lines, opened)
    return without_plain_headings(lines, _without_sentences(lines, _without_code(lines, typed)))


def _without_sentences(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which a line whose sentence goes on in the body right below it is no heading.

    Bold words at the beginning of a paragraph may fill most of its first line.
    """
    settled = list(labels)
    for i in range(len(lines) - 1):
        if labels[i] != "heading":
            continue
        over = labels[i + 1] == "body" and _runs_over(lines[i], lines[i + 1])
        inside = i > 0 and settled[i - 1] == "body" and _inside(lines[i - 1], lines[i])
        if over or inside or _STATEMENT.match(lines[i].text):
            settled[i] = "body"
    return settled


def _inside(above: Line, line: Line) -> bool:
    """Whether a line goes on with the sentence of the body right above it."""
    near = line.block == above.block and 0 < above.baseline - line.baseline < _APART * line.size
    ended = above.text.rstrip().endswith((".", "?", "!", ":", ")", "]"))
    return near and not ended and line.text[:1].islower()


def _runs_over(line: Line, below: Line) -> bool:
    near = line.block == below.block and 0 < line.baseline - below.baseline < _APART * line.size
    full = line.right > below.right - line.size and not line.text.endswith((".", ":", "?", "!"))
    return near and full and below.text[:1].islower() and line.lead is not None


def _without_code(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which formulas, lists and lines of programs are no headings."""
    typed = _TYPEWRITER.search(usual_face(lines)) is not None
    return [
        "body" if label == "heading" and _is_code(line, typed=typed) else label
        for line, label in zip(lines, labels, strict=True)
    ]


def _is_code(line: Line, *, typed: bool) -> bool:
    """Whether a line is no heading by its words; `typed`: the whole paper is in typewriter type."""
    written = _NAMED.search(line.text) is not None and _CODE.match(line.text) is None
    # The name of a program may be a heading in its type, if it has a number: `3.1 TrackedFloats`.
    named = typed or _NUMBERED.match(line.text) is not None
    return not written or (not named and _TYPEWRITER.search(line.font) is not None)


def _with_openings(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which a line such as `1 Introduction`, in a type of its own, is a heading.

    The line below a caption's number is no heading: it is the title of the figure.
    """
    face, size = usual_face(lines), body_size(lines)
    settled = list(labels)
    for i, (line, label) in enumerate(zip(lines, labels, strict=True)):
        own_type = line.font != face or line.size > size + 0.6 or line.text.isupper()
        if own_type and _may_open(line, labels, i) and line.size > size - _SMALL_CAPITALS:
            if beginning_of(line.text) in _SECTIONS and _OPENING.match(line.text):
                settled[i] = "heading"
        elif label == "heading" and i and _below_caption(lines[i - 1], line):
            settled[i] = "caption"
    return settled


def _may_open(line: Line, labels: Sequence[str], i: int) -> bool:
    """Whether a line may be a heading by its label; those inside an abstract are part of it."""
    # Where the CRF takes the introduction for the abstract, too, a number shows its heading.
    ends = labels[i] == "abstract" and (
        i + 1 == len(labels) or labels[i + 1] != "abstract" or bool(_NUMBERED.match(line.text))
    )
    return labels[i] in _FRONT or ends


def _below_caption(above: Line, line: Line) -> bool:
    near = above.block == line.block and 0 < above.baseline - line.baseline < 1.6 * line.size
    return near and line.size < above.size + 0.6 and beginning_of(above.text) == "caption"


def without_plain_headings(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which a heading has another type than the body, is in capitals, or is short."""
    face, size = usual_face(lines), body_size(lines)
    return [
        "body" if label == "heading" and _plain(line, face, size) else label
        for line, label in zip(lines, labels, strict=True)
    ]


def _plain(line: Line, face: str, size: float) -> bool:
    """Whether a line looks like the body: its font and size, not all capitals, and not short."""
    alike = line.font == face and not line.bold and line.size < size + 0.6
    short = len(line.text) <= _PLAIN and (
        bool(_NUMBERED.match(line.text)) or not line.text.endswith((".", ",", ";"))
    )
    return alike and not line.text.isupper() and not short


def _with_typed_headings(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Labels in which all runs of a type are headings if enough of them are."""
    types = [type_of(line) for line in lines]
    letters: Counter[Type] = Counter()
    for line, type_, label in zip(lines, types, labels, strict=True):
        if label == "body":
            letters[type_] += len(line.text)
    usual = letters.most_common(1)[0][0] if letters else None
    runs = _runs(lines, types, labels)
    settled = list(labels)
    for type_, own in runs.items():
        if type_ == usual:
            continue
        headings = [run for run in own if any(labels[i] == "heading" for i in run)]
        likely = [
            run for run in own
            if run not in headings and _likely(lines, run) and _begins(lines, labels, run[0])
        ]  # fmt: skip
        others = len(own) - len(headings) - len(likely)
        above = [run for run in likely if _above_text(lines, types, run, usual)]
        alike = len(headings) >= _SURE * len(own) and others <= len(headings)
        # Without any label: lines that stand above paragraphs, and hardly anywhere else.
        alone = len(own) >= _FEW and len(headings) + len(above) >= _MOST * len(own)
        if alike or alone:
            for run in (*headings, *likely):
                for i in run:
                    settled[i] = "heading"
    return settled


def _above_text(
    lines: Sequence[Line], types: Sequence[Type], run: Sequence[int], usual: Type | None
) -> bool:
    """Whether a paragraph in the usual type is close below, in the same column."""
    after = run[-1] + 1
    if after + 1 >= len(lines) or types[after] != usual or types[after + 1] != usual:
        return False
    last, below = lines[run[-1]], lines[after]
    return last.block == below.block and 0 < last.baseline - below.baseline < _NEAR * below.size


def _runs(
    lines: Sequence[Line], types: Sequence[Type], labels: Sequence[str]
) -> dict[Type, list[list[int]]]:
    """The runs of lines of each type that may be headings, by their indexes."""
    runs: defaultdict[Type, list[list[int]]] = defaultdict(list)
    open_ = [i for i, label in enumerate(labels) if label in _OPEN]
    for (type_, _), group in groupby(open_, lambda i: (types[i], lines[i].block)):
        for i in group:
            own = runs[type_]
            if own and own[-1][-1] == i - 1 and one_heading(lines[i - 1], lines[i]):
                own[-1].append(i)
            else:
                own.append([i])
    return runs


def _begins(lines: Sequence[Line], labels: Sequence[str], i: int) -> bool:
    """Whether a line begins a paragraph: the one before it ended, or is not near."""
    if i == 0 or labels[i - 1] != "body" or lines[i - 1].block != lines[i].block:
        return True
    above = lines[i - 1]
    far = above.baseline - lines[i].baseline > _APART * lines[i].size
    return far or above.text.rstrip().endswith((".", "?", "!", ":", ")", "]", "”"))


def _likely(lines: Sequence[Line], run: Sequence[int]) -> bool:
    """Whether lines have the shape of a heading."""
    text = " ".join(lines[i].text for i in run)
    return (
        len(run) <= _LINES
        and len(text) <= _LONGEST
        and bool(_WORDED.search(text))
        and bool(_BEGINS.match(text))
        and not text.rstrip().endswith((",", ";", "-"))
        and beginning_of(text) not in _OTHER
    )
