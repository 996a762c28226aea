"""Spots: where a field stands in its region.

    <li><b>Ada</b> <i class="year">1815</i> <span>Born:</span> London</li>

    b[1], text 1                 the first text of the first <b>
    i[@class="year"], text 1     the same, wherever it is in the region
    text after "Born:"           the next text, whatever is between them
    the region, content 2        the second of all texts in it, whatever is around them

Steps go from the region down to an element. A place is that among the tags of the same name in the
element around; of a cell it is that in the grid of its table. A step may be `deep`: then the
element may be at any depth.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rowen._core import name_digest, text_digest
from rowen.extractors.definition import Definition
from rowen.wrappers.region.tree import Numbers, View
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Flags, Outline

STEP: tuple[Any, ...] = ("", None, {}, False)
"""A step as it is saved: name, place, attributes and whether it is deep; what is left out."""

_NAME = re.compile(r"</?([^\s/>]+)")


def tag_name(outline: Outline, tag: int) -> str:
    """The name of a start tag as the page writes it, in small letters."""
    match = _NAME.match(outline.text, int(outline.starts[tag]))
    return "" if match is None else match[1].lower()


@dataclass(frozen=True)
class Step:
    """A child element of that name, at that place if any, with at least these attributes."""

    name: str
    place: int | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    deep: bool = False

    @cached_property
    def tag(self) -> Tag:
        """Its name and attributes."""
        return Tag(self.name, self.attributes)

    def matching(self, view: View) -> Flags:
        """The tags of that name, place and attributes."""
        tree = view.tree
        matching: Flags = tree.names == np.uint64(self.tag.digest)
        for pair in self.tag.pairs:
            matching = matching & tree.having(pair)
        if self.place is not None:
            matching = matching & (view.places == self.place)
        return matching

    def to_list(self) -> list[Any]:
        """As it is saved: name, place, attributes, and whether it is deep."""
        saved = [self.name, self.place, dict(self.attributes), self.deep]
        while len(saved) > 1 and not saved[-1]:
            saved.pop()
        return saved

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Step":
        """A saved step."""
        if isinstance(saved, list) and 0 < len(saved) <= len(STEP):
            name, place, attributes, deep = (*saved, *STEP[len(saved) :])
            valid = (
                isinstance(name, str)
                and (place is None or type(place) is int)
                and isinstance(attributes, Mapping)
                and all(isinstance(part, str) for pair in attributes.items() for part in pair)
                and isinstance(deep, bool)
            )
            if valid:
                return cls(name, place, tuple(attributes.items()), deep)
        raise definition.error(f"not a step to an element: {saved!r}")

    def __str__(self) -> str:
        attributes = "".join(f'[@{name}="{value}"]' for name, value in self.attributes)
        place = "" if self.place is None else f"[{self.place}]"
        return f"{'//' if self.deep else ''}{self.name}{attributes}{place}"


@dataclass(frozen=True)
class Spot:
    """The element at the end of `steps`, and what of it: an attribute, one of its texts, or all.

    `text` is the number of a text among those that are directly in the element, `content` among all
    inside it; `after` is the child after which the text stands. `label` is the text after which the
    next one is the value. Without any of them all of the element is meant.
    """

    steps: tuple[Step, ...] = ()
    attribute: str | None = None
    text: int | None = None
    after: Step | None = None
    label: str | None = None
    content: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of the element is meant."""
        parts = (self.attribute, self.text, self.after, self.label, self.content)
        return all(part is None for part in parts)

    def find(self, view: View) -> Numbers:
        """The tags of all matches in all regions, in page order: the value is in the slot after
        each, in one of its attributes or in its element.
        """
        if self.label is not None:
            return self._labelled(view)
        reached = self._reached(view)
        size = view.tree.size
        if self.attribute is not None or self.is_whole:
            nodes = np.flatnonzero(reached)
            roots = nodes[nodes >= size] - size
            heads = view.regions.heads[roots] if view.regions.around else roots[:0]
            tags = np.concatenate([nodes[nodes < size], heads])
            tags.sort()
            return tags
        if self.text is not None:
            return np.flatnonzero(reached[view.owners] & (view.text_numbers == self.text))
        if self.content is not None:
            return self._inside(view, np.flatnonzero(reached), self.content)
        assert self.after is not None
        children = np.flatnonzero(self.after.matching(view) & reached[view.parents])
        tree = view.tree
        opened = tree.is_open[children]
        closing = np.minimum(tree.closes[children], tree.size - 1)
        # The text after a child is behind its end tag; without one nobody can say where it is.
        ended = (tree.starts_of_ends[closing] == children) & (closing == tree.closes[children])
        tags = np.where(opened, closing, children)[~opened | ended]
        behind: Numbers = tags[tree.filled[tags]]
        return behind

    def bounds(self, view: View, tags: Numbers) -> tuple[Numbers, Numbers]:
        """Where the texts at tags that were found start and end; empty ones where there is none."""
        tree = view.tree
        if self.attribute is not None:
            return tree.values_of(name_digest(self.attribute), tags)
        if self.is_whole:
            return tree.contents_of(tags)
        return tree.slot_starts[tags].astype(np.intp), tree.slot_ends[tags].astype(np.intp)

    def _reached(self, view: View) -> Flags:
        return _reached(view, self.steps)

    @staticmethod
    def _inside(view: View, nodes: Numbers, number: int) -> Numbers:
        """The text of that number inside each node."""
        tree = view.tree
        full = np.flatnonzero(tree.filled)
        starts, ends = view.bounds(nodes)
        places = np.searchsorted(full, starts) + number - 1
        places, ends = places[places < len(full)], ends[places < len(full)]
        tags = full[places]
        return np.unique(tags[tags < ends])

    def _labelled(self, view: View) -> Numbers:
        assert self.label is not None
        tree = view.tree
        full = np.flatnonzero(tree.filled)
        labels = np.flatnonzero(tree.slots[full] == np.uint64(text_digest(self.label)))
        labels = labels[labels + 1 < len(full)]
        here, behind = full[labels], full[labels + 1]
        numbers = view.numbers
        same: Numbers = behind[(numbers[here] >= 0) & (numbers[here] == numbers[behind])]
        return same

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        saved: dict[str, Any] = {}
        if self.steps:
            saved["steps"] = [step.to_list() for step in self.steps]
        if self.after is not None:
            saved["after"] = self.after.to_list()
        for name in ("attribute", "text", "label", "content"):
            if (value := getattr(self, name)) is not None:
                saved[name] = value
        return saved

    @classmethod
    def from_saved(cls, saved: Mapping[str, Any], definition: Definition) -> "Spot":
        """A saved spot."""
        steps, after = saved.get("steps", []), saved.get("after")
        if not isinstance(steps, list):
            raise definition.error("'steps' must be a list")
        for name, kind in _KINDS.items():
            if name in saved and type(saved[name]) is not kind:
                raise definition.error(f"a field can't have {name!r}: {saved[name]!r}")
        return cls(
            tuple(Step.from_saved(step, definition) for step in steps),
            saved.get("attribute"),
            saved.get("text"),
            None if after is None else Step.from_saved(after, definition),
            saved.get("label"),
            saved.get("content"),
        )

    def __str__(self) -> str:
        element = "/".join(map(str, self.steps)) or "the region"
        if self.label is not None:
            return f"the text after {self.label!r}"
        if self.attribute is not None:
            return f"attribute {self.attribute} of {element}"
        if self.after is not None:
            return f"the text after {self.after} in {element}"
        if self.text is not None:
            return f"text {self.text} of {element}"
        if self.content is not None:
            return f"text {self.content} inside {element}"
        return f"all of {element}"


