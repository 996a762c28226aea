"""Checks get two in a hundred of what a run costs besides."""

import random
import time

import pytest
from verifying import Counting, Here, run

from rowen import Page
from rowen.recycling.verification.budget import choose_within


class CountedTime:
    """A clock that stands still unless work is counted: the same on every machine."""

    def __init__(self, monkeypatch):
        self.now = 1000.0
        for name in ("process_time", "thread_time", "perf_counter"):
            monkeypatch.setattr(time, name, lambda: self.now)
        # The start of a process counts for its first run only.
        monkeypatch.setattr("rowen.recycling.verification.costs.Processor._started", True)

    def reading(self, snapshot, seconds):
        """The pages, each of which takes so long to come in."""
        for page in snapshot:
            self.now += seconds
            yield page


class Counted(Counting):
    """Takes a millisecond per character."""

    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def extract(self, page):
        self.clock.now += 1e-3 * len(Page.of(page).text)
        return super().extract(page)


def random_words(chance: random.Random) -> str:
    """A text like no other, so that no page counts as renamed."""
    return " ".join("".join(chance.choices("abcdefgh", k=6)) for _ in range(150))


@pytest.mark.parametrize("reading", [0.0, 0.05])
def test_the_budget_is_two_in_a_hundred_of_what_the_run_costs_besides(
    tmp_path, monkeypatch, reading
):
    """New pages each night, and old ones of which one is too dear for many nights."""
    clock = CountedTime(monkeypatch)
    extractor = Counted(clock)
    budgets = []

    def remember(state, candidates, price, seconds, *, in_parts):
        budgets.append(seconds)
        return choose_within(state, candidates, price, seconds, in_parts=in_parts)

    monkeypatch.setattr("rowen.recycling.verification.selection.choose_within", remember)
    chance = random.Random(1)
    old = [Page(f"CS {number}\n" * 10, id=f"old {number}") for number in range(30)]
    old.append(Page("CS 1\n" * 4000, id="dear"))
    costs, spent, checked = [], 0.0, 0
    for night in range(30):
        new = [Page(random_words(chance), id=f"new {night} {number}") for number in range(5)]
        snapshot = clock.reading([*old, *new], reading)
        report = run(tmp_path, [extractor], snapshot, engine=Here())
        if not night:
            continue
        tally = report.tallies["counting"]
        costs.append(report.seconds["total"] - tally.checking_seconds)
        spent += tally.checking_seconds
        checked += tally.checked + tally.checked_in_part
        assert budgets[-1] == pytest.approx(0.02 * costs[-1])
        assert spent <= 0.02 * sum(costs) * (1 + 1e-6)
    assert len(budgets) == len(costs)
    assert checked >= 29
