"""The stages of a paper: their forms, and the digests of what these are written from."""

from dataclasses import fields, replace

import pytest

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
from rowen.elements.element import Figure, Footnote, Formula, PaperTable, Paragraph
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author
from rowen.service.stages import BODY, CITATIONS, HEADER, Shown, paper_stages, written_from

KEY = bytes(range(16))
BOXES = ((3, 1.0, 2.0, 3.0, 4.0),)
CITATION = Citation(
    "raw", {"title": [(0, 3)]}, (Name("A.", "Smith"),), "title", "container", "2001", "1", "2",
    "3-4", "publisher", "place", (Name("B.", "Doe"),), "10.1/a", "http://a", "note", 0.9,
    {"title": 0.8}, is_reference=True, page=3, boxes=BOXES,
)  # fmt: skip
PAPER = Paper(
    "Title",
    (Author("A.", "Smith", ("Somewhere",), "a@b.c"),),
    "abstract",
    ("one", "two"),
    "10.1/b",
    "2004",
    (CITATION,),
    (
        Section(
            "2 Heading", "Some text [1]", (Marker(10, 13, (0,), 1, BOXES),), 1, "2", "funding",
            (Paragraph(0, 13, "item", 1, BOXES),), 1, BOXES,
        ),
    ),
    "text",
    ("a warning",),
    (Figure("Figure 1", "caption", 1, BOXES, BOXES[0], 0, 13),),
    (PaperTable("Table 1", "caption", (("a",),), 1, "notes", 1, BOXES, BOXES[0], 0, 13),),
    (Formula("(1)", "a = b", 1, BOXES, 0, 13),),
    (Footnote("1", "note", 1, BOXES, 0, (4, 5)),),
    {"arxiv": "2001.00001"},
    {"received": "2001-02-03"},
    ((612.0, 792.0),),
    "en",
    "CC BY 4.0",
)  # fmt: skip


def digests(paper):
    stages = written_from(Shown.of(paper), key=KEY)
    return dict(zip((HEADER, CITATIONS, BODY), stages, strict=True))


def changed(value):
    match value:
        case str():
            return f"{value} "
        case bool():
            return not value
        case int() | float():
            return value + 1
        case dict():
            return {**value, "date": [(1, 2)]}
        case tuple():
            return (*value, *value)
        case _:
            raise AssertionError(value)


def variants(value):
    """A value with each of its fields changed."""
    for field in fields(value):
        yield field.name, replace(value, **{field.name: changed(getattr(value, field.name))})


WHERE = {
    "title": {HEADER, CITATIONS, BODY},
    "citations": {CITATIONS, BODY},
    **{kind: {BODY} for kind in ("body", "figures", "tables", "formulas", "footnotes", "pages")},
    "text": set(),
    "warnings": {HEADER, CITATIONS, BODY},
}


@pytest.mark.parametrize(("name", "other"), list(variants(PAPER)))
def test_each_field_of_a_paper_counts_for_the_stages_that_are_written_from_it(name, other):
    before, after = digests(PAPER), digests(other)
    differ = {stage for stage in before if before[stage] != after[stage]}
    assert differ == WHERE.get(name, {HEADER})


@pytest.mark.parametrize(("name", "other"), list(variants(CITATION)))
def test_each_field_of_a_citation_counts(name, other):
    after = digests(replace(PAPER, citations=(other,)))
    before = digests(PAPER)
    assert {one for one in before if before[one] != after[one]} == {CITATIONS, BODY}, name


def test_each_field_of_authors_sections_and_elements_counts():
    [author], [section] = PAPER.authors, PAPER.body
    [marker], [paragraph] = section.markers, section.paragraphs
    others = [replace(PAPER, authors=(one,)) for _, one in variants(author)]
    others += [replace(PAPER, body=(one,)) for _, one in variants(section)]
    others += [
        replace(PAPER, body=(replace(section, markers=(one,)),)) for _, one in variants(marker)
    ]
    others += [
        replace(PAPER, body=(replace(section, paragraphs=(one,)),))
        for _, one in variants(paragraph)
    ]
    others += [
        replace(PAPER, **{kind: (one,)})
        for kind in ("figures", "tables", "formulas", "footnotes")
        for _, one in variants(getattr(PAPER, kind)[0])
    ]
    own = digests(PAPER)
    for other in others:
        stage = HEADER if other.authors != PAPER.authors else BODY
        assert digests(other)[stage] != own[stage]


def test_what_is_written_with_equal_digests_is_equal():
    """What no digest has in it shows in no form: the text is a stage of its own."""
    other = replace(PAPER, text="another")
    assert digests(other) == digests(PAPER)
    one, two = (paper_stages(paper, digest="0" * 64) for paper in (PAPER, other))
    assert all(one[stage] == two[stage] for stage in (HEADER, CITATIONS, BODY))


@pytest.mark.parametrize("stage", [HEADER, CITATIONS, BODY])
def test_a_stage_is_written_alike_whatever_is_left_out(stage):
    whole = paper_stages(PAPER, digest="0" * 64)
    others = {HEADER, CITATIONS, BODY} - {stage}
    alone = paper_stages(PAPER, digest="0" * 64, without=others)
    assert alone.keys() == {"text", stage}
    assert alone[stage] == whole[stage]
