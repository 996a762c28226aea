"""The order of preference among consistent delimiters, for the tabular classes.

A consistent delimiter reproduces the labels; a good one also works on pages not seen. On the 24
sites of the shared data that LR wraps, this order needs 1.26 pages, taking the shortest delimiters
1.75 and the longest 7.04 (it was chosen on the same sites). Whole tags come first: they neither cut
a word, an attribute or a tag, as short delimiters do, nor hold text that happens to be beside all
values seen, as long ones do. The nested and missing-field classes have an order of their own, in
`earliest.preference`.

    before all values   </td><td>Price: <b>

    <b>         cost (0, 0, 3): begins and ends with a tag, has one
    Price: <b>  begins after one, in a text: worse
    rice: <b>   cuts a word: worst
"""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from rowen.induction.tabular.pool import NEVER, Classes, Numbers, Pool
from rowen.model.words import is_word_character

SEARCHED = 512
"""How many lengths are ranked; longer ones come after them in order: no delimiter needs them."""

ADDRESS = re.compile(r"""(?:href|src|action)\s*=\s*["']?[^"'\s>]{2}""", re.IGNORECASE)
"""An attribute whose value differs between pages: where a link leads."""


def cost(text: str, start: int, end: int) -> tuple[int, int, int]:
    """How unlikely the delimiter `text[start:end]` is to hold on other pages; less is better."""
    inner = text[start:end]
    tags = inner.count("<")
    shape = _start_cost(text, start) + _end_cost(text, end) + _content_cost(inner)
    return shape, max(tags - 1, 0), end - start


def rank_prefixes(text: str, shortest: int, longest: int) -> Iterator[int]:
    """The lengths of prefixes of a text from `shortest` to `longest`, the best first."""
    near = range(shortest, min(longest, shortest + SEARCHED) + 1)
    yield from sorted(near, key=lambda n: cost(text, 0, n))
    yield from range(near.stop, longest + 1)


def rank_suffixes(text: str, shortest: int, longest: int) -> Iterator[int]:
    """The lengths of suffixes of a text from `shortest` to `longest`, the best first."""
    near = range(shortest, min(longest, shortest + SEARCHED) + 1)
    yield from sorted(near, key=lambda n: cost(text, len(text) - n, len(text)))
    yield from range(near.stop, longest + 1)


def _start_cost(text: str, start: int) -> int:
    if text[start] == "<":
        return 0
    if start == 0 or text[start - 1] == ">":
        return 1
    return 4 if _joined(text[start - 1], text[start]) else 2


def _end_cost(text: str, end: int) -> int:
    if text[end - 1] == ">":
        return 0
    if end == len(text) or text[end] == "<":
        return 1
    return 4 if _joined(text[end - 1], text[end]) else 2


def _content_cost(inner: str) -> int:
    if ADDRESS.search(inner):
        return 3
    if inner.isspace():
        return 3
    return 2 if len(inner) == 1 else 0


def _joined(before: str, after: str) -> bool:
    """Whether two neighbours are of one word, or of one tag's beginning."""
    if is_word_character(before) and is_word_character(after):
        return True
    return (
        before == "<" or (before == "/" and after == ">") or (before.isspace() and after.isspace())
    )


def rank_classes(
    pool: Pool, classes: Classes, longest: Numbers, distance: Numbers
) -> NDArray[np.intp]:
    """Classes of strings that occur around the records, the best first.

    Whole tags come first, then those that occur once per page, then those near the records.
    `longest` is how long a string of each class may be, `distance` how far it is from the records.
    """
    size = np.maximum(classes.shortest, 1)
    starts = classes.first[:, 0] if classes.first.shape[1] else pool.starts[classes.start]
    begins = pool.codes[starts] == ord("<")
    whole = begins & (_tag_lengths(pool, starts, size) <= longest)
    cuts = _is_word(pool, starts) & _is_word(pool, np.maximum(starts - 1, 0))
    count = classes.end - classes.start
    # More occurrences than regions: it is found elsewhere, too.
    often = count > max(classes.first.shape[1], 1)
    # The last key counts most.
    return np.lexsort((classes.shortest, distance, often, cuts, ~whole))


def best_string(pool: Pool, start: int, shortest: int, longest: int) -> str:
    """The string of a class to take: it starts at `start` of the pool."""
    if shortest == longest == 0:
        return ""
    end = min(start + longest, start + shortest + SEARCHED)
    close = pool.text.find(">", start + shortest - 1, end) + 1
    if pool.codes[start] == ord("<") and close:
        return pool.text[start:close]
    # One character on either side shows whether a word is cut.
    around = pool.text[max(start - 1, 0) : end + 1]
    at = min(start, 1)
    length = min(range(shortest, end - start + 1), key=lambda n: cost(around, at, at + n))
    return pool.text[start : start + length]


def _tag_lengths(pool: Pool, starts: Numbers, shortest: Numbers) -> Numbers:
    closes = np.append(np.flatnonzero(pool.codes == ord(">")), NEVER - 1)
    lengths = closes[np.searchsorted(closes, starts + shortest - 1)] + 1 - starts
    return lengths.astype(np.int32)


def _is_word(pool: Pool, places: Numbers) -> NDArray[np.bool_]:
    """Which are ASCII word characters: among thousands of strings most are markup anyway."""
    codes = pool.codes[places]
    letters = ((codes | 32) >= ord("a")) & ((codes | 32) <= ord("z"))
    digits = (codes >= ord("0")) & (codes <= ord("9"))
    words: NDArray[np.bool_] = letters | digits | (codes == ord("_"))
    return words
