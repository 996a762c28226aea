"""Seconds of every plan on every snapshot (figure 8)."""

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.recycle.trial import PLANS, Effort, Trial, spent, survey

WORK = ("match", "extract", "copy", "plan", "compare")


def run(effort: Effort) -> str:
    """A table of totals a corpus, and one by snapshot."""
    tables = []
    for corpus in effort.corpora:
        trials = [trial for trial in survey(effort) if trial.corpus == corpus]
        tables += [_totals(corpus, trials), _by_snapshot(corpus, trials)]
        figures.line_panels(
            f"recycle-runtime-{corpus}",
            {trial.task.name: _curves(trial) for trial in trials},
            title=f"Runtime by snapshot, {corpus}",
            axes=("snapshot", "seconds"),
        )
    return "\n\n".join(map(str, tables))


def _curves(trial: Trial) -> dict[str, list[tuple[float, float]]]:
    return {
        plan: [(number, one.seconds["total"]) for number, one in enumerate(reports, 1)]
        for plan, reports in trial.reports.items()
    }


def _totals(corpus: str, trials: list[Trial]) -> Table:
    table = Table(
        f"recycle: {corpus}, all snapshots but the first",
        (
            "extractor",
            "plan",
            "seconds",
            "times as fast",
            "match + extract + copy",
            "times as fast",
            "extracted",
            "worst snapshot",
        ),
    )
    for trial in trials:
        scratch = trial.reports["scratch"]
        whole = sum(one.characters for one in scratch)
        for plan in PLANS:
            reports = trial.reports[plan]
            work, name = spent(reports, *WORK), trial.task.extractor.name
            extracted = sum(one.tallies[name].extracted_characters for one in reports)
            worst = max(
                one.seconds["total"] / other.seconds["total"]
                for one, other in zip(reports, scratch, strict=True)
            )
            table.add(
                trial.task.name,
                plan,
                f"{trial.total(plan):.2f}",
                f"{trial.total('scratch') / trial.total(plan):.1f}",
                f"{work:.3f}",
                f"{spent(scratch, *WORK) / work:.1f}",
                f"{extracted / whole:.1%}",
                f"{worst:.2f}",
            )
        table.add(trial.task.name, f"{trial.wrong} snapshots differ from scratch", *[""] * 6)
    return table


def _by_snapshot(corpus: str, trials: list[Trial]) -> Table:
    days = max(len(trial.reports["scratch"]) for trial in trials)
    table = Table(
        f"recycle: {corpus}, seconds of each snapshot",
        ("extractor", "plan", *(str(day) for day in range(1, days + 1))),
    )
    for trial in trials:
        for plan in PLANS:
            seconds = [f"{one.seconds['total']:.3f}" for one in trial.reports[plan]]
            table.add(trial.task.name, plan, *seconds, *[""] * (days - len(seconds)))
    return table
