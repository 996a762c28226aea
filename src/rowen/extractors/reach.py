r"""Bounds for a regular expression: how far it looks, and how long its matches and fields are.

They are added up over the tree, from the leaves: `then` for sequences, `either` for branches,
`times` for repetitions, `looked_at` for look-around. Every number is a bound that no match exceeds;
where the exact value is not known, the larger one (for `least`, `begin` and `early` the smaller) is
taken. `derivation` turns these bounds into a locality.

    CS ?\d{2}      least 4, most 5, far 5, behind 0
    (?<=room )\d+  behind 5, most unbounded
"""

from dataclasses import dataclass, replace
from math import inf
from typing import Final

from rowen.extractors.expression import (
    Branch,
    Characters,
    Group,
    Look,
    Node,
    Nowhere,
    Place,
    Reference,
    Repeat,
    Sequence,
    UnreadableError,
    fold,
)

UNBOUNDED: Final = 1 << 32
"""Longer than any page."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Where the named groups of a part can be, counted from where the part begins to match.

    Groups in look-behind begin before that place, groups in look-ahead may end after the match.
    """

    begin: int
    """The first field begins here or later, ..."""
    late: int
    """... and here or earlier."""
    early: int
    """The last field ends here or later, ..."""
    until: int
    """... and here or earlier."""
    sure: bool = True
    """Whether a field matches for certain; otherwise `late` and `early` are meaningless."""

    def shift(self, least: int, most: int) -> "Extent":
        """The same, counted from a place that is `least` to `most` characters before."""
        return Extent(
            self.begin + least, self.late + most, self.early + least, self.until + most, self.sure
        )

    def both(self, other: "Extent") -> "Extent":
        """The fields of two parts that both match."""
        begin, until = min(self.begin, other.begin), max(self.until, other.until)
        if not (self.sure and other.sure):
            certain = self if self.sure else other
            return Extent(begin, certain.late, certain.early, until, certain.sure)
        return Extent(begin, min(self.late, other.late), max(self.early, other.early), until)

    def either(self, other: "Extent") -> "Extent":
        """The fields of one part or another."""
        return Extent(
            min(self.begin, other.begin),
            max(self.late, other.late),
            min(self.early, other.early),
            max(self.until, other.until),
            self.sure and other.sure,
        )

    def bounds(self) -> "Extent":
        """With `late` and `early` that hold for every record: each record has some field."""
        if self.sure:
            return self
        return replace(self, late=self.until, early=self.begin)


@dataclass(frozen=True, slots=True)
class Reach:
    """What a part of an expression can consume and see."""

    first: int = 0
    """Characters that it may begin with."""
    later: int = 0
    """Characters that may come after its first."""
    seen: int = 0
    """Characters that look-around may examine."""
    least: int = 0
    most: int = 0
    """The shortest and the longest match; UNBOUNDED or more if there is no longest."""
    behind: int = 0
    """How far it may look before its beginning."""
    far: int = 0
    """How far it may look after its beginning, what it consumes included."""
    ahead: int = 0
    """How far look-ahead inside it may look from its own place."""
    edges: bool = False
    """Whether the page's own edges count (`^`, `$` without (?m), `\\A`, `\\Z`)."""
    lines: bool = False
    """Whether it asks for the edges of lines (`^`, `$` with (?m))."""
    ways: float = 1.0
    degree: int = 0
    """From one place it can match a text of n characters in at most ways * n**degree ways."""
    fills: bool = False
    """Whether a named group is certain to hold a character."""
    fields: Extent | None = None
    """Where named groups can be, if it has any."""

    def then(self, other: "Reach") -> "Reach":
        """This part followed by another."""
        fields = self.fields
        if other.fields is not None:
            moved = other.fields.shift(self.least, self.most)
            fields = moved if fields is None else fields.both(moved)
        return Reach(
            first=self.first | (other.first if self.least == 0 else 0),
            later=self.later | other.later | (other.first if self.most else 0),
            seen=self.seen | other.seen,
            least=self.least + other.least,
            most=min(self.most + other.most, UNBOUNDED),
            behind=max(self.behind, _less(other.behind, self.least)),
            far=min(max(self.far, self.most + other.far), UNBOUNDED),
            ahead=max(self.ahead, other.ahead),
            edges=self.edges or other.edges,
            lines=self.lines or other.lines,
            ways=self.ways * other.ways,
            degree=self.degree + other.degree,
            fills=self.fills or other.fills,
            fields=fields,
        )

    def either(self, other: "Reach") -> "Reach":
        """This part or another."""
        return Reach(
            first=self.first | other.first,
            later=self.later | other.later,
            seen=self.seen | other.seen,
            least=min(self.least, other.least),
            most=max(self.most, other.most),
            behind=max(self.behind, other.behind),
            far=max(self.far, other.far),
            ahead=max(self.ahead, other.ahead),
            edges=self.edges or other.edges,
            lines=self.lines or other.lines,
            ways=self.ways + other.ways,
            degree=max(self.degree, other.degree),
            fills=self.fills and other.fills,
            fields=_either(self.fields, other.fields),
        )

    def times(self, least: int, most: int) -> "Reach":
        """This part repeated."""
        if self.ways == 1 and not self.degree and self.least == self.most:
            ways, degree = (1.0, 1) if most >= UNBOUNDED else (most - least + 1.0, 0)
        elif most == 1:
            ways, degree = self.ways + 1, self.degree
        else:
            ways, degree = inf, 0  # repeated parts that can be cut differently: exponential
        before = min(self.most * max(most - 1, 0), UNBOUNDED)
        fields = None
        if self.fields is not None and most:
            # A group keeps what it captured last, so two fields may come from any two rounds.
            fields = _either(self.fields, self.fields.shift(0, before))
        if fields is not None and not least:
            fields = replace(fields, sure=False)
        return replace(
            self,
            later=self.later | (self.first if most > 1 else 0),
            least=self.least * least,
            most=min(self.most * most, UNBOUNDED),
            far=min(before + self.far, UNBOUNDED) if most else 0,
            ways=ways,
            degree=degree,
            fills=self.fills and least > 0,
            fields=fields,
        )

    def looked_at(self, *, behind: bool, positive: bool) -> "Reach":
        """This part as look-around: nothing is consumed, and its groups stay in place."""
        fields = self.fields
        far = self.far
        if behind:
            # Look-behind ends here, so only look-ahead inside it can see what follows.
            far = self.ahead
            if fields is not None:
                moved = fields.shift(-self.most, -self.least)
                fields = replace(moved, late=min(moved.late, far), until=min(moved.until, far))
        if fields is not None and not positive:
            fields = replace(fields, sure=False)
        return Reach(
            seen=self.touched,
            behind=min(self.behind + (self.most if behind else 0), UNBOUNDED),
            far=far,
            ahead=far,
            edges=self.edges,
            lines=self.lines,
            ways=self.ways,
            degree=self.degree,
            fields=fields,
        )

    @property
    def touched(self) -> int:
        """Every character that may be consumed or examined."""
        return self.first | self.later | self.seen

    @property
    def bounded(self) -> bool:
        """Whether it looks no further than a fixed number of characters."""
        return max(self.most, self.behind, self.far) < UNBOUNDED


