"""Where data is on a page: the roots of trees, each with what it is called."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowen.text.data.tree import Kind, Tree

Origin: TypeAlias = Literal["json-ld", "microdata", "rdfa", "json", "script", "meta"]

GRAPH_NESTING = 3
"""Arrays in arrays of JSON-LD are followed this far."""


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """A tree, or a part of one that stands for itself.

    Things in JSON-LD are roots of their own, whether each has its script, or all are in an array or
    a `@graph`: sites reorder these. `names` are the script's id and data attributes, or the
    variable. `types` are what `@type`, `itemtype` or `typeof` say.
    """

    origin: Origin
    tree: Tree
    node: int = 0
    names: tuple[str, ...] = ()
    types: tuple[str, ...] = ()


def things(tree: Tree, names: tuple[str, ...]) -> Iterator[Root]:
    """The things that a script of JSON-LD describes."""
    waiting = [(0, 0)]
    while waiting:
        node, depth = waiting.pop()
        kind = tree.kinds[node]
        if kind == Kind.ARRAY and depth < GRAPH_NESTING:
            waiting.extend((child, depth + 1) for child in reversed(list(tree.children(node))))
        elif kind == Kind.OBJECT:
            graph = tree.member(node, "@graph")
            types = types_of(tree, node)
            if graph is None or types:
                yield Root("json-ld", tree, node, names, types)
            if graph is not None:
                waiting.append((graph, depth + 1))


def types_of(tree: Tree, node: int) -> tuple[str, ...]:
    """What `@type` says of a thing, without the vocabulary: `Product`."""
    member = tree.member(node, "@type")
    if member is None:
        return ()
    return tuple(
        local_name(tree.says(element)) for element in tree.elements(member) if tree.is_leaf(element)
    )


def local_name(name: str) -> str:
    """A name without its vocabulary.

    >>> local_name("https://schema.org/Product"), local_name("Product")
    ('Product', 'Product')
    """
    return name.rstrip("/#").rpartition("/")[2].rpartition("#")[2].removeprefix("schema:")
