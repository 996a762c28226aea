"""The columns of tables come from the schema, and nothing that records hold changes them."""

from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import Page, Record, Records
from rowen.records.columns import text_of
from rowen.records.schema import Field, Schema
from rowen.records.table import tables_of
from rowen.records.written import Written, content_of
from rowen.values.conversion import TYPES

SHOP = Page(
    "<h1>Tom &amp; Jerry</h1> £48.00 (3) 4.5 2026-10-03 2026-10-03T14:30:00+02:00 yes "
    "<i>x</i>;<i>y</i>",
    id="https://shop.example/a",
)
SCHEMA = Schema.of(
    {
        "title": {"key": True},
        "price": "price",
        "count": "integer",
        "stars": "number",
        "day": "date",
        "time": "datetime",
        "sold": "boolean",
        "tags": {"many": True},
        "reviews": {"fields": {"author": "text", "stars": "number"}},
    }
)


def at(text):
    start = SHOP.text.index(text)
    return (start, start + len(text))


RECORD = Record(
    SHOP,
    {
        "title": at("Tom &amp; Jerry"),
        "price": at("£48.00"),
        "count": at("(3)"),
        "stars": at("4.5"),
        "day": at("2026-10-03"),
        "time": at("2026-10-03T14:30:00+02:00"),
        "sold": at("yes"),
        "tags": [at("x"), at("y")],
        "reviews": [{"author": at("x"), "stars": at("4.5")}, {"author": at("y"), "stars": None}],
    },
).with_schema(SCHEMA)


def test_a_table_has_typed_columns_and_flat_names():
    table = Records([RECORD], schema=SCHEMA).to_arrow()
    review = pa.struct([("author", pa.string()), ("stars", pa.float64())])
    assert dict(zip(table.schema.names, table.schema.types, strict=True)) == {
        "page": pa.string(),
        "title": pa.string(),
        "price_amount": pa.decimal128(38, 10),
        "price_currency": pa.string(),
        "count": pa.int64(),
        "stars": pa.float64(),
        "day": pa.date32(),
        "time": pa.timestamp("us"),
        "sold": pa.bool_(),
        "tags": pa.list_(pa.string()),
        "reviews": pa.list_(review),
    }
    assert table.to_pylist() == [
        {
            "page": "https://shop.example/a",
            "title": "Tom & Jerry",
            "price_amount": Decimal("48.00"),
            "price_currency": "GBP",
            "count": 3,
            "stars": 4.5,
            "day": date(2026, 10, 3),
            "time": datetime(2026, 10, 3, 12, 30),  # noqa: DTZ001  # UTC, in a column without zones
            "sold": True,
            "tags": ["x", "y"],
            "reviews": [{"author": "x", "stars": 4.5}, {"author": "y", "stars": None}],
        }
    ]


def test_no_records_have_the_same_columns():
    schema = Records([RECORD], schema=SCHEMA).to_arrow().schema
    assert Records(schema=SCHEMA).to_arrow().schema == schema


def test_sources_and_spans_are_further_columns():
    table = Records([RECORD], schema=SCHEMA).to_arrow(source=True, spans=True)
    (row,) = table.to_pylist()
    assert row["title_source"] == "Tom &amp; Jerry"
    assert SHOP.text[row["price_start"] : row["price_end"]] == row["price_source"] == "£48.00"
    places = zip(row["tags_start"], row["tags_end"], strict=True)
    assert [SHOP.text[start:end] for start, end in places] == row["tags_source"] == ["x", "y"]
    assert row["reviews"][0]["author_source"] == "x"
    assert row["reviews"][1]["stars_start"] is None


def test_a_field_that_has_the_name_of_a_column_gets_another():
    schema = Schema.of({"page": "text", "price": "price", "price_amount": "text"})
    names = Records(schema=schema).to_arrow().column_names
    assert names == ["page", "page_", "price_amount", "price_currency", "price_amount_"]


def test_several_values_do_not_change_a_column_that_the_schema_says_is_single():
    schema = Schema.of({"title": "text", "stars": "number"})
    spans = {"title": [at("x"), at("y")], "stars": [at("4.5"), at("48.00")]}
    record = Record(SHOP, spans, schema=schema)
    (row,) = Records([record], schema=schema).to_arrow().to_pylist()
    assert row["title"] == "x; y"
    assert row["stars"] == 4.5


def rows_of(table, record=RECORD):
    rows = table.rows(Written(SHOP.id, "shop", 2, content_of(record)))
    names = [column.name for column in table.all_columns]
    return [dict(zip(names, row, strict=True)) for row in rows]


def test_nested_rows_have_the_keys_of_their_record():
    main, reviews = tables_of(SCHEMA)
    assert (main.name, reviews.name) == ("", "reviews")
    assert "reviews" not in {column.name for column in main.all_columns}
    assert rows_of(reviews) == [
        {"page": SHOP.id, "title": "Tom & Jerry", "author": "x", "stars": 4.5},
        {"page": SHOP.id, "title": "Tom & Jerry", "author": "y", "stars": None},
    ]


