"""Paths in trees of data: keys, each element, one element, or those that say something.

    offers[each].price              {"offers": [{"price": 12}, {"price": 13}]}      12, 13
    offers[0].price                                                                 12
    props[name = "Size"].value      {"props": [{"name": "Size", "value": "L"}]}     L

A value that is no array counts as an array of one, and a key means that of each element: sites, and
JSON-LD by its standard, write a single element without its array.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from rowen.extractors.definition import Definition
from rowen.text.data import Kind, Tree
from rowen.text.data.sources import local_name

SHOWN_CHARACTERS = 40
"""This much of a text in a condition is shown."""


@dataclass(frozen=True, slots=True)
class Each:
    """Every element of an array; of an object with `keyed`, every member whatever its key."""

    keyed: bool = False

    def __str__(self) -> str:
        return "[each key]" if self.keyed else "[each]"


@dataclass(frozen=True, slots=True)
class Where:
    """The elements with a member that says a text, such as `@type` and `Product`."""

    key: str
    text: str

    def holds(self, tree: Tree, node: int) -> bool:
        """Whether a node has that member."""
        member = tree.member(node, self.key)
        if member is None:
            return False
        return any(
            tree.is_leaf(element) and _said(self.key, tree.says(element)) == self.text
            for element in tree.elements(member)
        )

    def __str__(self) -> str:
        shown = self.text[:SHOWN_CHARACTERS]
        return f'[{self.key} = "{shown}"]'


Step: TypeAlias = str | int | Each | Where
"""A key of an object, a position in an array, every element, or those with a member."""

Steps: TypeAlias = tuple[Step, ...]

EACH = Each()


def condition(tree: Tree, key: str, leaf: int) -> Where:
    """The condition that a member says what this leaf does."""
    return Where(key, _said(key, tree.says(leaf)))


def _said(key: str, text: str) -> str:
    return local_name(text) if key == "@type" else text


def follow(tree: Tree, node: int, steps: Steps) -> list[int]:
    """The nodes to which a path leads, in order."""
    nodes = [node]
    for step in steps:
        nodes = [after for before in nodes for after in _take(tree, before, step)]
        if not nodes:
            break
    return nodes


def leaves_at(tree: Tree, node: int, steps: Steps) -> list[int]:
    """The leaves to which a path leads that say something; of an array its elements."""
    return [
        leaf
        for end in follow(tree, node, steps)
        for leaf in tree.elements(end)
        if tree.is_leaf(leaf) and tree.says(leaf).strip()
    ]


def _take(tree: Tree, node: int, step: Step) -> Iterable[int]:
    if isinstance(step, str):
        members = (tree.member(element, step) for element in tree.elements(node))
        return [member for member in members if member is not None]
    if isinstance(step, int):
        return tree.elements(node)[step : step + 1]
    if isinstance(step, Where):
        return [element for element in tree.elements(node) if step.holds(tree, element)]
    if step.keyed:
        return tree.children(node) if tree.kinds[node] == Kind.OBJECT else ()
    return tree.elements(node)


def shown(steps: Steps) -> str:
    """A path as it is read: `offers[each].price`."""
    text = ""
    for step in steps:
        if isinstance(step, str):
            plain = step.replace("_", "a").replace("@", "a").replace(":", "a").replace("-", "a")
            text += f".{step}" if plain.isalnum() else f'["{step}"]'
        else:
            text += f"[{step}]" if isinstance(step, int) else str(step)
    return text.removeprefix(".")


def to_saved(steps: Steps) -> list[Any]:
    """A path as it is saved: keys are texts, positions numbers, the others objects."""
    saved: list[Any] = []
    for step in steps:
        if isinstance(step, Each):
            saved.append({"each": "key" if step.keyed else "element"})
        elif isinstance(step, Where):
            saved.append({"where": [step.key, step.text]})
        else:
            saved.append(step)
    return saved


def from_saved(saved: object, definition: Definition) -> Steps:
    """A saved path."""
    if not isinstance(saved, list):
        raise definition.error("a path must be a list of steps")
    return tuple(_step(step, definition) for step in saved)


def _step(saved: object, definition: Definition) -> Step:
    if isinstance(saved, str) or (type(saved) is int and saved >= 0):
        return saved
    if isinstance(saved, Mapping) and len(saved) == 1:
        if saved.get("each") in ("key", "element"):
            return Each(keyed=saved["each"] == "key")
        where = saved.get("where")
        if isinstance(where, list) and len(where) == 2 and all(isinstance(t, str) for t in where):
            return Where(*where)
    raise definition.error(
        "a step of a path must be a key, a position, "
        '{"each": "element"}, {"each": "key"} or {"where": [KEY, TEXT]}'
    )
