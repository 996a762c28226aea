import sqlite3

import pytest

from rowen.export import open_writer
from rowen.model import OutputError, Page
from rowen.records import Record
from rowen.records.schema import Schema

PAGE = Page("Tea £48.50 3 4.5 2026-10-03 2026-10-03T14:30:00+02:00 yes x y", id="p.txt")
SCHEMA = Schema.of(
    {
        "title": "text",
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
    start = PAGE.text.index(text)
    return (start, start + len(text))


RECORD = Record(
    PAGE,
    {
        "title": at("Tea"),
        "price": at("£48.50"),
        "count": at("3"),
        "stars": at("4.5"),
        "day": at("2026-10-03"),
        "time": at("2026-10-03T14:30:00+02:00"),
        "sold": at("yes"),
        "tags": [at("x"), at("y")],
        "reviews": [{"author": at("x"), "stars": at("4.5")}],
    },
).with_schema(SCHEMA)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "records.sqlite"


def rows(file, query):
    connection = sqlite3.connect(file)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def write(file, *records, page=PAGE, **options):
    with open_writer("sqlite", file, **options) as writer:
        writer.write(records, page=page, extractor="shop")


def test_tables_have_the_types_of_the_schema_and_can_be_joined(file):
    write(file, RECORD, schema=SCHEMA, fields=tuple(SCHEMA))
    types = {name: kind for _, name, kind, *_ in rows(file, "PRAGMA table_info(shop)")}
    assert types == {
        "page": "TEXT",
        "record": "INTEGER",
        "title": "TEXT",
        "price_amount": "NUMERIC",
        "price_currency": "TEXT",
        "count": "INTEGER",
        "stars": "REAL",
        "day": "DATE",
        "time": "DATETIME",
        "sold": "BOOLEAN",
        "tags": "TEXT",
    }
    assert rows(file, "SELECT * FROM shop") == [
        (
            "p.txt",
            1,
            "Tea",
            48.5,
            "GBP",
            3,
            4.5,
            "2026-10-03",
            "2026-10-03T14:30:00+02:00",
            1,
            '["x", "y"]',
        )
    ]
    joined = "SELECT title, author, r.stars FROM shop JOIN shop_reviews r USING (page, record)"
    assert rows(file, joined) == [("Tea", "x", 4.5)]


def test_fields_that_are_not_declared_are_texts(file):
    write(file, Record(PAGE, {"a": (0, 3)}), Record(PAGE, {"b": [at("x"), at("y")]}))
    assert rows(file, "SELECT page, a, b FROM shop") == [
        ("p.txt", "Tea", None),
        ("p.txt", None, '["x", "y"]'),
    ]


def test_names_that_sqlite_takes_for_the_same_are_told_apart(file):
    page = Page("ab", id="\ud800")
    record = Record(page, {"Title": (0, 1), "title": (1, 2), 'q"\0': (0, 2)})
    write(file, record, page=page)
    assert rows(file, "SELECT * FROM shop") == [("\ufffd", "a", "b", "ab")]


def test_a_new_file_replaces_one_of_its_own(file):
    write(file, Record(PAGE, {"a": (0, 3)}))
    write(file, Record(PAGE, {"b": (0, 3)}))
    assert rows(file, "SELECT b FROM shop") == [("Tea",)]


def test_the_database_of_another_program_is_not_replaced(file):
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE precious (x)")
    connection.commit()
    connection.close()
    with pytest.raises(OutputError, match="a database that Rowen did not write"):
        write(file, RECORD)
    assert rows(file, "SELECT name FROM sqlite_master") == [("precious",)]
