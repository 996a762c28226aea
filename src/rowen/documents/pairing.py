"""Which node of a stencil's tree stands for which of the page's, where the two trees differ.

They don't where the stencil is right (see `rowen.documents.stencil`). Should a parser have decided
otherwise about some piece of it, all other pieces still have their places: elements are told by
where their tags stand, texts and comments by the element before them.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence

import turbohtml

from rowen.documents.newlines import Newlines
from rowen.documents.references import decode
from rowen.documents.stencil import Stencil
from rowen.model import Span

_TEXTS = (turbohtml.Text, turbohtml.CData)
_COMMENTS = (turbohtml.Comment, turbohtml.ProcessingInstruction)
Start = Callable[[turbohtml.Element], int | None]


class Pairing:
    """Leads from the nodes of a page's tree to those of its stencil's."""

    def __init__(self, start: Start, stencil: Stencil, shadow: turbohtml.Document) -> None:
        """`start` says where an element of the page's tree starts in the source."""
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
        """Each of an element's children with what stands for it in the stencil's tree, if any."""
        others = dict(zip(_keys(codes, self._shadow_start), codes, strict=True))
        for node, key in zip(nodes, _keys(nodes, self._start), strict=True):
            code = others.get(key)
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
    """What each of an element's children is known by: its tag's place, else by those before it."""
    before: Hashable = None
    count: Counter[Hashable] = Counter()
    for node in nodes:
        if isinstance(node, turbohtml.Element):
            place = start(node)
            # a hash, as a million supplied elements in a row would have ever longer names
            before = hash((before, node.tag)) if place is None else place
            count.clear()
            yield before
        else:
            kind = "text" if isinstance(node, _TEXTS) else "comment"
            yield before, kind, count[kind]
            count[kind] += 1


def says(text: str, page: str, spans: Sequence[Span], literal: Sequence[bool]) -> bool:
    """Whether these places of a page, read as they are to be read, say the text."""
    parts = (
        _normalised(span.of(page)) if plain else decode(_normalised(span.of(page))).text
        for span, plain in zip(spans, literal, strict=True)
    )
    return "".join(parts).replace("\0", "\ufffd") == text


def says_comment(data: str, page: str, span: Span) -> bool:
    """Whether a comment, or an instruction, of such data may stand at a place of a page."""
    source = _normalised(span.of(page)).replace("\0", "\ufffd")
    return source.startswith("<") and data.strip() in source


def _normalised(source: str) -> str:
    return source.replace("\r\n", "\n").replace("\r", "\n")
