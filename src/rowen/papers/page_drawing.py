"""A paper's pages as small drawings that show where its parts are, for notebooks."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from rowen.elements.element import Box

if TYPE_CHECKING:
    from rowen.papers.paper import Paper

PAGES = 24
"""Limit: how many pages of a paper a notebook draws."""

BOXES = 4_000
"""Limit: how many boxes a notebook draws."""

KINDS = {
    "paragraph": "#c9cdd4",
    "heading": "#2468c8",
    "figure": "#57a773",
    "table": "#d98324",
    "formula": "#8e6bbf",
    "footnote": "#8a8f98",
    "citation": "#c2455c",
}
"""The colour of each kind of part."""

_WIDTH = 110


def page_drawing(paper: "Paper") -> str:
    """Each page as a sheet with a coloured box for each part; empty without a layout."""
    if not paper.pages:
        return ""
    sheets: list[list[str]] = [[] for _ in paper.pages[:PAGES]]
    for number, (kind, name, box) in enumerate(_boxes(paper)):
        page, left, bottom, right, top = box
        if number >= BOXES or not 0 < page <= len(sheets):
            continue
        height = paper.pages[page - 1][1]
        sheets[page - 1].append(
            f'<rect x="{left:.0f}" y="{height - top:.0f}" width="{max(right - left, 1):.0f}" '
            f'height="{max(top - bottom, 1):.0f}" fill="{KINDS[kind]}">'
            f"<title>{escape(name[:200])}</title></rect>"
        )
    drawn = "".join(
        f'<svg width="{_WIDTH}" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'style="background:#fff;border:1px solid #888;margin:3px">'
        f"<title>page {number}</title>{''.join(boxes)}</svg>"
        for number, ((width, height), boxes) in enumerate(
            zip(paper.pages, sheets, strict=False), start=1
        )
    )
    legend = " ".join(
        f'<span style="background:{colour};color:#000;padding:0 4px">{kind}</span>'
        for kind, colour in KINDS.items()
    )
    return f"<p>{legend}</p><div>{drawn}</div>"


def _boxes(paper: "Paper") -> Iterator[tuple[str, str, Box]]:
    """The kind, the name and the place of each part."""
    for kind, name, boxes in _parts(paper):
        for box in boxes:
            yield kind, name, box


def _parts(paper: "Paper") -> Iterator[tuple[str, str, tuple[Box, ...]]]:
    for section in paper.body:
        for paragraph in section.paragraphs:
            yield "paragraph", section.heading or "text", paragraph.boxes
        yield "heading", section.heading or "", section.boxes
    yield from (("figure", figure.label or "figure", figure.boxes) for figure in paper.figures)
    yield from (("table", table.label or "table", table.boxes) for table in paper.tables)
    yield from (("formula", one.label or "formula", one.boxes) for one in paper.formulas)
    yield from (("footnote", note.text, note.boxes) for note in paper.footnotes)
    yield from (("citation", cited.raw, cited.boxes) for cited in paper.citations)
