"""Microdata and RDFa: items that attributes of tags describe, as trees."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from rowen.programs.parts.data_tree import Node, Root, local_name, reads
from rowen.programs.parts.document import read_document
from rowen.programs.parts.literals import DATA_DEPTH
from rowen.programs.parts.open_elements import Element, Text
from rowen.programs.parts.references import resolve_references
from rowen.programs.parts.result import Place

ITEM_VISITS = 300_000
"""So many elements are looked at for the properties of a page's items."""
VALUE_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("data", "meter"), "value"),
    "object": "data",
    "time": "datetime",
}
"""The attribute that holds the value of a property, by its element."""


@dataclass
class Vocabulary:
    """The attributes of microdata, or those of RDFa, and what every page with such items has."""

    scope: str
    kind: str
    name: str
    references: str | None
    signs: tuple[re.Pattern[str], ...]


def _sign(name: str) -> re.Pattern[str]:
    value = r"(?=[\s=>/])" if name == "itemscope" else r"\s*+=\s*+[\"'\w]"
    return re.compile(rf"[\s\"'/]{name}{value}", re.IGNORECASE)


VOCABULARIES = {
    "microdata": Vocabulary(
        "itemscope", "itemtype", "itemprop", "itemref", (_sign("itemscope"), _sign("itemprop"))
    ),
    "rdfa": Vocabulary("typeof", "typeof", "property", None, (_sign("typeof"), _sign("property"))),
}

Said: TypeAlias = tuple[str, Place]
"""What something says, and where."""


@dataclass
class Item:
    """An item: the values of each property in page order."""

    element: Element
    types: list[Said]
    properties: "dict[str, list[Item | Said]]" = field(default_factory=dict)


@reads("microdata")
def read_microdata(page: str) -> Iterator[Root]:
    """The items of a page that are no property of others, in page order."""
    return _roots(page, "microdata")


@reads("rdfa")
def read_rdfa(page: str) -> Iterator[Root]:
    """The same, of RDFa Lite."""
    return _roots(page, "rdfa")


def _roots(page: str, origin: str) -> Iterator[Root]:
    vocabulary = VOCABULARIES[origin]
    if not all(sign.search(page) for sign in vocabulary.signs):
        return
    document = read_document(page)
    items = Items(page, document, vocabulary)
    for element in document.descendants():
        if (
            isinstance(element, Element)
            and items.attribute(element, vocabulary.scope) is not None
            and items.attribute(element, vocabulary.name) is None
        ):
            item = items.read(element, 0)
            if item is not None and item.properties:
                types = tuple(local_name(name) for name, _ in item.types)
                yield Root(origin, _tree(item, None), (), types)


class Items:
    """Reads the items of one page."""

    def __init__(self, page: str, document: Element, vocabulary: Vocabulary) -> None:
        self.page = page
        self.vocabulary = vocabulary
        self._visits = ITEM_VISITS
        self._by_id: dict[str, Element] = {}
        for node in document.descendants() if vocabulary.references else ():
            if isinstance(node, Element) and (said := self.attribute(node, "id")):
                self._by_id.setdefault(said[0], node)

    def attribute(self, element: Element, name: str) -> Said | None:
        """The first attribute of that name; its place is (-1, -1) without a value."""
        for key, start, end in element.tag.attributes if element.tag else ():
            if key == name:
                value = resolve_references(_lines(self.page[start:end]), attribute=True)
                return value, (start, end)
        if name in element.added:
            return resolve_references(_lines(element.added[name]), attribute=True), (-1, -1)
        return None

    def read(self, element: Element, depth: int) -> Item | None:
        """An item with all that is nested in it; None where it nests too deep."""
        if 2 * depth >= DATA_DEPTH or element.tag is None:
            return None
        item = Item(element, self._words(element, self.vocabulary.kind))
        seen = {id(element)}
        waiting = [*reversed(self._referenced(element)), *_elements(element)]
        while waiting and self._visits > 0:
            node = waiting.pop()
            self._visits -= 1
            if id(node) in seen:
                continue
            seen.add(id(node))
            is_item = self.attribute(node, self.vocabulary.scope) is not None
            names = self._words(node, self.vocabulary.name)
            if names:
                value = self.read(node, depth + 1) if is_item else self._value(node)
                for name, _ in names:
                    if value is not None:
                        item.properties.setdefault(name, []).append(value)
            if not is_item:
                waiting += _elements(node)
        return item

    def _referenced(self, element: Element) -> list[Element]:
        said = self.attribute(element, self.vocabulary.references or "")
        return [self._by_id[name] for name in (said or ("",))[0].split() if name in self._by_id]

    def _words(self, element: Element, name: str) -> list[Said]:
        """The words of an attribute, each with its place where it is written as it is meant."""
        said = self.attribute(element, name)
        if said is None or said[1][0] < 0:
            return []
        value, (at, end) = said
        words: list[Said] = []
        for word in value.split():
            start = self.page.find(word, at, end)
            at = start + len(word) if start >= 0 else at
            words.append((word, (start, at) if start >= 0 else said[1]))
        return words

    def _value(self, element: Element) -> Said | None:
        """What a property's element says: by an attribute, or by its text."""
        for name in ("content", VALUE_ATTRIBUTES.get(element.name, "")):
            said = self.attribute(element, name)
            if said is not None and said[1][0] >= 0:
                return said
        return None if element.name == "meta" else self._text(element)

    def _text(self, element: Element) -> Said | None:
        """The text of an element with white space as one blank, and from where to where it is."""
        texts: list[tuple[str, list[Place]]] = []
        for node in element.descendants():
            if isinstance(node, Text):
                text = "".join(self.page[slice(*place)] for place in node.places)
                text = _lines(text).replace("\0", "")
                said = text if node.literal else resolve_references(text, attribute=False)
                texts.append((said, node.places))
        read = [(text, places) for text, places in texts if text.strip()]
        if not read:
            return None
        (first, before), (last, after) = read[0], read[-1]
        start = before[0][0] + len(first) - len(first.lstrip())
        end = after[-1][1] - len(last) + len(last.rstrip())
        if start > end:
            start, end = before[0][0], after[-1][1]
        if start > end:
            # The parser moved text out of a table: what comes last is written first.
            return None
        return " ".join("".join(text for text, _ in texts).split()), (start, end)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _elements(element: Element) -> list[Element]:
    """The elements in an element, the last one first."""
    return [child for child in reversed(element.children) if isinstance(child, Element)]


def _tree(item: Item, key: str | None) -> Node:
    assert item.element.tag is not None
    node = Node("object", (item.element.tag.start, item.element.tag.end), key)
    types: list[Item | Said] = [(local_name(name), place) for name, place in item.types]
    for name, values in [*([("@type", types)] if types else []), *item.properties.items()]:
        single = len(values) == 1
        nodes = [
            _tree(value, name if single else None)
            if isinstance(value, Item)
            else Node("leaf", value[1], name if single else None, value[0])
            for value in values
        ]
        node.children += nodes if single else [Node("array", node.place, name, "", nodes)]
    return node
