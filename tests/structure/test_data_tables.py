"""Tables in the data of pages: beside a slow reference, on random data, and with hostile input."""

import json

import pytest
from exported import agree
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rowen
from rowen import Page
from rowen.structure.data_tables import KEYED, LEAST, NODES, _objects, data_tables
from rowen.text.data import PageData
from rowen.wrappers.data.path import EACH, Each

SCALARS = st.sampled_from([1, 2.5, "a", "b c", "", True, None])
KEYS = st.sampled_from(["a", "b", "c", "x1", "x2", "x3"])
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=14,
)


def script(data, kind="application/json", name="state"):
    return f'<script type="{kind}" id="{name}">{json.dumps(data)}</script>'


def alike(values, least):
    """Whether values are objects that have half of their keys in common with the first."""
    objects = [value for value in values if isinstance(value, dict)]
    if not objects or (len(values) >= least and len(objects) < least):
        return False
    first = set(objects[0])
    return all(2 * len(first & set(other)) >= min(len(first), len(other)) for other in objects[1:4])


def lists_of(value, path=()):
    """The path of each object in a list, by recursion over plain data."""
    if isinstance(value, list):
        for element in value:
            if alike(value, LEAST) and isinstance(element, dict):
                yield (*path, EACH)
            yield from lists_of(element, (*path, EACH))
    elif isinstance(value, dict):
        numbered = sum(any(map(str.isdigit, key)) for key in value)
        is_list = alike(list(value.values()), KEYED) and 2 * numbered > len(value)
        for key, member in value.items():
            step = Each(keyed=True) if is_list else key
            if is_list and isinstance(member, dict):
                yield (*path, step)
            yield from lists_of(member, (*path, step))


@settings(max_examples=200)
@given(DATA)
def test_lists_are_those_of_a_recursion_over_plain_data(data):
    assume(isinstance(data, list | dict))
    roots = PageData(Page(script(data))).of("json")
    found = [path for root in roots for path, _ in _objects(root, NODES)]
    assert sorted(map(str, found)) == (sorted(map(str, lists_of(data))) if roots else [])


ROWS = st.lists(
    st.tuples(st.integers(0, 999), st.text("abä<é", min_size=1, max_size=6).map("n{}".format)),
    min_size=3,
    max_size=6,
    unique_by=(lambda row: row[0], lambda row: row[1]),
)


@st.composite
def pages_of_lists(draw):
    """A page with a list in a script, in one of the ways that sites write it, and its rows."""
    rows = draw(ROWS)
    things = [{"id": number, "info": {"label": name}} for number, name in rows]
    way = draw(st.sampled_from(["json", "ld", "variable", "keyed", "pushed"]))
    if way == "json":
        text = script({"props": {"hits": things, "total": len(things)}})
    elif way == "ld":
        text = "".join(
            script({"@type": "Thing", **thing}, "application/ld+json", f"t{number}")
            for number, thing in enumerate(things)
        )
    elif way == "variable":
        text = f"<script>window.state = {json.dumps({'hits': things})};</script>"
    elif way == "keyed":
        text = script({"hits": {f"Hit:{thing['id']}": thing for thing in things}})
    else:
        row = json.dumps(["$", "div", None, {"hits": things}], ensure_ascii=False)
        sent = json.dumps(f"1:null\n5:{row}\n6:[]\n")
        text = f"<script>self.__next_f.push([1,{sent}])</script>"
    return f"<html><body><p>An app</p>{text}</body></html>", rows


@settings(max_examples=60)
@given(pages_of_lists())
def test_the_values_of_random_lists_are_found_and_the_saved_program_agrees(made):
    text, rows = made
    tables = [
        (wrapper, [record.values for record in wrapper.extract(text)])
        for wrapper in data_tables([Page(text)])
    ]
    (wrapper, records), *_ = [
        pair for pair in tables if set(pair[0].fields) >= {"id", "info"}
    ] or tables
    names = list(wrapper.fields)
    wanted = [[str(number), name.strip()] for number, name in rows]
    found = [[str(record[name]).strip() for name in names] for record in records]
    assert sorted(found) == sorted(wanted)
    agree(wrapper, [text, "<p>no data</p>", text.replace("hits", "other")])


BOOKS = [{"id": n, "title": f"Book {n}", "author": {"name": f"Person {n}"}} for n in range(1, 9)]


def test_data_is_the_first_table_where_the_page_shows_none_and_a_later_one_where_it_does():
    data = script({"menu": [{"t": "Home", "u": "/"}, {"t": "All", "u": "/all"}], "hits": BOOKS})
    first, *_ = rowen.discover([f"<html><body><div>Loading</div>{data}</body></html>"])
    assert first.wrapper().wrapper_class == "data"
    assert [column.name for column in first.columns] == ["id", "title", "author_name"]
    rows = "".join(f"<li><b>{book['title']}</b> <i>{book['author']['name']}</i>" for book in BOOKS)
    shown = rowen.discover([f"<html><body><ul>{rows}</ul>{data}</body></html>"])
    assert shown[0].wrapper().wrapper_class == "region"
    assert "data" in [table.wrapper().wrapper_class for table in shown[:3]]


def test_one_mark_in_pushed_rows_is_learned_and_finds_the_list():
    row = json.dumps(["$", "ul", None, {"hits": BOOKS}])
    sent = json.dumps(f"5:{row}\n")
    page = Page(f"<p>x</p><script>self.__next_f.push([1,{sent}])</script>")
    marks = [{"title": f"Book {n}", "name": f"Person {n}"} for n in (1, 2)]
    wrapper = rowen.learn([rowen.Example(page, marks, partial=True)], "data")
    assert [record.values["title"] for record in wrapper.extract(page)] == [
        book["title"] for book in BOOKS
    ]


def test_saved_tables_of_data_find_the_records_of_other_pages(tmp_path):
    page = f"<div>x</div>{script({'hits': BOOKS})}"
    table, *_ = rowen.discover([page])
    table.wrapper().save(tmp_path / "books.json")
    wrapper = rowen.load(tmp_path / "books.json")
    other = script({"hits": [{"title": "New", "id": 77, "author": {"name": "Who"}}]})
    assert [record.values for record in wrapper.extract(other)] == [
        {"id": 77, "title": "New", "author_name": "Who"}
    ]


@pytest.mark.parametrize(
    "text",
    [
        script([]),
        script([{}] * 50),
        "<script>self.__next_f.push([1,'5:[[[')</script>" * 50,
        '<script>self.__next_f.push([1,"' + "5:[\\n" * 3_000 + '"])</script>',
        '<script>self.__next_f.push([1,"5:{\\"a\\":1}\\n", 7])</script>',
        "<script>x.push([" + "[" * 300 + "]" * 300 + "])</script>",
        script([{f"k{n}": n for n in range(500)}] * 3),
        script({"a": [{"b": [{"c": [{"d": n}, {"d": 2}]}, {"c": []}]} for n in range(30)]}),
    ],
    ids=range(8),
)
def test_hostile_data_stays_in_bounds(text):
    for table in rowen.discover([text]):
        assert len(table.records) >= 2
