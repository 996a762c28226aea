"""The groups of regions of pages, without any mark: elements that repeat in the same surroundings.

    <table class="results"><tr><td>Ada<td>36 <tr><td>Bob<td>41</table>

    table/tr               two regions: by the names of the elements around them
    table.results/tr       the same two: also by a class
    body/table[1]/tr       the same two: also by the place of the table
    tr/td                  four
    p/br                   what is between line breaks: also as paragraphs, up to an empty line

The same elements may be described in several ways. A description by few names also fits pages in
another layout, one by a class, an id or a place tells the main table from others. Each way makes a
group; groups of the same elements count once. All groups of a page are found in one pass per way.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rowen._core import name_digest
from rowen.structure.spots import LONGEST_VALUE
from rowen.wrappers.region.spot import Step, tag_name
from rowen.wrappers.region.tree import Numbers, Tree, lines_between, ranks
from rowen.wrappers.region.wrapper import Pattern, Reach

DEPTH = 200
"""Limit: ways inside regions are followed to this depth."""

LEAST = 2
"""So many regions make a group."""

BREADTH = 4.0
"""More texts than this in a region don't make a group more promising."""

GROUPS = 64
"""Limit: at most this many groups are looked at closely, the most promising ones."""

KINDS = 2_000
"""Limit: so many kinds of elements of a page are compared, those with the most text."""

SEPARATORS = ("br", "hr")
"""Elements between lines."""

CALLED = ("class", "id")
"""Attributes that say what an element is, the first that it has."""

LINES: tuple[Reach, ...] = ("line", "paragraph")
REACHES = get_args(Reach)
_SEPARATORS = np.array([name_digest(name) for name in SEPARATORS], np.uint64)

Digests = NDArray[np.uint64]


class Description(NamedTuple):
    """How elements are described: by so many names, by the class of one of them, from 0, or its id
    if it has no class, and by the place of one of them.
    """

    names: int
    classed: int | None = None
    reach: Reach = "element"
    placed: int | None = None


DESCRIPTIONS = (
    Description(2, 1),
    Description(3, 2),
    Description(1, 0),
    Description(5),
    Description(3),
    Description(2),
    Description(1),
    Description(2, 1, "stretch"),
    Description(1, 0, "stretch"),
    Description(3, None, "stretch"),
    Description(3, None, placed=1),
    Description(4, None, placed=2),
    Description(2, 1, "line"),
    Description(3, None, "line"),
    Description(2, 1, "paragraph"),
    Description(3, None, "paragraph"),
    Description(1, None, "paragraph"),
)
"""From the one that is preferred where several give the same regions."""


