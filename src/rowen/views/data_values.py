"""The values in a page's data, as a list that is shown beside the page and marked like its text.

Many pages are drawn by their scripts, from data that is written in the page:

    <div id="root"></div>
    <script id="state" type="application/json">{"shop": {"items": [{"name": "Lamp"}]}}</script>

    JSON script state
        shop.items
            1
                name    Lamp

A row has the span of the value, so that it is marked as what it is, however it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.model import Page, Span
from rowen.text.data import Kind, Origin, PageData, Root, Tree
from rowen.text.data.names import name_of
from rowen.text.data.tree import Path, ScannedTree
from rowen.text.tree import Element, Text
from rowen.views.elements import is_hidden
from rowen.views.mapped_texts import mapped

VALUES_SHOWN = 2_000
"""Limit: so many values of a page's data are listed, in page order, those of JSON-LD first."""

VALUE_CHARACTERS = 300
"""Limit: so much of a value is shown; a mark has all of it."""

NESTED_GROUPS = 8
"""Limit: so deep the groups of values nest; what is deeper has its path as its name."""

BARE_CHARACTERS = 300
"""A page with scripts that has less text than this outside of its menus is drawn by them."""

_ORIGINS: tuple[Origin, ...] = ("json-ld", "json", "script", "meta")
_TITLES: dict[Origin, str] = {
    "json-ld": "JSON-LD",
    "json": "JSON script",
    "script": "Script variable",
    "meta": "Meta tags",
}
_TECHNICAL = re.compile(
    r"viewport|theme-color|robots|googlebot|generator|referrer|format-detection|color-scheme"
    r"|(?:msapplication|apple|mobile-web-app|csrf)-.*|.*verification|.*verify.*",
    re.IGNORECASE,
)
"""Meta tags that say nothing about what the page is about."""

_ASIDE = frozenset(("nav", "header", "footer", "noscript"))
_VALUE, _NAME, _PART = "data-rowen-value", "data-rowen-name", "data-rowen-part"

Node: TypeAlias = list[Any]
"""An element of a view."""


def data_values(page: Page, body: Element | None, *, scripted: bool) -> dict[str, Any]:
    """The list as an element of a view, and how many values are in it.

    `in_scripts` is the number of those for programs; `more` says that there may be others.
    `bare` says that the page shows next to nothing without its scripts, if it is `scripted`.
    """
    listing = _Listing(page.text)
    data = PageData(page)
    groups: list[Node] = []
    for origin in _ORIGINS:
        if origin == "meta":
            in_scripts = listing.shown
        groups += filter(None, map(listing.group, data.of(origin)))
    return {
        "tree": ["div", {}, *groups] if groups else None,
        "shown": listing.shown,
        "in_scripts": in_scripts,
        "more": listing.shown >= VALUES_SHOWN,
        "bare": scripted and (body is None or _is_bare(body)),
    }


def _is_bare(body: Element) -> bool:
    left = BARE_CHARACTERS
    waiting = [body]
    while waiting:
        for child in waiting.pop().children:
            if isinstance(child, Text):
                left -= len(child.text.strip())
                if left <= 0:
                    return False
            elif isinstance(child, Element) and not is_hidden(child) and child.tag not in _ASIDE:
                waiting.append(child)
    return True


