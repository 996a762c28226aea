"""The tree that browsers build from a page, with the exact source places of all nodes.

turbohtml builds the tree by the WHATWG rules. It reports where tags are, counting CR LF as one
character, and nothing about texts. Here every place is given in code points of the page as it is,
for texts and comments too. Four steps:

1. Parse the page with turbohtml.
2. Tokenize it with hints from that tree (`_note`): which elements hold only text, and where SVG or
   MathML begins and ends. A tokenizer alone can't know either.
3. Parse a `Stencil`, the same markup with numbers for texts.
4. Walk both trees together; the numbers say where each text came from.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import UnionType
from typing import TypeAlias

import numpy as np
import turbohtml

from rowen.model import Page, Span
from rowen.model.errors import LimitError
from rowen.text.cdata import OPENING, resolve_sections
from rowen.text.gc_pause import uncollected
from rowen.text.html_tokens import Kind, Tokens, lower
from rowen.text.newlines import Newlines
from rowen.text.pairing import Pairing, normalised, says, says_comment
from rowen.text.stencil import Stencil, StencilError

HTML_DEPTH = 4096
"""Limit: how deep a parsed page may nest. Browsers stop at 512; trees of hostile pages would make
every later step that goes down the tree slow."""

HTML_NODES = 500_000
"""Limit: how many elements, texts and comments a parsed page may have. So many take four to six
seconds to show. A few kilobytes can make a parser build millions: it opens formatting elements
again in every paragraph."""

HTML_SECTIONS = 100_000
"""Limit: how many `<![CDATA[` a parsed page may have. Each is looked at one by one, up to
`READINGS` times."""

HTML_ROOT_ATTRIBUTES = 1_000
"""Limit: how many attributes the second and later `<html>` and `<body>` tags of a page may have. A
parser adds them to the first tag's, and compares each with all that are there: quadratic time."""


_HOLDS_TEXT, _FOREIGN, _OPENS_FOREIGN = 1, 2, 4  # the hints of html_tokens.hpp
_TEXT_ELEMENTS = frozenset(
    ("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp")
)
_DROP_LINE_FEED = frozenset(("listing", "pre", "textarea"))
_VOID = frozenset(
    (
        *(
            "area",
            "base",
            "basefont",
            "bgsound",
            "br",
            "col",
            "embed",
            "frame",
            "hr",
            "img",
            "input",
        ),
        *("keygen", "link", "meta", "param", "source", "track", "wbr"),
    )
)
_SCATTER = frozenset(("frameset", "template"))
"""In these, white space and other characters of one text may end up in different places."""
_BEFORE_VALUE = re.compile(r"""[^>/][^\t\n\f\r />=]*+[\t\n\f\r ]*+=[\t\n\f\r ]*+(["']?)""")
_HTML = turbohtml.Namespace.HTML
_ROOT = re.compile(r"<(?:html|body)(?=[\t\n\f\r /])", re.IGNORECASE)
_USUAL_ROOTS = 1
"""The first of these tags has its own attributes, which are not added to anything."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute with its value decoded; spans are None where this start tag does not have it.

    That happens in elements that the parser supplies, and where a second `<body>` adds to the
    first.
    """

    name: str
    value: str
    span: Span | None
    value_span: Span | None


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Text with references resolved and newlines normalised; nodes compare by identity.

    It came from all of `spans`, in this order: parsers join texts across tags that they ignore.
    `literal` says for each span whether its ampersands are no references, as in scripts. `spans` is
    empty for a text that can't be traced back, which is rare.
    """

    text: str
    spans: tuple[Span, ...]
    literal: tuple[bool, ...]
    parent: "Element" = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """A comment or processing instruction; `span` is None where it can't be traced back."""

    text: str
    span: Span | None
    parent: "Element" = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Doctype:
    """The page's doctype."""

    name: str
    span: Span
    parent: "Element" = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element, or the page itself: the root, which has no tag and no parent.

    `start_tag` is None where the parser supplied the element, `end_tag` where the page does not
    close it. Attributes keep the page's order. A template's contents are its children.
    """

    tag: str
    namespace: str
    attributes: tuple[Attribute, ...]
    start_tag: Span | None
    end_tag: Span | None
    parent: "Element | None" = field(repr=False)
    children: tuple["Node", ...] = field(default=(), repr=False)

    def attribute(self, name: str) -> str | None:
        """An attribute's value, decoded."""
        return next(
            (attribute.value for attribute in self.attributes if attribute.name == name), None
        )

    def descendants(self) -> Iterator["Node"]:
        """All nodes below this one, in document order."""
        waiting: list[Node] = list(reversed(self.children))
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, Element):
                waiting.extend(reversed(node.children))


