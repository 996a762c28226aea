"""The work on one partition of a snapshot: the same function on every engine."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count

import numpy as np
from numpy.typing import NDArray

from rowen.engines.checking import Cause, Difference
from rowen.engines.clock import OutOfTime, limited
from rowen.extractors.base import Extractor, grain_of
from rowen.extractors.identity import Surroundings
from rowen.extractors.locality import WholePage
from rowen.limits import (
    FAILURES_TOLD,
    PARTITION_BYTES,
    REASON_CHARACTERS,
    RECYCLING_LOSS,
    REMOVED_CHARACTERS,
)
from rowen.model import ExtractionError, LocalityError, Page
from rowen.model.packed import Packed, Shapes
from rowen.model.text import replace_surrogates
from rowen.reuse.match import match_regions
from rowen.reuse.recycle import Recycled, apply, whole
from rowen.reuse.regions import reuse, useful_length
from rowen.reuse.shares import Table
from rowen.stores.changes import Fate
from rowen.stores.pages import Pages
from rowen.stores.place import Place
from rowen.stores.results import Results, ResultsBuilder, read_results, write_results
from rowen.stores.tables import release_memory
from rowen.testing import check_locality


class Pulse:
    """Told where the work on a partition stands; an engine that watches its workers has its own."""

    def begins(self, row: int, job: int) -> None:
        """An extractor, by its number, is given a page, by its row."""

    def ends(self) -> None:
        """It has come back."""

    def done(self, pages: int) -> None:
        """So many of the pages that need work have had it."""


@dataclass(frozen=True, slots=True)
class Job:
    """An extractor in a run: how its changed pages are matched, and whether it has old results."""

    extractor: Extractor
    matcher: str = "none"
    from_size: int = 0
    """Pages with fewer characters are extracted as a whole: that is quicker."""
    has_old: bool = False
    scratch_rate: float = 0.0
    """Seconds a character that extraction from scratch takes, if it may be fallen back to."""
    sparing: int = REMOVED_CHARACTERS
    """How many characters are worth a call of the extractor more."""
    version: str = ""
    code: "tuple[str, Surroundings] | None" = None
    """What a function is, for workers elsewhere, which may have another one by that name."""

    @property
    def name(self) -> str:
        """The extractor's."""
        return self.extractor.name


@dataclass(frozen=True, slots=True)
class Task:
    """All that is needed to make the results of one partition."""

    uri: str
    snapshot: str
    previous: str | None
    partition: int
    fates: NDArray[np.int8]
    old_partitions: NDArray[np.int32]
    old_rows: NDArray[np.int32]
    jobs: tuple[Job, ...]
    page_seconds: float
    strict: bool = False
    checks: Mapping[str, NDArray[np.intp]] = field(default_factory=dict)
    """By extractor the rows to extract from scratch as well, and compare, if they were copied."""
    poison: Mapping[tuple[int, str], str] = field(default_factory=dict)
    """Pages, by row and extractor, on which workers died: they are not tried again."""
    fresh: Mapping[int, str] = field(default_factory=dict)
    """Texts, by row, that need not be read; only for processes that share their memory."""

    @property
    def to_do(self) -> int:
        """How many pages need work, less those that failed in the last run."""
        if not all(job.has_old for job in self.jobs):
            return len(self.fates)
        return int(np.sum(~np.isin(self.fates, (Fate.UNCHANGED, Fate.RENAMED))))


