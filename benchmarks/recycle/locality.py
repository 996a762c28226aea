"""What a scope and a context cost that are wider than they need to be (figures 11c, 11d and 12)."""

from dataclasses import replace

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.recycle.optimizer import accuracy
from benchmarks.recycle.tasks import CONTEXT, SCOPE, windowed
from benchmarks.recycle.trial import Effort, Trial, try_plans

SCOPES = (SCOPE, 44, 88, 176, 352, 704)
CONTEXTS = (4, 16, 64, 256)
PLANS = ("none", "line", "anchor", "auto")
SNAPSHOTS = 4


def run(effort: Effort) -> str:
    """A table a corpus; the extractor is the same every time, only what it declares is not."""
    effort = replace(effort, snapshots=min(SNAPSHOTS, effort.snapshots), rounds=1)
    tables = []
    for corpus in effort.corpora:
        scopes = {scope: _try(corpus, scope, CONTEXT, effort) for scope in SCOPES}
        contexts = {CONTEXT: scopes[SCOPE]}
        contexts |= {context: _try(corpus, SCOPE, context, effort) for context in CONTEXTS}
        table = Table(
            f"recycle: {corpus}, seconds over those of extracting changed pages as a whole",
            ("scope", "context", *PLANS[1:], "extracted by anchor", "chose within 10%", "wrong"),
        )
        for scope, trial in scopes.items():
            _add(table, scope, CONTEXT, trial)
        for context in CONTEXTS:
            _add(table, SCOPE, context, contexts[context])
        tables.append(table)
        figures.line_panels(
            f"recycle-locality-{corpus}",
            {"scope α": _curves(scopes), "context β": _curves(contexts)},
            title=f"Seconds over those of plan none, {corpus}",
            axes=("characters", "ratio"),
            logarithmic="x",
        )
    return "\n\n".join(map(str, tables))


def _try(corpus: str, scope: int, context: int, effort: Effort) -> Trial:
    return try_plans(corpus, windowed(scope, context), PLANS, effort)


def _ratio(trial: Trial, plan: str) -> float:
    return trial.total(plan) / trial.total("none")


def _curves(trials: dict[int, Trial]) -> dict[str, list[tuple[float, float]]]:
    return {
        plan: [(size, _ratio(trial, plan)) for size, trial in trials.items()] for plan in PLANS[1:]
    }


def _add(table: Table, scope: int, context: int, trial: Trial) -> None:
    name = trial.task.extractor.name
    extracted = sum(
        one.tallies[name].extracted_characters / one.characters for one in trial.reports["anchor"]
    )
    days = len(trial.reports["auto"])
    table.add(
        str(scope),
        str(context),
        *(f"{_ratio(trial, plan):.2f}" for plan in PLANS[1:]),
        f"{extracted / days:.1%}",
        f"{accuracy(trial)[1]} of {days}",
        str(trial.wrong),
    )
