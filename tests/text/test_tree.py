import re
import time

import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st
from markup import CDATA, MARKUP, pages, pages_of

from rowen.model import Page
from rowen.model.errors import LimitError
from rowen.text import cdata, tree
from rowen.text.character_references import decode
from rowen.text.html_tokens import lower
from rowen.text.tree import Comment, Doctype, Element, Text, parse


def normalised(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def said(node, text):
    """What the source says where a text claims to stand."""
    parts = [
        normalised(span.of(text)) if literal else decode(normalised(span.of(text))).text
        for span, literal in zip(node.spans, node.literal, strict=True)
    ]
    return "".join(parts).replace("\0", "\ufffd")


def check_spans(text, root, *, all_places=True):
    for node in root.descendants():
        if isinstance(node, Text):
            assert node.spans or not all_places
            assert not node.spans or said(node, text) == node.text
        elif isinstance(node, Comment):
            assert node.span or not all_places
            if node.span is None:
                continue
            source = normalised(node.span.of(text)).replace("\0", "\ufffd")
            assert source.startswith("<")
            assert node.text in source
        elif isinstance(node, Doctype):
            assert lower(node.span.of(text)).startswith("<!doctype")
        else:
            check_tags(text, node)


def check_tags(text, element):
    if element.start_tag:
        source = element.start_tag.of(text)
        assert lower(source).startswith(f"<{lower(element.tag)}")
        assert source.endswith(">")
    if element.end_tag:
        source = element.end_tag.of(text)
        assert lower(source).startswith(f"</{lower(element.tag)}")
        assert source.endswith(">")
    for attribute in element.attributes:
        if attribute.span is None:
            assert attribute.value_span is None
            continue
        assert lower(attribute.span.of(text)).startswith(lower(attribute.name))
        if attribute.value_span is None:
            assert attribute.value == ""
        else:
            value = normalised(attribute.value_span.of(text)).replace("\0", "\ufffd")
            assert decode(value, attribute=True).text == attribute.value


INSTRUCTION = re.compile(
    r"\?([a-z_][a-z0-9_-]*)(?:[\t\n\f ]+|(?=\?|$))(.*?)\??", re.IGNORECASE | re.DOTALL
)


def parted(comment):
    """A comment's text, with the target and the data of what may be an instruction."""
    found = INSTRUCTION.fullmatch(comment)
    return ("?", *found.groups()) if found else comment


def shape(node):
    """A turbohtml tree, flat, without places."""
    for child in node:
        if isinstance(child, turbohtml.DocumentFragment):
            yield from shape(child)
        elif isinstance(child, turbohtml.Element):
            yield child.tag, {name: child.attr(name) or "" for name in child.attrs}
            yield from shape(child)
            yield "/"
        elif isinstance(child, turbohtml.Doctype):
            yield "doctype", child.name
        elif isinstance(child, turbohtml.ProcessingInstruction):
            yield "comment", ("?", child.target, child.data)
        elif isinstance(child, turbohtml.Comment):
            yield "comment", parted(child.data)
        else:
            yield "text", child.data


def our_shape(node):
    for child in node.children:
        assert child.parent is node
        if isinstance(child, Element):
            yield child.tag, {one.name: one.value for one in child.attributes}
            yield from our_shape(child)
            yield "/"
        elif isinstance(child, Doctype):
            yield "doctype", child.name
        elif isinstance(child, Comment):
            yield "comment", parted(child.text)
        else:
            yield "text", child.text


@given(pages)
@example("<table>w1<tr>w2<td>w3</table>w4")
@example("<p>w1<b>w2<i>w3</b>w4</i>w5</p>w6")
@example("<pre>\nw1</pre><pre>\r\n\r\nw2</pre><pre>&#10; w3</pre><pre>\n</pre><pre> \nw4</pre>")
@example("<textarea>\r\nw1</textarea><textarea>\n</textarea>")
@example("<frameset>w1 w2 w3<title>w4<frame></title>")
@example("<template><col>w1 w2</template>")
@example("<svg><title><b>w1</title><style><i>w2</i></style></svg><select><title>w3<b></title>")
@example("w1\0w2<svg>\0w3</svg>\0<title>\0w4</title>")
@example("<svg><desc>\0<b></b></desc>\0</svg>")
@example("<svg>\0w1</svg><svg>\0<a/>\0\0w2</svg><svg>\0<a/>\0</svg>")
@example('€<table>\n<input type="hidden">\n')
def test_every_span_holds_what_its_node_says(text):
    root = parse(text)
    check_spans(text, root)
    document = turbohtml.parse(text, source_locations=True, allow_declarative_shadow_roots=False)
    assert list(our_shape(root)) == list(shape(document))


@given(pages_of(MARKUP + CDATA * 4))
def test_places_are_right_or_left_out_where_cdata_is_tangled(text):
    # Whether "<![CDATA[" is text depends on tags that leave no trace in a tree, as </p> in SVG.
    check_spans(text, parse(text), all_places=False)


@given(pages_of(MARKUP + CDATA * 4))
def test_places_are_right_or_left_out_where_no_section_is_asked_for(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cdata, "READINGS", 0)  # so that trees and stencils differ often
        check_spans(text, parse(text), all_places=False)


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_parses(text):
    check_spans(text, parse(text))


@given(
    st.lists(st.sampled_from(["\r", "\n", "\r\n", "<p a='\r\n'>", "</p\r\n>", "x", "<!--\r\n-->"]))
)
def test_newlines_count_as_they_stand(pieces):
    text = "".join(pieces)
    check_spans(text, parse(text))


def find(root, tag):
    return next(
        node for node in root.descendants() if isinstance(node, Element) and node.tag == tag
    )


def test_texts_join_across_ignored_tags():
    text = "<p>one </x>two</p>"
    (joined,) = find(parse(text), "p").children
    assert joined.text == "one two"
    assert [span.of(text) for span in joined.spans] == ["one ", "two"]


def test_text_moved_out_of_a_table_is_traced_back():
    text = "<table>a<tr>b<td>c</table>d"
    moved, table, rest = find(parse(text), "body").children
    assert (moved.text, moved.spans) == ("ab", ((7, 8), (12, 13)))
    assert (table.start_tag.of(text), rest.spans) == ("<table>", ((26, 27),))


def test_equal_texts_are_distinguished():
    text = "<table>a<td>a</table>a"
    spans = [node.spans for node in parse(text).descendants() if isinstance(node, Text)]
    assert spans == [((7, 8),), ((12, 13),), ((21, 22),)]


def test_a_lone_nul_is_found_in_its_place():
    text = "\0<svg>\0<a/>\0</svg>\0<svg>\0</svg>"
    spans = [node.spans for node in parse(text).descendants() if isinstance(node, Text)]
    assert spans == [((6, 7),), ((11, 12),), ((24, 25),)]


def test_supplied_elements_have_no_tags():
    root = parse("<p><b>x</p>y")
    assert find(root, "html").start_tag is None
    first, again = (node for node in root.descendants() if getattr(node, "tag", "") == "b")
    assert first.start_tag == (3, 6)
    assert again.start_tag is None


def test_attributes_of_a_second_body_have_no_place():
    body = find(parse("<body a=1><body b=2>"), "body")
    assert [(one.name, one.value, one.span) for one in body.attributes] == [
        ("a", "1", (6, 9)),
        ("b", "2", None),
    ]


def test_attribute_values_are_decoded_and_placed():
    text = "\r\n<a href='?a&amp;b' class='c d' download>"
    link = find(parse(text), "a")
    assert link.attribute("href") == "?a&b"
    assert link.attribute("class") == "c d"
    assert link.attribute("download") == ""
    assert link.attribute("id") is None
    assert [one.value_span and one.value_span.of(text) for one in link.attributes] == [
        "?a&amp;b",
        "c d",
        None,
    ]


def test_templates_keep_their_contents():
    template = find(parse("<template shadowrootmode=open><b>x</b></template>"), "template")
    assert [child.tag for child in template.children] == ["b"]


def test_cdata_is_text_in_svg_and_a_comment_elsewhere():
    text = "<svg><![CDATA[a>&lt;]]></svg><![CDATA[b]]>"
    root = parse(text)
    (inside,) = find(root, "svg").children
    assert (inside.text, inside.literal) == ("a>&lt;", (True,))
    assert inside.spans[0].of(text) == "a>&lt;"
    comment = next(node for node in root.descendants() if isinstance(node, Comment))
    assert comment.span.of(text) == "<![CDATA[b]]>"


@pytest.mark.parametrize(
    "text",
    [
        "<p>A</p><svg></p><![CDATA[ b ]]><p>C</p>",
        "<p>A</p><svg></p><![CDATA[x>y]]>z<p>C</p>",
        "<p>A</p><svg></br><![CDATA[x>y]]>z<p>C</p>",
        "<p>A</p><svg><body a=b><![CDATA[x>y]]>z<p>C</p>",
        "<p>A</p><svg><head><![CDATA[x>y]]>z<p>C</p>",
        "<p>A</p><svg><foreignObject></p><![CDATA[x>y]]>z</foreignObject></svg><p>C</p>",
        "<p>A</p><math><mi></br><![CDATA[x>y]]>z</mi></math><p>C</p>",
        "<p>A</p><svg></p><![CDATA[]]><svg><![CDATA[]]><![CDATA[a>]]></svg><![CDATA[>]]><p>C</p>",
        "<p>A</p><svg></p>" + "<![CDATA[x>y]]><svg></p>" * 5 + "<p>C</p>",
        "<p>A</p><svg>" + "<![CDATA[x>y]]></p><![CDATA[x>y]]><svg>" * 3 + "<p>C</p>",
        "<p>A</p><svg><![CDATA[x>y",
        "<desc><![CDATA[w]]><frameset> C",
    ],
)
def test_sections_are_distinguished_from_comments_whatever_closes_the_svg(text):
    check_spans(text, parse(text))


def test_where_a_tree_cannot_be_traced_only_the_texts_concerned_lose_their_places(monkeypatch):
    monkeypatch.setattr(cdata, "READINGS", 0)
    text = "<p>A</p><svg></p><![CDATA[x>y]]>z<p>C</p><table>D<tr><td>E</table>"
    texts = [node for node in parse(text).descendants() if isinstance(node, Text)]
    assert [(node.text, [span.of(text) for span in node.spans]) for node in texts] == [
        ("A", ["A"]),
        ("y]]>z", []),
        ("C", ["C"]),
        ("D", ["D"]),
        ("E", ["E"]),
    ]


def test_a_page_with_more_misread_sections_than_are_asked_for_keeps_its_other_places():
    text = "<p>A</p>" + "<svg></p><![CDATA[x>y]]>" * (2 * cdata.READINGS) + "<p>C</p>"
    texts = [node for node in parse(text).descendants() if isinstance(node, Text)]
    assert [texts[0].spans, texts[-1].spans] == [((3, 4),), ((len(text) - 5, len(text) - 4),)]
    check_spans(text, parse(text), all_places=False)


def test_a_page_nested_too_deep_is_refused(monkeypatch):
    monkeypatch.setattr(tree, "HTML_DEPTH", 100)
    with pytest.raises(LimitError) as caught:
        parse(Page("<div>" * 200, id="deep.html"))
    assert caught.value.page == "deep.html"


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<b>",
        "<p><b>",
        "<table>",
        "<svg>",
        "<",
        "x</x> ",
        "\0",
        "<table>a",
        "<a b>",
        "&#10;",
    ],
)
def test_hostile_pages_end_in_a_tree(piece):
    text = piece * (100_000 // len(piece))
    root = parse(text)
    assert sum(1 for _ in root.descendants()) > 2


def test_a_page_that_adds_attributes_for_ever_is_refused():
    hostile = "<html a>" + "".join(f"<body a{number}=1>" for number in range(2_000))
    with pytest.raises(LimitError, match="<body> tags add more than 1,000 attributes"):
        parse(Page(hostile, id="roots.html"))
    many = " ".join(f"a{number}=1" for number in range(2_000))
    text = f"<html {many}><body x=1><body y=2><p title='<body {many}>'><!--<body {many}>-->"
    assert len(find(parse(text), "html").attributes) == 2_000


def test_a_tag_of_many_attributes_costs_no_more_than_in_proportion():
    def cost(count):
        text = "<p class='a b' " + " ".join(f"a{number}" for number in range(count)) + ">"
        start = time.process_time()
        assert find(parse(text), "p").attribute("class") == "a b"
        return time.process_time() - start

    # eight times as many cost sixty-four times as much where it is quadratic
    assert cost(40_000) < 24 * min(cost(5_000) for _ in range(3)) + 0.1


@pytest.mark.parametrize("source", ["a", "a?", "a??", "a?b", "a  b ", "A\tb\nc?", "_1 b", "xml b?"])
def test_the_text_of_an_instruction_is_what_is_written(source):
    page = f"<p>x<?{source}>y".replace("\n", "\r\n")
    [comment] = [node for node in parse(page).descendants() if isinstance(node, Comment)]
    assert comment.text == f"?{source}"
    assert comment.span.of(page) == f"<?{source}>".replace("\n", "\r\n")


def test_a_page_with_a_huge_tree_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(tree, "HTML_NODES", 1000)
    opened = "".join(f"<b id={number}>" for number in range(50))
    for text in (
        "<p>x" * 600,
        "<!--x-->" * 1001,
        "<template><p>x" * 400,
        f"<div>{opened}</div>{'<p>x</p>' * 20}",  # opened again in each paragraph
    ):
        monkeypatch.setattr(tree, "_Builder", None)
        with pytest.raises(LimitError, match="more than 1,000 nodes"):
            parse(Page(text, id="wide.html"))


def test_a_page_with_too_many_sections_is_refused(monkeypatch):
    monkeypatch.setattr(tree, "HTML_SECTIONS", 100)
    parse("<svg>" + "<![CDATA[x>y]]>" * 100)
    with pytest.raises(LimitError, match="more than 100 CDATA sections"):
        parse("<svg>" + "<![CDATA[x>y]]>" * 101)
