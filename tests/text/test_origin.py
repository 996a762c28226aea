"""The address that relative links of a saved page start from."""

import pytest

from rowen import Page
from rowen.programs.parts.typed import Converter
from rowen.text.declarations import page_base

CANONICAL = (
    '<head><link rel="stylesheet" href="/s.css">'
    '<link href="https://a.example/p?x=1&amp;y" rel="Canonical x">'
)
SAVED = "<!DOCTYPE html>\n<!-- saved from url=(0023)https://b.example/dir/ -->\n<html><head>"


@pytest.mark.parametrize(
    ("text", "identity", "base"),
    [
        (CANONICAL, "p1.html", "https://a.example/p?x=1&y"),
        (SAVED, "p1.html", "https://b.example/dir/"),
        (SAVED + CANONICAL, "p1.html", "https://b.example/dir/"),
        (SAVED + CANONICAL, "https://c.example/", "https://c.example/"),
        (CANONICAL + "<base href='/shop/'>", "p1.html", "https://a.example/shop/"),
        ('<link rel=canonical href="/p">', "p1.html", None),
        (
            "<link rel=canonical><link rel=canonical href=https://d.example/>",
            "",
            "https://d.example/",
        ),
        ("<p>canonical</p>", "p1.html", None),
    ],
)
def test_a_saved_page_may_say_where_it_came_from(text, identity, base):
    assert page_base(Page(text, identity)) == base
    assert Converter(text, identity, {}).base == base
