"""Paths to a wrapper's values in the trees of pages: searched for there, and checked.

A wrapper reads a page's source and a path its tree, so that no path can be proved to agree with it
on every page. One is written where it finds what a reader sees of the wrapper's values on all pages
at hand, with lxml. `xpath` and `css` say how paths are written.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Protocol, TypeAlias

from rowen.model import Page, Span, UsageError
from rowen.model.extras import needs
from rowen.programs.refusal import OTHER_FORMS, refuse
from rowen.records import Record
from rowen.records.nested import Nested
from rowen.text.visible import INLINE
from rowen.values.clean import clean, tidy
from rowen.wrappers.base import Wrapper

PATHS_TRIED = 2_000
"""Limit: how many paths are tried for a field, or for the records, before the search gives up."""

Element: TypeAlias = Any
"""An element of lxml, which has no types."""
Values: TypeAlias = dict[str, list[Any]]
"""The texts of each field, or the values of the records in it."""

LEVELS = 3
"""How many elements a path names at most on the way to a value."""
TELLING = ("id", "class", "itemprop", "property", "rel", "name", "headers", "data-label")
"""Attributes that say what an element is for."""
LONGEST = 60
"""Attributes with longer values are data, not names."""

_BREAK, _RAISED = "\n", "\x00"
_RAISED_DIGITS = re.compile(rf"(?<=\d){_RAISED}+(?=\d)")


class Notation(Protocol):
    """How paths are written."""

    name: str
    """What it is called in messages, as in `no simple XPath`."""
    start: str
    """What a path from the top of a page begins with."""
    inner: str
    """What a path inside the element of a record begins with."""
    between: str
    """What is between two elements of a path: the second is a child of the first."""
    text: str
    """What selects the text of an element."""
    attribute: str
    """What selects an attribute, with `{}` for its name."""

    @abstractmethod
    def steps(self, element: Element) -> Iterator[tuple[int, str]]:
        """Ways to name an element, each with a number that is higher the sooner it breaks."""

    @abstractmethod
    def part_of_text(self, number: int) -> str | None:
        """What selects a text by its number among those of its element; None where nothing does."""

    @abstractmethod
    def xpath(self, path: str) -> str:
        """The path as lxml takes it."""


@dataclass(frozen=True)
class _Scope:
    """An element that holds a record, and the record's values."""

    element: Element
    values: Values


class _NoPath(Exception):  # noqa: N818  # becomes a refusal
    """There is no path, for this reason."""


def paths(wrapper: Wrapper, pages: Iterable[Page], notation: Notation) -> str:
    """One line for the elements that are records, where pages have several, and one per field."""
    trees = [
        (
            _tree(page, notation),
            [_values(wrapper, record, notation) for record in wrapper.extract(page)],
        )
        for page in pages
    ]
    if not trees:
        raise UsageError(
            f"{notation.name}s are searched for and checked on pages: give at least one"
        )
    if not any(records for _, records in trees):
        raise refuse(wrapper, notation.name, "it finds nothing on these pages")
    search = _Search(notation)
    try:
        if all(len(records) <= 1 for _, records in trees):
            scopes = [_Scope(root, records[0] if records else {}) for root, records in trees]
            lines = search.fields(wrapper.columns, scopes, notation.start)
        else:
            lines = search.records(wrapper.columns, trees)
    except _NoPath as reason:
        raise refuse(wrapper, notation.name, f"{reason}; {OTHER_FORMS}") from None
    return "".join(f"{name}: {path}\n" for name, path in lines.items())


def _tree(page: Page, notation: Notation) -> Element:
    with needs("xpath", f"checking {notation.name}s"):
        from lxml import html
    # lxml refuses half a surrogate pair: it becomes a question mark.
    source = page.text.encode("utf-8", "replace")
    tree = html.document_fromstring(source or b"<p>", parser=html.HTMLParser(encoding="utf-8"))
    return tree.getroottree()


def _values(wrapper: Wrapper, record: Record, notation: Notation) -> Values:
    if record.children or wrapper.wrapper_class == "tree":
        raise refuse(wrapper, notation.name, f"its records are nested; {OTHER_FORMS}")
    return {
        name: [_values(wrapper, inner, notation) for inner in where]
        if isinstance(where, Nested)
        else [clean(record.page, *span) for span in _spans(where)]
        for name, where in record.stored()
    }


