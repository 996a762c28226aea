"""More marks never hurt: what is reproduced anyway changes nothing; no mark is lost silently."""

import pytest
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.learning import counterexamples

WORDS = st.sampled_from(["Ada", "Bob Ray", "12", "7 kg", "x, y", "$5", "02116"])
ADS = st.sampled_from(["", "<p>ad</p>", "<i>new</i>", "<div class=b><b>12</b></div>"])
DETAILS = st.lists(st.tuples(WORDS, WORDS, ADS, st.booleans()), min_size=2, max_size=4)
ROWS = st.lists(st.tuples(WORDS, WORDS, st.booleans()), min_size=3, max_size=6)


def detail(name, size, ad, *, first):
    """A page of one record, whose size comes before or after its name."""
    parts = [f"<h1>{name}</h1>{ad}", f"<p>Size: <b>{size}</b></p>"]
    text = "".join(parts if first else reversed(parts)) + "<p>End <b>12</b></p>"
    return example(text, [("name", "<h1>", name), ("size", "Size: <b>", size)])


def example(text, fields):
    """A page whose values are marked where they come after these texts."""
    spans = {}
    for field, before, value in fields:
        start = text.index(before) + len(before)
        spans[field] = (start, start + len(value))
    return rowen.Example(text, [spans])


def table(rows):
    """A list, as a page and the spans of each row."""
    text, labels = "<h1>People</h1><table>", []
    for name, age, has_ad in rows:
        text += "<tr class=ad><td>ad</td></tr>" if has_ad else ""
        start = len(text) + len("<tr><td>")
        end = start + len(name)
        other = end + len("</td><td>")
        labels.append({"name": (start, end), "age": (other, other + len(age))})
        text += f"<tr><td>{name}</td><td>{age}</td></tr>"
    return text + "</table>", labels


def extracted(wrapper, text):
    return [record.spans for record in wrapper.extract(text)]


def learned(examples):
    try:
        return rowen.learn(examples)
    except rowen.NoConsistentWrapper:
        return None


def check_growth(before, after, further, *, partial):
    """Nothing changes where the first wrapper has all that the further example says."""
    if before is None or before.warnings:
        return
    labels, found = (
        [record.spans for record in further.records],
        extracted(before, further.page),
    )
    is_there = all(label in found for label in labels) if partial else labels == found
    if is_there:
        assert after is not None
        assert after.fingerprint() == before.fingerprint()
        assert not after.warnings


@given(DETAILS)
@settings(max_examples=cases(40, 2000), deadline=None)
def test_a_page_that_is_reproduced_anyway_changes_nothing(pages):
    examples = [detail(name, size, ad, first=first) for name, size, ad, first in pages]
    check_growth(learned(examples[:-1]), learned(examples), examples[-1], partial=False)


@given(ROWS, st.integers(1, 2))
@settings(max_examples=cases(40, 2000), deadline=None)
def test_a_mark_that_is_reproduced_anyway_changes_nothing(rows, count):
    text, labels = table(rows)
    fewer, more = (
        rowen.Example(text, labels[:marked], partial=True) for marked in (count, count + 1)
    )
    further = rowen.Example(text, labels[count : count + 1], partial=True)
    check_growth(learned([fewer]), learned([more]), further, partial=True)


@given(DETAILS)
@settings(max_examples=cases(40, 2000), deadline=None)
def test_each_marked_value_of_a_page_is_found_or_warned_about(pages):
    examples = [detail(name, size, ad, first=first) for name, size, ad, first in pages]
    wrapper = learned(examples)
    if wrapper is not None and not wrapper.warnings:
        for marked in examples:
            assert extracted(wrapper, marked.page) == [marked.records[0].spans]


@given(ROWS, st.integers(1, 3))
@settings(max_examples=cases(40, 2000), deadline=None)
def test_each_mark_of_a_list_is_found_or_warned_about(rows, count):
    text, labels = table(rows)
    wrapper = learned([rowen.Example(text, labels[:count], partial=True)])
    if wrapper is not None and not wrapper.warnings:
        found = extracted(wrapper, text)
        assert all(label in found for label in labels[:count])


