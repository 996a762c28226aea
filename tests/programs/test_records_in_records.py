"""Programs for wrappers that are put together: records in fields, trees, combinations, mixtures."""

import ast
import random

import hypothesis.strategies as st
import pytest
from effort import cases
from exported import agree
from hypothesis import given, settings

import rowen
from rowen.assurance.evidence import Evidence
from rowen.model import Page
from rowen.programs.python import to_python, written
from rowen.programs.scrapy import to_scrapy
from rowen.records.schema import Schema
from rowen.wrappers.classes import CLASSES, wrapper_class
from rowen.wrappers.combination import Combination
from rowen.wrappers.data.path import EACH
from rowen.wrappers.data.source import Source
from rowen.wrappers.data.wrapper import Data
from rowen.wrappers.data.wrapper import Rule as DataRule
from rowen.wrappers.lines import Column, Lines
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.nested_fields import NestedFields, Part
from rowen.wrappers.ownership import OWNERSHIPS
from rowen.wrappers.region.part import Part as Whole
from rowen.wrappers.region.spot import Spot, Step
from rowen.wrappers.region.wrapper import FieldRule, Pattern, Region
from rowen.wrappers.spanning import Spanning
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Tag
from rowen.wrappers.token.wrapper import Boundary, Rule, Token
from rowen.wrappers.tree import Tree

DATA = '<script type="application/json">{"r": [{"n": "1", "m": ["2", "3"]}, {"m": "4"}]}</script>'
PIECES = [
    *("<li>", "</li>", "<ul>", "</ul>", "<b>x</b>", "<b>y z</b>", "<i>1</i>", "<i>2</i>", "<p>"),
    *("text", DATA, "<div>", "</div>", "[q]", "[r", "<q>s</q>"),
]
PAGES = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


def of_token(name, tag, boundary):
    record = None if boundary is None else Boundary(Tag(boundary))
    return Token([name], rules={name: [Rule(Landmark((Tag(tag),)), Cut())]}, record=record)


def of_region(name, tag):
    rules = {name: [FieldRule(Spot((Step(tag),), text=1), Whole())]}
    return Region([name], record=Pattern((Step("li"),)), rules=rules)


def of_data(name, key, *, records):
    source = Source("json")
    record = DataRule(("r", EACH), source) if records else None
    rule = DataRule((key,) if records else ("r", EACH, key), None if records else source)
    return Data([name], rules={name: rule}, record=record, several=[name])


def of_delimiters(name, kind):
    settings = {"first": [name]} if kind == "m-lr" else {}
    return wrapper_class(kind)([name], left=["["], right=["]"], **settings)


def leaves(name):
    """Wrappers of one field, of all kinds of classes."""
    return st.one_of(
        st.builds(
            of_token, st.just(name), st.sampled_from("biq"), st.sampled_from([None, "li", "b"])
        ),
        st.builds(of_region, st.just(name), st.sampled_from("bi")),
        st.builds(of_data, st.just(name), st.sampled_from("nm"), records=st.booleans()),
        st.builds(of_delimiters, st.just(name), st.sampled_from(["lr", "m-lr", "n-lr"])),
    )


@st.composite
def mixtures(draw, name):
    wrappers = draw(st.lists(leaves(name), min_size=1, max_size=3))
    for wrapper in wrappers:
        wrapper.evidence = draw(st.sampled_from([None, Evidence(1, 1, 1), Evidence(2, 1, 1)]))
    return Mixture([name], wrappers=wrappers)


@st.composite
def nested(draw, parents=leaves, inner=leaves):
    parts = {"inner": Part(draw(inner("below")), draw(st.sampled_from(OWNERSHIPS)))}
    parent = draw(st.none() | parents("above") | mixtures("above"))
    fields = ["inner"] if parent is None else ["above", "inner"]
    return NestedFields(fields, parent=parent, parts=parts)


@st.composite
def nested_deeper(draw):
    inner = draw(nested())
    parts = {"outer": Part(inner, draw(st.sampled_from(OWNERSHIPS)))}
    return NestedFields(["top", "outer"], parent=draw(leaves("top")), parts=parts)


@st.composite
def trees(draw):
    boundary = draw(st.sampled_from(["li", "div", "b"]))
    wrapper = of_token("above", draw(st.sampled_from("biq")), boundary)
    fields = ["above"]
    if draw(st.booleans()):
        parts = {"inner": Part(draw(leaves("below")), draw(st.sampled_from(OWNERSHIPS)))}
        fields.append("inner")
        wrapper = NestedFields(fields, parent=wrapper, parts=parts)
    return Tree([*fields, "replies"], nested="replies", wrapper=wrapper)


CELLS = [
    *("<tr>", "<tr>", "</tr>", "<td>x</td>", "<td rowspan=2><b>y</b></td>", "<th rowspan='3'>"),
    *("<td rowspan=0><i>1</i>", "<td rowspan><b>q</b>", "<b>w</b>", "<i>2</i>", "<table>", "z"),
    "</table>",
]


