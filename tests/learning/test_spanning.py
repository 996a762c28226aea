"""Cells of tables that span rows: their values are those of each record that they reach into."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import Example, LabelError, Page, learn, load
from rowen.text.spanning_cells import SpanningCells

HEAD = "<table><tr><th>Date<th>Time<th>Match</tr>"
ONE = (
    f"{HEAD}<tr><th rowspan=2>3 May</th><td>15:00</td><td><b>Ash - Elm</b></td></tr>"
    "<tr><td>17:30</td><td><b>Oak - Fir</b></td></tr>"
    "<tr><th>4 May</th><td>12:00</td><td><b>Yew - Bay</b></td></tr></table>"
)
TWO = (
    f"{HEAD}<tr><th>9 June</th><td>11:00</td><td><b>Fir - Ash</b></td></tr>"
    "<tr><th ROWSPAN='3'>10 June</th><td>12:00</td><td><b>Elm - Yew</b></td></tr>"
    "<tr><td>13:00</td><td><b>Bay - Oak</b></td></tr>"
    "<tr><td>14:00</td><td><b>Oak - Elm</b></td></tr></table>"
)


def label(*rows):
    return [dict(zip(("date", "time", "match"), row, strict=True)) for row in rows]


LABEL = label(
    ("3 May", "15:00", "Ash - Elm"),
    ("3 May", "17:30", "Oak - Fir"),
    ("4 May", "12:00", "Yew - Bay"),
)
EXPECTED = label(
    ("9 June", "11:00", "Fir - Ash"),
    ("10 June", "12:00", "Elm - Yew"),
    ("10 June", "13:00", "Bay - Oak"),
    ("10 June", "14:00", "Oak - Elm"),
)


def test_a_text_in_a_spanning_cell_may_be_marked_in_each_record_of_its_rows():
    example = Example(ONE, LABEL)
    first, second, third = (record.spans["date"] for record in example.records)
    assert first == second != third
    assert [sorted(names) for names in example.shared] == [[], ["date"], []]


def test_offsets_in_a_spanning_cell_may_be_marked_in_each_record_of_its_rows():
    spans = [record.spans for record in Example(ONE, LABEL).records]
    assert [record.spans for record in Example(ONE, spans).records] == spans


def test_the_same_place_in_two_records_is_an_error_elsewhere():
    page = ONE.replace("rowspan=2", "")
    start = page.index("3 May")
    times = [page.index("15:00"), page.index("17:30")]
    with pytest.raises(LabelError):
        Example(page, [{"date": (start, start + 5), "time": (at, at + 5)} for at in times])


@pytest.mark.parametrize("wrapper_class", ["auto", "token"])
def test_a_value_of_several_rows_is_learned_and_found_in_each_of_them(wrapper_class):
    wrapper = learn([Example(ONE, LABEL)], wrapper_class)
    assert wrapper.warnings == ()
    records = wrapper.extract(TWO)
    assert [record.values for record in records] == EXPECTED
    assert len({record.spans["date"] for record in records}) == 2


def test_a_saved_wrapper_finds_the_same(tmp_path):
    wrapper = learn([Example(ONE, LABEL)])
    wrapper.save(tmp_path / "w.json")
    assert json.loads((tmp_path / "w.json").read_text())["class"] == "spanning"
    assert load(tmp_path / "w.json").extract(TWO) == wrapper.extract(TWO)
    assert "From cells that span several rows: date." in wrapper.explain()


@pytest.mark.parametrize("number", [0, 2])
def test_one_marked_record_is_enough_where_its_cell_spans_rows(number):
    wrapper = learn([Example(TWO, [EXPECTED[number - 1 if number else 1]], partial=True)])
    assert [record.values for record in wrapper.extract(TWO)] == EXPECTED


def test_a_cell_does_not_reach_into_a_record_that_is_marked_without_it():
    marked = [EXPECTED[1], {**EXPECTED[2], "date": None}]
    wrapper = learn([Example(TWO, marked, partial=True)])
    dates = [record.values["date"] for record in wrapper.extract(TWO)]
    assert dates[1:] == ["10 June", None, None]


def test_a_cell_reaches_no_further_than_it_says():
    page = TWO.replace("ROWSPAN='3'", "ROWSPAN='2'")
    wrapper = learn([Example(ONE, LABEL)])
    assert [record.values["date"] for record in wrapper.extract(page)] == [
        *("9 June", "10 June", "10 June"),
        None,
    ]


def test_a_text_that_each_row_has_of_its_own_is_not_shared():
    page = "<table><tr><td rowspan=2>Hall</td><td>15:00</td></tr><tr><td>15:00</td></tr></table>"
    example = Example(page, [{"time": "15:00"}, {"time": "15:00"}])
    assert example.shared == ()
    assert example.records[0].spans != example.records[1].spans


def rows_of(table):
    """The slow way: a grid of rows, each cell written into every row that it spans."""
    grid = [[] for _ in table]
    for number, row in enumerate(table):
        for cell, span in row:
            for below in range(number, min(number + (span or len(table)), len(table))):
                grid[below].append((cell, below == number))
    return grid


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), min_size=1, max_size=5),
    st.sampled_from(["rowspan={}", 'RowSpan="{}"', "rowspan = ' {} '"]),
)
def test_cells_reach_into_the_rows_that_a_grid_has_them_in(spans, attribute):
    named = [
        [(f"c{number}x{at}", span) for at, span in enumerate(row)]
        for number, row in enumerate(spans)
    ]
    page = "<table>" + "".join(
        f"<tr>{''.join(f'<td {attribute.format(span)}>{cell}</td>' for cell, span in row)}</tr>"
        for row in named
    )
    cells = SpanningCells(page)
    for row, whole in zip(named, rows_of(named), strict=True):
        reaching = cells.into(page.index(f">{row[0][0]}<"))
        texts = {page[cell.start : cell.end] for cell in reaching}
        assert texts == {cell for cell, own in whole if not own}


def test_texts_that_mean_missing_are_learned_in_lists():
    row = "<tr><td class=t>{}</td><td class=m>{}</td></tr>"
    page = Page("<table>" + "".join(map(row.format, ["15:00", "tbc", "16:00"], "abc")))
    times = ["15:00", None, "16:00"]
    example = Example(
        page, [{"time": time, "match": match} for time, match in zip(times, "abc", strict=True)]
    )
    wrapper = learn([example], "token")
    assert wrapper.warnings == ()
    other = "<table>" + "".join(map(row.format, ["tbc", "12:10", " tbc "], "xyz"))
    assert [record.values["time"] for record in wrapper.extract(other)] == [None, "12:10", None]
    assert "'tbc' means that it is missing" in wrapper.explain()


def test_a_text_runs_over_formatting_to_the_end_of_its_element():
    page = "<h1>{}</h1><h2 class=s>{}</h2><p>more</p>"
    examples = [
        Example(page.format(*texts), [dict(zip(("title", "sub"), texts, strict=True))])
        for texts in (("Ash", "tall"), ("Box", "dark"))
    ]
    wrapper = learn(examples, "token")
    other = page.format("Fir", "very <em>green</em>,<br>slow")
    assert wrapper.extract(other)[0].values == {"title": "Fir", "sub": "very green, slow"}
    badge = page.format("Fir", "green <span>new</span>")
    assert wrapper.extract(badge)[0].values["sub"] == "green"
