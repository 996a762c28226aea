r"""A tree of data on a page: objects, arrays and leaves, each with its exact place.

    {"name": "K\u00f6ln", "tags": ["a", 2]}

    object [0, 39)    name    string [10, 19), says Köln
                      tags    array  [30, 38)    0  string [32, 33)
                                                 1  number [36, 37)

Nodes are numbers in preorder: the subtree of node `n` is `n` to `afters[n] - 1`. A page may have a
hundred thousand nodes, so they are columns of numbers and not objects.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TypeAlias

from rowen._core import data_nodes
from rowen.model import Span
from rowen.text.character_references import Decoded
from rowen.text.data.escapes import decode_escapes, unescaped

DATA_DEPTH = 256
"""Limit: how deep data may nest. Real pages stay below 60; what is deeper is not read as data."""

DATA_NODES = 2_000_000
"""Limit: how many nodes one tree may have: some hundred megabytes. A larger tree is not read."""

NUMBER_DIGITS = 4_000
"""Limit: a number with more characters than this stays a text: converting it takes quadratic
time."""

_ESCAPED, _KEY_ESCAPED = 1, 2  # the flags of data_scan.hpp

Path: TypeAlias = tuple[str | int, ...]
"""Keys of objects and positions in arrays, from the root to a node."""

Scalar: TypeAlias = str | int | float | bool | None


class Kind(IntEnum):
    """The kind of a node; the numbers are those of `data_scan.hpp`."""

    OBJECT = 0
    ARRAY = 1
    STRING = 2
    NUMBER = 3
    BOOLEAN = 4
    NOTHING = 5
    """`null`, `undefined`, or a place in an array that was left out."""
    OTHER = 6
    """Not data: a function, a variable, a calculation."""


_OBJECT, _ARRAY = int(Kind.OBJECT), int(Kind.ARRAY)
_STRING, _NUMBER, _BOOLEAN = int(Kind.STRING), int(Kind.NUMBER), int(Kind.BOOLEAN)
VALUES = frozenset((_STRING, _NUMBER, _BOOLEAN))
"""The kinds of nodes that say something."""


class Tree(ABC):
    """The nodes of one tree; the root is node 0."""

    kinds: Sequence[int]
    parents: Sequence[int]
    afters: Sequence[int]

    def __len__(self) -> int:
        return len(self.kinds)

    @abstractmethod
    def key(self, node: int) -> str | None:
        """The key of a member of an object; None for others."""

    @abstractmethod
    def span(self, node: int) -> Span:
        """Where a node is on the page; of a string what is inside the quotes."""

    @abstractmethod
    def says(self, node: int) -> str:
        """What a leaf says: a string without escapes, a number as it is written."""

    def kind(self, node: int) -> Kind:
        """The kind of a node."""
        return Kind(self.kinds[node])

    def value(self, node: int) -> Scalar:
        """A leaf as data: a text, a number, a boolean, or None."""
        kind, text = self.kinds[node], self.says(node)
        if kind == _NUMBER and len(text) <= NUMBER_DIGITS:
            try:
                return int(text)
            except ValueError:
                return float(text)
        if kind == _BOOLEAN:
            return text in ("true", "!0")
        return text if kind in (_STRING, _NUMBER) else None

    def is_leaf(self, node: int) -> bool:
        """Whether a node says something."""
        return self.kinds[node] in VALUES

    def children(self, node: int) -> Iterator[int]:
        """The members of an object or the elements of an array, in order."""
        after, child = self.afters[node], node + 1
        while child < after:
            yield child
            child = self.afters[child]

    def member(self, node: int, key: str) -> int | None:
        """The member of an object with that key; the last one where there are two, as in JSON."""
        if self.kinds[node] != _OBJECT:
            return None
        matching = None
        for child in self.children(node):
            if self.key(child) == key:
                matching = child
        return matching

    def elements(self, node: int) -> list[int]:
        """The elements of an array; anything else counts as a list of one."""
        return list(self.children(node)) if self.kinds[node] == _ARRAY else [node]

    def leaves(self, node: int = 0) -> Iterator[int]:
        """The nodes below a node, and itself, that say something."""
        kinds = self.kinds
        return (leaf for leaf in range(node, self.afters[node]) if kinds[leaf] in VALUES)

    def path(self, node: int, root: int = 0) -> Path:
        """The keys and positions that lead from `root` to a node."""
        steps: list[str | int] = []
        while node != root:
            parent = self.parents[node]
            key = self.key(node)
            if key is None:
                steps.append(self.position(node))
            else:
                steps.append(key)
            node = parent
        return tuple(reversed(steps))

    def position(self, node: int) -> int:
        """The place of an element in its array."""
        positions = self._positions
        if node not in positions:
            positions.update(
                (child, place) for place, child in enumerate(self.children(self.parents[node]))
            )
        return positions[node]

    @property
    def _positions(self) -> dict[int, int]:
        # Filled array by array: counting for each element again would take quadratic time.
        kept: dict[int, int] | None = getattr(self, "_kept_positions", None)
        if kept is None:
            kept = {}
            self._kept_positions = kept
        return kept


class ScannedTree(Tree):
    """JSON, or a literal of a script, as it is written on the page.

    `origin` leads back to the page where the literal itself is the content of a string or an
    attribute, as in `JSON.parse("..")`.
    """

    def __init__(
        self, text: str, columns: Sequence[Sequence[int]], origin: Decoded | None = None
    ) -> None:
        self.text = text
        self.origin = origin
        self.kinds, self._flags, self._starts, self._ends = columns[:4]
        self._key_starts, self._key_ends, self.parents, self.afters = columns[4:]

    def key(self, node: int) -> str | None:
        """The key, without escapes."""
        start = self._key_starts[node]
        if start < 0:
            return None
        key = self.text[start : self._key_ends[node]]
        return unescaped(key) if self._flags[node] & _KEY_ESCAPED else key

    def span(self, node: int) -> Span:
        """Inside the quotes of a string, all of anything else."""
        start, end = self._starts[node], self._ends[node]
        return Span(start, end) if self.origin is None else self.origin.source(start, end)

    def says(self, node: int) -> str:
        """The text between the bounds, without escapes."""
        text = self.text[self._starts[node] : self._ends[node]]
        return unescaped(text) if self._flags[node] & _ESCAPED else text

    def is_escaped(self, node: int) -> bool:
        """Whether a leaf is written in another way than it says."""
        return bool(self._flags[node] & _ESCAPED) or self.origin is not None

    def decoded(self, node: int) -> Decoded:
        """What a string says, with a map back to the page."""
        decoded = decode_escapes(self.text, Span(self._starts[node], self._ends[node]))
        return decoded if self.origin is None else _through(decoded, self.origin)


class BuiltTree(Tree):
    """Data that attributes of tags describe: its shape is not that of the source."""

    def __init__(self) -> None:
        self.kinds: list[int] = []
        self.parents: list[int] = []
        self.afters: list[int] = []
        self._keys: list[str | None] = []
        self._spans: list[Span] = []
        self._says: list[str] = []

    def add(self, kind: Kind, parent: int, key: str | None, span: Span, says: str = "") -> int:
        """Add a node after all others; `close` ends one that has children."""
        self.kinds.append(int(kind))
        self.parents.append(parent)
        self._keys.append(key)
        self._spans.append(span)
        self._says.append(says)
        self.afters.append(len(self.kinds))
        return len(self.kinds) - 1

    def close(self, node: int) -> None:
        """The nodes added since are those below `node`."""
        self.afters[node] = len(self.kinds)

    def key(self, node: int) -> str | None:
        """The name of a property."""
        return self._keys[node]

    def span(self, node: int) -> Span:
        """Where the value is on the page."""
        return self._spans[node]

    def says(self, node: int) -> str:
        """The value without references and tags."""
        return self._says[node]


def _through(decoded: Decoded, origin: Decoded) -> Decoded:
    """What was decoded twice, with a map from each character back to the page."""
    places = [decoded.source(at, at + 1) for at in range(len(decoded.text))]
    sources = [origin.source(*place).start for place in places]
    end = origin.source(places[0].start, places[-1].end).end if places else 0
    return Decoded(decoded.text, tuple(range(len(decoded.text) + 1)), (*sources, end))


def scan_value(
    text: str, start: int, end: int, origin: Decoded | None = None
) -> tuple[ScannedTree | None, int]:
    """The tree of the value that begins at `start`, if it is data, and where the scan stopped.

    It takes linear time. What is malformed, or beyond a limit, is no data.
    """
    nodes = data_nodes(text, start, end, depth=DATA_DEPTH, most=DATA_NODES)
    stop, outcome = nodes[8:]
    if outcome:
        return None, stop
    lists: list[list[int]] = [column.tolist() for column in nodes[:8]]
    return ScannedTree(text, lists, origin), stop
