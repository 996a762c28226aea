import re
from itertools import product

import pytest
from contradiction import contradiction, texts_over
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen import (
    Dictionary,
    ExtractionError,
    ExtractorError,
    Pattern,
    Relation,
    Segments,
    WholePage,
    Window,
)
from rowen.extractors import relation
from rowen.testing import check_locality

PAGE = """\
Meetings this week.
CS 105, 2pm: discuss CIM.
Later on the same day, in a room on another floor, there is one in CS 310, 4pm. Topics: IR, CIM.
"""


def rooms():
    return Pattern(r"(?P<room>CS \d{3})", name="rooms")


def times():
    return Pattern(r"\b(?P<time>\d{1,2}[ap]m)\b", name="times")


def topics():
    return Dictionary(["CIM", "IR"], field="topic")


def values(records):
    return [record.values for record in records]


def test_rooms_and_times_are_paired_within_a_distance():
    meetings = Relation({"room": rooms(), "time": times()}, distance=30)
    assert values(meetings.extract(PAGE)) == [
        {"room": "CS 105", "time": "2pm"},
        {"room": "CS 310", "time": "4pm"},
    ]


def test_all_pairs_means_all_pairs():
    meetings = Relation({"room": rooms(), "time": times()}, distance=1000)
    assert len(meetings.extract(PAGE)) == 4


def test_nearest_gives_each_room_its_time():
    meetings = Relation({"room": rooms(), "time": times()}, distance=1000, pairing="nearest")
    assert values(meetings.extract(PAGE)) == [
        {"room": "CS 105", "time": "2pm"},
        {"room": "CS 310", "time": "4pm"},
    ]


def test_many_values_are_gathered():
    talks = Relation(
        {"room": rooms(), "time": times(), "topics": topics()},
        distance=60,
        pairing="nearest",
        many=["topics"],
    )
    assert values(talks.extract(PAGE)) == [
        {"room": "CS 105", "time": "2pm", "topics": ["CIM"]},
        {"room": "CS 310", "time": "4pm", "topics": ["IR", "CIM"]},
    ]


def test_optional_fields_may_be_missing():
    talks = Relation({"room": rooms(), "time": times()}, distance=9, optional=["time"])
    assert values(talks.extract("CS 105 has no time")) == [{"room": "CS 105", "time": None}]


def test_within_keeps_records_inside_a_segment():
    across = "CS 105\n2pm"
    parts = {"room": rooms(), "time": times()}
    assert len(Relation(parts, distance=50).extract(across)) == 1
    assert len(Relation(parts, distance=50, within="\n").extract(across)) == 0


def test_locality_follows_from_the_parts():
    words = {"a": Dictionary(["aa"]), "b": Dictionary(["bbb"])}
    assert Relation(words, distance=50).locality == Window(50, 3)
    assert Relation(words, distance=50, pairing="nearest").locality == Window(50, 53)
    lines = {"room": rooms(), "time": times()}
    assert Relation(lines, distance=50).locality == WholePage()
    near = {"room": Pattern(r"CS (?P<room>\d{3})"), "time": Pattern(r"(?P<time>\d [ap]m)")}
    assert Relation(near, distance=50).locality == WholePage()
    assert Relation(near, distance=50).grain == Window(50, 3)
    keys = {"a": Pattern(r"(?P<a>\w+)="), "b": Pattern(r"(?P<b>\d+)%")}
    assert Relation(keys, distance=50).grain == WholePage()
    assert Relation(keys, distance=50, within="\n<").grain == Segments("\n<")
    assert Relation(lines, distance=50, within="\n").locality == Segments("\n")


def test_a_part_with_other_fields_is_refused():
    two = Pattern("(?P<a>x)(?P<b>y)", name="two")
    with pytest.raises(ExtractorError, match="'two' has no field 'room'; its fields are a, b"):
        Relation({"room": two, "time": times()}, distance=5)


@pytest.mark.parametrize(
    "options",
    [
        {"distance": 0},
        {"distance": 5, "pairing": "some"},
        {"distance": 5, "many": ["place"]},
        {"distance": 5, "optional": ["room"]},
    ],
)
def test_bad_options_are_refused(options):
    with pytest.raises(ExtractorError, match="'relation'"):
        Relation({"room": rooms(), "time": times()}, **options)


