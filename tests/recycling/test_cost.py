"""The choice of a plan: the cheapest by its own estimates, and none where reuse can't pay."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rowen.recycling.cost import CANDIDATES, Rates, average_rates, choose, fixed

RATE = st.floats(1e-9, 1e-4)
SHARE = st.floats(0, 1)


@st.composite
def settings(draw):
    names = ["a", "b"][: draw(st.integers(1, 2))]
    rates = Rates(
        matching={name: draw(RATE) for name in (*CANDIDATES, "suffix")},
        shares={name: {matcher: draw(SHARE) for matcher in CANDIDATES} for name in names},
        extraction={name: draw(RATE) for name in names},
        overhead=draw(st.floats(1e-6, 1e-2)),
    )
    sizes = np.array(draw(st.lists(st.integers(0, 10**6), min_size=1, max_size=20)), np.int64)
    return names, sizes, rates


def cost(choices, sizes, rates):
    """What plans take by the model, page by page: one matching of a page for all extractors."""
    total = 0.0
    for size in sizes.tolist():
        matched = set()
        for name, choice in choices.items():
            if choice.matcher == "none" or size < choice.from_size:
                total += rates.extraction[name] * size
            else:
                matched.add(choice.matcher)
                share = rates.shares[name][choice.matcher]
                total += rates.overhead + rates.extraction[name] * share * size
        total += sum(rates.matching[matcher] * size for matcher in matched)
    return total


@given(settings())
def test_the_choice_is_no_worse_than_any_fixed_plan_for_one_extractor(case):
    names, sizes, rates = case
    names = names[:1]
    chosen = cost(choose(names, sizes, rates), sizes, rates)
    for matcher in ("none", *CANDIDATES):
        assert chosen <= cost(fixed(matcher, names, sizes, rates), sizes, rates) * 1.001 + 1e-9


@given(settings())
def test_with_several_extractors_it_is_no_worse_than_extracting_all(case):
    names, sizes, rates = case
    chosen = cost(choose(names, sizes, rates), sizes, rates)
    assert chosen <= cost(fixed("none", names, sizes, rates), sizes, rates) * 1.001 + 1e-9


def test_rates_are_the_mean_of_what_earlier_runs_measured():
    histories = [
        {"extraction": {"a": 1e-6}, "matching": {"line": 1e-9}, "overhead": 1e-4},
        {"extraction": {"a": 3e-6}, "shares": {"a": {"line": 0.5}}, "overhead": 3e-4},
        {},
    ]
    rates = average_rates(histories)
    assert rates.extraction == {"a": 2e-6}
    assert rates.matching["line"] == 1e-9
    assert rates.shares == {"a": {"line": 0.5}}
    assert rates.overhead == pytest.approx(2e-4)


def test_a_fast_extractor_is_called_less_often_than_a_slow_one():
    rates = Rates(extraction={"fast": 1e-9, "slow": 1e-5})
    assert rates.sparing("fast") > rates.sparing("unknown") > rates.sparing("slow")
