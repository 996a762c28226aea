"""Cuts: which part of a slot or of an attribute is the value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rowen._core import name_digest
from rowen.extractors.definition import Definition
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Outline

SPACES = " \t\n\v\f\r\xa0"
"""White space as an outline has it."""


@dataclass(frozen=True)
class Cut:
    """From after `left` to before `right`, in the slot after a tag or in one of its attributes.

    Without `left` the value begins where the text does, without `right` it ends where the text
    ends, both without white space unless it is `exact`. `last` takes the last `left` instead of the
    first. `until` lets the value run over tags, up to one of that name; `element` takes all of the
    element that the tag opens, without the tags at its edges.
    """

    attribute: str | None = None
    left: str | None = None
    right: str | None = None
    last: bool = False
    until: str | None = None
    exact: bool = False
    element: bool = False

    @cached_property
    def attribute_digest(self) -> int | None:
        """The attribute's name in an outline."""
        return None if self.attribute is None else name_digest(self.attribute)

    @cached_property
    def _until(self) -> int | None:
        return None if self.until is None else Tag(self.until).digest

    def value(self, outline: Outline, tag: int) -> tuple[int, int] | None:
        """Where the value stands, None where there is none."""
        if self.element:
            return outline.content(tag)
        around = self._around(outline, tag)
        return None if around is None else self._inside(outline.text, *around)

    def _inside(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        if self.left is not None:
            find = text.rfind if self.last else text.find
            found = find(self.left, start, end)
            if found < 0:
                return None
            start = found + len(self.left)
        if self.right is not None:
            end = text.find(self.right, start, end)
            if end < 0:
                return None
        if self.left is None and not self.exact:
            while start < end and text[start] in SPACES:
                start += 1
        if self.right is None and not self.exact:
            while end > start and text[end - 1] in SPACES:
                end -= 1
        return (start, end) if start < end else None

    def _around(self, outline: Outline, tag: int) -> tuple[int, int] | None:
        if self.attribute_digest is not None:
            return outline.attribute(tag, self.attribute_digest)
        start, end = outline.slot(tag)
        if self._until is None:
            return start, end
        after = tag + 1
        while after < outline.size and int(outline.names[after]) != self._until:
            after += 1
        return (start, outline.start_of(after)) if after < outline.size else None

    def to_dict(self) -> dict[str, Any]:
        """As it is saved: only what differs from the plain text of a slot."""
        names = ("attribute", "left", "right", "last", "until", "exact", "element")
        return {name: value for name in names if (value := getattr(self, name))}

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Cut":
        """As it was saved."""
        if not isinstance(saved, Mapping):
            raise definition.error("a cut is a table")
        for name, value in saved.items():
            wanted = bool if name in ("last", "exact", "element") else str
            if name not in cls.__dataclass_fields__ or not isinstance(value, wanted):
                raise definition.error(f"a cut can't have {name!r}: {value!r}")
        return cls(**saved)

    def __str__(self) -> str:
        if self.attribute is not None:
            where = f"its attribute {self.attribute}"
        elif self.element:
            where = "all of the element"
        elif self.until is not None:
            where = f"all up to <{self.until}>"
        else:
            where = "the text"
        after = f", after {'the last ' if self.last else ''}{self.left!r}" if self.left else ""
        before = f", before {self.right!r}" if self.right else ""
        return where + after + before
