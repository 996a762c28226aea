"""Footnotes: lines at the foot of columns cut at their marks, each tied to its mark in the text.

... as shown before.2 The next     the mark, raised, on the same page
2 On all pages; those without      a footnote begins with its mark
a mark continue it.
"""

import re
from collections.abc import Iterable, Sequence

from rowen.elements.element import Footnote, places_of
from rowen.pdf import Line
from rowen.pdf.passages import Passage, joined

_MARK = re.compile(r"(?P<mark>[*†‡§¶#∗]{1,3}|\(?\d{1,3}\)?)(?:[.)]?\s*)(?=\S)")
_SIGN = re.compile(r"[*†‡§¶#∗]{1,3}|\d{1,3}")


def footnotes_of(lines: Sequence[Line], passages: Sequence[Passage]) -> tuple[Footnote, ...]:
    """The footnotes of a paper; `lines` are those labelled so, `passages` those of its sections."""
    marks = _raised_marks(passages)
    used: set[tuple[int, int]] = set()
    footnotes = []
    for group in _groups(lines):
        text = joined(group)
        mark, start = _mark_of(group[0], text)
        tied = next(
            (
                (section, span)
                for section, span in marks.get((group[0].page, mark or ""), ())
                if (section, span[0]) not in used
            ),
            None,
        )
        section, span = tied if tied is not None else (None, None)
        if tied is not None:
            used.add((tied[0], tied[1][0]))
        own = places_of(group)
        footnotes.append(Footnote(mark, text[start:], section=section, span=span, **own))
    return tuple(footnotes)


def _groups(lines: Iterable[Line]) -> list[list[Line]]:
    """Lines cut into footnotes: one begins with a mark, in another column, or on another page."""
    groups: list[list[Line]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        if last is None or last.page != line.page or last.block != line.block or _is_marked(line):
            groups.append([line])
        else:
            groups[-1].append(line)
    return groups


def _is_marked(line: Line) -> bool:
    raised = bool(line.raised) and line.raised[0][0] == 0
    match = _MARK.match(line.text)
    if match is None:
        return False
    # A number that is not raised begins a footnote only where a letter follows it.
    signed = not match["mark"].strip("()").isdigit()
    return raised or signed or line.text[match.end() : match.end() + 1].isalpha()


def _mark_of(line: Line, text: str) -> tuple[str | None, int]:
    """The mark of a footnote, and where its text begins."""
    if line.raised and line.raised[0][0] == 0:
        end = line.raised[0][1]
        return line.text[:end].strip(" ().,") or None, end + (text[end : end + 1] == " ")
    match = _MARK.match(text)
    if match is None or not _is_marked(line):
        return None, 0
    return match["mark"].strip("()"), match.end()


def _raised_marks(
    passages: Sequence[Passage],
) -> dict[tuple[int, str], list[tuple[int, tuple[int, int]]]]:
    """The raised marks of sections by page and text: the section and the span of each."""
    marks: dict[tuple[int, str], list[tuple[int, tuple[int, int]]]] = {}
    for section, passage in enumerate(passages):
        for start, end in passage.raised():
            for match in _SIGN.finditer(passage.text, start, end):
                for line, _, _ in passage.places(*match.span()):
                    key = (line.page, match.group())
                    marks.setdefault(key, []).append((section, match.span()))
                    break
    return marks
