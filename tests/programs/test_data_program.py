"""The program for data on pages, beside what Rowen reads, on random pages."""

import hypothesis.strategies as st
import pytest
from effort import cases
from exported import agree
from hypothesis import example, given, settings

from rowen.model import Page
from rowen.programs.parts import items, meta, scripts  # noqa: F401  # note what they read
from rowen.programs.parts.data import PageData as ReadData
from rowen.programs.parts.document import read_document
from rowen.programs.parts.literals import Scanner
from rowen.programs.parts.open_elements import Element
from rowen.text import tree as html_tree
from rowen.text.data import ORIGINS, Kind, PageData
from rowen.text.data.tree import DATA_DEPTH, scan_value
from rowen.wrappers.data.path import EACH, Each, Where
from rowen.wrappers.data.source import Source
from rowen.wrappers.data.wrapper import Data, Rule

LEAVES = (Kind.STRING, Kind.NUMBER, Kind.BOOLEAN)
CONTAINERS = {Kind.OBJECT: "object", Kind.ARRAY: "array"}


def tree_of(tree, node):
    """A node of Rowen's tree as nested tuples; what is no data has no place."""
    kind = tree.kind(node)
    leaf = kind in LEAVES
    name = CONTAINERS.get(kind, "leaf" if leaf else "nothing")
    place = None if name == "nothing" else tuple(tree.span(node))
    children = [tree_of(tree, child) for child in tree.children(node)]
    return name, place, tree.key(node), tree.says(node) if leaf else "", children


def tree_read(node):
    """The same of the program's tree."""
    place = None if node.kind == "nothing" else node.place
    return node.kind, place, node.key, node.text, [tree_read(child) for child in node.children]


def same_data(page):
    """Whether both read the same data of a page, of all origins."""
    ours, read = PageData(Page(page)), ReadData(page)
    for origin in ORIGINS:
        assert [(root.names, root.types, tree_read(root.node)) for root in read.roots(origin)] == [
            (root.names, root.types, tree_of(root.tree, root.node)) for root in ours.of(origin)
        ]


LITERALS = [
    *("{", "}", "[", "]", ",", ":", "a", "b:", "'s'", '"t"', '"k":', "1", "-2.5", ".5", "-.", "1e"),
    *(
        "true",
        "null",
        "undefined",
        "void 0",
        "!0",
        "`q`",
        "`${x}`",
        "(",
        ")",
        "/",
        "//c\n",
        "/*d*/",
    ),
    *(
        "/*d*/",
        "x+1",
        "...y",
        "\\",
        "'",
        '"',
        "\n",
        " ",
        "f(1)",
        "/r[/]/",
        "é",
        ";",
        "\\u00f6",
        r"'\'x'",
    ),
]


@settings(max_examples=cases(800, 100_000))
@given(
    st.lists(st.sampled_from(LITERALS), max_size=14).map("".join),
    st.sampled_from(["{", "[", "{a:", '[{"b":', ""]),
    st.sampled_from(["}", "]", "}]", ""]),
)
@example('"a', "[", "]")
@example("1 /* c", "[", "]")
def test_literals_are_read_as_the_kernel_reads_them(middle, opening, closing):
    text = opening + middle + closing
    scanner = Scanner(text, 0, len(text))
    node = scanner.read()
    tree, stop = scan_value(text, 0, len(text))
    assert (node is None) == (tree is None)
    if node is not None:
        assert (tree_read(node), scanner.at) == (tree_of(tree, 0), stop)


@pytest.mark.parametrize("depth", [DATA_DEPTH, DATA_DEPTH + 1])
def test_data_that_nests_too_deep_is_no_data_for_both(depth):
    text = "[" * depth + "]" * depth
    tree, _ = scan_value(text, 0, len(text))
    assert (Scanner(text, 0, len(text)).read() is None) == (tree is None) == (depth > DATA_DEPTH)


SCRIPTS = [
    *("<script>", "</script>", "<script type='application/ld+json'>", ";", "x = y == {a:1}", "=>"),
    *("<script type=application/json id=d data-x data-y='&amp;'>", "window['s'] = ", "<!--", "-->"),
    *("var a = {b: [1,'x']};", '{"@type":"Product","name":"L\\u00f6we"}', "dataLayer.push({e:1})"),
    *('[{"@graph":[{"@type":["A","http://x/B"]}]}]', 'JSON.parse(\'{"k":"v\\\\u00e9"}\')'),
    *('JSON.parse("[1,{\\"a\\":\\"\\\\n\\"}]")', "JSON.parse(`[1]`)", "<meta name content=x>"),
    *("<meta name=a content='b &amp; c'>", "<meta property='og:t' name=q content=d>", "<![CDATA["),
    *("<meta name=a content=''>", "<META NAME=a CONTENT=z/>"),
]


@settings(max_examples=cases(300, 30_000))
@given(st.lists(st.sampled_from(SCRIPTS), max_size=16).map("".join))
def test_data_in_scripts_and_meta_tags_is_what_rowen_reads(page):
    same_data(page)