@settings(max_examples=cases(150, 10_000))
@given(
    st.sampled_from(["tr", "td", "b"]),
    st.sampled_from([("b", "i"), ("i", "td")]),
    st.sampled_from([["a"], ["b"], ["a", "b"]]),
    st.lists(st.lists(st.sampled_from(CELLS), max_size=24).map("".join), min_size=4, max_size=4),
)
def test_the_function_fills_rows_from_cells_that_span_them(boundary, tags, shared, pages):
    rules = {
        name: [Rule(Landmark((Tag(tag),)), Cut())] for name, tag in zip("ab", tags, strict=True)
    }
    rows = Token(["a", "b"], rules=rules, record=Boundary(Tag(boundary)))
    wrapper = Spanning(["a", "b"], rows=rows, shared=shared)
    agree(wrapper, [f"<table>{page}" for page in pages], "page.html")


@st.composite
def combinations(draw):
    wrappers = [draw(leaves("a")), draw(mixtures("b")), draw(nested(inner=mixtures))]
    fields = [name for wrapper in wrappers for name in wrapper.fields]
    return Combination(fields, wrappers=wrappers)


@settings(max_examples=cases(150, 10_000))
@given(
    nested() | nested_deeper() | trees() | combinations() | mixtures("a"),
    st.lists(PAGES, min_size=4, max_size=4),
)
def test_the_function_of_wrappers_in_wrappers_gives_what_they_give(wrapper, pages):
    agree(wrapper, pages, "page.html")


@pytest.mark.parametrize("depth", [3, 40])
def test_records_nest_as_deep_as_rowen_lets_them(depth):
    wrapper = Tree(["a", "replies"], nested="replies", wrapper=of_token("a", "b", "li"))
    wrapper.given_schema = Schema.of({"a": "integer"})
    page = "".join(f"<ul><li><b>{number}</b>" for number in range(depth))
    assert agree(wrapper, [page]) == 1


def test_types_hold_in_nested_records():
    part = Part(of_token("price", "i", "li"), "page")
    wrapper = NestedFields(["offers"], parent=None, parts={"offers": part})
    wrapper.given_schema = Schema.of({"offers": {"fields": {"price": "price"}}})
    page = "<p lang=en><li><i>&pound;4.00</i><li><i>none</i>"
    (record,) = wrapper.extract(Page(page, "a.html"))
    assert [offer["price"] is None for offer in record.values["offers"]] == [False, True]
    assert agree(wrapper, [page, "<p>"], "a.html") == 2


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=9), inner, max_size=4)
        | st.tuples(inner, inner)
    ),
)


@given(PLAIN)
def test_settings_are_written_as_they_are(value):
    assert ast.literal_eval(written(value)) == value


def test_every_class_has_a_module_and_a_spider():
    rng = random.Random(0)
    leaf = of_token("a", "b", "li")
    wrappers = {
        "token": leaf,
        "region": of_region("a", "b"),
        "data": of_data("a", "n", records=True),
        "several": Mixture(["a"], wrappers=[leaf]),
        "combined": Combination(["a"], wrappers=[leaf]),
        "nested": NestedFields(["c"], parent=None, parts={"c": Part(leaf, "page")}),
        "tree": Tree(["a", "c"], nested="c", wrapper=leaf),
        "spanning": Spanning(["a"], rows=leaf, shared=["a"]),
        "lines": Lines(["a"], places={"a": Column(0, 9)}),
    }
    for kind in CLASSES:
        sides = {"head": "h", "tail": "t"} if "h" in kind.removeprefix("n-") else {}
        sides |= {"open": "o", "close": "c"} if "ocl" in kind else {}
        if kind.startswith("m-"):
            sides["first"] = ["a"]
        wrapper = wrappers.get(kind) or wrapper_class(kind)(["a"], left=["["], right=["]"], **sides)
        assert wrapper.wrapper_class == kind
        compile(to_python(wrapper), "exported.py", "exec")
        compile(to_scrapy(wrapper), "spider.py", "exec")
        text = "".join(rng.choice(PIECES) for _ in range(20))
        agree(wrapper, [text, f"h{text}[1]t"], "page.html")


@pytest.mark.parametrize("form", ["regex"])
@pytest.mark.parametrize(
    "wrapper",
    [
        of_region("a", "b"),
        of_data("a", "n", records=True),
        NestedFields(["c"], parent=None, parts={"c": Part(of_token("a", "b", None), "page")}),
        Tree(["a", "c"], nested="c", wrapper=of_token("a", "b", "li")),
        Combination(["a"], wrappers=[of_token("a", "b", None)]),
    ],
)
def test_a_refusal_says_which_forms_can_express_the_wrapper(wrapper, form):
    with pytest.raises(rowen.UsageError, match="--as python and --as scrapy can"):
        rowen.export_wrapper(wrapper, form)
