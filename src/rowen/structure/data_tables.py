"""Tables in the data of pages: arrays of objects in JSON-LD, JSON and the literals of scripts.

    {"@type": "ItemList", "itemListElement": [          itemListElement[each]    2 records
        {"item": {"name": "Lamp", "price": 12}},        item.name                Lamp, Vase
        {"item": {"name": "Vase", "price": 9}}]}        item.price               12, 9

Records are the elements of arrays at the same path, whichever of the array's elements it goes
through, and things of one type that a page has several of. Objects under keys that are numbers or
the like count as an array. What is in a record below its path is a column; an array of objects in
it is a table of its own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rowen.learning.data.generalisation import sources_of
from rowen.model import Page
from rowen.structure.column_names import distinct_names
from rowen.text.data import Kind, PageData, Root, Tree
from rowen.text.data.names import name_of
from rowen.wrappers.data.path import EACH, Each, Steps, leaves_at
from rowen.wrappers.data.source import IN_SCRIPTS, Source
from rowen.wrappers.data.wrapper import Data, Rule

LEAST = 2
"""So many objects make a table."""

KEYED = 3
"""So many members of an object with the same keys make it a list, whatever they are called."""

SHARED = 0.5
"""Objects of a list have this share of their keys in common with the first one."""

NODES = 200_000
"""Limit: so many nodes of a page's data are looked at, in page order."""

RECORDS = 400
"""Limit: at most so many records of a table show its columns."""

TABLES = 24
"""Limit: so many lists are looked at closely, those with the most leaves."""

COLUMNS = 60
"""Limit: a table has at most so many columns, those that most records have."""

DEPTH = 6
"""Limit: what is deeper in a record is no column of it."""

FILLED = 0.15
OFTEN = 0.8
"""A column has a value in this share of the records, and is required with the second."""


@dataclass
class Objects:
    """The objects at a path, of all pages."""

    nodes: list[tuple[Tree, int]] = field(default_factory=list)
    leaves: int = 0

    def add(self, tree: Tree, node: int) -> None:
        """One more."""
        self.nodes.append((tree, node))
        self.leaves += tree.afters[node] - node


def data_tables(pages: Sequence[Page]) -> Iterator[Data]:
    """The wrapper of each table in the data of some pages, those with most data first."""
    found: defaultdict[tuple[Source, Steps], Objects] = defaultdict(Objects)
    read = [PageData(page).all(sorted(IN_SCRIPTS)) for page in pages]
    sources = _Sources(read)
    for roots in read:
        for source, path, tree, node in _lists(roots, sources):
            found[source, path].add(tree, node)
    several = [(key, own) for key, own in found.items() if len(own.nodes) >= LEAST]
    several.sort(key=lambda pair: -pair[1].leaves)
    for (source, path), objects in several[:TABLES]:
        wrapper = _wrapper(Rule(path, source), objects.nodes)
        if wrapper is not None:
            yield wrapper


class _Sources:
    """How to say which data is meant: as it is said on most pages."""

    def __init__(self, pages: Sequence[Sequence[Root]]) -> None:
        self._pages = Counter(
            source
            for roots in pages
            for source in {source for root in roots for source in sources_of(root)}
        )

    def of(self, root: Root) -> Source:
        """A type or a name that other pages have as well, the plain kind where none has."""
        ways = list(sources_of(root))
        return max(ways[:-1] or ways, key=lambda source: self._pages[source])


def _lists(roots: Sequence[Root], sources: _Sources) -> Iterator[tuple[Source, Steps, Tree, int]]:
    """The objects in the lists of a page: things of one type, and elements of arrays."""
    left = NODES
    by_source: defaultdict[Source, list[Root]] = defaultdict(list)
    for root in roots:
        by_source[sources.of(root)].append(root)
    for source, own in by_source.items():
        is_list = len(own) >= LEAST and source.type is not None
        for root in own:
            if is_list:
                yield source, (), root.tree, root.node
            for path, node in _objects(root, left):
                yield source, path, root.tree, node
            left -= root.tree.afters[root.node] - root.node


