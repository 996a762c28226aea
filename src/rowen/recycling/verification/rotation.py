"""Whose turn it is to be checked: pages lie on a ring, and each run goes on where the last stopped.

A page's position on the ring is the digest of its id, so that it stays where it is, whatever other
pages come and go:

    ring     0 ---- b ---- e ---- a ---- d ---- c ---- 2**64, which is 0 again
    run 1           [b     e]                           stops at e
    run 2                         [a     d]             stops at d
    run 3           [b]                         [c      stops at b

There are up to three rings per extractor. They have the same positions, but each has its own pages:

- `changed`: pages that were recycled with changes, as a whole. There a wrong locality shows.
- `all`: all pages with copied records, as a whole.
- `parts`: the same pages, a stretch of each. It is used only if `all` would take too many runs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

TURN_RUNS = 60
"""Within this many runs every page is checked, as a whole or, if that costs too much, in part."""

RINGS = ("changed", "all", "parts")

_AHEAD = 2.0
"""How many times what the last run could pay for is kept in memory: costs are estimates."""

_CIRCLE = 1 << 64


@dataclass(slots=True)
class State:
    """What is stored from run to run for one extractor."""

    places: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RINGS, 0))
    """Where each ring stopped."""
    saved: dict[str, float] = field(default_factory=lambda: dict.fromkeys(RINGS, 0.0))
    """Seconds that were not spent, by ring; below 0 where too many were."""
    reach: dict[str, float] = field(default_factory=lambda: dict.fromkeys(RINGS, 1 / TURN_RUNS))
    """What share of each ring the last run could pay for."""
    turn: int = 0
    """How often the ring `parts` has gone around. Each turn checks another stretch of a page."""

    @classmethod
    def of(cls, stored: object) -> "State":
        """Read it from a manifest, which may have been written by anybody."""
        stored = stored if isinstance(stored, dict) else {}
        state = cls()
        saved, reach = stored.get("saved"), stored.get("reach")
        if isinstance(saved, float):  # as stored before each ring had its own
            saved = {"all": saved}
        for ring in RINGS:
            if isinstance(place := stored.get(ring), int):
                # Any number is a position, so that no manifest can make the ring skip pages.
                state.places[ring] = place % _CIRCLE
            state.saved[ring] = _number(saved, ring, state.saved[ring])
            state.reach[ring] = min(max(_number(reach, ring, state.reach[ring]), 0.0), 1.0)
        turn = stored.get("turn")
        state.turn = turn % _CIRCLE if isinstance(turn, int) else 0
        return state

    def to_dict(self) -> dict[str, Any]:
        """As it is stored in a manifest."""
        return {**self.places, "saved": self.saved, "reach": self.reach, "turn": self.turn}

    def order(
        self, ring: str, places: NDArray[np.uint64], pages: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """The pages from where the ring stopped, once around it."""
        distance = places[pages] - np.uint64(self.places[ring]) - np.uint64(1)  # modulo 2**64
        return pages[np.argsort(distance, kind="stable")]

    def advance(
        self, ring: str, places: NDArray[np.uint64], pages: NDArray[np.intp], count: int
    ) -> NDArray[np.intp]:
        """Take the next pages of a ring, which stops at the last of them."""
        taken = self.order(ring, places, pages)[:count]
        if len(taken):
            self.places[ring] = int(places[taken[-1]])
        return taken


def _number(stored: object, ring: str, default: float) -> float:
    value = stored.get(ring) if isinstance(stored, dict) else None
    valid = isinstance(value, int | float) and math.isfinite(value)
    return float(value) if valid else default  # type: ignore[arg-type]  # it is a number


def positions(keys: NDArray[np.void]) -> NDArray[np.uint64]:
    """Where pages lie on the ring, by the digests of their ids."""
    raw = np.frombuffer(keys.tobytes(), np.uint8).reshape(len(keys), -1)[:, :8]
    return np.ascontiguousarray(raw).view(">u8").ravel().astype(np.uint64)


class Arcs:
    """The parts of the ring whose pages are checked next.

    They are known before the pages are read, so that their texts stay in memory when they come by:
    checking reads nothing again.
    """

    def __init__(self, arcs: Sequence[tuple[int, int]] = ()) -> None:
        self._arcs = [(start, width) for start, width in arcs if width > 0]

    @classmethod
    def of(cls, states: Sequence[State], share: float | None, most: float) -> "Arcs":
        """What follows the positions where rings stopped; at most this share of the ring."""
        arcs = []
        for state in states:
            for ring in ("all", "parts") if share is None else ("all",):
                width = _AHEAD * state.reach[ring] if share is None else 1.2 * share
                # Extractors share the memory, and each has up to two rings.
                arcs.append((state.places[ring] + 1, min(width, most / len(states) / 2)))
        return cls([(start % _CIRCLE, int(width * (_CIRCLE - 1))) for start, width in arcs])

    def __contains__(self, key: object) -> bool:
        """Whether a page whose id has this digest is checked next."""
        if not self._arcs or not isinstance(key, bytes):
            return False
        place = int.from_bytes(key[:8], "big")
        return any((place - start) % _CIRCLE <= width for start, width in self._arcs)
