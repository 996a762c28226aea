"""Hostile XML to a tree: no entity is expanded, and nothing is loaded.

The parser is expat, with these refusals: entities that a document declares itself (they may double
at every step), nesting beyond `XML_DEPTH`, and more than `XML_NODES` elements. External DTDs are
not read; the names of characters that they would define (`&nbsp;`, `&alpha;`) are those of HTML.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from typing import NoReturn
from xml.parsers import expat

from rowen.model.errors import DocumentError

XML_DEPTH = 200
"""Limit: how deeply elements of an XML paper may be nested. Papers have twenty levels."""

XML_NODES = 1_000_000
"""Limit: elements of an XML paper; the longest papers have a hundred thousand."""


@dataclass(slots=True)
class Element:
    """An element: its name without a prefix, its attributes, and elements and texts in it."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    def elements(self, *names: str) -> Iterator["Element"]:
        """The children with one of these names; all elements if there is no name."""
        for child in self.children:
            if isinstance(child, Element) and (not names or child.name in names):
                yield child

    def first(self, *path: str) -> "Element | None":
        """The first element at the end of a path of names."""
        if not path:
            return self
        for child in self.elements(path[0]):
            if (match := child.first(*path[1:])) is not None:
                return match
        return None

    def every(self, *names: str) -> Iterator["Element"]:
        """The elements with one of these names at any depth, in order; none inside another."""
        for child in self.elements():
            if child.name in names:
                yield child
            else:
                yield from child.every(*names)

    def text(self, *, without: frozenset[str] = frozenset()) -> str:
        """The text with single spaces, leaving some elements out."""
        return " ".join("".join(self.pieces(without)).split())

    def pieces(self, without: frozenset[str]) -> Iterator[str]:
        """The texts in order, with a space after each block."""
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.name not in without:
                yield from child.pieces(without)
                if child.name in _BLOCKS:
                    yield " "


_BLOCKS = frozenset(
    {"p", "title", "sec", "list-item", "label", "break", "td", "th", "disp-formula"}
)


def parse_xml(text: str, name: str) -> Element:
    """The root element of an XML text; DocumentError where it is broken or hostile."""
    return _Builder(name).parsed(text)


class _Builder:
    def __init__(self, name: str) -> None:
        self._name = name
        self._open = [Element("")]
        self._count = 0

    def parsed(self, text: str) -> Element:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        # Without a DTD expat rejects all named characters; with a foreign one they are skipped.
        parser.UseForeignDTD(True)  # noqa: FBT003  # expat's own signature
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._open_text
        parser.EntityDeclHandler = self._refuse
        parser.ExternalEntityRefHandler = lambda *_: 1
        parser.SkippedEntityHandler = self._skipped
        try:
            # The text is decoded already, whatever encoding it declares.
            parser.Parse(_declared_as_utf_8(text).encode("utf-8", "replace"), True)  # noqa: FBT003
        except expat.ExpatError as error:
            raise DocumentError(self._name, f"is broken XML: {error}") from None
        root = next(self._open[0].elements(), None)
        if root is None:
            raise DocumentError(self._name, "is XML without an element")
        return root

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) > XML_DEPTH or self._count > XML_NODES:
            raise DocumentError(
                self._name,
                f"is XML with more than {XML_NODES:,} elements or {XML_DEPTH} nested ones",
            )
        element = Element(name.rpartition(":")[2], attributes)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _open_text(self, text: str) -> None:
        self._open[-1].children.append(text)

    def _skipped(self, name: str, parameter: bool) -> None:  # noqa: FBT001  # expat calls it so
        if not parameter:
            self._open_text(html5.get(f"{name};", ""))

    def _refuse(self, *_: object) -> NoReturn:
        raise DocumentError(self._name, "is XML that declares entities, which are not expanded")


def _declared_as_utf_8(text: str) -> str:
    """The text without its XML declaration, which may name another encoding."""
    start = text.lstrip("\ufeff \t\r\n")
    return start[start.index("?>") + 2 :] if start.startswith("<?xml") and "?>" in start else start
