"""The ready recognizers on what is hard to tell: true instances, and what only looks like one."""

import tomllib
from pathlib import Path

import pytest

from rowen.learning.recognizers.library import ready, ready_names
from rowen.model import ExtractionError

STRINGS = tomllib.loads(Path(__file__).with_name("recognized.toml").read_text("utf-8"))


def cases(kind):
    return [(name, instance) for name, table in STRINGS.items() for instance in table.get(kind, ())]


def test_each_ready_recognizer_has_hard_cases():
    assert set(STRINGS) == set(ready_names())


def test_a_ready_recognizer_is_made_once_whatever_its_soundness():
    shared = ready("person").source
    assert ready("person", soundness="perfect").source is shared
    assert ready("person").soundness == "unreliable"
    author = ready("person", field="author")
    assert author.source is not shared  # its messages name another field
    assert ready("person", field="author") is author


@pytest.mark.parametrize(("name", "instance"), cases("found"))
def test_what_is_one_is_found_whole(name, instance):
    for text in (instance, f"<b>{instance}</b>", f"see: {instance} ; then", f"({instance})"):
        assert [span.of(text) for span in ready(name).find(text)] == [instance]


@pytest.mark.parametrize(("name", "instance"), cases("refused"))
def test_what_only_looks_like_one_is_not(name, instance):
    for text in (instance, f"<b>{instance}</b>", f"see: {instance} ; then"):
        assert ready(name).find(text) == []


@pytest.mark.parametrize(("name", "instance"), cases("missed"))
def test_what_is_known_to_be_missed_still_is(name, instance):
    text = f"see: {instance} ; then"
    assert instance not in [span.of(text) for span in ready(name).find(text)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "piece"), cases("hostile"))
def test_hostile_text_takes_no_longer_than_any_other(name, piece):
    text = piece * (250_000 // len(piece)) + "!"
    try:
        ready(name).find(text)  # its pattern gives up with an error when it takes too long
    except ExtractionError as error:
        assert "instances" in str(error)  # noqa: PT017  # it need not fail


def test_years_of_a_range_are_found_and_those_of_dates_are_not():
    text = "1999-2001, but 2019-01-05"
    assert [span.of(text) for span in ready("year").find(text)] == ["1999", "2001"]


def test_a_date_before_a_time_is_one():
    text = "<time>2020-01-05T10:00</time>"
    assert [span.of(text) for span in ready("date").find(text)] == ["2020-01-05"]
