import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import Example, LabelError, Page, Record

PAGE = Page("<b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br>", id="p1.html")
CONGO = {"country": (3, 8), "code": (16, 19)}
EGYPT = {"country": (30, 35), "code": (43, 45)}


def test_a_tabular_label_is_taken():
    example = Example(PAGE, [CONGO, EGYPT])
    assert [record.values for record in example.records] == [
        {"country": "Congo", "code": "242"},
        {"country": "Egypt", "code": "20"},
    ]
    assert not example.partial


def test_a_nested_label_is_taken():
    example = Example(PAGE, [{"country": (3, 8), "children": [{"code": (16, 19)}]}, EGYPT])
    assert example.records[0].children[0].values == {"code": "242"}


def test_records_can_be_given_as_records():
    assert Example(PAGE, [Record(PAGE, CONGO)]).records == Example(PAGE, [CONGO]).records


def test_strings_are_looked_up_after_the_record_before():
    page = Page("1 one, 1 two", id="p")
    example = Example(page, [{"number": "1", "word": "one"}, {"number": "1", "word": "two"}])
    assert [record.spans["number"] for record in example.records] == [(0, 1), (7, 8)]


def test_several_strings_of_a_field_follow_each_other():
    example = Example(Page("a, b; a"), [{"x": ["a", "b", "a"]}])
    assert example.records[0].spans == {"x": [(0, 1), (3, 4), (6, 7)]}


def refused(records, *, record, field=None):
    with pytest.raises(LabelError) as caught:
        Example(PAGE, records)
    assert (caught.value.page, caught.value.record, caught.value.field) == (
        "p1.html",
        record,
        field,
    )
    assert str(caught.value).startswith(f"p1.html: record {record}")
    return caught.value.reason


def test_a_span_outside_the_page_is_refused_by_name():
    assert "53 characters" in refused([CONGO, {"country": (30, 99)}], record="2", field="country")


def test_overlapping_fields_are_refused_by_name():
    reason = refused([{"country": (3, 8), "code": (7, 10)}], record="1", field="code")
    assert "overlaps field 'country'" in reason


def test_a_field_may_lie_inside_another_but_not_in_itself():
    inside = {"country": (3, 8), "initial": (3, 4), "again": (3, 8)}
    assert dict(Example(PAGE, [inside]).records[0].spans) == inside
    reason = refused([{"country": [(3, 8), (4, 5)]}], record="1", field="country")
    assert "overlap" in reason


def test_records_in_the_wrong_order_are_refused_by_name():
    assert "page order" in refused([EGYPT, CONGO], record="2", field="country")


def test_interleaved_records_are_refused_by_name():
    mixed = [{"country": (3, 8), "code": (43, 45)}, {"country": (30, 35)}]
    refused(mixed, record="2", field="country")


def test_a_child_before_its_parent_is_refused_by_name():
    refused([{"code": (16, 19), "children": [{"country": (3, 8)}]}], record="1.1", field="country")


def test_a_string_that_is_not_there_is_refused_by_name():
    reason = refused([CONGO, {"country": "Congo"}], record="2", field="country")
    assert "'Congo' was not found on the page after position 19" in reason


@pytest.mark.parametrize("bad", [17, (1, 2, 3), {"start": 3}])
def test_what_is_no_span_is_refused_by_name(bad):
    refused([{"country": bad}], record="1", field="country")


def test_what_is_no_record_is_refused():
    refused(["Congo"], record="1")
    refused({"country": (3, 8)}, record="1")
    refused([{"country": (3, 8), "children": 5}], record="1.")


def test_endless_nesting_is_refused():
    record = {}
    for _ in range(5000):
        record = {"children": [record]}
    with pytest.raises(LabelError, match="nested deeper"):
        Example(PAGE, [record])


