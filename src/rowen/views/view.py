"""The view of a page: a harmless copy of its tree, with the source position of each text.

The browser gets a tree, not HTML, and creates the nodes one by one. So nothing is parsed a second
time, no script or address of elsewhere is among them, and the source of every text node is known.
For `<b>1 &lt; 2`:

    ["b", {}, {"x": "1 < 2", "m": [0, 3, 5, 2, 5, 9, 3, 9, 11]}]
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urljoin

from rowen.model import Page, Span
from rowen.text.character_references import Decoded, decode
from rowen.text.gc_pause import uncollected
from rowen.text.markup import is_plain
from rowen.text.tree import Element, Node, Text, parse
from rowen.views.attribute_places import PLACES, attribute_places
from rowen.views.data_values import data_values
from rowen.views.elements import FOLDED, FRAME, attributes_of, image_of, is_hidden, tag_of
from rowen.views.files import Files, Style
from rowen.views.mapped_texts import mapped
from rowen.views.menus import folded_menu

VIEW_DEPTH = 500
"""Limit: how deep the view of a page nests. Browsers stop at 512 when they parse."""

VIEW_FRAMES = 100
"""Limit: how many frames of a frameset are listed."""

PLAIN_CHARACTERS = 4_000
"""Limit: with fewer characters of style sheets than this, a page whose other style sheets are not
there gets the studio's plain style. What is left then are styles of a few details, which lay out
nothing by themselves; saved pages with the styles of their first screen have ten thousand."""


PLAIN_TEXT = "white-space: pre-wrap; overflow-wrap: anywhere"
"""How a page without markup is laid out: with its lines and blanks, as an editor shows it."""


View: TypeAlias = list[Any] | dict[str, Any]
"""An element: tag, attributes, children. A text: `x`, its characters, and `m`, their source.

