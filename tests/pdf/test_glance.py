"""What is told of a PDF before it is read."""

import pytest
from pdfs import pdf

from rowen.pdf import document as document_module
from rowen.pdf import read_layout
from rowen.pdf.document import lines_on
from rowen.pdf.glance import plain_text

PAPER = pdf(
    [
        [(72, 700, 18, "A Title"), (72, 650, 10, "Some words of text"), (72, 635, 10, "and more")],
        [(72, 700, 10, "The second page"), (72, 650, 10, "References"), (72, 635, 10, "[1] One")],
    ]
)


class Reader:
    def __init__(self):
        self.seen = []

    def glance(self, pages, total):
        self.seen.append((list(pages), total))

    def lines_on(self, page, first):
        return lines_on(page, first)


def glanced(data):
    reader = Reader()
    found = read_layout(data, reader=reader)
    return reader.seen, found


def test_the_characters_of_all_pages_are_seen_before_their_lines_are_made():
    [(pages, total)], found = glanced(PAPER)
    assert total == 2
    assert plain_text(pages).split() == " ".join(line.text for line in found.lines).split()
    assert read_layout(PAPER) == found


def test_what_a_glance_raises_ends_the_reading():
    class Enough(Reader):
        def glance(self, _pages, _total):
            raise KeyError

    with pytest.raises(KeyError):
        read_layout(PAPER, reader=Enough())


def test_too_many_characters_are_not_glanced_at(monkeypatch):
    monkeypatch.setattr(document_module, "GLANCE_CHARACTERS", 50)
    seen, found = glanced(PAPER)
    assert seen == []
    assert found == read_layout(PAPER)
