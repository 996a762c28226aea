"""The values in a page's data as they are listed beside the page."""

import json

from hypothesis import given
from hypothesis import strategies as st

from rowen.model import Page
from rowen.views.data_values import BARE_CHARACTERS, NESTED_GROUPS, VALUE_CHARACTERS, VALUES_SHOWN
from rowen.views.view import view_of

KEYS = st.text("abcxyz_ \N{SNOWMAN}", min_size=1, max_size=4)
SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=12),
    st.integers(),
    st.booleans(),
    st.none(),
    st.just("long " * VALUE_CHARACTERS),
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def data_of(text):
    return view_of(Page(text, id="page"))["data"]


def script(data, *, ascii_only=True):
    written = json.dumps(data, ensure_ascii=ascii_only).replace("<", "\\u003c")
    return f'<script type="application/json" id="state">{written}</script>'


def rows(node):
    """Each row's key, the place of its value, and the text that is shown of it."""
    if not node or not isinstance(node, list):
        return
    if node[1].get("data-rowen-part") == "row":
        (_, _, key), (_, about, text, *cut) = node[2:]
        start, end = map(int, about["data-rowen-value"].split())
        assert [said["x"] for said in cut] in ([], ["\N{HORIZONTAL ELLIPSIS}"])
        assert bool(cut) == (len(text["x"]) == VALUE_CHARACTERS < end - start)
        yield key["x"], (start, end), text, about["data-rowen-name"]
    for child in node[2:]:
        yield from rows(child)


def depth(node):
    return 1 + max(map(depth, node[2:]), default=0) if isinstance(node, list) else 0


def said(data, key=None):
    """What is to be listed of some data: each leaf's key and what it says."""
    if isinstance(data, dict):
        for name, inner in data.items():
            yield from said(inner, name)
    elif isinstance(data, list):
        for number, inner in enumerate(data, 1):
            yield from said(inner, str(number))
    elif isinstance(data, bool):
        yield key, "true" if data else "false"
    elif data is not None and str(data).strip():
        yield key, str(data)


@given(data=st.dictionaries(KEYS, DATA, max_size=5), ascii_only=st.booleans())
def test_every_value_is_listed_in_order_with_its_exact_place(data, ascii_only):
    text = f"<p>Text</p>{script(data, ascii_only=ascii_only)}"
    listed = list(rows(data_of(text)["tree"] or []))
    expected = list(said(data))
    assert [(key, shown["x"]) for key, _, shown, _ in listed] == [
        (key, value[:VALUE_CHARACTERS]) for key, value in expected
    ]
    for (_, (start, end), shown, _), (_, value) in zip(listed, expected, strict=True):
        source = text[start:end]
        assert source == value or json.loads(f'"{source}"') == value
        places = [*shown["m"]]
        assert places[1] == start
        assert places[-1] <= end
        assert places[-1] == end or len(value) > VALUE_CHARACTERS
        assert places[::3] == sorted(set(places[::3]))


def test_groups_have_short_names_and_fields_those_of_their_record():
    page = script({"props": {"page": {"items": [{"brand": {"name": "Ada"}, "price": 3}]}}})
    data = data_of(page)
    assert [(key, name) for key, _, _, name in rows(data["tree"])] == [
        ("name", "brand_name"),
        ("price", "price"),
    ]
    assert "props.page.items.1" in json.dumps(data["tree"])


def test_data_of_programs_comes_before_meta_tags_and_technical_ones_are_left_out():
    data = data_of(
        '<meta name="viewport" content="width=9"><meta property="og:title" content="Lamp &amp; co">'
        '<script type="application/ld+json">{"@type": "Product", "name": "Lamp"}</script>'
        "<script>var shop = {open: true}</script>"
    )
    listed = [(key, text["x"]) for key, _, text, _ in rows(data["tree"])]
    assert listed == [
        ("@type", "Product"),
        ("name", "Lamp"),
        ("open", "true"),
        ("og:title", "Lamp & co"),
    ]
    assert data["shown"] == 4
    assert data["in_scripts"] == 3


def test_a_page_without_data_has_no_list():
    data = data_of("<p>Text</p>")
    assert data["tree"] is None
    assert not data["bare"]


def test_a_page_is_bare_where_its_scripts_draw_it():
    shell = '<nav>{menu}</nav><div id="root">{text}</div><script src="app.js"></script>'
    long = "word " * BARE_CHARACTERS
    assert data_of(shell.format(menu="", text=""))["bare"]
    assert data_of(shell.format(menu=long, text="Loading"))["bare"]
    assert not data_of(shell.format(menu="", text=long))["bare"]
    assert not data_of("<p>Short, but all there is.</p>")["bare"]
    assert data_of(f"<body><noscript>{long}</noscript><script>draw()</script>")["bare"]


def test_no_more_than_the_limit_is_listed_and_the_view_says_so():
    data = data_of(script([{"n": n} for n in range(VALUES_SHOWN + 5)]))
    assert data["shown"] == VALUES_SHOWN
    assert data["more"]
    assert sum(1 for _ in rows(data["tree"])) == VALUES_SHOWN
    assert not data_of(script([{"n": n} for n in range(VALUES_SHOWN - 5)]))["more"]


def test_data_that_nests_deeply_makes_no_deep_view():
    nested = "end"
    for level in range(100):
        nested = {"a": nested, "b": level}
    data = data_of(script(nested))
    assert data["shown"] == 101
    assert depth(data["tree"]) <= 2 * NESTED_GROUPS + 8
