import io
from datetime import date, datetime

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.export import open_writer
from rowen.export import xlsx as xlsx_module
from rowen.model import OutputError, Page
from rowen.records import Record
from rowen.records.schema import Schema

PAGE = Page("Tea £48.00 3 4.5 2026-10-03 2026-10-03T14:30:00+02:00 yes x y =1+1", id="p.txt")
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
        "formula": "text",
        "reviews": {"fields": {"author": "text"}},
    }
)


def at(text):
    start = PAGE.text.index(text)
    return (start, start + len(text))


RECORD = Record(
    PAGE,
    {
        "title": at("Tea"),
        "price": at("£48.00"),
        "count": at("3"),
        "stars": at("4.5"),
        "day": at("2026-10-03"),
        "time": at("2026-10-03T14:30:00+02:00"),
        "sold": at("yes"),
        "tags": [at("x"), at("y")],
        "formula": at("=1+1"),
        "reviews": [{"author": at("x")}, {"author": at("y")}],
    },
).with_schema(SCHEMA)


def written(*records, page=PAGE, **options):
    output = io.BytesIO()
    with open_writer("xlsx", output, **options) as writer:
        writer.write(records, page=page, extractor="shop")
    return openpyxl.load_workbook(output), writer.notes


def test_cells_have_types_and_nested_fields_have_sheets():
    book, notes = written(RECORD, schema=SCHEMA, fields=tuple(SCHEMA))
    assert book.sheetnames == ["shop", "shop reviews"]
    header, row = book["shop"].values
    assert dict(zip(header, row, strict=True)) == {
        "page": "p.txt",
        "title": "Tea",
        "price_amount": 48,
        "price_currency": "GBP",
        "count": 3,
        "stars": 4.5,
        "day": datetime(2026, 10, 3),  # noqa: DTZ001  # Excel has no zones
        "time": datetime(2026, 10, 3, 12, 30),  # noqa: DTZ001
        "sold": True,
        "tags": "x; y",
        "formula": "=1+1",
    }
    assert book["shop"]["C2"].number_format == "0.00"
    assert book["shop"]["K2"].data_type == "s" or book["shop"]["K2"].data_type == "inlineStr"
    assert list(book["shop reviews"].values) == [
        ("page", "title", "author"),
        ("p.txt", "Tea", "x"),
        ("p.txt", "Tea", "y"),
    ]
    assert notes == []


def test_extractors_have_sheets_of_their_own():
    output = io.BytesIO()
    fields = {"one": ["a"], "two": ["b"], "none": ["c"]}
    with open_writer("xlsx", output, fields=fields, name_extractor=True) as writer:
        writer.write([Record(PAGE, {"a": (0, 3)})], page=PAGE, extractor="one")
        writer.write([Record(PAGE, {"b": (0, 3)})], page=PAGE, extractor="two")
    sheets = {sheet.title: list(sheet.values) for sheet in openpyxl.load_workbook(output)}
    assert sheets == {
        "one": [("page", "a"), ("p.txt", "Tea")],
        "two": [("page", "b"), ("p.txt", "Tea")],
        "none": [("page", "c")],
    }


def test_nothing_at_all_is_still_a_workbook():
    output = io.BytesIO()
    with open_writer("xlsx", output):
        pass
    assert openpyxl.load_workbook(output).sheetnames == ["records"]


def test_names_that_excel_forbids_are_changed():
    output = io.BytesIO()
    names = ["a/b", "a:b", "History", "x" * 40, "X" * 40, "''"]
    with open_writer("xlsx", output, fields={name: ["a"] for name in names}):
        pass
    assert openpyxl.load_workbook(output).sheetnames == [
        "a_b",
        "a_b (2)",
        "History (2)",
        "x" * 31,
        "X" * 27 + " (2)",
        "records",
    ]


def test_a_full_sheet_goes_on_in_another(monkeypatch):
    monkeypatch.setattr(xlsx_module, "SHEET_ROWS", 3)
    book, _ = written(*[Record(PAGE, {"a": (0, 3)})] * 5, fields=["a"])
    assert {sheet.title: sheet.max_row for sheet in book} == {
        "shop": 3,
        "shop (2)": 3,
        "shop (3)": 2,
    }


def test_a_text_that_is_too_long_for_a_cell_is_cut_and_reported():
    page = Page("x" * 40_000, id="p.txt")
    book, notes = written(Record(page, {"a": (0, 40_000)}), page=page, fields=["a"])
    assert len(book["shop"]["B2"].value) == 32_767
    assert notes == ["cut 1 texts to 32,767 characters: Excel has no longer cells"]


def test_too_many_columns_are_an_error():
    with pytest.raises(OutputError, match="16,385 columns"):
        written(fields=[f"f{number}" for number in range(16_384)])


@pytest.mark.parametrize(
    ("kind", "text"), [("integer", "123456789012345678"), ("date", "1899-12-31")]
)
def test_what_a_cell_can_not_hold_exactly_is_a_text(kind, text):
    page = Page(text, id="p.txt")
    record = Record(page, {"a": (0, len(text))}, schema={"a": kind})
    book, _ = written(record, page=page, fields=["a"], schema=Schema.of({"a": kind}))
    assert book["shop"]["B2"].value == text


TEXTS = st.text(
    st.sampled_from("ab =+-@,;'\"<&\n\té€𝄞") | st.characters(exclude_categories=["Cc", "Cs"]),
    min_size=1,
    max_size=30,
).filter(lambda text: not any(ord(letter) & 0xFFFF >= 0xFFFE for letter in text))
VALUES = {
    "text": TEXTS.filter(str.strip),
    "integer": st.integers(-(10**14), 10**14).map(str),
    "date": st.dates(min_value=date(1900, 3, 1)).map(date.isoformat),
    "price": st.decimals(0, 10**9, places=2).map(lambda amount: f"EUR {amount}"),
    "boolean": st.sampled_from(["true", "false"]),
}


@settings(deadline=None, max_examples=40)
@given(st.lists(st.fixed_dictionaries(VALUES), max_size=4))
def test_a_workbook_gives_the_values_back(rows):
    schema = Schema.of({name: name for name in VALUES} | {"text": "source"})
    records, text = [], ""
    for row in rows:
        spans = {}
        for name, value in row.items():
            spans[name] = (len(text), len(text) + len(value))
            text += f"{value}|"
        records.append(spans)
    page = Page(text, id="p.txt")
    records = [Record(page, spans, schema=schema) for spans in records]
    book, _ = written(*records, page=page, schema=schema, fields=tuple(VALUES))
    header, *cells = book["shop"].values
    for record, row in zip(records, cells, strict=True):
        got = dict(zip(header, row, strict=True))
        values = record.values
        assert got["text"] == values["text"]
        assert got["integer"] == values["integer"]
        assert got["date"].date() == values["date"]
        assert float(values["price"]["amount"]) == got["price_amount"]
        assert got["price_currency"] == "EUR"
        assert got["boolean"] is values["boolean"]
