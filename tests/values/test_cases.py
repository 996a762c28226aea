"""The table of cases: texts of many languages, with their value or why they are refused."""

import json
from pathlib import Path

import pytest

from rowen.values.conversion import TYPES, NotConverted, Setting, convert, to_json

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()
]


def name_of(case):
    return f"{case['type']}-{case.get('language', '')}-{case['text']}"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_text_is_the_value_that_a_reader_sees_or_is_refused(case):
    setting = Setting(case.get("language"), case.get("base"))
    if "refused" in case:
        with pytest.raises(NotConverted) as refusal:
            convert(case["text"], case["type"], setting)
        assert case["refused"] in refusal.value.reason
    else:
        value = to_json(convert(case["text"], case["type"], setting))
        assert value == case["value"]
        assert type(value) is type(case["value"])


def test_the_table_has_cases_of_all_types_in_many_languages():
    assert {case["type"] for case in CASES} == set(TYPES) - {"text", "html", "source"}
    assert len({case["language"].partition("-")[0] for case in CASES if "language" in case}) > 25
    assert len(CASES) > 400


@pytest.mark.parametrize("name", ["text", "html", "source"])
def test_texts_stay_as_they_are(name):
    assert convert(" 1 <b>\n", name, Setting()) == " 1 <b>\n"
