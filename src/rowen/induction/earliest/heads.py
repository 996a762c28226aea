"""Candidates for heads: texts that all pages have before their first record.

Of a head only the places matter where it is first found on the pages, so that one head represents
all that are found at the same places.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rowen.induction import budget
from rowen.induction.earliest.labels import PageLabel
from rowen.induction.earliest.preference import right_lengths
from rowen.induction.earliest.propagation import Bounds
from rowen.induction.lengths import least_length

FRAME_CHARACTERS = 4096
"""Limit: the longest head or tail of N-HLRT and M-HLRT. Texts that agree in so many characters are
the same on purpose."""

FRAME_WORK = 4_000_000_000
"""Limit: how many characters these classes look through for heads, and for tails, which takes
seconds. All places of pages of 100 KB can be tried, and those next to the records of larger ones.
"""


LIKELY = 40
"""How many tags before the first record, or after the last, are tried before all other texts."""

TOO_LONG = f"heads and tails of more than {FRAME_CHARACTERS} characters were left untried"


def places_within(size: int) -> int:
    """How many places may be tried where each costs a look through `size` characters."""
    return max(1000, FRAME_WORK // max(1, size))


class Head(NamedTuple):
    """A head, and where it is first found on each page."""

    text: str
    starts: tuple[int, ...]


def heads(labels: Sequence[PageLabel], bounds: Bounds, longest: Sequence[str]) -> Iterator[Head]:
    """Heads, one for each way to be found on the pages: tags, then none, then all, last first.

    A head occurs on every page before its first value, anywhere on a page without values. Those
    from which no left delimiter within the bounds can lead to the first value are left out.
    """
    places = _Places(labels, bounds, longest)
    seen: set[tuple[int, ...]] = set()
    for head in places.likely():
        if head.starts not in seen:
            seen.add(head.starts)
            yield head
    if (0,) * len(labels) not in seen:
        yield Head("", (0,) * len(labels))
    seen.add((0,) * len(labels))
    for head in places.all():
        if head.starts not in seen:
            seen.add(head.starts)
            yield head


class _Places:
    """The texts before the first values, and the places from which these can be reached."""

    def __init__(self, labels: Sequence[PageLabel], bounds: Bounds, longest: Sequence[str]) -> None:
        self._heads: list[str] = []
        self._windows: list[tuple[int, int]] = []
        for label in labels:
            text = label.page.text
            if not label.values:
                self._heads.append(text)
                self._windows.append((0, len(text)))
                continue
            field, start, _ = label.values[0]
            left = longest[field][len(longest[field]) - bounds.high[field] :]
            # From where the longest delimiter is found too soon, so are all shorter ones.
            sooner = text.rfind(left, 0, start - 1)
            self._heads.append(text[:start])
            self._windows.append((sooner + 1, start - bounds.low[field]))
        # Every head occurs on every page: the page with the smallest window has the fewest
        # candidates.
        self._reference = min(
            (number for number, label in enumerate(labels) if label.values),
            key=lambda number: self._windows[number][1] - self._windows[number][0],
        )
        label = labels[self._reference]
        self._marked = label.page.text[: label.cursor]
        self._others = [
            head for number, head in enumerate(self._heads) if number != self._reference
        ]

    def likely(self) -> Iterator[Head]:
        """Tags that aren't found earlier, from the last on; then those that occur again later."""
        text = self._heads[self._reference]
        low, high = self._windows[self._reference]
        repeated = []
        place = high + 1
        for _ in range(LIKELY):
            place = text.rfind("<", low, place)
            if place < 0:
                break
            tag = text[place : text.find(">", place) + 1]
            starts = self._found(tag)
            if tag and starts[self._reference] == place and self._reachable(starts):
                head = Head(tag, starts)
                # A tag that comes again among the records is no sign of their start.
                if self._marked.find(tag, place + 1) < 0:
                    yield head
                else:
                    repeated.append(head)
        yield from repeated

    def all(self) -> Iterator[Head]:
        """From each place, the last first, as many texts as are found at different places."""
        text = self._heads[self._reference]
        low, high = self._windows[self._reference]
        # Each place costs a look through all heads: on large pages only those near the records are
        # tried.
        nearest = len(text) - places_within(sum(map(len, self._heads)))
        if low < nearest:
            low = nearest
            budget.leave_untried("heads far before the records were left untried")
        length = 0
        for place in range(len(text) - 1, low - 1, -1):
            budget.check()
            # One place further back the common text is longer by one character at the most.
            length = self._longest_common(text, place, min(length + 1, FRAME_CHARACTERS))
            if length == FRAME_CHARACTERS:
                budget.leave_untried(TOO_LONG)
            if place <= high:
                yield from self._from(text, place, length)

    def _from(self, text: str, place: int, length: int) -> Iterator[Head]:
        # Shorter texts from the same place are found earlier or at the same places: each step back
        # in length gives a new set of places.
        while length > 0:
            starts = self._found(text[place : place + length])
            if starts[self._reference] < place:
                return
            shortest = least_length(
                1,
                length,
                lambda n, at=starts: self._found(text[place : place + n]) == at,  # type: ignore[misc]  # mypy can't infer defaults
            )
            if self._reachable(starts):
                part = text[place : place + length]
                yield Head(part[: next(right_lengths(part, shortest, length))], starts)
            length = shortest - 1

    def _longest_common(self, text: str, place: int, length: int) -> int:
        while length and any(text[place : place + length] not in head for head in self._others):
            length -= 1
        return length

    def _found(self, text: str) -> tuple[int, ...]:
        return tuple(head.find(text) for head in self._heads)

    def _reachable(self, starts: tuple[int, ...]) -> bool:
        """Whether from there a left delimiter can lead to the first value of each page."""
        return all(
            low <= place <= high for place, (low, high) in zip(starts, self._windows, strict=True)
        )