def _less(distance: int, by: int) -> int:
    return distance - by if distance < UNBOUNDED else UNBOUNDED


def _either(left: Extent | None, right: Extent | None) -> Extent | None:
    if left is not None and right is not None:
        return left.either(right)
    only = left or right
    return None if only is None else replace(only, sure=False)


def reach_of(tree: Node | None) -> Reach | None:
    """The bounds of an expression; None if it has unknown parts."""
    if tree is None:
        return None
    try:
        return _Reader().read(tree)
    except (UnreadableError, RecursionError, OverflowError):
        return None


def harmless_size(reach: Reach | None, effort: float) -> int:
    """The size of texts on which at most `effort` ways to match are tried; -1 if there is none."""
    # n places, each with ways * n**degree ways: solve ways * n**(degree + 1) = effort.
    if reach is None or reach.ways > effort:
        return -1
    return int((effort / reach.ways) ** (1 / (reach.degree + 1))) - 1


class _Reader:
    """Adds up the reach of a tree's parts, in the order in which they are written."""

    def __init__(self) -> None:
        self.groups: dict[int, Reach] = {}
        self.referred: set[int] = set()

    def read(self, node: Node) -> Reach:  # noqa: C901, PLR0911  # one case per kind of node
        match node:
            case Characters(mask):
                return Reach(first=mask, least=1, most=1, far=1)
            case Place():
                return Reach(
                    behind=node.behind,
                    far=node.ahead,
                    ahead=node.ahead,
                    edges=node.edges,
                    lines=node.lines,
                )
            case Sequence(parts):
                reach = Reach()
                for part in parts:
                    reach = reach.then(self.read(part))
                return reach
            case Branch(parts):
                reach, *others = map(self.read, parts)
                for alternative in others:
                    reach = reach.either(alternative)
                return reach
            case Repeat(part, least, most):
                return self.read(part).times(least, UNBOUNDED if most is None else most)
            case Group():
                return self.group(node)
            case Reference():
                return self.reference(node)
            case Look(part, behind, positive):
                return self.read(part).looked_at(behind=behind, positive=positive)
            case Nowhere():
                return Reach()

    def group(self, node: Group) -> Reach:
        if node.number in self.referred:
            raise UnreadableError  # in a loop a reference may mean a later capture
        reach = self.read(node.part)
        if node.number in self.referred:
            raise UnreadableError
        earlier = self.groups.get(node.number)
        self.groups[node.number] = reach if earlier is None else earlier.either(reach)
        if not node.named:
            return reach
        own = Extent(0, 0, reach.least, reach.most)
        return replace(
            reach,
            fills=reach.fills or reach.least > 0,
            fields=own if reach.fields is None else own.both(reach.fields),
        )

    def reference(self, node: Reference) -> Reach:
        self.referred.add(node.group)
        group = self.groups.get(node.group)
        if group is None:
            raise UnreadableError
        characters = group.first | group.later
        if node.folded:
            characters = fold(characters)
        return Reach(first=characters, later=characters, most=group.most, far=group.most)