def test_one_field_is_no_relation():
    with pytest.raises(ExtractorError, match="at least two"):
        Relation({"room": rooms()}, distance=5)


def test_what_is_no_extractor_is_refused():
    with pytest.raises(ExtractorError, match="needs an extractor"):
        Relation({"room": rooms(), "time": "times"}, distance=5)


def test_an_explosion_of_pairs_is_stopped(monkeypatch):
    monkeypatch.setattr(relation, "RELATION_RECORDS", 100)
    with pytest.raises(ExtractionError, match="lower its distance"):
        Relation({"room": rooms(), "time": times()}, distance=10**6).extract("CS 105 2pm " * 50)


def test_a_function_can_be_a_part():
    @rowen.extractor
    def ones(text):
        yield from ({"x": (place, place + 1)} for place, mark in enumerate(text) if mark == "1")

    (record,) = Relation({"one": ones, "room": rooms()}, distance=20).extract("1 CS 105")
    assert record.values == {"one": "1", "room": "CS 105"}


def letters(letter):
    return Pattern(f"(?P<{letter}>{letter}+)", name=letter)


def slowly(text, fields, distance):
    """Every combination of runs of letters that fits."""
    runs = [[record.spans[field] for record in letters(field).extract(text)] for field in fields]
    return {
        combination
        for combination in product(*runs)
        if max(end for _, end in combination) - min(start for start, _ in combination) <= distance
    }


@given(st.text("abc.\n", max_size=25), st.integers(1, 12))
def test_all_pairs_are_those_that_trying_all_finds(text, distance):
    fields = ["a", "b", "c"]
    related = Relation({field: letters(field) for field in fields}, distance=distance)
    records = related.extract(text)
    pairs = [tuple(record.spans[field] for field in fields) for record in records]
    assert set(pairs) == slowly(text, fields, distance)
    assert len(pairs) == len(set(pairs))


@given(
    st.lists(st.text("ab cd\n", max_size=30), min_size=1, max_size=3),
    st.integers(2, 12),
    st.sampled_from(["all", "nearest"]),
    st.sampled_from([(), ("c",)]),
    st.sampled_from([(), ("b",)]),
    st.sampled_from([None, "\n"]),
)
def test_its_locality_holds(pages, distance, pairing, many, optional, within):
    parts = {
        "a": Dictionary(["a", "aa"], words=False),
        "b": Dictionary(["b"]),
        "c": Dictionary(["c", "cd"], words=False),
    }
    related = Relation(
        parts, distance=distance, pairing=pairing, many=many, optional=optional, within=within
    )
    assert isinstance(related.locality, Window)
    check_locality(related, pages, trials=8)


@given(st.lists(st.text("ab \n", max_size=30), min_size=1, max_size=3), st.integers(2, 12))
def test_its_segments_hold(pages, distance):
    related = Relation(
        {"a": letters("a"), "b": letters("b")}, distance=distance, within="\n", pairing="nearest"
    )
    assert related.locality == Segments("\n")
    check_locality(related, pages)


@rowen.extractor(locality=Window(6, 0), fields=["x"])
def pairs(text):
    """Two digits with up to four characters between them: one field, two spans."""
    for match in re.finditer(r"(?=(\d)\D{0,4}(\d))", text):
        yield {"x": [match.span(1), match.span(2)]}


@pytest.mark.parametrize("pairing", ["all", "nearest"])
@pytest.mark.parametrize("options", [{}, {"optional": ["y"]}, {"many": ["y"]}, {"within": "b"}])
def test_a_span_hangs_on_all_of_the_record_that_it_is_of(pairing, options):
    letters = Dictionary(["a"], field="y", words=False)
    for first in (pairs, Dictionary(["bb"], words=False), Pattern("(?P<x>b)(?=1)")):
        parts = {"x": first, "y": letters}
        related = Relation(parts, distance=3, pairing=pairing, **options)

        def rows(text, related=related):
            rows_found = set()
            for record in related.extract(text):
                spans = [value for name in related.fields for value in spans_of(record, name)]
                rows_found.add(tuple(spans))
            return rows_found

        assert contradiction(rows, related.grain, texts_over("ab1", 5)) is None


def spans_of(record, name):
    return [span for field, spans in record.items() if field == name for span in spans] or [
        (-1, -1)
    ]
