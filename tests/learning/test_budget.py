"""Limits of learning: what is cut short says so, and what is found is right all the same."""

import random
import re
from dataclasses import replace
from functools import partial
from itertools import count

import pytest

import rowen
from rowen.induction import budget
from rowen.induction.budget import LEARNING_WAIT
from rowen.labels.rows import locate_rows
from rowen.landmarks.learn import learn_doubting, values
from rowen.learning.learn import LEARNED, learn
from rowen.learning.memory import Memory
from rowen.learning.recognizers.noisy import learn_from_recognizers
from rowen.learning.recognizers.recognizer import Soundness, from_pattern
from rowen.learning.survey import profile_of
from rowen.maintenance.repair import repair
from rowen.model import InputError, NoConsistentWrapper, Page, SearchCutShort, UsageError
from rowen.records import Example


def listed(*rows, id, head="<h1><b>Menu</b></h1>"):  # noqa: A002  # the page's own word
    text = "".join(f"<tr><td><b>{a}</b></td><td><i>{b}</i></td></tr>" for a, b in rows)
    text = f"{head}<table>{text}</table><hr><b>End</b>"
    return Example(Page(text, id=id), [{"a": a, "b": b} for a, b in rows])


def examples_for(name):
    examples = [
        listed(("Congo", "242"), ("Egypt", "20"), id="one"),
        listed(("Spain", "34"), ("Peru", "51"), ("Chad", "235"), id="two"),
    ]
    if not name.startswith("n-"):
        return examples
    return [
        Example(
            example.page,
            [
                {"a": record.spans["a"], "children": [{"b": record.spans["b"]}]}
                for record in example.records
            ],
        )
        for example in examples
    ]


def reproduces(wrapper, examples):
    return all(list(wrapper.extract(example.page)) == list(example.records) for example in examples)


@pytest.mark.parametrize("name", ["auto", *LEARNED])
def test_wherever_the_time_ends_there_is_a_right_wrapper_or_a_word_about_it(name, monkeypatch):
    examples = examples_for(name)
    outcomes = set()
    for last in (0, 1, 2, 3, 5, 8, 13, 21, 40, 80, 160, 320, 1000):
        ticks = count()
        monkeypatch.setattr(budget, "thread_time", lambda: next(ticks))  # noqa: B023  # used at once
        try:
            wrapper = learn(examples, name, seconds=last + 0.5)
        except SearchCutShort as error:
            outcomes.add("cut" if "mark fewer records" in str(error) else str(error))
        except NoConsistentWrapper as error:
            outcomes.add(str(error))
        else:
            is_announced = (
                "the best found in the time" in wrapper.reason and wrapper.evidence.cut_short
            )
            assert reproduces(wrapper, examples) or is_announced
            outcomes.add("cut but found" if wrapper.evidence.cut_short else "found")
    final = learn_or_error(examples, name)
    assert outcomes <= {"cut", "cut but found", final}
    if name == "auto":
        assert outcomes == {"cut", "cut but found", "found"}


def learn_or_error(examples, name):
    """What comes out with all the time in the world."""
    try:
        learn(examples, name, seconds=1e9)
    except NoConsistentWrapper as error:
        return str(error)
    return "found"


def templates():
    """A page for each of three templates, which no wrapper fits together."""
    examples = []
    for row in (
        "<tr><td>{}</td><th>{}</th></tr>",
        "<li><b>{}</b><i>{}</i></li>",
        "<h2>{}</h2><p>{}",
    ):
        text = "".join(row.format(f"A{n}", f"B{n}") for n in range(8))
        rows = re.finditer(r"(?P<a>A\d).*?(?P<b>B\d)", text)
        label = [{name: match.span(name) for name in "ab"} for match in rows]
        examples.append(Example(Page(text, id=row), label))
    return examples


def recall(wrapper, examples):
    """The share of the marked values that a wrapper gives back."""
    marked = [(example.page, value) for example in examples for value in values(example.records)]
    extracted = {(page, value) for page, _ in marked for value in values(wrapper.extract(page))}
    return sum(value in extracted for value in marked) / len(marked)


