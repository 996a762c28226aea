"""Trees of data on pages: what they say, exactly where, and what hostile pages do to them."""

import json
import time

import pytest
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_data import scan

from rowen import Page
from rowen._core import data_nodes
from rowen.model import Span
from rowen.text.data import Kind, PageData
from rowen.text.data.escapes import decode_escapes, unescaped
from rowen.text.data.scripts import MISREAD_CHARACTERS
from rowen.text.data.strings import EscapedStrings, read_string
from rowen.text.data.tree import DATA_DEPTH, scan_value

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
LITERAL_PARTS = st.sampled_from(
    [
        *("{", "}", "[", "]", ",", ":", "(", ")", '"', "'", "`", "\\", "/", "*", "//", "/*", "*/"),
        *(
            "a",
            "b1",
            "$",
            "é",
            "null",
            "true",
            "undefined",
            "void 0",
            "0",
            "-1.5e3",
            "!0",
            "!",
            ".",
        ),
        *(" ", "\n", "\r", ";", "...", "${", "=>", "+", "0x1F", "12n", '"k":', "k:", "'s'", "[1,"),
    ]
)


def as_python(tree, node=0):
    """A tree as Python's own objects."""
    kind = tree.kind(node)
    if kind is Kind.OBJECT:
        return {tree.key(child): as_python(tree, child) for child in tree.children(node)}
    if kind is Kind.ARRAY:
        return [as_python(tree, child) for child in tree.children(node)]
    return tree.value(node)


def script(content, attributes='type="application/json"'):
    return f"<p>before</p><script {attributes}>{content}</script><p>after</p>"


def said(root, html):
    """What each leaf of a root says by its path, with its source on the page."""
    tree = root.tree
    return {
        tree.path(leaf, root.node): (tree.value(leaf), tree.span(leaf).of(html))
        for leaf in tree.leaves(root.node)
    }


@settings(max_examples=cases(300, 100_000))
@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_json_means_what_the_standard_library_says(value, ascii_only, indent):
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    tree, stop = scan_value(text, 0, len(text))
    assert as_python(tree) == value == json.loads(text)
    assert stop == len(text)
    for leaf in tree.leaves():
        span = tree.span(leaf)
        if tree.kind(leaf) is Kind.STRING:
            assert json.loads(f'"{span.of(text)}"') == tree.value(leaf)
        else:
            assert json.loads(span.of(text)) == tree.value(leaf)


@settings(max_examples=cases(600, 300_000))
@given(
    st.lists(LITERAL_PARTS, max_size=14).map("".join),
    st.sampled_from(["{", "[", "{a:", '[{"b":']),
    st.sampled_from(["}", "]", "}]", ""]),
)
def test_the_kernel_reads_literals_as_the_reference_does(parts, opening, closing):
    text = opening + parts + closing
    *columns, _, outcome = data_nodes(text, 0, len(text), depth=100, most=1000)
    kinds, _, *others = (column.tolist() for column in columns)
    expected = scan(text)
    if expected is None:
        assert outcome == 1
    else:
        assert outcome == 0
        assert [list(row) for row in zip(kinds, *others, strict=True)] == expected


@settings(max_examples=cases(300, 100_000))
@given(st.text("\\u00fdD83eEc'\"nx{}\n\ré9", max_size=30))
def test_the_map_of_escapes_leads_back_to_the_source(text):
    decoded = decode_escapes(text, Span(0, len(text)))
    assert decoded.text == unescaped(text)
    for at in range(len(decoded.text)):
        assert unescaped(decoded.source(at, at + 1).of(text)) == decoded.text[at]


def test_literals_that_are_nearly_json_are_read():
    text = """{// a comment
        price: 12.50, 'name': 'it\\'s', "tags": ["a", `b`,], on: !0, off: !1, none: undefined,
        $id: void 0, run() { return "}" }, made: new Date(1, "]"),
        list: [1,,2].concat([3]), re: /["/]/,
        both: [{a: .5}, {a: -1e3},], /* more */ }"""
    tree, _ = scan_value(text, 0, len(text))
    assert as_python(tree) == {
        "price": 12.5,
        "name": "it's",
        "tags": ["a", "b"],
        "on": True,
        "off": False,
        "none": None,
        "$id": None,
        "run": None,
        "made": None,
        "list": None,
        "re": None,
        "both": [{"a": 0.5}, {"a": -1000.0}],
    }
    assert tree.kind(tree.member(0, "made")) is Kind.OTHER
    assert tree.kind(tree.member(0, "none")) is Kind.NOTHING
    assert tree.span(tree.member(0, "price")).of(text) == "12.50"


