"""Run-in headings: a paragraph's first words in bold or italic type, which stand for a heading.

    Rinsing the plates. We rinsed all plates      one line of the page, cut into two lines:
    twice.                                        `Rinsing the plates.` (heading), `We ...`

A paper that has such headings has several of the same face; a single one may be only emphasis.
"""

import re
from collections import Counter
from dataclasses import replace

from rowen.papers.zones.features import body_size
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line

_LEAST = 2  # run-in headings of one face in a paper
_LETTERS = range(4, 120)
_ENDED = re.compile(r"[.:?!—–]\s*$")
_WORDED = re.compile(r"(?:[\dIVX]{1,4}(?:\.\d{1,2}){0,3}[.)]?\s+)?[^\W\d_a-zß-öø-ÿ][^\W\d_]+")
_DEEP = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+\w")  # `4.1 Figures` needs no sign at its end
_SENTENCE = 4  # words behind it at least; fewer may be the end of the heading in another type
_OPEN = frozenset({"body", "heading"})
_OTHER = frozenset({"caption", "abstract", "keywords", "theorem", "label"})

Labelled = list[tuple[Line, str]]


def with_run_in_headings(labelled: Labelled) -> Labelled:
    """Labelled lines in which run-in headings are lines of their own."""
    smallest = body_size([line for line, _ in labelled]) - 1
    chosen = {
        i for i, (line, _) in enumerate(labelled) if line.size > smallest and _opens(labelled, i)
    }
    faces = Counter(_face(labelled[i][0]) for i in chosen)
    parted: Labelled = []
    for i, (line, label) in enumerate(labelled):
        if i in chosen and faces[_face(line)] >= _LEAST:
            heading, text = _cut(line)
            parted += [(heading, "heading"), (text, "body")]
        else:
            parted.append((line, label))
    return parted


def _face(line: Line) -> tuple[str, float]:
    return (line.lead.font if line.lead else line.font), round(2 * line.size) / 2


def _opens(labelled: Labelled, i: int) -> bool:
    """Whether a line begins a paragraph with words that may be a heading."""
    line, label = labelled[i]
    if line.lead is None or label not in _OPEN:
        return False
    text = line.text[: line.lead.end].strip()
    after = line.text[line.lead.end :].strip()
    numbered = _DEEP.match(text) is not None and len(after.split()) >= _SENTENCE
    signed = _ENDED.search(text) or _ENDED.match(after[:1]) or line.lead.end - 1 in line.gaps
    ended = signed or numbered
    if not (ended and len(text) in _LETTERS and _WORDED.match(text) and len(after) > 1):
        return False
    return beginning_of(text) not in _OTHER and _begins(labelled, i)


def _begins(labelled: Labelled, i: int) -> bool:
    """Whether a line is the first of its paragraph."""
    line = labelled[i][0]
    if i == 0 or labelled[i - 1][1] != "body" or labelled[i - 1][0].block != line.block:
        return True
    before = labelled[i - 1][0]
    return before.text.rstrip().endswith((".", "?", "!", ":", ")", "]", "”")) or (
        line.left > before.left + 0.8 * line.size
    )


def _cut(line: Line) -> tuple[Line, Line]:
    """The heading of a line and its other words."""
    lead = line.lead
    assert lead is not None
    end = lead.end
    while end < len(line.text) and line.text[end] in ".:?!—– ":
        end += 1
    words = len(line.text[:end].rstrip())
    begin, _, ended, _ = line.box_of(0, words)
    left = line.box_of(end, len(line.text))[0]
    shift = round(10 * (left - line.left))
    heading = replace(
        line, text=line.text[:words], offsets=line.offsets[:words], left=begin, right=ended,
        font=lead.font, bold=lead.bold, italic=lead.italic, lead=None,
        raised=tuple((a, min(b, words)) for a, b in line.raised if a < words),
        gaps=tuple(gap for gap in line.gaps if gap < words),
    )  # fmt: skip
    text = replace(
        line, text=line.text[end:], left=left, lead=None,
        offsets=tuple(max(offset - shift, 0) for offset in line.offsets[end:]),
        raised=tuple((max(a - end, 0), b - end) for a, b in line.raised if b > end),
        gaps=tuple(gap - end for gap in line.gaps if gap >= end),
    )  # fmt: skip
    return heading, text
