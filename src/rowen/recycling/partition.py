"""The work on one partition of a snapshot: the same function on every engine (section 6).

The paper's three steps, for each page of the partition and each extractor:

    page        fate        what is done
    a.html      unchanged   old records are copied, neither page is read
    b.html      changed     old text and new text are matched, records copied where that is safe,
                            the extraction regions are extracted
    c.html      new         extracted as a whole

Departures: the paper scans the old mention table and probes each mention against a hash table of
copy regions. Here pages and records are partitioned by page id, so that a worker has the old
records of its pages in memory, and partitions need nothing of each other. Several extractors share
one reading and one matching of a page.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import grain_of
from rowen.extractors.chain import Chain, parts_of
from rowen.extractors.scan import prepare
from rowen.model import ExtractionError, Page
from rowen.recycling.batches import Batch, batches, extract_batch, may_share_calls
from rowen.recycling.calling import Calls, Failure, printable
from rowen.recycling.match import match_regions
from rowen.recycling.outcome import Outcome, Tally
from rowen.recycling.page_changes import Fate
from rowen.recycling.page_regions import Table
from rowen.recycling.previous_results import PreviousResults
from rowen.recycling.recycle import Recycled, apply, whole
from rowen.recycling.regions import derive_regions
from rowen.recycling.steps import extract_steps, is_reusable, least_match, recycle_steps
from rowen.recycling.stopwatch import StepClock, Stopwatch
from rowen.recycling.task import PARTITION_BYTES, Job, Pulse, Task
from rowen.recycling.verification.checking import Checker
from rowen.storage.place import Place
from rowen.storage.snapshots.pages import Pages
from rowen.storage.snapshots.reading import release_memory
from rowen.storage.snapshots.results import Results, ResultsBuilder, write_results

FAILURES_REPORTED = 20
"""Limit: failed pages of a partition that a run's report names. The store has all of them."""

RECYCLING_LOSS = 0.01
"""Seconds that recycling may lose against extraction from scratch in one partition. Then its other
pages are extracted from scratch, if Rowen chose the plan itself."""

_Results: TypeAlias = dict[int, Recycled | Failure]
"""What an extractor gave, by row."""


def work(task: Task, pulse: Pulse | None = None) -> Outcome:
    """Make and write the results of a partition."""
    return _PartitionWork(task, pulse or Pulse()).run()