def test_of_two_equal_keys_the_last_counts_as_in_json():
    text = '{"a": 1, "\\u0061": 2}'
    tree, _ = scan_value(text, 0, len(text))
    assert tree.value(tree.member(0, "a")) == json.loads(text)["a"] == 2


def test_things_of_json_ld_are_roots_wherever_they_are():
    lamp = {"@type": "Product", "name": "Köln", "offers": [{"price": 12.5}]}
    crumbs = {"@type": ["BreadcrumbList"], "itemListElement": []}
    for content in (
        [lamp, crumbs],
        {"@context": "https://schema.org", "@graph": [crumbs, lamp]},
        [{"@graph": [lamp]}, crumbs],
    ):
        html = script(json.dumps(content), 'type="application/ld+json"')
        roots = {root.types: root for root in PageData(Page(html)).of("json-ld")}
        assert roots.keys() == {("Product",), ("BreadcrumbList",)}
        assert said(roots["Product",], html) == {
            ("@type",): ("Product", "Product"),
            ("name",): ("Köln", "K\\u00f6ln"),
            ("offers", 0, "price"): (12.5, "12.5"),
        }


def test_scripts_are_known_by_their_id_and_data_attributes():
    html = script(
        '{"a": 1}', 'id="__NEXT_DATA__" type="application/json" data-app data-x="1&amp;2"'
    )
    (root,) = PageData(Page(html)).of("json")
    assert root.names == ("__NEXT_DATA__", "data-app", "data-x=1&2")


@pytest.mark.parametrize(
    ("code", "name", "expected"),
    [
        ("window.__STATE__ = {items: [{n: 1}]};", "window.__STATE__", {"items": [{"n": 1}]}),
        ("var x=[1,2]", "x", [1, 2]),
        ("a();const data\n=\n{'k':'v'}", "data", {"k": "v"}),
        ('window["my-data"]={a:1}', "window.my-data", {"a": 1}),
        ("dataLayer.push({value: 3})", "dataLayer.push", {"value": 3}),
        ('x = JSON.parse("{\\"a\\":\\"K\\\\u00f6ln\\"}")', "x", {"a": "Köln"}),
        ("x = JSON.parse('[\"it\\'s\"]')", "x", ["it's"]),
        ("//<![CDATA[\nx={a:1}\n//]]>", "x", {"a": 1}),
        ("if (a == {b: 1}) f = c => {d: 1}; g = {h: 1}", "g", {"h": 1}),
    ],
)
def test_what_scripts_assign_is_read(code, name, expected):
    (root,) = PageData(Page(script(code, ""))).of("script")
    assert (root.names, as_python(root.tree)) == ((name,), expected)


def test_strings_in_strings_have_exact_places():
    html = script('q = JSON.parse("{\\"a\\":\\"K\\\\u00f6ln \\\\\\"x\\\\\\"\\"}")', "")
    (root,) = PageData(Page(html)).of("script")
    (leaf,) = root.tree.leaves()
    span = root.tree.span(leaf)
    assert span.of(html) == 'K\\\\u00f6ln \\\\\\"x\\\\\\"'
    assert root.tree.value(leaf) == read_string(html, span) == 'Köln "x"'
    assert list(EscapedStrings(Page(html)).positions("Köln", 9)) == [
        (span.start, span.start + len("K\\\\u00f6ln"))
    ]


def test_json_in_other_places_than_scripts_is_not_read():
    html = (
        '<!--<script type="application/json">{"a":1}</script>-->'
        '<textarea><script>x={a:1}</script></textarea><p title="<script>x={a:1}</script>">'
    )
    assert PageData(Page(html)).all() == []


def test_microdata_is_read_as_the_standard_says():
    html = """<div itemscope itemtype="https://schema.org/Product http://example.org/x#Lamp"
        itemref="more gone">
      <h1 itemprop="name">
         Lamp <i>one</i> &amp; two
      </h1><a itemprop="url image" href="/l?a=1&amp;b=2"><img itemprop="image" src="l.png"></a>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <span itemprop="price" content="12.50">$12.50</span>
        <time itemprop="until" datetime="2026-01-02">soon</time>
        <time itemprop="from">now</time><data itemprop="sku" value="7">seven</data>
        <meta itemprop="none">
      </div>
      <div itemscope><b itemprop="name">another</b></div><p itemprop="empty"> </p>
    </div><div id="more"><b itemprop="colour">red</b></div>"""
    first, second = PageData(Page(html)).of("microdata")
    assert first.types == ("Product", "Lamp")
    assert as_python(first.tree) == {
        "@type": ["Product", "Lamp"],
        "name": "Lamp one & two",
        "url": "/l?a=1&b=2",
        "image": ["/l?a=1&b=2", "l.png"],
        "offers": {
            "@type": "Offer",
            "price": "12.50",
            "until": "2026-01-02",
            "from": "now",
            "sku": "7",
        },
        "colour": "red",
    }
    assert as_python(second.tree) == {"name": "another"}
    sources = {path: source for path, (_, source) in said(first, html).items()}
    assert sources["name",] == "Lamp <i>one</i> &amp; two"
    assert sources["url",] == "/l?a=1&amp;b=2"
    assert sources["offers", "price"] == "12.50"


