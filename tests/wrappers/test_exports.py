"""Exports say what the wrapper says: each is run, beside the wrapper, on random and real pages."""

import ast
import random
import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
import regex
from exported import agree, run
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rowen
from rowen.assurance.evidence import Evidence
from rowen.cli import explain as cli_explain
from rowen.learning.learn import learn
from rowen.model import Page, UsageError
from rowen.programs import forms
from rowen.programs.css import to_css
from rowen.programs.parts import reading
from rowen.programs.parts.tags import read_tags
from rowen.programs.python import to_python
from rowen.programs.regular_expression import to_regex
from rowen.programs.scrapy import to_scrapy
from rowen.programs.xpath import to_xpath
from rowen.records import Example
from rowen.records.schema import Schema
from rowen.text import markup as markup_pages
from rowen.text import visible
from rowen.wrappers.classes import wrapper_class
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.nested_fields import NestedFields, Part
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Slot, Tag
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Boundary, Rule, Token
from rowen.wrappers.tree import Tree

pytestmark = pytest.mark.slow

USES = {"lr": "", "hlrt": "ht", "oclr": "oc", "hoclrt": "htoc"}
EARLIEST = {"n-lr": "", "n-hlrt": "ht", "m-lr": "", "m-hlrt": "ht"}
OUTER = {"h": "head", "t": "tail", "o": "open", "c": "close"}
FIELDS = ["one", "an other", "three"]


def make(kind, fields, left, right, **outer):
    return wrapper_class(kind)(fields, left=left, right=right, **outer)


def random_wrapper(kind, rng):
    """A wrapper of short delimiters over few letters, so that they overlap and repeat."""

    def text(least):
        return "".join(rng.choice("ab[.") for _ in range(rng.randint(least, 2)))

    fields = FIELDS[: rng.randint(1, 3)]
    outer = {OUTER[key]: text(0 if key in "hc" else 1) for key in (USES | EARLIEST)[kind]}
    if kind.startswith("m-"):
        outer["first"] = rng.sample(fields, rng.randint(1, len(fields)))
    return make(kind, fields, [text(1) for _ in fields], [text(1) for _ in fields], **outer)


def random_page(rng):
    return "".join(rng.choice("ab[.\n") for _ in range(rng.randint(0, 40)))


@pytest.mark.parametrize("kind", USES | EARLIEST)
def test_the_function_gives_what_the_wrapper_gives(kind):
    rng = random.Random(kind)
    count = 0
    for _ in range(150):
        pages = [random_page(rng) for _ in range(20)]
        count += agree(random_wrapper(kind, rng), pages)
    assert count > 100


def test_the_function_of_several_templates_chooses_as_the_wrapper_does():
    rng = random.Random(0)
    count = 0
    for _ in range(150):
        kinds = rng.sample([*USES, "m-lr", "m-hlrt"], 3)
        wrappers = [random_wrapper(kind, rng) for kind in kinds]
        for wrapper in wrappers:
            wrapper.evidence = rng.choice([None, Evidence(rng.randint(1, 3), 1, 1)])
        count += agree(Mixture(FIELDS, wrappers=wrappers), [random_page(rng) for _ in range(20)])
    assert count > 100


