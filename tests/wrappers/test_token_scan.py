"""The kernel of token wrappers gives what a slow and plain reading of one gives."""

import pytest
import reference_token as reference
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.programs.parts.cells import place_tags
from rowen.programs.parts.tags import read_tags
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Slot, Tag
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Boundary, Rule, Token

pytestmark = pytest.mark.slow


FIELDS = ["one", "two", "three"]
PIECES = [
    *("<td>", "<td>", "</td>", "<td class=a>", '<TD class=" a  b ">', "<tr>", "</tr>", "<p>"),
    *("<table>", "</table>", "<tr id>", "<br/>", "<a href='x y'>", "<a href=''>", "</a>", "<li>"),
    *("<p a a=1 a=2>", "</p>", "<!-- c -->", "<!doctype html>", "<script>", "</script>", "<"),
    *("<em>", "</em>", "<b>", "</b>", "<sup>", "<td rowspan=2>", '<td colspan=" 2x">'),
    *("<th>", "</th>", "<th rowspan=3 colspan=0>", "<tr>", "<td rowspan=0>"),
]
TEXTS = ["", " ", "x", "x", "y\n z", "\xa0", " xyz ", "\u0142", "\U0001f600 x"]
PAGES = st.lists(
    st.builds(str.__add__, st.sampled_from(PIECES), st.sampled_from(TEXTS)), min_size=5, max_size=30
).map("".join)


def mostly(*usual, seldom):
    """One of the usual choices, four times out of five."""
    return st.sampled_from([*usual] * (4 * len(seldom)) + [*seldom] * len(usual))


TAGS = st.builds(
    Tag,
    mostly("td", "tr", "a", "p", seldom=["/td", "th", "li", "!--", "!doctype", "", "br"]),
    mostly((), seldom=[(("class", "a"),), (("class", "a b"),), (("id", ""),)]),
    mostly(None, seldom=[1, 2]),
)
SLOTS = st.builds(Slot, mostly(None, seldom=["", "x", "y z", "\u0142"]))
LANDMARKS = st.builds(
    lambda tag, before, after: Landmark((tag, *before), tuple(after)),
    TAGS,
    st.just(()) | st.lists(SLOTS | TAGS, max_size=3).map(tuple),
    st.just(()) | st.lists(SLOTS | TAGS, max_size=2).map(tuple),
)
CUTS = st.just(Cut()) | st.builds(
    Cut,
    mostly(None, seldom=["href", "class", "a"]),
    mostly(None, seldom=["x", " ", "", "\u0142", "\U0001f600"]),
    mostly(None, seldom=["z", "y", ""]),
    st.booleans(),
    mostly(None, seldom=["/td", "p", "!--"]),
    st.booleans(),
    mostly(False, seldom=[True]),  # noqa: FBT003  # a choice
    st.booleans(),
    st.booleans(),
    mostly((), seldom=[("x",), ("y z", "\u0142")]),
    mostly((), seldom=[(("td", ""),), (("td", "a"), ("p", "")), (("p", ""), ("a", ""))]),
    st.booleans(),
)
RULES = st.builds(
    Rule,
    LANDMARKS,
    CUTS,
    st.none() | LANDMARKS,
    mostly("all", seldom=["first", "last"]),
    otherwise=st.booleans(),
)
BOUNDARIES = st.builds(Boundary, TAGS, st.none() | TAGS)
SOME = st.lists(st.sampled_from(FIELDS), unique=True)


@st.composite
def wrappers(draw):
    return Token(
        FIELDS,
        rules={name: draw(st.lists(RULES, max_size=3)) for name in FIELDS},
        record=draw(st.none() | BOUNDARIES),
        several=draw(SOME),
        required=draw(SOME | st.just(["one", "unknown"])),
    )


def rows(wrapper, page):
    return [
        [list(map(tuple, spans)) for _, spans in record.items()] for record in wrapper.extract(page)
    ]


@settings(max_examples=200)
@given(wrappers(), st.lists(PAGES, min_size=4, max_size=4))
def test_a_wrapper_gives_the_same_records(wrapper, pages):
    for page in pages:
        assert rows(wrapper, page) == reference.rows(wrapper, page)


TABLE_ROWS = st.sampled_from(["one two three", "one two three", "one two", "two three", "one", ""])
TABLES = st.lists(st.lists(TABLE_ROWS, max_size=4), max_size=3)


@settings(max_examples=300)
@given(TABLES, st.sampled_from([FIELDS, FIELDS[:2], FIELDS[:1], []]))
def test_rows_of_the_same_tables_are_records(tables, required):
    page = "".join(
        f"<table>{''.join(f'<tr>{_cells(row)}</tr>' for row in rows)}</table>" for rows in tables
    )
    wrapper = Token(
        FIELDS,
        rules={name: [Rule(Landmark((Tag(name),)), Cut())] for name in FIELDS},
        record=Boundary(Tag("tr")),
        required=required,
    )
    assert rows(wrapper, page) == reference.rows(wrapper, page)


def _cells(row):
    return "".join(f"<{name}>x</{name}>" for name in row.split())


@given(PAGES, LANDMARKS, BOUNDARIES, RULES, CUTS)
def test_the_parts_of_a_wrapper_find_the_same(page, landmark, boundary, rule, cut):
    outline = Outline(page)
    assert landmark.find(outline).tolist() == reference.find(outline, landmark)
    assert boundary.stretches(outline) == reference.stretches(outline, boundary)
    assert rule.values(outline) == reference.rule_values(outline, rule)
    for tag in range(outline.size):
        assert cut.value(outline, tag) == reference.value(outline, cut, tag)


ROWS = st.lists(
    st.lists(
        st.tuples(st.sampled_from(["td", "th"]), st.integers(0, 3), st.integers(0, 3)), max_size=4
    ),
    min_size=1,
    max_size=5,
)


@given(ROWS)
def test_cells_have_the_places_that_a_painted_grid_gives_them(rows):
    page = "<table>" + "".join(
        f"<tr>{''.join(f'<{n} rowspan={r} colspan={c}>x</{n}>' for n, r, c in row)}</tr>"
        for row in rows
    )
    outline = Outline(page)
    tags = read_tags(page)
    place_tags(page, tags)
    for tag in range(1, outline.size):
        if outline.names[tag] in reference.CELLS:
            expected = reference.place_of(outline, tag)
            assert outline.places[tag] == tags[tag].place == expected


def test_a_cell_has_its_place_in_the_grid_of_its_table():
    page = (
        "<table><tr><td rowspan=2>a<td>b<td>c</tr><tr><td>d<td>e</tr>"
        "<tr><td colspan=2>f<td>g</tr></table>"
    )
    outline = Outline(page)
    third = Landmark((Tag("td", (), 3),))
    slots = [page[slice(*outline.slot(int(tag)))][:1] for tag in third.find(outline)]
    assert slots == ["c", "e", "g"]
