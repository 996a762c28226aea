"""Numbers in arrays: of shapes, partitions, snapshots and rows."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.integer)


def distinct(numbers: NDArray[_Number]) -> NDArray[_Number]:
    """Each number once, in order.

    `np.unique` does the same, but loads masked arrays, which takes as long as a run that finds a
    small corpus unchanged.

    >>> distinct(np.array([4, 0, 4])).tolist()
    [0, 4]
    """
    ordered = np.sort(numbers)
    is_first = np.ones(len(ordered), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def without(numbers: NDArray[_Number], others: NDArray[np.integer]) -> NDArray[_Number]:
    """The distinct numbers that are not among the others, in order.

    >>> without(np.array([4, 0, 4, 2]), np.array([7, 2])).tolist()
    [0, 4]
    """
    own, sought = distinct(numbers), np.sort(others)
    at = np.searchsorted(sought, own)
    is_other = np.zeros(len(own), np.bool_)
    inside = at < len(sought)
    is_other[inside] = sought[at[inside]] == own[inside]
    return own[~is_other]
