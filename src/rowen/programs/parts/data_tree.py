r"""Data on a page as a tree: objects, arrays and leaves, each with its place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rowen.programs.parts.result import Place


@dataclass
class Node:
    """A value; `text` is what a leaf says, without escapes and references."""

    kind: str
    """object, array, leaf, or nothing: null, or what is no data."""
    place: Place
    key: str | None = None
    text: str = ""
    children: "list[Node]" = field(default_factory=list)

    def member(self, key: str) -> "Node | None":
        """The member of an object with that key; the last one where there are two, as in JSON."""
        members = self.children if self.kind == "object" else []
        return next((child for child in reversed(members) if child.key == key), None)

    def elements(self) -> "list[Node]":
        """The elements of an array; anything else counts as a list of one."""
        return self.children if self.kind == "array" else [self]

    def has_leaves(self) -> bool:
        """Whether anything in it says something."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.kind == "leaf":
                return True
            waiting += node.children
        return False


@dataclass
class Root:
    """A tree, or a part of one, with what it is called."""

    origin: str
    """json-ld, json, script, meta, microdata or rdfa."""
    node: Node
    names: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


Roots: TypeAlias = Callable[[str], Iterator[Root]]

ORIGINS: dict[str, Roots] = {}
"""The functions of this module that read the data of a page, by its origin."""


def reads(*origins: str) -> Callable[[Roots], Roots]:
    """Note that a function reads the data of some origins."""

    def note(function: Roots) -> Roots:
        ORIGINS.update(dict.fromkeys(origins, function))
        return function

    return note


def local_name(name: str) -> str:
    """A name without its vocabulary: `Product` of `https://schema.org/Product`."""
    return name.rstrip("/#").rpartition("/")[2].rpartition("#")[2].removeprefix("schema:")


def follow(node: Node, path: list[Any]) -> list[Node]:
    """The nodes to which a path leads, in order."""
    nodes = [node]
    for step in path:
        nodes = [after for before in nodes for after in _take(before, step)]
    return nodes


def _take(node: Node, step: Any) -> Iterator[Node]:
    """A key, a position, each element or key, or the elements that say something."""
    if isinstance(step, int):
        yield from node.elements()[step : step + 1]
    elif isinstance(step, str):
        members = (element.member(step) for element in node.elements())
        yield from (member for member in members if member is not None)
    elif "where" in step:
        yield from (element for element in node.elements() if _says(element, *step["where"]))
    elif step["each"] == "element":
        yield from node.elements()
    elif node.kind == "object":
        yield from node.children


def _says(node: Node, key: str, text: str) -> bool:
    member = node.member(key)
    return member is not None and any(
        element.kind == "leaf"
        and (local_name(element.text) if key == "@type" else element.text) == text
        for element in member.elements()
    )
