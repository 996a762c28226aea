import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rowen
from rowen.extractors.saved import from_dict
from rowen.model import Example, ExtractorError, NoConsistentWrapper, Page, SearchCutShort
from rowen.wrappers import budget
from rowen.wrappers.estimate import NORMAL, Estimate, leave_one_out


def page_of(names, *, id, head="<p>"):  # noqa: A002
    text = head + "".join(f"<b>{name}</b>\n" for name in names) + "<hr>"
    return Example(Page(text, id=id), [{"name": name} for name in names])


GOOD = [page_of(["Ada", "Bob"], id="1"), page_of(["Cid"], id="2"), page_of(["Dan"], id="3")]
ODD = page_of(["Eve"], id="4", head="<p><b>Advertisement</b>")


def test_each_page_is_left_out_once():
    seen = []

    def learner(examples):
        seen.append([one.page.id for one in examples])
        raise NoConsistentWrapper("no")

    assert leave_one_out(GOOD, learner=learner) == Estimate(0, 3, "pages")
    assert seen == [["2", "3"], ["1", "3"], ["1", "2"]]


def test_pages_count_that_come_out_right_in_every_value():
    assert leave_one_out(GOOD, "lr") == Estimate(3, 3, "pages")
    assert leave_one_out([*GOOD, ODD], "lr") == Estimate(0, 4, "pages")


def test_on_a_single_page_records_are_left_out():
    assert leave_one_out(GOOD[:1], "lr") == Estimate(1, 1, "records")
    assert leave_one_out(GOOD[1:2], "lr") is None
    assert leave_one_out([], "lr") is None


def test_many_pages_are_sampled():
    many = [page_of([f"N{n}"], id=str(n)) for n in range(40)]
    assert leave_one_out(many, "lr") == Estimate(12, 12, "pages")


def test_unknown_values_are_not_asked_for():
    text = "<p>" + "".join(f"<b>{n}</b><i>{n}</i>" for n in "xyz") + "<hr>"
    known = [{"b": (6, 7), "i": (14, 15)}, {"i": (30, 31)}, {"b": (38, 39), "i": (46, 47)}]
    examples = [Example(Page(text, id=str(n)), known) for n in range(2)]
    assert leave_one_out(examples, "hlrt") == Estimate(2, 2, "pages")


def test_what_there_was_no_time_for_does_not_count():
    def learner(examples):
        if examples[0].page.id == "2":
            raise SearchCutShort("late")
        raise NoConsistentWrapper("no")

    assert leave_one_out(GOOD, learner=learner) == Estimate(0, 2, "pages")
    with budget.limit(0):
        assert leave_one_out(GOOD, "lr") is None


def test_learn_gives_it_when_asked_and_auto_in_any_case():
    assert rowen.learn(GOOD, "lr").estimate is None
    assert rowen.learn(GOOD, "lr", estimate=True).estimate == Estimate(3, 3, "pages")
    assert rowen.learn(GOOD).estimate == Estimate(3, 3, "pages")
    assert rowen.learn(GOOD[:1]).estimate == Estimate(1, 1, "records")
    assert rowen.learn(GOOD[1:2]).estimate is None
    many = [page_of([f"N{n}"], id=str(n)) for n in range(8)]
    assert rowen.learn(many).estimate == Estimate(4, 4, "pages")
    assert rowen.learn(many, estimate=True).estimate == Estimate(8, 8, "pages")


def test_it_is_saved_with_the_wrapper_and_changes_no_version():
    with_it, without = rowen.learn(GOOD, "lr", estimate=True), rowen.learn(GOOD, "lr")
    loaded = from_dict(with_it.to_definition().to_dict())
    assert loaded.estimate == with_it.estimate
    assert loaded.explain() == with_it.explain()
    assert with_it.version == without.version


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"right": 3, "tried": 2, "unit": "pages"},
        {"right": 0, "tried": 0, "unit": "pages"},
        {"right": True, "tried": 1, "unit": "pages"},
        {"right": 1, "tried": "2", "unit": "pages"},
        {"right": 1, "tried": 2, "unit": "sites"},
    ],
)
def test_what_is_no_estimate_is_refused(saved):
    with pytest.raises(ExtractorError, match="'estimate'"):
        Estimate.from_dict(saved)


@given(st.integers(0, 200), st.integers(1, 200))
def test_the_interval_holds_the_shares_from_which_the_count_is_not_too_far(right, tried):
    assume(right <= tried)
    share, (low, high) = right / tried, Estimate(right, tried, "pages").interval
    assert 0 <= low <= share <= high <= 1
    for bound in (low, high):
        if 0 < bound < 1 and bound != share:
            deviation = math.sqrt(bound * (1 - bound) / tried)
            assert abs(share - bound) == pytest.approx(NORMAL * deviation, rel=1e-6, abs=1e-9)


def test_it_says_what_it_rests_on():
    words = str(Estimate(9, 10, "pages"))
    assert words == (
        "9 of 10 pages that were left out came out right (90%; 95% interval 60% to 98%)"
    )