ITEMS = [
    *("<div itemscope itemtype='http://schema.org/Product X'>", "</div>", "<span itemprop=name>"),
    *("</span>", "text", " &amp; more ", "<b>", "</b>", "<a itemprop='url see' href='?a&amp;b'>"),
    *("</a>", "<meta itemprop=price content=12>", "<p itemprop=offers itemscope>", "</p>", "<p>"),
    *("<img itemprop=image src=i.png>", "<time itemprop=date datetime='2026'>", "</time>", "<ul>"),
    *("<div id=r>", "<div itemscope itemref='r q'>", "<li itemprop=li>", "</ul>", "<i property=n>"),
    *("<div typeof='schema:Thing' property=x>", "<div typeof=Y>", "</i>", "\n", "<!-- c -->"),
    *(
        "<table>",
        "<tr>",
        "<td itemprop=cell>",
        "</table>",
        "<script>z</script>",
        "<br>",
        "<select>",
    ),
    *(
        "<select>",
        "<h2 itemprop=h>",
        "</h2>",
        "<option itemprop=o>",
        "</select>",
        "<form>",
        "</form>",
    ),
    *("<body itemscope>", "<head>", "</head>", "<title itemprop=name>t&amp;u</title>", "<nobr>"),
    *("<button itemprop=bt>", "</button>", "<textarea itemprop=ta>\nq</textarea>", "</br>"),
]
MARKUP = st.lists(st.sampled_from(ITEMS), max_size=16).map("".join)


@settings(max_examples=cases(300, 30_000))
@given(MARKUP)
@example("<table><tr><td itemprop=a>x<div itemscope><b itemprop=c>1</table>2")
@example("<div itemscope><table itemprop=t><tr><td>last</td></tr>first</table></div>")
@example("<div itemscope><svg><title itemprop=a>x</title><path itemprop=b /></svg>y")
@example("<a itemscope><p><b itemprop=n>1</a>2</b>3")
def test_items_in_markup_are_what_rowen_reads(page):
    same_data(page)


def shape(element, name, start, is_element):
    """The elements in an element, each with where its tag is and those in it."""
    return [
        (getattr(child, name), start(child), shape(child, name, start, is_element))
        for child in element.children
        if is_element(child)
    ]


@settings(max_examples=cases(300, 30_000))
@given(MARKUP)
@example("<p>a<table><tr><td>b</table>c")
@example("<!doctype html><p>a<table>b<tr><td>c</table>d")
@example("<b><p>x</b>y</p>z<ul><li>1<li>2<dl><dt>3<dd>4</ul>")
@example("<table><caption>a<td>b<col><tfoot><td>c</table><select><option>1<option>2</select>")
def test_elements_are_nested_as_browsers_do(page):
    parsed = html_tree.parse(page)
    read = read_document(page)
    assert shape(
        read,
        "name",
        lambda element: element.tag and element.tag.start,
        lambda child: isinstance(child, Element),
    ) == shape(
        parsed,
        "tag",
        lambda element: element.start_tag and element.start_tag.start,
        lambda child: isinstance(child, html_tree.Element),
    )


STEPS = st.sampled_from(
    ["name", "offers", "@graph", "k", "a", 0, 1, EACH, Each(keyed=True), Where("@type", "Product")]
)
PATHS = st.lists(STEPS, max_size=3).map(tuple)
SOURCES = st.builds(
    Source,
    st.sampled_from(ORIGINS),
    st.sampled_from([None, None, None, "a", "d"]),
    st.sampled_from([None, None, None, "Product"]),
)
FIELDS = ["one", "an other"]


@st.composite
def data_wrappers(draw):
    rooted = draw(st.booleans())
    chosen = st.lists(st.sampled_from(FIELDS), unique=True)
    record = None if rooted else Rule(draw(PATHS), draw(SOURCES))
    rules = {name: Rule(draw(PATHS), draw(SOURCES) if rooted else None) for name in draw(chosen)}
    return Data(FIELDS, rules=rules, record=record, several=draw(chosen), required=draw(chosen))


@settings(max_examples=cases(150, 10_000))
@given(
    data_wrappers(),
    st.lists(
        st.lists(st.sampled_from(SCRIPTS + ITEMS), max_size=12).map("".join), min_size=3, max_size=3
    ),
)
def test_the_function_of_a_data_wrapper_gives_what_it_gives(wrapper, pages):
    agree(wrapper, pages, "page.html")


def test_strings_in_strings_are_read_to_the_end():
    page = (
        r"""<p><script>var s = JSON.parse('{"city": "K\\u00f6ln", "note": "a \\"b\\""}')</script>"""
    )
    source = Source("script", "s")
    rules = {name: Rule((name,), source) for name in ("city", "note")}
    wrapper = Data(["city", "note"], rules=rules)
    (record,) = wrapper.extract(Page(page, "a.html"))
    assert record.values == {"city": "Köln", "note": 'a "b"'}
    assert agree(wrapper, [page], "a.html") == 1
