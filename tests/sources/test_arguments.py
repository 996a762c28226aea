"""What the command line names: `open_pages`."""

import io
import os
import sys

import pytest

from rowen.model import DocumentError, Page, SourceError
from rowen.sources import open_pages, open_source


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_pages_of_all_arguments_come_in_order(here):
    (here / "b.html").write_bytes(b"B")
    (here / "in").mkdir()
    (here / "in" / "a.html").write_bytes(b"A")
    (here / "t.jsonl").write_bytes(b'{"id": "j", "text": "J"}\n')
    source = open_pages(["b.html", "in", "in/a.html", "t.jsonl", "./b.html"])
    expected = [
        Page("B", "b.html"),
        Page("A", "a.html"),
        Page("A", "in/a.html"),
        Page("J", "j"),
        Page("B", "./b.html"),
    ]
    assert list(source) == list(source) == expected
    assert source.count_hint is None
    assert open_pages(["b.html", "in"]).count_hint == 2
    assert list(open_pages([])) == []


def test_a_missing_path_is_known_before_any_page_is_read(here):
    (here / "a.html").write_bytes(b"A")
    with pytest.raises(SourceError, match=r"^no such file or folder: nope\.html$"):
        open_pages(["a.html", "nope.html"])


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000])
def test_a_name_that_no_file_can_have_is_missing(name):
    with pytest.raises(SourceError, match="no such file or folder"):
        open_pages([name])


def test_a_url_is_not_fetched_and_the_message_says_so():
    with pytest.raises(SourceError, match="Rowen does not download pages, save them first"):
        open_pages(["https://example.com/"])


def test_a_named_file_is_read_whatever_its_suffix(here):
    (here / "page.js").write_bytes(b"A")
    assert list(open_pages(["page.js"])) == [Page("A", "page.js")]


def test_a_pdf_is_refused_by_name(here):
    (here / "a.pdf").write_bytes(b"%PDF-1.4")
    with pytest.raises(DocumentError, match=r"^a\.pdf: is a PDF, not a page of text or HTML$"):
        list(open_pages(["a.pdf"]))


def test_a_dash_is_standard_input_and_can_be_gone_through_again(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfhello")))
    source = open_pages(["-"])
    assert list(source) == list(source) == [Page("hello", "-")]


def test_standard_input_is_read_up_to_the_limit(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * 100)))
    with pytest.raises(DocumentError, match="limit of 10 bytes"):
        list(open_pages(["-"], limit=10))


def test_a_pipe_is_read_like_a_file():
    reader, writer = os.pipe()
    os.write(writer, b"x" * 10_000)
    os.close(writer)
    try:
        assert list(open_pages([f"/dev/fd/{reader}"])) == [Page("x" * 10_000, f"/dev/fd/{reader}")]
    finally:
        os.close(reader)


def test_a_path_object_is_always_a_path(here):
    (here / "git:x@y").write_bytes(b"A")
    assert next(iter(open_source(here / "git:x@y"))).text == "A"


def test_a_page_that_vanishes_is_reported(here):
    (here / "a").write_bytes(b"A")
    source = open_pages(["a"])
    (here / "a").unlink()
    with pytest.raises(DocumentError, match="a: can't be read: No such file"):
        list(source)