@dataclass(slots=True)
class Tally:
    """What one extractor did."""

    copied: int = 0
    records: int = 0
    kept_characters: int = 0
    extracted_characters: int = 0
    recycled_pages: int = 0
    whole_characters: int = 0
    whole_seconds: float = 0.0
    reuse_seconds: float = 0.0
    extract_seconds: float = 0.0
    failed: int = 0
    incomplete: int = 0
    checked: int = 0
    """Pages with copied records that were extracted again, and compared."""
    check_characters: int = 0
    check_seconds: float = 0.0

    def add(self, other: "Tally") -> None:
        """Both together."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class Outcome:
    """What was done for one partition."""

    partition: int
    pages: int
    tallies: dict[str, Tally]
    failures: list[tuple[str, str, str]]
    """Extractor, page and reason, of the first ones; the store has them all."""
    seconds: dict[str, float]
    matched_characters: int = 0
    differences: list[Difference] = field(default_factory=list)
    """For each extractor the first page on which copied records were wrong."""
    unchecked: list[tuple[str, str, str]] = field(default_factory=list)
    """Extractor, page and reason, where there was no time to check."""


class _Late(str):
    """A reason that has to do with time: it says nothing about the records."""

    __slots__ = ()


class _Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(("read", "match", "extract", "copy", "write", "verify"), 0.0)

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - begin


def work(task: Task, pulse: Pulse | None = None) -> Outcome:
    """Make and write the results of a partition."""
    return _Work(task, pulse or Pulse()).run()


class _Work:
    def __init__(self, task: Task, pulse: Pulse) -> None:
        self.task = task
        self.pulse = pulse
        self.place = Place(task.uri)
        self.clock = _Clock()
        self.numbers = {job.name: number for number, job in enumerate(task.jobs)}
        self.tallies = {job.name: Tally() for job in task.jobs}
        self.builders = {job.name: ResultsBuilder() for job in task.jobs}
        self.old: dict[tuple[str, int], tuple[Results, NDArray[np.int64]]] = {}
        self.failures: list[tuple[str, str, str]] = []
        self.matched = 0
        self.recycled: set[tuple[str, int]] = set()
        self.differences: list[Difference] = []
        self.unchecked: list[tuple[str, str, str]] = []
        self.lost = dict.fromkeys(self.tallies, 0.0)
        with self.clock.timing("read"):
            self.pages = Pages(self.place, task.snapshot, task.partition, task.fresh)

    def run(self) -> Outcome:
        todo = {job.name: self.rows_to_work_on(job) for job in self.task.jobs}
        made = self.work_on_pages(todo)
        for job in self.task.jobs:
            with self.clock.timing("copy"):
                results = self.assemble(job, todo[job.name], made[job.name])
            with self.clock.timing("write"):
                write_results(
                    self.place, self.task.snapshot, job.name, self.task.partition, results
                )
            with self.clock.timing("verify"):
                self.check(job, results, set(todo[job.name].tolist()))
            tally = self.tallies[job.name]
            tally.records = int(results.counts.sum())
            tally.failed = int(np.sum(~results.complete))
            tally.incomplete = sum(one is not None for one in results.failures) - tally.failed
        return Outcome(
            self.task.partition,
            self.pages.count,
            self.tallies,
            self.failures,
            self.clock.seconds,
            self.matched,
            self.differences,
            self.unchecked,
        )

    def rows_to_work_on(self, job: Job) -> NDArray[np.intp]:
        """Pages whose old records can't be taken as they are."""
        fates = self.task.fates
        if not job.has_old:
            return np.arange(len(fates))
        ready = np.isin(fates, (Fate.UNCHANGED, Fate.RENAMED))
        for partition in np.unique(self.task.old_partitions[ready]).tolist():
            rows = np.flatnonzero(ready & (self.task.old_partitions == partition))
            results, _ = self.old_results(job, partition)
            ready[rows] = results.complete[self.task.old_rows[rows]]
        return np.flatnonzero(~ready)

    def old_results(self, job: Job, partition: int) -> tuple[Results, NDArray[np.int64]]:
        key = (job.name, partition)
        if key not in self.old:
            assert self.task.previous is not None
            with self.clock.timing("read"):
                results = read_results(self.place, self.task.previous, job.name, partition)
                self.old[key] = (results, results.first())
        return self.old[key]

    def old_texts(self, rows: NDArray[np.intp]) -> dict[int, str]:
        """The old text of each of these rows that has one."""
        found = {}
        origins = self.task.old_partitions[rows]
        for partition in np.unique(origins[origins >= 0]).tolist():
            assert self.task.previous is not None
            pages = Pages(self.place, self.task.previous, partition)
            mine = rows[origins == partition]
            texts = pages.texts(self.task.old_rows[mine].astype(np.intp))
            for row, (_, text) in zip(mine.tolist(), texts, strict=True):
                found[row] = text
        return found

    def work_on_pages(
        self, todo: Mapping[str, NDArray[np.intp]]
    ) -> dict[str, dict[int, tuple[Recycled | None, str | None]]]:
        jobs_of: dict[int, list[Job]] = {}
        for job in self.task.jobs:
            for row in todo[job.name].tolist():
                jobs_of.setdefault(row, []).append(job)
        rows = np.array(sorted(jobs_of), np.intp)
        recycled = [
            row for row in rows.tolist() if any(self.recycles(job, row) for job in jobs_of[row])
        ]
        with self.clock.timing("read"):
            old = self.old_texts(np.array(recycled, np.intp))
        made: dict[str, dict[int, tuple[Recycled | None, str | None]]] = {
            job.name: {} for job in self.task.jobs
        }
        texts = self.pages.texts(rows)
        for done in count():
            self.pulse.done(done)
            with self.clock.timing("read"):
                row, text = next(texts, (-1, ""))
                if len(text) > PARTITION_BYTES:
                    release_memory()
            if row < 0:
                break
            page = Page(text, id=self.pages.ids[row])
            matching = _Matching(old.get(row), text, jobs_of[row], self.clock)
            for job in jobs_of[row]:
                made[job.name][row] = self.try_page(job, row, page, matching)
            self.matched += matching.characters
        return made

    def recycles(self, job: Job, row: int) -> bool:
        """Whether a page's old text can be of use: all of its records must be known."""
        if (
            not job.has_old
            or job.matcher == "none"
            or isinstance(grain_of(job.extractor), WholePage)
            or self.lost[job.name] >= RECYCLING_LOSS
            or self.task.fates[row] not in {Fate.CHANGED, Fate.MOVED}
        ):
            return False
        results, _ = self.old_results(job, int(self.task.old_partitions[row]))
        return results.failures[self.task.old_rows[row]] is None

    def try_page(
        self, job: Job, row: int, page: Page, matching: "_Matching"
    ) -> tuple[Recycled | None, str | None]:
        """The records of a page, or why there are none."""
        made: Recycled | str = self.task.poison.get((row, job.name), "") or self.attempt(
            job, row, lambda: self.do_page(job, row, page, matching)
        )
        if not isinstance(made, str):
            return made, None
        if self.task.strict:
            raise ExtractionError(job.name, page.id, made)
        if len(self.failures) < FAILURES_TOLD:
            self.failures.append((job.name, page.id, made))
        return None, made

    def attempt(self, job: Job, row: int, make: Callable[[], Recycled]) -> Recycled | str:
        """What an extractor gives, or why it gives nothing; it may do and take what it wants."""
        self.pulse.begins(row, self.numbers[job.name])
        try:
            with limited(self.task.page_seconds):
                return make()
        except ExtractionError as error:
            late = isinstance(error.__context__, TimeoutError)
            return _Late(_told(error.reason)) if late else _told(error.reason)
        except OutOfTime as error:
            return _Late(_told(str(error)))
        except (Exception, SystemExit) as error:  # noqa: BLE001
            return _told(f"failed: {type(error).__name__}: {error}")
        finally:
            self.pulse.ends()

    def do_page(self, job: Job, row: int, page: Page, matching: "_Matching") -> Recycled:
        tally = self.tallies[job.name]
        shapes = self.builders[job.name].shapes
        size = len(page.text)
        if matching.old is not None and size >= job.from_size and self.recycles(job, row):
            start = time.thread_time()  # a busy machine must not look like a bad plan
            regions = matching.regions(job.matcher)
            begin = time.thread_time()
            plan = reuse(
                grain_of(job.extractor), regions, matching.old, page.text, sparing=job.sparing
            )
            tally.reuse_seconds += time.thread_time() - begin
            with self.clock.timing("extract"):
                begin = time.perf_counter()
                made = apply(job.extractor, plan, self.old_records(job, row), page, shapes)
                tally.extract_seconds += time.perf_counter() - begin
            tally.recycled_pages += 1
            if made.copied:
                self.recycled.add((job.name, row))
            if job.scratch_rate:
                # What the plan could not know: this corpus repeats itself.
                self.lost[job.name] += time.thread_time() - start - job.scratch_rate * size
        else:
            with self.clock.timing("extract"):
                begin = time.perf_counter()
                made = whole(job.extractor, page, shapes)
                spent = time.perf_counter() - begin
                tally.whole_characters += size
                tally.whole_seconds += spent
                tally.extract_seconds += spent
        tally.extracted_characters += made.extracted
        tally.kept_characters += made.copied
        failure = None if made.failure is None else _told(made.failure)
        return made._replace(records=made.records.as_set(shapes), failure=failure)

    def old_records(self, job: Job, row: int) -> Packed:
        results, first = self.old_results(job, int(self.task.old_partitions[row]))
        at = int(self.task.old_rows[row])
        part = results.records.slice(int(first[at]), int(first[at + 1]))
        return part.renumbered(results.shapes.numbers_in(self.builders[job.name].shapes))

    def assemble(
        self,
        job: Job,
        todo: NDArray[np.intp],
        made: Mapping[int, tuple[Recycled | None, str | None]],
    ) -> Results:
        """Pages worked on between runs of pages that are taken over."""
        builder = self.builders[job.name]
        last = len(self.task.fates)
        next_copied = 0
        for row in [*todo.tolist(), last]:
            self.copy_rows(job, next_copied, row)
            if row < last:
                recycled, reason = made[row]
                if recycled is None:
                    builder.fail(reason or "")
                else:
                    builder.add(recycled.records, recycled.failure)
            next_copied = row + 1
        return builder.done()

    def check(self, job: Job, results: Results, todo: set[int]) -> None:
        """Extract a sample of pages from scratch; what was copied must be the same."""
        rows = [
            row
            for row in np.sort(self.task.checks.get(job.name, np.empty(0, np.intp))).tolist()
            if results.complete[row]
            and (row not in todo or (job.name, row) in self.recycled)
            and (row, job.name) not in self.task.poison
        ]
        first = results.first()
        tally = self.tallies[job.name]
        for row, text in self.pages.texts(np.array(rows, np.intp)):
            page = Page(text, id=self.pages.ids[row])
            begin = time.perf_counter()
            made = self.scratch(job, row, page, results.shapes)
            tally.check_seconds += time.perf_counter() - begin
            tally.check_characters += len(text)
            if isinstance(made, _Late):
                self.unchecked.append((job.name, page.id, str(made)))
                continue
            tally.checked += 1
            kept = results.records.slice(int(first[row]), int(first[row + 1]))
            if not _same(made, kept):
                cause = self.cause(job, row, page, made, results.shapes)
                self.differences.append(
                    Difference(
                        job.name,
                        job.version,
                        page.id,
                        cause,
                        kept.count,
                        0 if isinstance(made, str) else made.count,
                        made if isinstance(made, str) else "",
                    )
                )
                return  # all of its pages are extracted anew: more of them say no more

    def scratch(self, job: Job, row: int, page: Page, shapes: Shapes) -> Packed | str:
        """The records of a page from scratch, as a set, or why there are none."""
        made = self.attempt(job, row, partial(whole, job.extractor, page, shapes))
        return made if isinstance(made, str) else made.records.as_set(shapes)

    def cause(self, job: Job, row: int, page: Page, made: Packed | str, shapes: Shapes) -> Cause:
        """Why extraction gives something else than was copied.

        What gives other records for the old text than are stored for it has changed since. Where
        the text is still the old one, a wrong locality may have done harm in an earlier run: then
        it shows where the text around the records is changed on trial.
        """
        if not _same(self.scratch(job, row, page, shapes), made):
            return Cause.RANDOM
        if (job.name, row) in self.recycled:
            (text,) = self.old_texts(np.array([row], np.intp)).values()
            own = self.builders[job.name].shapes
            again = self.scratch(job, row, Page(text, id=page.id), own)
            return Cause.LOCALITY if _same(again, self.old_records(job, row)) else Cause.CHANGED
        if isinstance(grain_of(job.extractor), WholePage):
            return Cause.CHANGED
        try:
            with limited(self.task.page_seconds):
                check_locality(job.extractor, [page])
        except LocalityError:
            return Cause.LOCALITY
        except (Exception, SystemExit, OutOfTime):  # noqa: BLE001  # it may do what it wants
            return Cause.CHANGED
        return Cause.CHANGED

    def copy_rows(self, job: Job, start: int, end: int) -> None:
        """Take over the old results of pages, in runs that are together there too."""
        if start >= end:
            return
        rows = self.task.old_rows[start:end]
        partitions = self.task.old_partitions[start:end]
        breaks = np.flatnonzero((np.diff(rows) != 1) | (np.diff(partitions) != 0)) + 1
        for run in np.split(np.arange(end - start), breaks):
            results, first = self.old_results(job, int(partitions[run[0]]))
            copied = self.builders[job.name].copy(
                results, first, int(rows[run[0]]), int(rows[run[-1]]) + 1
            )
            self.tallies[job.name].copied += copied


def _told(reason: str) -> str:
    """A reason that can be kept and shown, whatever an extractor put into it."""
    short = reason[:REASON_CHARACTERS] + ("..." if len(reason) > REASON_CHARACTERS else "")
    return replace_surrogates(short)


def _same(one: Packed | str, other: Packed | str) -> bool:
    """Whether two extractions gave the same; failures are, whatever they say."""
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str)
    return one.same(other)


class _Matching:
    """The regions of one page, found once for all extractors with the same matcher."""

    def __init__(self, old: str | None, new: str, jobs: list[Job], clock: _Clock) -> None:
        self.old = old
        self.new = new
        self.clock = clock
        self.lengths: dict[str, int] = {}
        self.found: dict[str, Table] = {}
        self.characters = 0
        for job in jobs:
            length = useful_length(grain_of(job.extractor))
            self.lengths[job.matcher] = min(self.lengths.get(job.matcher, length), length)

    def regions(self, matcher: str) -> Table:
        if matcher not in self.found:
            assert self.old is not None
            with self.clock.timing("match"):
                self.found[matcher] = match_regions(
                    self.old, self.new, matcher, self.lengths[matcher]
                )
            self.characters += len(self.new)
        return self.found[matcher]