Node: TypeAlias = Element | Text | Comment | Doctype


def parse(page: Page | str) -> Element:
    """Parse a page; `LimitError` where its tree would be too deep or too large."""
    page = Page.of(page)
    with uncollected():
        _check_roots(page)
        if page.text.count(OPENING) > HTML_SECTIONS:
            raise LimitError(page.id, f"it has more than {HTML_SECTIONS:,} CDATA sections")
        document = _turbohtml(page.text)
        _check_shape(page, document)
        return _Builder(page, document).build(document)


def _check_roots(page: Page) -> None:
    """Refuse a page that adds too many attributes to its first tags, which takes quadratic time."""
    if len(_ROOT.findall(page.text)) <= _USUAL_ROOTS:
        return
    tokens = Tokens(page.text)
    counts = tokens.attributes_from[1:] - tokens.attributes_from[:-1]
    starts = [match.start() for match in _ROOT.finditer(page.text)]
    places = tokens.starts.searchsorted(starts)
    places = places[tokens.starts[np.minimum(places, len(tokens) - 1)] == starts]
    if counts[places[_USUAL_ROOTS:]].sum() > HTML_ROOT_ATTRIBUTES:
        raise LimitError(
            page.id,
            f"its <html> and <body> tags add more than {HTML_ROOT_ATTRIBUTES:,} attributes",
        )


def _check_shape(page: Page, document: turbohtml.Document) -> None:
    """Refuse a tree that is too deep or too large, before the slow steps."""
    nodes = 0
    waiting: list[tuple[turbohtml.Node, int]] = [(document, 0)]
    while waiting:
        parent, depth = waiting.pop()
        if depth > HTML_DEPTH:
            raise LimitError(page.id, f"nested deeper than {HTML_DEPTH:,}")
        children = _children(parent)
        nodes += len(children)
        if nodes > HTML_NODES:
            raise LimitError(page.id, f"its tree has more than {HTML_NODES:,} nodes")
        waiting.extend(
            (child, depth + 1) for child in children if isinstance(child, turbohtml.Element)
        )


def _turbohtml(html: str) -> turbohtml.Document:
    # A declarative shadow root would hide a template's contents from the tree.
    return turbohtml.parse(html, source_locations=True, allow_declarative_shadow_roots=False)


