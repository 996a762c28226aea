"""How the elements of a page are shown: as which element, and with which attributes.

Nothing that runs, loads, submits or navigates is among them. An element that is shown as another
one has its own tag in an attribute, so that the page's style sheets find it.
"""

import re
from typing import Final

from rowen.studio.saved.css import LINK, TAG
from rowen.studio.saved.files import Files
from rowen.text.html_tokens import lower
from rowen.text.tree import Element, Text

ALTERNATIVE = "data-rowen-shown"
"""The attribute with the text that stands for an image without a file, or for an input."""
FOLDED = "data-rowen-folded"
"""The attribute of an element that is shown folded; its value is the text to show instead."""
FRAME = "data-rowen-frame"
"""The attribute with the address of a frame."""
SVG = "svg:"
"""Before the tags of elements of SVG."""

BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2"),
        *("h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li", "listing", "main"),
        *("menu", "nav", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section"),
        *("select", "summary", "textarea", "ul", "xmp", "noscript", "body", "html"),
    }
)
SHOWN = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "caption", "cite", "code"),
        *("col", "colgroup", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label"),
        *("mark", "meter", "nobr", "output", "progress", "q", "rp", "rt", "ruby", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot"),
        *("th", "thead", "time", "tr", "tt", "u", "var", "wbr"),
    }
) | BLOCKS - {
    *("form", "noscript", "body", "html", "select", "option", "optgroup", "textarea"),
    *("plaintext", "dialog", "details", "summary"),
}
"""Elements that are shown as they are; others become a `div` or a `span`."""
HIDDEN = frozenset(
    {
        *("script", "template", "head", "title", "meta", "link", "base", "object", "embed"),
        *("applet", "iframe", "frame", "frameset", "noframes", "noembed", "audio", "video"),
        *("canvas", "map", "area", "param", "source", "track", "datalist", "basefont", "bgsound"),
        "style",
    }
)
"""Elements without visible text; their content can be marked in the source view."""
KEPT_ATTRIBUTES = frozenset(
    {
        *("class", "id", "style", "title", "lang", "dir", "align", "valign", "width", "height"),
        *("bgcolor", "color", "face", "size", "border", "cellpadding", "cellspacing", "colspan"),
        *("rowspan", "span", "start", "type", "value", "reversed", "nowrap", "noshade", "hidden"),
        *("role", "open", "disabled", "checked", "selected", "clear", "datetime"),
    }
)
SVG_SHOWN = frozenset(
    {
        *("svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text"),
        *("tspan", "defs", "symbol", "use", "clipPath", "mask", "pattern", "marker", "stop"),
        *("linearGradient", "radialGradient", "desc", "foreignObject"),
    }
)
"""Elements of SVG that are shown as they are; others become a `g`. None of them loads or moves."""
SVG_ATTRIBUTES = frozenset(
    {
        *("viewBox", "preserveAspectRatio", "d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy"),
        *("r", "rx", "ry", "dx", "dy", "points", "transform", "offset", "pathLength", "rotate"),
        *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-linecap"),
        *("stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset"),
        *("stroke-opacity", "opacity", "clip-path", "clip-rule", "mask", "display", "visibility"),
        *("stop-color", "stop-opacity", "color", "font-size", "font-family", "font-weight"),
        *("text-anchor", "dominant-baseline", "vector-effect", "overflow", "gradientUnits"),
        *("gradientTransform", "spreadMethod", "fx", "fy", "fr", "clipPathUnits", "maskUnits"),
        *("maskContentUnits", "patternUnits", "patternContentUnits", "patternTransform"),
        *("markerWidth", "markerHeight", "markerUnits", "refX", "refY", "orient", "textLength"),
        *("marker-start", "marker-mid", "marker-end", "letter-spacing", "font-style"),
    }
)
_OWN_ELEMENT: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+){1,5}")
"""Elements that pages invent. Without scripts they are as harmless as a `span`."""
_FREE_ATTRIBUTE: Final = re.compile(r"(?:data-(?!rowen)|aria-)[a-z0-9_.-]{1,80}")
_URL: Final = re.compile(r"(?i)url|\\|image|src")
_OWN_URL: Final = re.compile(r"""(?i)url\(\s*["']?#[\w.:-]+["']?\s*\)(?:\s*[\w#.-]+)?""")
_SOURCES = ("srcset", "data-srcset", "data-src", "data-lazy-src", "data-original", "src")
"""As browsers choose them. `src` comes last: it may be a placeholder that a script replaces."""


