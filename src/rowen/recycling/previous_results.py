"""The last snapshot as the work on a partition sees it: old texts and old records of its pages."""

import numpy as np
from numpy.typing import NDArray

from rowen.model.errors import StoreError
from rowen.records.numbers import distinct
from rowen.records.packed import Packed, Shapes
from rowen.recycling.page_changes import Fate
from rowen.recycling.stopwatch import StepClock
from rowen.recycling.task import Job, Task
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import folder_of
from rowen.storage.snapshots.pages import Pages
from rowen.storage.snapshots.results import Results, ResultsBuilder, read_results
from rowen.storage.snapshots.texts import decoded


class PreviousResults:
    """Reads old texts and results when they are first needed.

    Rows are those of the task's partition. Their old pages may lie in several old partitions, for
    the number of partitions changes with the size of the snapshot, and renamed pages change theirs.
    """

    def __init__(self, place: Place, task: Task, clock: StepClock) -> None:
        self._place = place
        self._task = task
        self._clock = clock
        self._results: dict[tuple[str, int], tuple[Results, NDArray[np.int64]]] = {}

    def results(self, job: Job, partition: int) -> tuple[Results, NDArray[np.int64]]:
        """An extractor's old results of an old partition, and each page's first record there."""
        key = (job.name, partition)
        if key not in self._results:
            assert self._task.previous is not None
            with self._clock.timing("read"):
                results = read_results(self._place, self._task.previous, job.name, partition)
                self._results[key] = (results, results.first())
        return self._results[key]

    def raw(self, job: Job, partition: int) -> bytes:
        """What the file of an old partition holds; nothing if it was not read."""
        results = self._results.get((job.name, partition))
        return results[0].raw if results else b""

    def rows_to_work_on(self, job: Job) -> NDArray[np.intp]:
        """Pages whose old records can't be taken as they are."""
        fates = self._task.fates
        if not job.has_old:
            return np.arange(len(fates))
        ready = np.isin(fates, (Fate.UNCHANGED, Fate.RENAMED))
        for partition in distinct(self._task.old_partitions[ready]).tolist():
            rows = np.flatnonzero(ready & (self._task.old_partitions == partition))
            results, _ = self.results(job, partition)
            # Pages that failed are tried again, even if their text is the same.
            ready[rows] = results.complete[self._task.old_rows[rows]]
        return np.flatnonzero(~ready)

    def known(self, job: Job, shapes: Shapes) -> dict[int, tuple[Packed, str | None]]:
        """The records of pages whose text is known, by row, and why the extractor stopped early.

        Pages on which it failed are left out: they are tried again.
        """
        known = self._task.known.get(job.extractor.name)
        records: dict[int, tuple[Packed, str | None]] = {}
        if known is None:
            return records
        places = np.stack((known.snapshots, known.partitions), axis=1)
        # Each file is read once and released: its records may be far more than those in use.
        for snapshot, partition in np.unique(places, axis=0).tolist():
            try:
                with self._clock.timing("read"):
                    results = read_results(self._place, folder_of(snapshot), job.name, partition)
            except StoreError:  # damaged: its pages are extracted
                continue
            first, numbers = results.first(), results.shapes.numbers_in(shapes)
            here = np.flatnonzero((places == (snapshot, partition)).all(axis=1))
            for page, row in zip(
                known.pages[here].tolist(), known.rows[here].tolist(), strict=True
            ):
                if results.complete[row]:
                    part = results.records.slice(int(first[row]), int(first[row + 1]))
                    records[page] = part.renumbered(numbers), results.failures[row]
        return records

    def is_complete(self, job: Job, row: int) -> bool:
        """Whether the old page's records are all there: the extractor did not fail or stop."""
        results, _ = self.results(job, int(self._task.old_partitions[row]))
        return results.failures[self._task.old_rows[row]] is None

    def texts(self, rows: NDArray[np.intp]) -> dict[int, str]:
        """The old texts of those rows that have one, by row."""
        known = self._task.earlier
        texts_by_row = {row: decoded(known[row]) for row in rows.tolist() if row in known}
        rows = np.array([row for row in rows.tolist() if row not in known], np.intp)
        origins = self._task.old_partitions[rows]
        for partition in distinct(origins[origins >= 0]).tolist():
            assert self._task.previous is not None
            pages = Pages(self._place, self._task.previous, partition)
            in_partition = rows[origins == partition]
            texts = pages.texts(self._task.old_rows[in_partition].astype(np.intp))
            for row, (_, text) in zip(in_partition.tolist(), texts, strict=True):
                texts_by_row[row] = text
        return texts_by_row

    def records(self, job: Job, row: int, shapes: Shapes) -> Packed:
        """The records of a row's old page, with their shapes numbered as in `shapes`."""
        results, first = self.results(job, int(self._task.old_partitions[row]))
        old_row = int(self._task.old_rows[row])
        records = results.records.slice(int(first[old_row]), int(first[old_row + 1]))
        # Each file numbers the shapes of its records by itself.
        return records.renumbered(results.shapes.numbers_in(shapes))

    def copy_rows(self, job: Job, builder: ResultsBuilder, start: int, end: int) -> int:
        """Copy the old results of the rows from `start` to `end`; how many records there were."""
        if start >= end:
            return 0
        rows = self._task.old_rows[start:end]
        partitions = self._task.old_partitions[start:end]
        # Rows that are neighbours in the old snapshot, too, are copied in one piece.
        breaks = np.flatnonzero((np.diff(rows) != 1) | (np.diff(partitions) != 0)) + 1
        copied = 0
        for block in np.split(np.arange(end - start), breaks):
            results, first = self.results(job, int(partitions[block[0]]))
            copied += builder.copy(results, first, int(rows[block[0]]), int(rows[block[-1]]) + 1)
        return copied
