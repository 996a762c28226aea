"""Page matchers: which regions of a new page are on the old page, too (Cyclex, section 5).

    old page    one two three
    new page    one four three
    `suffix`    [one ]   [ three]    Region(0, 0, 4), Region(8, 7, 6)

The paper's three matchers are here under plain names: DN is `none`, UD is `line` (Myers' line diff,
whose regions are extended by characters to both sides), ST is `suffix` (all maximal old regions in
linear time).

Departures. `suffix` uses a suffix array instead of a suffix tree. `anchor` is Rowen's own: only old
regions longer than γ save work, so it indexes every s-th k-gram of the old page, rolls over the new
page, and extends each hit to a maximal region. It finds every region of at least the
requested length that `suffix` finds, at 25 to 65 times its speed. A page with the same text is
recognised before any matcher runs.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen._core import match_anchor, match_line, match_suffix
from rowen.model import Page, UsageError


class Region(NamedTuple):
    """An old region: a stretch of a new page that is on the old page, too.

    >>> region = Region(new_start=8, old_start=7, length=6)
    >>> "one four three"[region.new_start :][: region.length]
    ' three'
    """

    new_start: int
    old_start: int
    length: int

    @property
    def new_end(self) -> int:
        """Where it ends in the new page."""
        return self.new_start + self.length

    @property
    def old_end(self) -> int:
        """Where it ends in the old page."""
        return self.old_start + self.length


def _none(_old: str, _new: str, _min_length: int) -> NDArray[np.int64]:
    return np.empty((0, 3), np.int64)


def _anchor(old: str, new: str, min_length: int) -> NDArray[np.int64]:
    regions = match_anchor(old, new, min_length)
    # Highly periodic text makes the chains of equal k-grams long. The kernel gives up at a cap, and
    # `suffix` takes over, so that no region is ever missed.
    return match_suffix(old, new, min_length) if regions is None else regions


MATCHERS: dict[str, Callable[[str, str, int], NDArray[np.int64]]] = {
    "none": _none,
    "line": match_line,
    "suffix": match_suffix,
    "anchor": _anchor,
}
"""The matchers by name: the paper's DN, UD and ST, and Rowen's own `anchor`."""


def match_regions(old: str, new: str, matcher: str, min_length: int) -> NDArray[np.int64]:
    """Old regions as rows of new start, old start and length. Starts and ends both rise."""
    if matcher not in MATCHERS:
        raise UsageError(f"unknown matcher {matcher!r}; choose from {', '.join(MATCHERS)}")
    if min_length < 1:
        raise UsageError(f"min_length must be at least 1, not {min_length}")
    # Runs recognise such pages by their digests and never match them. `recycle` comes here with
    # them.
    if old == new and matcher != "none":
        whole = [(0, 0, len(new))] if len(new) >= min_length else []
        return np.array(whole, np.int64).reshape(-1, 3)
    return MATCHERS[matcher](old, new, min_length)


def find_regions(
    old: Page | str, new: Page | str, *, matcher: str = "anchor", min_length: int = 1
) -> list[Region]:
    """The regions of at least `min_length` characters that a new page shares with an old one.

    `suffix` and `anchor` give all regions that can't be extended, each with one of its positions on
    the old page. `line` gives those of a line diff, extended by characters. `none` gives none.
    Regions are sorted and may overlap; none lies inside another. `anchor` takes a fraction of the
    time of `suffix` if `min_length` is some tens of characters.

    >>> find_regions("one two three", "one four three", matcher="suffix", min_length=4)
    [Region(new_start=0, old_start=0, length=4), Region(new_start=8, old_start=7, length=6)]
    """
    texts = [page.text if isinstance(page, Page) else page for page in (old, new)]
    rows = match_regions(texts[0], texts[1], matcher, min_length)
    return [Region(*row) for row in rows.tolist()]
