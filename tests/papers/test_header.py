"""Title, abstract and keywords as texts from their lines."""

from dataclasses import replace

import pytest
from pdfs import pdf

from rowen.papers.header import abstract_of, doi_of, keywords_of, title_of
from rowen.papers.zones.abstract import abstract_lines
from rowen.papers.zones.keywords import keyword_lines
from rowen.papers.zones.title import title_lines
from rowen.papers.zones.words import without_opening
from rowen.pdf import read_layout


def lines_of(*texts, size=10):
    return read_layout(
        pdf([[(72, 700 - 14 * i, size, text) for i, text in enumerate(texts)]])
    ).lines


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("Keywords: olives, irrigation", ["olives", "irrigation"]),
        ("Palabras clave: olivar, riego", ["olivar", "riego"]),
        ("Parole chiave: restauro urbano; tutela", ["restauro urbano", "tutela"]),
        ("Keywords: wages, towns JEL codes: J31, J61, R23", ["wages", "towns"]),
        ("Keywords: graphs, paths. MSC (2020): 05C69, 05C85", ["graphs", "paths"]),
        (
            "Key words: ISM: clouds - galaxies: discs - dust, extinction",
            ["ISM: clouds", "galaxies: discs", "dust, extinction"],
        ),
        ("Keywords: ageing; wards, closed; sleep", ["ageing", "wards, closed", "sleep"]),
        ("Palavras-chave: latex. abntex. edição de texto.", ["latex", "abntex", "edição de texto"]),
        ("Keywords: olives, Ocimum spp. in Spain.", ["olives", "Ocimum spp. in Spain"]),
    ],
)
def test_keywords_are_parted_without_opening_and_codes(text, keywords):
    assert keywords_of(lines_of(text)) == keywords


def test_an_opening_of_another_language_is_removed_and_nothing_else():
    assert without_opening("Zusammenfassung. Wir zeigen", "abstract") == "Wir zeigen"
    assert (
        without_opening("Zusammenfassung. Wir zeigen", "keywords") == "Zusammenfassung. Wir zeigen"
    )
    assert without_opening("We show", "abstract") == "We show"
    assert without_opening("", "abstract") == ""


def test_an_abstract_ends_before_the_line_that_says_how_to_cite_it():
    lines = lines_of("Mosses tolerate metals. - Made-up Perspect 102(Suppl 12):105-108 (1994)")
    assert abstract_of(lines) == "Mosses tolerate metals."
    lines = lines_of("Mosses grow. Test Med J 2018; Vol. 39 (2): 124-130 doi: 10.5555/tmj.2.21")
    assert abstract_of(lines) == "Mosses grow."


SENTENCE = "This sentence is as long as it has to be so that a few of it are an abstract."


@pytest.mark.parametrize(
    ("text", "raised", "abstract"),
    [
        ("We study tests.1", ((15, 16),), "We study tests."),
        ("We study tests.†", ((15, 16),), "We study tests."),
        ("We study tests of 1", (), "We study tests of 1"),
        ("We study H2", ((10, 11),), "We study H2"),
        ("We study tests.th", ((15, 17),), "We study tests.th"),
    ],
)
def test_the_mark_of_a_note_is_no_part_of_the_abstract(text, raised, abstract):
    (line,) = lines_of("x")
    assert abstract_of([replace(line, text=text, raised=raised)]) == abstract


def test_an_executive_summary_is_an_abstract():
    lines = lines_of("Executive Summary", *[SENTENCE] * 4)
    labelled = list(zip(lines, ["heading", *["body"] * 4], strict=True))
    assert abstract_lines(labelled) == list(lines[1:])


def test_an_introduction_far_below_at_another_edge_is_not_part_of_the_abstract():
    page = [(100, 700, 12, "Abstract"), *((100, 684 - 12 * i, 10, SENTENCE) for i in range(4))]
    page += [(72, 600 - 12 * i, 10, SENTENCE) for i in range(4)]
    lines = read_layout(pdf([page])).lines
    labelled = list(zip(lines, ["abstract heading", *["abstract"] * 8], strict=True))
    assert len(abstract_lines(labelled)) == 4


def test_one_line_without_separators_that_no_word_opens_is_no_list_of_keywords():
    lines = lines_of("A study of mosses", "Ada Lovelace", "Introduction")
    labelled = list(zip(lines, ["title", "keywords", "heading"], strict=True))
    assert keyword_lines(labelled) == []


def test_the_last_word_of_a_title_belongs_to_it():
    page = [
        (72, 740, 20, "A study of mosses in four"),
        (72, 716, 20, "Towns"),
        (72, 680, 10, "Ada Lovelace"),
    ]
    lines = read_layout(pdf([page])).lines
    for labels in (["title", "header", "author"], ["title", "title", "author"]):
        title = title_lines(list(zip(lines, labels, strict=True)))
        assert [line.text for line in title] == ["A study of mosses in four", "Towns"]


def test_a_paragraph_before_the_introduction_is_the_abstract_whatever_is_labelled_behind():
    words = "a paragraph of words that fills its line from the left edge to the right one"
    labelled = [
        ("A Study of Unheaded Abstracts", "title"),
        ("Ada Lovelace", "author"),
        *((f"{words} {i}", "body") for i in range(5)),
        ("1. Introduction", "heading"),
        *((f"{words} again {i}", "abstract" if i > 1 else "body") for i in range(9)),
    ]
    lines = lines_of(*(text for text, _ in labelled))
    found = abstract_lines(
        [(line, label) for line, (_, label) in zip(lines, labelled, strict=True)]
    )
    assert [line.text for line in found] == [text for text, _ in labelled[2:7]]


@pytest.mark.parametrize(
    ("text", "raised", "title"),
    [
        ("A study of marks\u22c6,\u22c6\u22c6", (), "A study of marks"),
        ("A study of marksa)", ((16, 18),), "A study of marks"),
        ("A study of marks1", ((16, 17),), "A study of marks"),
        ("A study of marks?,??", ((16, 20),), "A study of marks"),
        ("Is this a mark?", (), "Is this a mark?"),
        ("A study of Ca2+", ((13, 15),), "A study of Ca2+"),
        ("Loops over 2n", ((12, 13),), "Loops over 2n"),
    ],
)
def test_marks_of_notes_at_the_end_are_no_part_of_the_title(text, raised, title):
    line = replace(lines_of("A study")[0], text=text, raised=raised)
    assert title_of([line]) == title


def test_a_doi_ends_before_a_label_that_is_glued_to_it():
    assert doi_of(lines_of("10.2218/ijdc.v0i0.0DOI: more")) == "10.2218/ijdc.v0i0.0"
    assert doi_of(lines_of("https://doi.org/10.1000/xyz.DOI")) == "10.1000/xyz.DOI"


def test_a_sentence_that_goes_on_with_the_word_abstract_opens_none():
    words = "words of an abstract that is set in the type of the whole paper and has no heading"
    lines = lines_of(words, "abstract is typeset as a first paragraph of the paper", *[words] * 4)
    assert abstract_lines([(line, "abstract") for line in lines]) == lines
