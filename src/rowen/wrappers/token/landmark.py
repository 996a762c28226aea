"""Landmarks: sequences of generalised HTML tokens that mark a place on the page.

    <tr><td>Price:</td><td>12</td></tr>

    before   the tag <td>, and from it backwards: no text, </td>, "Price:", <td>
    after    what follows the value: </td>

A tag matches by its name and at least the given attributes, a text with white space as one space.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen._core import landmark_tags, name_digest, text_digest
from rowen.extractors.definition import Definition
from rowen.wrappers.token.outline import END, Outline, Pair

_SPACE = re.compile(r"[\t-\r \xa0]+")


def squeezed(text: str) -> str:
    """The text with white space as one space, and none around it."""
    return _SPACE.sub(" ", text).strip(" ")


@dataclass(frozen=True)
class Tag:
    """A tag of that name (`td`, `/td`, `!--`) that has at least these attributes.

    `place` is its place among the tags of its name in the element around it, None for any.
    """

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    place: int | None = None

    @cached_property
    def digest(self) -> int:
        """The name's digest in an outline."""
        # Fixed digests of the native outline for what is no element: see html_outline.hpp.
        if self.name == "!--":
            return 3
        if self.name == "!doctype":
            return 5
        if not self.name:
            return 0
        # An end tag has the inverted digest of its start tag, as the native outline writes it.
        if self.name.startswith("/"):
            return name_digest(self.name[1:]) ^ (2 * END - 1)
        return name_digest(self.name)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The attributes' digests."""
        return tuple(Pair(name_digest(name), text_digest(value)) for name, value in self.attributes)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """As the native code takes it."""
        return (self.digest, self.pairs, self.place)

    def to_list(self) -> list[Any]:
        """As it is saved."""
        if self.place is not None:
            return [self.name, dict(self.attributes), self.place]
        return [self.name, dict(self.attributes)] if self.attributes else [self.name]

    def __str__(self) -> str:
        if not self.name:
            return "the start of the page"
        attributes = "".join(f' {name}="{value}"' for name, value in self.attributes)
        place = "" if self.place is None else f" no. {self.place}"
        return f"<{self.name}{attributes}>{place}"


@dataclass(frozen=True)
class Slot:
    """The text between two tags: this one, or any where it is None; white space counts as one."""

    text: str | None = None

    @cached_property
    def digest(self) -> int | None:
        """The text's digest in an outline."""
        return None if self.text is None else text_digest(self.text)

    def __str__(self) -> str:
        return "…" if self.text is None else (self.text or "")


ANY = Slot()
Token: TypeAlias = Tag | Slot


@dataclass(frozen=True)
class Landmark:
    """A tag, with the tokens before it and the tokens after what is looked for.

    `before` begins with the tag itself and goes backwards: tag, slot, tag, slot. `after` begins
    with the slot or the tag that follows what is looked for, and goes forwards.
    """

    before: tuple[Token, ...]
    after: tuple[Token, ...] = ()

    def find(self, outline: Outline) -> NDArray[np.int32]:
        """The tags of a page that match."""
        return landmark_tags(outline.native, self.compiled)

    @cached_property
    def compiled(self) -> tuple[Any, ...]:
        """As the native code takes it: how far on, and which tag or text has to be there."""
        steps: list[tuple[int, Any, int | None]] = []
        by = 0
        for place, token in enumerate(self.before):
            # Slot i follows tag i: going back, the slot before a tag belongs to the tag before it.
            by -= place > 0 and isinstance(token, Slot)
            steps.append(_step(token, by))
        by = 0
        for token in self.after:
            by += isinstance(token, Tag)
            if token != ANY:  # so the page may end there
                steps.append(_step(token, by))
        return tuple(steps)

    def to_dict(self) -> dict[str, Any]:
        """As it is saved: tags are lists, texts are strings, null is any text."""
        saved = {"before": [_saved(token) for token in self.before]}
        if self.after:
            saved["after"] = [_saved(token) for token in self.after]
        return saved

    @classmethod
    def from_saved(cls, saved: object, definition: Definition) -> "Landmark":
        """A saved landmark."""
        if not isinstance(saved, Mapping) or not saved.get("before"):
            raise definition.error("a landmark must have 'before', and may have 'after'")
        before, after = (
            tuple(_token(token, definition) for token in _list(saved.get(side, []), definition))
            for side in ("before", "after")
        )
        if not isinstance(before[0], Tag):
            raise definition.error("a landmark's 'before' must begin with a tag")
        return cls(before, after)

    def __str__(self) -> str:
        before = " ".join(filter(None, map(str, reversed(self.before))))
        after = " ".join(filter(None, map(str, self.after)))
        return before + (f", followed by {after}" if after else "")


def _step(token: Token, by: int) -> tuple[int, Any, int | None]:
    return (by, token.compiled, None) if isinstance(token, Tag) else (by, None, token.digest)


def _saved(token: Token) -> Any:
    return token.to_list() if isinstance(token, Tag) else token.text


def _list(saved: object, definition: Definition) -> list[Any]:
    if not isinstance(saved, list):
        raise definition.error("a landmark's sides must be lists of tags and texts")
    return saved


def _token(saved: object, definition: Definition) -> Token:
    match saved:
        case None | str():
            return Slot(saved)
        case [str(name)]:
            return Tag(name)
        case [str(name), {**attributes}] if _are_texts(attributes):
            return Tag(name, _pairs(attributes))
        case [str(name), {**attributes}, int(place)] if _are_texts(attributes):
            return Tag(name, _pairs(attributes), place)
        case _:
            raise definition.error(f"not a tag or a text: {saved!r}")


def _are_texts(attributes: Mapping[Any, Any]) -> bool:
    return all(isinstance(part, str) for pair in attributes.items() for part in pair)


def _pairs(attributes: Mapping[Any, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((str(key), str(value)) for key, value in attributes.items())
