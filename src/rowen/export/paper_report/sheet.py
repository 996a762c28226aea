"""One page of a PDF as an SVG drawing: its picture or its text, with what was found over it.

Over the picture of a page its text is invisible, but can be selected and searched for. Where there
is no picture, or where pictures are switched off, the text shows.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from math import isfinite

from rowen.export.paper_report.places import Area, Mark, Places
from rowen.pdf import Line
from rowen.pdf.pictures import Picture

_LARGEST = 15_000.0  # points: no page is larger
_UNSAFE = {0: "\u2400", 13: "&#13;"}
_PLAIN = ("arial", "helv", "sans", "calibri", "frutiger", "myriad", "univers", "gill", "lato")
_MONO = ("cour", "mono", "cmtt", "consol", "typewriter")
_MARGIN = {"paragraph": 1.5, "formula": 1.5, "footnote": 1.5}  # points, around an area


def shown(text: str) -> str:
    """Text as HTML."""
    return escape(text).translate(_UNSAFE)


def drawn(
    lines: Sequence[Line],
    size: tuple[float, float],
    places: Places,
    *,
    name: str,
    areas: Sequence[Area] = (),
    picture: Picture | None = None,
) -> Iterator[str]:
    """The drawing of a page."""
    width, height = _fitting(lines, size)
    yield (
        f'<svg class="sheet" viewBox="0 0 {_n(width)} {_n(height)}" role="img" '
        f'aria-label="{shown(name)}">\n'
    )
    if picture is not None:
        content = b64encode(picture.png()).decode()
        yield (
            f'<image width="{_n(width)}" height="{_n(height)}" preserveAspectRatio="none" '
            f'href="data:image/png;base64,{content}"/>\n'
        )
    for area in areas:
        yield _area(area, height)
    for line in lines:
        yield _box(line, height, places)
    for line in lines:
        yield _text(line, height, places)
    for line in lines:
        yield from _marked(line, height, places.marks(line))
    yield "</svg>\n"


def _fitting(lines: Sequence[Line], size: tuple[float, float]) -> tuple[float, float]:
    """The page's size, or that of its lines if the PDF declares an impossible one."""
    if all(isfinite(edge) and 1 < edge < _LARGEST for edge in size):
        return size
    right = max((line.right for line in lines), default=1.0) + 20
    top = max((line.top for line in lines), default=1.0) + 20
    return min(max(right, 100.0), _LARGEST), min(max(top, 100.0), _LARGEST)


def _area(area: Area, height: float) -> str:
    """The outline of a paragraph, a figure and so on."""
    named = f' id="{area.anchor}"' if area.anchor else ""
    margin = _MARGIN.get(area.kind, 3.0)
    _, left, bottom, right, top = area.box
    return (
        f'<rect{named} class="area {area.kind}" x="{_n(left - margin)}" '
        f'y="{_n(height - top - margin)}" width="{_n(max(right - left, 0) + 2 * margin)}" '
        f'height="{_n(max(top - bottom, 0) + 2 * margin)}" rx="2"/>\n'
    )


def _box(line: Line, height: float, places: Places) -> str:
    """The coloured background of a line that is part of something."""
    kind, anchor = places.kind(line), places.anchor(line)
    if not kind and not anchor:
        return ""
    named = f' id="{anchor}"' if anchor else ""
    width = max(line.right - line.left, 0) + 3
    return f'<rect{named} class="ground {kind}" {_placed(line, height, line.left - 1.5, width)}/>\n'


def _placed(line: Line, height: float, left: float, width: float) -> str:
    """The attributes of a rectangle behind a line or a part of it."""
    top = height - line.baseline - 0.78 * line.size
    return (
        f'x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(1.04 * line.size)}" rx="1.5"'
    )


def _text(line: Line, height: float, places: Places) -> str:
    """A line; parts between wide gaps are separate texts, so that they keep their places."""
    classes = [places.kind(line) or "text", _face(line.font)]
    classes += ["bold"] * line.bold + ["italic"] * line.italic
    leftwards = any("\u0590" <= letter < "\u0900" for letter in line.text)
    texts = []
    for first, last in pairwise((-1, *line.gaps, len(line.text))):
        left, _, right, _ = line.box_of(first + 1, last)
        x = f'{_n(right)}" direction="rtl' if leftwards else _n(left)
        texts.append(
            f'<text class="{" ".join(classes)}" x="{x}" y="{_n(height - line.baseline)}" '
            f'font-size="{_n(line.size)}" textLength="{_n(max(right - left, 0.1))}" '
            f'lengthAdjust="spacingAndGlyphs">{_raised(line, first + 1, last)}</text>\n'
        )
    return "".join(texts)


def _marked(line: Line, height: float, marks: Sequence[Mark]) -> Iterator[str]:
    """The marks of a line; those that lead to something are links."""
    for mark in marks:
        left, _, right, _ = line.box_of(mark.start, mark.end)
        named = f' id="{mark.anchor}"' if mark.anchor else ""
        tooltip = f"<title>{shown(mark.tooltip)}</title>" if mark.tooltip else ""
        placed = _placed(line, height, left - 0.5, max(right - left, 0) + 1)
        rect = f'<rect{named} class="mark {mark.kind}" {placed}>{tooltip}</rect>'
        yield f'<a href="#{mark.goal}">{rect}</a>\n' if mark.goal else f"{rect}\n"


def _raised(line: Line, first: int, last: int) -> str:
    """A part of a line, with superscripts raised."""
    pieces: list[str] = []
    at = first
    for start, end in line.raised:
        if max(start, at) < min(end, last):
            begin = max(start, at)
            pieces.append(shown(line.text[at:begin]))
            at = min(end, last)
            pieces.append(f'<tspan class="raised">{shown(line.text[begin:at])}</tspan>')
    return "".join([*pieces, shown(line.text[at:last])])


def _face(font: str) -> str:
    name = font.lower()
    if any(part in name for part in _MONO):
        return "mono"
    return "sans" if any(part in name for part in _PLAIN) else "serif"


def _n(number: float) -> str:
    """A coordinate; 0 for infinite ones and NaN, which a hostile PDF may have."""
    return f"{number:.1f}".removesuffix(".0") if isfinite(number) else "0"
