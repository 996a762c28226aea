"""One run: pages in, compare, plan, work on partitions, commit."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen.engines.base import Engine, open_engine
from rowen.engines.checking import Cause
from rowen.engines.partition import Job, Task
from rowen.extractors.base import Extractor, localities_of
from rowen.extractors.locality import locality_to_dict
from rowen.limits import EXTRACTION_SECONDS, PLAN_RUNS
from rowen.model import DocumentError, InputError, Page, UsageError
from rowen.reuse.cost import MOST_OVERHEAD, Choice, Rates, recalled
from rowen.reuse.match import MATCHERS
from rowen.runs.checks import (
    CHECKED_SHARE,
    LEAST_SECONDS,
    State,
    choose_share,
    choose_within,
    costs,
    positions,
)
from rowen.runs.identities import (
    Known,
    code_warning,
    known,
    narrow_warning,
    unwatched_warning,
)
from rowen.runs.intake import Earlier, Expected, Intake, take_in
from rowen.runs.plan import Texts, make_plan
from rowen.runs.renames import find_moved
from rowen.runs.report import Report
from rowen.sources.base import is_source
from rowen.stores.changes import Changes, Fate, compare
from rowen.stores.claims import Hold
from rowen.stores.manifest import (
    Manifest,
    commit,
    folder_of,
    next_number,
    open_place,
    read_manifests,
    remove_files,
    remove_unfinished,
)
from rowen.stores.pages import Index, read_index
from rowen.stores.place import Place
from rowen.stores.tables import release_memory

_NONE = np.empty(0, np.intp)


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may say about a run."""

    matcher: str = "auto"
    verify: float | None = None
    """The share of pages with copied records to check; None for what 2% of the cost allow."""
    scratch: bool = False
    strict: bool = False
    page_seconds: float = EXTRACTION_SECONDS


class Listener:
    """What is told while a run goes on; a command line shows it."""

    def coming(
        self,
        pages: Iterable[Page],
        count: Callable[[], int | None],  # noqa: ARG002  # for those who show progress
    ) -> Iterable[Page]:
        """The pages that come in, on their way."""
        return pages

    def planned(self, report: Report) -> None:
        """Fates are known and plans made."""

    def working(self, pages: int) -> AbstractContextManager[Callable[[int], None]]:  # noqa: ARG002
        """While so many pages are worked on; what this gives is told how many are done."""
        return nullcontext(lambda _done: None)


