"""Whether another class would do better for single fields of detail pages, two pages marked.

Each field is learned by itself, by each class, from the pages that have it, and predicted from each
of the two in turn. A class takes the token class's place where it predicts better; "hindsight" is
where it is better on the pages that are asked about.
"""

from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from benchmarks.measure import Table
from benchmarks.wrappers.quality import detail
from benchmarks.wrappers.sites import DETAIL, Marked, sites
from benchmarks.wrappers.trial import TABULAR, Score, score, try_learn

CLASSES = ("token", "auto", *TABULAR, "m-lr", "m-hlrt")


class Result(NamedTuple):
    """F1 of a field on the page that was left out, and on those that are asked about."""

    predicted: float
    true: float


def run() -> str:
    """Means over the fields of all sites."""
    fields = list(_fields())
    table = Table(
        f"wrappers: F1 of single fields by class, {len(fields)} fields of detail pages, 2 marked",
        ("class", "for all fields", "where it predicts better", "so often", "hindsight"),
    )
    for name in CLASSES:
        chosen = [one[name].predicted > one["token"].predicted for one in fields]
        mixed = [
            one[name if better else "token"].true
            for one, better in zip(fields, chosen, strict=True)
        ]
        best = [max(one[name].true, one["token"].true) for one in fields]
        alone = [one[name].true for one in fields]
        table.add(
            name,
            f"{mean(alone):.4f}",
            f"{mean(mixed):.4f}",
            str(sum(chosen)),
            f"{mean(best):.4f}",
        )
    return str(table)


def _fields() -> list[dict[str, Result]]:
    found = []
    for site in sites(*DETAIL):
        task = detail(site)
        assert task is not None
        for field in sorted({name for _, label in task.marked for one in label for name in one}):
            there = [one for one in task.marked if any(record.get(field) for record in one[1])]
            marked, asked = _with(field, there), _with(field, task.asked)
            found.append({name: _result(name, marked, asked) for name in CLASSES})
    return found


def _with(field: str, pages: Sequence[Marked]) -> list[Marked]:
    return [(page, [{field: one.get(field)} for one in label]) for page, label in pages]


def _result(name: str, marked: Sequence[Marked], asked: Sequence[Marked]) -> Result:
    predicted = Score()
    for number, left_out in enumerate(marked):
        rest = [one for place, one in enumerate(marked) if place != number]
        predicted = predicted.plus(_score(rest, [left_out], name))
    return Result(predicted.f1, _score(marked, asked, name).f1)


def _score(marked: Sequence[Marked], asked: Sequence[Marked], name: str) -> Score:
    wrapper = try_learn(marked, name) if marked else None
    total = Score()
    for page, label in asked:
        total = total.plus(score(wrapper, page, label))
    return total
