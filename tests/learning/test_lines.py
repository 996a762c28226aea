"""Text in columns of characters: what is learned from a row, and what lines are records."""

import time

import pytest
from effort import cases
from exported import agree
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.wrappers.lines import Column, Lines, blocks_of

WEATHER = """Station      Name              Temp   Wind
--------------------------------------------
KBOS         Boston Logan      12.5   NW 10
KJFK         New York JFK      14.0   W 5
KSEA         Seattle Tacoma     9.1   SE 20
KDEN         Denver            -3.0
KLAX         Los Angeles       22.4   calm
"""
BOSTON = {"station": "KBOS", "name": "Boston Logan", "temp": "12.5", "wind": "NW 10"}
PAGES = [WEATHER, f"<h1>Weather</h1><pre>\n{WEATHER}</pre><p>End of 5 lines</p>"]


def learned(text, record):
    return rowen.learn([rowen.Example(text, [record], partial=True)])


def values(wrapper, text):
    return [record.values for record in wrapper.extract(text)]


@pytest.mark.parametrize("text", PAGES, ids=["text", "html"])
def test_one_marked_line_is_enough(text, tmp_path):
    wrapper = learned(text, BOSTON)
    assert wrapper.wrapper_class == "lines"
    assert not wrapper.warnings
    found = values(wrapper, text)
    assert [record["station"] for record in found] == ["KBOS", "KJFK", "KSEA", "KDEN", "KLAX"]
    assert [record["wind"] for record in found] == ["NW 10", "W 5", "SE 20", None, "calm"]
    assert "temp: characters 31 to 36 of the line, as a rule with a digit" in wrapper.explain()
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert values(loaded, text) == found
    assert loaded.explain() == wrapper.explain()
    assert agree(wrapper, PAGES) == 10


@pytest.mark.parametrize("text", PAGES, ids=["text", "html"])
def test_one_marked_line_is_enough_beside_pages_without_labels(text):
    other = text.replace("KBOS", "EGLL").replace("Boston Logan", "Heathrow    ")
    example = rowen.Example(text, [BOSTON], partial=True)
    wrapper = rowen.learn([example], pages=[text, other])
    assert wrapper.wrapper_class == "lines"
    assert [len(wrapper.extract(page)) for page in (text, other)] == [5, 5]


def test_without_a_rule_heads_are_told_by_digits():
    text = WEATHER.replace("-" * 44 + "\n", "")
    assert [record["station"] for record in values(learned(text, BOSTON), text)] == [
        "KBOS",
        "KJFK",
        "KSEA",
        "KDEN",
        "KLAX",
    ]


FILES = [
    ("a-1.0.tar.gz", "2020-01-02 10:00", "1.2M"),
    ("b&amp;c.zip", "2021-03-02 09:12", "13K"),
    ("notes.txt", "2019-11-12 23:00", "512"),
]


def listing(files):
    rows = ""
    for name, date, size in files:
        width = 24 - len(name.replace("&amp;", "&"))
        rows += f'<img src="/x.gif"> <a href="{name}">{name}</a>{" " * width}{date}  {size:>4}  \n'
    return (
        '<pre>     <a href="?C=N">Name</a>                  Last modified       Size  <hr>'
        f'<img src="/b.gif"> <a href="/">Parent</a>                -  \n{rows}</pre>'
    )


def test_tags_and_references_in_lines_take_no_room():
    text = listing(FILES)
    start, date, size = (
        text.index(value) for value in (">a-1.0.tar.gz", "2020-01-02 10:00", " 1.2M")
    )
    label = {
        "name": (start + 1, start + 13),
        "date": (date, date + 16),
        "size": (size + 1, size + 5),
    }
    wrapper = learned(text, label)
    assert wrapper.wrapper_class == "lines"
    assert [tuple(record.values()) for record in values(wrapper, text)] == [
        (name.replace("&amp;", "&"), date, size) for name, date, size in FILES
    ]
    assert agree(wrapper, [text, listing(FILES[1:])]) == 5


def test_prose_has_no_columns():
    text = "He came in the dark of the year.\nNobody saw him at the gate.\nIt was in 1804.\n" * 3
    wrapper = learned(text, {"word": "came"})
    assert wrapper.wrapper_class != "lines"


def test_hostile_text_is_read_in_linear_time():
    begun = time.process_time()
    for text in (
        "<pre" * 200_000,
        "<pre>" * 100_000,
        "<pre>" + "&lt;" * 200_000,
        "<pre><" * 99_999,
    ):
        Lines(["a"], places={"a": Column(0, 4)}).extract(text)
    assert time.process_time() - begun < 30


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ([4, 2, False], "'places' must have"),
        (["0", 2, False], "'places' must have"),
        ([0, None], "'places' must have"),
        (None, "'places' must have"),
    ],
)
def test_saved_wrappers_are_checked(place, message):
    saved = learned(WEATHER, BOSTON).to_definition().to_dict()
    saved["places"] = {**saved["places"], "name": place}
    with pytest.raises(rowen.errors.ExtractorError, match=message):
        rowen.extractors.saved.from_dict(saved)


WORDS = st.text("abcxyz", min_size=1, max_size=6)
NAMES = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
NUMBERS = st.integers(0, 9999).map(str)
ROWS = st.lists(st.tuples(NUMBERS, NAMES, NUMBERS), min_size=4, max_size=8)


@given(ROWS, st.integers(14, 18), st.sampled_from(["", "Total of all\n"]))
@settings(max_examples=cases(60, 2000), deadline=None)
def test_columns_that_are_filled_to_one_width_are_found_from_any_line(rows, width, foot):
    lines = [f"{code:<6}{name:<{width}}{count:>6}" for code, name, count in rows]
    text = "\n".join(lines) + "\n" + foot
    places = [0, 6, 6 + width]
    start = text.index("\n") + 1
    label = {}
    for field, place, value in zip(("code", "name", "count"), places, rows[1], strict=True):
        at = text.index(value, start + place)
        label[field] = (at, at + len(value))
    wrapper = learned(text, label)
    assert wrapper.wrapper_class == "lines"
    assert [tuple(record.values()) for record in values(wrapper, text)] == rows
    assert agree(wrapper, [text, text.replace("a", "&amp;"), f"<pre>{text}</pre>"]) >= 2 * len(rows)


@given(st.text("ab <>&;/pre\n\r1", max_size=60))
@settings(max_examples=cases(200, 5000), deadline=None)
def test_each_character_of_a_line_has_its_place(text):
    for block in blocks_of(text):
        for line in block:
            for at, sign in enumerate(line.text):
                low, high = line.source(at, at + 1)
                assert text[low:high] == sign or text[low] == "&"
    wrapper = Lines(["a", "b"], places={"a": Column(0, 2), "b": Column(3, None, digits=True)})
    agree(wrapper, [text, f"<pre>{text}"])
