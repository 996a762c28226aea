"""Excerpts of long pages: a wrapper from their beginnings is right on all of them, or not used."""

import pytest

from rowen.landmarks.excerpt import learn_from_excerpts
from rowen.model import Page
from rowen.records import Example


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr("rowen.landmarks.excerpt.EXCERPT_RECORDS", 3)
    monkeypatch.setattr("rowen.landmarks.excerpt.EXCERPT_CHARACTERS", 60)


def page_of(count, extra=""):
    text, rows = "<h1>List</h1><table>", []
    for number in range(count):
        text += "<tr><td>"
        rows.append({"a": (len(text), len(text) + len(f"v{number}"))})
        text += f"v{number}</td>{extra if number > 5 else ''}</tr>\n"
    return text + "</table><p>End</p>", rows


@pytest.mark.parametrize("marked", [3, 40])
def test_the_first_records_teach_what_the_others_confirm(marked):
    text, rows = page_of(40)
    examples = [Example(Page(text, id="p"), rows[:marked], partial=marked < 40)]
    wrapper = learn_from_excerpts(examples)
    assert [record.spans for record in wrapper.extract(text)] == [
        record.spans for record in Example(text, rows).records
    ]
    assert wrapper.evidence.records == marked
    assert wrapper.evidence.shortest == len(text)


def test_a_wrapper_that_is_wrong_further_down_is_not_used():
    text, rows = page_of(40, extra="</tr><tr><td>no record</td>")
    assert learn_from_excerpts([Example(Page(text, id="p"), rows)]) is None


def test_short_pages_have_no_excerpts():
    text, rows = page_of(4)
    assert learn_from_excerpts([Example(Page(text, id="p"), rows)]) is None
