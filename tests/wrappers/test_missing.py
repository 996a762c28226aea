"""What holds for both classes with missing fields, M-LR and M-HLRT."""

import random
from functools import partial

import pytest
from reference_racing import (
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
from rowen.wrappers.racing import mhlrt, mlr


@pytest.fixture(params=[mlr, mhlrt], ids=["m-lr", "m-hlrt"])
def kind(request):
    return request.param


@pytest.mark.parametrize("seed", range(4))
def test_with_unknown_values_learns_exactly_when_exhaustive_search_finds_a_wrapper(
    kind, seed, monkeypatch
):
    monkeypatch.setattr("rowen.wrappers.unknown.splitting.LIKELY", (2, 200)[seed % 2])
    rng = random.Random(seed)
    framed = kind is mhlrt
    found = refused = 0
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
        found += 1
        rest = [name for name in "abc"[:count] if name not in wrapper.fields]
        names = [*wrapper.fields, *rest]
        sides = [[*one, *("" for _ in rest)] for one in (wrapper.left, wrapper.right)]
        first = [names.index(name) for name in wrapper.first]
        frame = {"head": wrapper.head, "tail": wrapper.tail} if framed else {}
        for example in in_order(examples, ["abc".index(name) for name in names]):
            assert agrees(example, first, *sides, **frame), (examples, wrapper.settings())
    assert found > 10
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
    other = page_of([("Q", None, "!"), (None, "7", None), ("R", "8", None), (None, None, None)])
    # An empty record leaves no trace; "number" begins records, as it did in the example.
    assert rows_of(wrapper.extract(other.page), wrapper.fields) == rows_of(
        other.records[:3], wrapper.fields
    )


def test_fields_in_two_orders_have_no_wrapper(learn_class):
    records = [{"a": (1, 2), "b": (4, 5)}, {"a": (10, 11), "b": (7, 8)}]
    with pytest.raises(rowen.NoConsistentWrapper, match="before"):
        learn_class([rowen.Example("[A](B)(C)[D];", records)])


def test_comes_back_from_a_file(tmp_path, learn_class, page_of):
    example = page_of(ROWS)
    wrapper = learn_class([example])
    wrapper.save(tmp_path / "w.json")
    again = rowen.load(tmp_path / "w.json")
    assert type(again) is type(wrapper)
    assert again.to_definition() == wrapper.to_definition()
    assert again.version == wrapper.version
    assert again.extract(example.page) == list(example.records)


def test_the_file_has_the_contracts_keys(learn_class, page_of):
    saved = learn_class([page_of(ROWS)]).to_definition().to_dict()
    keys = {"class", "fields", "head", "tail", "open", "close", "left", "right"}
    assert keys <= saved.keys()
    assert saved["open"] is saved["close"] is None


def test_explains_itself_with_fields_and_delimiters(learn_class, page_of):
    told = learn_class([page_of(ROWS)]).explain()
    assert "letter: starts after '<b>'" in told
    assert "letter or number" in told


def test_a_field_that_no_example_has_is_never_found(learn_class, page_of):
    wrapper = learn_class([page_of([("A", "1", None), ("B", None, None)])])
    assert wrapper.left[2] == wrapper.right[2] == ""
    found = wrapper.extract(page_of(ROWS[:1]).page)
    assert found[0].values == {"letter": "A", "number": "1", "sign": None}
    assert "sign: was in no example" in wrapper.explain()


def test_fails_with_the_records_that_were_complete(learn_class, page_of):
    wrapper = learn_class([page_of(ROWS)])
    found = wrapper.extract("<table><b>A</b><i>1</i><b>B</b><i>2")
    assert [record.values["letter"] for record in found] == ["A"]
    assert "'number'" in found.failure
    found = wrapper.extract("<table><b>A</b><i>1</i><b>B")
    assert [record.values["letter"] for record in found] == ["A"]


def test_records_that_can_not_be_told_apart_have_no_wrapper(learn_class, page_of):
    with pytest.raises(rowen.NoConsistentWrapper, match="can't be told") as caught:
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
    known = [dict(record.spans) for record in example.records]
    for number, name in enumerate(["number", "number", "letter", "letter", "sign"]):
        del known[number][name]
    wrapper = learn_class([rowen.Example(example.page, known)])
    assert wrapper.extract(example.page) == list(example.records)


def test_what_begins_a_record_may_be_unknown(learn_class, page_of):
    example = page_of([("A", "1", "x"), ("B", "2", None), (None, "3", "z"), ("D", None, "w")])
    known = [dict(record.spans) for record in example.records]
    del known[2]["letter"]
    wrapper = learn_class([rowen.Example(example.page, known)])
    assert wrapper.first == ("letter", "number")
    assert wrapper.extract(example.page) == list(example.records)


def test_contradicting_labels_have_no_wrapper(learn_class, page_of):
    one, other = page_of(ROWS), page_of(ROWS)
    turned = [{**record.spans, "letter": None} for record in other.records[:4]]
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        learn_class([one, rowen.Example(other.page, turned)])
    assert caught.value.pages


def test_fields_with_equal_delimiters_are_told_by_their_order(learn_class):
    text = "<tr><td>A<td>B<td>C<tr><td>D<td>E<td>F</table>"
    places = [text.index(f">{one}<") + 1 for one in "ABCDEF"]
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


def test_broken_files_are_told(learn_class, page_of):
    good = page_of(ROWS)
    saved = learn_class([good]).to_definition().to_dict()
    for wrong in ({"left": ["<b>"]}, {"right": ["</b>", "", "</u>"]}, {"first": ["other"]}):
        with pytest.raises(rowen.ExtractorError):
            from_dict({**saved, **wrong})