class _Builder:
    """Builds the nodes of a page's tree."""

    def __init__(self, page: Page, document: turbohtml.Document) -> None:
        self.page = page
        self.newlines = Newlines(page.text)
        self.hints: dict[int, int] = {}
        self.dropping: set[int] = set()
        self.loose = False  # True: the trees differ, so each place is checked against the source
        scatter = False
        for element in document.iter_elements():
            scatter |= element.tag in _SCATTER
            self._note(element)
        if OPENING in page.text:
            self.tokens = resolve_sections(page.text, self._tokenize, _turbohtml)
        else:
            self.tokens = self._tokenize({})
        self.stencil = Stencil(self.tokens, dropping=self.dropping, scatter=scatter)

    def _tokenize(self, sections: Mapping[int, bool]) -> Tokens:
        """Tokenize with the tree's hints, and with what is known about CDATA sections."""
        hints = self.hints | {start: _FOREIGN * is_text for start, is_text in sections.items()}
        starts = sorted(hints)
        return Tokens(
            self.page.text,
            hint_starts=np.array(starts, np.int32),
            hints=np.array([hints[start] for start in starts], np.uint8),
        )

    def _note(self, element: turbohtml.Element) -> None:
        """Note as hints what the tree knows about an element's tags and a tokenizer can't know."""
        location = element.source_location
        if location is None:
            return
        tag, parent = element.tag, element.parent
        # In SVG and MathML `<![CDATA[` opens text, and `/>` closes an element (WHATWG, "adjusted
        # current node"); so the tokenizer must know for each tag where the parser was after it.
        inside = isinstance(parent, turbohtml.Element) and parent.namespace is not _HTML
        start = self.newlines.source(location.start_tag.start_offset)
        if element.namespace is _HTML:
            hint = _FOREIGN * (inside and tag in _VOID) | _HOLDS_TEXT * (tag in _TEXT_ELEMENTS)
            if tag in _DROP_LINE_FEED:
                self.dropping.add(start)
        else:
            hint = _FOREIGN * inside | _OPENS_FOREIGN
        self.hints[start] = hint
        if location.end_tag is not None:
            self.hints[self.newlines.source(location.end_tag.start_offset)] = _FOREIGN * inside

    def build(self, document: turbohtml.Document) -> Element:
        """Build all nodes. Where the stencil's tree differs, only those nodes have no places."""
        shadow = _turbohtml(self.stencil.html)
        try:
            return self._build(document, shadow, _pairs)
        except StencilError:
            self.loose = True
            return self._build(document, shadow, Pairing(self._start, self.stencil, shadow).pairs)

    def _build(
        self, document: turbohtml.Document, shadow: turbohtml.Document, pairs: "_Pairs"
    ) -> Element:
        root = Element("", "html", (), None, None, None)
        waiting: list[tuple[Element, turbohtml.Node, turbohtml.Node | None]] = [
            (root, document, shadow)
        ]
        while waiting:
            parent, node, coded = waiting.pop()
            children: list[Node] = []
            after = parent.start_tag.end if parent.start_tag else 0
            for original, code in pairs(_children(node), _children(coded) if coded else []):
                child = self._node(original, code, parent, after)
                children.append(child)
                after = _end(child) or after
                if isinstance(child, Element):
                    waiting.append((child, original, code))
            # Nodes are frozen for callers; children need their parent first, so they come later.
            object.__setattr__(parent, "children", tuple(children))
        return root

    def _node(
        self, node: turbohtml.Node, code: turbohtml.Node | None, parent: Element, after: int
    ) -> Node:
        if isinstance(node, turbohtml.Element):
            return self._element(node, parent)
        if isinstance(node, turbohtml.Text | turbohtml.CData):
            spans, literal = self._text_places(node.data, code, after)
            return Text(node.data, spans, literal, parent)
        if isinstance(node, turbohtml.Comment | turbohtml.ProcessingInstruction):
            span = self._comment_place(node, code)
            return Comment(self._comment_text(node, span), span, parent)
        assert isinstance(node, turbohtml.Doctype)
        # WHATWG: a parser takes the first doctype and ignores all others.
        first = int((self.tokens.kinds == Kind.DOCTYPE).argmax())
        return Doctype(node.name, self.tokens[first].span, parent)

    def _text_places(
        self, text: str, code: turbohtml.Node | None, after: int
    ) -> tuple[tuple[Span, ...], tuple[bool, ...]]:
        try:
            coded = _data_of(code, turbohtml.Text | turbohtml.CData)
            spans, literal = zip(*self.stencil.pieces(coded, after), strict=True)
        except StencilError:
            if not self.loose:
                raise
            return (), ()
        if self.loose and not says(text, self.page.text, spans, literal):
            return (), ()
        return spans, literal

    def _comment_text(
        self, node: turbohtml.Comment | turbohtml.ProcessingInstruction, span: Span | None
    ) -> str:
        """A comment's text; a processing instruction is taken for the comment it used to be."""
        if isinstance(node, turbohtml.Comment):
            return node.data
        if span is None:
            return f"?{node.target} {node.data}"
        return normalised(span.of(self.page.text)[1:-1]).replace("\0", "\ufffd")

    def _comment_place(
        self,
        node: turbohtml.Comment | turbohtml.ProcessingInstruction,
        code: turbohtml.Node | None,
    ) -> Span | None:
        try:
            span = self.stencil.comment(_data_of(code, turbohtml.Comment))
        except StencilError:
            if not self.loose:
                raise
            return None
        if self.loose and not says_comment(node.data, self.page.text, span):
            return None
        return span

    def _start(self, element: turbohtml.Element) -> int | None:
        location = element.source_location
        return location and self.newlines.source(location.start_tag.start_offset)

    def _element(self, node: turbohtml.Element, parent: Element) -> Element:
        location = node.source_location
        spans = location.attrs if location else {}
        attributes = tuple(
            # turbohtml gives `class` as a list. Only that is asked for by name: to ask for every
            # attribute would take quadratic time.
            self._attribute(
                name,
                (value if isinstance(value, str) else node.attr(name)) or "",
                spans.get(lower(name)),
            )
            for name, value in node.attrs.items()
        )
        return Element(
            node.tag,
            node.namespace.value,
            attributes,
            self._span(location.start_tag) if location else None,
            self._span(location.end_tag) if location and location.end_tag else None,
            parent,
        )

    def _attribute(self, name: str, value: str, where: turbohtml.SourceSpan | None) -> Attribute:
        if where is None:
            return Attribute(name, value, None, None)
        span = self._span(where)
        before = _BEFORE_VALUE.match(self.page.text, *span)
        if before is None:
            return Attribute(name, value, span, None)
        return Attribute(name, value, span, Span(before.end(), span.end - len(before[1])))

    def _span(self, span: turbohtml.SourceSpan) -> Span:
        source = self.newlines.source
        return Span.trusted((source(span.start_offset), source(span.end_offset)))


