import math
from dataclasses import replace
from functools import partial

import noisy_sites
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rowen
from rowen.assurance.estimate import NORMAL, Estimate
from rowen.extractors.saved import from_dict
from rowen.induction import budget
from rowen.learning import auto
from rowen.learning.auto import learn_auto
from rowen.learning.estimate import leave_one_out
from rowen.learning.memory import Memory
from rowen.model import ExtractorError, NoConsistentWrapper, Page, SearchCutShort
from rowen.records import Example


def page_of(names, *, id, head="<p>"):  # noqa: A002
    text = head + "".join(f"<b>{name}</b>\n" for name in names) + "<hr>"
    return Example(Page(text, id=id), [{"name": name} for name in names])


lr = partial(rowen.learn, wrapper_class="lr")
hlrt = partial(rowen.learn, wrapper_class="hlrt")
GOOD = [page_of(["Ada", "Bob"], id="1"), page_of(["Cid"], id="2"), page_of(["Dan"], id="3")]
ODD = page_of(["Eve"], id="4", head="<p><b>Advertisement</b>")


def test_each_page_is_left_out_once():
    seen = []

    def learner(examples):
        seen.append([example.page.id for example in examples])
        raise NoConsistentWrapper("no")

    assert leave_one_out(GOOD, learner) == Estimate(0, 3, "pages")
    assert seen == [["2", "3"], ["1", "3"], ["1", "2"]]


def test_pages_count_that_come_out_right_in_every_value():
    assert leave_one_out(GOOD, lr) == Estimate(3, 3, "pages")
    assert leave_one_out([*GOOD, ODD], lr) == Estimate(0, 4, "pages")


def test_on_a_single_page_records_are_left_out():
    assert leave_one_out(GOOD[:1], lr) == Estimate(1, 1, "records")
    assert leave_one_out(GOOD[1:2], lr) is None
    assert leave_one_out([], lr) is None


def test_many_pages_are_sampled():
    many = [page_of([f"N{n}"], id=str(n)) for n in range(40)]
    assert leave_one_out(many, lr) == Estimate(12, 12, "pages")


def test_unknown_values_are_not_asked_for():
    text = "<p>" + "".join(f"<b>{n}</b><i>{n}</i>" for n in "xyz") + "<hr>"
    labels = [{"b": (6, 7), "i": (14, 15)}, {"i": (30, 31)}, {"b": (38, 39), "i": (46, 47)}]
    examples = [Example(Page(text, id=str(n)), labels) for n in range(2)]
    assert leave_one_out(examples, hlrt) == Estimate(2, 2, "pages")


def test_what_there_was_no_time_for_does_not_count():
    def learner(examples):
        if examples[0].page.id == "2":
            raise SearchCutShort("late")
        raise NoConsistentWrapper("no")

    assert leave_one_out(GOOD, learner) == Estimate(0, 2, "pages")
    with budget.limit(0):
        assert leave_one_out(GOOD, lr) is None


def test_learn_gives_it_only_when_asked():
    assert rowen.learn(GOOD, "lr").estimate is None
    assert rowen.learn(GOOD).estimate is None
    assert rowen.learn(GOOD, "lr", estimate=True).estimate == Estimate(3, 3, "pages")
    # From pages of one record alone `auto` learns that a page is one record.
    assert rowen.learn(GOOD, estimate=True).estimate == Estimate(2, 3, "pages")
    assert rowen.learn(GOOD[:1], estimate=True).estimate == Estimate(1, 1, "records")
    many = [page_of([f"N{n}"], id=str(n)) for n in range(8)]
    assert rowen.learn(many, estimate=True).estimate == Estimate(8, 8, "pages")


def test_where_none_can_be_made_it_says_what_is_needed():
    alone = rowen.learn(GOOD[1:2], estimate=True)
    assert alone.estimate is None
    assert "No estimate: it needs at least two marked pages" in alone.explain()
    assert "No estimate: learn with --estimate" in rowen.learn(GOOD).explain()


