"""Fields have the order of the labels, wherever they are shown."""

import json

import pytest
from exported import agree_apart

import rowen
from rowen.extractors.saved import from_dict
from rowen.programs.python import to_python

ROW = "<li><b>{}</b> <i>{}</i></li>"
PAGES = [
    rowen.Page(
        f"<html><ul>{''.join(ROW.format(*row) for row in rows)}</ul></html>", f"{number}.html"
    )
    for number, rows in enumerate(
        ([("Ada", "1815"), ("Alan", "1912")], [("Grace", "1906"), ("Edsger", "1930")])
    )
]


def example(page, rows):
    return rowen.Example(page, [{"year": year, "name": name} for name, year in rows])


EXAMPLES = [
    example(PAGES[0], [("Ada", "1815"), ("Alan", "1912")]),
    example(PAGES[1], [("Grace", "1906"), ("Edsger", "1930")]),
]


@pytest.mark.parametrize(
    "kind", ["lr", "hlrt", "oclr", "hoclrt", "m-lr", "m-hlrt", "token", "region", "auto"]
)
def test_values_tables_files_and_programs_have_the_order_of_the_labels(kind, tmp_path):
    wrapper = rowen.learn(EXAMPLES, kind)
    reopened = from_dict(json.loads(json.dumps(wrapper.to_definition().to_dict())))
    for each in (wrapper, reopened):
        records = each.extract(PAGES[0])
        assert [list(record.values) for record in records] == [["year", "name"]] * 2
        assert records[0].values == {"year": "1815", "name": "Ada"}
        assert records.fields == ["year", "name"]
        assert each.columns == ("year", "name")
    assert reopened.version == wrapper.version
    target = tmp_path / "out.csv"
    with rowen.open_writer("csv", target, fields={"wrapper": wrapper.columns}) as writer:
        writer.write(wrapper.extract(PAGES[0]), page=PAGES[0], extractor="wrapper")
    assert target.read_text("utf-8").splitlines()[:2] == ["page,year,name", "0.html,1815,Ada"]
    assert agree_apart(wrapper, PAGES) == 4


def test_the_delimiters_are_saved_in_the_order_of_the_page():
    saved = rowen.learn(EXAMPLES, "lr").settings()
    assert (saved["fields"], saved["columns"]) == (["name", "year"], ["year", "name"])


def test_the_order_on_the_page_is_not_written_twice():
    swapped = [
        rowen.Example(page, [{"name": n, "year": y} for n, y in rows])
        for page, rows in ((PAGES[0], [("Ada", "1815"), ("Alan", "1912")]),)
    ]
    assert "columns" not in rowen.learn(swapped, "lr").settings()


@pytest.mark.parametrize("columns", [["year"], ["year", "year"], ["year", "other"], [1, 2], "year"])
def test_columns_that_are_not_the_fields_are_refused(columns):
    saved = rowen.learn(EXAMPLES, "lr").to_definition().to_dict()
    saved["columns"] = columns
    with pytest.raises(rowen.errors.ExtractorError, match="'columns'"):
        from_dict(saved)


def test_a_broken_off_list_keeps_the_order():
    wrapper = rowen.learn(EXAMPLES, "lr")
    records = wrapper.extract("<li><b>Ada</b> <i>1815</i><li><b>Alan</b>")
    assert records.failure
    assert [list(record.values) for record in records] == [["year", "name"]]


@pytest.mark.parametrize("kind", ["lr", "token"])
def test_a_repaired_wrapper_keeps_the_order(kind):
    wrapper = rowen.learn(EXAMPLES, kind)
    redesigned = [
        rowen.Page(page.text.replace("<b>", "<em>").replace("</b>", "</em>"), page.id)
        for page in PAGES
    ]
    known = [record for page in PAGES for record in wrapper.extract(page)]
    repaired = rowen.repair(wrapper, redesigned, known).wrapper
    assert list(repaired.extract(redesigned[0])[0].values) == ["year", "name"]


def shop(title, reviews):
    items = "".join(
        f"<div class=review><b>{who}</b> gave <i>{stars}</i></div>" for who, stars in reviews
    )
    return rowen.Page(f"<html><h1>{title}</h1><p>4.00</p>{items}</html>", f"{title}.html")


def test_records_in_records_have_the_order_of_the_labels():
    rows = {"Tea": [("Ann", "4"), ("Bob", "2")], "Milk": [("Cid", "5")], "Rum": [("Dan", "1")]}
    pages = [shop(*row) for row in rows.items()]
    examples = [
        rowen.Example(
            page,
            [
                {
                    "reviews": [{"stars": stars, "by": who} for who, stars in rows[title]],
                    "title": title,
                }
            ],
        )
        for page, title in zip(pages, rows, strict=True)
    ]
    wrapper = rowen.learn(examples)
    (record,) = wrapper.extract(pages[0])
    assert list(record.values) == ["reviews", "title"]
    assert [list(review) for review in record.values["reviews"]] == [["stars", "by"]] * 2
    assert list(wrapper.schema["reviews"].fields) == ["stars", "by"]
    assert agree_apart(wrapper, pages) == 3
    assert "reviews, title" in to_python(wrapper).splitlines()[0]
