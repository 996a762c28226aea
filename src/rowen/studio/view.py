"""The view of a page: a harmless copy of its tree, with the source position of each text.

The browser gets a tree, not HTML, and creates the nodes one by one. So nothing is parsed a second
time, no script or URL is among them, and the source of every text node is known. For `<b>1 &lt; 2`:

    ["b", {}, {"x": "1 < 2", "m": [0, 3, 5, 2, 5, 9, 3, 9, 11]}]
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from rowen.model import Page, Span
from rowen.studio.attribute_places import PLACES, attribute_places
from rowen.text.character_references import Decoded, decode
from rowen.text.gc_pause import uncollected
from rowen.text.html_tokens import lower
from rowen.text.tree import Element, Node, Text, parse

VIEW_DEPTH = 500
"""Limit: how deep the view of a page nests. Browsers stop at 512 when they parse."""


View: TypeAlias = list[Any] | dict[str, Any]
"""An element: tag, attributes, children. A text: `x`, its characters, and `m`, their source.

`m` has three numbers for each piece: its start in `x`, in UTF-16 units as in JavaScript, and the
start and end of its source, in code points. A piece as long as its source is equal to it, character
by character; any other piece corresponds to the whole of its source, as with a character reference.
"""

_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2"),
        *("h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li", "listing", "main"),
        *("menu", "nav", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section"),
        *("select", "summary", "textarea", "ul", "xmp", "noscript", "body", "html", "button"),
    }
)
_SHOWN = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "caption", "cite", "code"),
        *("col", "colgroup", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label"),
        *("mark", "meter", "nobr", "output", "progress", "q", "rp", "rt", "ruby", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot"),
        *("th", "thead", "time", "tr", "tt", "u", "var", "wbr"),
    }
) | _BLOCKS - {
    *("form", "noscript", "body", "html", "button", "select", "option", "optgroup", "textarea"),
    *("plaintext", "dialog", "details", "summary"),
}
"""Elements that are shown as they are; others become a `div` or a `span`."""
_HIDDEN = frozenset(
    {
        *("script", "template", "head", "title", "meta", "link", "base", "object", "embed"),
        *("applet", "iframe", "frame", "frameset", "noframes", "noembed", "audio", "video"),
        *("canvas", "map", "area", "param", "source", "track", "datalist", "basefont", "bgsound"),
    }
)
"""Elements without visible text; their content can be marked in the source view."""
_KEPT_ATTRIBUTES = frozenset(
    {
        *("class", "id", "style", "title", "lang", "dir", "align", "valign", "width", "height"),
        *("bgcolor", "color", "face", "size", "border", "cellpadding", "cellspacing", "colspan"),
        *("rowspan", "span", "start", "type", "value", "reversed", "nowrap", "noshade", "hidden"),
    }
)
_LINE_BREAK = re.compile("\r\n")
_AS_BROWSERS_READ = str.maketrans({"\r": "\n", "\0": "\ufffd"})
_CSS_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|([g-zG-Z]))")
_CSS_LOADS = re.compile(
    r"""(?ix) @import | url \s* \( (?! \s* ["']? data:image/ )
    | (?: image-set | image | src ) \s* \("""
)
# A fixed or sticky element would cover the texts that a person wants to mark.
_CSS_COVERS = re.compile(r"(?i)(?<=position)\s*:\s*(?:fixed|(?:-webkit-)?sticky)")


def view_of(page: Page) -> dict[str, Any]:
    """The page's body as a tree, its styles, and the title."""
    with uncollected():
        return _view_of(page, parse(page))


def _view_of(page: Page, root: Element) -> dict[str, Any]:
    styles: list[str] = []
    title = ""
    body: Element | None = None
    for node in root.descendants():
        if not isinstance(node, Element):
            continue
        # Styles anywhere, as browsers apply them; the first title, as they show it.
        if node.tag == "style" and node.namespace == "html":
            styles.append(_harmless("".join(_texts(node))))
        elif node.tag == "title" and node.namespace == "html" and not title:
            title = " ".join("".join(_texts(node)).split())
        elif node.tag == "body" and body is None:
            body = node
    tree = ["body", {}] if body is None else _tree(page, body)
    return {"page": page.id, "title": title, "styles": styles, "tree": tree}


def _tree(page: Page, body: Element) -> View:
    root: list[Any] = ["body", _attributes(body)]
    # A stack instead of recursion: hostile pages nest deeper than Python's stack.
    waiting: list[tuple[list[Any], Iterator[Node], int]] = [(root, iter(body.children), 1)]
    while waiting:
        parent, nodes, depth = waiting[-1]
        node = next(nodes, None)
        if node is None:
            waiting.pop()
        elif isinstance(node, Text):
            parent.append(_text(page.text, node))
        elif isinstance(node, Element) and not _is_hidden(node):
            element: list[Any] = [_tag(node), _attributes(node)]
            if places := attribute_places(node):
                element[1][PLACES] = places
            if depth < VIEW_DEPTH:
                parent.append(element)
                waiting.append((element, iter(node.children), depth + 1))
            else:  # as in browsers: an element that is too deep becomes a sibling of its parent
                waiting.append((parent, iter(node.children), depth))
    return root


def _is_hidden(element: Element) -> bool:
    return element.tag in _HIDDEN or element.tag == "style"


def _tag(element: Element) -> str:
    if element.namespace != "html":
        return "span"
    tag = element.tag
    if tag == "textarea":  # white space counts in it, and the frame must take no input
        return "pre"
    if tag in _SHOWN:
        return tag
    return "div" if tag in _BLOCKS else "span"


def _attributes(element: Element) -> dict[str, str]:
    shown = {
        attribute.name: attribute.value
        for attribute in element.attributes
        if attribute.name in _KEPT_ATTRIBUTES
    }
    if "style" in shown:
        shown["style"] = _harmless(shown["style"])
    if element.tag == "a" and element.attribute("href") is not None:
        shown["data-link"] = ""
    # Images are not loaded, and inputs are not shown as such: their texts stand for them.
    if element.tag == "img":
        shown["data-shown"] = element.attribute("alt") or ""
    elif element.tag == "input" and lower(shown.get("type", "")) != "hidden":
        shown["data-shown"] = shown.get("value", "")
    return shown


def _harmless(style: str) -> str:
    """Styles that load nothing and cover nothing of the studio.

    This is the first line: the Content-Security-Policy of the frame forbids loading anyway.
    """
    # First unescape letters: `u\72l(` means `url(` to a browser.
    plain = _CSS_ESCAPE.sub(_unescape, style)
    still = _CSS_LOADS.sub(lambda match: "@none" if match[0][0] == "@" else "none(", plain)
    return _CSS_COVERS.sub(":static", still)


def _unescape(escape: re.Match[str]) -> str:
    """An escaped letter as itself, so that an escaped `url(` is recognised; else the escape."""
    code, letter = escape.groups()
    if code is None:
        return str(letter)
    sign = chr(int(code, 16)) if int(code, 16) < 0x80 else ""
    return sign if sign.isalpha() or sign == "-" else escape[0]


def _texts(element: Element) -> Iterator[str]:
    return (node.text for node in element.children if isinstance(node, Text))


def _text(source: str, node: Text) -> dict[str, Any]:
    if not node.spans:
        return {"x": node.text, "m": []}
    # Most texts have no references and no CRLF: they are their source, character by character.
    if len(node.spans) == 1 and node.text == node.spans[0].of(source):
        return {"x": node.text, "m": [0, *node.spans[0]]}
    texts: list[str] = []
    places: list[int] = []
    length, was_exact = 0, False
    for text, span in _pieces(source, node):
        exact = len(text) == span.end - span.start
        if exact and places and places[-1] == span.start and was_exact:
            places[-1] = span.end
        else:
            places += (length, span.start, span.end)
        was_exact = exact
        texts.append(text)
        length += _units(text)
    return {"x": "".join(texts), "m": places}


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


def _units(text: str) -> int:
    """The length of a text in JavaScript: UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(sign > "\uffff" for sign in text)
