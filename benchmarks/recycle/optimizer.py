"""The choice of a plan: its estimates against what was measured, and what the choice costs."""

from collections.abc import Iterator
from statistics import quantiles
from typing import NamedTuple

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.recycle.trial import Effort, Trial, spent, survey

CHOICES = ("none", "line", "anchor")
"""What `auto` chooses among, all of them with digests."""

ESTIMATED = (*CHOICES, "suffix")
ALLOWED = 1.1
"""How much longer than the best fixed plan `auto` may take."""


def run(effort: Effort) -> str:
    """What the choice costs, and how good the estimates are."""
    guesses = [guess for trial in survey(effort) for guess in guesses_of(trial)]
    figures.agreement(
        "recycle-estimates",
        {
            plan: [(one.measured, one.estimated) for one in guesses if one.plan == plan]
            for plan in ESTIMATED
        },
        title="Work on the changed pages of a snapshot",
        axes=("seconds measured", "seconds estimated"),
    )
    return f"{_choices(survey(effort))}\n\n{_estimates(guesses)}"


def _choices(trials: tuple[Trial, ...]) -> Table:
    table = Table(
        "recycle: the choice of a plan, over all snapshots but the first",
        (
            "corpus",
            "extractor",
            "best fixed plan",
            "seconds",
            "auto",
            "auto / best",
            f"at most {ALLOWED}",
            "of it choosing",
            "chose the fastest",
            "within 10% of it",
        ),
    )
    for trial in trials:
        ratio = trial.total("auto") / trial.total(trial.best)
        hits, near = accuracy(trial)
        days = len(trial.reports["auto"])
        table.add(
            trial.corpus,
            trial.task.name,
            trial.best,
            f"{trial.total(trial.best):.2f}",
            f"{trial.total('auto'):.2f}",
            f"{ratio:.2f}",
            "met" if ratio <= ALLOWED else "MISSED",
            f"{spent(trial.reports['auto'], 'plan') / trial.total('auto'):.1%}",
            f"{hits} of {days}",
            f"{near} of {days}",
        )
    return table


def accuracy(trial: Trial) -> tuple[int, int]:
    """On how many snapshots the chosen plan, when fixed, took least, and at most 10% more."""
    hits = near = 0
    for number, report in enumerate(trial.reports["auto"]):
        seconds = {plan: trial.reports[plan][number].seconds["total"] for plan in CHOICES}
        taken = seconds[report.plans[trial.task.extractor.name]["matcher"]]
        hits += taken == min(seconds.values())
        near += taken <= ALLOWED * min(seconds.values())
    return hits, near


class Guess(NamedTuple):
    """What `auto` thought that a plan takes for the changed pages of a snapshot, and the truth."""

    plan: str
    estimated: float
    measured: float


def guesses_of(trial: Trial) -> Iterator[Guess]:
    """All guesses that a trial can check; snapshots without changes have none."""
    name = trial.task.extractor.name
    for number, report in enumerate(trial.reports["auto"]):
        estimates = report.plans[name]["estimates"]
        for plan in ESTIMATED:
            if plan in estimates and (measured := _measured(trial, plan, number)):
                yield Guess(plan, estimates[plan], measured)


def _measured(trial: Trial, plan: str, number: int) -> float:
    """Matching, reuse and extraction; pages that are new cost the same in every plan."""
    name = trial.task.extractor.name
    report = trial.reports[plan][number]
    tally = report.tallies[name]
    if plan != "none":
        whole = tally.whole_seconds
        return report.seconds["match"] + tally.reuse_seconds + tally.extract_seconds - whole
    matched = trial.reports["anchor"][number].tallies[name]
    changed = tally.whole_characters - matched.whole_characters
    return tally.whole_seconds * changed / max(tally.whole_characters, 1)


def _estimates(guesses: list[Guess]) -> Table:
    table = Table(
        "recycle: seconds estimated over seconds measured, for the changed pages of a snapshot",
        ("plan", "snapshots", "lowest tenth", "median", "highest tenth"),
    )
    for plan in ESTIMATED:
        ratios = [one.estimated / one.measured for one in guesses if one.plan == plan]
        if len(ratios) > 1:
            tenths = quantiles(ratios, n=10, method="inclusive")
            table.add(plan, str(len(ratios)), *(f"{tenths[number]:.2f}" for number in (0, 4, 8)))
    return table
