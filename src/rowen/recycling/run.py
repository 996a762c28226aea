"""A run: take in a snapshot, compare it with the last one, plan, extract, check, commit.

The steps, in order, and where each is:

    intake     pages stream into the files of the new snapshot       intake
    compare    each page's fate, by digests; renamed pages           page_changes, renamed_pages
    plan       a matcher for each extractor (section 7)              plan, cost
    work       on each partition: match, copy, extract (section 6)   partition, by an engine
    verify     some copied records are extracted again               verification
    commit     the manifest is written; until then nothing exists    storage

Departure: the paper describes one extractor and one process. Here extractors share a run, and
partitions are independent of each other. A run is atomic: killed at any point, it leaves the store
as it was.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from rowen.extractors.base import Extractor
from rowen.model import DocumentError, InputError, Page
from rowen.model.text import replace_surrogates
from rowen.recycling.cost import PLAN_RUNS, Choice, Rates, average_rates, measured_rates
from rowen.recycling.drift import find_drift
from rowen.recycling.engine import Engine
from rowen.recycling.identities import (
    code_warning,
    identities_of,
    narrow_warning,
    unwatched_warning,
    was_too_narrow,
)
from rowen.recycling.intake import Earlier, Expected, Intake, pages_of, take_in
from rowen.recycling.kept_pages import CrawlNotes, Keeping, key_of
from rowen.recycling.known_texts import (
    Known,
    find_known,
    without_known,
    write_new_texts,
)
from rowen.recycling.options import Options, check_settings, check_shrink
from rowen.recycling.page_changes import Changes, compare
from rowen.recycling.plan import make_plan
from rowen.recycling.preparation import Prepared, from_scratch
from rowen.recycling.renamed_pages import find_moved, renames_warning
from rowen.recycling.report import Report, add_outcome, pages_by_fate, start_over
from rowen.recycling.run_log import log_run
from rowen.recycling.snapshot_texts import SnapshotTexts
from rowen.recycling.spans import SpanClock, Spans
from rowen.recycling.stamps import StoredStamps
from rowen.recycling.task import Job, Task
from rowen.recycling.verification.budget import Check
from rowen.recycling.verification.costs import Expenses, Processor
from rowen.recycling.verification.rotation import Arcs, State
from rowen.recycling.verification.selection import Selection
from rowen.sources.base import CrawlNote, is_source
from rowen.storage.claims import Hold
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import (
    Manifest,
    commit,
    folder_of,
    next_number,
    open_place,
    read_manifests,
    remove_files,
    remove_unfinished,
    upgrade,
)
from rowen.storage.snapshots.pages import TEXTS_CHECKED_BYTES
from rowen.storage.snapshots.reading import release_memory

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Called with a step, `reading` or `extracting`, how many of its pages are done, and how many there
are, if that is known."""


