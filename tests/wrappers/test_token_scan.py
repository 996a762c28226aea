"""The kernel of token wrappers gives what a slow and plain reading of one gives."""

import pytest
import reference_token as reference
from hypothesis import given, settings
from hypothesis import strategies as st

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
    *("<em>", "</em>", "<b>", "</b>", "<sup>"),
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
    mostly("td", "tr", "a", "p", seldom=["/td", "li", "!--", "!doctype", "", "br"]),
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
