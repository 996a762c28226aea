"""How many pages and earlier runs a good choice of a plan needs (figures 11a and 11b)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.recycle.optimizer import CHOICES, accuracy
from benchmarks.recycle.tasks import CHEAP, CONTEXT, SCOPE, Task, windowed
from benchmarks.recycle.trial import Effort, Trial, try_plans
from rowen.recycling.cost import PLAN_RUNS
from rowen.recycling.plan import PLAN_SAMPLE

SAMPLES = (1, 2, 4, 8, 16, 32)
RUNS = (1, 2, 3, 4, 7)


def run(effort: Effort) -> str:
    """A table a corpus and task: the same snapshots with other samples, then other memories."""
    effort = replace(effort, rounds=1)
    tables, panels = [], {}
    for corpus in effort.corpora:
        for task in (CHEAP, windowed(SCOPE, CONTEXT)):
            fixed = try_plans(corpus, task, CHOICES, effort)
            samples = {one: _try(fixed, effort, sample=one) for one in SAMPLES}
            runs = {one: _try(fixed, effort, runs=one) for one in RUNS}
            tables.append(_table(task, samples, runs))
            panels[f"{corpus}, {task.name}"] = {
                "pages sampled": [(one, _ratio(trial)) for one, trial in samples.items()],
                "runs remembered (W)": [(one, _ratio(trial)) for one, trial in runs.items()],
            }
    figures.line_panels(
        "recycle-statistics",
        panels,
        title="Seconds of auto over those of the best fixed plan",
        axes=("pages or runs", "ratio"),
        logarithmic="x",
    )
    return "\n\n".join(map(str, tables))


def _try(fixed: Trial, effort: Effort, *, sample: int = 0, runs: int = PLAN_RUNS) -> Trial:
    """`auto` beside the fixed plans, which neither sample nor remember."""
    with _statistics(sample, runs):
        auto = try_plans(fixed.corpus, fixed.task, ("auto",), effort)
    return replace(fixed, reports={**fixed.reports, **auto.reports})


@contextmanager
def _statistics(sample: int, runs: int) -> Iterator[None]:
    """Other limits in this process; a sample that is asked for is taken, whatever is at stake."""
    with patch("rowen.recycling.run.PLAN_RUNS", runs):
        if not sample:
            yield
            return
        with (
            patch("rowen.recycling.plan.PLAN_SAMPLE", sample),
            patch("rowen.recycling.plan._SAMPLED_SHARE", 1e9),
        ):
            yield


def _ratio(trial: Trial) -> float:
    return trial.total("auto") / min(map(trial.total, CHOICES))


def _table(task: Task, samples: dict[int, Trial], runs: dict[int, Trial]) -> Table:
    (corpus,) = {trial.corpus for trial in samples.values()}
    table = Table(
        f"recycle: {corpus}, {task.name}: auto with other statistics (usual: at most "
        f"{PLAN_SAMPLE} pages, {PLAN_RUNS} runs)",
        ("what", "count", "seconds", "over the best fixed plan", "fastest", "within 10%"),
    )
    for what, trials in (("pages sampled", samples), ("runs remembered", runs)):
        for count, trial in trials.items():
            table.add(what, str(count), *_cells(trial))
    return table


def _cells(trial: Trial) -> Sequence[str]:
    hits, near = accuracy(trial)
    days = len(trial.reports["auto"])
    return (
        f"{trial.total('auto'):.2f}",
        f"{_ratio(trial):.2f}",
        f"{hits} of {days}",
        f"{near} of {days}",
    )
