"""Rules for pages with many records: where the records are, then each field inside them.

{"items": [{"name": "Lamp", "price": {"amount": 12}}, {"name": "Vase", "price": {"amount": 9}}]}

marked     Lamp 12, Vase 9
paths      items, 0, name and items, 1, name: a record is items[each]
in it      name; price.amount
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rowen.induction import budget
from rowen.learning.data.generalisation import (
    conditions,
    cost,
    paths_to,
    source_cost,
    sources_of,
)
from rowen.learning.data.marked import MarkedPage, Place, Wants
from rowen.learning.data.page_rules import CUT, agrees
from rowen.text.data import Path, Root, Tree
from rowen.wrappers.data.path import EACH, Steps, Where, follow, leaves_at
from rowen.wrappers.data.wrapper import Rule

RECORD_PATHS = 8
"""Limit: at most this many paths of records are tried, those on which most values agree first."""

PAIRS = 20
"""At most this many leaves of each of two values are compared."""


class Node(NamedTuple):
    """A record's node."""

    root: Root
    node: int

    @property
    def tree(self) -> Tree:
        """The tree that it is in."""
        return self.root.tree


class Assigned(NamedTuple):
    """A marked record and the node that it means."""

    wants: dict[str, Wants]
    node: Node


def record_rules(pages: Sequence[MarkedPage], *, lone: bool = False) -> list[Rule]:
    """The paths to which the values of several records point, the likeliest first.

    Of `lone` records no list has two: then the innermost array around their values is the list.
    """
    votes = Counter[Rule]()
    for page in () if lone else pages:
        for before, after in pairwise(page.records):
            for field in before.keys() & after.keys():
                votes.update(set(_of_pair(page, before[field], after[field])))
    if not votes:  # a single record is marked: any array around its values may be the list
        for page in pages:
            for record in page.records:
                for wants in record.values():
                    votes.update(set(_around(page, wants)))

    def preference(rule: Rule) -> tuple[int, int, int]:
        assert rule.source is not None
        depth = len(rule.path) if lone else 0
        return -votes[rule], -depth, sum(map(cost, rule.path)) + source_cost(rule.source)

    return sorted(votes, key=preference)[:RECORD_PATHS]


def _of_pair(page: MarkedPage, first: Wants, second: Wants) -> Iterator[Rule]:
    """The record paths by which two values of a field may belong to neighbouring records."""
    if not first or not second:
        return
    budget.check()
    paths = [
        [(place.root, place.root.tree.path(place.leaf, place.root.node)) for place in places]
        for places in (page.places[first[0]][:PAIRS], page.places[second[0]][:PAIRS])
    ]
    for root, path in paths[0]:
        for other_root, other in paths[1]:
            if root is not other_root:
                if root.origin == other_root.origin and _general(path) == _general(other):
                    yield from (Rule((), source) for source in sources_of(root))
                continue
            split = _difference(path, other)
            if split is None or type(path[split]) is not int or type(other[split]) is not int:
                continue
            prefix = (*_general(path[:split]), EACH)
            yield from (Rule(prefix, source) for source in sources_of(root))


def _difference(path: Path, other: Path) -> int | None:
    """Where two paths differ first."""
    pairs = zip(path, other, strict=False)
    return next((at for at, (step, its) in enumerate(pairs) if step != its), None)


def _around(page: MarkedPage, wants: Wants) -> Iterator[Rule]:
    for want in wants[:1]:
        for root, leaf in page.places[want][:PAIRS]:
            path = root.tree.path(leaf, root.node)
            for at, step in enumerate(path):
                if isinstance(step, int):
                    prefix = (*_general(path[:at]), EACH)
                    yield from (Rule(prefix, source) for source in sources_of(root))


def _general(path: Sequence[str | int]) -> Steps:
    return tuple(EACH if isinstance(step, int) else step for step in path)


def nodes_of(rule: Rule, page: MarkedPage) -> list[Node]:
    """The nodes to which a record's path leads on a page."""
    assert rule.source is not None
    return [
        Node(root, node)
        for root in rule.source.roots(page.data)
        for node in follow(root.tree, root.node, rule.path)
    ]


def assign(pages: Sequence[MarkedPage], rule: Rule) -> list[Assigned] | None:
    """The node that each marked record means: the one with most of its values, in page order."""
    assigned = []
    for page in pages:
        nodes = nodes_of(rule, page)
        finder = _Finder(nodes)
        reached = -1
        for record in page.records:
            votes = Counter[int]()
            for wants in record.values():
                inside = {finder.find(place) for want in wants for place in page.places[want]}
                votes.update(number for number in inside if number > reached)
            if not votes:
                return None
            most = max(votes.values())
            reached = min(number for number, count in votes.items() if count == most)
            assigned.append(Assigned(record, nodes[reached]))
    return assigned


class _Finder:
    """Finds the node that a leaf is in."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes
        self._order = sorted(range(len(nodes)), key=self._key)
        self._keys = [self._key(number) for number in self._order]

    def _key(self, number: int) -> tuple[int, int]:
        root, node = self._nodes[number]
        return id(root.tree), node

    def find(self, place: Place) -> int:
        """The number of the node, or -1."""
        tree = place.root.tree
        at = bisect_right(self._keys, (id(tree), place.leaf)) - 1
        if at < 0:
            return -1
        number = self._order[at]
        root, node = self._nodes[number]
        is_inside = root.tree is tree and node <= place.leaf < tree.afters[node]
        return number if is_inside else -1


def learn_field(
    assigned: Sequence[Assigned], field: str, pages: Sequence[MarkedPage], *, several: bool
) -> Rule | None:
    """The cheapest path from the records to a field that gives what was marked in all of them."""
    best: tuple[int, Rule] | None = None
    filled = [record for record in assigned if record.wants.get(field)]
    if not filled:
        return None
    tried: set[Steps] = set()
    for first in filled[:2]:
        for path in _paths_in(first, field, pages):
            if path in tried:
                continue
            tried.add(path)
            price = _price(path, assigned, field, several=several)
            if price is not None and (best is None or price < best[0]):
                best = price, Rule(path)
    return None if best is None else best[1]


def _paths_in(record: Assigned, field: str, pages: Sequence[MarkedPage]) -> Iterator[Steps]:
    root, node = record.node
    want = record.wants[field][0]
    for page in pages:
        for place in page.places.get(want, ()):
            is_inside = node <= place.leaf < root.tree.afters[node]
            if place.root.tree is root.tree and is_inside:
                yield from paths_to(root.tree, node, place.leaf)


def _price(path: Steps, assigned: Sequence[Assigned], field: str, *, several: bool) -> int | None:
    cut = False
    for record in assigned:
        wants = record.wants.get(field)
        if wants is None:
            continue
        root, node = record.node
        leaves = [Place(root, leaf) for leaf in leaves_at(root.tree, node, path)]
        if not agrees(leaves, wants, several=several):
            return None
        cut = cut or len(leaves) > len(wants)
    return sum(map(cost, path)) + CUT * cut


def distinguishing(
    assigned: Sequence[Assigned], pages: Sequence[MarkedPage], rule: Rule
) -> Iterator[Rule]:
    """The record's path with a condition that all marked records meet, and others may not."""
    if not rule.path or rule.path[-1] != EACH:
        return
    common: list[Where] | None = None
    for record in assigned:
        own = list(conditions(record.node.tree, record.node.node))
        common = own if common is None else [where for where in common if where in own]
    nodes = [node for page in pages for node in nodes_of(rule, page)]
    for where in common or ():
        if not all(where.holds(node.tree, node.node) for node in nodes):
            yield Rule((*rule.path[:-1], where), rule.source)