_Pairs: TypeAlias = Callable[
    [Sequence[turbohtml.Node], Sequence[turbohtml.Node]],
    Iterable[tuple[turbohtml.Node, turbohtml.Node | None]],
]


def _pairs(
    nodes: Sequence[turbohtml.Node], codes: Sequence[turbohtml.Node]
) -> Iterable[tuple[turbohtml.Node, turbohtml.Node]]:
    """The children of both trees in pairs; StencilError where the trees differ."""
    if len(nodes) != len(codes):
        raise StencilError
    for node, code in zip(nodes, codes, strict=True):
        if isinstance(node, turbohtml.Element) and (
            not isinstance(code, turbohtml.Element) or code.tag != node.tag
        ):
            raise StencilError
    return zip(nodes, codes, strict=True)


def _data_of(code: turbohtml.Node | None, kind: type | UnionType) -> str:
    if not isinstance(code, kind):
        raise StencilError
    data: str = code.data  # type: ignore[union-attr]  # all kinds that callers pass have it
    return data


def _children(node: turbohtml.Node) -> list[turbohtml.Node]:
    # turbohtml keeps a template's contents in a fragment of their own; here they are its children.
    children = list(node)
    if len(children) == 1 and isinstance(children[0], turbohtml.DocumentFragment):
        return list(children[0])
    return children


def _end(node: Node) -> int | None:
    """Where a node's own source ends."""
    if isinstance(node, Element):
        last = node.end_tag or node.start_tag
    else:
        last = node.spans[-1] if isinstance(node, Text) and node.spans else None
    return last.end if last else None
