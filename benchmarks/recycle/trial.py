"""Plans over snapshots: every plan has its own store, and all of them take turns."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.recycle.corpora import CORPORA, snapshots, workspace
from benchmarks.recycle.tasks import TASKS, Task
from rowen import Store
from rowen.recycling.report import Report

FIXED = ("scratch", "none", "line", "anchor", "suffix")
PLANS = (*FIXED, "auto")

Reports = Mapping[str, Sequence[Report]]
"""By plan, of each snapshot but the first."""


@dataclass(frozen=True)
class Effort:
    """How much is measured; a slow extractor takes 20 seconds for a snapshot from scratch."""

    corpora: tuple[str, ...] = CORPORA
    snapshots: int = 8
    slow: int = 3
    """As many snapshots, for slow extractors."""
    rounds: int = 3
    """Of quick extractors; the median of a snapshot counts."""

    def snapshots_of(self, corpus: str, task: Task) -> tuple[Path, ...]:
        """Those that a task runs over."""
        return snapshots(corpus)[: self.slow if task.pace == "slow" else self.snapshots]

    def rounds_of(self, task: Task) -> int:
        """How often."""
        return self.rounds if task.pace == "quick" else 1


@dataclass(frozen=True)
class Trial:
    """What the plans took for a task, and how many snapshots came out otherwise than by scratch."""

    corpus: str
    task: Task
    reports: Reports
    wrong: int

    def total(self, plan: str) -> float:
        """Seconds of all snapshots."""
        return spent(self.reports[plan], "total")

    @property
    def best(self) -> str:
        """The fixed plan that took least."""
        return min(FIXED, key=self.total)


def spent(reports: Sequence[Report], *steps: str) -> float:
    """Seconds of these steps over all snapshots."""
    return sum(report.seconds.get(step, 0.0) for report in reports for step in steps)


@cache
def survey(effort: Effort) -> tuple[Trial, ...]:
    """All tasks by all plans on all corpora; several parts look at it."""
    return tuple(
        try_plans(corpus, task, PLANS, effort) for corpus in effort.corpora for task in TASKS
    )


def try_plans(corpus: str, task: Task, plans: Sequence[str], effort: Effort) -> Trial:
    """The plans in turn, snapshot by snapshot, for machines are noisy."""
    days = effort.snapshots_of(corpus, task)
    places = {plan: workspace() / f"{corpus}-{task.extractor.name}-{plan}" for plan in plans}
    rounds = []
    wrong = 0
    for _ in range(effort.rounds_of(task)):
        for place in places.values():
            shutil.copytree(_start(corpus, task), place)
        rounds.append([_day(task, places, day) for day in days[1:]])
        wrong += _wrong(list(places.values()))
        for place in places.values():
            shutil.rmtree(place)
    reports = {
        plan: [_median([one[number][plan] for one in rounds]) for number in range(len(days) - 1)]
        for plan in plans
    }
    return Trial(corpus, task, reports, wrong)


def _start(corpus: str, task: Task) -> Path:
    """A store with the first snapshot, whose results are the same for all plans."""
    place = workspace() / f"{corpus}-{task.extractor.name}"
    if not place.exists():
        Store(place).run([task.extractor], snapshots(corpus)[0], jobs=1)
    return place


def _day(task: Task, places: Mapping[str, Path], day: Path) -> dict[str, Report]:
    found = {}
    for plan, place in places.items():
        options: dict[str, Any] = (
            {"matcher": "none", "scratch": True} if plan == "scratch" else {"matcher": plan}
        )
        found[plan] = Store(place).run([task.extractor], day, jobs=1, **options)
    return found


def _median(reports: Sequence[Report]) -> Report:
    """The one in the middle: the least would hide a plan that is chosen wrongly now and then."""
    return sorted(reports, key=lambda one: one.seconds["total"])[len(reports) // 2]


def _wrong(places: Sequence[Path]) -> int:
    """In how many stores' snapshots the results are not, to the byte, those of the first store."""
    first, *others = [
        {file.relative_to(place): file.read_bytes() for file in place.rglob("records-*")}
        for place in places
    ]
    return sum(
        len({name.parent for name in first if other.get(name) != first[name]}) for other in others
    )
