"""Data frames read records as flat columns, and their types do not depend on what is missing."""

import pickle
import re
import sys
from dataclasses import dataclass
from decimal import Decimal
from html import unescape
from importlib.resources import files

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rowen
from rowen import Page, Record, Records
from rowen.elements.page_drawing import KINDS
from rowen.model import UsageError
from rowen.records.schema import Schema

SAMPLES = files("rowen.samples")
PAGE = Page("<b>Tea &amp; Co</b> £48.00 3 2026-10-03 yes", id="a.html")
SCHEMA = Schema.of(
    {"title": "text", "price": "price", "count": "integer", "day": "date", "sold": "boolean"}
)


def at(text):
    start = PAGE.text.index(text)
    return (start, start + len(text))


FULL = {
    "title": at("Tea &amp; Co"),
    "price": at("£48.00"),
    "count": at("3"),
    "day": at("2026-10-03"),
    "sold": at("yes"),
}


def records(*spans):
    return Records([Record(PAGE, own, schema=SCHEMA) for own in spans], schema=SCHEMA)


NAMES = ["page", "title", "price_amount", "price_currency", "count", "day", "sold"]


def test_pandas_has_flat_columns_that_compute():
    frame = records(FULL, FULL).to_pandas()
    assert list(frame) == NAMES
    assert frame["price_amount"].sum() == Decimal("96.00")
    assert (frame["price_amount"] * 1.5).tolist() == [72, 72]
    assert frame["day"].dt.year.tolist() == [2026, 2026]


def test_types_in_pandas_do_not_depend_on_what_is_missing():
    missing = dict.fromkeys(FULL)
    types = [records(*rows).to_pandas().dtypes.tolist() for rows in ([FULL], [FULL, missing], [])]
    assert types[0] == types[1] == types[2]


def test_a_data_frame_of_records_has_flat_columns():
    frame = pd.DataFrame(records(FULL, FULL))
    assert list(frame) == NAMES
    assert frame["title"].tolist() == ["Tea & Co"] * 2
    assert frame["price_currency"].tolist() == ["GBP"] * 2


def test_a_data_frame_of_records_without_a_schema_keeps_lists_and_nested_records():
    spans = {"tags": [at("Tea"), at("Co")], "reviews": [{"count": at("3")}]}
    frame = pd.DataFrame(Records([Record(PAGE, spans)]))
    assert frame.to_dict("records") == [
        {"page": "a.html", "tags": ["Tea", "Co"], "reviews": [{"count": "3"}]}
    ]


def test_polars_has_the_same_columns():
    frame = records(FULL).to_polars()
    assert frame.columns == NAMES
    assert frame["price_amount"].to_list() == [Decimal("48.00")]
    assert pl.DataFrame(records(FULL)).columns == NAMES


def test_duckdb_reads_records_by_their_name():
    shop = records(FULL, FULL)  # noqa: F841  # DuckDB finds it by its name
    assert duckdb.sql(
        "SELECT sum(price_amount), max(day) - DATE '2026-10-01' FROM shop"
    ).fetchall() == [(Decimal("96.00"), 2)]


def test_arrow_reads_the_stream():
    shop = records(FULL)
    assert pa.table(shop).equals(shop.to_arrow())


def test_a_row_is_a_mapping_and_a_field_is_found_by_its_name_too():
    (record,) = records(FULL)
    assert dict(record)["price_amount"] == Decimal("48.00")
    assert record["price"] == {"amount": Decimal("48.00"), "currency": "GBP"}
    with pytest.raises(KeyError):
        record["author"]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_package_is_named(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=f"pip install {package}"):
        getattr(records(FULL), f"to_{package}")()


@dataclass
class Shop:
    title: str


def test_records_can_be_pickled_with_their_schema():
    shop = records(FULL)
    copy = pickle.loads(pickle.dumps(shop))
    assert copy == shop
    assert copy.schema == SCHEMA
    assert copy.to_dicts() == shop.to_dicts()


def test_a_schema_keeps_a_model_that_can_be_imported_and_drops_another():
    @dataclass
    class Local:
        title: str

    assert pickle.loads(pickle.dumps(Schema.of(Local))).model is None
    schema = Schema.of(Shop)
    assert schema.model is Shop
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_a_notebook_shows_prices_lists_and_nested_records():
    schema = Schema.of(
        {"price": "price", "tags": {"many": True}, "reviews": {"fields": {"n": "integer"}}}
    )
    spans = {"price": at("£48.00"), "tags": [at("Tea"), at("Co")], "reviews": [{"n": at("3")}]}
    shown = Records([Record(PAGE, spans).with_schema(schema)], schema=schema)._repr_html_()
    assert "<td>48.00 GBP</td>" in shown
    assert "<td>Tea<br>Co</td>" in shown
    assert "<th>n</th>" in shown
    assert "<td>3</td>" in shown