def test_without_keys_they_have_the_number_of_the_record_which_has_it_too():
    schema = Schema.of({"title": "text", "reviews": {"fields": {"title": "text"}}})
    record = Record(SHOP, {"title": at("x"), "reviews": [{"title": at("y")}]}).with_schema(schema)
    main, reviews = tables_of(schema)
    assert rows_of(main, record) == [{"page": SHOP.id, "record": 2, "title": "x"}]
    assert rows_of(reviews, record) == [{"page": SHOP.id, "record": 2, "title": "y"}]


def test_a_nested_field_with_the_name_of_a_parents_key_is_told_apart():
    schema = Schema.of({"title": {"key": True}, "reviews": {"fields": {"title": "text"}}})
    record = Record(SHOP, {"title": at("x"), "reviews": [{"title": at("y")}]}).with_schema(schema)
    _, reviews = tables_of(schema)
    assert rows_of(reviews, record) == [{"page": SHOP.id, "title": "x", "reviews_title": "y"}]


def test_tables_nest_to_any_depth():
    replies = Field(fields=Schema.of({"text": "text"}))
    reviews = Field(fields=Schema({"author": Field(), "replies": replies}))
    schema = Schema({"title": Field(key=True), "reviews": reviews})
    deep = {"author": at("y"), "replies": [{"text": at("yes")}, {"text": at("4.5")}]}
    record = Record(SHOP, {"title": at("x"), "reviews": [{"author": at("x")}, deep]})
    tables = {table.name: table for table in tables_of(schema)}
    assert list(tables) == ["", "reviews", "reviews.replies"]
    assert rows_of(tables["reviews.replies"], record.with_schema(schema)) == [
        {"page": SHOP.id, "title": "x", "reviews_number": 2, "text": "yes"},
        {"page": SHOP.id, "title": "x", "reviews_number": 2, "text": "4.5"},
    ]
    assert rows_of(tables["reviews"], record.with_schema(schema))[1]["reviews_number"] == 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (3, "3"),
        (0.5, "0.5"),
        (Decimal("48.00"), "48.00"),
        (["a", "b"], "a; b"),
        (["a;b", "c"], '["a;b", "c"]'),
        (["[a"], '["[a"]'),
        ([""], '[""]'),
        ([], ""),
    ],
)
def test_a_value_as_the_text_of_a_cell(value, text):
    assert text_of(value) == text


TEXTS = st.text(st.sampled_from("12.,-/:€£$ abTyesno\n<>&;"), max_size=30)
FIELDS = st.fixed_dictionaries({"type": st.sampled_from(TYPES), "many": st.booleans()}) | st.just(
    {"fields": {"inner": "number"}}
)
SCHEMAS = st.dictionaries(st.sampled_from("abcd"), FIELDS, min_size=1, max_size=4).map(Schema.of)


@st.composite
def runs(draw, schema):
    """The records of one run of an extractor with a schema, on any page."""
    page = Page(draw(TEXTS), id="p.html")
    spans = st.tuples(*[st.integers(0, len(page.text))] * 2).map(sorted)
    places = st.none() | spans | st.lists(spans, min_size=1, max_size=3)
    nested = st.lists(st.fixed_dictionaries({"inner": places}), min_size=1, max_size=2)
    fields = {
        name: nested if field.fields is not None else places for name, field in schema.items()
    }
    records = draw(st.lists(st.fixed_dictionaries({}, optional=fields), max_size=4))
    return Records([Record(page, spans) for spans in records]).with_schema(schema)


@given(st.data())
def test_the_types_of_a_table_are_those_of_any_other_run(data):
    schema = data.draw(SCHEMAS)
    extras = {"source": data.draw(st.booleans()), "spans": data.draw(st.booleans())}
    first, second = data.draw(runs(schema)), data.draw(runs(schema))
    expected = Records(schema=schema).to_arrow(**extras).schema
    assert first.to_arrow(**extras).schema == second.to_arrow(**extras).schema == expected


@given(st.data())
def test_the_source_in_a_table_is_what_stands_at_its_span(data):
    schema = data.draw(SCHEMAS)
    records = data.draw(runs(schema))
    rows = records.to_arrow(source=True, spans=True).to_pylist()
    for record, row in zip(records, rows, strict=True):
        _check_places(schema, record.page.text, row)


def _check_places(schema, text, row):
    for name, field in schema.items():
        if field.fields is not None:
            for inner in row[name] or ():
                _check_places(field.fields, text, inner)
            continue
        source, start, end = (row[f"{name}_{part}"] for part in ("source", "start", "end"))
        if start is None:
            assert source is end is None
        elif field.many:
            places = zip(start, end, strict=True)
            assert [text[begin:stop] for begin, stop in places] == source
        else:
            assert text[start:end] == source
