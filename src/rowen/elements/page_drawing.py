"""A paper's pages as small drawings that show where its parts are, for notebooks."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

from rowen.elements.element import Box

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


Part: TypeAlias = tuple[str, str, Iterable[Box]]
"""Kind, name and boxes of a part."""


def page_drawing(sizes: Sequence[tuple[float, float]], parts: Iterable[Part]) -> str:
    """Each page as a sheet with a coloured box for each part; empty without a layout."""
    if not sizes:
        return ""
    sheets: list[list[str]] = [[] for _ in sizes[:PAGES]]
    boxes = ((kind, name, box) for kind, name, own in parts for box in own)
    for number, (kind, name, box) in enumerate(boxes):
        page, left, bottom, right, top = box
        if number >= BOXES or not 0 < page <= len(sheets):
            continue
        height = sizes[page - 1][1]
        sheets[page - 1].append(
            f'<rect x="{left:.0f}" y="{height - top:.0f}" width="{max(right - left, 1):.0f}" '
            f'height="{max(top - bottom, 1):.0f}" fill="{KINDS[kind]}">'
            f"<title>{escape(name[:200])}</title></rect>"
        )
    drawn = "".join(
        f'<svg width="{_WIDTH}" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'style="background:#fff;border:1px solid #888;margin:3px">'
        f"<title>page {number}</title>{''.join(drawn_boxes)}</svg>"
        for number, ((width, height), drawn_boxes) in enumerate(
            zip(sizes, sheets, strict=False), start=1
        )
    )
    legend = " ".join(
        f'<span style="background:{colour};color:#000;padding:0 4px">{kind}</span>'
        for kind, colour in KINDS.items()
    )
    return f"<p>{legend}</p><div>{drawn}</div>"