def test_where_no_wrapper_fits_all_labels_the_best_found_in_the_time_is_the_answer(monkeypatch):
    examples = templates()
    monkeypatch.setattr(
        "rowen.learning.learn.MEMORY", Memory(0)
    )  # what is remembered takes no time
    with monkeypatch.context() as patched:
        ticks = count()
        patched.setattr(budget, "thread_time", lambda: next(ticks))
        learn(examples, seconds=1e9)
    enough = next(ticks)
    outcomes = []
    for seconds in range(1, enough, max(1, enough // 60)):
        ticks = count()
        monkeypatch.setattr(budget, "thread_time", lambda: next(ticks))  # noqa: B023  # used at once
        try:
            wrapper = learn(examples, seconds=seconds)
        except SearchCutShort:
            outcomes.append("cut")
            continue
        outcomes.append("best" if "the best found in the time" in wrapper.reason else "whole")
        if outcomes[-1] == "best":
            share = recall(wrapper, examples)
            assert share >= 0.5
            assert f"reproduces {share:.0%} of the labels; cut short" in wrapper.reason
            assert wrapper.evidence.cut_short
    assert outcomes[0] == "cut"
    assert "best" in outcomes


def test_fields_for_which_there_is_no_time_stay_without_rules_where_labels_may_be_doubted(
    monkeypatch,
):
    (example, *_) = templates()
    fields = set()
    for last in range(60):
        ticks = count()
        monkeypatch.setattr(budget, "thread_time", lambda: next(ticks))  # noqa: B023  # used at once
        with budget.limit(last):
            try:
                wrapper = learn_doubting([example])
            except NoConsistentWrapper:
                continue
        fields.add("".join(name for name in wrapper.fields if wrapper.rules[name]))
    assert fields == {"a", "ab"}


def test_that_the_search_was_cut_short_is_saved(monkeypatch, tmp_path):
    for last in range(40, 400, 20):
        ticks = count()
        monkeypatch.setattr(budget, "thread_time", lambda: next(ticks))  # noqa: B023  # used at once
        try:
            wrapper = learn(examples_for("auto"), seconds=last)
        except SearchCutShort:
            continue
        wrapper.save(tmp_path / "wrapper.json")
        assert rowen.load(tmp_path / "wrapper.json").evidence == wrapper.evidence
        if wrapper.evidence.cut_short:
            assert "cut short" in wrapper.reason
            break
    else:
        pytest.fail("no limit cut the search and left a wrapper")


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan")])
def test_no_time_at_all_is_refused(seconds):
    with pytest.raises(UsageError, match="seconds must be greater than 0"):
        learn(examples_for("lr"), "lr", seconds=seconds)


def test_a_limit_inside_another_can_only_be_tighter(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(budget, "thread_time", lambda: clock[0])
    assert not budget.spent()
    with budget.limit(10) as outer:
        with budget.limit(100):
            clock[0] = 9.0
            assert not budget.spent()
            clock[0] = 11.0
            assert budget.spent()
        assert outer.over
    assert not budget.spent()
    with budget.limit(10) as outer:
        with budget.share(0.5):
            clock[0] = 17.0
            with pytest.raises(SearchCutShort, match="5 s"):
                budget.check()
        assert not budget.spent()
        assert outer.over
        assert outer.reason


def test_waiting_for_a_busy_machine_takes_nothing_from_a_search_but_ends_far_out(monkeypatch):
    worked, clock = [0.0], [0.0]
    monkeypatch.setattr(budget, "thread_time", lambda: worked[0])
    monkeypatch.setattr(budget, "monotonic", lambda: clock[0])
    with budget.limit(10) as outer:
        clock[0] = 10 * LEARNING_WAIT - 1
        assert not budget.spent()
        with budget.limit(8):
            clock[0] = 10 * LEARNING_WAIT + 1
            with pytest.raises(SearchCutShort, match="had to wait for too long"):
                budget.check()
        assert outer.over
    with budget.limit(10):
        worked[0] = 11.0
        with pytest.raises(SearchCutShort, match="10 s of processor time"):
            budget.check()


NUMBERS = [
    from_pattern("number", r"\b\d+", soundness=Soundness.PERFECT),
    from_pattern("name", r"[A-Z]\w+", soundness=Soundness.UNSOUND),
]


def test_recognizers_and_corroboration_end_when_the_time_is_over(monkeypatch):
    pages = [Page("".join(f"<b>A{n}x</b> <i>{n}</i>" for n in range(50)), id=str(n)) for n in "ab"]
    ticks = count()
    monkeypatch.setattr(budget, "thread_time", lambda: next(ticks))
    for last in (0, 1, 2, 3, 5, 20, 60):
        with budget.limit(last + 0.5), pytest.raises(SearchCutShort):
            learn_from_recognizers(pages, NUMBERS, partial(learn, wrapper_class="hlrt"))


def test_a_profile_is_made_of_the_pages_that_there_is_time_for():
    examples = examples_for("lr")
    wrapper = learn(examples, "hlrt")
    pages = [example.page for example in examples]
    assert profile_of(wrapper, pages) == replace(wrapper.profile, layout=None)  # labels say it
    assert wrapper.profile.pages == 2
    with budget.limit(0):
        assert profile_of(wrapper, pages).pages == 1


def test_repairing_ends_when_the_time_is_over(monkeypatch):
    examples = examples_for("lr")
    wrapper = learn(examples, "hlrt")
    known_records = [record.to_dict() for example in examples for record in example.records]
    pages = [
        Page(example.page.text.replace("<b>", "<em>"), example.page.id) for example in examples
    ]
    ticks = count()
    monkeypatch.setattr(budget, "thread_time", lambda: next(ticks))
    outcomes = set()
    for last in (0, 3, 10, 30, 100, 300, 1000, 10_000):
        try:
            repaired = repair(wrapper, pages, known_records, seconds=last + 0.5)
        except SearchCutShort:
            outcomes.add("cut")
        except InputError as error:
            outcomes.add(str(error).split(";")[0])
        else:
            assert repaired.wrapper.extract(pages[0])
            outcomes.add("repaired")
    assert outcomes == {"cut", "none of 5 known records was found on the new pages", "repaired"}


def random_examples(source):
    """One to two tiny pages, each with one to two values of one field."""
    examples = []
    for number in range(source.randint(1, 2)):
        text = "".join(source.choice("ab") for _ in range(source.randint(6, 10)))
        cuts = sorted(source.sample(range(1, len(text)), 4))
        spans = [(cuts[0], cuts[1]), (cuts[2], cuts[3])][: source.randint(1, 2)]
        examples.append(Example(Page(text, id=str(number)), [{"a": span} for span in spans]))
    return examples


@pytest.mark.parametrize(
    ("name", "limit", "value"),
    [
        ("m-hlrt", "earliest.head_tail.FRAME_PAIRS", 0),
        ("m-hlrt", "earliest.head_tail.FRAME_CHARACTERS", 1),
        ("n-hlrt", "earliest.heads.FRAME_CHARACTERS", 1),
        ("hlrt", "tabular.pool.SEARCHED_CHARACTERS", 14),
        ("oclr", "tabular.pool.SEARCHED_CHARACTERS", 14),
        ("hoclrt", "hoclrt.JOINT_STARTS", 1500),
    ],
)
def test_a_search_that_leaves_something_untried_proves_nothing(name, limit, value, monkeypatch):
    source = random.Random(f"{name} {limit}")
    outcomes = []
    for _ in range(400):
        examples = random_examples(source)
        complete = learn_or_error(examples, name)
        with monkeypatch.context() as patched:
            patched.setattr(f"rowen.induction.{limit}", value)
            limited = learn_or_error(examples, name)
        cut = SearchCutShort.prefix in limited
        assert cut or (limited == "found") == (complete == "found"), (examples, complete, limited)
        outcomes.append(cut)
    assert 0 < sum(outcomes) < len(outcomes)


def test_many_ways_to_place_a_record_end_in_a_request_for_offsets(monkeypatch):
    monkeypatch.setattr("rowen.labels.rows.ROW_STEPS", 3)
    wide = [(at, at + 3) for at in range(4)]
    with pytest.raises(SearchCutShort, match="give offsets"):
        locate_rows([[wide, wide, wide]])
