"""Tails that stand between the known values of a page: only these can end it there."""

from collections.abc import Sequence

from rowen.wrappers import budget


class Stops:
    """Most tails stand only after the records; they need not be looked for before each of them."""

    def __init__(self, tails: Sequence[str] | None) -> None:
        self._tails = tails or ()
        self._known: dict[tuple[str, int, int], list[str]] = {}

    def between(self, text: str, start: int, end: int, tails: Sequence[str]) -> list[str]:
        """Those of some of the tails that start from one place to another."""
        known = self._known.get((text, start, end))
        if known is None:
            budget.check()
            known = [tail for tail in self._tails if text.find(tail, start, end + len(tail)) >= 0]
            self._known[text, start, end] = known
        if not known:
            return known
        asked = set(tails)
        return [tail for tail in known if tail in asked]