def test_what_is_nested_deep_counts_for_the_order_of_what_follows():
    nested = {"children": [{"children": [{"code": (16, 19)}]}]}
    assert Example(PAGE, [nested, EGYPT]).records[0].extent == (16, 19)
    refused([nested, CONGO], record="2", field="country")
    refused([{"country": (3, 8), **nested}, {"code": (16, 19)}], record="2", field="code")


anything = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.floats() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", "children"]), anything), max_size=3))
def test_any_label_is_taken_or_refused_as_a_label(records):
    try:
        example = Example(PAGE, records)
    except LabelError:
        return
    extents = [record.extent for record in example.records if record.extent]
    assert extents == sorted(extents)


NESTED = Page("<h1>Tea</h1><p>Ann 4</p><p>Bob 2</p><h1>Rum</h1><p>Cid 5</p>", id="nested.html")


def test_a_field_may_hold_records():
    labels = [
        {"title": "Tea", "reviews": [{"name": "Ann", "stars": "4"}, {"name": (27, 30)}]},
        {"title": "Rum", "reviews": [{"name": "Cid", "stars": None}]},
    ]
    records = Example(NESTED, labels).records
    assert records[0].values["reviews"] == [{"name": "Ann", "stars": "4"}, {"name": "Bob"}]
    assert records[1].values["reviews"] == [{"name": "Cid", "stars": None}]
    assert Example(NESTED, list(records)).records == records


def test_an_empty_list_is_known_to_have_no_records():
    (record,) = Example(NESTED, [{"title": "Tea", "reviews": []}]).records
    assert record.values == {"title": "Tea", "reviews": []}


def test_nested_records_may_be_before_and_between_values():
    page = Page("<p>Ann</p><h1>Tea</h1><p>Bob</p><b>4.00</b>", id="around.html")
    label = {"title": "Tea", "price": "4.00", "reviews": [{"name": "Ann"}, {"name": "Bob"}]}
    (record,) = Example(page, [label]).records
    assert record.values == label


def test_nested_records_follow_each_other():
    with pytest.raises(LabelError, match="must not interleave") as caught:
        Example(NESTED, [{"reviews": [{"name": (27, 30)}, {"name": (15, 18)}]}])
    assert (caught.value.record, caught.value.field) == ("1", "reviews[2].name")
    first = {"title": (4, 7), "reviews": [{"name": (51, 54)}]}
    with pytest.raises(LabelError, match="must not interleave") as caught:
        Example(NESTED, [first, {"title": (40, 43)}])
    assert (caught.value.record, caught.value.field) == ("2", "title")


@pytest.mark.parametrize(
    ("label", "field", "reason"),
    [
        ({"reviews": [{"name": "Zoe"}]}, "reviews[1].name", "'Zoe' was not found"),
        ({"reviews": [{"name": "Ann"}, {"name": 5}]}, "reviews[2].name", "5 is not a span"),
        ({"reviews": [{"name": "Ann"}, "Bob"]}, "reviews", "is not a span"),
        (
            {"reviews": [{"name": "Ann", "replies": [{"text": "Zoe"}]}]},
            "reviews[1].replies[1].text",
            "'Zoe' was not found",
        ),
    ],
)
def test_errors_name_the_path(label, field, reason):
    with pytest.raises(LabelError, match=reason) as caught:
        Example(NESTED, [label])
    assert (caught.value.record, caught.value.field) == ("1", field)


def test_endless_nesting_of_fields_is_refused():
    record = {"name": "Ann"}
    for _ in range(5000):
        record = {"reviews": [record]}
    with pytest.raises(LabelError, match="nested deeper"):
        Example(NESTED, [record])


def test_an_exact_text_further_on_does_not_hide_an_earlier_one_with_tags():
    text = '<p><b>Green</b> tea</p><p>Rum</p><img alt="Green tea">'
    records = Example(Page(text, id="tags.html"), [{"name": "Green tea"}, {"name": "Rum"}]).records
    assert [record.spans["name"].start for record in records] == [6, text.index("Rum")]
