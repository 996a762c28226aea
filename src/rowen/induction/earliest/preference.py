"""The order of preference among consistent delimiters: whole tags first, then whole words.

The shortest whole one is taken, since what is longer fits fewer pages, and single characters last,
since what is shorter is found where it shouldn't be; but a quote is enough to end an attribute.

    before all values   ...</td><td class="p">Price: <b>

    <b>                                begins with a tag, the shortest first
    <td class="p">Price: <b>
    : <b>                              then those that begin between words
    Price: <b>
    b>                                 then any; single characters last

`tabular.preference` orders the delimiters of classes that know which field comes next. Here they
also have to come before those of other fields, and its order does worse: on a third of the SWDE
sites it needs 1.64 pages for N-LR instead of 1.58, 1.60 for M-LR instead of 1.50, and in one trial
of each class half a site is not enough, while this order has no such trial.
"""

from collections.abc import Iterator

from rowen.model.words import is_inside_word

TRIES = 24
"""How many lengths are ranked, from the shortest on; the longest is always the last resort."""
_QUOTES = "\"'"


def left_lengths(longest: str, low: int, high: int) -> Iterator[int]:
    """Lengths of a left delimiter, a suffix of `longest`, the best first, `high` last."""
    size = len(longest)
    tags = [n for n in range(low, high + 1) if longest[size - n] == "<"]
    words = [n for n in _first(low, high) if n > 1 and _edge(longest, size - n)]
    yield from _distinct([*tags[:TRIES], *words, *_first(max(low, 2), high), low, high])


def right_length(longest: str, low: int) -> int:
    """The length of a right delimiter, a prefix of `longest`."""
    return next(right_lengths(longest, low, len(longest)))


def right_lengths(longest: str, low: int, high: int) -> Iterator[int]:
    """Lengths of a right or tail delimiter, a prefix of `longest`, the best first, `high` last."""
    # A quote ends an attribute's value wherever it occurs.
    if low == 1 and longest[0] in _QUOTES:
        yield 1
    tags = [n for n in range(low, high + 1) if longest[n - 1] == ">"] if "<" in longest else []
    words = [n for n in _first(low, high) if n > 1 and _edge(longest, n)]
    # Text up to the next tag, and the tag's first character: what ends a text.
    if longest[0] != "<":
        before = longest.find("<", low, high)
        tags = [before + 1, *tags] if before > 0 else tags
    yield from _distinct([*tags[:TRIES], *words, *_first(max(low, 2), high), low, high])


def _first(low: int, high: int) -> range:
    return range(low, min(high, low + TRIES) + 1)


def _edge(text: str, place: int) -> bool:
    """Whether a word or a tag starts or ends there."""
    if place in {0, len(text)}:
        return True
    return not is_inside_word(text, place) and text[place - 1] != "<"


def _distinct(lengths: list[int]) -> list[int]:
    return list(dict.fromkeys(lengths))
