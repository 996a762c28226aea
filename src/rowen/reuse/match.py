"""Matchers: which regions of a new page stand in the old one (Cyclex, section 5)."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen._core import match_anchor, match_line, match_suffix
from rowen.model import Page, UsageError


class Region(NamedTuple):
    """A stretch of a new page that stands in the old page as well."""

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
    found = match_anchor(old, new, min_length)
    return match_suffix(old, new, min_length) if found is None else found


MATCHERS: dict[str, Callable[[str, str, int], NDArray[np.int64]]] = {
    "none": _none,
    "line": match_line,
    "suffix": match_suffix,
    "anchor": _anchor,
}
"""The paper's DN, UD and ST, and `anchor`, which gives what ST gives in less time."""


def match_regions(old: str, new: str, matcher: str, min_length: int) -> NDArray[np.int64]:
    """Regions as rows of new start, old start and length; starts and ends both rise."""
    if matcher not in MATCHERS:
        raise UsageError(f"no matcher {matcher!r}; there are {', '.join(MATCHERS)}")
    if min_length < 1:
        raise UsageError(f"regions have at least 1 character, not {min_length}")
    if old == new and matcher != "none":
        whole = [(0, 0, len(new))] if len(new) >= min_length else []
        return np.array(whole, np.int64).reshape(-1, 3)
    return MATCHERS[matcher](old, new, min_length)


def find_regions(
    old: Page | str, new: Page | str, *, matcher: str = "anchor", min_length: int = 1
) -> list[Region]:
    """The regions of at least `min_length` characters that a new page shares with an old one.

    `suffix` and `anchor` give all that are not part of a longer one, each with one of its places
    in the old page; `line` those of a line diff, extended by characters; `none` gives none. They
    may overlap, none lies inside another, and they are sorted. `anchor` takes a fraction of the
    time of `suffix` where `min_length` is some tens of characters.
    """
    texts = [page.text if isinstance(page, Page) else page for page in (old, new)]
    rows = match_regions(texts[0], texts[1], matcher, min_length)
    return [Region(*row) for row in rows.tolist()]
