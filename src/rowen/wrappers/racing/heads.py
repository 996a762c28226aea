"""Heads: texts that all pages have before their first record, by where they are first found."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rowen.limits import FRAME_CHARACTERS, FRAME_WORK
from rowen.wrappers import budget
from rowen.wrappers.racing.laps import Lap, least
from rowen.wrappers.racing.liking import right_lengths
from rowen.wrappers.racing.propagation import Bounds

LIKELY = 40
"""So many tags before the first record, or after the last, are tried before all other texts."""

TOO_LONG = f"heads and tails of more than {FRAME_CHARACTERS} characters were left untried"


def places_within(size: int) -> int:
    """How many places may be tried where each means to look through so many characters."""
    return max(1000, FRAME_WORK // max(1, size))


class Head(NamedTuple):
    """A head, and where it is first found on each page."""

    text: str
    starts: tuple[int, ...]


def heads(laps: Sequence[Lap], bounds: Bounds, longest: Sequence[str]) -> Iterator[Head]:
    """Heads, one for each way to be found on the pages: tags, then none, then all, last first.

    A head stands on every page before its first value, anywhere on a page without values. Those
    from which no left delimiter within the bounds can lead to the first value are left out.
    """
    places = _Places(laps, bounds, longest)
    seen: set[tuple[int, ...]] = set()
    for head in places.likely():
        if head.starts not in seen:
            seen.add(head.starts)
            yield head
    if (0,) * len(laps) not in seen:
        yield Head("", (0,) * len(laps))
    seen.add((0,) * len(laps))
    for head in places.all():
        if head.starts not in seen:
            seen.add(head.starts)
            yield head


class _Places:
    """The texts before the first values, and the places from which these can be reached."""

    def __init__(self, laps: Sequence[Lap], bounds: Bounds, longest: Sequence[str]) -> None:
        self._heads: list[str] = []
        self._windows: list[tuple[int, int]] = []
        for lap in laps:
            text = lap.page.text
            if not lap.values:
                self._heads.append(text)
                self._windows.append((0, len(text)))
                continue
            field, start, _ = lap.values[0]
            left = longest[field][len(longest[field]) - bounds.high[field] :]
            # From where the longest delimiter is found too soon, so are all shorter ones.
            sooner = text.rfind(left, 0, start - 1)
            self._heads.append(text[:start])
            self._windows.append((sooner + 1, start - bounds.low[field]))
        self._reference = min(
            (number for number, lap in enumerate(laps) if lap.values),
            key=lambda number: self._windows[number][1] - self._windows[number][0],
        )
        lap = laps[self._reference]
        self._marked = lap.page.text[: lap.cursor]
        self._others = [
            head for number, head in enumerate(self._heads) if number != self._reference
        ]

    def likely(self) -> Iterator[Head]:
        """Tags that aren't found sooner, the last first; those that come again after the others."""
        text = self._heads[self._reference]
        low, high = self._windows[self._reference]
        again = []
        place = high + 1
        for _ in range(LIKELY):
            place = text.rfind("<", low, place)
            if place < 0:
                break
            tag = text[place : text.find(">", place) + 1]
            starts = self._found(tag)
            if tag and starts[self._reference] == place and self._reachable(starts):
                head = Head(tag, starts)
                if self._marked.find(tag, place + 1) < 0:
                    yield head
                else:
                    again.append(head)
        yield from again

    def all(self) -> Iterator[Head]:
        """From each place, the last first, as many texts as are found at different places."""
        text = self._heads[self._reference]
        low, high = self._windows[self._reference]
        nearest = len(text) - places_within(sum(map(len, self._heads)))
        if low < nearest:
            low = nearest
            budget.leave_untried("heads far before the records were left untried")
        length = 0
        for place in range(len(text) - 1, low - 1, -1):
            budget.check()
            length = self._longest_common(text, place, min(length + 1, FRAME_CHARACTERS))
            if length == FRAME_CHARACTERS:
                budget.leave_untried(TOO_LONG)
            if place <= high:
                yield from self._from(text, place, length)

    def _from(self, text: str, place: int, length: int) -> Iterator[Head]:
        while length > 0:
            found = self._found(text[place : place + length])
            if found[self._reference] < place:
                return
            shortest = least(
                length,
                lambda n, at=found: self._found(text[place : place + n]) == at,  # type: ignore[misc]  # mypy can't infer defaults
            )
            if self._reachable(found):
                part = text[place : place + length]
                yield Head(part[: next(right_lengths(part, shortest, length))], found)
            length = shortest - 1

    def _longest_common(self, text: str, place: int, length: int) -> int:
        while length and any(text[place : place + length] not in head for head in self._others):
            length -= 1
        return length

    def _found(self, text: str) -> tuple[int, ...]:
        return tuple(head.find(text) for head in self._heads)

    def _reachable(self, found: tuple[int, ...]) -> bool:
        return all(
            low <= place <= high for place, (low, high) in zip(found, self._windows, strict=True)
        )
