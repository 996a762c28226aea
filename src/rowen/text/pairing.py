"""Pair the nodes of a page's tree with those of its stencil's tree where the two trees differ.

Normally they are equal (see `rowen.text.stencil`). If the parser decided differently about some
piece of the stencil, all other pieces still get their places: elements are identified by where
their tags start, texts and comments by the element before them.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence

import turbohtml

from rowen.model import Span
from rowen.text.character_references import decode
from rowen.text.newlines import Newlines
from rowen.text.stencil import Stencil

_TEXTS = (turbohtml.Text, turbohtml.CData)
Start = Callable[[turbohtml.Element], int | None]


class Pairing:
    """Maps the nodes of a page's tree to those of its stencil's tree."""

    def __init__(self, start: Start, stencil: Stencil, shadow: turbohtml.Document) -> None:
        """`start` returns where an element of the page's tree starts in the source."""
        self._start = start
        self._places = stencil.source_starts()
        self._newlines = Newlines(stencil.html)
        self._located: dict[int, turbohtml.Element] = {}
        for element in shadow.iter_elements():
            place = self._shadow_start(element)
            if place is not None:
                self._located[place] = element

    def pairs(
        self, nodes: Sequence[turbohtml.Node], codes: Sequence[turbohtml.Node]
    ) -> Iterator[tuple[turbohtml.Node, turbohtml.Node | None]]:
        """Each of an element's children with its counterpart in the stencil's tree, if any."""
        codes_by_key = dict(zip(_keys(codes, self._shadow_start), codes, strict=True))
        for node, key in zip(nodes, _keys(nodes, self._start), strict=True):
            code = codes_by_key.get(key)
            if isinstance(node, turbohtml.Element):
                place = self._start(node)
                code = code if place is None else self._located.get(place)
                if not isinstance(code, turbohtml.Element) or code.tag != node.tag:
                    code = None
            yield node, code

    def _shadow_start(self, element: turbohtml.Element) -> int | None:
        location = element.source_location
        if location is None:
            return None
        return self._places.get(self._newlines.source(location.start_tag.start_offset))


def _keys(nodes: Sequence[turbohtml.Node], start: Start) -> Iterator[Hashable]:
    """A key for each of an element's children: its tag's place, else the siblings before it."""
    before: Hashable = None
    count: Counter[Hashable] = Counter()
    for node in nodes:
        if isinstance(node, turbohtml.Element):
            place = start(node)
            # Attack: nested tuples as keys would grow with each element that the parser supplies,
            # and a million of them in a row would take quadratic time. A hash has a fixed size.
            before = hash((before, node.tag)) if place is None else place
            count.clear()
            yield before
        else:
            kind = "text" if isinstance(node, _TEXTS) else "comment"
            yield before, kind, count[kind]
            count[kind] += 1


def says(text: str, page: str, spans: Sequence[Span], literal: Sequence[bool]) -> bool:
    """Whether these places of a page, with references resolved unless literal, give the text."""
    parts = (
        normalised(span.of(page)) if plain else decode(normalised(span.of(page))).text
        for span, plain in zip(spans, literal, strict=True)
    )
    return "".join(parts).replace("\0", "\ufffd") == text


def says_comment(data: str, page: str, span: Span) -> bool:
    """Whether a comment or processing instruction with this data can be at a place of a page."""
    source = normalised(span.of(page)).replace("\0", "\ufffd")
    return source.startswith("<") and data.strip() in source


def normalised(source: str) -> str:
    """A source with its newlines normalised as HTML parsers do."""
    return source.replace("\r\n", "\n").replace("\r", "\n")
