"""Adapting the model of citations to annotated references, by library and by command."""

import json

import pytest

import rowen
from rowen.citations.adaptation import adapt, read_annotated
from rowen.model.errors import InputError

NAMES = ("Ada", "Bob", "Eve", "Max", "Kim", "Lea")


def lines(count=30):
    """References in a style of our own, with the texts of their fields."""
    for number in range(count):
        author, year, title = NAMES[number % 6], str(1980 + number), f"Paper number {number}"
        raw = f"{year}|{title}|{author} Stone"
        yield {"raw": raw, "fields": {"date": year, "title": title, "author": f"{author} Stone"}}


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_an_adapted_model_is_no_worse_on_what_is_held_out_and_can_be_used(tmp_path):
    adapted = adapt(read_annotated(written(tmp_path / "my.jsonl", lines())))
    assert adapted.after >= adapted.before
    assert adapted.learned + adapted.held_out == 30
    model = tmp_path / "my.model"
    model.write_bytes(adapted.model)
    (citation,) = rowen.parse_citations(["1999|Paper number 7|Ada Stone"], model=model)
    assert citation.year == "1999"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "'raw'"),
        ('{"raw": "A."}', "'fields'"),
        ('{"raw": "A.", "fields": {"titel": "A"}}', "unknown field 'titel'"),
        ('{"raw": "A.", "fields": {"title": "B"}}', "was not found"),
        ('{"raw": "A.", "fields": {"title": 3}}', "must be a text"),
        ('{"raw": "A.", "spans": [[0, 9]], "labels": ["title"]}', "not a span"),
        ('{"raw": "A.", "spans": [[0, 1]], "labels": []}', "same length"),
    ],
)
def test_a_line_that_is_no_annotated_reference_is_named(tmp_path, line, message):
    path = tmp_path / "my.jsonl"
    path.write_text(line, "utf-8")
    with pytest.raises(InputError, match=message):
        read_annotated(path)


def test_too_few_references_are_refused(tmp_path):
    rows = read_annotated(written(tmp_path / "my.jsonl", lines(5)))
    with pytest.raises(InputError, match="at least 20"):
        adapt(rows)


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "no.model"
    path.write_bytes(b"PK nothing")
    with pytest.raises(InputError, match="not a model"):
        rowen.parse_citations(["A."], model=path)
