"""Where the time goes (figures 9 and 10)."""

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.recycle.trial import PLANS, Effort, Trial, spent, survey

STEPS = ("intake", "compare", "plan", "read", "match", "extract", "copy", "write", "commit")
DISK = ("intake", "read", "write", "commit")
"""Steps that read and write files; the intake decodes and digests as well."""


def run(effort: Effort) -> str:
    """A table a corpus: seconds by step, summed over snapshots."""
    tables = []
    for corpus in effort.corpora:
        trials = [trial for trial in survey(effort) if trial.corpus == corpus]
        tables.append(_table(corpus, trials))
        figures.stack_panels(
            f"recycle-decomposition-{corpus}",
            {
                trial.task.name: {plan: list(_steps(trial, plan).values()) for plan in PLANS[1:]}
                for trial in trials
            },
            parts=(*STEPS, "others"),
            title=f"Seconds by step, {corpus}; from scratch is in the table alone",
        )
    return "\n\n".join(map(str, tables))


def _steps(trial: Trial, plan: str) -> dict[str, float]:
    """Seconds by step; the others are those of starting a worker and of waiting for it."""
    found = {step: spent(trial.reports[plan], step) for step in STEPS}
    return found | {"others": max(trial.total(plan) - sum(found.values()), 0.0)}


def _table(corpus: str, trials: list[Trial]) -> Table:
    table = Table(
        f"recycle: {corpus}, seconds by step over all snapshots but the first",
        ("extractor", "plan", *STEPS, "others", "total", "of it files"),
    )
    for trial in trials:
        for plan in PLANS:
            steps = _steps(trial, plan)
            files = sum(steps[step] for step in DISK)
            table.add(
                trial.task.name,
                plan,
                *(f"{seconds:.3f}" for seconds in steps.values()),
                f"{trial.total(plan):.2f}",
                f"{files / trial.total(plan):.0%}",
            )
    return table