def _spans(where: Span | tuple[Span, ...] | None) -> tuple[Span, ...]:
    return (where,) if isinstance(where, Span) else where or ()


class _Search:
    """Looks for paths of one notation."""

    def __init__(self, notation: Notation) -> None:
        self._notation = notation

    def records(
        self, fields: Sequence[str], trees: Sequence[tuple[Element, list[Values]]]
    ) -> dict[str, str]:
        """Elements that hold the values of one record each."""
        notation = self._notation
        # The page with most records excludes most candidates.
        root, records = max(trees, key=lambda tree: len(tree[1]))
        reason = "no elements hold one record each"
        for path in islice(self._paths(_holders(root, records), notation.start), PATHS_TRIED):
            scopes: list[_Scope] = []
            selector = notation.xpath(path)
            for tree, values in trees:
                elements = tree.xpath(selector)
                if len(elements) != len(values):
                    break
                scopes += map(_Scope, elements, values)
            else:
                try:
                    return {"(records)": path, **self.fields(fields, scopes, notation.inner)}
                except _NoPath as error:
                    reason = str(error)
        raise _NoPath(reason)

    def fields(self, fields: Sequence[str], scopes: Sequence[_Scope], start: str) -> dict[str, str]:
        """A path for each field; where it holds records, those of their fields, too."""
        lines: dict[str, str] = {}
        for name in fields:
            if any(isinstance(value, dict) for scope in scopes for value in _of(scope, name)):
                lines |= self._nested(name, scopes, start)
            else:
                lines[name] = self._field(name, scopes, start)
        return lines

    def _nested(self, name: str, scopes: Sequence[_Scope], start: str) -> dict[str, str]:
        """A path for the elements that hold the records of a field, and those inside them."""
        fullest = max(scopes, key=lambda scope: len(_of(scope, name)))
        reason = f"field {name!r}: no elements hold one record each"
        holders = _holders(fullest.element, _of(fullest, name))
        rows = (row for scope in scopes for row in _of(scope, name))
        fields = list(dict.fromkeys(key for row in rows for key in row))
        for path in islice(self._paths(holders, start), PATHS_TRIED):
            selector = self._notation.xpath(path)
            inner: list[_Scope] = []
            for scope in scopes:
                elements = scope.element.xpath(selector)
                if len(elements) != len(_of(scope, name)):
                    break
                inner += map(_Scope, elements, _of(scope, name))
            else:
                try:
                    lines = self.fields(fields, inner, self._notation.inner)
                except _NoPath as error:
                    reason = f"{name}: {error}"
                else:
                    return {name: path, **{f"{name}.{key}": line for key, line in lines.items()}}
        raise _NoPath(reason)

    def _field(self, name: str, scopes: Sequence[_Scope], start: str) -> str:
        """A path that finds the field's values in every scope, and nothing else."""
        notation = self._notation
        first = next((scope for scope in scopes if any(scope.values.get(name, ()))), None)
        if first is None:
            raise _NoPath(f"field {name!r} is on none of these pages; give some that have it")
        value = next(filter(None, first.values[name]))
        holders = list(self._holding(first.element, value))
        if not holders:
            raise _NoPath(
                f"field {name!r}: {value[:40]!r} is only a part of a text or an attribute"
            )
        # The scope that has most to exclude refuses most candidates.
        order = sorted(scopes, key=lambda scope: len(scope.values.get(name, ())) == 1)
        for path in islice(self._paths(holders, start), PATHS_TRIED):
            selector = notation.xpath(path)
            if all(
                _texts(scope.element, selector) == scope.values.get(name, []) for scope in order
            ):
                return path
        raise _NoPath(
            f"field {name!r}: no simple {notation.name} finds its values and nothing else"
        )

    def _holding(self, scope: Element, value: str) -> Iterator[tuple[Element, str]]:
        """Elements that have a value, each with the step to it: a text, an attribute, all of it."""
        notation = self._notation
        inside = [element for element in scope.iter() if isinstance(element.tag, str)]
        for element in inside:
            texts = [tidy(text) for text in element.xpath("text()[normalize-space()]")]
            if texts == [value]:
                yield element, notation.text
            # A text beside others in its element: by its number among them.
            elif value in texts:
                part = notation.part_of_text(texts.index(value) + 1)
                if part is not None:
                    yield element, part
        for element in inside:
            for name, attribute in element.attrib.items():
                if tidy(attribute) == value and is_plain(name):
                    yield element, notation.attribute.format(name)
        for element in reversed(inside):  # the innermost one comes last
            if len(element) and _seen(element) == value:
                yield element, ""

    def _paths(self, holders: Sequence[tuple[Element, str]], start: str) -> Iterator[str]:
        """Paths to elements, each with its last step, the plainest first."""
        between = self._notation.between
        for levels in range(1, LEVELS + 1):
            ways: dict[str, int] = {}
            for element, last in holders:
                chain = [element, *islice(element.iterancestors(), levels - 1)]
                if len(chain) == levels:
                    for way in product(*(list(self._notation.steps(link)) for link in chain)):
                        path = between.join(step for _, step in reversed(way))
                        ways.setdefault(f"{start}{path}{last}", sum(cost for cost, _ in way))
            yield from sorted(ways, key=ways.__getitem__)


