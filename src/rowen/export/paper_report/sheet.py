"""One page of a PDF as an SVG drawing: its lines of text in place, coloured by kind."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import isfinite

from rowen.export.paper_report.places import Mark, Places
from rowen.pdf import Line

_LARGEST = 15_000.0  # points: no page is larger
_LETTER = 0.5  # of the size: how wide letters are
_UNSAFE = {0: "\u2400", 13: "&#13;"}
_PLAIN = ("arial", "helv", "sans", "calibri", "frutiger", "myriad", "univers", "gill", "lato")
_MONO = ("cour", "mono", "cmtt", "consol", "typewriter")


def shown(text: str) -> str:
    """Text as HTML."""
    return escape(text).translate(_UNSAFE)


def drawn(
    lines: Sequence[Line], size: tuple[float, float], places: Places, *, name: str
) -> Iterator[str]:
    """The drawing of a page."""
    width, height = _fitting(lines, size)
    yield (
        f'<svg class="sheet" viewBox="0 0 {_n(width)} {_n(height)}" role="img" '
        f'aria-label="{shown(name)}">\n'
    )
    for line in lines:
        yield _box(line, height, places)
    for line in lines:
        yield _text(line, height, places)
    yield "</svg>\n"


def _fitting(lines: Sequence[Line], size: tuple[float, float]) -> tuple[float, float]:
    """The page's size, or that of its lines if the PDF declares an impossible one."""
    if all(isfinite(edge) and 1 < edge < _LARGEST for edge in size):
        return size
    right = max((line.right for line in lines), default=1.0) + 20
    top = max((line.top for line in lines), default=1.0) + 20
    return min(max(right, 100.0), _LARGEST), min(max(top, 100.0), _LARGEST)


def _box(line: Line, height: float, places: Places) -> str:
    """The coloured background of a line that is part of something."""
    kind, anchor = places.kind(line), places.anchor(line)
    if not kind and not anchor:
        return ""
    named = f' id="{anchor}"' if anchor else ""
    top = height - line.baseline - 0.78 * line.size
    width = max(line.right - line.left, 0) + 3
    return (
        f'<rect{named} class="ground {kind}" x="{_n(line.left - 1.5)}" y="{_n(top)}" '
        f'width="{_n(width)}" height="{_n(1.04 * line.size)}" rx="1.5"/>\n'
    )


def _text(line: Line, height: float, places: Places) -> str:
    """A line; parts between wide gaps are separate texts, so that they keep their places."""
    classes = [places.kind(line) or "text", _face(line.font)]
    classes += ["bold"] * line.bold + ["italic"] * line.italic
    marks = places.marks(line)
    leftwards = any("\u0590" <= letter < "\u0900" for letter in line.text)
    texts = []
    for first, last, left, right in _parts(line):
        x = f'{_n(right)}" direction="rtl' if leftwards else _n(left)
        texts.append(
            f'<text class="{" ".join(classes)}" x="{x}" y="{_n(height - line.baseline)}" '
            f'font-size="{_n(line.size)}" textLength="{_n(max(right - left, 0.1))}" '
            f'lengthAdjust="spacingAndGlyphs">{_marked(line, marks, first, last)}</text>\n'
        )
    return "".join(texts)


def _parts(line: Line) -> Iterator[tuple[int, int, float, float]]:
    """The parts between a line's gaps: start, end, and their approximate left and right edges.

    Their widths are not known: letters are assumed to have the usual width, and gaps the remainder.
    """
    bounds = [-1, *line.gaps, len(line.text)]
    gaps = len(line.gaps)
    letters = len(line.text) - gaps
    width = max(line.right - line.left, 0.1)
    usual = min(_LETTER * line.size, width / (letters + gaps))
    gap = (width - letters * usual) / max(gaps, 1)
    left = line.left
    for before, end in pairwise(bounds):
        right = left + usual * (end - before - 1) if gaps else line.right
        yield before + 1, end, left, right
        left = right + gap


def _marked(line: Line, marks: Sequence[Mark], first: int, last: int) -> str:
    """A part of a line with its marks."""
    pieces: list[str] = []
    at = first
    for mark in marks:
        start, end = max(mark.start, first), min(mark.end, last)
        if start >= end:
            continue
        pieces.append(_raised(line, at, start))
        at = end
        named = f' id="{mark.anchor}"' if mark.anchor and start == mark.start else ""
        tooltip = f"<title>{shown(mark.tooltip)}</title>" if mark.tooltip else ""
        inside = f'<tspan{named} class="mark {mark.kind}">{_raised(line, start, end)}</tspan>'
        pieces.append(f'<a href="#{mark.goal}">{tooltip}{inside}</a>' if mark.goal else inside)
    pieces.append(_raised(line, at, last))
    return "".join(pieces)


def _raised(line: Line, first: int, last: int) -> str:
    """A part of a line, with superscripts raised."""
    pieces: list[str] = []
    at = first
    for start, end in line.raised:
        if max(start, first) < min(end, last):
            pieces.append(shown(line.text[at : max(start, first)]))
            at = min(end, last)
            pieces.append(
                f'<tspan class="raised">{shown(line.text[max(start, first) : at])}</tspan>'
            )
    return "".join([*pieces, shown(line.text[at:last])])


def _face(font: str) -> str:
    name = font.lower()
    if any(part in name for part in _MONO):
        return "mono"
    return "sans" if any(part in name for part in _PLAIN) else "serif"


def _n(number: float) -> str:
    """A coordinate; 0 for infinite ones and NaN, which a hostile PDF may have."""
    return f"{number:.1f}".removesuffix(".0") if isfinite(number) else "0"