PIECES = [
    *("<td>", "</td>", "<td class=a>", '<td class=" a  b ">', "<TR>", "</tr>", "<tr id>", "<br/>"),
    *("<a href='x y'>", "</a>", "<li>", "<p a=1 a=2>", "<!-- c -->", "<!doctype html>", "<script>"),
    *("</script>", "<!--", "-->", "<title>", "</title>", "</>", "</ x>", "<?php", "<?xml ?>", "<"),
    *(">", "x", " ", "y\n z", "\xa0", '"', "a=", "/", "</p >", "<plaintext>", "<p / b>", "<é>"),
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
TAGS = st.builds(
    Tag,
    st.sampled_from(["td", "/td", "tr", "a", "li", "p", "!--", "", "script", "br"]),
    st.sampled_from([(), (), (("class", "a"),), (("class", "a b"),), (("id", ""),)]),
    st.sampled_from([None, None, None, 1, 2]),
)
SLOTS = st.builds(Slot, st.sampled_from([None, "", "x", "y z"]))
LANDMARKS = st.builds(
    lambda tag, before, after: Landmark((tag, *before), tuple(after)),
    TAGS,
    st.tuples() | st.tuples(SLOTS) | st.tuples(SLOTS, TAGS),
    st.tuples() | st.tuples(SLOTS) | st.tuples(TAGS) | st.tuples(TAGS, SLOTS),
)
CUTS = st.just(Cut()) | st.builds(
    Cut,
    st.sampled_from([None, None, "href", "class", "a"]),
    st.sampled_from([None, "x", " "]),
    st.sampled_from([None, "z", "y"]),
    st.booleans(),
    st.sampled_from([None, None, "/td", "p"]),
    st.booleans(),
    st.sampled_from([False, False, False, True]),
    st.booleans(),
)
RULES = st.builds(
    Rule,
    LANDMARKS,
    CUTS,
    st.none() | LANDMARKS,
    st.sampled_from(["all", "first", "last"]),
    otherwise=st.booleans(),
)


@st.composite
def tokens(draw):
    fields = FIELDS[:2]
    chosen = st.lists(st.sampled_from(fields), unique=True)
    return Token(
        fields,
        rules={name: draw(st.lists(RULES, max_size=2)) for name in fields},
        record=draw(st.none() | st.builds(Boundary, TAGS, st.none() | TAGS)),
        several=draw(chosen),
        required=draw(chosen),
    )


@settings(max_examples=60)
@given(tokens(), st.lists(MARKUP, min_size=5, max_size=5))
def test_the_function_of_a_token_wrapper_gives_what_it_gives(wrapper, pages):
    agree(wrapper, pages)
    agree(wrapper, pages, "page.html")


ROWS = st.lists(st.sampled_from(["<td>x", "<td>y z<b>x</b>", "<td>", "<th>x"]), max_size=3)
TABLES = st.lists(
    st.lists(ROWS.map(lambda cells: "<tr>" + "".join(cells)), max_size=3).map(
        lambda rows: "<table>" + "".join(rows) + "</table>"
    ),
    max_size=3,
).map("".join)


@settings(max_examples=60)
@given(st.lists(TABLES, min_size=5, max_size=5), st.booleans())
def test_the_function_knows_rows_of_other_tables_as_the_wrapper_does(pages, element):
    rules = {
        name: [Rule(Landmark((Tag("td", (), place),)), Cut(element=element))]
        for name, place in (("a", 1), ("b", 2))
    }
    agree(Token(["a", "b"], rules=rules, record=Boundary(Tag("tr")), required=["a", "b"]), pages)


@given(MARKUP | st.text("<>!-/? \n=\"'ascriptASCRIPT", max_size=60))
def test_the_function_sees_the_same_tags(page):
    outline = Outline(page)
    tags = read_tags(page)
    assert [(tag.start, tag.end) for tag in tags] == list(
        zip(outline.starts.tolist(), outline.ends.tolist(), strict=True)
    )
    assert [tag.parent for tag in tags] == outline.parents.tolist()
    assert [tag.until for tag in tags] == outline.closes.tolist()
    assert [Tag(tag.name).digest for tag in tags] == outline.names.tolist()
    assert [bounds for tag in tags for _, *bounds in tag.attributes] == [
        list(bounds)
        for bounds in zip(outline.value_starts.tolist(), outline.value_ends.tolist(), strict=True)
    ]


SOURCES = [
    *("Tom", " ", "\n\t", "4", "9", "&amp;", "&lt", "&copy=", "&#1;", "&#128;", "&zwj;", "&shy;"),
    *(
        "\u00ad",
        "\u200d",
        "\U0001f469",
        "\xa0",
        "<b>",
        "</b>",
        "<sup>",
        "</sup>",
        "<br>",
        "<P a='>'>",
    ),
    *(
        "<a href=' &amp;b'>",
        "<script>",
        "</script>",
        "\\u00e9",
        '\\"',
        "<!-- ",
        " -->",
        "</>",
        "<title>",
    ),
    *("</title>", "<textarea>", "<!doctype x>", "<?x", "\ud83d", "<xmp>", "<", ">", "&", ";"),
]
SOURCE = st.lists(st.sampled_from(SOURCES), max_size=12).map("".join)


@settings(max_examples=300)
@given(st.lists(SOURCE, min_size=1, max_size=4), SOURCE)
@example(["48<sup><b>99"], "")
@example(["&copy=1'>"], "<a href='")
@example([r"K\\u00f6ln \\\"x\\\""], "<script>JSON.parse('\"")
@example([r"K\u00f6ln \u{1f600}\ud83d\ude00"], "<script>")
def test_the_function_reads_a_text_at_any_place_as_rowen_does(texts, before):
    wrapper = make("lr", ["one"], ["["], ["]"])
    page = f"{before}{''.join(f'[{text}]{text}' for text in texts)}"
    agree(wrapper, [page], "a.html")
    agree(wrapper, [f"<p>{page}", page])
    agree(wrapper, [f"<p>{page}"], "a.txt")


TYPED = [
    ("price", ["1.299,00 &euro;", "\u00a348<sup>00", "$<b>12</b>", "free", "", "12 kr"]),
    ("number", ["1,204 reviews", "1.204", "<b>4</b>.5 stars", "4<b>5</b>", "no"]),
    ("integer", ["(128)", "1&nbsp;024", "1.5", "x"]),
    ("date", ["3. Oktober 2026", "10/03/26", "2026-10-03", "yesterday", "le 3 ao&ucirc;t 2026"]),
    ("datetime", ["2026-10-03T10:11:12Z", "3 May 2026, 5 pm", "May"]),
    ("boolean", ["yes", "Ja", "<i>no</i>", "perhaps"]),
    ("url", ["/a?b=1&amp;c", "http://X.org", "javascript:x()", "a b", " ../c "]),
    ("html", [" <b>a</b>&amp; ", "x", "a</p><p>b <i>c<br>", "</b></i>x<td/>y", "<p>a</b></p>"]),
    ("source", [" <b>a</b>&amp; ", "x"]),
]


@pytest.mark.parametrize(("kind", "texts"), TYPED)
@pytest.mark.parametrize("start", ["<p>", "<html lang=de><p>", "<html lang=en-GB><base href=/b/>"])
def test_the_function_converts_to_the_types_of_the_schema(kind, texts, start):
    for many in (False, True):
        wrapper = make("lr", ["one"], ["["], ["]"])
        wrapper.given_schema = Schema.of({"one": {"type": kind, "many": many}})
        page = start + "".join(f"[{text}]" for text in texts)
        assert agree(wrapper, [page]) == len(texts)
        assert agree(wrapper, [page], "https://example.com.au/a/page.html") == len(texts)
        pages = [Page(page, "https://example.org/")]
        given_values = [record.values["one"] for record in wrapper.extract(pages[0])]
        assert any(value not in (None, []) for value in given_values)


def test_the_languages_of_a_schema_are_written():
    wrapper = make("lr", ["one"], ["["], ["]"])
    wrapper.given_schema = Schema.of({"one": {"type": "number", "language": "de"}})
    assert run(to_python(wrapper))("<p>[1.204]") == [{"one": 1204}]


def test_all_types_fit_in_one_module():
    names = [kind for kind, _ in TYPED]
    wrapper = make("lr", names, ["["] * len(names), ["]"] * len(names))
    wrapper.given_schema = Schema.of({name: name for name in names})
    page = "<p>" + "".join(f"[{texts[0]}]" for _, texts in TYPED)
    assert agree(wrapper, [page], "https://example.org/") == 1


def test_what_the_function_knows_of_pages_is_what_rowen_knows():
    assert reading.INLINE == visible.INLINE
    assert reading.PLAIN_ENDINGS == markup_pages.PLAIN_ENDINGS
    assert reading.MARKUP_ENDINGS == markup_pages.MARKUP_ENDINGS


def test_a_learned_token_wrapper_is_written_whole():
    page = Page('<ul><LI CLASS="r"><b>1</b><i>x</i></li><li class="r"><b>2</b></li></ul>')
    start = page.text.index("1</b>")
    label = [{"a": (start, start + 1), "b": "x"}, {"a": "2", "b": None}]
    assert agree(learn([Example(page, label)], "token"), [page.text, page.text * 2, ""]) == 6


@pytest.mark.parametrize("kind", USES)
def test_the_regular_expression_matches_the_wrappers_records(kind):
    rng = random.Random(kind)
    count = 0
    for _ in range(150):
        wrapper = random_wrapper(kind, rng)
        count += matches(wrapper, rng, [regex] if "t" in USES[kind] else [re, regex])
    assert count > 100


@pytest.mark.parametrize("kind", EARLIEST)
def test_a_nested_or_missing_class_with_one_field_has_a_regular_expression_too(kind):
    rng = random.Random(kind)
    count = 0
    for _ in range(300):
        wrapper = random_wrapper(kind, rng)
        if len(wrapper.fields) == 1:
            count += matches(wrapper, rng, [regex])
    assert count > 100


def matches(wrapper, rng, engines):
    compiled = [engine.compile(to_regex(wrapper)) for engine in engines]
    count = 0
    for page in (random_page(rng) for _ in range(20)):
        expected = [tuple(record.values.values()) for record in wrapper.extract(page)]
        for expression in compiled:
            got = [match.groups() for match in expression.finditer(page)]
            assert got == expected, (wrapper.settings(), page, expression.pattern)
        count += len(expected)
    return count


def test_a_hostile_page_does_not_hold_the_regular_expression():
    wrapper = make("lr", ["a", "b", "c"], ["<", "<", "<"], [">", ">", "!"])
    assert not re.search(to_regex(wrapper), "<>" * 3_000)


@pytest.mark.parametrize(
    ("wrapper", "reason"),
    [
        (make("m-lr", ["a", "b"], ["<", "["], [">", "]"]), "which field comes next"),
        (make("n-lr", ["a", "b"], ["<", "["], [">", "]"]), "which field comes next"),
        (Token(["a"], rules={}), "by tags with attributes"),
        (Mixture(["a"], wrappers=[make("lr", ["a"], ["<"], [">"])]), "several wrappers"),
    ],
)
def test_if_no_regular_expression_is_equivalent_the_reason_is_given(wrapper, reason):
    with pytest.raises(UsageError, match=reason):
        to_regex(wrapper)


AWKWARD = {
    "fields": ['q"""uote', "back\\slash", "new\nline", "\ud800"],
    "left": ['\'"""', "\\", "\n\r\t", "{x}$y"],
    "right": ["'", '"', "</p>" * 60, "\u2028"],
}


def test_awkward_names_and_delimiters_are_written_safely():
    wrapper = make("hlrt", **AWKWARD, head="", tail="\x00%")
    wrapper.name = 'a """name"""\nof two lines\\'
    page = "x" + "".join(
        f"{left}v{number}{right}"
        for number, (left, right) in enumerate(zip(AWKWARD["left"], AWKWARD["right"], strict=True))
    )
    expected = [record.values for record in wrapper.extract(page)]
    assert run(to_python(wrapper))(page) == expected != []
    (match,) = regex.finditer(to_regex(wrapper), page)
    assert [*match.groupdict()] == ["field_1", "field_2", "field_3", "field_4"]
    ast.parse(to_scrapy(wrapper))


@pytest.mark.parametrize("kind", [*USES, *EARLIEST, "token", "several"])
def test_only_the_standard_library_is_imported_by_the_function(kind):
    wrapper = Token(["a"], rules={}) if kind == "token" else None
    if kind not in {"token", "several"}:
        wrapper = random_wrapper(kind, random.Random(0))
    parts = [random_wrapper(name, random.Random(0)) for name in (*USES, *EARLIEST)]
    tree = ast.parse(to_python(wrapper or Mixture(FIELDS, wrappers=parts)))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {
        name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.fixture
def scrapy(monkeypatch):
    """Scrapy's own spider where it is installed; it is heavy, and only its base is needed."""
    try:
        import scrapy  # noqa: F401
    except ImportError:
        import itemloaders  # noqa: F401  # looks for the whole of Scrapy when it is imported

        module = ModuleType("scrapy")
        module.Spider = object
        monkeypatch.setitem(sys.modules, "scrapy", module)


@pytest.mark.usefixtures("scrapy")
@pytest.mark.parametrize(
    ("wrapper", "page", "items"),
    [
        (
            make("oclr", ["a", "b"], ["<b>", "<i>"], ["</b>", "</i>"], open="<li>", close="</li>"),
            "<b>no</b><li><b> 1\n</b><i>2</i></li>",
            [{"a": "1", "b": "2"}],
        ),
        (
            make("n-lr", ["a", "b"], ["<b>", "<i>"], ["</b>", "</i>"]),
            "<b>1</b><i> 2</i><i>3</i><b>4</b>",
            [{"a": "1", "children": [{"b": "2"}, {"b": "3"}]}, {"a": "4"}],
        ),
        (
            make("m-lr", ["a", "b"], ["<b>", "<i>"], ["</b>", "</i>"], first=["a"]),
            "<b>1</b><b>2</b><i>3</i>",
            [{"a": "1"}, {"a": "2", "b": "3"}],
        ),
        (
            Token(["a"], rules={"a": [Rule(Landmark((Tag("b"),)), Cut())]}, several=["a"]),
            "<b>1</b><b>2</b>",
            [{"a": ["1", "2"]}],
        ),
    ],
)
def test_the_spider_loads_an_item_a_record(wrapper, page, items):
    names = {}
    exec(to_scrapy(wrapper), names)
    spider = names["WrapperSpider"]()
    assert list(spider.parse(SimpleNamespace(text=page, url="https://example.org/"))) == items


LISTING = Page(
    "<html><body><table><tr><th>Name<th>Dial</tr>"
    '<tr class="r"><td><b>Congo &amp; Co</b></td><td><a href="/242">242</a></td></tr>'
    '<tr class="r"><td><b>Egypt</b></td><td></td></tr></table></body></html>',
    "list.html",
)
NAMES = make("lr", ["name"], ["<b>"], ["</b>"])


def selected(lines, page, call="xpath"):
    """What the paths select, by parsel, as Scrapy does it."""
    from parsel import Selector

    def select(selector, path):
        return getattr(selector, call)(path)

    paths = dict(line.split(": ", 1) for line in lines.splitlines())
    root = Selector(text=page.text)
    rows = select(root, paths.pop("(records)")) if "(records)" in paths else [root]
    return [{name: select(row, path).getall() for name, path in paths.items()} for row in rows]


@pytest.mark.parametrize(("write", "call"), [(to_xpath, "xpath"), (to_css, "css")])
def test_paths_give_what_the_wrapper_gives(write, call):
    wrapper = Token(
        ["name", "url"],
        rules={
            "name": [Rule(Landmark((Tag("b"),)), Cut())],
            "url": [Rule(Landmark((Tag("a"),)), Cut("href"))],
        },
        record=Boundary(Tag("tr")),
    )
    got = selected(write(wrapper, [LISTING]), LISTING, call)
    assert got == [
        {"name": ["Congo & Co"], "url": ["/242"]},
        {"name": ["Egypt"], "url": []},
    ]


SHOP = [
    Page(
        f"<h1>{title}</h1><ul>"
        + "".join(f"<li class=r><b>{who}</b><i>{stars}</i></li>" for who, stars in reviews)
        + "</ul><ul><li><b>not a review</b></li></ul>",
        title,
    )
    for title, reviews in (("Tea", [("Ann", "4"), ("Bob &amp; Co", "2")]), ("Rum", []))
]


@pytest.mark.parametrize(
    ("write", "call", "elements"),
    [(to_xpath, "xpath", '//li[@class="r"]'), (to_css, "css", "li.r")],
)
def test_records_in_a_field_have_paths_of_their_own(write, call, elements):
    from parsel import Selector

    reviews = Token(
        ["by", "stars"],
        rules={
            "by": [Rule(Landmark((Tag("b"),)), Cut())],
            "stars": [Rule(Landmark((Tag("i"),)), Cut())],
        },
        record=Boundary(Tag("li", (("class", "r"),))),
        required=["by", "stars"],
    )
    wrapper = NestedFields(
        ["title", "reviews"],
        parent=make("lr", ["title"], ["<h1>"], ["</h1>"]),
        parts={"reviews": Part(reviews, "page")},
    )
    lines = dict(line.split(": ", 1) for line in write(wrapper, SHOP).splitlines())
    assert list(lines) == ["title", "reviews", "reviews.by", "reviews.stars"]
    assert lines["reviews"] == elements
    rows = getattr(Selector(text=SHOP[0].text), call)(lines["reviews"])
    inner = [getattr(row, call)(lines["reviews.by"]).getall() for row in rows]
    assert inner == [["Ann"], ["Bob & Co"]]


def test_records_that_nest_in_themselves_have_no_paths():
    posts = Token(
        ["by"], rules={"by": [Rule(Landmark((Tag("b"),)), Cut())]}, record=Boundary(Tag("li"))
    )
    wrapper = Tree(["by", "replies"], nested="replies", wrapper=posts)
    page = Page("<ul><li><b>Ann</b><ul><li><b>Bob</b></ul></ul>")
    with pytest.raises(UsageError, match="nested; --as python and --as scrapy can"):
        to_xpath(wrapper, [page])


def test_one_record_a_page_needs_no_path_for_records():
    pages = [Page(f"<p><i>no</i></p><h1>{name}</h1>", name) for name in ("Congo", "Egypt")]
    lines = to_xpath(make("lr", ["name"], ["<h1>"], ["</h1>"]), pages)
    assert lines == "name: //h1/text()\n"
    assert selected(lines, pages[1]) == [{"name": ["Egypt"]}]


@pytest.mark.parametrize(
    ("wrapper", "page", "reason"),
    [
        (make("lr", ["a"], ["Price: "], ["<"]), "<p>Price: 2<p>", "only a part of a text"),
        (make("lr", ["a"], ["<b>"], ["</b>"]), "<p>none</p>", "finds nothing"),
        (make("n-lr", ["a", "b"], ["<b>", "<i>"], ["</b>", "</i>"]), "<b>1</b><i>2</i>", "nested"),
        (make("lr", ["a"], ["<b>"], ["</b>"]), "<!--<b>1</b>--><b>2</b>", "hold one record each"),
        (make("hlrt", ["a"], ["<b>"], ["</b>"], head="<p>", tail="<hr>"),
         "<b>1</b><p><b>1</b><b>1</b><hr><b>1</b>", "records|no elements|no simple"),
    ],
)  # fmt: skip
def test_if_no_xpath_is_equivalent_the_reason_is_given(wrapper, page, reason):
    with pytest.raises(UsageError, match=reason):
        to_xpath(wrapper, [Page(page)])


@pytest.mark.parametrize("write", [to_xpath, to_css])
def test_paths_need_pages_to_be_checked_on(write):
    with pytest.raises(UsageError, match="give at least one"):
        write(NAMES, [])


def css_of(page, left, right):
    return to_css(make("lr", ["a"], [left], [right]), [Page(page)])


@pytest.mark.parametrize(
    ("page", "left", "right", "lines"),
    [
        ("<p><i>no</i></p><h1>Congo</h1>", "<h1>", "</h1>", "a: h1::text\n"),
        ("<p>x<a href='?a&amp;b'>y</a>", "<a href='", "'", "a: a::attr(href)\n"),
        ("<b>no</b><b class='x y'>1</b>", "'x y'>", "<", "a: b.x::text\n"),
        ("<b>no</b><b id=x>1</b>", "<b id=x>", "<", "a: b#x::text\n"),
        ("<b>no</b><b itemprop='a b'>1</b>", "'a b'>", "<", 'a: b[itemprop="a b"]::text\n'),
        ("<b>no</b><b class='1a'>2</b>", "'1a'>", "<", "a: b:nth-of-type(2)::text\n"),
        ("<dd>0</dd><dt class=t>T</dt><dd>1</dd>", "</dt><dd>", "<", "a: dt.t + dd::text\n"),
        ("<td><h2>one<br>two</h2></td>", "<h2>", "</h2>", "a: h2\n"),
        ("<h2>48<sup>99</sup><!-- c --><script>x</script></h2>", "<h2>", "</h2>", "a: h2\n"),
    ],
)
def test_css_selectors(page, left, right, lines):
    assert css_of(page, left, right) == lines


@pytest.mark.parametrize(
    ("wrapper", "page", "reason"),
    [
        (make("lr", ["a"], ["Price: "], ["<"]), "<p>Price: 2<p>", "only a part of a text"),
        (make("lr", ["a"], ["<br>"], ["<hr>"]), "<div>x<br>1<hr>2</div>", "only a part of a text"),
        (make("lr", ["a"], ["<b>"], ["</b>"]), "<p>none</p>", "finds nothing"),
        (make("n-lr", ["a", "b"], ["<b>", "<i>"], ["</b>", "</i>"]), "<b>1</b><i>2</i>", "nested"),
        (make("lr", ["a"], ["<b>"], ["</b>"]), "<!--<b>1</b>--><b>2</b>", "hold one record each"),
    ],
)
def test_if_no_css_selector_is_equivalent_the_reason_is_given(wrapper, page, reason):
    with pytest.raises(UsageError, match=f"CSS selector can't express.*{reason}"):
        to_css(wrapper, [Page(page)])


def test_the_public_call_writes_every_form_that_the_command_has():
    wrapper = make("lr", ["name"], ["<b>"], ["</b>"])
    assert forms.FORMS == cli_explain.FORMS
    page = "<p><b>Ada</b></p><p><b>Alan</b></p>"
    texts = {form: rowen.export_wrapper(wrapper, form, [page]) for form in forms.FORMS}
    assert texts["text"] == wrapper.explain()
    assert texts["python"] == to_python(wrapper)
    assert texts["scrapy"] == to_scrapy(wrapper)
    assert texts["regex"] == to_regex(wrapper)
    assert texts["xpath"] == to_xpath(wrapper, [Page(page)])
    assert texts["css"] == to_css(wrapper, [Page(page)])


def test_an_unknown_form_is_refused():
    with pytest.raises(UsageError, match="unknown form 'java'; the forms are text, python, "):
        rowen.export_wrapper(make("lr", ["name"], ["<b>"], ["</b>"]), "java")