def test_rdfa_and_meta_are_read():
    html = """<meta property="og:title" content="Lamp &amp; Co"><meta name="author" content="Ada">
      <meta name="author" content="Bob"><meta charset="utf-8"><meta name="empty" content="">
      <div vocab="https://schema.org/" typeof="Product"><b property="name">Lamp</b>
      <div property="brand" typeof="Brand"><i property="name">Bright</i></div></div>"""
    page = PageData(Page(html))
    (item,), (meta,) = page.of("rdfa"), page.of("meta")
    assert item.types == ("Product",)
    assert as_python(item.tree) == {
        "@type": "Product",
        "name": "Lamp",
        "brand": {"@type": "Brand", "name": "Bright"},
    }
    assert as_python(meta.tree) == {"og:title": "Lamp & Co", "author": ["Ada", "Bob"]}


def test_escaped_strings_are_found_by_what_they_say():
    html = script('{"a": "K\\u00f6ln\\n Ehrenfeld", "b": "1\\/2", "c": "plain"}')
    strings = EscapedStrings(Page(html))
    ((start, end),) = strings.positions("Köln Ehrenfeld", 9)
    assert html[start:end] == "K\\u00f6ln\\n Ehrenfeld"
    ((start, end),) = strings.positions("1/2", 9)
    assert html[start:end] == "1\\/2"
    assert list(strings.positions("Ehrenfeld 1", 9)) == []
    assert list(strings.positions("", 9)) == []


@pytest.mark.parametrize(
    "content",
    [
        '{"a": "never',
        '{"a": "x\\',
        "[1, 2",
        '{"a" 1',
        "{]",
        "[}",
        '{"a": /*',
        "{a: (]}",
        "",
        "[",
        "{a:",
    ],
)
def test_malformed_data_is_no_data(content):
    assert PageData(Page(script(content))).all() == []
    assert PageData(Page(script("x = " + content, ""))).all() == []


def test_data_may_nest_up_to_the_limit():
    deepest = "[" * DATA_DEPTH + "1" + "]" * DATA_DEPTH
    assert len(PageData(Page(script(deepest))).of("json")) == 1
    assert PageData(Page(script(f"[{deepest}]"))).of("json") == []
    assert PageData(Page(script("[" * 1_000_000))).of("json") == []
    assert PageData(Page(script("x = [a" + "(" * 1_000_000, ""))).of("script") == []


def test_huge_numbers_stay_texts():
    digits = "9" * 100_000
    (root,) = PageData(Page(script(f'{{"a": {digits}, "b": 1e400, "c": -0.0}}'))).of("json")
    values = as_python(root.tree)
    assert values["a"] == digits
    assert values["b"] == float("inf")


@pytest.mark.parametrize(
    "content",
    [
        "a={b:" * 200_000,
        "x=[" * 300_000,
        "a.b=" * 300_000,
        "a" * 1_000_000 + "={",
        "x={a:'" * 200_000,
        'x=JSON.parse("' * 80_000,
        "x={a:`${" * 150_000,
        "x=[/*" * 200_000,
        "x={a:/[" * 150_000,
        "x" + " " * 1_000_000 + "={a:1}",
        'x={"a":"\\\\' * 100_000,
    ],
)
def test_hostile_scripts_take_little_more_than_linear_time(content):
    began = time.process_time()
    PageData(Page(script(content, ""))).all()
    EscapedStrings(Page(script(content, "")))
    # Quadratic time would be minutes; this bound is for a busy machine.
    assert time.process_time() - began < 20
    assert MISREAD_CHARACTERS < 10_000_000


@pytest.mark.slow
def test_hostile_items_take_little_more_than_linear_time():
    began = time.process_time()
    referring = "<p itemscope itemref=x></p>" * 3_000
    PageData(Page(f"{referring}<div id=x>{'<b itemprop=a>1</b>' * 3_000}</div>")).all()
    nested = "<div itemscope itemprop=a>" * 1_000
    PageData(Page(f"<div itemscope>{nested}<b itemprop=c>1")).all()
    assert time.process_time() - began < 30
