"""A prepared run: the snapshot is written and compared, the plan is made, the work can begin."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowen.extractors.base import Extractor, columns_of, schema_of
from rowen.model import Page
from rowen.recycling.cost import Choice, Rates
from rowen.recycling.identities import ExtractorIdentity, declared_locality, was_too_narrow
from rowen.recycling.intake import Intake
from rowen.recycling.known_texts import Known
from rowen.recycling.options import Options
from rowen.recycling.page_changes import Changes
from rowen.recycling.report import Report
from rowen.recycling.task import Job, Task
from rowen.recycling.verification.budget import Check, settle
from rowen.recycling.verification.difference import Cause
from rowen.recycling.verification.rotation import State
from rowen.recycling.verification.selection import samples_in
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import FORMAT, Manifest
from rowen.storage.snapshots.pages import Index


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known when the work on partitions begins."""

    folder: str
    intake: Intake
    changes: Changes
    plan: dict[str, Choice]
    previous: Manifest | None
    old: Index | None
    identities: Mapping[str, ExtractorIdentity]
    states: Mapping[str, State]
    """By extractor, how far its checks are."""
    checks: Mapping[str, Check]
    """By extractor, the pages to check."""
    known: Mapping[str, Known]
    """By extractor, the pages whose text is known."""

    def tasks(
        self, place: Place, extractors: Sequence[Extractor], options: Options, rates: Rates
    ) -> list[Task]:
        """One task for each partition."""
        jobs = tuple(self._job(extractor, options, rates) for extractor in extractors)
        index = self.intake.index
        old_partitions = self._of_origins(self.old.partitions if self.old else None)
        old_rows = self._of_origins(self.old.rows if self.old else None)
        tasks = []
        for number in range(self.intake.partitions):
            own = np.flatnonzero(index.partitions == number)
            # The arrays of a task have a row for each row of the partition's file.
            own = own[np.argsort(index.rows[own])]
            tasks.append(
                Task(
                    uri=place.address,
                    snapshot=self.folder,
                    previous=self.previous.folder if self.previous else None,
                    base=next(iter(self.intake.bases), None),
                    partition=number,
                    fates=self.changes.fates[own],
                    old_partitions=old_partitions[own],
                    old_rows=old_rows[own],
                    jobs=jobs,
                    page_seconds=options.page_seconds,
                    strict=options.strict,
                    checks=samples_in(number, index, self.checks),
                    fresh=self.intake.fresh[number],
                    earlier=self._earlier(own),
                    known={
                        name: known.in_partition(number, index)
                        for name, known in self.known.items()
                    },
                    share_copies=not options.scratch,
                )
            )
        return tasks

    def _earlier(self, pages: NDArray[np.intp]) -> dict[int, bytes]:
        """By row, the old texts in memory of the pages of a partition."""
        texts = self.intake.earlier
        if not texts:
            return {}
        origins = enumerate(self.changes.origins[pages].tolist())
        return {row: texts[origin] for row, origin in origins if origin in texts}

    def _job(self, extractor: Extractor, options: Options, rates: Rates) -> Job:
        name = extractor.name
        identity, choice = self.identities[name], self.plan[name]
        return Job(
            extractor,
            choice.matcher,
            choice.from_size,
            has_old=identity.has_old(name, self.previous),
            version=identity.version,
            code=identity.function,
            sparing=rates.sparing(name),
            scratch_rate=rates.extraction.get(name, 0.0) if options.matcher == "auto" else 0,
        )

    def _of_origins(self, column: NDArray[np.int32] | None) -> NDArray[np.int32]:
        """A column of the old index, by new page; -1 for pages that have no old one."""
        origins = self.changes.origins
        if column is None or not len(column):
            return np.full(len(origins), -1, np.int32)
        return np.where(origins >= 0, column[origins], np.int32(-1))

    def manifest(
        self, snapshot: Iterable[Page], extractors: Sequence[Extractor], report: Report
    ) -> Manifest:
        """The manifest that makes the snapshot exist."""
        names = [extractor.name for extractor in extractors]
        return Manifest(
            number=report.snapshot,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            source=str(getattr(snapshot, "name", type(snapshot).__name__)),
            partitions=self.intake.partitions,
            pages=self.intake.index.count,
            bytes=int(self.intake.index.sizes.sum()),
            extractors={name: self.identities[name].version for name in names},
            texts=self.intake.texts,
            report=report.to_dict(),
            code={name: self._code(name, report) for name in names},
            checks={extractor.name: self._state(extractor, report) for extractor in extractors},
            schemas={extractor.name: schema_of(extractor).to_dict() for extractor in extractors},
            fields={extractor.name: list(columns_of(extractor)) for extractor in extractors},
            format=FORMAT,
            bases=self.intake.bases,
            since={name: self._since(name, report) for name in names},
        )

    def _since(self, name: str, report: Report) -> int:
        """The snapshot in which an extractor started anew."""
        previous = self.previous
        anew = any(difference.extractor == name for difference in report.differed)
        if anew or previous is None or not self.identities[name].has_old(name, previous):
            return report.snapshot
        return previous.since.get(name, previous.number)

    def _code(self, name: str, report: Report) -> str:
        """The code that made the records: the old code where they are still the old records."""
        identity, previous = self.identities[name], self.previous
        anew = any(difference.extractor == name for difference in report.differed)
        if anew or previous is None or not identity.has_old(name, previous):
            return identity.code
        return previous.code[name] if identity.changed_since(name, previous) else identity.code

    def _state(self, extractor: Extractor, report: Report) -> dict[str, Any]:
        """How far the checks of an extractor are, for the next run."""
        name = extractor.name
        state = self.states.get(name, State())
        if name in self.checks:
            settle(state, self.checks[name], report.tallies[name].checking_seconds)
        stored = state.to_dict()
        looks_too_far = any(
            difference.extractor == name and difference.cause is Cause.LOCALITY
            for difference in report.differed
        )
        has_old = self.identities[name].has_old(name, self.previous)
        # Kept from run to run: else the next run would trust the same wrong locality again.
        if looks_too_far or (
            has_old and self.previous and was_too_narrow(self.previous, extractor)
        ):
            stored["narrow"] = declared_locality(extractor)
        return stored


def from_scratch(task: Task, names: set[str]) -> Task:
    """The same task for some of its extractors, which reuse nothing."""
    jobs = (replace(job, has_old=False, matcher="none") for job in task.jobs if job.name in names)
    return replace(task, jobs=tuple(jobs), checks={}, known={}, share_copies=False)
