"""The options of tables: nested fields, sources and spans, for `extract` and for `records`."""

import csv
import io

import pyarrow.parquet as pq
import pytest

SHOP = r"""
import re
import rowen

SCHEMA = {
    "title": {"key": True},
    "price": "price",
    "reviews": {"fields": {"author": "text", "stars": "integer"}},
}

@rowen.extractor(schema=SCHEMA, fields=("title", "price", "reviews"), name="shop")
def products(text):
    for product in re.finditer(r"<b>(.+)</b> (£.+):(.*)", text):
        start = product.start(3)
        at = lambda review, group: (start + review.start(group), start + review.end(group))
        reviews = re.finditer(r"(\w+) (\d)", product[3])
        yield {
            "title": product.span(1),
            "price": product.span(2),
            "reviews": [{"author": at(one, 1), "stars": at(one, 2)} for one in reviews],
        }
"""


@pytest.fixture
def shop(folder):
    (folder / "shop.py").write_text(SHOP)
    (folder / "site").mkdir()
    (folder / "site" / "a.html").write_text("<b>Tea &amp; Co</b> £4.50: Ada 5, Alan 4\n")
    (folder / "empty").mkdir()
    (folder / "empty" / "a.html").write_text("<p>nothing</p>\n")
    return folder


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


MAIN = {"page": "a.html", "title": "Tea & Co", "price_amount": "4.50", "price_currency": "GBP"}
REVIEWS = [
    {"page": "a.html", "title": "Tea & Co", "author": "Ada", "stars": "5"},
    {"page": "a.html", "title": "Tea & Co", "author": "Alan", "stars": "4"},
]


@pytest.mark.usefixtures("shop")
def test_nested_fields_are_left_out_with_a_note_that_q_silences(command):
    answer = command("extract", "shop:products", "site", "-f", "csv")
    assert answer.returncode == 0
    assert rows(answer.stdout) == [MAIN]
    assert answer.stderr == (
        "rowen: nested fields are left out; --table writes one of them: reviews\n"
    )
    assert command("extract", "shop:products", "site", "-f", "csv", "-q").stderr == ""


@pytest.mark.usefixtures("shop")
def test_a_nested_field_is_written_with_the_keys_of_its_record(command):
    answer = command("extract", "shop:products", "site", "-f", "csv", "--table", "reviews")
    assert answer.stderr == ""
    assert rows(answer.stdout) == REVIEWS


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("-f", "csv", "--table", "price"),
            "'price' is not a nested field: the nested fields are reviews",
        ),
        (("-f", "xlsx", "--table", "reviews", "-o", "x.xlsx"), "for csv and tsv only"),
        (("--source",), "jsonl has both anyway"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_any_work(command, shop, options, message):
    answer = command("extract", "shop:products", "site", *options)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.count("\n") == 1
    assert message in answer.stderr
    assert not (shop / "x.xlsx").exists()


@pytest.mark.usefixtures("shop")
def test_sources_and_spans_are_columns(command):
    answer = command("extract", "shop:products", "site", "-q", "-f", "csv", "--source", "--spans")
    (row,) = rows(answer.stdout)
    assert row["title_source"] == "Tea &amp; Co"
    assert (row["title_start"], row["title_end"]) == ("3", "15")
    assert row["price_source"] == "£4.50"


@pytest.mark.usefixtures("shop")
def test_a_store_has_the_same_tables(command):
    assert command("run", "shop:products", "--snapshot", "site", "--store", "store").returncode == 0
    stored = ("records", "--store", "store", "-q", "-f", "csv")
    assert rows(command(*stored).stdout) == [MAIN]
    assert rows(command(*stored, "--table", "reviews").stdout) == REVIEWS


def test_a_run_that_finds_nothing_has_the_same_columns_and_types(command, shop):
    schemas = []
    for folder in ("site", "empty"):
        run = ("run", "shop:products", "--snapshot", folder, "--store", f"{folder}-store")
        assert command(*run).returncode == 0
        command("records", "--store", f"{folder}-store", "-o", f"{folder}.parquet")
        command("extract", "shop:products", folder, "-o", f"{folder}-extract.parquet")
        schemas += [pq.read_schema(shop / f"{folder}{which}.parquet") for which in ("", "-extract")]
    fields = ["title", "price_amount", "price_currency", "reviews"]
    assert schemas[0].names == ["snapshot", "extractor", "page", "key", *fields]
    assert schemas[1].names == ["page", *fields]
    assert schemas[:2] == schemas[2:]
