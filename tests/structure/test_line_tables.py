"""Tables of lines of text: beside slow references, on random tables, and with hostile input."""

from itertools import pairwise

import pytest
from exported import agree
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rowen
from rowen import Page
from rowen.structure.line_tables import CROSSED, NARROW, _gaps, line_tables
from rowen.wrappers.lines import SEPARATORS, Line, blocks_of

WORDS = st.sampled_from(["Oak", "Elm", "Ash-tree", "Fir", "Hornbeam", "Yew", "a", "Nut"])


def lines_of(text):
    return [line for block in blocks_of(text) for line in block]


def is_blank_in_most(lines, at):
    """Sign by sign: whether words of few lines are at a place."""
    crossing = sum(at < len(line.text) and not line.text[at].isspace() for line in lines)
    return crossing <= CROSSED * len(lines)


@given(st.lists(st.text("ab  \t", max_size=12), min_size=3, max_size=9))
def test_each_gap_is_blank_in_nearly_all_lines_and_has_words_at_both_sides(texts):
    lines = [Line(text, 0, None) for text in texts]
    width = max(map(len, texts))
    blank = [is_blank_in_most(lines, at) for at in range(width)]
    edges = _gaps(lines)
    words = [at for at in range(width) if not blank[at]]
    wanted, at = [], words[0] + 1 if words else width
    while words and at < words[-1]:
        run = at
        while blank[run]:
            run += 1
        if run - at > (0 if len(lines) >= NARROW else 1):
            wanted.append(range(at, run))
        at = run + 1
    assert len(edges) == len(wanted)
    assert all(edge in run for edge, run in zip(edges, wanted, strict=True))


def after_blanks(text, at, separator):
    while at < len(text) and text[at].isspace() and text[at] != separator:
        at += 1
    return at


def end_of_quoted(text, at):
    """The mark that ends a text in quotation marks; two of them stand for one."""
    while at < len(text):
        if text[at : at + 2] == '""':
            at += 2
        elif text[at] == '"':
            return at
        else:
            at += 1
    return None


def cells_one_by_one(text, separator):
    """Sign by sign; a cell in quotation marks ends at the mark before a separator or the end."""
    cells, at = [], 0
    while at <= len(text):
        start = after_blanks(text, at, separator)
        is_quoted = text[start : start + 1] == '"'
        mark = end_of_quoted(text, start + 1) if is_quoted else None
        end = None if mark is None else after_blanks(text, mark + 1, separator)
        if end is not None and text[end : end + 1] in ("", separator):
            cells.append(text[start + 1 : mark])
        else:
            end = at
            while end < len(text) and text[end] != separator:
                end += 1
            cells.append(text[at:end])
        at = end + 1
    return [cell.strip() for cell in cells]


@settings(max_examples=200)
@given(st.text('a";,|\t ', max_size=16), st.sampled_from(SEPARATORS))
@example('a;"b;c" ;d', ";")
@example('"a""b",c', ",")
@example('"a"b,c', ",")
def test_cells_are_those_of_the_signs_one_by_one(text, separator):
    found = [
        "" if cell is None else text[slice(*cell)] for cell in Line(text, 0, None).cells(separator)
    ]
    assert found == cells_one_by_one(text, separator)


@st.composite
def tables(draw):
    """Rows of two texts and a number, as they are set in columns or between separators."""
    rows = draw(st.lists(st.tuples(WORDS, WORDS, st.integers(0, 99)), min_size=6, max_size=9))
    assume(all(len({row[place] for row in rows}) > 1 for place in range(3)))
    texts = [[one, other, f"{number}.50"] for one, other, number in rows]
    separator = draw(st.sampled_from(["", ";", "|", "\t"]))
    if separator:
        lines = [separator.join(row) for row in texts]
    else:
        lines = [f"{one:<12}{other:<14}{number:>6}" for one, other, number in texts]
    header = (
        "Tree        Other tree     Sum"
        if not separator
        else f"Tree{separator}Other tree{separator}Sum"
    )
    text = "\n".join([header, *lines])
    page = draw(st.sampled_from(["{}", "<h1>Trees</h1><pre>\n{}\n</pre><p>Foot</p>"]))
    return page.format(text), texts


@settings(max_examples=40)
@given(tables())
def test_the_values_of_random_tables_are_found_and_the_saved_program_agrees(made):
    text, rows = made
    (wrapper, records), *_ = line_tables([Page(text)])
    found = [[text[slice(*span)] for _, (span,) in record.items()] for record in records]
    assert found == rows
    assert wrapper.fields == ("tree", "other_tree", "sum")
    assert agree(wrapper, [text, f"{text}\n\n\n", "<p>no lines</p>"]) >= len(rows)


LISTING = """<html><body><h1>Index of /data</h1><pre>
<a href="a.csv">a.csv</a>          2024-01-05 10:00   12K
<a href="bb.csv">bb.csv</a>         2024-02-15 09:30  1.5M
<a href="c.txt">c.txt</a>          2023-12-31 23:59    4K
<a href="notes.md">notes.md</a>       2024-03-01 00:00  700
</pre></body></html>"""


def test_dates_are_one_column_and_the_wrapper_finds_the_lines_of_other_pages(tmp_path):
    tables = rowen.discover([LISTING])
    table = next(table for table in tables if table.wrapper().wrapper_class == "lines")
    assert [column.samples[0] for column in table.columns] == ["a.csv", "2024-01-05 10:00", "12K"]
    assert table.columns[1].type in ("date", "datetime")
    table.wrapper().save(tmp_path / "listing.json")
    other = LISTING.replace("a.csv", "z.csv")
    records = rowen.load(tmp_path / "listing.json").extract(other)
    assert [len(records), next(iter(records[0].values.values()))] == [4, "z.csv"]


def test_a_drawn_line_says_where_columns_are_and_its_header_names_them():
    rows = [" 1  Ada Berg        12", " 2  Bo              7", " 10 Cy Novak       101"]
    text = "\n".join(["Pl  Name        Points", "--  ----------  ------", *rows])
    table, *_ = rowen.discover([f"<pre>{text}</pre>"])
    assert [column.name for column in table.columns] == ["pl", "name", "points"]
    assert [column.samples for column in table.columns][2] == ("12", "7", "101")


PROSE = """One day, a fox went out to hunt.
It saw a crow; the crow sat high in an old elm.
Between them, there was some cheese, it seemed.
Nobody knows what they said, or when.
So the cheese fell down, and both were gone;
the elm is still there, the people say.
Whoever sings, must not have a full mouth.
"""


def test_prose_is_no_table():
    assert not list(line_tables([Page(PROSE), Page(f"<pre>{PROSE}</pre>")]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "<pre>",
        "<pre>" * 300 + "a  b\n" * 3,
        "|||||\n" * 5,
        '"' * 2_000 + "\n" + '";' * 900,
        " ".join("ab" * 700) + "\n" * 3,
        "a  b\n" * 20_000,
        "<pre>&#0;  &bogus;  x\n<b>  </i>  y\n\x00  \ud800  z\n</pre>",
    ],
    ids=range(9),
)
def test_hostile_lines_stay_in_bounds(text):
    for wrapper, records in line_tables([Page(text)]):
        assert len(records) >= 3
        assert len(wrapper.fields) >= 2


@settings(max_examples=50)
@given(st.lists(st.text("ab1.;,\t| -\n", max_size=15), max_size=12).map("\n".join))
def test_any_lines_have_tables_whose_records_are_disjoint(text):
    for _, records in line_tables([Page(text)]):
        spans = sorted(
            (span.start, span.end) for r in records for _, own in r.items() for span in own
        )
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
