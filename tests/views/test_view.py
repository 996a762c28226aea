from itertools import pairwise

import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st
from markup import CDATA, MARKUP, pages, pages_of

from rowen.model import Page
from rowen.text.character_references import decode
from rowen.views.elements import HIDDEN, KEPT_ATTRIBUTES, SHOWN, SVG_ATTRIBUTES, SVG_SHOWN
from rowen.views.view import view_of

OURS = {
    "data-rowen-link",
    "data-rowen-shown",
    "data-rowen-tag",
    "data-rowen-folded",
    "data-rowen-frame",
    "data-rowen-places",
}


def view_texts(tree):
    """The texts of a view in the tree's order."""
    if isinstance(tree, dict):
        yield tree
    else:
        for child in tree[2:]:
            yield from view_texts(child)


def body_texts(text):
    """What browsers show of a page, as another parser tells it."""
    document = turbohtml.parse(text, allow_declarative_shadow_roots=False)
    body = next((element for element in document.iter_elements() if element.tag == "body"), None)
    waiting = [body] if body is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, turbohtml.Text | turbohtml.CData):
            yield node.data
        elif isinstance(node, turbohtml.Element) and (node is body or node.tag not in HIDDEN):
            waiting.extend(reversed(list(node)))


def units(text):
    """A text as JavaScript has it: UTF-16, two bytes a unit."""
    return text.encode("utf-16-le")


def pieces(text):
    """What each piece of a view's text says, with its source."""
    said, places = units(text["x"]), text["m"]
    starts = [*places[::3], len(said) // 2]
    for number, (start, end) in enumerate(pairwise(starts)):
        assert start < end
        source = places[3 * number + 1], places[3 * number + 2]
        yield said[2 * start : 2 * end].decode("utf-16-le"), *source


def as_read(source):
    return source.replace("\r", "\n").replace("\0", "\ufffd")


def check_pieces(source, text):
    before = 0
    places = []
    for said, start, end in pieces(text):
        assert before <= start < end <= len(source)
        if len(said) == end - start:
            assert said == as_read(source[start:end])
        elif source[start:end] == "\r\n":
            assert said == "\n"
        else:
            assert source[start] == "&"
            assert said == decode(source[start:end]).text
        before = end
        places.append((start, end))
    return places


@given(pages)
@example("<table>w1<tr>w2<td>w3&amp;</table>w4")
@example("<pre>\r\nw1\r\nw2</pre><textarea>\nw3&notin;</textarea>")
@example("\U0001f600&#x1f600;\U0001f600&NotEqualTilde;<b>\U0001f600</b>")
@example("<svg>\0w1</svg>")
@example("<body>w1<template>w2<b>w3</template>w4<body>w5")
def test_every_text_is_shown_with_its_source(source):
    texts = list(view_texts(view_of(Page(source, id="page.html"))["tree"]))
    assert [text["x"] for text in texts] == list(body_texts(source))
    places = sorted(place for text in texts for place in check_pieces(source, text))
    assert all(text["m"] for text in texts)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))


@given(pages_of(MARKUP + CDATA * 4))
def test_a_page_that_cannot_be_traced_is_shown_without_places(source):
    texts = list(view_texts(view_of(Page(source, id="page.html"))["tree"]))
    assert [text["x"] for text in texts] == list(body_texts(source))
    for text in texts:
        check_pieces(source, text)


def elements(tree):
    if isinstance(tree, list):
        yield tree
        for child in tree[2:]:
            yield from elements(child)


@given(st.lists(st.sampled_from([*MARKUP, "<a href=x onclick=y name=z>", "<img src=x alt=y>"])))
def test_a_view_has_only_known_elements_and_attributes(parts):
    tree = view_of(Page("".join(parts), id="page"))["tree"]
    for tag, attributes, *_ in elements(tree):
        assert tag in SHOWN | {"body", "div", "span", "pre"} | {f"svg:{name}" for name in SVG_SHOWN}
        assert attributes.keys() <= KEPT_ATTRIBUTES | SVG_ATTRIBUTES | OURS


def test_hidden_inputs_show_no_value():
    tree = view_of(Page("<input type=HIDDEN value=1><input value=2>", id="page"))["tree"]
    assert [node[1].get("data-rowen-shown") for node in tree[2:]] == [None, "2"]


def test_what_is_too_deep_lies_beside():
    tree = view_of(Page("<div>" * 2000 + "x", id="page"))["tree"]
    (text,) = view_texts(tree)
    assert (text["x"], text["m"]) == ("x", [0, 10000, 10001])


def test_plain_text_is_shown_as_it_is_with_its_lines_and_signs():
    text = "a  b\r\n<c> & &amp; d\n"
    (element,) = view_of(Page(text, id="p.txt"))["tree"][2:]
    name, attributes, shown = element
    assert (name, shown["x"]) == ("pre", "a  b\n<c> & &amp; d\n")
    assert "pre-wrap" in attributes["style"]
    places = [shown["m"][at : at + 3] for at in range(0, len(shown["m"]), 3)]
    ends = [*(at for at, _, _ in places[1:]), len(shown["x"])]
    pieces = [(shown["x"][at:end], text[a:b]) for (at, a, b), end in zip(places, ends, strict=True)]
    assert "".join(source for _, source in pieces) == text
    assert all(source in (piece, "\r\n") for piece, source in pieces)
