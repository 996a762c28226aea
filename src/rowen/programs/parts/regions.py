"""Records as regions of the same shape, with values at places inside them: the class region."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

from rowen.programs.parts.elements import Elements
from rowen.programs.parts.result import Record, Result, program
from rowen.programs.parts.tags import SPACES, squeeze

Step: TypeAlias = tuple[str, int | None, dict[str, str], bool]
"""A name, a place among its kind, attributes, and whether the element may be at any depth."""
Cells: TypeAlias = list[tuple[int, int]]


@program("region")
def read_regions(
    page: str,
    fields: list[str],
    *,
    record: dict[str, Any],
    rules: dict[str, list[dict[str, Any]]],
    several: list[str],
    required: list[str],
) -> Result:
    """Find the regions first, then the values inside each; without any there is no record."""
    regions = Regions(Elements(page), **record)
    columns = [_column(regions, rules[name], several=name in several) for name in fields]
    records: list[Record] = []
    for cells in zip(*columns, strict=True):
        row = dict(zip(fields, cells, strict=True))
        needed = [bool(row[name]) for name in fields if name in required or not required]
        if any(needed) and 2 * sum(needed) > (len(needed) if required else 0):
            records.append(
                {
                    name: None if not cell else cell[0] if len(cell) == 1 else cell
                    for name, cell in row.items()
                }
            )
    return records, bool(records)


def _column(regions: "Regions", rules: list[dict[str, Any]], *, several: bool) -> list[Cells]:
    """The places of a field's values in each region: by the first rule that finds some there."""
    column: list[Cells] = [[] for _ in regions.heads]
    for rule in rules:
        before = [bool(cells) for cells in column]
        for tag in regions.find(rule):
            region = regions.numbers[tag]
            place = _part(regions.elements.page, *regions.bounds(rule, tag), rule)
            if region < 0 or place is None or before[region]:
                continue
            if several or not column[region]:
                column[region].append(place)
    return column


def _part(page: str, start: int, end: int, rule: dict[str, Any]) -> tuple[int, int] | None:
    """The part of a text that is the value, None where there is none."""
    if left := rule.get("left"):
        place = page.rfind(left, start, end) if rule.get("last") else page.find(left, start, end)
        if place < 0:
            return None
        start = place + len(left)
    if right := rule.get("right"):
        end = page.find(right, start, end)
    if start >= end:
        return None
    text = page[start:end]
    start, end = end - len(text.lstrip(SPACES)), start + len(text.rstrip(SPACES))
    if "pattern" in rule:
        match = re.compile(rule["pattern"]).search(page, start, end)
        return None if match is None else match.span()
    return (start, end) if start < end else None


class Siblings:
    """The tags of a page, counted among their siblings in the nodes around them."""

    def __init__(self, elements: Elements, parents: list[int], *, around: bool = True) -> None:
        self.elements = elements
        self.parents = parents
        """The node around each tag."""
        self.around = around
        """Whether a node for a region stands for an element."""

    @cached_property
    def _places(self) -> list[int]:
        """The place of each tag among those of its name in the node around it, from 1."""
        places = _ranks(zip(self.elements.names, self.parents, strict=True))
        for number, place in self.elements.grid.items():
            if self.around or self.parents[number] == self.elements.parents[number]:
                places[number] = place
        return places

    def matching(self, step: Step) -> list[int]:
        """The tags with that name, place and attributes."""
        name, place, attributes, _ = step
        elements = self.elements
        matching = []
        for number, own_name in enumerate(elements.names):
            if own_name != name or (place is not None and self._places[number] != place):
                continue
            has = {
                (key, squeeze(elements.page[start:end]))
                for key, start, end in elements.tags[number].attributes
            }
            if all((key, squeeze(value)) in has for key, value in attributes.items()):
                matching.append(number)
        return matching


