"""Candidates for the head and the tail delimiter, and the order in which they are tried."""

import numpy as np
from numpy.typing import NDArray

from rowen.induction.tabular.pool import Classes, Pool
from rowen.induction.tabular.preference import best_string, rank_classes


def head_candidates(pool: Pool) -> Classes:
    """The classes of strings that lie in all heads, and the empty string."""
    regions = [*pool.heads, *pool.empty]
    if not regions:
        return no_heads()
    classes = pool.classes(regions)
    ends = np.array([region.end for region in regions], dtype=np.int32)
    # A string that starts in a head may reach over its end: only as much as fits counts.
    room = (ends - classes.first).min(axis=1) if len(classes) else classes.shortest
    fits = classes.shortest <= room
    classes, room = classes[fits], room[fits]
    bases = np.array([[region.start for region in regions]], dtype=np.int32)
    none = np.zeros(1, dtype=np.int32)
    return Classes(
        np.append(classes.start, none),
        np.append(classes.end, none),
        np.append(classes.shortest, none),
        np.append(np.minimum(classes.longest, room), none),
        np.concatenate((classes.first, bases)),
        np.zeros((len(classes) + 1, 0), dtype=np.int32),
    )


def no_heads() -> Classes:
    """The empty string alone, where nothing is known of any head."""
    none = np.zeros(1, dtype=np.int32)
    columns = np.zeros((1, 0), dtype=np.int32)
    return Classes(none, none, none, none, columns, columns)


def tail_candidates(pool: Pool) -> Classes:
    """The classes of strings that start in all tails; weighed by where they start elsewhere.

    Where all pages are partial, nothing is known of the tails: what follows the marked records
    takes their place.
    """
    regions = [*pool.tails, *pool.empty] or pool.open_tails
    return pool.classes(regions, pool.distances(pool.gaps), pool.distances(pool.heads))


def rank_heads(pool: Pool, heads: Classes) -> NDArray[np.intp]:
    """The heads, the best first."""
    ends = np.array([region.end for region in [*pool.heads, *pool.empty]], dtype=np.int32)
    distance = (ends - heads.first)[:, : len(pool.heads)].max(axis=1, initial=0)
    return rank_classes(pool, heads, heads.longest, distance.astype(np.int32))


def rank_tails(pool: Pool, tails: Classes) -> NDArray[np.intp]:
    """The tails, the best first; on partial pages the last ones are the safest."""
    regions = [*pool.tails, *pool.empty] or pool.open_tails
    begins = np.array([region.start for region in regions], dtype=np.int32)
    distance = (tails.first - begins).max(axis=1)
    if not pool.tails:
        distance = -distance
    return rank_classes(pool, tails, tails.longest, distance.astype(np.int32))


def head_string(pool: Pool, heads: Classes, row: int) -> str:
    """The head delimiter of a class."""
    if not heads.longest[row]:
        return ""
    start = int(heads.first[row, 0])
    return best_string(pool, start, int(heads.shortest[row]), int(heads.longest[row]))


def tail_string(pool: Pool, tails: Classes, row: int) -> str:
    """The tail delimiter of a class."""
    start = int(tails.first[row, 0])
    return best_string(pool, start, int(tails.shortest[row]), int(tails.longest[row]))