@dataclass
class _Listing:
    """Makes the groups and rows, and counts them."""

    source: str
    shown: int = 0
    is_meta: bool = False

    def group(self, root: Root) -> Node | None:
        """A root with its values; None if it has none, or none that may still be shown."""
        if self.shown >= VALUES_SHOWN:
            return None
        self.is_meta = root.origin == "meta"
        called = root.types or root.names
        title = " ".join(filter(None, (_TITLES[root.origin], ", ".join(called[:2]))))
        parts = list(self._parts(root.tree, root.node, (), 1))
        return (
            ["section", {_PART: "source"}, _label("source-name", title), *parts] if parts else None
        )

    def _parts(self, tree: Tree, node: int, path: Path, depth: int) -> Iterator[Node]:
        """What is in a node: a row for each value, a group for each object or array."""
        if tree.is_leaf(node):
            if tree.says(node).strip() and self.shown < VALUES_SHOWN:
                self.shown += 1
                yield self._row(tree, node, path)
            return
        for number, child in enumerate(tree.children(node), 1):
            if self.shown >= VALUES_SHOWN:
                return
            key = tree.key(child)
            if not self.is_meta or not _TECHNICAL.fullmatch(key or ""):
                yield from self._part(tree, child, (*path, number if key is None else key), depth)

    def _part(self, tree: Tree, node: int, path: Path, depth: int) -> Iterator[Node]:
        if tree.is_leaf(node):
            yield from self._parts(tree, node, path, depth)
            return
        steps = [path[-1]]
        # Objects with nothing but one object in them have one name for all: `props.pageProps`.
        while (only := _only_child(tree, node)) is not None:
            key = tree.key(only)
            steps.append(1 if key is None else key)
            node = only
        whole = (*path, *steps[1:])
        if depth >= NESTED_GROUPS:
            yield from self._parts(tree, node, whole, depth)
            return
        parts = list(self._parts(tree, node, whole, depth + 1))
        if parts:
            name = ".".join(str(step) for step in steps)
            yield [
                "div",
                {_PART: "group"},
                _label("name", name),
                ["div", {_PART: "inside"}, *parts],
            ]

    def _row(self, tree: Tree, leaf: int, path: Path) -> Node:
        span = tree.span(leaf)
        value = {
            _VALUE: f"{span.start} {span.end}",
            _NAME: name_of(_in_record(path)),
        }
        texts = [mapped(_pieces(self.source, tree, leaf))]
        if len(tree.says(leaf)) > VALUE_CHARACTERS:
            texts.append({"x": "\N{HORIZONTAL ELLIPSIS}", "m": []})
        key = str(path[-1]) if path else "value"
        said: Node = ["div", {_PART: "value", **value}, *texts]
        return ["div", {_PART: "row"}, _label("key", key), said]


def _in_record(path: Path) -> Path:
    """The path from the last array on: what is before it has all of its elements."""
    numbers = [at for at, step in enumerate(path) if isinstance(step, int)]
    return path[numbers[-1] + 1 :] if numbers and numbers[-1] + 1 < len(path) else path


def _only_child(tree: Tree, node: int) -> int | None:
    """The only child of a node, if it is an object or an array."""
    children = tree.children(node)
    first, second = next(children, None), next(children, None)
    if first is None or second is not None:
        return None
    return first if tree.kinds[first] in (Kind.OBJECT, Kind.ARRAY) else None


def _label(part: str, text: str) -> Node:
    return ["div", {_PART: part}, {"x": text[:VALUE_CHARACTERS], "m": []}]


def _pieces(source: str, tree: Tree, leaf: int) -> Iterator[tuple[str, Span]]:
    """The beginning of a value, each piece with its source."""
    span = tree.span(leaf)
    if tree.kinds[leaf] == Kind.STRING and isinstance(tree, ScannedTree) and tree.is_escaped(leaf):
        decoded = tree.decoded(leaf)
        places = zip(
            decoded.starts, decoded.starts[1:], decoded.sources, decoded.sources[1:], strict=False
        )
        for start, end, first, last in places:
            if start >= VALUE_CHARACTERS:
                return
            is_exact = end - start == last - first
            cut = min(end, VALUE_CHARACTERS) if is_exact else end
            yield decoded.text[start:cut], Span(first, first + cut - start if is_exact else last)
        return
    said = tree.says(leaf)
    if said == span.of(source):
        shown = Span(span.start, min(span.end, span.start + VALUE_CHARACTERS))
        yield shown.of(source), shown
    else:
        yield said[:VALUE_CHARACTERS], span
