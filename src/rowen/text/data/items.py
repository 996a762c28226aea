"""Microdata and RDFa: items that attributes of tags describe, as trees.

    <div itemscope itemtype="https://schema.org/Product">
      <b itemprop="name">Lamp</b> <a itemprop="url" href="/lamp">more</a>
      <p itemprop="offers" itemscope><meta itemprop="price" content="12">
    </div>

    {"@type": "Product", "name": "Lamp", "url": "/lamp", "offers": {"price": "12"}}

The value of a property is its `content`, or the attribute that the standard names for its element
(`href`, `src`, `datetime`, `value`), or else its text. A property with several values is an array.
RDFa Lite has other names for the same: `typeof`, `property`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from rowen.model import Page, Span
from rowen.text.data.sources import Origin, Root, local_name
from rowen.text.data.tree import DATA_DEPTH, BuiltTree, Kind
from rowen.text.tree import Element, Text, parse

ITEM_VISITS = 300_000
"""Limit: how many elements are looked at for the properties of a page's items. `itemref` may name
the same elements again and again."""

_SOURCE = "src"
_VALUE_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), _SOURCE),
    **dict.fromkeys(("data", "meter"), "value"),
    "object": "data",
    "time": "datetime",
}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The attributes of microdata, or those of RDFa."""

    origin: Origin
    scope: str
    kind: str
    name: str
    references: str | None
    """The attribute that names elements elsewhere with more properties."""

    @property
    def signs(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """What every page with such items has."""
        return _attribute(self.scope), _attribute(self.name)


@cache
def _attribute(name: str) -> re.Pattern[str]:
    value = r"(?=[\s=>/])" if name == "itemscope" else r"\s*+=\s*+[\"'\w]"
    return re.compile(rf"[\s\"'/]{name}{value}", re.IGNORECASE)


MICRODATA = Vocabulary("microdata", "itemscope", "itemtype", "itemprop", "itemref")
RDFA = Vocabulary("rdfa", "typeof", "typeof", "property", None)


@dataclass(slots=True)
class _Item:
    """An item before it is a tree: the values of each property in page order."""

    element: Element
    types: list[tuple[str, Span]]
    properties: "dict[str, list[_Item | tuple[str, Span]]]" = field(default_factory=dict)


def read_items(page: Page, vocabulary: Vocabulary) -> Iterator[Root]:
    """The items of a page that are no property of others, in page order."""
    # Most pages have none, and building the tree of HTML is what takes the time. `typeof` and
    # `property` are words of scripts as well.
    if not all(pattern.search(page.text) for pattern in vocabulary.signs):
        return
    document = parse(page)
    reader = _Reader(document, vocabulary, page.text)
    for node in document.descendants():
        if not isinstance(node, Element) or node.attribute(vocabulary.scope) is None:
            continue
        if node.attribute(vocabulary.name) is not None:
            continue
        item = reader.read(node, 0)
        if item is not None and item.properties:
            types = tuple(local_name(name) for name, _ in item.types)
            yield Root(vocabulary.origin, _tree_of(item), 0, (), types)


class _Reader:
    """Reads the items of one page."""

    def __init__(self, document: Element, vocabulary: Vocabulary, text: str) -> None:
        self.vocabulary = vocabulary
        self.text = text
        self.visits = ITEM_VISITS
        self.by_id: dict[str, Element] = {}
        if vocabulary.references is not None:
            for node in document.descendants():
                if isinstance(node, Element) and (name := node.attribute("id")):
                    self.by_id.setdefault(name, node)

    def read(self, element: Element, depth: int) -> _Item | None:
        """An item with all that is nested in it; None below `DATA_DEPTH`."""
        # Each item is two levels of its tree where a property has several values.
        if 2 * depth >= DATA_DEPTH or element.start_tag is None:
            return None
        item = _Item(element, _words(element, self.vocabulary.kind, self.text))
        seen: set[Element] = {element}
        waiting = [*reversed(self._referenced(element)), *reversed(_elements(element))]
        while waiting and self.visits > 0:
            node = waiting.pop()
            self.visits -= 1
            if node in seen:
                continue
            seen.add(node)
            names = _words(node, self.vocabulary.name, self.text)
            scoped = node.attribute(self.vocabulary.scope) is not None
            if names:
                value = self.read(node, depth + 1) if scoped else _value(node)
                for name, _ in names if value is not None else ():
                    assert value is not None
                    item.properties.setdefault(name, []).append(value)
            if not scoped:
                waiting.extend(reversed(_elements(node)))
        return item

    def _referenced(self, element: Element) -> list[Element]:
        if self.vocabulary.references is None:
            return []
        names = (element.attribute(self.vocabulary.references) or "").split()
        return [self.by_id[name] for name in names if name in self.by_id]


def _elements(element: Element) -> list[Element]:
    return [child for child in element.children if isinstance(child, Element)]


def _words(element: Element, name: str, text: str) -> list[tuple[str, Span]]:
    """The words of an attribute, each with its place where it is written as it is meant."""
    attribute = next((entry for entry in element.attributes if entry.name == name), None)
    if attribute is None or attribute.value_span is None:
        return []
    words = []
    at, end = attribute.value_span
    for word in attribute.value.split():
        start = text.find(word, at, end)
        at = start + len(word) if start >= 0 else at
        words.append((word, Span(start, at) if start >= 0 else attribute.value_span))
    return words


def _value(element: Element) -> tuple[str, Span] | None:
    """What a property's element says, and where; None where that can't be traced back."""
    names = ("content", _VALUE_ATTRIBUTES.get(element.tag, ""))
    for name in filter(None, names):
        for attribute in element.attributes:
            if attribute.name == name and attribute.value_span is not None:
                return attribute.value, attribute.value_span
    if element.tag == "meta":
        return None
    return _text(element)


def _text(element: Element) -> tuple[str, Span] | None:
    """The text of an element with white space as one blank, and from where to where it is."""
    texts = [node for node in element.descendants() if isinstance(node, Text)]
    said = [node for node in texts if node.text.strip() and node.spans]
    if not said:
        return None
    first, last = said[0], said[-1]
    leading = len(first.text) - len(first.text.lstrip())
    trailing = len(last.text) - len(last.text.rstrip())
    # White space at the edges is nearly always written as it is; references there stay inside.
    start, end = first.spans[0].start + leading, last.spans[-1].end - trailing
    if start > end:
        start, end = first.spans[0].start, last.spans[-1].end
    if start > end:
        # The parser moved text out of a table: what comes last is written first.
        return None
    return " ".join("".join(node.text for node in texts).split()), Span(start, end)


def _tree_of(item: _Item) -> BuiltTree:
    tree = BuiltTree()
    _add(tree, item, -1, None)
    return tree


def _add(tree: BuiltTree, item: _Item, parent: int, key: str | None) -> None:
    assert item.element.start_tag is not None
    node = tree.add(Kind.OBJECT, parent, key, item.element.start_tag)
    if item.types:
        kinds: list[_Item | tuple[str, Span]] = [
            (local_name(name), span) for name, span in item.types
        ]
        _add_values(tree, node, "@type", kinds)
    for name, values in item.properties.items():
        _add_values(tree, node, name, values)
    tree.close(node)


def _add_values(
    tree: BuiltTree, parent: int, key: str, values: "list[_Item | tuple[str, Span]]"
) -> None:
    """A single value as it is, several as an array."""
    around, name = parent, None if len(values) > 1 else key
    if len(values) > 1:
        around = tree.add(Kind.ARRAY, parent, key, tree.span(parent))
    for value in values:
        if isinstance(value, _Item):
            _add(tree, value, around, name)
        else:
            tree.add(Kind.STRING, around, name, value[1], value[0])
    if around != parent:
        tree.close(around)
