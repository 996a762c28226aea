"""The lengths of left delimiters as a constraint problem, solved by propagation alone.

All candidates for a field's left delimiter are ends of one text, the longest that ends all gaps
before its values; a candidate is its length. For a value of field k that starts at `b`, with the
cursor at `c`, and a rival j whose delimiter of length `n[j]` is first found with its end at `e`:

    the rival comes too late  <=>  e - n[j] >= b - n[k]  (>, where the rival wins ties)
                              <=>  n[k] >= n[j] + (b - e)  (+ 1).

So every constraint has the form `n[k] >= g(n[j])`. If two assignments satisfy such a constraint,
so does their maximum in each place, whatever `g` is: the constraints are *max-closed* (Jeavons and
Cooper, 1995), and lowering bounds until nothing changes leaves the greatest solution, or none.
Where `n[k]`, already as large as can be, is too small for the occurrence that ends at `e`, then all
lengths of j down to `n[k] - (b - e)` fail too, for that occurrence only grows with them: the bound
jumps there at once. That one field's own delimiter isn't found too early is a least length.

One bound needs a `find` in each gap, O(size of the examples), and there are at most as many rounds
as candidates; real pages need a handful. No choice is ever taken back: after fixing a length the
rest is of the same kind, so that preferences can be asked for one after the other.
"""

from collections.abc import Iterable, Sequence

from rowen.wrappers import budget
from rowen.wrappers.racing.laps import Lap, Turn, least
from rowen.wrappers.racing.race import Rule

NEVER = -(1 << 60)


class Conflict(Exception):  # noqa: N818  # caught by the learners, who say it in words
    """No length is left for a field, because of these pages."""

    def __init__(self, field: int, reason: str, pages: Iterable[str]) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason
        self.pages = tuple(dict.fromkeys(pages))


class Bounds:
    """Least and greatest lengths for each field; `high` is the greatest solution once settled."""

    __slots__ = ("high", "low")

    def __init__(self, low: Iterable[int], high: Iterable[int]) -> None:
        self.low = list(low)
        self.high = list(high)

    def copy(self) -> "Bounds":
        """The same bounds, to be changed on their own."""
        return Bounds(self.low, self.high)

    def fixed(self, field: int, length: int) -> "Bounds":
        """These bounds with one length decided."""
        other = self.copy()
        other.low[field] = other.high[field] = length
        return other


class Gaps:
    """What a set of turns asks of the left delimiters, of which `left` are the longest."""

    def __init__(self, turns: Sequence[Turn], rule: Rule, left: Sequence[str]) -> None:
        self._rule = rule
        self._left = left
        self._own: dict[int, list[Turn]] = {}
        self._pairs: dict[tuple[int, int], list[tuple[Turn, bool]]] = {}
        self._known: dict[tuple[int, int, int], int] = {}
        for turn in turns:
            self._own.setdefault(turn.field, []).append(turn)
            for rival in rule.entrants(turn.before):
                if rival != turn.field:
                    ahead = rule.ahead(turn.before, rival, turn.field)
                    self._pairs.setdefault((turn.field, rival), []).append((turn, ahead))

    def narrow(self, bounds: Bounds) -> None:
        """Take in what each field asks on its own: in the gap, and nowhere sooner in it."""
        for field, turns in self._own.items():
            high = min(bounds.high[field], *(turn.start - turn.cursor for turn in turns))
            bounds.high[field] = high
            bad = self._found_sooner(field, high, turns) if high > 0 else turns[0]
            if bad is not None or high < bounds.low[field]:
                raise Conflict(
                    field,
                    "what stands right before all its values is found too early on the way to one",
                    [(bad or turns[0]).page.id],
                )
            sure = least(high, lambda n, k=field, t=turns: self._found_sooner(k, n, t) is None)  # type: ignore[misc]  # mypy can't infer defaults
            bounds.low[field] = max(bounds.low[field], sure)

    def settle(self, bounds: Bounds) -> bool:
        """Lower the greatest lengths until no rival wins; tells whether any was lowered."""
        lowered, stable = False, False
        high, low = bounds.high, bounds.low
        while not stable:
            stable = True
            for field, rival in self._pairs:
                budget.check()
                while (
                    high[rival] + (excess := self._excess(field, rival, high[rival]))
                    > (high[field])
                ):
                    high[rival] = high[field] - excess
                    stable, lowered = False, True
                    if high[rival] < low[rival]:
                        raise self._conflict(field, rival, low[rival], high[field])
        return lowered

    def _conflict(self, field: int, rival: int, length: int, room: int) -> Conflict:
        """Why the rival's delimiter, even as short as can be, comes before the field's longest."""
        delimiter = _end(self._left[rival], length)
        pages = [
            turn.page.id
            for turn, _ in self._pairs[field, rival]
            if turn.page.text.find(delimiter, turn.cursor, turn.start - room + length) >= 0
        ]
        return Conflict(rival, f"what stands before its values comes before {{{field}}} too", pages)

    def _found_sooner(self, field: int, length: int, turns: Sequence[Turn]) -> Turn | None:
        delimiter = _end(self._left[field], length)
        for turn in turns:
            if turn.page.text.find(delimiter, turn.cursor, turn.start) != turn.start - length:
                return turn
        return None

    def _excess(self, field: int, rival: int, length: int) -> int:
        """By how much the field's delimiter must be longer than the rival's of this length."""
        known = self._known.get((field, rival, length))
        if known is not None:
            return known
        delimiter = _end(self._left[rival], length)
        wins_tie = self._rule.wins_tie
        most = NEVER
        for turn, ahead in self._pairs[field, rival]:
            # A field's delimiter has one character at least: what starts after that loses.
            place = turn.page.text.find(delimiter, turn.cursor, turn.start - 1 + length)
            if place >= 0:
                over = turn.start - place - length
                over += wins_tie(overhang=-over, ahead=ahead)
                most = max(most, over)
        self._known[field, rival, length] = most
        return most


def narrow_ends(laps: Sequence[Lap], rule: Rule, left: Sequence[str], bounds: Bounds) -> None:
    """Take in that after the last value no left delimiter of those in the race is found."""
    for lap in laps:
        if lap.partial:
            continue
        text, cursor = lap.page.text, lap.cursor
        for field in rule.entrants(lap.last):
            high = bounds.high[field]
            if text.find(_end(left[field], high), cursor) >= 0:
                raise Conflict(
                    field, "what stands right before all its values comes again", [lap.page.id]
                )
            sure = least(high, lambda n, k=field: text.find(_end(left[k], n), cursor) < 0)  # type: ignore[misc]  # noqa: B023  # used at once
            bounds.low[field] = max(bounds.low[field], sure)


def _end(text: str, length: int) -> str:
    return text[len(text) - length :]
