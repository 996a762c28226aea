"""Redesigns: pages in another layout, with the places of their values carried along."""

import re
from collections.abc import Callable, Iterator

from benchmarks.wrappers.sites import Label, Marked
from rowen import Page, Span
from rowen.text.tree import Element, parse

VALUE = re.compile(r"\ue000(\d+)\ue001(.*?)\ue002", re.DOTALL)
"""A value while its page is changed: its number, and its text."""


def renamed(text: str) -> str:
    """Every class and id has another name."""
    return re.sub(
        r'(\s(?:class|id)\s*=\s*["\']?)([^\s"\'>])', r"\1new-\2", text, flags=re.IGNORECASE
    )


def wrapped(text: str) -> str:
    """Cells, list items and paragraphs have a div inside."""
    text = re.sub(r"<(td|li|p|h1|dd)\b([^>]*)>", r"<\1\2><div class=in>", text, flags=re.IGNORECASE)
    return re.sub(r"</(td|li|p|h1|dd)>", r"</div></\1>", text, flags=re.IGNORECASE)


def without_tables(text: str) -> str:
    """Rows and cells are divs."""
    text = re.sub(r"<(table|tr|td|th)\b", r'<div data-was="\1"', text, flags=re.IGNORECASE)
    return re.sub(r"</(table|tr|td|th)>", "</div>", text, flags=re.IGNORECASE)


def reordered(text: str) -> str:
    """The blocks that hold the values stand the other way round."""
    values = [Span(*found.span()) for found in VALUE.finditer(text)]
    blocks: list[Span] = []
    for element in _holding(text, values):
        inside = [_extent(one) for one in element.children if isinstance(one, Element)]
        blocks = [one for one in inside if one and any(_holds(one, value) for value in values)]
    pieces, at = [], 0
    for block, other in zip(blocks, reversed(blocks), strict=True):
        pieces += [text[at : block.start], other.of(text)]
        at = block.end
    return "".join([*pieces, text[at:]])


def _holding(text: str, values: list[Span]) -> Iterator[Element]:
    """The elements that hold all values, the innermost last."""
    for node in parse(Page(text)).descendants():
        if isinstance(node, Element):
            extent = _extent(node)
            if extent is not None and all(_holds(extent, value) for value in values):
                yield node


def _extent(element: Element) -> Span | None:
    if element.start_tag is None or element.end_tag is None:
        return None
    return Span(element.start_tag.start, element.end_tag.end)


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


REDESIGNS: dict[str, Callable[[str], str]] = {
    "attributes renamed": renamed,
    "divs inside": wrapped,
    "rows to divs": without_tables,
    "fields reordered": reordered,
}


def redesigned(page: Page, label: Label, change: Callable[[str], str]) -> Marked | None:
    """A page in another design, with its label carried along; None where a value is in a tag."""
    (record,) = label
    places = sorted(
        (start, end, name)
        for name, spans in record.items()
        if spans
        for start, end in ([spans] if isinstance(spans[0], int) else spans)
    )
    text, at = "", 0
    for number, (start, end, _) in enumerate(places):
        text += page.text[at:start]
        if start < at or text.rfind("<") > text.rfind(">"):
            return None
        text += f"\ue000{number}\ue001{page.text[start:end]}\ue002"
        at = end
    changed = change(text + page.text[at:])
    spans: dict[str, list[tuple[int, int]]] = {}
    plain = ""
    for piece in re.split(r"(\ue000.*?\ue002)", changed, flags=re.DOTALL):
        if found := VALUE.fullmatch(piece):
            name = places[int(found[1])][2]
            spans.setdefault(name, []).append((len(plain), len(plain) + len(found[2])))
            plain += found[2]
        else:
            plain += piece
    marked = {name: (some[0] if len(some) == 1 else some) for name, some in spans.items()}
    return Page(plain, id=page.id), [{**dict.fromkeys(record), **marked}]