def test_wrappers_and_reports_show_in_a_notebook_with_everything_escaped(tmp_path):
    page = Page("<b>Congo</b><b>Egypt</b>", id="<i>.html")
    wrapper = rowen.learn([rowen.Example(page, [{"name": "Congo"}, {"name": "Egypt"}])], "lr")
    for shown in (
        wrapper._repr_html_(),
        rowen.check(wrapper, [page])._repr_html_(),
        rowen.check(wrapper, [Page("<i>Peru</i>", id="<i>.html")])._repr_html_(),
        rowen.Store(tmp_path / "store").run([wrapper], [page])._repr_html_(),
        rowen.read_paper(
            b"A <b>Study</b>\n\nAda Lovelace\n\nAbstract\n\nWe study.\n"
        )._repr_html_(),
    ):
        assert "<table>" in shown
        assert "<i>" not in outside_of_frames(shown)
        assert "<b>Study" not in shown
        assert "<script" not in shown
    assert "name: text" in wrapper._repr_html_()


HOSTILE = (
    "<script>alert(1)</script><b onclick=alert(2)>Congo</b><img src=x onerror=alert(3)>"
    "</iframe>\"'><script>alert(4)</script><b>Egypt</b>"
)


def outside_of_frames(shown):
    """What a notebook gets as HTML of its own: the source of a frame is one quoted attribute."""
    return re.sub(r'srcdoc="[^"]*"', "", shown)


def test_a_page_in_a_notebook_is_in_a_frame_that_runs_nothing():
    page = Page(HOSTILE, id='"><script>.html')
    wrapper = rowen.learn([rowen.Example(page, [{"name": "Congo"}, {"name": "Egypt"}])])
    for shown in (wrapper._repr_html_(), wrapper.extract(page)._repr_html_()):
        (frame,) = re.findall("<iframe [^>]*>", shown)
        assert 'sandbox=""' in frame
        assert "default-src &#x27;none&#x27;" in frame
        rest = outside_of_frames(shown)
        assert "<script" not in rest
        assert "onerror" not in rest
        assert rest.count("<iframe") == rest.count("</iframe>") == 1
        assert "Congo" in shown
    # The values are marked on the page, and nothing of the page is left out.
    source = unescape(re.search(r'srcdoc="([^"]*)"', shown)[1])
    assert source.count("background:#ffe08a") == 2
    unmarked = re.sub(r'<span title="name" style="[^"]*">(.*?)</span>', r"\1", source)
    assert unmarked.partition('img-src data:">')[2] == HOSTILE


def test_a_plain_page_keeps_its_lines_in_a_notebook():
    rooms = rowen.Pattern(r"(?P<room>CS \d+)")
    shown = rooms.extract("a & b\nCS 105 > CS 31\n")._repr_html_()
    source = unescape(re.search(r'srcdoc="([^"]*)"', shown)[1])
    assert re.search("<pre [^>]*>a &amp; b\n<span", source)


def test_long_pages_and_saved_wrappers_are_shown_without_a_page(tmp_path):
    page = Page("<b>Congo</b>" + " " * 200_000, id="long.html")
    wrapper = rowen.learn([rowen.Example(page, [{"name": "Congo"}])], "lr")
    assert "<iframe" not in wrapper._repr_html_()
    wrapper.save(tmp_path / "w.json")
    assert "<iframe" not in rowen.load(tmp_path / "w.json")._repr_html_()
    assert "<table>" in rowen.load(tmp_path / "w.json")._repr_html_()


def test_a_run_shows_how_many_pages_changed_as_a_bar(tmp_path):
    rooms = rowen.Pattern(r"(?P<room>CS \d+)", name="rooms")
    store = rowen.Store(tmp_path / "store")
    store.run([rooms], [Page("CS 1", id="a"), Page("CS 2", id="b")])
    shown = store.run([rooms], [Page("CS 1", id="a"), Page("CS 3", id="b")])._repr_html_()
    assert "1 unchanged</div>" in shown
    assert "1 changed</div>" in shown
    assert "snapshot 1</b>: 2 pages" in shown


def test_a_paper_shows_where_its_parts_are_on_its_pages():
    shown = rowen.read_paper(SAMPLES / "papers" / "jose.00050.pdf")._repr_html_()
    assert shown.count("<svg") == 3
    for kind in ("paragraph", "heading", "citation"):
        assert shown.count(f'fill="{KINDS[kind]}"') > 3
    for left, bottom, width, height in re.findall(
        r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', shown
    ):
        assert int(left) + int(width) <= 597
        assert int(bottom) + int(height) <= 843
