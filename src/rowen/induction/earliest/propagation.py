"""The lengths of left delimiters as a constraint problem, solved by propagation alone.

All candidates for a field's left delimiter are ends of one text, the longest that ends all gaps
before its values; a candidate is its length. For a value of field k that starts at `b`, with the
cursor at `c`, and another candidate field, its rival j, whose delimiter of length `n[j]` is first
found with its end at `e`:

    the rival comes too late  <=>  e - n[j] >= b - n[k]  (>, where the rival wins ties)
                              <=>  n[k] >= n[j] + (b - e)  (+ 1).

So every constraint has the form `n[k] >= g(n[j])`. If two assignments satisfy such a constraint,
so does their maximum in each place, whatever `g` is: the constraints are *max-closed* (Jeavons and
Cooper, 1995), and lowering bounds until nothing changes leaves the greatest solution, or none.
Where `n[k]`, already as large as can be, is too small for the occurrence that ends at `e`, then all
lengths of j down to `n[k] - (b - e)` fail too, for that occurrence only grows with them: the bound
jumps there at once. That one field's own delimiter isn't found too early is a least length.

    <b>Ada</b><b>born</b><i>1815</i><b>Alan</b>        nested fields name > year

    name   the texts before its values end with "<b>": lengths 1 to 3
    year   "</b><b>born</b><i>" comes before its only value: lengths 1 to 18
    Between Ada and 1815 "<b>" starts 14 characters before the value, and ties go to the name: the
    year's delimiter must have 15 characters at least. "<i>" alone would find a name "born".

One bound needs a `find` in each gap, O(size of the examples), and there are at most as many rounds
as candidates; real pages need a handful. No choice is ever taken back: once a length is fixed, what
remains is a problem of the same kind, so that preferences can be asked for one after the other.

The thesis searches all combinations (section 5.3.3); this is our own.
"""

from collections.abc import Iterable, Sequence

from rowen.induction import budget
from rowen.induction.earliest.labels import PageLabel, Step
from rowen.induction.lengths import least_length
from rowen.wrappers.earliest import Rule

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
        bounds = self.copy()
        bounds.low[field] = bounds.high[field] = length
        return bounds


class Gaps:
    """What the steps of the scan ask of the left delimiters, of which `left` are the longest."""

    def __init__(self, steps: Sequence[Step], rule: Rule, left: Sequence[str]) -> None:
        self._rule = rule
        self._left = left
        self._own: dict[int, list[Step]] = {}
        self._pairs: dict[tuple[int, int], list[tuple[Step, bool]]] = {}
        self._excesses: dict[tuple[int, int, int], int] = {}
        for step in steps:
            self._own.setdefault(step.field, []).append(step)
            for rival in rule.candidates(step.before):
                if rival != step.field:
                    preferred = rule.prefers(step.before, rival, step.field)
                    self._pairs.setdefault((step.field, rival), []).append((step, preferred))

    def narrow(self, bounds: Bounds) -> None:
        """Apply what each field asks by itself: its delimiter lies in the gap, and occurs once."""
        # A longer suffix occurs less often: the lengths that fit all gaps of a field are an
        # interval.
        for field, steps in self._own.items():
            high = min(bounds.high[field], *(step.start - step.cursor for step in steps))
            bounds.high[field] = high
            bad = self._found_sooner(field, high, steps) if high > 0 else steps[0]
            if bad is not None or high < bounds.low[field]:
                raise Conflict(
                    field,
                    "the text right before all its values is found too early on the way to one",
                    [(bad or steps[0]).page.id],
                )
            sure = least_length(
                1,
                high,
                lambda n, k=field, t=steps: self._found_sooner(k, n, t) is None,  # type: ignore[misc]  # mypy can't infer defaults
            )
            bounds.low[field] = max(bounds.low[field], sure)

    def settle(self, bounds: Bounds) -> bool:
        """Lower the greatest lengths until no rival wins; whether any was lowered."""
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
                    # The jump of the module's docstring: this occurrence beats the field with all
                    # lengths in between.
                    high[rival] = high[field] - excess
                    stable, lowered = False, True
                    if high[rival] < low[rival]:
                        raise self._conflict(field, rival, low[rival], high[field])
        return lowered

    def _conflict(self, field: int, rival: int, length: int, room: int) -> Conflict:
        """Why the rival's delimiter, even as short as can be, comes before the field's longest."""
        delimiter = _end(self._left[rival], length)
        pages = [
            step.page.id
            for step, _ in self._pairs[field, rival]
            if step.page.text.find(delimiter, step.cursor, step.start - room + length) >= 0
        ]
        return Conflict(rival, f"the text before its values comes before {{{field}}} too", pages)

    def _found_sooner(self, field: int, length: int, steps: Sequence[Step]) -> Step | None:
        delimiter = _end(self._left[field], length)
        for step in steps:
            if step.page.text.find(delimiter, step.cursor, step.start) != step.start - length:
                return step
        return None

    def _excess(self, field: int, rival: int, length: int) -> int:
        """By how much the field's delimiter must be longer than the rival's of this length."""
        cached = self._excesses.get((field, rival, length))
        if cached is not None:
            return cached
        delimiter = _end(self._left[rival], length)
        wins_tie = self._rule.wins_tie
        # The steps' largest demand: the constraint of a pair of fields over all pages.
        most = NEVER
        for step, preferred in self._pairs[field, rival]:
            # A field's delimiter has one character at least: what starts after that loses.
            place = step.page.text.find(delimiter, step.cursor, step.start - 1 + length)
            if place >= 0:
                over = step.start - place - length
                over += wins_tie(longer_by=-over, preferred=preferred)
                most = max(most, over)
        self._excesses[field, rival, length] = most
        return most


def narrow_ends(
    labels: Sequence[PageLabel], rule: Rule, left: Sequence[str], bounds: Bounds
) -> None:
    """Apply that after the last value no left delimiter is found that may come next."""
    for label in labels:
        if label.partial:
            continue
        text, cursor = label.page.text, label.cursor
        for field in rule.candidates(label.last):
            high = bounds.high[field]
            if text.find(_end(left[field], high), cursor) >= 0:
                raise Conflict(
                    field,
                    "the text right before all its values occurs after the last one, too",
                    [label.page.id],
                )
            sure = least_length(1, high, lambda n, k=field: text.find(_end(left[k], n), cursor) < 0)  # type: ignore[misc]  # noqa: B023  # used at once
            bounds.low[field] = max(bounds.low[field], sure)


def _end(text: str, length: int) -> str:
    return text[len(text) - length :]
