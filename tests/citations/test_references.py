"""What comes out as a reference: lists below headings, doubtful lists, and notes."""

from pathlib import Path

import pytest

from rowen.citations.references import references_of
from rowen.pdf import Line

WORKS = [
    "[1] A. Smith and B. Doe, On wrappers, J. Webs 3, 14-15 (2001).",
    "[2] C. Roe, Readers of pages, Webs Press, London, 2004.",
    "[3] D. Low. Trees and pages. Journal of Trees, 12(3):4-19, 2010.",
]
MEMBERS = [
    "[1] Open the lid in 2001.", "[2] Look into it, and wait.", "[3] Close the lid again in 2004.",
]  # fmt: skip


def lines_of(texts, *, size=9.0):
    return [
        Line(
            text=text, page=1, block=0, left=60.0, bottom=698.0 - 12 * i, right=300.0,
            top=707.0 - 12 * i, baseline=700.0 - 12 * i, size=size, font="Times", bold=False,
            italic=False, raised=(), gaps=(), offsets=tuple(range(0, 40 * len(text), 40)),
        )
        for i, text in enumerate(texts)
    ]  # fmt: skip


@pytest.mark.parametrize("heading", [True, False])
def test_works_are_references_with_and_without_a_heading(heading):
    listed = references_of(lines_of(WORKS), (), headed=heading)
    assert [citation.raw for citation in listed.citations] == WORKS


def test_headings_inside_a_list_are_no_references():
    texts = ["Primary sources", *(work[4:] for work in WORKS)]
    listed = references_of(lines_of(texts), (), headed=True)
    assert all(citation.raw != "Primary sources" for citation in listed.citations)


def test_numbered_sentences_are_none_and_go_back_to_the_body():
    listed = references_of(lines_of(MEMBERS), (), headed=False)
    assert listed.citations == listed.passages == ()
    assert listed.list_is_none


def test_notes_that_cite_are_references_without_their_first_words():
    notes = [
        "1 Vgl. Smith, Adam: Kritik der Musik. In: Das Argument, 12 (1999), S. 33-44.",
        "2 Die Befragung fand im Jahr 2009 in drei Orten statt.",
        "3 Ebd., S. 12.",
    ]
    listed = references_of((), lines_of(notes), headed=False)
    assert [citation.raw for citation in listed.citations] == [notes[0].removeprefix("1 Vgl. ")]
    assert len(listed.passages) == 1


def test_references_beyond_the_limit_are_counted():
    listed = references_of(lines_of(WORKS), (), headed=True, limit=2)
    assert (len(listed.citations), listed.more) == (2, 1)


def test_physics_papers_without_a_heading_keep_all_references():
    import rowen

    farm = Path(__file__).parents[1] / "papers" / "farm" / "documents"
    citations = rowen.read_paper(farm / "revtex-prl.pdf").citations
    assert len(citations) == 9
    assert citations[0].authors[0].family == "Nakagawa"