class _PartitionWork:
    def __init__(self, task: Task, pulse: Pulse) -> None:
        self.task = task
        self.pulse = pulse
        self.begin = time.perf_counter()
        self.place = Place(task.uri)
        self.clock = StepClock("read", "match", "extract", "copy", "write", "verify")
        self.calls = Calls(task, pulse)
        self.tallies = {job.name: Tally() for job in task.jobs}
        self.steps = {job.name: job.steps for job in task.jobs}
        """By extractor, the steps before the last one."""
        self.builders = {
            each.name: ResultsBuilder() for job in task.jobs for each in (job, *job.steps)
        }
        self.previous = PreviousResults(self.place, task, self.clock)
        self.failures: list[tuple[str, str, str]] = []
        self.matched_characters = 0
        self.recycled: dict[str, set[int]] = {job.name: set() for job in task.jobs}
        self.lost = dict.fromkeys(self.tallies, 0.0)
        with self.clock.timing("extract"):
            for job in task.jobs:
                if job.has_old and job.matcher != "none":
                    for part in parts_of(job.extractor):
                        prepare(grain_of(part))
        with self.clock.timing("read"):
            self.pages = Pages(self.place, task.snapshot, task.partition, task.fresh)

    def run(self) -> Outcome:
        with closing(self.calls):
            return self.outcome()

    def outcome(self) -> Outcome:
        not_copied = {job.name: self.previous.rows_to_work_on(job) for job in self.task.jobs}
        known = {job.name: self.known(job) for job in self.task.jobs}
        to_do = {
            name: rows[~np.isin(rows, np.fromiter(known[name], np.intp, len(known[name])))]
            for name, rows in not_copied.items()
        }
        worked = self.work_on_pages(to_do)
        checker = Checker(self.task, self.pages, self.calls, self.previous, self.tallies)
        for job in self.task.jobs:
            rows = to_do[job.name]
            with self.clock.timing("copy"):
                worked[job.name].pages.update(known[job.name])
                results = self.assemble(job, worked[job.name])
            with self.clock.timing("write"):
                self.write(job, results)
                for step in self.steps[job.name]:
                    self.write(step, self.builders[step.name].done())
            # Wrong results may be written here: nothing refers to them before the run commits. If a
            # check fails, the run writes this file again.
            with self.clock.timing("verify"):
                checker.check(
                    job, results, worked_on=set(rows.tolist()), recycled=self.recycled[job.name]
                )
            tally = self.tallies[job.name]
            tally.records = int(results.counts.sum())
            tally.failed = int(np.sum(~results.complete))
            stopped = sum(failure is not None for failure in results.failures)
            tally.incomplete = stopped - tally.failed
        # On small pages, calls and sets of records are half of the work.
        spent = time.perf_counter() - self.begin
        self.clock.seconds["other"] = max(spent - self.clock.total, 0.0)
        return Outcome(
            self.task.partition,
            self.pages.count,
            self.tallies,
            self.failures,
            self.clock.seconds,
            self.matched_characters,
            checker.differences,
            checker.unchecked,
        )

    def write(self, job: Job, results: Results) -> None:
        """Write the results of an extractor, or of a step of a chain."""
        task = self.task
        write_results(
            self.place,
            task.snapshot,
            job.name,
            task.partition,
            results,
            base=task.base,
            base_raw=self.previous.raw(job, task.partition),
        )

    def known(self, job: Job) -> _Results:
        """The records of pages that have a text of another page, or of an earlier snapshot."""
        known = self.previous.known(job, self.builders[job.name].shapes)
        steps = [
            self.previous.known(step, self.builders[step.name].shapes)
            for step in self.steps[job.name]
        ]
        results: _Results = {}
        tally = self.tallies[job.name]
        for row, (records, stopped) in known.items():
            if all(row in own for own in steps):
                of_steps = tuple(own[row][0] for own in steps)
                results[row] = Recycled(records, 0, 0, stopped, of_steps)
                tally.copied += records.count
        tally.known_pages += len(results)
        return results

    def work_on_pages(self, to_do: Mapping[str, NDArray[np.intp]]) -> "dict[str, _Worked]":
        """Read each page once, and give it to all extractors that need it."""
        jobs_of: dict[int, list[Job]] = {}
        for job in self.task.jobs:
            for row in to_do[job.name].tolist():
                jobs_of.setdefault(row, []).append(job)
        rows = np.array(sorted(jobs_of), np.intp)
        with_old_text = [
            row
            for row in (rows.tolist() if any(job.has_old for job in self.task.jobs) else ())
            if any(self.recycles(job, row) for job in jobs_of[row])
        ]
        with self.clock.timing("read"):
            old_texts = self.previous.texts(np.array(with_old_text, np.intp))
        copies = self.copies(rows)
        alone = {*copies, *copies.values(), *(row for row, _ in self.task.poison)}
        worked = {job.name: _Worked({}, []) for job in self.task.jobs}
        texts = batches(self.pages.texts(rows))
        done = 0
        while batch := self.next_batch(texts):
            shared = self.work_on_batch(batch, done, jobs_of, old_texts, copies, alone, worked)
            for job in self.task.jobs:
                if shared.get(job.name):
                    self.extract_many(job, shared[job.name], worked[job.name])
            done += len(batch)
            self.pulse.done(done)
            # Pages may be large: these must not be in memory beside the next ones.
            batch.clear()
            shared.clear()
        return worked

    def work_on_batch(  # noqa: PLR0917  # all that is known of the pages
        self,
        batch: list[tuple[int, Page]],
        done: int,
        jobs_of: Mapping[int, list[Job]],
        old_texts: Mapping[int, str],
        copies: Mapping[int, int],
        alone: set[int],
        worked: "Mapping[str, _Worked]",
    ) -> dict[str, list[tuple[int, Page]]]:
        """Work on the pages that need a call by themselves; returns the others, by extractor."""
        shared: dict[str, list[tuple[int, Page]]] = {
            job.name: [] for job in self.task.jobs if may_share_calls(job)
        }
        for finished, (row, page) in enumerate(batch, start=done):
            old = old_texts.get(row)
            matching: _Matching | None = None
            for job in jobs_of[row]:
                if (
                    job.name in shared
                    and row not in alone
                    and (old is None or not self.recycles(job, row))
                ):
                    shared[job.name].append((row, page))
                    continue
                pages = worked[job.name].pages
                first = pages.get(copies.get(row, -1))
                if isinstance(first, Recycled):
                    pages[row] = first
                    self.note_copy(job, row, copies[row])
                    self.tallies[job.name].known_pages += 1
                    continue
                matching = matching or _Matching(old, page.text, jobs_of[row], self.clock)
                pages[row] = self.try_page(job, row, page, matching)
            if matching is not None:
                self.matched_characters += matching.characters
                self.pulse.done(finished + 1)
        return shared

    def next_batch(self, texts: Iterator[list[tuple[int, str]]]) -> list[tuple[int, Page]]:
        """The next pages to work on; none at the end."""
        with self.clock.timing("read"):
            ids = self.pages.ids
            batch = [(row, Page(text, id=ids[row])) for row, text in next(texts, [])]
            if any(len(page.text) > PARTITION_BYTES for _, page in batch):
                release_memory()
        return batch

    def extract_many(self, job: Job, pages: Sequence[tuple[int, Page]], worked: "_Worked") -> None:
        """Extract pages as a whole: all at once, but those that need a call by themselves."""
        shapes = self.builders[job.name].shapes
        tally = self.tallies[job.name]
        with self.clock.timing("extract"):
            begin, watch = time.perf_counter(), Stopwatch()
            batch = extract_batch(job, pages, self.calls, shapes)
            tally.whole_cost += watch.seconds
            spent = time.perf_counter() - begin
            characters = sum(len(page.text) for _, page in pages[: len(batch.rows)])
            tally.whole_seconds += spent
            tally.extract_seconds += spent
            tally.whole_characters += characters
            tally.extracted_characters += characters
            worked.batches.extend(batch.runs())
        for row, page in pages[len(batch.rows) :]:
            # A page before these failed: most likely they fail, too, and each once is enough.
            worked.pages[row] = self.try_page(
                job, row, page, _Matching(None, page.text, [job], self.clock)
            )

    def note_copy(self, job: Job, row: int, first: int) -> None:
        """A copy of a recycled page is checked like that page, if it has an old text, too."""
        changed = self.task.fates[row] in {Fate.CHANGED, Fate.MOVED}
        if changed and first in self.recycled[job.name]:
            self.recycled[job.name].add(row)

    def copies(self, rows: NDArray[np.intp]) -> dict[int, int]:
        """For each of these rows with the text of an earlier one, the first row with that text."""
        if not self.task.share_copies:
            return {}
        digests = self.pages.digests[rows].tolist()
        firsts: dict[bytes, int] = {}
        copies = {}
        for row, digest in zip(rows.tolist(), digests, strict=True):
            first = firsts.setdefault(digest, row)
            if first != row:
                copies[row] = first
        return copies

    def recycles(self, job: Job, row: int) -> bool:
        """Whether a page's old text can be of use: all of its records must be known."""
        if (
            not job.has_old
            or job.matcher == "none"
            or not is_reusable(job.extractor)
            or self.lost[job.name] >= RECYCLING_LOSS
            or self.task.fates[row] not in {Fate.CHANGED, Fate.MOVED}
        ):
            return False
        return self.previous.is_complete(job, row)

    def try_page(self, job: Job, row: int, page: Page, matching: "_Matching") -> Recycled | Failure:
        """The records of a page, or why there are none."""
        # An extractor that ended its worker on this page would end the next worker, too.
        deadly = self.task.poison.get((row, job.name))
        result = (
            Failure(deadly)
            if deadly
            else self.calls.attempt(job, row, lambda: self.do_page(job, row, page, matching))
        )
        if isinstance(result, Failure):
            if self.task.strict:
                raise ExtractionError(job.name, page.id, result.reason)
            if len(self.failures) < FAILURES_REPORTED:
                self.failures.append((job.name, page.id, result.reason))
        return result

    def do_page(self, job: Job, row: int, page: Page, matching: "_Matching") -> Recycled:
        """Recycle the page if that was planned and is still worth it, else extract it."""
        old = matching.old
        if old is not None and len(page.text) >= job.from_size and self.recycles(job, row):
            result = self.recycle_page(job, row, page, old, matching)
        else:
            result = self.extract_page(job, page)
        tally = self.tallies[job.name]
        tally.extracted_characters += result.extracted
        tally.kept_characters += result.copied
        failure = None if result.failure is None else printable(result.failure)
        # A record may be copied from several regions, and be extracted as well: it counts once.
        records = result.records.as_set(self.builders[job.name].shapes)
        if records is result.records and failure is None and not result.steps:
            return result
        steps = tuple(
            packed.as_set(self.builders[step.name].shapes)
            for step, packed in zip(self.steps[job.name], result.steps, strict=True)
        )
        return result._replace(records=records, failure=failure, steps=steps)

    def recycle_page(
        self, job: Job, row: int, page: Page, old: str, matching: "_Matching"
    ) -> Recycled:
        tally = self.tallies[job.name]
        shapes = self.builders[job.name].shapes
        start = time.thread_time()  # a busy machine must not look like a bad plan
        matches = matching.regions(job.matcher)
        if isinstance(job.extractor, Chain):
            result = self.recycle_chain(job, row, page, old, matches)
        else:
            begin = time.thread_time()
            regions = derive_regions(
                grain_of(job.extractor), matches, old, page.text, sparing=job.sparing
            )
            tally.reuse_seconds += time.thread_time() - begin
            with self.clock.timing("extract"):
                begin = time.perf_counter()
                old_records = self.previous.records(job, row, shapes)
                result = apply(job.extractor, regions, old_records, page, shapes)
                tally.extract_seconds += time.perf_counter() - begin
        tally.recycled_pages += 1
        # Pages without copied text are the extractor's own work: there is nothing to check.
        if result.copied:
            self.recycled[job.name].add(row)
        if job.scratch_rate:
            # The plan could not know that this corpus repeats itself, which makes matching slow.
            spent = time.thread_time() - start
            self.lost[job.name] += spent - job.scratch_rate * len(page.text)
        return result

    def recycle_chain(self, job: Job, row: int, page: Page, old: str, matches: Table) -> Recycled:
        """By the old records of all steps."""
        chain = job.extractor
        assert isinstance(chain, Chain)
        jobs = (*self.steps[job.name], job)
        shapes = [self.builders[step.name].shapes for step in jobs]
        with self.clock.timing("extract"):
            begin = time.perf_counter()
            old_records = [
                self.previous.records(step, row, own)
                for step, own in zip(jobs, shapes, strict=True)
            ]
            result = recycle_steps(
                chain, matches, old, old_records, page, shapes=shapes, sparing=job.sparing
            )
            self.tallies[job.name].extract_seconds += time.perf_counter() - begin
        return result

    def extract_page(self, job: Job, page: Page) -> Recycled:
        tally = self.tallies[job.name]
        begin, watch = time.perf_counter(), Stopwatch()
        try:
            result = self.from_scratch(job, page)
        finally:
            spent = time.perf_counter() - begin
            self.clock.seconds["extract"] += spent
        tally.whole_cost += watch.seconds
        tally.whole_characters += len(page.text)
        tally.whole_seconds += spent
        tally.extract_seconds += spent
        return result

    def from_scratch(self, job: Job, page: Page) -> Recycled:
        if isinstance(job.extractor, Chain):
            shapes = [self.builders[step.name].shapes for step in (*self.steps[job.name], job)]
            return extract_steps(job.extractor, page, shapes)
        return whole(job.extractor, page, self.builders[job.name].shapes)

    def assemble(self, job: Job, worked: "_Worked") -> Results:
        """The results of all pages in order: those worked on, and copies of all others."""
        builder = self.builders[job.name]
        next_copied = 0
        for row, result in worked.in_order():
            self.copy(job, next_copied, row)
            if isinstance(result, Batch):
                builder.add_pages(result.records, result.counts.tolist(), result.failures)
                next_copied = row + len(result.rows)
            else:
                self.add(job, result)
                next_copied = row + 1
        self.copy(job, next_copied, len(self.task.fates))
        return builder.done()

    def copy(self, job: Job, start: int, end: int) -> None:
        """Copy the old results of the rows from `start` to `end`, of a chain those of its steps."""
        tally = self.tallies[job.name]
        tally.copied += self.previous.copy_rows(job, self.builders[job.name], start, end)
        for step in self.steps[job.name]:
            self.previous.copy_rows(step, self.builders[step.name], start, end)

    def add(self, job: Job, result: Recycled | Failure) -> None:
        """Add the results of a page, and of a chain those of its steps."""
        for at, step in enumerate((*self.steps[job.name], job)):
            builder = self.builders[step.name]
            if isinstance(result, Failure):
                builder.fail(result.reason)
            else:
                records = result.steps[at] if step.step is not None else result.records
                builder.add(records, result.failure)


class _Worked(NamedTuple):
    """What an extractor gave: by row, and for many rows that follow each other."""

    pages: _Results
    batches: list[Batch]

    def in_order(self) -> list[tuple[int, Recycled | Failure | Batch]]:
        """All of it, each with its first row."""
        parts: list[tuple[int, Recycled | Failure | Batch]] = list(self.pages.items())
        parts += [(int(batch.rows[0]), batch) for batch in self.batches]
        return sorted(parts, key=itemgetter(0))


class _Matching:
    """The old regions of one page, found once for all extractors with the same matcher."""

    def __init__(self, old: str | None, new: str, jobs: list[Job], clock: StepClock) -> None:
        self.old = old
        self.new = new
        self.clock = clock
        self.jobs = jobs
        self.matches: dict[str, Table] = {}
        self.characters = 0

    def regions(self, matcher: str) -> Table:
        if matcher not in self.matches:
            assert self.old is not None
            # The least length that any extractor can use. For the others, shorter regions are
            # sound, too.
            length = min(least_match(job.extractor) for job in self.jobs if job.matcher == matcher)
            with self.clock.timing("match"):
                self.matches[matcher] = match_regions(self.old, self.new, matcher, length)
            self.characters += len(self.new)
        return self.matches[matcher]
