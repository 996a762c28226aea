"""HTML tokens with their exact places in the source.

Tokenization follows the WHATWG standard, with one addition: source that produces nothing, such as
`</>`, is a token as well. So the tokens of a text are a partition of it: each starts where the one
before it ends, and joined they are the source again. Newlines and character references stay as they
are; `rowen.text.character_references` resolves the latter.

    source   <p class=a>1 &lt; 2</>       tokens   START_TAG [0, 11)  TEXT [11, 19)  JUNK [19, 22)

The work is done in C++ (`_core/html_tokens.cpp`), which returns columns of numbers: a page can have
a hundred thousand tokens, and few of them are ever needed as Python objects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rowen._core import html_tokens
from rowen.model import Span

# The bits of `Tokens.flags`, as html_tokens.hpp has them.
SELF_CLOSING = 1
LITERAL = 2
"""Ampersands in this text are no character references: scripts, styles, `<xmp>`."""
RAW = 4
"""Text of an element that holds only text (script, title): a parser keeps every character of it."""

_BATCH = 4096
_NAMES = 1024
"""Limit: how many different tag names are cached for one page. Pages have a hundred, hostile ones a
million."""
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)} | {0: 0xFFFD}


class Kind(IntEnum):
    """The kind of a token; the numbers are those of `Tokens.kinds`."""

    TEXT = 0
    START_TAG = 1
    END_TAG = 2
    COMMENT = 3
    """A comment, a processing instruction, or what the standard calls a bogus comment."""
    DOCTYPE = 4
    JUNK = 5
    """Source that produces nothing: `</>`, or a tag that the end of the text cuts off."""


_KINDS = tuple(Kind)
_END_TAG = int(Kind.END_TAG)


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute as it is written: `span` covers its name, its value and the quotes.

    `value_span` excludes the quotes; it is None where no value is written, as in `<a download>`.
    """

    name: str
    span: Span
    value_span: Span | None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the source; tags have a name in lower case, and start tags have attributes.

    `attributes` has all that are written. Where two have the same name, the first one counts.
    """

    kind: Kind
    span: Span
    name: str = ""
    attributes: tuple[Attribute, ...] = ()
    self_closing: bool = False
    literal: bool = field(default=False, kw_only=True)
    """Whether ampersands are no character references, as in the text of scripts and styles."""

    def attribute(self, name: str) -> Attribute | None:
        """The attribute with that name; the first one where there are two."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)


class Tokens(Sequence[Token]):
    """The tokens of a text, stored as columns; a `Token` object is built on demand.

    `kinds`, `flags`, `starts` and `ends` have an entry for each token. The attributes of token `i`
    are the rows `attributes_from[i]` to `attributes_from[i + 1]` of `attributes`: the start and end
    of the name, then the start and end of the value (-1 where there is none).
    """

    __slots__ = (
        "attributes",
        "attributes_from",
        "ends",
        "flags",
        "kinds",
        "name_ends",
        "starts",
        "text",
    )

    text: str
    kinds: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    name_ends: NDArray[np.int32]
    attributes_from: NDArray[np.int32]
    attributes: NDArray[np.int32]

    def __init__(
        self,
        text: str,
        *,
        hint_starts: NDArray[np.int32] | None = None,
        hints: NDArray[np.uint8] | None = None,
    ) -> None:
        """`hints` say what only a parsed tree knows about some tags: see `html_tokens.hpp`."""
        self.text = text
        self.kinds, self.flags, bounds, self.name_ends, self.attributes_from, attributes = (
            html_tokens(text, hint_starts=hint_starts, hints=hints)
        )
        self.starts = bounds[:-1]
        self.ends = bounds[1:]
        self.attributes = attributes.reshape(-1, 4)

    def __len__(self) -> int:
        return len(self.kinds)

    @overload
    def __getitem__(self, index: int) -> Token: ...
    @overload
    def __getitem__(self, index: slice) -> list[Token]: ...
    def __getitem__(self, index: int | slice) -> Token | list[Token]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"token index {index} is out of range: there are {len(self)} tokens")
        index %= len(self)
        return next(self._batch(index, index + 1))

    def __iter__(self) -> Iterator[Token]:
        for first in range(0, len(self), _BATCH):
            yield from self._batch(first, min(first + _BATCH, len(self)))

    def at(self, place: int) -> int:
        """The number of the token that has the character at a place; -1 if there are none."""
        # As the column's own type: for a Python number numpy would copy the whole column.
        return int(self.starts.searchsorted(np.int32(place), "right")) - 1

    def rows(self) -> Iterator[tuple[int, int, int, int, str]]:
        """For each token: the number of its kind, its flags, its start, its end and its name.

        That is what most callers need, in a tenth of the time that objects take.
        """
        text = self.text
        names: dict[str, str] = {"": ""}
        for first in range(0, len(self), _BATCH):
            columns = (self.kinds, self.flags, self.starts, self.ends, self.name_ends)
            batch = (column[first : first + _BATCH].tolist() for column in columns)
            for kind, flags, start, end, name_end in zip(*batch, strict=True):
                # A token that is not a tag has the name end -1, which makes this slice empty.
                written = text[start + (2 if kind == _END_TAG else 1) : max(name_end, 0)]
                name = names.get(written)
                if name is None:
                    if len(names) >= _NAMES:
                        names = {"": ""}
                    name = names[written] = lower(written)
                yield kind, flags, start, end, name

    def __repr__(self) -> str:
        return f"Tokens({len(self)} of {len(self.text)} characters)"

    def _batch(self, first: int, last: int) -> Iterator[Token]:
        """The tokens from `first` to `last`."""
        text = self.text
        # Whole columns become lists at once: single numpy numbers are slow.
        rows = self.attributes_from[first : last + 1].tolist()
        attributes = self.attributes[rows[0] : rows[-1]].tolist()
        columns = (self.kinds, self.flags, self.starts, self.ends, self.name_ends)
        for index, (number, flags, start, end, name_end) in enumerate(
            zip(*(column[first:last].tolist() for column in columns), strict=True)
        ):
            kind = _KINDS[number]
            if name_end < 0:
                yield Token(kind, Span(start, end), literal=bool(flags & LITERAL))
                continue
            name = start + (2 if kind is Kind.END_TAG else 1)
            own = attributes[rows[index] - rows[0] : rows[index + 1] - rows[0]]
            yield Token(
                kind,
                Span(start, end),
                lower(text[name:name_end]),
                tuple(map(self._attribute, own)),
                bool(flags & SELF_CLOSING),
            )

    def _attribute(self, columns: list[int]) -> Attribute:
        start, name_end, value_start, value_end = columns
        name = lower(self.text[start:name_end])
        if value_start < 0:
            return Attribute(name, Span(start, name_end), None)
        quoted = self.text[value_start - 1] in "\"'"
        return Attribute(name, Span(start, value_end + quoted), Span(value_start, value_end))


def tokenize(text: str) -> Tokens:
    """Tokenize a text in linear time; without a tree, SVG and MathML are read as HTML."""
    return Tokens(text)


def lower(name: str) -> str:
    """A name in lower case as the standard defines it: only ASCII letters change, NUL is U+FFFD."""
    return name.lower() if name.isascii() and "\0" not in name else name.translate(_LOWER)