def _objects(root: Root, most: int) -> Iterator[tuple[Steps, int]]:
    """The objects in lists below a root, each with its path."""
    tree = root.tree
    waiting: list[tuple[int, Steps]] = [(root.node, ())]
    seen = 0
    while waiting and seen < most:
        node, path = waiting.pop()
        seen += 1
        children = list(tree.children(node)) if not tree.is_leaf(node) else []
        below: list[tuple[int, Steps]] = []
        if tree.kinds[node] == Kind.ARRAY:
            below = [(child, (*path, EACH)) for child in children]
            is_list = _is_list(tree, children, LEAST)
        else:
            is_list = _is_list(tree, children, KEYED) and _are_numbered(tree, children)
            for child in children:
                step = Each(keyed=True) if is_list else tree.key(child)
                if step is not None:
                    below.append((child, (*path, step)))
        if is_list:
            yield from ((own, child) for child, own in below if tree.kinds[child] == Kind.OBJECT)
        waiting.extend(reversed(below))


def _is_list(tree: Tree, children: Sequence[int], least: int) -> bool:
    """Whether nodes are objects with about the same keys."""
    objects = [child for child in children if tree.kinds[child] == Kind.OBJECT]
    if not objects or (len(children) >= least and len(objects) < least):
        return False
    first = _keys(tree, objects[0])
    return all(
        len(first & own) >= SHARED * min(len(first), len(own))
        for own in (_keys(tree, node) for node in objects[1:4])
    )


def _keys(tree: Tree, node: int) -> set[str | None]:
    return {tree.key(child) for child in tree.children(node)}


def _are_numbered(tree: Tree, children: Sequence[int]) -> bool:
    """Whether keys say nothing: most have a digit, as `Product:123` has."""
    keys = [tree.key(child) or "" for child in children]
    return 2 * sum(any(map(str.isdigit, key)) for key in keys) > len(keys)


def _wrapper(record: Rule, nodes: Sequence[tuple[Tree, int]]) -> Data | None:
    """The wrapper with a column for each path that varies; None where fewer than two do."""
    sample = nodes[:: -(-len(nodes) // RECORDS)]
    found: defaultdict[Steps, list[int]] = defaultdict(list)
    for number, (tree, node) in enumerate(sample):
        for path in _paths(tree, node):
            found[path].append(number)
    columns: dict[Steps, bool] = {}
    for path, own in sorted(found.items(), key=lambda pair: -len(set(pair[1])))[:COLUMNS]:
        if len(set(own)) < max(LEAST, FILLED * len(sample)):
            continue
        texts = [[tree.says(leaf) for leaf in leaves_at(tree, node, path)] for tree, node in sample]
        if len({tuple(values) for values in texts if values}) > 1:
            columns[path] = any(len(values) > 1 for values in texts)
    if len(columns) < 2:
        return None
    paths = sorted(columns, key=list(found).index)
    names = distinct_names([name_of(path) or f"column_{at}" for at, path in enumerate(paths, 1)])
    pairs = list(zip(names, paths, strict=True))
    return Data(
        names,
        rules={name: Rule(path) for name, path in pairs},
        record=record,
        several=[name for name, path in pairs if columns[path]],
        required=[name for name, path in pairs if len(set(found[path])) >= OFTEN * len(sample)],
    )


def _paths(tree: Tree, node: int) -> Iterator[Steps]:
    """The paths from a record to its leaves, but to those in its own arrays of objects."""
    waiting: list[tuple[int, Steps]] = [(node, ())]
    while waiting:
        at, path = waiting.pop()
        if tree.is_leaf(at):
            if tree.says(at).strip():
                yield path
            continue
        children = list(tree.children(at))
        if len(path) >= DEPTH:
            continue
        if tree.kinds[at] == Kind.ARRAY:
            if len(children) >= LEAST and any(tree.kinds[c] == Kind.OBJECT for c in children):
                continue  # a table of its own
            waiting.extend((child, (*path, EACH)) for child in reversed(children))
        elif tree.kinds[at] == Kind.OBJECT:
            pairs = [(child, key) for child in children if (key := tree.key(child)) is not None]
            waiting.extend((child, (*path, key)) for child, key in reversed(pairs))
