"""A page as the studio shows it: what does no harm, and where in the source each text stands.

The browser is given a tree, not HTML: it makes the nodes one by one, so that nothing is parsed a
second time, no script or address is among them, and every text node is known with its source.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from rowen.documents.garbage import uncollected
from rowen.documents.html import lower
from rowen.documents.references import Decoded, decode
from rowen.documents.tree import Element, Node, Text, parse
from rowen.limits import VIEW_DEPTH
from rowen.model import Page, Span

View: TypeAlias = list[Any] | dict[str, Any]
"""An element: tag, attributes, children. A text: `x`, what it says, and `m`, where it came from.

`m` has three numbers for each piece: where it starts in `x`, in UTF-16 units, and where its source
starts and ends, in code points. A piece as long as its source stands there character by character;
any other stands for the whole of it, as a character reference does.
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
"""Elements that stay what they are; others become a `div` or a `span`."""
_HIDDEN = frozenset(
    {
        *("script", "template", "head", "title", "meta", "link", "base", "object", "embed"),
        *("applet", "iframe", "frame", "frameset", "noframes", "noembed", "audio", "video"),
        *("canvas", "map", "area", "param", "source", "track", "datalist", "basefont", "bgsound"),
    }
)
"""Elements that show no text of the page; what they have is marked in the source."""
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
        if node.tag == "style" and node.namespace == "html":
            styles.append(_harmless("".join(_texts(node))))
        elif node.tag == "title" and node.namespace == "html" and not title:
            title = " ".join("".join(_texts(node)).split())
        elif node.tag == "body" and body is None:
            body = node
    tree = ["body", {}] if body is None else _tree(page, body)
    return {"page": page.id, "title": title, "styles": styles, "tree": tree}


def _tree(page: Page, body: Element) -> View:
    made: list[Any] = ["body", _attributes(body)]
    waiting: list[tuple[list[Any], Iterator[Node], int]] = [(made, iter(body.children), 1)]
    while waiting:
        parent, nodes, depth = waiting[-1]
        node = next(nodes, None)
        if node is None:
            waiting.pop()
        elif isinstance(node, Text):
            parent.append(_text(page.text, node))
        elif isinstance(node, Element) and not _is_hidden(node):
            element: list[Any] = [_tag(node), _attributes(node)]
            if depth < VIEW_DEPTH:
                parent.append(element)
                waiting.append((element, iter(node.children), depth + 1))
            else:  # as browsers do: what is too deep lies beside its parent
                waiting.append((parent, iter(node.children), depth))
    return made


def _is_hidden(element: Element) -> bool:
    return element.tag in _HIDDEN or element.tag == "style"


def _tag(element: Element) -> str:
    if element.namespace != "html":
        return "span"
    tag = element.tag
    if tag == "textarea":
        return "pre"
    if tag in _SHOWN:
        return tag
    return "div" if tag in _BLOCKS else "span"


def _attributes(element: Element) -> dict[str, str]:
    kept = {one.name: one.value for one in element.attributes if one.name in _KEPT_ATTRIBUTES}
    if "style" in kept:
        kept["style"] = _harmless(kept["style"])
    if element.tag == "a" and element.attribute("href") is not None:
        kept["data-link"] = ""
    if element.tag == "img":
        kept["data-shown"] = element.attribute("alt") or ""
    elif element.tag == "input" and lower(kept.get("type", "")) != "hidden":
        kept["data-shown"] = kept.get("value", "")
    return kept


def _harmless(style: str) -> str:
    """Styles that load nothing and put nothing over the rest of the page.

    The frame's policy forbids to load what slips through; here nothing is even tried.
    """
    plain = _CSS_ESCAPE.sub(_unescape, style)
    still = _CSS_LOADS.sub(lambda found: "@none" if found[0][0] == "@" else "none(", plain)
    return _CSS_COVERS.sub(":static", still)


def _unescape(escape: re.Match[str]) -> str:
    """A letter that is written as it need not be, plainly; other escapes as they are."""
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
    if len(node.spans) == 1 and node.text == node.spans[0].of(source):
        return {"x": node.text, "m": [0, *node.spans[0]]}
    said: list[str] = []
    places: list[int] = []
    length, was_exact = 0, False
    for text, span in _pieces(source, node):
        exact = len(text) == span.end - span.start
        if exact and places and places[-1] == span.start and was_exact:
            places[-1] = span.end
        else:
            places += (length, span.start, span.end)
        was_exact = exact
        said.append(text)
        length += _units(text)
    return {"x": "".join(said), "m": places}


def _pieces(source: str, node: Text) -> Iterator[tuple[str, Span]]:
    """What a text node says, piece by piece, each with its source."""
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
    """A piece of the source as browsers read its line breaks."""
    at = 0
    for found in _LINE_BREAK.finditer(piece):
        if at < found.start():
            text = piece[at : found.start()].translate(_AS_BROWSERS_READ)
            yield text, Span(first + at, first + found.start())
        yield "\n", Span(first + found.start(), first + found.end())
        at = found.end()
    if at < len(piece):
        yield piece[at:].translate(_AS_BROWSERS_READ), Span(first + at, first + len(piece))


def _units(text: str) -> int:
    """How long JavaScript takes a text to be."""
    return len(text) if text.isascii() else len(text) + sum(sign > "\uffff" for sign in text)
