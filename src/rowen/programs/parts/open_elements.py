"""The open elements of a page while its tree is built, as the WHATWG's standard has them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from rowen.programs.parts.result import Place
from rowen.programs.parts.tags import Tag

# fmt: off
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS = {
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl",
    "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "listing", "main", "menu",
    "nav", "ol", "p", "pre", "search", "section", "summary", "ul",
}
"""Their start tags end an open paragraph."""
VOID = {
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
}
HEAD_ELEMENTS = {
    "base", "basefont", "bgsound", "link", "meta", "noframes", "script", "style", "template",
    "title",
}
SECTIONS = {"tbody", "tfoot", "thead"}
CELLS = {"td", "th"}
TABLE_PARTS = {"caption", "col", "colgroup", "tr", *SECTIONS, *CELLS}
FOSTERING = {"table", "tr", *SECTIONS}
"""What does not belong into these is put before the table."""
IMPLIED_ENDS = {"dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"}
MARKING = {"applet", "marquee", "object"}
INTEGRATING = {"annotation-xml", "desc", "foreignobject", "mi", "mn", "mo", "ms", "mtext", "title"}
"""Elements of SVG and MathML that hold HTML."""
SPECIAL = {
    "body", "button", "dd", "dt", "form", "frameset", "head", "html", "iframe", "li", "noembed",
    "noscript", "plaintext", "select", "table", "textarea", "xmp",
    *(BLOCKS - {"dialog"}), *HEADINGS, *VOID, *HEAD_ELEMENTS, *TABLE_PARTS, *MARKING,
}
"""Elements at which the search ends for what an end tag ends."""
LITERAL = {"iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"}
"""Elements that hold a text without references."""
SCOPE = {"caption", "html", "select", "table", "template", *CELLS, *MARKING}
TABLE_SCOPE = {"html", "table", "template"}
# fmt: on

ROUNDS = 8
"""How often the adoption agency runs for an end tag."""
INNER_ROUNDS = 3
"""How many formatting elements it copies in a round."""
EQUALS = 3
"""How many equal formatting elements are opened again at most."""


@dataclass(eq=False)
class Text:
    """A text by its pieces: parsers join texts across tags that they ignore."""

    places: list[Place]
    literal: bool = False
    """Whether ampersands in it are no references, as in scripts."""


@dataclass(eq=False)
class Element:
    """An element; without a tag where the parser supplies it."""

    name: str
    tag: Tag | None = None
    foreign: bool = False
    copied: Tag | None = None
    """The tag of the element that it is a copy of."""
    added: dict[str, str] = field(default_factory=dict)
    """What a second `<html>` or `<body>` adds to the attributes of the first."""
    parent: "Element | None" = None
    children: "list[Element | Text | None]" = field(default_factory=list)
    """None stands for a comment."""

    def descendants(self) -> "Iterator[Element | Text]":
        """All elements and texts below this one, in document order."""
        waiting = list(reversed(self.children))
        while waiting:
            node = waiting.pop()
            if node is not None:
                yield node
            if isinstance(node, Element):
                waiting += reversed(node.children)

    def take(self, child: "Element", at: int | None = None) -> None:
        """Make an element a child, and no longer that of another."""
        if child.parent is not None:
            child.parent.children.remove(child)
        child.parent = self
        self.children.insert(len(self.children) if at is None else at, child)


class OpenElements:
    """The open elements, and the formatting elements that are opened again after others."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.root = Element("")
        self.open: list[Element] = []
        self.formatting: list[Element | None] = []
        """None is a marker: what is before it is not opened again behind it."""
        self.fostering = False

    @property
    def current(self) -> Element:
        """The innermost open element."""
        return self.open[-1] if self.open else self.root

    def insert(self, name: str, tag: Tag | None = None, *, foreign: bool = False) -> Element:
        """Open a new element."""
        return self._insert(Element(name, tag, foreign))

    def _insert(self, element: Element) -> Element:
        """Open an element at the place where new nodes go."""
        parent, at = self._place(self.current)
        parent.take(element, at)
        self.open.append(element)
        return element

    def insert_text(self, places: list[Place]) -> None:
        """Add a text, to the one before it where there is one."""
        parent, at = self._place(self.current)
        at = len(parent.children) if at is None else at
        before = parent.children[at - 1] if at else None
        if isinstance(before, Text):
            before.places += places
        else:
            parent.children.insert(at, Text(places, literal=parent.name in LITERAL))

    def _place(self, target: Element) -> tuple[Element, int | None]:
        """Where a new node goes: to the end of an element, or before the table."""
        if not self.fostering or target.name not in FOSTERING:
            return target, None
        for number in range(len(self.open) - 1, -1, -1):
            element = self.open[number]
            if element.name == "template":
                return element, None
            if element.name == "table":
                if element.parent is None:
                    return self.open[number - 1], None
                return element.parent, element.parent.children.index(element)
        return self.open[0], None

    def has(self, names: Collection[str], stops: Collection[str] = SCOPE) -> bool:
        """Whether such an element is open in a scope, which ends at other elements."""
        for element in reversed(self.open):
            if not element.foreign and element.name in names:
                return True
            if element.name in (INTEGRATING if element.foreign else stops):
                return False
        return False

    def has_in_buttons(self, name: str) -> bool:
        """The same, where buttons end the scope, too."""
        return self.has({name}, SCOPE | {"button"})

    def pop_until(self, names: Collection[str]) -> None:
        """Close elements up to the innermost of those names."""
        while self.open:
            element = self.open.pop()
            if not element.foreign and element.name in names:
                return

    def pop_to(self, names: Collection[str]) -> None:
        """Close the elements inside the innermost of those names."""
        while self.open and self.current.name not in {*names, "html", "template"}:
            self.open.pop()

    def imply_ends(self, but: str = "") -> None:
        """Close elements whose end tags may be left out."""
        while self.current.name in IMPLIED_ENDS and self.current.name != but:
            self.open.pop()

    def close_paragraph(self) -> None:
        """Close an open paragraph."""
        if self.has_in_buttons("p"):
            self.imply_ends("p")
            self.pop_until({"p"})

    def clear_formatting(self) -> None:
        """Forget the formatting elements since the last marker."""
        while self.formatting and self.formatting.pop() is not None:
            pass

    def remember(self, element: Element) -> None:
        """Note a formatting element; of many equal ones the first is forgotten."""
        equals = []
        for earlier in reversed(self.formatting):
            if earlier is None:
                break
            if earlier.name == element.name and self._written(earlier) == self._written(element):
                equals.append(earlier)
        if len(equals) >= EQUALS:
            self.formatting.remove(equals[-1])
        self.formatting.append(element)

    def _written(self, element: Element) -> set[tuple[str, str]]:
        tag = element.tag or element.copied
        attributes = tag.attributes if tag else []
        return {(name, self.page[start:end]) for name, start, end in attributes}

    def reopen(self) -> None:
        """Open the formatting elements again that others closed."""
        at = len(self.formatting)
        while at and (last := self.formatting[at - 1]) is not None and last not in self.open:
            at -= 1
        for number in range(at, len(self.formatting)):
            element = self.formatting[number]
            assert element is not None
            self.formatting[number] = self._insert(_copy(element))

    def end_any(self, name: str) -> None:
        """The end tag of an element without rules of its own."""
        for number in range(len(self.open) - 1, -1, -1):
            element = self.open[number]
            if element.name == name and not element.foreign:
                self.imply_ends(name)
                del self.open[number:]
                return
            if element.name in SPECIAL and not element.foreign:
                return

    def end_formatting(self, name: str) -> None:
        """The end tag of a formatting element: the standard's adoption agency."""
        if self.current.name == name and self.current not in self.formatting:
            self.open.pop()
            return
        for _ in range(ROUNDS):
            element = self._formatting_element(name)
            if element is None:
                self.end_any(name)
                return
            if element not in self.open:
                self.formatting.remove(element)
                return
            if not self.has({name}):
                return
            at = self.open.index(element)
            inner = (each for each in self.open[at:] if each.name in SPECIAL and not each.foreign)
            furthest = next(inner, None)
            if furthest is None:
                del self.open[at:]
                self.formatting.remove(element)
                return
            self._adopt(element, furthest)

    def _formatting_element(self, name: str) -> Element | None:
        for element in reversed(self.formatting):
            if element is None or element.name == name:
                return element
        return None

    def _adopt(self, element: Element, furthest: Element) -> None:
        """Split a formatting element: a copy of it goes inside the block that it reaches into."""
        around = self.open[self.open.index(element) - 1]
        bookmark = self.formatting.index(element)
        last = furthest
        number = self.open.index(furthest)
        rounds = 0
        while (node := self.open[number - 1]) is not element:
            number -= 1
            rounds += 1
            if rounds > INNER_ROUNDS and node in self.formatting:
                place = self.formatting.index(node)
                bookmark -= place < bookmark
                del self.formatting[place]
            if node not in self.formatting:
                del self.open[number]
                continue
            copy = _copy(node)
            place = self.formatting.index(node)
            self.formatting[place] = self.open[number] = copy
            if last is furthest:
                bookmark = place + 1
            copy.take(last)
            last = copy
        if last.parent is not None:
            last.parent.children.remove(last)
            last.parent = None
        fostering, self.fostering = self.fostering, True
        parent, at = self._place(around)
        self.fostering = fostering
        parent.take(last, at)
        copy = _copy(element)
        copy.children, furthest.children = furthest.children, []
        for child in copy.children:
            if isinstance(child, Element):
                child.parent = copy
        furthest.take(copy)
        place = self.formatting.index(element)
        self.formatting.insert(bookmark, copy)
        del self.formatting[place + (bookmark <= place)]
        self.open.remove(element)
        self.open.insert(self.open.index(furthest) + 1, copy)


def _copy(element: Element) -> Element:
    return Element(element.name, copied=element.tag or element.copied)
