"""Checking copied records: a page is extracted again, and both results must be the same.

    page copied as a whole      "Room CS 105, 2 pm"   stored: room = CS 105
    extracted again             the same text         result: room = CS 105    equal: nothing to do
                                                      result: (none)           a difference

A difference is never ignored: the extractor starts over on all pages in the same run, and the cause
decides what the message says.
"""

from collections.abc import Callable, Collection, Mapping
from functools import partial

import numpy as np

from rowen.extractors.base import grain_of
from rowen.extractors.locality import WholePage
from rowen.model import LocalityError, Page
from rowen.records.packed import Packed, Shapes
from rowen.recycling.calling import Calls, Failure
from rowen.recycling.outcome import Tally
from rowen.recycling.previous_results import PreviousResults
from rowen.recycling.recycle import Recycled, apply, whole
from rowen.recycling.stopwatch import Stopwatch
from rowen.recycling.task import Job, Task
from rowen.recycling.time_limit import OutOfTime, limited
from rowen.recycling.verification.difference import Cause, Difference
from rowen.recycling.verification.sample import is_affordable, plan_stretch
from rowen.storage.snapshots.pages import Pages
from rowen.storage.snapshots.results import Results
from rowen.testing import check_locality


class Checker:
    """Checks the sample of a partition, extractor by extractor."""

    def __init__(
        self,
        task: Task,
        pages: Pages,
        calls: Calls,
        previous: PreviousResults,
        tallies: Mapping[str, Tally],
    ) -> None:
        self._task = task
        self._pages = pages
        self._calls = calls
        self._previous = previous
        self._tallies = tallies
        self.differences: list[Difference] = []
        self.unchecked: list[tuple[str, str, str]] = []
        """Extractor, page and reason of checks that ran out of time."""

    def check(
        self, job: Job, results: Results, *, worked_on: set[int], recycled: Collection[int]
    ) -> None:
        """Compare the pages of the sample.

        Of the rows that were `worked_on`, only the `recycled` ones have copied records.
        """
        sample = self._task.checks.get(job.name)
        if sample is None:
            return
        # A page on which the extractor stopped early can only be compared as a whole.
        parts = {row for row in sample.parts.tolist() if results.failures[row] is None}
        rows = [
            row
            for row in sorted({*sample.rows.tolist(), *parts})
            if results.complete[row]
            and (row not in worked_on or row in recycled)
            and (row, job.name) not in self._task.poison
        ]
        if not rows:
            return
        tally = self._tallies[job.name]
        watch = Stopwatch()
        first = results.first()
        for row, text in self._pages.texts(np.array(rows, np.intp)):
            page = Page(text, id=self._pages.ids[row])
            stored = results.records.slice(int(first[row]), int(first[row + 1]))
            stretch = sample.stretch(len(text)) if row in parts else (0, len(text))
            check = _PageCheck(self, job, row, page, stored=stored, shapes=results.shapes)
            if not check.passes(stretch, recycled=row in recycled):
                break  # all pages are extracted again: more differences would say no more
        extracting = tally.check_seconds + tally.part_seconds
        tally.compare_seconds += max(watch.seconds - extracting, 0.0)

    def extract(
        self, job: Job, row: int, extract: Callable[[], Recycled], shapes: Shapes
    ) -> Packed | Failure:
        """The records of a page, as a set, or why there are none."""
        result = self._calls.attempt(job, row, extract)
        return result if isinstance(result, Failure) else result.records.as_set(shapes)

    def tally_of(self, job: Job) -> Tally:
        """Where the checks of an extractor are counted."""
        return self._tallies[job.name]

    def looks_too_far(self, job: Job, page: Page) -> bool:
        """Whether a trial shows that text far from the records changes them."""
        try:
            with limited(self._task.page_seconds):
                check_locality(job.extractor, [page])
        except LocalityError:
            return True
        except (Exception, SystemExit, OutOfTime):  # noqa: BLE001  # others' code may raise anything
            return False
        return False

    def gives_old_records(self, job: Job, row: int, page_id: str) -> bool:
        """Whether extraction still gives the stored records for the old text."""
        (text,) = self._previous.texts(np.array([row], np.intp)).values()
        shapes = Shapes()
        old_page = Page(text, id=page_id)
        extracted = self.extract(job, row, partial(whole, job.extractor, old_page, shapes), shapes)
        return _same(extracted, self._previous.records(job, row, shapes))


