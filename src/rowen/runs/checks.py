"""Which pages with copied records a run extracts again, to compare.

Pages lie on a ring, by the digests of their ids, and each run goes on where the last one stopped:
a page whose records are copied night after night is looked at once in each turn of the ring. What
an extractor may spend is a share of what the run is expected to cost; what it could not spend, for
the next page was too dear, it has in the next run. A part of it goes first to pages that were
recycled with changes, where a wrong locality shows: they have a ring of their own besides.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHECKED_SHARE = 0.02
"""The part of a run's cost that goes into checking its copies, unless the user says otherwise."""

LEAST_SECONDS = 0.005
"""So much is spent in any case: 2% of what it takes to start a process and open a store."""

_CHANGED_SHARE = 1 / 8
"""The part of it that pages with changes have first; the rest gets around all in time."""

_RATE = 1e-6
"""Seconds a character that extraction takes, until a run has measured it."""

_PAGE = 1e-4
"""Seconds a page that comparing it takes besides, until a run has measured it, ..."""

_READ = 1e-8
"""... with reading it: texts are compressed together, so that one page may cost as much as others
beside it, so many seconds a byte of all pages, ..."""

_MOST_READ = 5e-3
"""... but no more than this."""

_RINGS = ("changed", "all")


@dataclass(slots=True)
class State:
    """What is kept from run to run for one extractor."""

    places: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_RINGS, 0))
    """Where each ring was left."""
    saved: float = 0.0
    """Seconds that were not spent."""

    @classmethod
    def of(cls, kept: object) -> "State":
        """As it was kept, in a manifest that may have been written by anybody."""
        kept = kept if isinstance(kept, dict) else {}
        places = {ring: place for ring in _RINGS if isinstance(place := kept.get(ring, 0), int)}
        saved = kept.get("saved", 0.0)
        return cls(
            {**dict.fromkeys(_RINGS, 0), **places}, saved if isinstance(saved, float) else 0.0
        )

    def to_dict(self) -> dict[str, Any]:
        """As it is kept."""
        return {**self.places, "saved": self.saved}


def positions(keys: NDArray[np.void]) -> NDArray[np.uint64]:
    """Where pages lie on the ring, by the digests of their ids."""
    raw = np.frombuffer(keys.tobytes(), np.uint8).reshape(len(keys), -1)[:, :8]
    return np.ascontiguousarray(raw).view(">u8").ravel().astype(np.uint64)


def choose_share(
    state: State, places: NDArray[np.uint64], pages: NDArray[np.intp], share: float
) -> NDArray[np.intp]:
    """So much of the pages, rounded up."""
    return _advance(state, "all", places, pages, int(np.ceil(share * len(pages))))


def choose_within(
    state: State,
    places: NDArray[np.uint64],
    pages: NDArray[np.intp],
    *,
    changed: NDArray[np.intp],
    costs: NDArray[np.float64],
    seconds: float,
) -> NDArray[np.intp]:
    """As many pages as so many seconds allow, with what was saved before; `changed` are some."""
    left = seconds + state.saved
    chosen = np.empty(0, np.intp)
    for ring, among, part in (("changed", changed, _CHANGED_SHARE), ("all", pages, 1.0)):
        rest = np.setdiff1d(among, chosen)
        total = np.cumsum(costs[_order(state, ring, places, rest)])
        count = int(np.searchsorted(total, left * part, "right"))
        if count:
            left -= float(total[count - 1])
            chosen = np.concatenate((chosen, _advance(state, ring, places, rest, count)))
    state.saved = left if len(chosen) < len(pages) else 0.0
    return chosen


def costs(sizes: NDArray[np.int64], rate: float | None, page: float | None) -> NDArray[np.float64]:
    """About how long it takes to check each page, by what a character and a page take."""
    around = _PAGE + min(_READ * float(sizes.sum()), _MOST_READ) if page is None else page
    return around + sizes.astype(np.float64) * (_RATE if rate is None else rate)


def _order(
    state: State, ring: str, places: NDArray[np.uint64], pages: NDArray[np.intp]
) -> NDArray[np.intp]:
    """The pages behind the place where the ring was left, and on around it."""
    distance = places[pages] - np.uint64(state.places[ring]) - np.uint64(1)  # modulo 2**64
    return pages[np.argsort(distance, kind="stable")]


def _advance(
    state: State, ring: str, places: NDArray[np.uint64], pages: NDArray[np.intp], count: int
) -> NDArray[np.intp]:
    found = _order(state, ring, places, pages)[:count]
    if len(found):
        state.places[ring] = int(places[found[-1]])
    return found
