"""Signs: what each token of an HTML page means for its text, such as the end of a paragraph.

Tokens are classified with arrays, 65,536 at a time. A tag's name has at most eight letters that
matter, so it is packed into one 64-bit number, and all names of a batch are looked up at once.

    tokens   <nav> Home </nav> <p> As shown <sup> 1 </sup>
    signs    -     -    -      BLOCK TEXT   START_OF_RAISED TEXT END_OF_RAISED

The first three are in an element that is skipped.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rowen.text.html_tokens import LITERAL, SELF_CLOSING, Kind, Tokens

NOTHING: Final = 0
TEXT: Final = 1
START_OF_RAISED: Final = 2
END_OF_RAISED: Final = 3
CELL: Final = 4
BREAK: Final = 5
BLOCK: Final = 6
"""The start or end of an element that is not inline: a paragraph ends."""
HEADINGS: Final = {f"h{level}": BLOCK + level for level in range(1, 7)}
"""A paragraph ends, and a heading of this level starts."""
_FIRST_ASIDE: Final = 32
"""Elements that are skipped have numbers from here on."""

_INLINE = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn"),
        *("em", "font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "ruby", "s", "samp"),
        *("small", "span", "strike", "strong", "sub", "time", "tt", "u", "var", "wbr"),
    }
)
_BATCH = 1 << 16
_LONGEST_NAME = 8
_FOLDED: Final = np.arange(256, dtype=np.uint64)
"""Each byte as it is compared in names: ASCII letters in lower case. NUL gets a value that no known
name has, because a packed name is padded with zeros."""
_FOLDED[ord("A") : ord("Z") + 1] += np.uint64(32)
_FOLDED[0] = 0xFF

Row = tuple[int, int, int]
"""A sign, and the start and end of its token."""


class Signs:
    """The signs of a page's tokens; elements named in `aside` are skipped with their content."""

    def __init__(self, tokens: Tokens, aside: Iterable[str]) -> None:
        self._tokens = tokens
        # One byte per character, so that offsets stay valid; `?` for others, which no name has.
        self._bytes = np.frombuffer(tokens.text.encode("latin-1", "replace"), np.uint8)
        self._names = _Names(sorted(aside))
        self._open: list[int] = []
        self._count: Counter[int] = Counter()
        self.passed_over = False
        """Whether any element was skipped; known after all batches were read."""

    def batches(self) -> Iterator[list[Row]]:
        """The signs of each batch, in order. Of consecutive blocks only the last one is kept.

        The last says what starts: `</p></div><h2>` is a heading. An end tag closes all skipped
        elements that are open inside its own.
        """
        tokens = self._tokens
        for first in range(0, len(tokens), _BATCH):
            part = slice(first, first + _BATCH)
            codes = self._codes(part)
            self._pass_over(codes, part)
            is_sign = codes != NOTHING
            codes = codes[is_sign]
            ends = codes >= BLOCK
            last = np.append(~(ends[:-1] & ends[1:]), True)[: len(codes)]
            columns = (
                codes[last],
                tokens.starts[part][is_sign][last],
                tokens.ends[part][is_sign][last],
            )
            yield list(zip(*(column.tolist() for column in columns), strict=True))

    def _codes(self, part: slice) -> NDArray[np.uint8]:
        """The signs of a batch's tokens by kind and name."""
        tokens = self._tokens
        kinds = tokens.kinds[part]
        is_text = (kinds == Kind.TEXT) & (tokens.flags[part] & LITERAL == 0)
        codes = np.where(is_text, TEXT, NOTHING).astype(np.uint8)
        starts = kinds == Kind.START_TAG
        tags = (starts | (kinds == Kind.END_TAG)).nonzero()[0]
        begins = tokens.starts[part][tags] + np.where(starts[tags], 1, 2)  # after `<` or `</`
        packed = self._packed(begins, tokens.name_ends[part][tags] - begins)
        codes[tags] = self._names.codes(packed, starts=starts[tags])
        return codes

    def _packed(self, begins: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Each name as a number, first letter lowest; 0 where it is longer than any known name."""
        packed = np.zeros(len(begins), np.uint64)
        pending = (lengths <= _LONGEST_NAME).nonzero()[0]
        for at in range(_LONGEST_NAME):
            pending = pending[lengths[pending] > at]
            letters = _FOLDED[self._bytes[begins[pending] + at]]
            packed[pending] |= letters << np.uint64(8 * at)
        return packed

    def _pass_over(self, codes: NDArray[np.uint8], part: slice) -> None:
        """Remove the signs inside skipped elements, and of their own tags."""
        places = (codes >= _FIRST_ASIDE).nonzero()[0]
        starts = self._tokens.kinds[part][places] == Kind.START_TAG
        opens = starts & (self._tokens.flags[part][places] & SELF_CLOSING == 0)
        first = 0  # where what is passed over begins
        rows = (column.tolist() for column in (places, codes[places], starts, opens))
        for at, name, is_start, is_open in zip(*rows, strict=True):
            if not self._open:
                # An end tag without its start tag only ends a paragraph.
                if not is_start:
                    codes[at] = BLOCK
                    continue
                self.passed_over = True
                first = at
            if is_open:
                self._open.append(name)
                self._count[name] += 1
            elif not is_start and self._count[name]:
                self._close(name)
            if not self._open:
                codes[first : at + 1] = NOTHING
        if self._open:
            codes[first:] = NOTHING

    def _close(self, name: int) -> None:
        # Linear over the page: each open element is closed once, and `_count` has made sure
        # that the name is among them.
        while True:
            closed = self._open.pop()
            self._count[closed] -= 1
            if closed == name:
                return


class _Names:
    """Looks up the signs of tags by their packed names."""

    def __init__(self, aside: list[str]) -> None:
        signs = dict.fromkeys(_INLINE, (NOTHING, NOTHING))
        signs |= dict.fromkeys(("td", "th"), (CELL, CELL))
        signs |= {"br": (BREAK, BREAK), "sup": (START_OF_RAISED, END_OF_RAISED)}
        signs |= {name: (code, BLOCK) for name, code in HEADINGS.items()}
        signs |= {name: (code, code) for code, name in enumerate(aside, _FIRST_ASIDE)}
        numbers = {int.from_bytes(name.encode(), "little"): pair for name, pair in signs.items()}
        self._numbers = np.array(sorted(numbers), np.uint64)
        self._signs = np.array([numbers[number] for number in sorted(numbers)], np.uint8)

    def codes(self, packed: NDArray[np.uint64], *, starts: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """The signs of tags; `starts` says which are start tags. Unknown names are blocks."""
        places = np.minimum(self._numbers.searchsorted(packed), len(self._numbers) - 1)
        codes = self._signs[places, np.where(starts, 0, 1)]
        codes[self._numbers[places] != packed] = BLOCK
        return codes
