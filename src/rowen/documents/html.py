"""HTML tokens that say exactly where they stand in the source.

Tokenization is the WHATWG standard's, with one addition: source that gives nothing, such as `</>`,
is a token as well. So the tokens of a text are a partition of it: each starts where the one before
ends, and joined they are the source again. Newlines and character references are left as they
stand; `rowen.documents.references` resolves the latter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rowen._core import html_tokens
from rowen.model import Span

SELF_CLOSING = 1
LITERAL = 2
RAW = 4

_BATCH = 4096
_NAMES = 1024
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)} | {0: 0xFFFD}


class Kind(IntEnum):
    """What a token is; the numbers are those of `Tokens.kinds`."""

    TEXT = 0
    START_TAG = 1
    END_TAG = 2
    COMMENT = 3
    """A comment, a processing instruction, or what the standard calls a bogus comment."""
    DOCTYPE = 4
    JUNK = 5
    """Source that gives nothing: `</>`, or a tag that the end of the text cuts off."""


_KINDS = tuple(Kind)
_END_TAG = int(Kind.END_TAG)


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute as it is written: `span` runs from its name to the end of its value and quotes.

    `value_span` leaves the quotes out; it is None where no value is written, as in `<a download>`.
    """

    name: str
    span: Span
    value_span: Span | None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the source; tags have a name, in lower case, and start tags have attributes.

    Attributes are all those written: where two have the same name, the first one counts.
    """

    kind: Kind
    span: Span
    name: str = ""
    attributes: tuple[Attribute, ...] = ()
    self_closing: bool = False
    literal: bool = field(default=False, kw_only=True)
    """Text whose ampersands are no character references: that of scripts, styles and their like."""

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that name that counts."""
        return next((one for one in self.attributes if one.name == name), None)


class Tokens(Sequence[Token]):
    """The tokens of a text, kept as columns; a `Token` is made when it is asked for.

    `kinds`, `flags`, `starts` and `ends` have an entry for each token. Those of token `i` among
    `attributes` are the rows `attributes_from[i]` to `attributes_from[i + 1]`, each with where the
    name starts and ends and where the value starts and ends (-1 where there is none).
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
        """`hints` are what a parsed tree knows better than a tokenizer: see `html_tokens.hpp`."""
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
            return [self[one] for one in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} tokens, none has the index {index}")
        index %= len(self)
        return next(self._batch(index, index + 1))

    def __iter__(self) -> Iterator[Token]:
        for first in range(0, len(self), _BATCH):
            yield from self._batch(first, min(first + _BATCH, len(self)))

    def rows(self) -> Iterator[tuple[int, int, int, int, str]]:
        """The number of each token's kind, its flags, where it starts and ends, and its name.

        These are what most readers need, in a tenth of the time that objects take.
        """
        text = self.text
        names: dict[str, str] = {"": ""}
        for first in range(0, len(self), _BATCH):
            columns = (self.kinds, self.flags, self.starts, self.ends, self.name_ends)
            batch = (column[first : first + _BATCH].tolist() for column in columns)
            for kind, flags, start, end, name_end in zip(*batch, strict=True):
                # a token that is no tag ends its name, at -1, before it starts it
                written = text[start + (2 if kind == _END_TAG else 1) : max(name_end, 0)]
                name = names.get(written)
                if name is None:
                    if len(names) >= _NAMES:  # pages have a hundred, hostile ones a million
                        names = {"": ""}
                    name = names[written] = lower(written)
                yield kind, flags, start, end, name

    def __repr__(self) -> str:
        return f"Tokens({len(self)} of {len(self.text)} characters)"

    def _batch(self, first: int, last: int) -> Iterator[Token]:
        """The tokens from `first` to `last`; numpy's own numbers are slow one by one."""
        text = self.text
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
    """The tokens of a text, in linear time; without a tree, SVG and MathML count as HTML."""
    return Tokens(text)


def lower(name: str) -> str:
    """A name as the standard compares it: only ASCII letters have a lower case."""
    return name.lower() if name.isascii() and "\0" not in name else name.translate(_LOWER)