_KINDS = {"attribute": str, "text": int, "label": str, "content": int}


def _reached(view: View, steps: tuple[Step, ...]) -> Flags:
    """The nodes at the end of steps from the regions: rules have many steps in common."""
    reached = view.reached.get(steps)
    if reached is None:
        if steps:
            *before, step = steps
            outer = _reached(view, tuple(before))
            inside = _below(view, outer) if step.deep else outer[view.parents]
            matching = step.matching(view) & inside
            reached = np.concatenate([matching, np.zeros(view.count, bool)])
        else:
            reached = np.zeros(view.tree.size + view.count, bool)
            reached[view.tree.size :] = True
        view.reached[steps] = reached
    return reached


def _below(view: View, reached: Flags) -> Flags:
    """The tags inside the nodes reached."""
    nodes = np.flatnonzero(reached)
    starts, ends = view.bounds(nodes)
    # An element is not inside itself, nor is what a line comes after in the line; the first tag of
    # a stretch is inside it.
    without_first = view.regions.around or view.regions.lines
    starts = starts + ((nodes < view.tree.size) | without_first)
    change = np.zeros(view.tree.size + 1, np.intp)
    np.add.at(change, starts, 1)
    np.add.at(change, ends, -1)
    return np.cumsum(change)[:-1] > 0
