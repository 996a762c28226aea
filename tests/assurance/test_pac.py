from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.assurance.evidence import Evidence
from rowen.assurance.pac import (
    confidence,
    error_bound,
    more_pages,
    pages_for,
    pages_needed,
    simple_pages_for,
)
from rowen.extractors.saved import from_dict
from rowen.learning.learn import learn
from rowen.model import ExtractorError, Page, UsageError
from rowen.records import Example

THESIS = {"counts_per_page": [5] * 4, "framed": 1, "shortest": 5000}


def learned(pages, records, shortest=5000, fields=("a", "b", "c", "d")):
    return SimpleNamespace(fields=fields, evidence=Evidence(pages, records, shortest))


@pytest.mark.parametrize(("bound", "pages"), [(0.1, 295), (0.01, 3476)])
def test_the_thesis_example_needs_as_many_pages_as_it_says(bound, pages):
    assert pages_for(bound, bound, **THESIS) == pages
    assert pages_needed(learned(2, 10), bound, bound) == pages


def test_the_simple_model_is_close_and_does_not_know_the_fields():
    assert simple_pages_for(0.1, 0.1, shortest=5000) == pytest.approx(295, rel=0.05)


def test_with_the_simplified_bound_the_difference_is_half_a_percent_at_most():
    whole = error_bound(0.1, counts=[1000] * 4, pages=200, shortest=5000)
    heads = 5000 ** (5 / 3) / 4 * 0.95**200
    assert abs(min(1, whole) - min(1, heads)) < 0.005


@given(
    st.floats(0.01, 0.5),
    st.floats(0.01, 0.5),
    st.floats(1, 50),
    st.integers(1, 8),
    st.integers(0, 10**6),
)
def test_the_pages_asked_for_are_enough_and_one_less_is_not(eps, delta, average, fields, shortest):
    counts = [average] * fields
    pages = pages_for(eps, delta, counts_per_page=counts, framed=1, shortest=shortest)

    def bound(n):
        return error_bound(eps, counts=[average * n] * fields, pages=n, shortest=shortest)

    assert bound(pages) < delta
    assert pages == 1 or bound(pages - 1) >= delta


@given(st.integers(0, 500), st.integers(0, 5000), st.integers(1, 8), st.integers(0, 10**6))
def test_equal_counts_make_equation_6_5_the_same_as_4_5(pages, records, fields, shortest):
    psi, phi = 4 * fields - 2, shortest ** (5 / 3) / 4
    by_hand = psi * (1 - 0.1 / psi) ** records + phi * 0.95**pages
    counts = [records] * fields
    assert error_bound(0.1, counts=counts, pages=pages, shortest=shortest) == pytest.approx(by_hand)


def test_missing_values_and_mistaken_labels_cost_confidence():
    full = error_bound(0.1, counts=[900, 900], pages=300, shortest=1000)
    holes = error_bound(0.1, counts=[900, 500], pages=300, shortest=1000)
    headless = error_bound(0.1, counts=[900, 900], pages=250, shortest=1000)
    assert full < holes
    assert full < headless
    mistaken = error_bound(0.1, counts=[900, 900], pages=300, shortest=1000, mistaken=0.05)
    assert mistaken == pytest.approx(full + 0.05)


def test_confidence_is_a_probability_that_grows_with_the_evidence():
    few, many = confidence(learned(3, 15)), confidence(learned(300, 1500))
    assert few == 0.0
    assert 0.9 < many < 1.0
    assert confidence(learned(300, 1500), epsilon=0.05) < many


def test_without_evidence_nothing_is_promised():
    nobody = SimpleNamespace(fields=("a",), evidence=None)
    assert confidence(nobody) == 0.0
    assert pages_needed(nobody) >= 1


@pytest.mark.parametrize("wrong", [0, 1, -0.1, 2, float("nan")])
def test_parameters_outside_0_and_1_are_refused(wrong):
    with pytest.raises(UsageError, match="probability"):
        confidence(learned(1, 1), wrong)
    with pytest.raises(UsageError, match="probability"):
        pages_needed(learned(1, 1), 0.1, wrong)


def test_what_no_number_of_pages_can_reach_is_said():
    with pytest.raises(UsageError, match="would be needed"):
        pages_for(0.1, 0.1, mistaken=0.2, **THESIS)
    with pytest.raises(UsageError, match="without records"):
        pages_for(0.1, 0.1, counts_per_page=[0], framed=1, shortest=1)
    with pytest.raises(UsageError, match="at least one field"):
        error_bound(0.1, counts=[], pages=1, shortest=1)


def test_enormous_evidence_does_not_overflow():
    assert confidence(learned(10**9, 10**12, 10**9)) == 1.0


def test_what_is_unknown_or_guessed_is_no_evidence():
    page = Page("<b>1</b><i>2</i><b>3</b><i>4</i>", id="p")
    rows = [{"b": (3, 4), "i": (11, 12)}, {"b": (19, 20), "i": (27, 28)}]
    whole = Evidence.of([Example(page, rows)])
    assert (whole.known, whole.framed) == ({"b": 2, "i": 2}, 1)
    assert Evidence.of([Example(page, rows, partial=True)]).framed == 0
    unknown = Evidence.of([Example(page, [rows[0], {"b": (19, 20)}])])
    assert (unknown.known, unknown.framed) == ({"b": 2, "i": 1}, 0)
    guessed = Evidence.of([Example(page, rows)], trusted=lambda _, name, __: name == "b")
    assert (guessed.known, guessed.framed) == ({"b": 2, "i": 0}, 0)
    missing = Evidence.of([Example(page, [rows[0], {"b": (19, 20), "i": None}])])
    assert (missing.known, missing.framed) == ({"b": 2, "i": 1}, 1)


def noisy(counts, framed):
    evidence = Evidence(300, 1500, 5000, framed, dict(zip("abcd", counts, strict=True)))
    return SimpleNamespace(fields=("a", "b", "c", "d"), evidence=evidence)


def test_confidence_and_pages_follow_what_is_known_of_each_field():
    full, holes = noisy([1500] * 4, 300), noisy([1500, 1500, 1500, 300], 300)
    headless = noisy([1500] * 4, 150)
    assert confidence(full) == confidence(learned(300, 1500))
    assert confidence(holes) < confidence(full)
    assert confidence(headless) == 0.0
    assert confidence(full, mistaken=0.05) == pytest.approx(confidence(full) - 0.05)
    assert pages_needed(full) == 295
    assert pages_needed(headless) == pytest.approx(2 * 295, abs=2)
    assert pages_needed(full) < pages_needed(holes)
    assert more_pages(full) == 0
    assert more_pages(headless) == pages_needed(headless) - 300


def test_evidence_is_saved_and_comes_back_and_that_of_older_files_too():
    wrapper = learn([Example("<p><b>1</b><hr>", [{"n": "1"}])], "lr")
    saved = wrapper.to_definition().to_dict()
    assert from_dict(saved).evidence == wrapper.evidence
    older = {**saved, "learned_from": {"pages": 1, "records": 1, "shortest": 15}}
    assert from_dict(older).evidence == Evidence(1, 1, 15)
    for wrong in ({}, {**saved["learned_from"], "known": 3}, {**saved["learned_from"], "x": 3}):
        with pytest.raises(ExtractorError, match="learned_from"):
            from_dict({**saved, "learned_from": wrong})