def tag_of(element: Element) -> str:
    """The tag of the element that a page's element is shown as."""
    if element.namespace == "svg":
        return SVG + (element.tag if element.tag in SVG_SHOWN else "g")
    if element.namespace != "html":
        return "span"
    tag = element.tag
    if tag == "textarea":  # white space counts in it, and the frame must take no input
        return "pre"
    if tag in SHOWN or _OWN_ELEMENT.fullmatch(tag):
        return tag
    return "div" if tag in BLOCKS else "span"


def is_hidden(element: Element) -> bool:
    """Whether an element has no visible text."""
    return element.tag in HIDDEN


def attributes_of(element: Element, files: Files) -> dict[str, str]:
    """The attributes that an element is shown with."""
    if element.namespace == "svg":
        return _svg_attributes(element, files)
    shown = {
        attribute.name: attribute.value
        for attribute in element.attributes
        if attribute.name in KEPT_ATTRIBUTES or _FREE_ATTRIBUTE.fullmatch(attribute.name)
    }
    if "style" in shown:
        shown["style"] = files.attribute_style(shown["style"])
    tag = element.tag
    if tag != tag_of(element) and tag not in ("body", "html") and element.namespace == "html":
        shown[TAG] = tag
    if tag == "a" and element.attribute("href") is not None:
        shown[LINK] = ""
    elif tag == "input" and lower(shown.get("type", "")) != "hidden":
        shown[ALTERNATIVE] = shown.get("value") or element.attribute("placeholder") or ""
    elif tag == "select":
        shown[FOLDED] = _chosen(element)
    elif tag == "dialog" and "open" not in shown:
        shown["hidden"] = ""
    # A window shows backgrounds of old pages by style; the attribute itself would load.
    background = element.attribute("background")
    if background and (address := files.address(background)):
        shown["style"] = f'background-image:url("{address}");{shown.get("style", "")}'
    return shown


def image_of(element: Element, files: Files) -> list[object]:
    """An image: itself if there is a local file for it, else a text that stands for it."""
    attributes = attributes_of(element, files)
    address = next(filter(None, (files.address(source) for source in _sources(element))), None)
    alternative = element.attribute("alt") or ""
    if address is None:
        return ["span", {**attributes, ALTERNATIVE: alternative}]
    attributes.pop(TAG, None)
    return ["img", {**attributes, "src": address, "alt": alternative}]


def _sources(element: Element) -> list[str]:
    """The addresses of an image, the best one first."""
    picture = element.parent if element.parent is not None else element
    choices = picture.children if picture.tag == "picture" else ()
    sources = [
        address
        for choice in choices
        if isinstance(choice, Element) and choice.tag == "source"
        for address in _candidates(choice.attribute("srcset"))
    ]
    for name in _SOURCES:
        value = element.attribute(name)
        sources += _candidates(value) if name.endswith("srcset") else filter(None, [value])
    return sources


def _candidates(srcset: str | None) -> list[str]:
    """The addresses of a `srcset`. A comma and white space separate them: they may have commas."""
    parts = re.split(r",\s+|\s,", srcset or "")
    return [words[0].rstrip(",") for part in parts if (words := part.split())]


def _svg_attributes(element: Element, files: Files) -> dict[str, str]:
    shown: dict[str, str] = {}
    for attribute in element.attributes:
        name, value = attribute.name, attribute.value
        is_drawn = name in SVG_ATTRIBUTES and (
            not _URL.search(value) or _OWN_URL.fullmatch(value) is not None
        )
        if is_drawn or name in KEPT_ATTRIBUTES or _FREE_ATTRIBUTE.fullmatch(name):
            shown[name] = value
        elif name in ("href", "xlink:href") and element.tag == "use" and value[:1] == "#":
            shown["href"] = value
    if "style" in shown:
        shown["style"] = files.attribute_style(shown["style"])
    return shown


def _chosen(select: Element) -> str:
    """The text of the option that a list shows while it is closed."""
    options = [
        node for node in select.descendants() if isinstance(node, Element) and node.tag == "option"
    ]
    chosen = [option for option in options if option.attribute("selected") is not None] or options
    return f"{_words(chosen[0]) if chosen else ''} ▾"


def _words(element: Element) -> str:
    texts = (node.text for node in element.descendants() if isinstance(node, Text))
    return " ".join("".join(texts).split())[:80]
