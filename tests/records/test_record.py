import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import Page, Record, Records, Span
from rowen.records.reading import value_of
from rowen.records.schema import TEXT, Schema

PAGE = Page("Congo 242, Egypt 20, Spain", id="p1")


def records():
    return Records(
        [
            Record(PAGE, {"country": (0, 5), "code": (6, 9)}),
            Record(PAGE, {"country": (11, 16), "code": [(17, 18), (18, 19)]}),
            Record(PAGE, {"country": (21, 26), "code": None}),
        ]
    )


def test_values_are_the_text_under_the_spans():
    assert [record.values for record in records()] == [
        {"country": "Congo", "code": "242"},
        {"country": "Egypt", "code": ["2", "0"]},
        {"country": "Spain", "code": None},
    ]


def test_spans_of_json_and_of_python_are_the_same():
    assert Record(PAGE, {"code": [6, 9]}) == Record(PAGE, {"code": (6, 9)})
    assert Record(PAGE, {"code": [[6, 9]]}).spans == {"code": [Span(6, 9)]}


def test_the_order_of_fields_does_not_matter_for_equality():
    first = Record(PAGE, {"a": (0, 1), "b": (1, 2)})
    second = Record(PAGE, {"b": (1, 2), "a": (0, 1)})
    assert first == second
    assert len({first, second}) == 1


def test_unknown_is_not_missing():
    assert Record(PAGE, {"a": (0, 1)}) != Record(PAGE, {"a": (0, 1), "b": None})


def test_no_spans_at_all_is_missing():
    assert Record(PAGE, {"a": []}).spans == {"a": None}


@pytest.mark.parametrize("bad", [(0, 99), (-1, 2), (5, 2)])
def test_spans_outside_the_page_are_refused(bad):
    with pytest.raises(ValueError, match="field 'a'.*26 characters"):
        Record(PAGE, {"a": bad})


@pytest.mark.parametrize("bad", ["Congo", 7, (1, 2, 3), (1.0, 2.0), [(1, 2), 3]])
def test_what_is_no_span_is_refused(bad):
    with pytest.raises(TypeError, match="not a span"):
        Record(PAGE, {"a": bad})


def test_a_field_called_children_is_refused():
    with pytest.raises(ValueError, match="children"):
        Record(PAGE, {"children": (0, 1)})


def test_a_record_can_not_be_changed():
    with pytest.raises(AttributeError, match="can't be changed"):
        records()[0].page = Page("x")


def test_extent_reaches_over_children():
    child = Record(PAGE, {"code": (17, 19)})
    assert Record(PAGE, {"country": (0, 5)}, [child]).extent == (0, 19)
    assert Record(PAGE, {"country": None}).extent is None


def test_shifting_moves_every_field_and_every_child():
    child = Record(PAGE, {"code": [(17, 18), (18, 19)], "x": None})
    record = Record(PAGE, {"country": (11, 16)}, [child])
    longer = Page("## " + PAGE.text)
    assert record.shift(3, longer).values == record.values
    assert record.shift(3, longer).children[0].values == child.values


def test_dicts_are_what_the_files_hold():
    record = Record(PAGE, {"country": (0, 5)}, [Record(PAGE, {"code": (6, 9)})])
    assert json.loads(json.dumps(record.to_dict())) == {
        "page": "p1",
        "values": {"country": "Congo"},
        "source": {"country": "Congo"},
        "spans": {"country": [0, 5]},
        "children": [
            {"values": {"code": "242"}, "source": {"code": "242"}, "spans": {"code": [6, 9]}}
        ],
    }


def test_records_are_like_a_list():
    three = records()
    assert len(three) == 3
    assert three[-1].values["country"] == "Spain"
    assert three[1:] == list(three)[1:]
    assert three == list(three)
    assert three[:1] + three[1:] == three
    assert three.fields == ["country", "code"]


def test_a_notebook_shows_a_table_with_everything_escaped():
    page = Page("<b>&", id="page.txt")
    shown = Records([Record(page, {"<i>": (0, 4)}, [Record(page, {"x": (0, 1)})])])._repr_html_()
    assert "<th>&lt;i&gt;</th>" in shown
    assert "<td>&lt;b&gt;&amp;</td>" in shown
    assert "<td>&lt;</td>" in shown


def test_arrow_has_a_column_for_each_field():
    rows = records().to_arrow().to_pylist()
    assert rows[0] == {"page": "p1", "country": "Congo", "code": ["242"]}
    assert rows[2] == {"page": "p1", "country": "Spain", "code": None}


def test_arrow_keeps_children():
    record = Record(PAGE, {"country": (0, 5)}, [Record(PAGE, {"code": (6, 9)})])
    (row,) = Records([record]).to_arrow().to_pylist()
    assert row["children"] == [{"code": "242"}]


def test_arrow_of_nothing_has_its_columns():
    assert Records().to_arrow().column_names == ["page"]
    assert Records(fields=["country"]).to_arrow().column_names == ["page", "country"]


spans = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: tuple(sorted(pair)))
fields = st.dictionaries(st.text(min_size=1), st.none() | spans | st.lists(spans, min_size=1))


SCHEMAS = [None, Schema.of({"a": "number", "b": {"many": True}, "c": {"required": True}})]


@given(
    st.dictionaries(st.sampled_from("abcd"), st.none() | spans | st.lists(spans, min_size=1)),
    st.text("a1 é€😀<>&\\\n\u00ad") | st.text(),
    st.sampled_from(SCHEMAS),
)
def test_values_of_a_whole_record_are_those_of_its_fields(given_fields, text, schema):
    page = Page(f"<p>{text}".ljust(20), id="p.html")
    record = Record(page, given_fields, schema=schema)
    assert record.values == {
        name: value_of(page, where, TEXT if schema is None else schema.field(name))
        for name, where in record.stored()
    }
    assert list(record.values) == list(given_fields)


@given(fields.filter(lambda names: "children" not in names), st.text(min_size=20))
def test_what_is_written_reads_back_the_same(given_fields, text):
    record = Record(Page(text, id="p"), given_fields)
    written = json.loads(json.dumps(record.to_dict()))
    assert Record(Page(text, id="p"), written["spans"]) == record
    assert hash(Record(Page(text, id="p"), written["spans"])) == hash(record)


def test_arrow_takes_half_a_surrogate_pair():
    page = Page("a\ud800", id="\udfff")
    (row,) = Records([Record(page, {"x\ud801": [(0, 2)]})]).to_arrow().to_pylist()
    assert row == {"page": "\ufffd", "x\ufffd": "a\ufffd"}
