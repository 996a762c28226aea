import io
import json

import pytest

from rowen.export import open_writer
from rowen.model import Page
from rowen.records import Record

PAGE = Page("Congo 242\nEgypt 20\n", id="p1.html")


def written(*records, format_="jsonl", page=PAGE, **options):
    output = io.BytesIO()
    with open_writer(format_, output, **options) as writer:
        writer.write(records, page=page, extractor="codes")
    return output.getvalue().decode()


def test_a_line_is_what_the_contract_says():
    page = Page(" " * 78 + "Congo", id="p1.html")
    assert written(Record(page, {"country": (78, 83)}), page=page) == (
        '{"page": "p1.html", "values": {"country": "Congo"}, "source": {"country": "Congo"}, '
        '"spans": {"country": [78, 83]}}\n'
    )


def test_several_extractors_are_distinguished_by_name():
    line = json.loads(written(Record(PAGE, {"country": (0, 5)}), name_extractor=True))
    assert list(line) == ["page", "extractor", "values", "source", "spans"]
    assert line["extractor"] == "codes"


def test_missing_is_null_and_unknown_is_absent():
    line = json.loads(written(Record(PAGE, {"country": None})))
    assert line["values"] == {"country": None}
    assert line["spans"] == {"country": None}


def test_several_values_are_a_list_even_of_one():
    line = json.loads(written(Record(PAGE, {"country": [(0, 5), (10, 15)], "code": [(6, 9)]})))
    assert line["values"] == {"country": ["Congo", "Egypt"], "code": ["242"]}
    assert line["spans"] == {"country": [[0, 5], [10, 15]], "code": [[6, 9]]}


def test_children_are_nested_and_do_not_repeat_the_page():
    child = Record(PAGE, {"code": (6, 9)}, [Record(PAGE, {})])
    line = json.loads(written(Record(PAGE, {"country": (0, 5)}, [child]), name_extractor=True))
    code = {"values": {"code": "242"}, "source": {"code": "242"}, "spans": {"code": [6, 9]}}
    empty = {"values": {}, "source": {}, "spans": {}}
    assert line["children"] == [{**code, "children": [empty]}]


def test_letters_stay_as_they_are_and_lone_surrogates_are_escaped():
    page = Page("é\udc80𝄞", id="ü\ud800")
    line = written(Record(page, {"all": (0, 3)}), page=page)
    assert line.startswith('{"page": "ü\\ud800", "values": {"all": "é\\udc80𝄞"}')
    assert json.loads(line)["values"]["all"] == page.text


def test_nothing_found_is_an_empty_file():
    assert written() == ""


@pytest.mark.parametrize("count", [0, 1, 2, 600])
def test_json_is_one_array_of_the_same_objects(count):
    records = [Record(PAGE, {"country": (0, 5)})] * count
    lines = [json.loads(line) for line in written(*records).splitlines()]
    assert json.loads(written(*records, format_="json")) == lines
    assert len(lines) == count