def _of(scope: _Scope, name: str) -> list[Any]:
    return scope.values.get(name, [])


def _holders(root: Element, records: Sequence[Values]) -> list[tuple[Element, str]]:
    """The smallest element that has the first record's values, and those around it."""
    texts = list(_all_texts(records[0]))
    if not texts:
        return []
    smallest, size = None, 0
    for element in root.iter():
        if isinstance(element.tag, str):
            shown = _everything(element)
            # Of elements with the same text the innermost, which comes last, is taken.
            if all(text in shown for text in texts) and (smallest is None or len(shown) <= size):
                smallest, size = element, len(shown)
    if smallest is None:
        return []
    return [(holder, "") for holder in (smallest, *islice(smallest.iterancestors(), LEVELS))]


def _all_texts(values: Values) -> Iterator[str]:
    """The texts of a record and of those in it."""
    for value in (value for of_field in values.values() for value in of_field):
        if isinstance(value, dict):
            yield from _all_texts(value)
        elif value:
            yield value


def _everything(element: Element) -> str:
    """The texts and the attributes' values in an element."""
    attributes = [value for inner in element.iter() for value in inner.attrib.values()]
    return tidy(f"{_seen(element)} {' '.join([*element.itertext(), *attributes])}")


def _texts(scope: Element, selector: str) -> list[str]:
    """The texts that a path selects in an element."""
    nodes = scope.xpath(selector)
    return [tidy(node) if isinstance(node, str) else _seen(node) for node in nodes]


def _seen(element: Element) -> str:
    """The text of an element as its reader sees it."""
    text = "".join(_pieces(element))
    return tidy(_RAISED_DIGITS.sub(" ", text).replace(_RAISED, ""))


def _pieces(element: Element) -> Iterator[str]:
    """The texts in an element, with signs for what its tags do to them."""
    # Not by recursion: pages may nest a thousand elements deep.
    pending: list[Element | str] = [element]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
            continue
        children = []
        for child in item:
            edge = _edge(child)
            children += (
                [edge, child, edge, child.tail or ""] if edge is not None else [child.tail or ""]
            )
        if item.tag not in ("script", "style"):
            pending += reversed([item.text or "", *children])


def _edge(element: Element) -> str | None:
    """What a tag is seen as; None where the element is a comment or the like."""
    if not isinstance(element.tag, str):
        return None
    if element.tag in INLINE:
        return _RAISED if element.tag in ("sub", "sup") else ""
    return _BREAK


def is_plain(name: object) -> bool:
    """Whether a path can name it; broken pages have elements such as `a:b`, lxml has comments."""
    return isinstance(name, str) and re.fullmatch(r"[a-zA-Z][\w-]*", name, re.ASCII) is not None


def place_of(element: Element) -> int:
    """The number of an element among those of its name around it, from 1."""
    before = element.itersiblings(preceding=True)
    return 1 + sum(bool(sibling.tag == element.tag) for sibling in before)