`m` has three numbers for each piece: its start in `x`, in UTF-16 units as in JavaScript, and the
start and end of its source, in code points. A piece as long as its source is equal to it, character
by character; any other piece corresponds to the whole of its source, as with a character reference.
"""

_LINE_BREAK = re.compile("\r\n")
_AS_BROWSERS_READ = str.maketrans({"\r": "\n", "\0": "\ufffd"})


def view_of(page: Page, files: Files | None = None) -> dict[str, Any]:
    """The page's body as a tree, with its style sheets and images as far as they are local files.

    `wanted` lists the addresses of those that are not; `frames` lists the pages of a frameset;
    `data` has the values that are not in the page's text, see `data_values`.
    """
    with uncollected():
        if not is_plain(page):
            return _view_of(page, parse(page), files or Files())
        # No sign of a plain text is markup.
        view = _view_of(page, parse(Page("", id=page.id)), files or Files())
        text = mapped(_lines(page.text, 0))
        return {**view, "tree": ["body", {}, ["pre", {"style": PLAIN_TEXT}, text]]}


def _view_of(page: Page, root: Element, files: Files) -> dict[str, Any]:
    head = _Head.of(root, files)
    body = head.body
    # A short style sheet that is all of a page's styles is how its author wanted it.
    enough = PLAIN_CHARACTERS if files.lacks_styles else 1
    is_plain = sum(len(style.css.strip()) for style in head.styles) < enough
    tree = (
        ["body", {}, *(["div", {FRAME: source}] for source in head.frames)]
        if body is None
        else _tree(page, body, files, is_plain=is_plain)
    )
    return {
        "page": page.id,
        "title": head.title,
        "root": head.root,
        "styles": [{"css": style.css, "media": style.media} for style in head.styles],
        "plain": is_plain,
        "loose": is_plain and files.lacks_styles,
        "tree": tree,
        "data": data_values(page, body, scripted=head.scripted),
        "files": files.shown,
        "wanted": list(files.wanted),
        "frames": head.frames,
    }


@dataclass(slots=True)
class _Head:
    """What a page says about itself, wherever it says so."""

    title: str = ""
    root: dict[str, str] = field(default_factory=dict)
    styles: list[Style] = field(default_factory=list)
    body: Element | None = None
    frames: list[str] = field(default_factory=list)
    scripted: bool = False

    @classmethod
    def of(cls, root: Element, files: Files) -> "_Head":
        elements = [node for node in root.descendants() if isinstance(node, Element)]
        head = cls()
        base = next((at for node in elements if (at := _base(node)) is not None), "")
        with suppress(ValueError):
            files.base = urljoin(files.base, base.strip())
        for element in elements:
            if element.namespace == "html":
                head._read(element, files)
        return head

    def _read(self, element: Element, files: Files) -> None:
        # Styles anywhere, as browsers apply them; the first title, as they show it.
        tag, media = element.tag, element.attribute("media") or ""
        if tag == "style":
            self.styles += files.styles("".join(_texts(element)), media)
        elif tag == "script":
            self.scripted = True
        elif tag == "link" and _is_style_sheet(element):
            self.styles += files.linked_styles(element.attribute("href") or "", media)
        elif tag == "title" and not self.title:
            self.title = " ".join("".join(_texts(element)).split())
        elif tag == "body" and self.body is None:
            self.body = element
        elif tag == "html":
            self.root = attributes_of(element, files)
        elif tag == "frame" and len(self.frames) < VIEW_FRAMES:
            self.frames.append(element.attribute("src") or "")


def _base(element: Element) -> str | None:
    return element.attribute("href") if element.tag == "base" else None


def _is_style_sheet(link: Element) -> bool:
    """Whether a link is a style sheet that is in use, not one to choose instead."""
    kinds = (link.attribute("rel") or "").lower().split()
    return "stylesheet" in kinds and "alternate" not in kinds and link.attribute("disabled") is None


def _tree(page: Page, body: Element, files: Files, *, is_plain: bool) -> View:
    root: list[Any] = ["body", attributes_of(body, files)]
    # A stack instead of recursion: hostile pages nest deeper than Python's stack.
    waiting: list[tuple[list[Any], Iterator[Node], int]] = [(root, iter(body.children), 1)]
    while waiting:
        parent, nodes, depth = waiting[-1]
        node = next(nodes, None)
        if node is None:
            waiting.pop()
        elif isinstance(node, Text):
            parent.append(_text(page.text, node))
        elif isinstance(node, Element) and not is_hidden(node):
            element = _element(node, files)
            if places := attribute_places(node):
                element[1][PLACES] = places
            if is_plain and (menu := folded_menu(node)) is not None:
                element[1][FOLDED] = menu
            if depth < VIEW_DEPTH:
                parent.append(element)
                waiting.append((element, iter(node.children), depth + 1))
            else:  # as in browsers: an element that is too deep becomes a sibling of its parent
                waiting.append((parent, iter(node.children), depth))
    return root


def _element(node: Element, files: Files) -> list[Any]:
    if node.tag == "img" and node.namespace == "html":
        return image_of(node, files)
    return [tag_of(node), attributes_of(node, files)]


def _texts(element: Element) -> Iterator[str]:
    return (node.text for node in element.children if isinstance(node, Text))


def _text(source: str, node: Text) -> dict[str, Any]:
    if not node.spans:
        return {"x": node.text, "m": []}
    # Most texts have no references and no CRLF: they are their source, character by character.
    if len(node.spans) == 1 and node.text == node.spans[0].of(source):
        return {"x": node.text, "m": [0, *node.spans[0]]}
    return mapped(_pieces(source, node))


def _pieces(source: str, node: Text) -> Iterator[tuple[str, Span]]:
    """The pieces of a text node, each with its source."""
    for span, literal in zip(node.spans, node.literal, strict=True):
        whole = (
            Decoded(source[span.start : span.end], (0, span.end - span.start), tuple(span))
            if literal
            else decode(source, span)
        )
        for start, end, first, last in zip(
            whole.starts, whole.starts[1:], whole.sources, whole.sources[1:], strict=False
        ):
            piece = whole.text[start:end]
            if end - start != last - first:
                yield piece, Span(first, last)
            else:
                yield from _lines(piece, first)


def _lines(piece: str, first: int) -> Iterable[tuple[str, Span]]:
    """A piece of the source with line breaks as browsers read them: CRLF is one."""
    at = 0
    for match in _LINE_BREAK.finditer(piece):
        if at < match.start():
            text = piece[at : match.start()].translate(_AS_BROWSERS_READ)
            yield text, Span(first + at, first + match.start())
        yield "\n", Span(first + match.start(), first + match.end())
        at = match.end()
    if at < len(piece):
        yield piece[at:].translate(_AS_BROWSERS_READ), Span(first + at, first + len(piece))
