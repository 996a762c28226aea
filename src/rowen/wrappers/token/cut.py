"""Cuts: which part of a slot or of an attribute is the value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rowen._core import cut_bounds, name_digest
from rowen.extractors.definition import Definition
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Outline


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
    def compiled(self) -> tuple[Any, ...]:
        """For kernels."""
        until = None if self.until is None else Tag(self.until).digest
        sides = (self.left, self.right, self.last)
        return (self.attribute_digest, *sides, until, self.exact, self.element)

    def value(self, outline: Outline, tag: int) -> tuple[int, int] | None:
        """Where the value stands, None where there is none."""
        return cut_bounds(outline.native, self.compiled, tag)

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
