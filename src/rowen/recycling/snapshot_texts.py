"""The texts of the pages of two snapshots, read when they are asked for."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rowen.records.numbers import distinct
from rowen.storage.place import Place
from rowen.storage.snapshots.pages import Index, Pages
from rowen.storage.snapshots.texts import decoded

Value = TypeVar("Value")

_PARTITIONS_OPEN = 16
"""Limit: partitions that are open at once, each with the files of its texts."""


class SnapshotTexts:
    """The texts of an old and a new snapshot, by the numbers of pages in their indexes."""

    def __init__(
        self,
        place: Place,
        old: tuple[str, Index],
        new: tuple[str, Index],
        fresh: Sequence[Mapping[int, str]] = (),
        earlier: Mapping[int, bytes] = MappingProxyType({}),
    ) -> None:
        """Texts in memory: `fresh` of the new snapshot, by partition and row; `earlier` of the old.

        Those of the old one are by page, as they are stored.
        """
        self._earlier = earlier
        self._place = place
        self._old = old
        self._new = new
        self._fresh = fresh
        self._pages = lru_cache(_PARTITIONS_OPEN)(self._open)

    def _open(self, folder: str, partition: int) -> Pages:
        fresh = self._fresh[partition] if self._fresh and folder == self._new[0] else {}
        return Pages(self._place, folder, partition, fresh)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The size of each page of the new snapshot."""
        return self._new[1].sizes

    def pair(self, page: int, origin: int) -> tuple[str, str]:
        """The old text and the new text."""
        return self.old(origin), self.new(page)

    def old(self, number: int) -> str:
        """The text of a page of the old snapshot."""
        if number in self._earlier:
            return decoded(self._earlier[number])
        return self._text(*self._old, number)

    def new(self, number: int) -> str:
        """The text of a page of the new snapshot."""
        return self._text(*self._new, number)

    def of_old(self, numbers: NDArray[np.int64], function: Callable[[str], Value]) -> list[Value]:
        """The values of a function for the texts of many pages of the old snapshot."""
        return self._many(*self._old, numbers, function)

    def of_new(self, numbers: NDArray[np.int64], function: Callable[[str], Value]) -> list[Value]:
        """The values of a function for the texts of many pages of the new snapshot."""
        return self._many(*self._new, numbers, function)

    def _many(
        self,
        folder: str,
        index: Index,
        numbers: NDArray[np.int64],
        function: Callable[[str], Value],
    ) -> list[Value]:
        values: dict[int, Value] = {}
        # By partition and row, so that each group of compressed texts is read once.
        for partition in distinct(index.partitions[numbers]).tolist():
            own = numbers[index.partitions[numbers] == partition]
            own = own[np.argsort(index.rows[own])]
            texts = self._pages(folder, partition).texts(index.rows[own].astype(np.intp))
            values.update(zip(own.tolist(), (function(text) for _, text in texts), strict=True))
        return [values[number] for number in numbers.tolist()]

    def _text(self, folder: str, index: Index, number: int) -> str:
        partition, row = int(index.partitions[number]), int(index.rows[number])
        ((_, text),) = self._pages(folder, partition).texts(np.array([row], np.intp))
        return text
