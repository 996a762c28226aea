"""Style sheets that load nothing and cover nothing, whatever they say."""

import re

import pytest
import tinycss2
from hypothesis import example, given
from hypothesis import strategies as st

from rowen.studio.saved.css import NOTHING, Import, sanitised

LOADING = [
    "background: url(http://e.org/a.png)",
    "background: URL(http://e.org/a.png)",
    "background: url( 'http://e.org/a.png' )",
    "background: \\75rl(http://e.org/a.png)",
    "background: u\\72 l(http://e.org/a.png)",
    "background: \\u\\000072l(http://e.org/a.png)",
    'background: image-set("http://e.org/a.png" 1x)',
    'background: -webkit-image-set("http://e.org/a.png" 1x)',
    'background: image-set(linear-gradient(red, blue) 1x, "http://e.org/a.png" 2x)',
    '--a: "http://e.org/a.png"; background: image-set(var(--a) 1x)',
    'background: image("http://e.org/a.png")',
    'src: src("http://e.org/a.woff")',
    'src: s\\72 c("http://e.org/a.woff")',
    '@import "http://e.org/a.css";',
    '@\\69mport "http://e.org/a.css";',
    "@import url(http://e.org/a.css) screen;",
    "@font-face { font-family: a; src: local(b), url(//e.org/a.woff2) format('woff2') }",
    "-moz-binding: url(http://e.org/a.xml#b)",
    "behavior: url(http://e.org/a.htc)",
    "width: expression(alert(1))",
    "cursor: url(//e.org/a.cur), auto",
    "content: url(//e.org/a)",
    "--a: url(//e.org/a); mask: var(--a)",
    "@namespace url(http://e.org/ns);",
    "@document url(http://e.org) { a { color: red } }",
    "background: url(data:text/html,<script>alert(1)</script>)",
    'background: url("//e.org/a.png" crossorigin(anonymous))',
    "a { b: 'c\n} d { background: url(//e.org/a.png) }",
    "/* */ @import '//e.org'; /* \\*/ a{background:url(//e.org/b)}",
    "background: url(//e.org/a\\)b.png)",
    "background: url(//e.org/never-ends",
    'a{}@import "//e.org/late.css";b{background:url("//e.org/never',
]
QUIET = {NOTHING}
HARMFUL = {"src", "image", "expression"}


def loads(tokens, within=""):
    """All addresses that a browser would load, as another tokenizer sees them."""
    for token in tokens:
        if token.type == "url" or (
            token.type == "string" and within in {"url", "image-set", "-webkit-image-set", *HARMFUL}
        ):
            yield token.value
        elif token.type == "at-keyword" and token.lower_value == "import":
            yield "@import"
        elif token.type == "function":
            if token.lower_name in HARMFUL:
                yield token.lower_name
            if within.endswith("image-set") and token.lower_name == "var":
                yield "var"
            yield from loads(token.arguments, token.lower_name)
        elif token.type.endswith("block"):
            yield from loads(token.content)


def loads_of(css):
    return [url for url in loads(tinycss2.parse_component_value_list(css)) if url not in QUIET]


def nothing(_):
    return None


@pytest.mark.parametrize("css", LOADING)
def test_nothing_is_loaded(css):
    harmless = sanitised(css, nothing).css
    assert loads_of(harmless) == []
    assert "e.org" not in re.sub(r'"[^"]*"', "", harmless)


PIECES = [
    *("url(", "u\\72l(", "URL( ", ")", "(", "image-set(", "src(", '"', "'", "\\", "\n", "a", "b:"),
    *(
        "@import ",
        "@\\69mport ",
        "@media x",
        "{",
        "}",
        ";",
        "/*",
        "*/",
        "//e.org/x",
        "#",
        "-",
        "--",
    ),
    *(
        "position",
        ":",
        "fixed",
        "sticky",
        " ",
        "\\22 ",
        "\\0",
        "\0",
        "\r\n",
        "\f",
        "é",
        "<!--",
        "-->",
    ),
    *("10", "1e3", "%", "!", "var(", "expression(", "[", "]", "u+0-7f", ",", "data:image/png,x"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("url(\\")
@example("'\\")
@example('a{b:url(x"y)}')
@example('10url(a"b)c"url(d)')
@example("\\\nurl(x)")
def test_no_style_sheet_loads_anything(css):
    assert loads_of(sanitised(css, nothing).css) == []


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_what_is_harmless_stays_as_it_is(css):
    harmless = sanitised(css, nothing).css
    assert sanitised(harmless, nothing).css == harmless


@pytest.mark.parametrize(
    "css",
    [
        "color: red",
        ".sm\\:w-full{width:100%}",
        '.x::before{content:"\\201c"}',
        "position: relative",
        "a[href='x'] > b ~ c{margin:-1px 0 calc(1em + 2px)}",
        "@media (width >= 30em){.a{--b:1;color:var(--b)}}",
        'fill: url("#gradient")',
        "@supports (display:grid){@layer a{b{c:d}}}",
        "@font-face{font-family:A;src:local('A');unicode-range:U+0025-00FF}",
    ],
)
def test_other_styles_stay_as_they_are(css):
    assert sanitised(css, nothing).css == css


def test_local_files_take_the_place_of_addresses():
    css = "a{background:url(a.png)}b{background:image-set('a.png' 1x,\"b.png\" 2x)}"
    numbers = {"a.png": "rowen-file:0", "b.png": "rowen-file:1"}
    assert sanitised(css, numbers.get).css == (
        'a{background:url("rowen-file:0")}'
        'b{background:image-set(url("rowen-file:0") 1x,url("rowen-file:1") 2x)}'
    )


def test_imports_are_named_in_order_if_they_come_first():
    css = (
        "@charset 'utf-8';@import 'a';@import url(b) print;"
        "@import url('c') layer(x) screen;p{}@import 'd';"
    )
    assert sanitised(css, nothing).imports == (
        Import("a", ""),
        Import("b", "print"),
        Import("c", "screen"),
    )


def test_nothing_is_fixed_above_the_page():
    css = "a{POSITION : fixed!important;top:0}b{position:st\\69 cky}"
    harmless = sanitised(css, nothing).css
    assert harmless == (
        "a{inset:auto!important;position : relative!important;top:0}"
        "b{inset:auto!important;position:relative}"
    )


def test_selectors_find_what_is_shown_as_another_element():
    css = "button.a, form > .button, a:link{color:red}"
    assert sanitised(css, nothing).css == (
        ':where(button,[data-rowen-tag="button"]).a, :where(form,[data-rowen-tag="form"]) > .button'
        ", a:where(*)[data-rowen-link]{color:red}"
    )


@pytest.mark.parametrize("bracket", ["a{", "(", "[", "a:is(", "calc("])
def test_a_style_sheet_that_nests_too_deep_is_left_out(bracket):
    assert sanitised("a{b:c}" + bracket * 1000, nothing).css == ""
    assert sanitised("a{b:c}" + bracket * 10, nothing).css


def test_a_style_sheet_of_megabytes_is_read_once():
    css = "a{b:c}" * 200_000 + "()" * 200_000 + '"' * 100_001
    assert sanitised(css, nothing).css.startswith("a{b:c}")
