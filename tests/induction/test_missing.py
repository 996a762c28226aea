"""What holds for both classes with missing fields, M-LR and M-HLRT."""

import random
from functools import partial

import pytest
from reference_earliest import (
    FRAME,
    ROWS,
    agrees,
    blotted,
    exhaustive_unknown,
    in_order,
    leave_open,
    missing_page,
    random_missing,
    rows_of,
    try_learning,
    unknown_examples,
)

import rowen
from rowen.extractors.saved import from_dict
from rowen.induction import mhlrt, mlr

pytestmark = pytest.mark.slow


@pytest.fixture(params=[mlr, mhlrt], ids=["m-lr", "m-hlrt"])
def kind(request):
    return request.param


@pytest.mark.parametrize("seed", range(4))
def test_with_unknown_values_learns_exactly_when_exhaustive_search_finds_a_wrapper(
    kind, seed, monkeypatch
):
    monkeypatch.setattr("rowen.induction.unknown.splitting.LIKELY", (2, 200)[seed % 2])
    rng = random.Random(seed)
    framed = kind is mhlrt
    learned = refused = 0
    for _ in range(800):
        labels, count = random_missing(rng, rng.randint(0, 2))
        examples = blotted(rng, labels)
        if sum(len(text) for text, _, _ in examples) > 40 or not leave_open(examples):
            continue
        possible = exhaustive_unknown(examples, count, framed=framed, most=10_000)
        if possible is False:
            continue
        wrapper = try_learning(kind.learn_class, unknown_examples(examples))
        assert (wrapper is None) == (possible is None), (examples, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        learned += 1
        unseen = [name for name in "abc"[:count] if name not in wrapper.fields]
        names = [*wrapper.fields, *unseen]
        sides = [[*side, *("" for _ in unseen)] for side in (wrapper.left, wrapper.right)]
        first = [names.index(name) for name in wrapper.first]
        frame = {"head": wrapper.head, "tail": wrapper.tail} if framed else {}
        for example in in_order(examples, ["abc".index(name) for name in names]):
            assert agrees(example, first, *sides, **frame), (examples, wrapper.settings())
    assert learned > 10
    assert refused > 10


@pytest.fixture
def learn_class(kind):
    return kind.learn_class


@pytest.fixture
def page_of(kind):
    """Rows as a page, with what the class can cope with around them."""
    if kind is mlr:
        return missing_page
    return partial(missing_page, **dict(zip(("head", "tail"), FRAME, strict=True)))


def test_a_missing_field_shifts_no_neighbour(learn_class, page_of):
    wrapper = learn_class([page_of(ROWS)])
    unseen = page_of([("Q", None, "!"), (None, "7", None), ("R", "8", None), (None, None, None)])
    # An empty record leaves no trace; "number" begins records, as it did in the example.
    assert rows_of(wrapper.extract(unseen.page), wrapper.fields) == rows_of(
        unseen.records[:3], wrapper.fields
    )


def test_fields_in_two_orders_have_no_wrapper(learn_class):
    records = [{"a": (1, 2), "b": (4, 5)}, {"a": (10, 11), "b": (7, 8)}]
    with pytest.raises(rowen.NoConsistentWrapper, match="before"):
        learn_class([rowen.Example("[A](B)(C)[D];", records)])


def test_comes_back_from_a_file(tmp_path, learn_class, page_of):
    example = page_of(ROWS)
    wrapper = learn_class([example])
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert type(loaded) is type(wrapper)
    assert loaded.to_definition() == wrapper.to_definition()
    assert loaded.version == wrapper.version
    assert loaded.extract(example.page) == list(example.records)


def test_the_file_has_the_contracts_keys(learn_class, page_of):
    saved = learn_class([page_of(ROWS)]).to_definition().to_dict()
    keys = {"class", "fields", "head", "tail", "open", "close", "left", "right"}
    assert keys <= saved.keys()
    assert saved["open"] is saved["close"] is None


def test_explains_itself_with_fields_and_delimiters(learn_class, page_of):
    explanation = learn_class([page_of(ROWS)]).explain()
    assert "letter: starts after '<b>'" in explanation
    assert "letter or number" in explanation


def test_a_field_that_no_example_has_is_never_found(learn_class, page_of):
    wrapper = learn_class([page_of([("A", "1", None), ("B", None, None)])])
    assert wrapper.left[2] == wrapper.right[2] == ""
    records = wrapper.extract(page_of(ROWS[:1]).page)
    assert records[0].values == {"letter": "A", "number": "1", "sign": None}
    assert "sign: was in no example" in wrapper.explain()


def test_fails_with_the_records_that_were_complete(learn_class, page_of):
    wrapper = learn_class([page_of(ROWS)])
    records = wrapper.extract("<table><b>A</b><i>1</i><b>B</b><i>2")
    assert [record.values["letter"] for record in records] == ["A"]
    assert "'number'" in records.failure
    records = wrapper.extract("<table><b>A</b><i>1</i><b>B")
    assert [record.values["letter"] for record in records] == ["A"]


def test_records_that_can_not_be_distinguished_have_no_wrapper(learn_class, page_of):
    with pytest.raises(rowen.NoConsistentWrapper, match="can't be distinguished") as caught:
        learn_class([page_of([("A", None, None), (None, "2", None), ("C", "3", "z")])])
    assert caught.value.field == "number"
    assert caught.value.pages == ("rows",)


def test_labels_that_are_no_flat_records_have_no_wrapper(learn_class):
    text = "[A](B)[C](D);"
    for records in (
        [{"a": [(1, 2), (7, 8)]}],
        [{"a": (1, 2), "children": [{"b": (4, 5)}]}],
        [{"a": (1, 2)}, {"a": None}],
    ):
        with pytest.raises(rowen.NoConsistentWrapper):
            learn_class([rowen.Example(text, records)])


def test_an_unknown_value_may_be_there_or_missing(learn_class, page_of):
    example = page_of(ROWS)
    labels = [dict(record.spans) for record in example.records]
    for number, name in enumerate(["number", "number", "letter", "letter", "sign"]):
        del labels[number][name]
    wrapper = learn_class([rowen.Example(example.page, labels)])
    assert wrapper.extract(example.page) == list(example.records)


def test_what_begins_a_record_may_be_unknown(learn_class, page_of):
    example = page_of([("A", "1", "x"), ("B", "2", None), (None, "3", "z"), ("D", None, "w")])
    labels = [dict(record.spans) for record in example.records]
    del labels[2]["letter"]
    wrapper = learn_class([rowen.Example(example.page, labels)])
    assert wrapper.first == ("letter", "number")
    assert wrapper.extract(example.page) == list(example.records)


def test_contradicting_labels_have_no_wrapper(learn_class, page_of):
    first, second = page_of(ROWS), page_of(ROWS)
    turned = [{**record.spans, "letter": None} for record in second.records[:4]]
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        learn_class([first, rowen.Example(second.page, turned)])
    assert caught.value.pages


def test_fields_with_equal_delimiters_are_distinguished_by_their_order(learn_class):
    text = "<tr><td>A<td>B<td>C<tr><td>D<td>E<td>F</table>"
    places = [text.index(f">{letter}<") + 1 for letter in "ABCDEF"]
    spans = [(place, place + 1) for place in places]
    records = [dict(zip("abc", spans[n : n + 3], strict=True)) for n in (0, 3)]
    wrapper = learn_class([rowen.Example(text, records)])
    assert rows_of(wrapper.extract(text), "abc") == [spans[:3], spans[3:]]


def test_a_partial_label_holds_the_first_records(learn_class, page_of):
    whole = page_of(ROWS)
    wrapper = learn_class([rowen.Example(whole.page, whole.records[:4], partial=True)])
    assert wrapper.extract(whole.page)[:4] == list(whole.records[:4])


def test_a_large_page_is_learned_and_read(learn_class, page_of):
    example = page_of(ROWS[:4] * 1250, tail="</table>" + "<p>" * 3_000_000)
    wrapper = learn_class([example])
    assert wrapper.extract(example.page) == list(example.records)


def test_broken_files_are_reported(learn_class, page_of):
    good = page_of(ROWS)
    saved = learn_class([good]).to_definition().to_dict()
    for wrong in ({"left": ["<b>"]}, {"right": ["</b>", "", "</u>"]}, {"first": ["other"]}):
        with pytest.raises(rowen.ExtractorError):
            from_dict({**saved, **wrong})
