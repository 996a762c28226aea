"""Many pages that an extractor reads as a whole, at once: small pages take less than calls do.

    pages      a.html          b.html    c.html
    records    CS 105 CS 310   none      CS 311
    batch      CS 105 CS 310 CS 311, counts 2 0 1

The pages share one time limit, one look at the clock and one set of arrays. A page that fails, or
is not done when the time is over, ends the batch and is called for by itself. So each page gets
what it gets alone.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.chain import Chain
from rowen.model import Page
from rowen.records import Records
from rowen.records.packed import Packed, Shapes, join, pack_many
from rowen.recycling.calling import Calls, printable
from rowen.recycling.task import Job

BATCH_PAGES = 256
"""Limit: pages that are extracted at once."""

BATCH_CHARACTERS = 500_000
"""Limit: characters of pages that are extracted at once; they are in memory together."""


class Batch(NamedTuple):
    """The records of pages, each once and in the order of stores, and how many each page has."""

    rows: NDArray[np.intp]
    records: Packed
    counts: NDArray[np.int64]
    failures: list[str | None]
    """Why the extractor stopped early on a page."""

    def runs(self) -> "Iterator[Batch]":
        """The same, in parts whose rows follow each other."""
        if not len(self.rows):
            return
        breaks = np.flatnonzero(np.diff(self.rows) != 1) + 1
        if not len(breaks):
            yield self
            return
        first = np.concatenate(([0], np.cumsum(self.counts)))
        bounds = [0, *breaks.tolist(), len(self.rows)]
        for start, end in pairwise(bounds):
            yield Batch(
                self.rows[start:end],
                self.records.slice(int(first[start]), int(first[end])),
                self.counts[start:end],
                self.failures[start:end],
            )


def may_share_calls(job: Job) -> bool:
    """Whether pages of an extractor may be extracted in batches.

    Code of others may end its process or change the signal handlers, and a chain has steps.
    """
    return not job.runs_other_code and not isinstance(job.extractor, Chain)


def extract_batch(
    job: Job, pages: Sequence[tuple[int, Page]], calls: Calls, shapes: Shapes
) -> Batch:
    """What an extractor gives for these pages, by their rows, up to one that needs a call alone."""
    results = calls.attempt_each(job, pages, job.extractor.extract)
    sizes = np.array([len(page.text) for _, page in pages[: len(results)]], np.int64)
    records, counts = pack_many(results, shapes)
    outside = _first_outside(records, counts, sizes)
    if outside is not None:
        results = results[:outside]
        records, counts = pack_many(results, shapes)
    records, counts = _as_sets(records, counts, shapes)
    return Batch(
        np.array([row for row, _ in pages[: len(results)]], np.intp),
        records,
        counts,
        [_reason(result) for result in results],
    )


def _reason(result: Records) -> str | None:
    return None if result.failure is None else printable(result.failure)


def _first_outside(
    records: Packed, counts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> int | None:
    """The first page with a span that is not in its text."""
    if not len(records.bounds) or records.fits(int(sizes[counts > 0].min())):
        return None
    first = np.concatenate(([0], np.cumsum(counts)))
    for number in np.flatnonzero(counts).tolist():
        own = records.slice(int(first[number]), int(first[number + 1]))
        if not own.fits(int(sizes[number])):
            return number
    return None


def _as_sets(
    records: Packed, counts: NDArray[np.int64], shapes: Shapes
) -> tuple[Packed, NDArray[np.int64]]:
    """The records of each page as a set."""
    starts, _ = records.extents()
    first = np.concatenate(([0], np.cumsum(counts)))
    rises = starts[1:] > starts[:-1]
    rises[first[1:-1][(first[1:-1] > 0) & (first[1:-1] < records.count)] - 1] = True
    if rises.all():
        return records, counts
    # Only pages whose records do not come in their order need a look.
    owners = np.searchsorted(first, np.flatnonzero(~rises), "right") - 1
    counts = counts.copy()
    parts, done = [], 0
    for number in sorted(set(owners.tolist())):
        start, end = int(first[number]), int(first[number + 1])
        own = records.slice(start, end).as_set(shapes)
        parts += [records.slice(done, start), own]
        counts[number] = own.count
        done = end
    return join([*parts, records.slice(done, records.count)]), counts


def batches(pages: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Rows with their texts, as many as are extracted at once."""
    batch: list[tuple[int, str]] = []
    size = 0
    for row, text in pages:
        batch.append((row, text))
        size += len(text)
        del text  # it may be large, and is the caller's to release
        if size >= BATCH_CHARACTERS or len(batch) == BATCH_PAGES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
