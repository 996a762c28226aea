"""What it costs to check copies, and how long it takes until all have been checked.

Runs go through the snapshots there and back, so that every run has changes as real as their
difference. Cost is processor time, the children's included. A turn is measured: how far the rings
have got in these runs, not how far they are expected to get.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import cycle, islice, pairwise
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

from benchmarks.measure import Table
from benchmarks.recycle.corpora import snapshots, workspace
from benchmarks.recycle.tasks import CHEAP, NAME, TASKS, Task
from benchmarks.recycle.trial import Effort
from rowen import Store
from rowen.storage.place import Place
from rowen.storage.snapshots.manifest import Manifest, read_manifests

_RULES = f"""
[[extractor]]
kind = "pattern"
name = "{CHEAP.extractor.name}"
pattern = '{NAME}'
"""

_QUICK_RUNS, _SLOW_RUNS = 42, 14
"""How many runs are measured: a night of a slow extractor takes a second or two."""

_CIRCLE = 2**64

Night = Callable[[Path, Path], None]
"""A run of one snapshot into one store."""


def run(effort: Effort) -> str:
    """A row an extractor."""
    tables = []
    for corpus in effort.corpora:
        table = Table(
            f"recycle: checking copies, {corpus}",
            (
                "extractor",
                "runs",
                "CPU s a run",
                "checking, ms",
                "%",
                "pages a run",
                "parts of pages a run",
                "runs for all pages",
                "runs for parts of all",
            ),
        )
        table.add(f"{CHEAP.name}, by command", *_row(corpus, CHEAP, _command(), effort))
        for task in TASKS:
            table.add(task.name, *_row(corpus, task, _in_process(task), effort))
        tables.append(table)
    return "\n\n".join(map(str, tables))


def _command() -> Night:
    """A process for each run, as at night."""
    rules = workspace() / "rules.toml"
    rules.write_text(_RULES, encoding="utf-8")

    def night(place: Path, day: Path) -> None:
        line = ["run", str(rules), "--snapshot", str(day), "--store", str(place), "--jobs", "1"]
        subprocess.run([sys.executable, "-m", "rowen", *line, "-q"], check=True)

    return night


def _in_process(task: Task) -> Night:
    def night(place: Path, day: Path) -> None:
        Store(place).run([task.extractor], day, jobs=1)

    return night


def _row(corpus: str, task: Task, night: Night, effort: Effort) -> list[str]:
    place = workspace() / f"{corpus}-{task.extractor.name}-checks"
    days = snapshots(corpus)[: effort.snapshots]
    count = _SLOW_RUNS if task.pace == "slow" else _QUICK_RUNS
    there_and_back = islice(cycle((*days[1:], *days[-2::-1])), count)
    Store(place)
    night(place, days[0])
    spent = 0.0
    for day in there_and_back:
        begin = _processor_seconds()
        night(place, day)
        spent += _processor_seconds() - begin
    manifests = read_manifests(Place(str(place)))
    shutil.rmtree(place)
    name = task.extractor.name
    tallies = [one.report["tallies"][name] for one in manifests[1:]]
    checking = _sum(tallies, "check_seconds", "part_seconds", "compare_seconds")
    return [
        str(count),
        f"{spent / count:.3f}",
        f"{1000 * checking / count:.1f}",
        f"{100 * checking / (spent - checking):.2f}",
        f"{_sum(tallies, 'checked') / count:.1f}",
        f"{_sum(tallies, 'checked_in_part') / count:.1f}",
        _turn(manifests, name, "all"),
        _turn(manifests, name, "parts"),
    ]


def _turn(manifests: list[Manifest], name: str, ring: str) -> str:
    """How many of these runs a turn takes."""
    places = [one.checks[name].get(ring, 0) for one in manifests[1:]]
    turns = sum((after - before) % _CIRCLE for before, after in pairwise(places)) / _CIRCLE
    return f"{(len(places) - 1) / turns:.0f}" if turns else "-"


def _sum(tallies: list[dict[str, Any]], *names: str) -> float:
    return float(sum(tally[name] for tally in tallies for name in names))


def _processor_seconds() -> float:
    uses = map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in uses)