def test_the_class_is_chosen_again_without_the_page_that_is_left_out(monkeypatch):
    """`auto` is what is tried, and not the class that all pages together chose."""
    learned_from = []

    def counting(examples, **options):
        learned_from.append(len(examples))
        return learn_auto(examples, **options)

    monkeypatch.setattr(auto, "learn_auto", counting)
    monkeypatch.setattr(
        "rowen.learning.learn.MEMORY", Memory(0)
    )  # what is remembered is not counted
    rowen.learn(GOOD, estimate=True)
    # All pages like the first one: each time it is enough, of all of them and without each.
    assert learned_from == [1, 1, 1, 1]


def test_a_search_that_was_cut_short_does_not_count():
    def learner(examples):
        wrapper = rowen.learn(examples, "lr")
        if examples[0].page.id == "2":
            wrapper.evidence = replace(wrapper.evidence, cut_short=True)
        return wrapper

    assert leave_one_out(GOOD, learner) == Estimate(2, 2, "pages")


def test_a_text_is_looked_up_by_the_other_pages_alone():
    """Placed together with the page that is left out, it would stand where it agrees with it."""
    pages = [
        Page("<u>Ada</u> <b>Ada</b> <i>1</i>", id="1"),
        Page("<u>Bob</u> <b>Cid</b> <i>2</i>", id="2"),
    ]
    examples = [
        Example(page, [{"name": name, "n": n}])
        for page, name, n in zip(pages, ["Ada", "Cid"], "12", strict=True)
    ]
    learned = []

    def learner(remaining):
        learned.append([example.records[0].spans["name"] for example in remaining])
        return rowen.learn(remaining, "lr")

    leave_one_out(examples, learner)
    alone = [
        rowen.learn([example], "lr").extract(example.page)[0].spans["name"] for example in examples
    ]
    assert learned == [[alone[1]], [alone[0]]]


def literal(examples, wrapper_class):
    """The estimate by hand, with nothing but the public interface."""
    right = tried = 0
    for number, left_out in enumerate(examples):
        remaining = [example for place, example in enumerate(examples) if place != number]
        try:
            wrapper = rowen.learn(remaining, wrapper_class)
            extracted = [record.spans for record in wrapper.extract(left_out.page)]
            right += extracted == [record.spans for record in left_out.records]
        except NoConsistentWrapper:
            pass
        tried += 1
    return right, tried


@settings(max_examples=12)
@given(
    noisy_sites.examples(pages=st.integers(2, 3), whole=True),
    st.sampled_from(["auto", "auto", "token", "hlrt", "lr", "m-lr"]),
)
def test_the_estimate_is_that_of_learning_without_each_page(examples, wrapper_class):
    try:
        wrapper = rowen.learn(examples, wrapper_class, estimate=True)
    except NoConsistentWrapper:
        return
    right, tried = literal(examples, wrapper_class)
    assert (wrapper.estimate.right, wrapper.estimate.tried) == (right, tried)


@pytest.mark.parametrize("wrapper_class", ["auto", "lr", "hlrt", "token"])
def test_a_page_that_helped_to_locate_the_labels_of_another_is_not_counted_as_right(wrapper_class):
    """`48` is twice on the first page; only the second page shows which of the two is meant."""

    def page(first, price):
        cells = (first, "Abilene, TX 79699", price, "call us")
        return Page("".join(f"<td>{cell}</td>" for cell in cells), id=price)

    first, second = page("48", "48"), page("50", "51")
    examples = [Example(first, [{"price": "48"}]), Example(second, [{"price": "51"}])]
    wrapper = rowen.learn(examples, wrapper_class, estimate=True)
    assert [record.values for record in wrapper.extract(second)] == [{"price": "51"}]
    assert wrapper.estimate == Estimate(1, 2, "pages")


def test_an_estimate_of_the_first_version_is_not_believed():
    saved = rowen.learn(GOOD, "lr", estimate=True).to_definition().to_dict()
    assert from_dict(saved).estimate == Estimate(3, 3, "pages")
    del saved["estimate"]["method"]
    assert from_dict(saved).estimate is None


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
