"""What a reader sees of a page, against the tree that browsers build, and the way back to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markup import pages

from rowen.text import tree
from rowen.text.character_references import decode
from rowen.text.html_tokens import Tokens
from rowen.text.visible import INLINE, visible, without_invisible

# No `a` and no `nobr`: a parser ends an element of these names before it begins another one.
ELEMENTS = ["b", "em", "span", "sup", "sub", "div", "section", "script", "style", "bdi"]
TEXTS = [
    *("Tom", " ", "\n  ", "4", "99", "&amp;", "&lt;b&gt;", "&nbsp;", "&shy;", "\u00ad", "é"),
    *(
        "\u200b",
        "&zwj;",
        "\u200d",
        "\U0001f469",
        "\U0001f4bb",
        "&zwnj;",
        "\u0645\u06cc",
        "\u062e\u0648\u0627\u0647\u0645",
        "&#8206;",
    ),
    *("<!-- no -->", "<br>", "<wbr>", "<img src=x alt=no>"),
]
WORDS = st.lists(st.sampled_from(TEXTS), max_size=4).map("".join)


def _element(inner):
    return st.builds(
        lambda name, before, content, after: (
            f"{before}<{name} class='x>y'>{content}</{name}>{after}"
        ),
        st.sampled_from(ELEMENTS),
        WORDS,
        inner,
        WORDS,
    )


FRAGMENTS = st.recursive(
    WORDS, lambda inner: _element(inner) | st.tuples(inner, inner).map("".join)
)


def reference(page):
    """The text of the tree, element by element, with a blank where an element breaks the line."""
    parts = []

    def walk(node):
        match node:
            case tree.Text():
                if node.parent.tag not in {"script", "style"}:
                    parts.append(node.text)
            case tree.Element():
                broken = node.tag not in INLINE
                raised = node.tag in {"sub", "sup"}
                parts.append(" " if broken else "\x01" if raised else "")
                for child in node.children:
                    walk(child)
                parts.append(" " if broken else "\x01" if raised else "")

    root = tree.parse(page)
    (body,) = (node for node in root.descendants() if getattr(node, "tag", "") == "body")
    for child in body.children:
        walk(child)
    text = without_invisible("".join(parts).replace("\x01\x01", "\x01"))
    pieces = text.split("\x01")
    joined = pieces[0]
    for piece in pieces[1:]:
        between = joined[-1:].isdecimal() and piece[:1].isdecimal()
        joined += (" " if between else "") + piece
    return " ".join(without_invisible(joined).split())


@given(FRAGMENTS)
def test_a_reader_sees_the_text_of_the_tree(fragment):
    page = f"<!doctype html><html><head></head><body>{fragment}</body></html>"
    assert " ".join(visible(Tokens(page)).text.split()) == reference(page)


@given(pages)
def test_each_character_leads_back_to_its_source(page):
    seen = visible(Tokens(page))
    last = 0
    for at, character in enumerate(seen.text):
        start, end = seen.source(at, at + 1)
        assert last <= start < end <= len(page) or last == end  # a reference of two characters
        source = page[start:end]
        assert character == source or source.startswith("<") or character in decode(source).text
        last = end if not source.startswith("&") else start


@given(pages, st.data())
def test_the_source_of_a_part_reads_as_that_part(page, data):
    seen = visible(Tokens(page))
    if not seen.text:
        return
    start = data.draw(st.integers(0, len(seen.text) - 1))
    end = data.draw(st.integers(start + 1, len(seen.text)))
    again = visible(Tokens(page), *seen.source(start, end)).text
    assert seen.text[start:end].strip() in again


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<b>Pogačar</b> Tadej", "Pogačar Tadej"),
        ("one<br>two<br/>three", "one two three"),
        ("<td>a</td><td>b</td>", " a  b "),
        ("Jer<span>ry</span>", "Jerry"),
        ("a<script>if (a < b) x()</script>b", "ab"),
        ("a<style>p { }</style>b", "ab"),
        ("48<sup>99</sup>", "48 99"),
        ("48<sup class=cents><b>99</b></sup>", "48 99"),
        ("48<b></b><sup>99</sup>", "48 99"),
        ("48<sup><!-- cents -->99</sup> EUR", "48 99 EUR"),
        ("H<sub>2</sub>O, x<sup>2</sup>", "H2O, x2"),
        ("48<b>99</b>", "4899"),
        ("Jer&shy;ry au\u00adto&#8203;matic\ufeff", "Jerry automatic"),
        (
            "\u0645\u06cc&zwnj;\u062e\u0648\u0627\u0647\u0645",
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("\U0001f469&zwj;\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("\U0001f469<b>\u200d</b>\U0001f4bb", "\U0001f469\u200d\U0001f4bb"),
        ("a\u200db &zwnj;c", "ab c"),
        ("<textarea>a &amp; b</textarea>", " a & b "),
        ("<P>UPPER</P><x-y>z</x-y>", " UPPER  z "),
        ("a &copy b &unknown; &", "a © b &unknown; &"),
    ],
)
def test_examples(source, text):
    assert visible(Tokens(source)).text == text


def test_digits_of_different_elements_can_be_kept_apart():
    tokens = Tokens("<b>48</b><i>99</i> <i>1</i>.<i>5</i> 2<b>x</b>")
    assert visible(tokens, digits_apart=True).text == "48 99 1.5 2x"


def test_only_the_part_that_is_asked_for_is_seen():
    page = "<p>one <b>two &amp; three</b></p>"
    start = page.index("two")
    assert visible(Tokens(page), start, page.index(" three")).text == "two &"
    assert visible(Tokens(page), start, start).text == ""
    assert visible(Tokens("")).text == ""


@given(st.text("a \u200c\u200d\u00ad\u2003ب\U0001f469\n"))
def test_leaving_out_what_has_no_glyph_is_idempotent(text):
    once = without_invisible(text)
    assert without_invisible(once) == once


@pytest.mark.parametrize(
    "unit",
    ["1<", "<b>1", "1<sup>", "&zwj;", "\u200d", "\u00ad", "&#8205;\U0001f469", "<", "&", "<b 1"],
)
def test_hostile_pages_are_read_in_linear_time(unit):
    # A quadratic scan of a million units would not end within the time limit of the suite.
    seen = visible(Tokens("<p>" + unit * (1_000_000 // len(unit))), digits_apart=True)
    assert len(seen.text) <= 2_000_000
    assert len(without_invisible(unit * 300_000)) <= 300_000 * len(unit)
