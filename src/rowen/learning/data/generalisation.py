"""From the path of one leaf to paths that may lead to the same field elsewhere.

    offers, 0, price    in {"offers": [{"@type": "Offer", "price": 12}]}

    offers[each].price    offers[@type = "Offer"].price    offers[0].price

Each has a cost: what depends less on the page's accidents is cheaper.
"""

from collections.abc import Iterator
from itertools import islice, product

from rowen.text.data import Kind, Root, Tree
from rowen.wrappers.data.path import EACH, Each, Step, Steps, Where, condition
from rowen.wrappers.data.source import Source

GENERALISATIONS = 60
"""Limit: at most this many paths are tried for one leaf."""

CONDITIONS = 6
"""At most this many members of an element are tried as conditions."""

CONDITION_CHARACTERS = 60
"""A longer text is content, and does not say what an element is."""

_TELLING = ("@type", "type", "name", "key", "label", "id", "property", "kind")
"""Members that often say what an element is come first."""


def paths_to(tree: Tree, node: int, leaf: int) -> list[Steps]:
    """General paths from a node to a leaf, those that are likely to hold first."""
    chain = []
    while leaf != node:
        chain.append(leaf)
        leaf = tree.parents[leaf]
    options = [_options(tree, step) for step in reversed(chain)]
    ways = islice(product(*options), GENERALISATIONS)
    return sorted(ways, key=lambda steps: sum(map(cost, steps)))


def cost(step: Step) -> int:
    """How much a step depends on accidents."""
    if isinstance(step, int):
        return 4
    if isinstance(step, Where):
        return 1
    return 3 if isinstance(step, Each) and step.keyed else 0


def _options(tree: Tree, node: int) -> list[Step]:
    key = tree.key(node)
    if key is not None:
        # Keys with numbers may be ids: `Product:123`.
        return [key, Each(keyed=True)] if _has_digit(key) else [key]
    return [EACH, *islice(conditions(tree, node), CONDITIONS), tree.position(node)]


def conditions(tree: Tree, node: int) -> Iterator[Where]:
    """What an element says of itself."""
    if tree.kinds[node] != Kind.OBJECT:
        return
    members = {key: child for child in tree.children(node) if (key := tree.key(child)) is not None}
    for key in sorted(members, key=_rank):
        for leaf in tree.elements(members[key]):
            if tree.kinds[leaf] not in (Kind.STRING, Kind.BOOLEAN):
                continue
            if 0 < len(tree.says(leaf)) <= CONDITION_CHARACTERS:
                yield condition(tree, key, leaf)


def _rank(key: str) -> int:
    return _TELLING.index(key) if key in _TELLING else len(_TELLING)


def source_cost(source: Source) -> int:
    """How much it depends on accidents which data is meant."""
    if source.type is not None or source.origin == "meta":
        return 0
    if source.name is None:
        return 1
    # An id with a number may be that of the page's product.
    return 2 if _has_digit(source.name) else 0


def _has_digit(name: str) -> bool:
    return any(map(str.isdigit, name))


def sources_of(root: Root) -> Iterator[Source]:
    """The ways to say which data this is, those that are likely to hold elsewhere first."""
    yield from (Source(root.origin, type=kind) for kind in root.types)
    yield from (Source(root.origin, name=name) for name in root.names)
    # A script whose id differs from page to page, or that has no name.
    yield Source(root.origin)