class Regions:
    """The regions of a page; elements and texts are counted within each.

    A region reaches from its head to the end of that element, or as a stretch of siblings to the
    next head. A line is what is between two heads. Nodes are the tags, and behind them one for
    each region.
    """

    def __init__(self, elements: Elements, *, path: list[Step], reach: str) -> None:
        self.elements = elements
        self.is_element = reach == "element"
        self.heads: list[int] = []
        self.ends: list[int] = []
        self.is_line = reach in ("line", "paragraph")
        heads = _heads(elements, path)
        if self.is_line:
            self._take_lines(sorted(self._lines(heads, whole=reach == "paragraph")))
        else:
            self._take_outer(self._bounds(heads))
        self.numbers = [-1] * elements.size
        """The region of each tag, or -1."""
        self.parents = elements.parents.copy()
        self.owners = elements.owners.copy()
        for number, (head, end) in enumerate(zip(self.heads, self.ends, strict=True)):
            root = head if self.is_element or self._is_around(head) else elements.parents[head]
            for tag in range(head, end):
                self.numbers[tag] = number
                if elements.parents[tag] == root and not (self.is_element and tag == head):
                    self.parents[tag] = elements.size + number
                if elements.owners[tag] == root:
                    self.owners[tag] = elements.size + number
        self._siblings = Siblings(elements, self.parents, around=self.is_element)

    def _is_around(self, head: int) -> bool:
        """Whether a line comes after the start tag of the element that it is in."""
        return self.is_line and self.elements.opens[head]

    def _take_outer(self, bounds: Iterable[tuple[int, int]]) -> None:
        """Of regions inside others the outer ones count."""
        reached = 0
        for head, end in bounds:
            if head >= reached:
                self.heads.append(head)
                self.ends.append(end)
            reached = max(reached, end)

    def _take_lines(self, bounds: list[tuple[int, int]]) -> None:
        """What holds other lines is none."""
        for number, (head, end) in enumerate(bounds):
            if number + 1 == len(bounds) or bounds[number + 1][0] >= end:
                self.heads.append(head)
                self.ends.append(end)

    def _lines(self, separators: list[int], *, whole: bool) -> list[tuple[int, int]]:
        """What is between separators and has text; as a whole what has no empty line in it."""
        elements = self.elements
        texts = elements.read_texts
        by_parent: dict[int, list[int]] = {}
        for separator in separators:
            by_parent.setdefault(elements.parents[separator], []).append(separator)
        lines: list[tuple[int, int]] = []
        for parent, own in by_parent.items():
            goes_on = False
            for head, end in pairwise([parent, *own, elements.ends[parent]]):
                has_text = bisect_left(texts, head) < bisect_left(texts, end)
                if has_text and whole and goes_on:
                    lines[-1] = (lines[-1][0], end)
                elif has_text:
                    lines.append((head, end))
                goes_on = has_text
        return lines

    def _bounds(self, heads: list[int]) -> Iterable[tuple[int, int]]:
        elements = self.elements
        if self.is_element:
            return [(head, elements.ends[head]) for head in heads]
        following: dict[int, int] = {}
        bounds: list[tuple[int, int]] = []
        for head in reversed(heads):
            parent = elements.parents[head]
            bounds.append((head, following.get(parent, elements.ends[parent])))
            following[parent] = head
        return reversed(bounds)

    @cached_property
    def _text_numbers(self) -> dict[int, int]:
        """The number of each text among those of its owner, from 1."""
        texts = self.elements.read_texts
        return dict(zip(texts, _ranks(self.owners[tag] for tag in texts), strict=True))

    def _span(self, node: int) -> tuple[int, int]:
        """The first tag of a node, and the tag after its last."""
        number = node - self.elements.size
        if number >= 0:
            return self.heads[number], self.ends[number]
        return node, self.elements.ends[node]

    def _reached(self, steps: list[Step]) -> list[int]:
        """The nodes to which steps lead from the regions."""
        size = self.elements.size
        reached = [size + number for number in range(len(self.heads))]
        for step in steps:
            matching = self._siblings.matching(step)
            if step[3]:
                inside: set[int] = set()
                furthest = 0
                for node in reached:
                    start, end = self._span(node)
                    # An element is not inside itself, nor is what a line comes after in the line;
                    # the first tag of a stretch is inside it.
                    start += node < size or self.is_element or self.is_line
                    # Of elements in each other the outer one has all that the inner ones have.
                    inside.update(range(max(start, furthest), end))
                    furthest = max(furthest, end)
                reached = [tag for tag in matching if tag in inside]
            else:
                nodes = set(reached)
                reached = [tag for tag in matching if self.parents[tag] in nodes]
        return reached

    def find(self, rule: dict[str, Any]) -> Iterable[int]:
        """The tags at which a rule's texts, attributes or elements are."""
        elements = self.elements
        if "label" in rule:
            return self._labelled(squeeze(rule["label"]))
        reached = self._reached(rule.get("steps", []))
        if "attribute" in rule or _is_whole(rule):
            tags = [node for node in reached if node < elements.size]
            roots = [node - elements.size for node in reached if node >= elements.size]
            return sorted([*tags, *(self.heads[root] for root in roots if self.is_element)])
        nodes = set(reached)
        if "text" in rule:
            numbers = self._text_numbers
            return [
                tag
                for tag in elements.read_texts
                if self.owners[tag] in nodes and numbers[tag] == rule["text"]
            ]
        if "content" in rule:
            return self._contents(reached, rule["content"])
        return self._behind(nodes, rule["after"])

    def _labelled(self, label: str) -> list[int]:
        """The texts after a text, in the same region."""
        texts, numbers = self.elements.read_texts, self.numbers
        return [
            behind
            for here, behind in pairwise(texts)
            if numbers[here] == numbers[behind] >= 0 and self.elements.text(here) == label
        ]

    def _contents(self, nodes: list[int], number: int) -> list[int]:
        """The text of that number inside each node."""
        texts = self.elements.read_texts
        tags = set()
        for start, end in map(self._span, nodes):
            place = bisect_left(texts, start) + number - 1
            if place < len(texts) and texts[place] < end:
                tags.add(texts[place])
        return sorted(tags)

    def _behind(self, nodes: set[int], step: Step) -> list[int]:
        """The texts behind children: after the end tag of each, where it has one."""
        elements = self.elements
        texts = set(elements.read_texts)
        tags = []
        for child in self._siblings.matching(step):
            if self.parents[child] in nodes:
                end = elements.ends[child] if elements.opens[child] else child
                if end == child or elements.closed_by.get(end) == child:
                    tags.append(end)
        return [tag for tag in tags if tag in texts]

    def bounds(self, rule: dict[str, Any], tag: int) -> tuple[int, int]:
        """Where the text, the attribute or the element's content is; nowhere is 0, 0."""
        elements = self.elements
        if "attribute" in rule:
            places = (
                (start, end)
                for name, start, end in elements.tags[tag].attributes
                if name == rule["attribute"] and start >= 0
            )
            return next(places, (0, 0))
        if not _is_whole(rule):
            return elements.bounds(tag)
        texts = elements.texts
        first, last = bisect_left(texts, tag), bisect_left(texts, elements.ends[tag]) - 1
        if first > last:
            return 0, 0
        return elements.bounds(texts[first])[0], elements.bounds(texts[last])[1]


def _heads(elements: Elements, path: list[Step]) -> list[int]:
    """The tags to which a path of elements leads, one inside the other."""
    siblings = Siblings(elements, elements.parents)
    *around, heads = map(siblings.matching, path)
    above = {head: head for head in heads}
    for matching in map(set, reversed(around)):
        parents = {head: elements.parents[tag] for head, tag in above.items()}
        above = {head: tag for head, tag in parents.items() if tag in matching}
    return list(above)


def _is_whole(rule: dict[str, Any]) -> bool:
    return not rule.keys() & {"attribute", "text", "after", "label", "content"}


def _ranks(keys: Iterable[Any]) -> list[int]:
    """The number of each key among its equals, from 1."""
    counts: dict[Any, int] = {}
    ranks = []
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
        ranks.append(counts[key])
    return ranks