class Run:
    """A run over one snapshot."""

    def __init__(
        self,
        place: Place,
        extractors: Sequence[Extractor],
        *,
        options: Options = Options(),  # noqa: B008  # frozen
        progress: Progress | None = None,
        tracer: "Tracer | None" = None,
    ) -> None:
        check_settings(extractors, options)
        self.place = place
        self.extractors = tuple(extractors)
        self.names = [extractor.name for extractor in extractors]
        self.options = options
        self.report = Report()
        self.rates = Rates()
        self.identities = identities_of(self.extractors)
        self._progress = progress
        self._spans = Spans(tracer)
        self._clock = SpanClock(self._spans)
        self._processor = Processor()
        self._notes = CrawlNotes()
        self._stamps: StoredStamps | None = None
        self._begin = 0.0
        self._waited = 0.0
        self._worked = 0.0
        """Seconds that the run waited for its engine, and those that workers were at work."""

    def execute(self, snapshot: Iterable[Page], engine: Engine, *, jobs: int = 1) -> Report:
        """Run all steps. If this raises, the store is unchanged."""
        jobs = int(getattr(engine, "jobs", jobs))
        if (check := getattr(engine, "check", None)) is not None:
            # Before the snapshot is read: a cluster may lack what the extractors need.
            identities = self.identities
            check([Job(own, code=identities[own.name].function) for own in self.extractors])
        with self._spans.span("run", store=self.place.uri) as add:
            report = self._in_store(snapshot, engine, jobs)
            pages = {f"pages.{fate}": count for fate, count in report.pages.items()}
            add(snapshot=report.snapshot, failed=report.failed, **pages)
            add(problems=[replace_surrogates(problem) for problem in report.problems()])
        return report

    def explain(self, snapshot: Iterable[Page]) -> Report:
        """Report what `execute` would do. The store is unchanged."""
        return self._in_store(snapshot, None, 1)

    def _in_store(self, snapshot: Iterable[Page], engine: Engine | None, jobs: int) -> Report:
        self._begin = begin = time.perf_counter()
        with self.place.locked() as hold:
            open_place(self.place, create=False)
            earlier = read_manifests(self.place)
            number = next_number(self.place, earlier, inherited=hold.inherited)
            if engine is not None:
                upgrade(self.place)
            # Nothing refers to the files of a run that was killed. The lock says that none is at
            # work.
            remove_unfinished(self.place, earlier)
            self.report = Report(snapshot=number, seconds=self._clock.seconds)
            try:
                prepared = self._prepare(snapshot, earlier, number, jobs)
                if engine is not None:
                    self._carry_out(snapshot, prepared, engine, hold)
                else:
                    remove_files(self.place, number)
            # An interrupt, too, must leave the store as it was.
            except BaseException:
                remove_files(self.place, number)
                raise
        total = time.perf_counter() - begin
        self._clock.seconds.pop("total", None)
        # Workers that work at the same time take more than they make the run wait.
        accounted = self._clock.total - max(self._worked - self._waited, 0.0)
        seconds = self.report.seconds
        seconds["other"] = seconds.get("other", 0.0) + max(total - accounted, 0.0)
        seconds["total"] = total
        if engine is not None:
            log_run(self.report)
        return self.report

    def _prepare(
        self, snapshot: Iterable[Page], earlier: list[Manifest], number: int, jobs: int
    ) -> Prepared:
        newest = earlier[-1] if earlier else None
        previous = newest if not self.options.scratch else None
        self._notes.gone.update(map(key_of, self.options.gone))
        keeping = None
        if newest is not None:
            keeping = Keeping(self.place, newest, self._notes, update=self.options.update)
        with self._clock.timing("compare"):
            old = keeping.index if keeping and previous else None
        last = Earlier(previous, old) if previous and old else None
        # Before intake: it has to know which texts stay in memory for the checks of this run.
        states = self._states(previous)
        held = self._to_hold(previous, states)
        self._stamps = StoredStamps(self.place, (last.manifest, last.index) if last else None)
        with self._clock.timing("intake"):
            intake = take_in(
                self._incoming(snapshot),
                self.place,
                number,
                jobs=jobs,
                expected=_expected(snapshot, earlier),
                earlier=last,
                keeping=keeping,
                held=held,
                same=self._stamps,
            )
            release_memory()
        self._note_problems(keeping, intake)
        if not intake.index.count:
            # A crawl that failed must not empty the store.
            raise InputError(
                f"no pages in the snapshot{self._unreadable_pages()}; the store is unchanged"
            )
        if newest is not None and not self.options.update:
            check_shrink(newest.pages, intake.index.count, self.options.allow_shrink)
        folder = folder_of(number)
        texts = None
        if last is not None:
            texts = SnapshotTexts(
                self.place,
                (last.manifest.folder, last.index),
                (folder, intake.index),
                intake.fresh,
                intake.earlier,
            )
        with self._clock.timing("compare"):
            changes = compare(old, intake.index)
            if texts is not None:
                self.report.warnings.extend(renames_warning(changes))
                changes = find_moved(changes, texts)
        # The paper's window of W snapshots (section 7).
        self.rates = average_rates(
            [manifest.report.get("rates", {}) for manifest in earlier[-PLAN_RUNS:]]
        )
        known = self._known(last, earlier, intake, changes)
        with self._clock.timing("intake"):
            write_new_texts(self.place, folder, intake.index, changes)
            self._stamps.write(
                folder,
                intake.index,
                intake.partitions,
                intake.came,
                next(iter(intake.bases), None),
            )
        to_do = without_known(changes, known, self.names)
        plan = self._plan(previous, to_do, texts)
        self._warn(previous)
        expenses = self._processor.before_work(earlier, self.names)
        selection = Selection(intake, to_do, plan, states)
        checks = self._choose_checks(selection, previous, expenses)
        self.report = replace(
            self.report,
            repeated=intake.repeated,
            pages=pages_by_fate(changes, intake.kept),
            unread=intake.unread,
            characters=int(intake.index.sizes.sum()),
            known={name: len(own.pages) for name, own in known.items()},
            plans={
                name: {**choice._asdict(), "chosen by": self.options.matcher}
                for name, choice in plan.items()
            },
            turns={
                name: {"pages": check.runs, "parts": check.part_runs}
                for name, check in checks.items()
            },
        )
        return Prepared(
            folder, intake, changes, plan, previous, old, self.identities, states, checks, known
        )

    def _known(
        self, last: Earlier | None, earlier: list[Manifest], intake: Intake, changes: Changes
    ) -> dict[str, Known]:
        """New and changed pages whose records the store has under another name or from before."""
        if last is None:
            return {}
        with self._clock.timing("compare"):
            manifest = last.manifest
            names = [name for name in self.names if self.identities[name].has_old(name, manifest)]
            indexes = (last.index, intake.index)
            return find_known(self.place, earlier, indexes, changes, names)

    def _to_hold(self, previous: Manifest | None, states: dict[str, State]) -> Arcs:
        """The pages that may be checked: their texts stay in memory as they come in."""
        share = TEXTS_CHECKED_BYTES / max(previous.bytes, 1) if previous else 0.0
        return Arcs.of(list(states.values()), self.options.verify, share)

    def _plan(
        self, previous: Manifest | None, changes: Changes, texts: SnapshotTexts | None
    ) -> dict[str, Choice]:
        plan = {name: Choice("none", 0, {}) for name in self.names}
        if previous is not None and texts is not None:
            with self._clock.timing("plan"):
                # An extractor that looks further than it declares gets no matcher: its changed
                # pages are extracted as a whole, until it declares another locality.
                trusted = [
                    extractor
                    for extractor in self.extractors
                    if self.identities[extractor.name].has_old(extractor.name, previous)
                    and not was_too_narrow(previous, extractor)
                ]
                plan |= make_plan(trusted, self.options.matcher, self.rates, changes, texts=texts)
        return plan

    def _choose_checks(
        self, selection: Selection, previous: Manifest | None, expenses: Expenses
    ) -> dict[str, Check]:
        if previous is None:
            return {}
        if self.options.verify is not None:
            return selection.by_share(self.extractors, self.options.verify)
        return selection.by_cost(self.extractors, previous, self.rates, expenses)

    def _states(self, previous: Manifest | None) -> dict[str, State]:
        """How far checks are, for each extractor that has results to copy."""
        if previous is None:
            return {}
        return {
            name: State.of(previous.checks.get(name))
            for name in self.names
            if self.identities[name].has_old(name, previous)
        }

    def _warn(self, previous: Manifest | None) -> None:
        """Add the warnings about extractors themselves to the report."""
        warnings = self.report.warnings
        for extractor in self.extractors:
            name, identity = extractor.name, self.identities[extractor.name]
            if previous is None or not identity.has_old(name, previous):
                if identity.unwatched:
                    warnings.append(unwatched_warning(name, identity.unwatched))
                continue
            if identity.changed_since(name, previous):
                warnings.append(code_warning(name, identity.version))
            if was_too_narrow(previous, extractor):
                warnings.append(narrow_warning(name))

    def _incoming(self, snapshot: Iterable[Page]) -> Iterable[Page | CrawlNote]:
        if not is_source(snapshot):
            return self._counted(pages_of(snapshot), lambda: None)
        assert self._stamps is not None
        source = snapshot.comparing(self._stamps)
        pages = source.pages_and_same(on_error=self._unreadable, on_note=self._notes.add)
        return self._counted(pages, lambda: snapshot.count_hint)

    def _counted(
        self, pages: Iterable[Page | CrawlNote], total: Callable[[], int | None]
    ) -> Iterable[Page | CrawlNote]:
        # A source may walk through all of itself to count: only those who watch have to wait.
        if self._progress is None:
            return pages
        return _watched(pages, _step_progress(self._progress, "reading", total()))

    def _unreadable_pages(self) -> str:
        messages = self.report.unreadable
        if not messages:
            return ""
        return f": {len(messages):,} could not be read, the first is {messages[0]}"

    def _unreadable(self, error: DocumentError) -> None:
        if self._stamps is not None:
            self._stamps.forget(error.page)
        if self.options.strict:
            raise error
        if self.options.update:
            self._notes.unreadable[key_of(error.page)] = str(error)
        else:
            self.report.unreadable.append(str(error))

    def _note_problems(self, keeping: Keeping | None, intake: Intake) -> None:
        """Report what the crawl could not fetch or read, and unknown ids of gone pages."""
        notes = self._notes
        if notes.failed or notes.unreadable or notes.unchanged:
            stored = keeping.keys if keeping else frozenset()
            kept, lost = notes.problems(stored, intake.came)
            self.report.kept.extend(kept if self.options.update else [])
            self.report.unreadable.extend(lost)
        if self.options.update and notes.are_empty and intake.kept == intake.index.count > 0:
            self.report.warnings.append(
                f"the crawl has no pages: all {intake.kept:,} pages of the store are kept"
            )
        stored = keeping.keys if keeping and self.options.gone else frozenset()
        unknown = [page for page in self.options.gone if key_of(page) not in stored]
        if unknown:
            self.report.warnings.append(
                f"the store has no page {min(unknown)!r}, which is said to be gone"
                + (f", nor {len(unknown) - 1:,} others" if len(unknown) > 1 else "")
            )

    def _carry_out(
        self, snapshot: Iterable[Page], prepared: Prepared, engine: Engine, hold: Hold
    ) -> None:
        tasks = prepared.tasks(self.place, self.extractors, self.options, self.rates)
        self._work(tasks, engine, hold)
        wrong = {difference.extractor for difference in self.report.differed}
        if wrong:
            # Nothing is committed yet: the second pass writes over the results of the first.
            self.report = start_over(self.report, wrong)
            self._work([from_scratch(task, wrong) for task in tasks], engine, hold)
        self._find_drift(tasks, prepared.previous)
        self.rates, scratch_seconds = measured_rates(
            self.rates, self.report.tallies, self.report.characters
        )
        self.report = replace(
            self.report,
            scratch_seconds=scratch_seconds,
            rates=self.rates.to_dict(self.names),
        )
        with self._clock.timing("commit"):
            # Another run may have taken over a store in object storage, if this one was suspended.
            # Results are written in vain once another run has claimed the store: stop early.
            hold.check()
            # As far as it is known: the last steps are the writing of this very number.
            self.report.seconds["total"] = time.perf_counter() - self._begin
            commit(self.place, prepared.manifest(snapshot, self.extractors, self.report))

    def _find_drift(self, tasks: list[Task], previous: Manifest | None) -> None:
        before = previous.report.get("drift", {}) if previous else {}
        for extractor in self.extractors:
            name = extractor.name
            anew = not self.identities[name].has_old(name, previous)
            with self._clock.timing("drift"):
                drift = find_drift(self.place, extractor, tasks, before.get(name), anew=anew)
            if drift is not None:
                self.report.drift[name] = drift

    def _work(self, tasks: list[Task], engine: Engine, hold: Hold) -> None:
        begin = time.time_ns()
        with self._spans.span("work", partitions=len(tasks)):
            self._collect(tasks, engine, hold)
            self._spans.extractors(self.report.tallies, begin)

    def _collect(self, tasks: list[Task], engine: Engine, hold: Hold) -> None:
        to_do = {task.partition: task.to_do for task in tasks}
        show = _step_progress(self._progress, "extracting", sum(to_do.values()))
        finished = 0
        begin = time.perf_counter()
        outcomes = engine.outcomes(tasks, lambda pages: show(finished + pages))
        with closing(outcomes):
            for outcome in outcomes:
                self._worked += sum(outcome.seconds.values())
                self._spans.partition(outcome)
                hold.check()
                self.report = add_outcome(self.report, outcome)
                finished += to_do[outcome.partition]
                show(finished)
        self._waited += time.perf_counter() - begin


def _step_progress(
    progress: Progress | None, step: str, total: int | None
) -> Callable[[int], None]:
    """Announce a step. The result reports how many of its pages are done, if that has changed."""
    if progress is None:
        return lambda _pages: None
    last = 0
    progress(step, last, total)

    def show(pages: int) -> None:
        # Engines that wait call this again and again with the same number.
        nonlocal last
        if pages != last:
            last = pages
            progress(step, pages, total)

    return show


def _watched(
    pages: Iterable[Page | CrawlNote], show: Callable[[int], None]
) -> Iterator[Page | CrawlNote]:
    for number, page in enumerate(pages, start=1):
        yield page
        show(number)


def _expected(snapshot: Iterable[Page], earlier: list[Manifest]) -> Expected:
    last = earlier[-1].bytes if earlier else None
    if last is not None or not is_source(snapshot):  # a source walks through itself for hints
        return Expected(last=last)
    return Expected(snapshot.count_hint, snapshot.bytes_hint, last)
