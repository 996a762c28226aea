"""What is told of a PDF before it is read."""

import pytest
from pdfs import pdf

from rowen.scholar.glance import first_lines, front_text, plain_text, reference_text
from rowen.scholar.layout import document as document_module
from rowen.scholar.layout import read_layout

PAPER = pdf(
    [
        [(72, 700, 18, "A Title"), (72, 650, 10, "Some words of text"), (72, 635, 10, "and more")],
        [(72, 700, 10, "The second page"), (72, 650, 10, "References"), (72, 635, 10, "[1] One")],
    ]
)


def glanced(data):
    seen = []
    found = read_layout(data, glance=seen.append)
    return seen, found


def test_the_characters_of_all_pages_are_seen_before_and_their_lines_are_those_that_follow():
    [pages], found = glanced(PAPER)
    assert plain_text(pages).split() == " ".join(line.text for line in found.lines).split()
    assert [line.text for line in first_lines(pages)] == [line.text for line in found.lines]
    assert read_layout(PAPER) == found


def test_what_a_glance_raises_ends_the_reading():
    def enough(_pages):
        raise KeyError

    with pytest.raises(KeyError):
        read_layout(PAPER, glance=enough)


def test_too_many_characters_are_not_glanced_at(monkeypatch):
    monkeypatch.setattr(document_module, "GLANCE_CHARACTERS", 50)
    seen, found = glanced(PAPER)
    assert seen == []
    assert found == read_layout(PAPER)


def test_a_front_tells_the_sizes_and_ends_after_its_words():
    lines = read_layout(PAPER).lines
    assert front_text(lines, words=4) == "size18\nA Title\nsize10\nSome words of text"
    assert front_text(lines, words=1) == "size18\nA Title"


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("a\nReferences\nb\nREFERENCES\nc", "References\nb\nREFERENCES\nc"),
        ("a\n7. Bibliography:\nb", "7. Bibliography:\nb"),
        ("see References for more\nb", "see References for more\nb"),
        ("", ""),
    ],
)
def test_references_begin_with_their_first_heading_or_are_everything(text, references):
    assert reference_text(text) == references
