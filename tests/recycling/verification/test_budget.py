"""A run spends what it may on checks, saves the rest, and reaches every page."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifying import NIGHTS, SECOND, copied, places, stored_and_read

from rowen.recycling.verification.budget import Price, choose_share, choose_within, settle
from rowen.recycling.verification.rotation import State
from rowen.recycling.verification.sample import Sample


def test_every_page_is_checked_within_sixty_nights_of_two_in_a_hundred():
    where = places(1234)
    state = State()
    seen: set[int] = set()
    for _ in range(NIGHTS):
        tonight = choose_share(state, copied(where), 0.02).pages
        assert len(tonight) == 25
        state = stored_and_read(state)
        seen.update(tonight.tolist())
    assert len(seen) == 1234


@pytest.mark.parametrize("share", [0, 0.05, 0.5, 1])
def test_the_budget_is_kept_and_every_page_has_its_turn(share):
    """Whatever changes, and however dear single pages are."""
    count = 500
    where = places(count)
    chance = np.random.default_rng(2)
    sizes = (1000 * chance.exponential(1.0, count)).astype(np.int64)
    budget = 0.021 * float(sizes.sum()) / 1000
    state = State()
    seen: set[int] = set()
    with_changes = spent = 0.0
    for night in range(1, NIGHTS + 1):
        changed = np.flatnonzero(chance.random(count) < share)
        check = choose_within(
            state, copied(where, changed=changed, sizes=sizes), SECOND, budget, in_parts=True
        )
        tonight = check.pages
        assert len(check.parts) == 0  # whole pages get around in time
        assert len(set(tonight.tolist())) == len(tonight)
        with_changes += len(np.intersect1d(tonight, changed)) / NIGHTS / max(len(tonight), 1)
        spent += float(sizes[tonight].sum()) / 1000
        assert spent <= night * budget + 1e-6
        assert abs(spent - sum(check.paid.values())) < spent + 1e-6
        seen.update(tonight.tolist())
    assert len(seen) == count
    assert with_changes > 1.5 * share or share in {0, 0.5, 1}


def test_a_page_that_costs_more_than_one_run_waits_until_enough_is_saved():
    state = State()
    counts = [
        len(choose_within(state, copied(places(1)), SECOND, 0.3, in_parts=False).pages)
        for _ in range(8)
    ]
    assert counts == [0, 0, 0, 1, 0, 0, 0, 1]


def test_expensive_changed_pages_have_savings_of_their_own():
    """Else the ring of all pages would always spend what is left, and no change be checked."""
    where = places(100)
    state = State()
    changed_checks = 0
    for _ in range(200):
        check = choose_within(state, copied(where, changed=[7, 8]), SECOND, 0.5, in_parts=False)
        changed_checks += len(np.intersect1d(check.pages, [7, 8]))
    assert changed_checks >= 200 * 0.5 / 8 - 1


@given(seed=st.integers(0, 2**32), count=st.integers(1, 40), local=st.booleans())
def test_every_page_that_stays_is_checked_in_one_turn_whatever_comes_and_goes(seed, count, local):
    """Pages come and go each night, change, are in memory or not, and costs are misjudged."""
    chance = np.random.default_rng(seed)
    where = places(count, seed)
    sizes = chance.integers(1, 5000, count)
    coming_and_going = chance.random(count) < chance.random()
    state = State()
    state.places = {ring: int(chance.integers(0, 2**64, dtype=np.uint64)) for ring in state.places}
    before, turns = dict(state.places), dict.fromkeys(state.places, 0.0)
    whole: set[int] = set()
    in_part: set[int] = set()
    stays = set(np.flatnonzero(~coming_and_going).tolist())
    for _ in range(5000):
        here = np.flatnonzero(~coming_and_going | (chance.random(count) < 0.5))
        changed, held = here[chance.random(len(here)) < 0.1], chance.random(count) < 0.8
        tonight = copied(where, here, changed=changed, sizes=sizes, held=held)
        check = choose_within(state, tonight, SECOND, 4.0, in_parts=local)
        assert {*check.pages.tolist(), *check.parts.tolist()} <= set(here.tolist())
        assert len(np.intersect1d(check.pages, check.parts)) == 0
        settle(state, check, sum(check.paid.values()) * chance.uniform(0.5, 2))
        state = stored_and_read(state)
        whole.update(check.pages.tolist())
        in_part.update(check.pages.tolist(), check.parts.tolist())
        for ring, place in state.places.items():
            turns[ring] += (place - before[ring]) % 2**64 / 2**64
        before = dict(state.places)
        assert turns["parts"] < 1 or stays <= in_part
        assert turns["all"] < 1 or stays <= whole
        if not stays or stays <= whole:
            break
    assert stays <= whole


@given(st.lists(st.floats(0.5, 3), min_size=NIGHTS, max_size=NIGHTS), st.integers(0, 9))
def test_estimates_that_are_wrong_are_settled_in_the_next_runs(factors, seed):
    """In the long run no more is spent than allowed, but for one night's error."""
    where = places(300, seed)
    state = State()
    spent = 0.0
    for night, factor in enumerate(factors, 1):
        check = choose_within(state, copied(where), SECOND, 6.0, in_parts=False)
        cost = len(check.pages) * factor
        settle(state, check, cost)
        state = stored_and_read(state)
        assert spent <= night * 6.0 + 1e-6 or not len(check.pages)
        spent += cost


def test_stretches_get_around_in_sixty_runs_where_whole_pages_take_too_long():
    """And in further turns at other stretches, until each character was looked at."""
    count = 300
    where = places(count)
    chance = np.random.default_rng(3)
    sizes = chance.integers(1, 5000, count)
    price = Price(1e-3, 1e-6, 1e-6)
    state = State()
    seen = {page: np.zeros(sizes[page], np.bool_) for page in range(count)}
    whole: set[int] = set()
    spent = allowed = 0.0
    for night in range(1, 40 * NIGHTS + 1):
        seconds = chance.uniform(3, 5)
        check = choose_within(state, copied(where, sizes=sizes), price, seconds, in_parts=True)
        sample = Sample(check.pages, check.parts, check.length, check.turn)
        for page in check.parts.tolist():
            start, end = sample.stretch(int(sizes[page]))
            assert 0 <= start < end <= sizes[page]
            seen[page][start:end] = True
        whole.update(check.pages.tolist())
        spent, allowed = spent + sum(check.paid.values()), allowed + seconds
        assert spent <= allowed + 1e-6
        if night == NIGHTS:
            assert all(checked.any() or page in whole for page, checked in seen.items())
            assert len(whole) < count / 2
    assert all(checked.all() for checked in seen.values())
