"""Bodies of articles: paragraphs with figures and advertisements between them."""

import pytest
from effort import cases
from exported import agree
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen

FIGURE = "<figure><img src=a.png><figcaption>A flood.</figcaption></figure>"
AD = "<div class=ad><p>Buy now!</p></div>"
PARAGRAPHS = ["<p>It <em>rained</em>.</p>", "<p>Ann said:</p>", "<p>No<br>more.</p>"]
BETWEEN = st.sampled_from(["", "", FIGURE, AD, "<h3>Later</h3>", "<ul><li>One</ul>", "\n"])
BODIES = st.lists(st.tuples(st.sampled_from(PARAGRAPHS), BETWEEN), min_size=2, max_size=6)
ENDS = st.sampled_from(["", AD, "<h3>Related</h3><ul><li>Fire</ul>", '<p class="bio">Ann writes.'])


def article(body, before, after, *, outer):
    """A page, and its label: the body from the first to the last paragraph."""
    blocks = "".join(f"{paragraph}{between}" for paragraph, between in body[:-1]) + body[-1][0]
    text = "<h1>Flood</h1><article><h2>Flood</h2><p class=by>By <i>Ann</i></p>" + before
    start = len(text)
    end = start + len(blocks)
    if not outer:
        start, end = start + len("<p>"), end - len("</p>")
    page = rowen.Page(f"{text}{blocks}{after}</article><p>All rights reserved.</p>")
    return rowen.Example(page, [{"body": (start, end)}])


def body_of(wrapper, page):
    return [record.spans for record in wrapper.extract(page)]


ARTICLES = st.tuples(BODIES, st.sampled_from(["", FIGURE, AD]), ENDS)


@given(st.lists(ARTICLES, min_size=2, max_size=4), st.booleans())
@settings(max_examples=cases(25, 1000), deadline=None)
def test_the_paragraphs_of_one_article_show_those_of_others(articles, outer):
    first, *others = [article(*parts, outer=outer) for parts in articles]
    wrapper = rowen.learn([first])
    for other in others:
        assert body_of(wrapper, other.page) == [record.spans for record in other.records]
    agree(wrapper, [other.page.text for other in others])


def test_more_kinds_of_paragraphs_are_learned_from_more_articles():
    plain = article([(PARAGRAPHS[0], FIGURE), (PARAGRAPHS[1], "")], "", AD, outer=False)
    lead = '<p class="lead">Rain!</p><p>It rained.</p>'
    text = plain.page.text.replace(PARAGRAPHS[0], lead)
    start, end = text.index("Rain!"), text.index("</p>", text.index("Ann said:"))
    other = rowen.Example(text, [{"body": (start, end)}])
    assert body_of(rowen.learn([plain]), text) != [{"body": (start, end)}]
    wrapper = rowen.learn([plain, other])
    assert not wrapper.warnings
    assert '<p> or <p class="lead"> directly in <article>' in wrapper.explain()


@pytest.mark.parametrize(("kind", "begins"), [("html", "<p>It <em>"), ("text", "It rained.")])
def test_a_body_is_html_or_a_text(kind, begins):
    page = article([(PARAGRAPHS[0], FIGURE), (PARAGRAPHS[1], "")], "", AD, outer=True)
    wrapper = rowen.learn([page], schema={"body": kind})
    (record,) = wrapper.extract(page.page)
    assert record.values["body"].startswith(begins)
    assert "A flood." in record.values["body"]


def test_a_saved_wrapper_finds_the_same(tmp_path):
    page = article([(PARAGRAPHS[0], AD), (PARAGRAPHS[2], "")], FIGURE, AD, outer=True)
    wrapper = rowen.learn([page])
    wrapper.save(tmp_path / "article.json")
    again = rowen.load(tmp_path / "article.json")
    assert body_of(again, page.page) == body_of(wrapper, page.page) == [page.records[0].spans]