class _PageCheck:
    """The check of one page for one extractor."""

    def __init__(
        self, checker: Checker, job: Job, row: int, page: Page, *, stored: Packed, shapes: Shapes
    ) -> None:
        self._checker = checker
        self._job = job
        self._row = row
        self._page = page
        self._stored = stored
        self._shapes = shapes

    def passes(self, stretch: tuple[int, int], *, recycled: bool) -> bool:
        """Whether the stored records are those of extraction, or there was no time to compare."""
        job, page = self._job, self._page
        tally = self._checker.tally_of(job)
        in_part = stretch != (0, len(page.text))
        watch = Stopwatch()
        if in_part:
            regions = plan_stretch(job.extractor, page, *stretch)
            # Nothing is recorded: the rings of whole pages reach this page, too.
            if not is_affordable(regions, stretch[1] - stretch[0]):
                return True
            extract = partial(apply, job.extractor, regions, self._stored, page, self._shapes)
            result = self._extract(extract)
            tally.part_seconds += watch.seconds
            tally.part_characters += regions.left
        else:
            result = self._from_scratch()
            tally.check_seconds += watch.seconds
            tally.check_characters += len(page.text)
        # A busy machine is no difference: the records stay, and the report names the page.
        if isinstance(result, Failure) and result.timed_out:
            self._checker.unchecked.append((job.name, page.id, result.reason))
            return True
        tally.checked += not in_part
        tally.checked_in_part += in_part
        if _same(result, self._stored):
            return True
        fresh = self._from_scratch() if in_part else result
        if not _same(fresh, self._stored):
            cause = self._cause(fresh, recycled=recycled)
        else:  # the page's records are right, those of the stretch alone are not
            repeatable = _same(self._extract(extract), result)
            cause = Cause.LOCALITY if repeatable else Cause.RANDOM
        self._checker.differences.append(
            Difference(
                job.name,
                job.version,
                page.id,
                cause,
                self._stored.count,
                0 if isinstance(result, Failure) else result.count,
                result.reason if isinstance(result, Failure) else "",
            )
        )
        return False

    def _extract(self, extract: Callable[[], Recycled]) -> Packed | Failure:
        return self._checker.extract(self._job, self._row, extract, self._shapes)

    def _from_scratch(self) -> Packed | Failure:
        return self._extract(partial(whole, self._job.extractor, self._page, self._shapes))

    def _cause(self, extracted: Packed | Failure, *, recycled: bool) -> Cause:
        """Why extraction gives something else than was copied.

        An extractor that still gives the stored records for the old text looks further than its
        locality says. Else it has changed since, or a wrong locality did harm in an earlier run:
        that shows if text around the records is changed on trial.
        """
        # First of all: what an extractor gives by chance says nothing about its code or its
        # locality.
        if not _same(self._from_scratch(), extracted):
            return Cause.RANDOM
        job = self._job
        if recycled and self._checker.gives_old_records(job, self._row, self._page.id):
            return Cause.LOCALITY
        if isinstance(grain_of(job.extractor), WholePage):
            return Cause.CHANGED
        too_far = self._checker.looks_too_far(job, self._page)
        return Cause.LOCALITY if too_far else Cause.CHANGED


def _same(first: Packed | Failure, second: Packed | Failure) -> bool:
    """Whether two extractions gave the same. Two failures are the same, whatever their reasons."""
    if isinstance(first, Failure) or isinstance(second, Failure):
        return isinstance(first, Failure) and isinstance(second, Failure)
    return first.same(second)
