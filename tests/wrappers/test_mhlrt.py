"""M-HLRT against its definition: a slow executor and a search over all candidate delimiters."""

import random

import pytest
from reference_racing import (
    exhaustive,
    missing_examples,
    random_missing,
    random_text,
    rows_of,
    run_missing,
    tail_stands,
    try_learning,
    values_of,
)

import rowen
from rowen.extractors.saved import from_dict
from rowen.wrappers.racing.mhlrt import MHLRT, learn_class


@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(seed):
    rng = random.Random(seed)
    found = refused = 0
    for _ in range(500):
        labels, count = random_missing(rng, 3)
        every = [record for _, records in labels for record in records]
        if not every:
            continue
        first = sorted({next(n for n, one in enumerate(record) if one) for record in every})

        def fits(number, left, right, labels=labels, first=first, **frame):
            text, records = labels[number]
            return run_missing(text, first, left, right, **frame) == records

        pages = [(text, values_of(records)) for text, records in labels]
        possible = exhaustive(pages, count, fits, framed=True)
        wrapper = try_learning(learn_class, missing_examples(labels))
        assert (wrapper is None) == (possible is None), (labels, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        found += 1
        for text, records in labels:
            frame = {"head": wrapper.head, "tail": wrapper.tail}
            assert tail_stands(text, values_of(records), **frame)
            assert run_missing(text, first, wrapper.left, wrapper.right, **frame) == records
            assert rows_of(wrapper.extract(text), wrapper.fields) == records
    assert found > 50
    assert refused > 50


@pytest.mark.parametrize("seed", range(4))
def test_runs_as_defined(seed):
    rng = random.Random(seed)
    for _ in range(2000):
        alphabet = rng.choice(["ab", "abc"])
        text = random_text(rng, alphabet, 0, 16)
        count = rng.randint(1, 3)
        names = "abc"[:count]
        first = sorted(rng.sample(range(count), rng.randint(1, count)))
        left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        head, tail = random_text(rng, alphabet, 0, 1), random_text(rng, alphabet, 1, 2)
        begin = [names[n] for n in first]
        wrapper = MHLRT(names, left, right, head=head, tail=tail, first=begin)
        expected = run_missing(text, first, left, right, head=head, tail=tail)
        found = wrapper.extract(text)
        assert (found.failure is not None) == (expected is None)
        if expected is not None:
            assert rows_of(found, names) == expected


ROWS = [("A", "1", "x"), ("B", None, "y"), ("C", "3", None), (None, "4", "z"), ("E", None, None)]


def page_of(rows, head="<p><b>Menu</b></p><table>", tail="</table><p><b>End</b><i>!</i></p>"):
    """A page, and its records."""
    text, records = head, []
    for row in rows:
        record = {}
        text += "<tr>"
        for name, tag, value in zip(("letter", "number", "sign"), "biu", row, strict=True):
            text += f"<{tag}>" * (value is not None)
            record[name] = None if value is None else (len(text), len(text) + len(value))
            text += "" if value is None else f"{value}</{tag}>"
        text += "</tr>"
        records.append(record)
    return rowen.Example(rowen.Page(text + tail, id="rows"), records)


def test_prefers_whole_tags():
    wrapper = rowen.learn([page_of(ROWS)], "m-hlrt")
    assert (wrapper.head, wrapper.tail) == ("<table>", "</table>")
    assert wrapper.left == ("<b>", "<i>", "<u>")
    assert wrapper.right == ("</b>", "</i>", "</u>")


def test_a_missing_field_shifts_no_neighbour():
    wrapper = learn_class([page_of(ROWS)])
    other = page_of([("Q", None, "!"), (None, "7", None), ("R", "8", None), (None, None, None)])
    # An empty record leaves no trace; "number" begins records, as it did in the example.
    assert rows_of(wrapper.extract(other.page), wrapper.fields) == rows_of(
        other.records[:3], wrapper.fields
    )


def test_fields_are_ordered_as_they_stand_on_the_pages():
    example = rowen.Example("(1)[A]", [{"letter": (4, 5), "number": (1, 2)}], partial=False)
    example = rowen.Example("(1)[A];", [{"letter": (4, 5), "number": (1, 2)}])
    assert learn_class([example]).fields == ("number", "letter")


def test_fields_in_two_orders_have_no_wrapper():
    records = [{"a": (1, 2), "b": (4, 5)}, {"a": (10, 11), "b": (7, 8)}]
    with pytest.raises(rowen.NoConsistentWrapper, match="before"):
        learn_class([rowen.Example("[A](B)(C)[D];", records)])


def test_comes_back_from_a_file(tmp_path):
    example = page_of(ROWS)
    wrapper = learn_class([example])
    wrapper.save(tmp_path / "w.json")
    again = rowen.load(tmp_path / "w.json")
    assert type(again) is type(wrapper)
    assert again.to_definition() == wrapper.to_definition()
    assert again.version == wrapper.version
    assert again.extract(example.page) == list(example.records)


def test_the_file_has_the_contracts_keys():
    saved = learn_class([page_of(ROWS)]).to_definition().to_dict()
    keys = {"class", "fields", "head", "tail", "open", "close", "left", "right"}
    assert keys <= saved.keys()
    assert saved["open"] is saved["close"] is None


def test_explains_itself_with_fields_and_delimiters():
    told = learn_class([page_of(ROWS)]).explain()
    assert "letter: starts after '<b>'" in told
    assert "letter or number" in told


def test_a_field_that_no_example_has_is_never_found():
    wrapper = learn_class([page_of([("A", "1", None), ("B", None, None)])])
    assert wrapper.left[2] == wrapper.right[2] == ""
    found = wrapper.extract(page_of(ROWS[:1]).page)
    assert found[0].values == {"letter": "A", "number": "1", "sign": None}
    assert "sign: was in no example" in wrapper.explain()


def test_fails_with_the_records_that_were_complete():
    wrapper = learn_class([page_of(ROWS)])
    found = wrapper.extract("<table><b>A</b><i>1</i><b>B</b><i>2")
    assert [record.values["letter"] for record in found] == ["A"]
    assert "'number'" in found.failure
    found = wrapper.extract("<table><b>A</b><i>1</i><b>B")
    assert [record.values["letter"] for record in found] == ["A"]


def test_records_that_can_not_be_told_apart_have_no_wrapper():
    with pytest.raises(rowen.NoConsistentWrapper, match="can't be told") as caught:
        learn_class([page_of([("A", None, None), (None, "2", None), ("C", "3", "z")])])
    assert caught.value.field == "number"
    assert caught.value.pages == ("rows",)


def test_labels_that_are_no_flat_records_have_no_wrapper():
    text = "[A](B)[C](D);"
    for records in (
        [{"a": (1, 2), "b": (4, 5)}, {"a": (7, 8)}],
        [{"a": [(1, 2), (7, 8)]}],
        [{"a": (1, 2), "children": [{"b": (4, 5)}]}],
        [{"a": (1, 2)}, {"a": None}],
    ):
        with pytest.raises(rowen.NoConsistentWrapper):
            learn_class([rowen.Example(text, records)])


def test_contradicting_labels_have_no_wrapper():
    one, other = page_of(ROWS), page_of(ROWS)
    turned = [{**record.spans, "letter": None} for record in other.records[:4]]
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        learn_class([one, rowen.Example(other.page, turned)])
    assert caught.value.pages


def test_fields_with_equal_delimiters_are_told_by_their_order():
    text = "<tr><td>A<td>B<td>C<tr><td>D<td>E<td>F</table>"
    places = [text.index(f">{one}<") + 1 for one in "ABCDEF"]
    spans = [(place, place + 1) for place in places]
    records = [dict(zip("abc", spans[n : n + 3], strict=True)) for n in (0, 3)]
    wrapper = learn_class([rowen.Example(text, records)])
    assert rows_of(wrapper.extract(text), "abc") == [spans[:3], spans[3:]]


def test_a_partial_label_holds_the_first_records():
    whole = page_of(ROWS)
    wrapper = learn_class([rowen.Example(whole.page, whole.records[:4], partial=True)])
    assert wrapper.extract(whole.page)[:4] == list(whole.records[:4])


def test_a_large_page_is_learned_and_read():
    example = page_of(ROWS[:4] * 1250, tail="</table>" + "<p>" * 3_000_000)
    wrapper = learn_class([example])
    assert wrapper.extract(example.page) == list(example.records)


def test_broken_files_are_told():
    good = page_of(ROWS)
    saved = learn_class([good]).to_definition().to_dict()
    for wrong in ({"left": ["<b>"]}, {"right": ["</b>", "", "</u>"]}, {"first": ["other"]}):
        with pytest.raises(rowen.ExtractorError):
            from_dict({**saved, **wrong})