class Run:
    """A run over one snapshot."""

    def __init__(
        self,
        place: Place,
        extractors: Sequence[Extractor],
        *,
        engine: str | Engine = "local",
        jobs: int | None = None,
        options: Options = Options(),  # noqa: B008  # frozen
        listener: Listener | None = None,
    ) -> None:
        _check(extractors, options)
        self.place = place
        self.extractors = tuple(extractors)
        self.engine = open_engine(engine, jobs)
        self.jobs = int(getattr(self.engine, "jobs", jobs or 1))
        self.options = options
        self.listener = listener or Listener()
        self.report = Report()
        self.rates = Rates()
        self.known = known(self.extractors)

    def execute(self, snapshot: Iterable[Page]) -> Report:
        """All of it; the store has the snapshot then, and is as it was if this raises."""
        return self._in_store(snapshot, keep=True)

    def explain(self, snapshot: Iterable[Page]) -> Report:
        """What would be done; the store stays as it is."""
        return self._in_store(snapshot, keep=False)

    def _in_store(self, snapshot: Iterable[Page], *, keep: bool) -> Report:
        begin = time.perf_counter()
        with self.place.locked() as hold:
            open_place(self.place, create=False)
            earlier = read_manifests(self.place)
            number = next_number(self.place, earlier, inherited=hold.inherited)
            remove_unfinished(self.place, earlier)
            self.report.snapshot = number
            try:
                prepared = self._prepare(snapshot, earlier, number)
                self.listener.planned(self.report)
                if keep:
                    self._carry_out(snapshot, prepared, hold)
                else:
                    remove_files(self.place, number)
            except BaseException:
                remove_files(self.place, number)
                raise
        self.report.seconds["total"] = time.perf_counter() - begin
        return self.report

    @contextmanager
    def _timing(self, step: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        spent = time.perf_counter() - begin
        self.report.seconds[step] = self.report.seconds.get(step, 0.0) + spent

    def _prepare(
        self, snapshot: Iterable[Page], earlier: list[Manifest], number: int
    ) -> "Prepared":
        previous = earlier[-1] if earlier and not self.options.scratch else None
        folder = folder_of(number)
        with self._timing("compare"):
            old = read_index(self.place, previous.folder, previous.partitions) if previous else None
        with self._timing("intake"):
            intake = take_in(
                self._coming(snapshot),
                self.place,
                number,
                jobs=self.jobs,
                expected=_expected(snapshot, earlier),
                earlier=Earlier(previous, old) if previous and old else None,
            )
            release_memory()
        if not intake.index.count:
            raise InputError(f"no pages in the snapshot{self._lost()}; the store stays as it was")
        self.report.repeated = intake.repeated
        with self._timing("compare"):
            changes = compare(old, intake.index)
            if previous is not None and old is not None:
                texts = Texts(
                    self.place, (previous.folder, old), (folder, intake.index), intake.fresh
                )
                changes = find_moved(changes, texts)
        self.report.count(changes)
        self.report.characters = int(intake.index.sizes.sum())
        self.rates = recalled([one.report.get("rates", {}) for one in earlier[-PLAN_RUNS:]])
        plan = {one.name: Choice("none", 0, {}) for one in self.extractors}
        if previous is not None and old is not None:
            with self._timing("plan"):
                trusted = [one for one in self.extractors if self._may_recycle(one, previous)]
                plan |= make_plan(trusted, self.options.matcher, self.rates, changes, texts=texts)
        self.report.plans = {
            name: {**choice._asdict(), "chosen by": self.options.matcher}
            for name, choice in plan.items()
        }
        self._warn(previous)
        prepared = Prepared(folder, intake, changes, plan, previous, old, self.known)
        prepared.choose_checks(self.extractors, self.options, self.rates, self._spent(earlier))
        return prepared

    def _may_recycle(self, extractor: Extractor, previous: Manifest) -> bool:
        """Whether it has old results, and its locality was not found to be wrong."""
        name = extractor.name
        if not self.known[name].has_old(name, previous):
            return False
        return not _narrow(previous, extractor)

    def _warn(self, previous: Manifest | None) -> None:
        """What to say of the extractors themselves."""
        for one in self.extractors:
            own = self.known[one.name]
            if previous is None or not own.has_old(one.name, previous):
                if own.unwatched:
                    self.report.warnings.append(unwatched_warning(one.name, own.unwatched))
                continue
            if own.changed_since(one.name, previous):
                self.report.warnings.append(code_warning(one.name, own.version))
            if _narrow(previous, one):
                self.report.warnings.append(narrow_warning(one.name))

    def _spent(self, earlier: list[Manifest]) -> "Spent":
        """What the last runs took, and this one so far."""
        spent: dict[str, tuple[float, float]] = {}
        for one in self.extractors:
            tallies = [
                tally
                for manifest in earlier[-PLAN_RUNS:]
                if isinstance(tally := manifest.report.get("tallies", {}).get(one.name), dict)
            ]
            spent[one.name] = (
                sum(_sum(tally, "whole_seconds", "check_seconds") for tally in tallies),
                sum(_sum(tally, "whole_characters", "check_characters") for tally in tallies),
            )
        last = earlier[-1].report.get("seconds", {}) if earlier else {}
        around = sum(self.report.seconds.values()) + _sum(last, "read", "copy", "write", "commit")
        return Spent(around, _page_seconds(earlier[-PLAN_RUNS:]), spent)

    def _coming(self, snapshot: Iterable[Page]) -> Iterable[Page]:
        if not is_source(snapshot):
            return self.listener.coming(given_pages(snapshot), lambda: None)
        pages = snapshot.pages(on_error=self._unreadable)
        return self.listener.coming(pages, lambda: snapshot.count_hint)

    def _lost(self) -> str:
        told = self.report.unreadable
        return f": {len(told):,} could not be read, the first is {told[0]}" if told else ""

    def _unreadable(self, error: DocumentError) -> None:
        if self.options.strict:
            raise error
        self.report.unreadable.append(str(error))

    def _carry_out(self, snapshot: Iterable[Page], prepared: "Prepared", hold: Hold) -> None:
        tasks = prepared.tasks(self.place, self.extractors, self.options, self.rates)
        self._work(tasks, hold)
        wrong = {one.extractor for one in self.report.differed}
        if wrong:
            # Nothing is committed yet, so that the results are written over.
            self.report.start_over(wrong)
            self._work([_anew(task, wrong) for task in tasks], hold)
        self._learn_rates()
        with self._timing("commit"):
            hold.check()
            commit(self.place, prepared.manifest(snapshot, self.extractors, self.report))

    def _work(self, tasks: list[Task], hold: Hold) -> None:
        to_do = {task.partition: task.to_do for task in tasks}
        with self.listener.working(sum(to_do.values())) as told:
            done = 0
            outcomes = self.engine.outcomes(tasks, lambda pages: told(done + pages))
            with closing(outcomes):
                for outcome in outcomes:
                    hold.check()
                    self.report.add(outcome)
                    done += to_do[outcome.partition]
                    told(done)

    def _learn_rates(self) -> None:
        """What this run measured, for the next one's plan."""
        report, rates = self.report, self.rates
        scratch = 0.0
        reused = recycled = 0.0
        for name, tally in report.tallies.items():
            # A few changed pages are no sample of all: a rate that is known stays then.
            least = report.characters / 20 if name in rates.extraction else 10_000
            if tally.whole_characters > least:
                rates.extraction[name] = tally.whole_seconds / tally.whole_characters
            rate = rates.extraction.get(name, 0.0)
            scratch += rate * report.characters
            # Copying and packing come with extraction: all that its characters don't explain.
            spent = tally.extract_seconds - tally.whole_seconds
            explained = rate * (tally.extracted_characters - tally.whole_characters)
            reused += tally.reuse_seconds + max(spent - explained, 0.0)
            recycled += tally.recycled_pages
        if recycled:
            rates.overhead = min(reused / recycled + 1e-4, MOST_OVERHEAD)
        report.scratch_seconds = scratch
        report.rates = {
            "extraction": {
                one.name: rates.extraction[one.name]
                for one in self.extractors
                if one.name in rates.extraction
            },
            "matching": rates.matching,
            "shares": rates.shares,
            "overhead": rates.overhead,
        }


class Spent(NamedTuple):
    """What runs take, as far as it is known before they work."""

    around: float
    """Seconds of this run that no extractor takes."""
    page: float | None
    """Seconds to check a page, besides extraction; None where none was checked."""
    scratch: dict[str, tuple[float, float]]
    """By extractor the seconds and the characters of extraction from scratch."""


def _page_seconds(earlier: list[Manifest]) -> float | None:
    seconds = pages = 0.0
    for manifest in earlier:
        tallies = manifest.report.get("tallies", {}).values()
        seconds += _sum(manifest.report.get("seconds", {}), "verify")
        seconds -= sum(_sum(tally, "check_seconds") for tally in tallies)
        pages += sum(_sum(tally, "checked") for tally in tallies)
    return max(seconds, 0.0) / pages if pages else None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A snapshot that is written and compared with the last one, ready to be worked on."""

    folder: str
    intake: Intake
    changes: Changes
    plan: dict[str, Choice]
    previous: Manifest | None
    old: Index | None
    known: Mapping[str, Known]
    checks: dict[str, NDArray[np.intp]] = field(default_factory=dict)
    """By extractor the pages to check."""
    states: dict[str, State] = field(default_factory=dict)
    """By extractor how far checking is."""

    def choose_checks(
        self,
        extractors: Sequence[Extractor],
        options: Options,
        rates: Rates,
        spent: "Spent",
    ) -> None:
        """Which pages each extractor is checked on; nobody copies where there is nothing old."""
        if self.previous is None:
            return
        copying = [
            one for one in extractors if self.known[one.name].has_old(one.name, self.previous)
        ]
        index, fates = self.intake.index, self.changes.fates
        places = positions(index.keys)
        unchanged = np.flatnonzero(np.isin(fates, (Fate.UNCHANGED, Fate.RENAMED)))
        other = np.isin(fates, (Fate.CHANGED, Fate.MOVED))
        for one in copying:
            choice = self.plan[one.name]
            state = State.of(self.previous.checks.get(one.name))
            self.states[one.name] = state
            recycled = other & (index.sizes >= choice.from_size)
            changed = np.flatnonzero(recycled) if choice.matcher != "none" else _NONE
            copied = np.concatenate((unchanged, changed))
            if options.verify is not None:
                self.checks[one.name] = choose_share(state, places, copied, options.verify)
                continue
            seconds, characters = spent.scratch[one.name]
            rate = seconds / characters if characters else rates.extraction.get(one.name)
            work = rate or 0.0
            work *= float(index.sizes[fates == Fate.NEW].sum())
            work += choice.estimates.get(choice.matcher, 0.0)
            budget = CHECKED_SHARE * (work + spent.around / len(copying))
            budget = max(budget, LEAST_SECONDS / len(copying))
            dear = costs(index.sizes, rate, spent.page)
            self.checks[one.name] = choose_within(
                state, places, copied, changed=changed, costs=dear, seconds=budget
            )

    def checks_in(self, partition: int) -> dict[str, NDArray[np.intp]]:
        """The rows of a partition to check, by extractor."""
        index = self.intake.index
        return {
            name: index.rows[pages[index.partitions[pages] == partition]].astype(np.intp)
            for name, pages in self.checks.items()
            if len(pages)
        }

    def tasks(
        self, place: Place, extractors: Sequence[Extractor], options: Options, rates: Rates
    ) -> list[Task]:
        """One for each partition."""
        jobs = tuple(
            Job(
                one,
                self.plan[one.name].matcher,
                self.plan[one.name].from_size,
                has_old=self.known[one.name].has_old(one.name, self.previous),
                version=self.known[one.name].version,
                code=self.known[one.name].function,
                sparing=rates.sparing(one.name),
                scratch_rate=rates.extraction.get(one.name, 0.0)
                if options.matcher == "auto"
                else 0,
            )
            for one in extractors
        )
        index = self.intake.index
        old_partitions = self._origin(self.old.partitions if self.old else None)
        old_rows = self._origin(self.old.rows if self.old else None)
        common = Task(
            uri=place.address,
            snapshot=self.folder,
            previous=self.previous.folder if self.previous else None,
            partition=0,
            fates=self.changes.fates,
            old_partitions=old_partitions,
            old_rows=old_rows,
            jobs=jobs,
            page_seconds=options.page_seconds,
            strict=options.strict,
        )
        tasks = []
        for number in range(self.intake.partitions):
            mine = np.flatnonzero(index.partitions == number)
            mine = mine[np.argsort(index.rows[mine])]
            tasks.append(
                replace(
                    common,
                    partition=number,
                    fates=self.changes.fates[mine],
                    old_partitions=old_partitions[mine],
                    old_rows=old_rows[mine],
                    fresh=self.intake.fresh[number],
                    checks=self.checks_in(number),
                )
            )
        return tasks

    def _origin(self, column: NDArray[np.int32] | None) -> NDArray[np.int32]:
        origins = self.changes.origins
        if column is None or not len(column):
            return np.full(len(origins), -1, np.int32)
        return np.where(origins >= 0, column[origins], np.int32(-1))

    def manifest(
        self, snapshot: Iterable[Page], extractors: Sequence[Extractor], report: Report
    ) -> Manifest:
        """What the snapshot's folder is to say of itself."""
        return Manifest(
            number=report.snapshot,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            source=str(getattr(snapshot, "name", type(snapshot).__name__)),
            partitions=self.intake.partitions,
            pages=self.intake.index.count,
            bytes=int(self.intake.index.sizes.sum()),
            extractors={one.name: self.known[one.name].version for one in extractors},
            texts=self.intake.texts,
            report=report.to_dict(),
            code={one.name: self._code(one.name, report) for one in extractors},
            checks={one.name: self._state(one, report) for one in extractors},
        )

    def _code(self, name: str, report: Report) -> str:
        """The code that made the records: the old one where they are still the old ones."""
        own, previous = self.known[name], self.previous
        anew = any(one.extractor == name for one in report.differed)
        if anew or previous is None or not own.has_old(name, previous):
            return own.code
        return previous.code[name] if own.changed_since(name, previous) else own.code

    def _state(self, extractor: Extractor, report: Report) -> dict[str, Any]:
        name = extractor.name
        state = self.states.get(name, State()).to_dict()
        found = any(
            one.extractor == name and one.cause is Cause.LOCALITY for one in report.differed
        )
        has_old = self.known[name].has_old(name, self.previous)
        if found or (has_old and self.previous and _narrow(self.previous, extractor)):
            state["narrow"] = _reach(extractor)
        return state


def given_pages(snapshot: Iterable[Page] | Mapping[str, Page | str]) -> Iterator[Page]:
    """The pages that a caller gives: a list of pages or texts, or texts by their ids."""
    if isinstance(snapshot, Mapping):
        for page_id, one in snapshot.items():
            if not isinstance(page_id, str) or not isinstance(one, Page | str):
                raise UsageError(
                    "a snapshot given as a mapping has ids as keys and texts as values"
                )
            yield Page(one.text if isinstance(one, Page) else one, id=page_id)
        return
    for one in snapshot:
        if not isinstance(one, Page | str):
            raise UsageError(f"a snapshot has pages or texts, not {type(one).__name__}")
        yield Page.of(one)


def _expected(snapshot: Iterable[Page], earlier: list[Manifest]) -> Expected:
    last = earlier[-1].bytes if earlier else None
    if last is not None or not is_source(snapshot):  # a source walks all of itself for hints
        return Expected(last=last)
    return Expected(snapshot.count_hint, snapshot.bytes_hint, last)


def _narrow(previous: Manifest, extractor: Extractor) -> bool:
    """Whether the locality that it declares was found to be wrong."""
    kept = previous.checks.get(extractor.name)
    return isinstance(kept, dict) and kept.get("narrow") == _reach(extractor)


def _reach(extractor: Extractor) -> str:
    return json.dumps([locality_to_dict(one) for one in localities_of(extractor)], sort_keys=True)


def _anew(task: Task, names: set[str]) -> Task:
    """The same, from scratch, for some of the extractors."""
    jobs = (replace(job, has_old=False, matcher="none") for job in task.jobs if job.name in names)
    return replace(task, jobs=tuple(jobs), checks={})


def _sum(tally: Mapping[str, object], *names: str) -> float:
    values = [tally.get(name, 0.0) for name in names]
    return float(sum(one for one in values if isinstance(one, int | float)))


def _check(extractors: Sequence[Extractor], options: Options) -> None:
    if not extractors:
        raise UsageError("a run needs at least one extractor")
    names = [one.name for one in extractors]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"two extractors are called {twice!r}: results are kept by name")
    if options.matcher != "auto" and options.matcher not in MATCHERS:
        known = ", ".join(("auto", *MATCHERS))
        raise UsageError(f"no matcher {options.matcher!r}; there are {known}")
    if options.verify is not None and not 0 <= options.verify <= 1:
        raise UsageError(f"the share of pages to verify is from 0 to 1, not {options.verify}")
