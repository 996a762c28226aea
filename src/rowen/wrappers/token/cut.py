"""Cuts: which part of a slot or of an attribute is the value."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rowen._core import cut_bounds, name_digest, text_digest
from rowen.extractors.definition import Definition
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Outline

_KINDS = ("exact", "element", "open", "phrase", "outer")
_LISTS = ("missing", "run")


@dataclass(frozen=True)
class Cut:
    """From after `left` to before `right`, in the slot after a tag or in one of its attributes.

    Without `left` the value begins where the text does, without `right` it ends where the text
    ends, both without white space unless it is `exact`. `last` takes the last `left` instead of the
    first. `until` lets the value run over tags, up to one of that name; `element` takes all of the
    element that the tag opens, without the tags at its edges. Where it is `open`, `right` may be
    missing, and then the value ends where the text does. A `phrase` runs to the end of the element
    around it where only tags that format text are between, such as `<em>` or `<br>`. A text among
    `missing` says that there is no value, such as `n/a`. A `run` is a part of the element that the
    tag opens: from the first to the last of its children with one of these names and classes that
    have text, and all that is between them. With `outer` their own tags belong to it.
    """

    attribute: str | None = None
    left: str | None = None
    right: str | None = None
    last: bool = False
    until: str | None = None
    exact: bool = False
    element: bool = False
    open: bool = False
    phrase: bool = False
    missing: tuple[str, ...] = ()
    run: tuple[tuple[str, str], ...] = ()
    """Names of elements, each with its class; with an empty text for none."""
    outer: bool = False

    @cached_property
    def attribute_digest(self) -> int | None:
        """The attribute's name in an outline."""
        return None if self.attribute is None else name_digest(self.attribute)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """As the native code takes it."""
        until = None if self.until is None else Tag(self.until).digest
        sides = (self.left, self.right, self.last)
        missing = tuple(map(text_digest, self.missing))
        kinds = (self.exact, self.element, self.open, self.phrase)
        run = tuple((name_digest(name), text_digest(of_class)) for name, of_class in self.run)
        return (self.attribute_digest, *sides, until, *kinds, missing, run, self.outer)

    def value(self, outline: Outline, tag: int) -> tuple[int, int] | None:
        """The bounds of the value, None where there is none."""
        return cut_bounds(outline.native, self.compiled, tag)

    def to_dict(self) -> dict[str, Any]:
        """As it is saved: only what differs from the plain text of a slot."""
        names = ("attribute", "left", "right", "last", "until", *_KINDS)
        saved = {name: value for name in names if (value := getattr(self, name))}
        if self.missing:
            saved["missing"] = list(self.missing)
        if self.run:
            saved["run"] = [list(part) for part in self.run]
        return saved

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Cut":
        """A saved cut."""
        if not isinstance(saved, Mapping):
            raise definition.error("a cut must be a table")
        missing = saved.get("missing", [])
        if not isinstance(missing, list) or not all(isinstance(text, str) for text in missing):
            raise definition.error("'missing' must be a list of texts")
        run = saved.get("run", [])
        if not isinstance(run, list) or not all(map(_is_part, run)):
            raise definition.error("'run' must be a list of elements, each a name and a class")
        settings = {name: value for name, value in saved.items() if name not in _LISTS}
        for name, value in settings.items():
            kind = bool if name in ("last", *_KINDS) else str
            # A file from outside: unknown keys and wrong types must not reach the native code.
            if name not in cls.__dataclass_fields__ or not isinstance(value, kind):
                raise definition.error(f"a cut can't have {name!r}: {value!r}")
        parts = tuple((name, of_class) for name, of_class in run)
        return cls(**settings, missing=tuple(missing), run=parts)

    def describe(self, landmark: str) -> str:
        """In words, with the words for the landmark that it is applied to."""
        where = self._where(landmark)
        if not self.missing:
            return where
        return f"{where}; {' or '.join(map(repr, self.missing))} means that it is missing"

    def _where(self, landmark: str) -> str:
        if self.attribute is not None:
            where = f"attribute {self.attribute} of {landmark}"
        elif self.element:
            where = f"the whole element at {landmark}"
        elif self.run:
            parts = " or ".join(str(Tag(*_named(part))) for part in self.run)
            tags = ", with these tags" if self.outer else ""
            where = f"from the first to the last {parts} directly in {landmark}{tags}"
        elif self.until is not None:
            where = f"everything after {landmark} up to <{self.until}>"
        else:
            where = f"the text after {landmark}"
        left = f"{'the last ' if self.last else ''}{self.left!r}"
        until_end = " or the end" if self.open else ""
        if self.left and self.right:
            return f"{where}, between {left} and {self.right!r}{until_end}"
        if self.left:
            return f"{where}, after {left}"
        return f"{where}, before {self.right!r}{until_end}" if self.right else where


def _is_part(saved: object) -> bool:
    match saved:
        case [str(name), str()]:
            return bool(name)
        case _:
            return False


def _named(part: tuple[str, str]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A part of a run as the name and the attributes of a tag."""
    name, of_class = part
    return name, (("class", of_class),) if of_class else ()