def combine(first: Digests, second: Digests) -> Digests:
    """A digest of two, never 0."""
    with np.errstate(over="ignore"):
        mixed = (first ^ (second + np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
        return (mixed ^ (mixed >> np.uint64(29))) | np.uint64(1)


class _Sum:
    """What is known of a group after some pages."""

    __slots__ = ("characters", "elements", "of_pages", "pattern", "squares", "texts")

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.elements = 0
        self.characters = 0
        self.texts = 0
        self.squares = 0
        self.of_pages: list[tuple[int, int]] = []

    @property
    def promise(self) -> float:
        """Much text in many regions with about the same number of texts, and not only one."""
        mean = self.texts / self.elements
        spread = math.sqrt(max(self.squares / self.elements - mean * mean, 0.0)) / max(mean, 1e-9)
        breadth = min(mean, BREADTH)
        size = math.sqrt(self.characters) * math.log2(1 + self.elements)
        return size * breadth / (1 + spread)


def find_groups(trees: Sequence[Tree], lengths: Sequence[Numbers]) -> list[Pattern]:
    """The groups of pages of one site, the most promising first.

    `lengths` says how much the text of each slot of a page counts.
    """
    groups: dict[tuple[int, int], _Sum] = {}
    for page, (tree, own) in enumerate(zip(trees, lengths, strict=True)):
        _count(tree, page, own, groups)
    several = {
        key: group for key, group in groups.items() if group.elements >= LEAST and group.characters
    }
    # The same elements of the same pages, however they are described, are one group.
    distinct: dict[tuple[tuple[int, int], ...], tuple[int, _Sum]] = {}
    for (number, _), group in several.items():
        mark = (*group.of_pages, (-1, REACHES.index(DESCRIPTIONS[number].reach)))
        if mark not in distinct or number < distinct[mark][0]:
            distinct[mark] = (number, group)
    ranked = sorted(
        (group for _, group in distinct.values()),
        key=lambda group: (-group.promise, str(group.pattern)),
    )
    return [group.pattern for group in ranked[:GROUPS]]


def page_pattern(trees: Sequence[Tree]) -> Pattern | None:
    """The outermost element that each page has once; None with a single page."""
    if len(trees) < 2:
        return None
    for name in ("html", "body"):
        pattern = Pattern((Step(name),))
        if all(len(pattern.find(tree).heads) == 1 for tree in trees):
            return pattern
    return None


def _count(tree: Tree, page: int, lengths: Numbers, groups: dict[tuple[int, int], _Sum]) -> None:
    heads_of = _heads(tree, lengths)
    classes, places = tree_classes(tree), ranks(tree.names, tree.parents)
    for number, description in enumerate(DESCRIPTIONS):
        elements, inside, length = heads_of[description.reach]
        chosen, digests = _describe(tree, elements, description, classes, places)
        if not len(chosen):
            continue
        kinds, first, kind = np.unique(digests, return_index=True, return_inverse=True)
        counts = np.bincount(kind)
        weights = [inside[chosen], inside[chosen] ** 2, length[chosen]]
        sums = [np.bincount(kind, weights=weight).astype(np.int64) for weight in weights]
        marks = np.zeros(len(kinds), np.uint64)
        tags = elements[chosen]
        np.add.at(marks, kind, combine(tags.astype(np.uint64), np.full(len(tags), page + 1, "u8")))
        for place in np.argsort(-sums[2], kind="stable")[:KINDS].tolist():
            key = (number, int(kinds[place]))
            if key not in groups:
                groups[key] = _Sum(_pattern(tree, int(tags[first[place]]), description))
            group = groups[key]
            group.elements += int(counts[place])
            group.texts += int(sums[0][place])
            group.squares += int(sums[1][place])
            group.characters += int(sums[2][place])
            group.of_pages.append((page, int(marks[place])))


class _Heads(NamedTuple):
    """The first tags of what may be regions, with the number and length of the texts in each."""

    tags: Numbers
    texts: Numbers
    length: Numbers


def _heads(tree: Tree, lengths: Numbers) -> dict[Reach, _Heads]:
    """The elements and lines of a page that have a text, by what regions may reach over."""
    texts, characters = _sums(tree, lengths)

    def with_text(heads: Numbers, ends: Numbers) -> _Heads:
        inside = texts[ends] - texts[heads]
        full = inside > 0
        heads, ends = heads[full], ends[full]
        return _Heads(heads, inside[full], characters[ends] - characters[heads])

    elements = np.flatnonzero(tree.is_element & tree.is_open)
    elements = elements[elements > 0]
    whole = with_text(elements, tree.closes[elements].astype(np.intp))
    found: dict[Reach, _Heads] = {"element": whole, "stretch": whole}
    separators = np.flatnonzero(tree.is_element & np.isin(tree.names, _SEPARATORS))
    for reach in LINES:
        lines = lines_between(tree, separators, whole=reach == "paragraph")
        # The first of an element has no separator before it that could describe it.
        after = np.isin(lines.heads, separators)
        found[reach] = with_text(lines.heads[after], lines.ends[after])
    return found


def _describe(
    tree: Tree, elements: Numbers, description: Description, classes: Digests, places: Numbers
) -> tuple[Numbers, Digests]:
    """Which elements can be described so, and the digests of their descriptions."""
    digests = np.full(len(elements), 1, np.uint64)
    fits = np.ones(len(elements), bool)
    above = elements
    for level in range(description.names):
        digests = np.where(above > 0, combine(digests, tree.names[above]), digests)
        if level == description.classed:
            fits &= classes[above] != 0
            digests = combine(digests, classes[above])
        if level == description.placed:
            digests = combine(digests, places[above].astype(np.uint64))
        above = tree.parents[above].astype(np.intp)
    if description.reach == "stretch":
        fits &= _has_others_beside(tree, elements)
    chosen = np.flatnonzero(fits)
    return chosen, digests[chosen]


def _has_others_beside(tree: Tree, elements: Numbers) -> NDArray[np.bool_]:
    """Whether siblings of another name, or texts, stand between elements of a name."""
    parents = tree.parents[elements].astype(np.intp)
    pairs = combine(tree.names[elements], parents.astype(np.uint64))
    _, kind, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    children = np.bincount(parents, minlength=tree.size)
    own = np.bincount(tree.owners[tree.filled], minlength=tree.size)
    same = counts[kind]
    flags: NDArray[np.bool_] = (same >= LEAST) & (children[parents] + own[parents] > same)
    return flags & (parents > 0)


def tree_classes(tree: Tree) -> Digests:
    """The digest of each tag's class, or of its id if it has no class; 0 without both."""
    classes = np.zeros(tree.size, np.uint64)
    for name in reversed(CALLED):
        index = np.flatnonzero(tree.attribute_names == np.uint64(name_digest(name)))
        length = (tree.value_ends - tree.value_starts)[index]
        index = index[(length > 0) & (length <= LONGEST_VALUE)]
        values = combine(tree.attribute_values[index], np.full(len(index), name_digest(name), "u8"))
        classes[tree.tags_of_attributes[index]] = values
    return classes


def _sums(tree: Tree, lengths: Numbers) -> tuple[Numbers, Numbers]:
    """How many texts, and characters of them, there are before each tag, and in all."""
    return (
        np.concatenate([[0], np.cumsum(tree.filled)]),
        np.concatenate([[0], np.cumsum(lengths)]),
    )


def _pattern(tree: Tree, element: int, description: Description) -> Pattern:
    """The pattern of an element by its description."""
    steps = [_step(tree, *pair, description) for pair in _above(tree, element, description.names)]
    return Pattern(tuple(reversed(steps)), description.reach)


def _above(tree: Tree, element: int, count: int) -> Iterator[tuple[int, int]]:
    for level in range(count):
        if not element:
            return
        yield level, element
        element = int(tree.parents[element])


def _step(tree: Tree, level: int, tag: int, description: Description) -> Step:
    name = tag_name(tree, tag)
    if level == description.placed:
        beside = np.flatnonzero(tree.parents[: tag + 1] == tree.parents[tag])
        return Step(name, int((tree.names[beside] == tree.names[tag]).sum()))
    if level != description.classed:
        return Step(name)
    for attribute in CALLED:
        start, end = tree.attribute(tag, name_digest(attribute)) or (0, 0)
        if 0 < end - start <= LONGEST_VALUE:
            return Step(name, None, ((attribute, tree.text[start:end]),))
    return Step(name)