def test_unlabelled_pages_stay_the_same_when_one_of_them_is_marked():
    examples = [
        detail(name, size, "", first=True)
        for name, size in [("Ada", "7 kg"), ("Bob", "9 kg"), ("Cid", "4 kg")]
    ]
    pages = [each.page for each in examples]
    fewer, more = (rowen.learn(examples[:count], pages=pages) for count in (1, 2))
    assert fewer.fingerprint() == more.fingerprint()


def test_it_says_how_many_examples_it_had_not_seen():
    examples = [detail(name, "7 kg", "", first=True) for name in ("Ada", "Bob", "Cid")]
    wrapper = rowen.learn(examples)
    assert "learned from 1 of 3 examples; it reproduces the others" in wrapper.explain()
    assert wrapper.evidence.pages == 3


def test_a_counterexample_is_learned_from():
    examples = [detail("Ada", "7 kg", "", first=True), detail("Bob", "9 kg", "", first=False)]
    wrapper = rowen.learn(examples)
    assert not wrapper.warnings
    for each in examples:
        assert extracted(wrapper, each.page) == [each.records[0].spans]


def test_a_field_that_only_a_further_page_has_is_learned():
    short = "<h1>Ada</h1><p>Size: <b>7 kg</b></p>"
    long = "<h1>Bob</h1><p>Size: <b>9 kg</b></p><p>Age: <b>41</b></p>"
    size = ("size", "Size: <b>", "7 kg")
    wrapper = rowen.learn(
        [
            example(short, [size]),
            example(long, [("size", "Size: <b>", "9 kg"), ("age", "Age: <b>", "41")]),
        ]
    )
    assert [record.values for record in wrapper.extract(long)] == [{"size": "9 kg", "age": "41"}]


@pytest.mark.parametrize("name", ["token", "lr"])
def test_a_class_asked_for_by_name_learns_from_all_examples(name):
    examples = [detail(each, "7 kg", "", first=True) for each in ("Ada", "Bob")]
    assert "it reproduces the others" not in rowen.learn(examples, name).reason


def tried(rows, marks):
    """What is learned from marks in part of a list, and the classes that were tried."""
    text, labels = table(rows)
    wanted = [{name: labels[number][name] for name in fields} for number, fields in marks.items()]
    steps = []
    example = rowen.Example(text, wanted, partial=True)
    wrapper = rowen.learn([example], progress=steps.append)
    return wrapper, extracted(wrapper, text), labels, [step for step in steps if "class" in step]


def test_a_new_field_of_a_long_list_is_learned_by_the_class_that_has_all_others():
    rows = [(f"Name {number}", str(20 + number), number % 7 == 0) for number in range(90)]
    marks = {number: ["name"] for number in range(80)}
    before, _, _, _ = tried(rows, marks)
    wrapper, records, labels, classes = tried(rows, {**marks, 40: ["name", "age"]})
    assert wrapper.wrapper_class == before.wrapper_class == "region"
    assert records == labels
    assert not wrapper.warnings
    assert len(classes) <= 1  # those for the first mark, if they are not remembered
    assert "learned from 2 of 80 examples" in wrapper.reason


def test_where_that_class_misses_a_mark_again_all_classes_are_tried(monkeypatch):
    rows = [(f"Name {number}", str(20 + number), False) for number in range(60)]
    text, labels = table(rows)
    # A part of a word: no region's value is like that, and the marks contradict each other.
    start, end = labels[30]["name"]
    wanted = [{"name": label["name"]} for label in labels]
    wanted[30] = {"name": (start + 2, end - 1)}

    def outcome():
        try:
            wrapper = rowen.learn([rowen.Example(text, wanted, partial=True)])
        except rowen.NoConsistentWrapper as error:
            return str(error)
        return wrapper.to_definition().to_dict()

    ours = outcome()
    monkeypatch.setattr(counterexamples, "MANY", len(rows) + 1)
    assert outcome() == ours
