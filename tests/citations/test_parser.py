"""Reference strings from end to end, with the model that ships."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.citations.citation import FIELDS, Citation, Name
from rowen.citations.fields import spans_of
from rowen.citations.tokens import tokens_of
from rowen.export.bibtex import bibtex_entries
from rowen.export.csl import csl_item, csl_list

ARTICLE = (
    "Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97–111. "
    "https://doi.org/10.1093/comjnl/27.2.97"
)
CHAPTER = (
    "C. Jay, M. Cole, and P. Steckler. A monadic calculus for parallel costing. In C. Lengauer and "
    "S. Gorlatch, editors, Euro-Par'97 Parallel Processing, pages 650-61. Springer-Verlag, Berlin, "
    "1997."
)


def test_an_article_is_taken_apart():
    [found] = rowen.parse_citations([ARTICLE])
    assert found.authors == (Name("D. E.", "Knuth"),)
    assert (found.title, found.container) == ("Literate programming", "The Computer Journal")
    assert (found.year, found.volume, found.issue) == ("1984", "27", "2")
    assert found.pages == "97-111"
    assert found.doi == "10.1093/comjnl/27.2.97"
    assert found.url == "https://doi.org/10.1093/comjnl/27.2.97"


def test_a_chapter_has_editors_and_the_last_page_its_digits():
    [found] = rowen.parse_citations([CHAPTER])
    assert [name.family for name in found.authors] == ["Jay", "Cole", "Steckler"]
    assert found.title == "A monadic calculus for parallel costing"
    assert found.pages == "650-661"
    assert found.publisher == "Springer-Verlag"


def test_order_is_kept_and_nothing_is_left_out():
    found = rowen.parse_citations([ARTICLE, "", CHAPTER, "?"])
    assert [one.raw for one in found] == [ARTICLE, "", CHAPTER, "?"]
    assert found[1] == Citation("", {})


@settings(max_examples=200)
@given(st.text(max_size=300))
def test_any_text_has_a_citation_whose_places_are_in_it(text):
    [found] = rowen.parse_citations([text])
    assert found.raw == text
    for name, spans in found.spans.items():
        assert name in FIELDS
        for start, end in spans:
            assert 0 <= start < end <= len(text)
    json.dumps(found.to_dict())


@given(st.text(st.sampled_from("ab 1.,()-"), max_size=40), st.data())
def test_fields_are_made_of_their_tokens_and_the_signs_between_them(text, data):
    tokens = tokens_of(text)
    labels = [data.draw(st.sampled_from(["O", "title", "author", "label"])) for _ in tokens]
    spans = spans_of(text, tokens, labels)
    assert set(spans) <= {"title", "author"}
    for name, places in spans.items():
        for start, end in places:
            inside = [
                label for token, label in zip(tokens, labels, strict=True)
                if start <= token.start < end and any(letter.isalnum() for letter in token.text)
            ]  # fmt: skip
            assert set(inside) <= {name}


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("doi: 10.1000/xyz123.", "10.1000/xyz123"),
        ("(https://doi.org/10.1000/(SICI)1-2)", "10.1000/(SICI)1-2"),
        ("DOI 10.1016/ j.cell.2009.01.001, 2009", "10.1016/j.cell.2009.01.001"),
    ],
)
def test_a_doi_is_known_by_its_form(text, doi):
    [found] = rowen.parse_citations([f"Smith J. A title. A Journal 2009. {text}"])
    assert found.doi == doi


def fields(marked):
    """What `spans_of` makes of a text in which `<name|...>` marks a model's fields."""
    raw, places = "", []
    for part in re.split(r"(<\w+\|[^>]*>)", marked):
        name, _, text = part[1:-1].partition("|") if part.startswith("<") else ("O", "", part)
        places.append((len(raw), len(raw) + len(text), name))
        raw += text
    tokens = tokens_of(raw)
    labels = [
        next(name for start, end, name in places if start <= token.start < end) for token in tokens
    ]
    spans = spans_of(raw, tokens, labels)
    return {name: [raw[start:end] for start, end in own] for name, own in spans.items()}


def test_a_title_ends_where_its_quotation_does():
    short = fields('<author|A. Doe>, "<title|How? ><container|By whom?", Nature>, 2000')
    assert short == {"author": ["A. Doe"], "title": ["How? By whom?"], "container": ["Nature"]}
    assert fields("«<title|Les villes », dans Belfort>, 2006") == {"title": ["Les villes"]}
    assert fields("“<title|Oral” or “aural”. Which>, 2006")["title"] == ["Oral” or “aural”. Which"]


def test_words_that_only_announce_a_field_are_no_part_of_it():
    assert fields("<title|Ice>, (<editor|edited by S. Eliot>)")["editor"] == ["S. Eliot"]
    assert fields("<title|Ice>. <container|In: The Sea>")["container"] == ["The Sea"]
    assert fields("<title|Ice>. <container|In Vitro Biology>")["container"] == ["In Vitro Biology"]
    assert fields("<author|25.Perk J>. Ice")["author"] == ["Perk J"]


def test_two_fields_taken_for_one_are_parted_by_their_form():
    assert fields("<title|Ice>. <publisher|Rio de Janeiro: F. Alves>") == {
        "title": ["Ice"], "location": ["Rio de Janeiro"], "publisher": ["F. Alves"],
    }  # fmt: skip
    assert fields("<container|Blood>. <volume|2002; 57>(7)") == {
        "container": ["Blood"], "date": ["2002"], "volume": ["57"],
    }  # fmt: skip


def test_an_address_goes_on_after_the_end_of_a_line():
    assert fields("At http://a.org/2007_ audit.pdf. Seen")["url"] == [
        "http://a.org/2007_ audit.pdf"
    ]
    assert fields("At http://a.org/ Seen in May")["url"] == ["http://a.org/"]


def test_a_doi_in_an_address_is_part_of_it():
    assert fields("At https://doi.org/10.1000/1.") == {"url": ["https://doi.org/10.1000/1"]}
    assert fields("doi: https://doi.org/10.1000/1.") == {"doi": ["10.1000/1"]}


def test_a_hostile_string_takes_no_longer_than_a_long_one():
    [found] = rowen.parse_citations(["(" * 1_000_000])
    assert found.spans == {}


WORK = Citation(
    "raw",
    {},
    authors=(Name("D. E.", "Knuth"), Name("", "R&D Group")),
    title="50% of {all} \\ things",
    container="Proceedings of X",
    year="1984",
    pages="97-111",
    url="http://a.b/c_d",
)


def test_bibtex_escapes_what_tex_would_read():
    [entry] = bibtex_entries([WORK])
    assert entry.startswith("@inproceedings{knuth1984,\n")
    assert "author = {Knuth, D. E. and {R\\&D Group}}" in entry
    assert "title = {50\\% of \\{all\\} \\textbackslash{} things}" in entry
    assert "pages = {97--111}" in entry
    assert "url = {http://a.b/c_d}" in entry


def test_bibtex_keys_differ():
    keys = [entry.split("{")[1].split(",")[0] for entry in bibtex_entries([WORK, WORK, WORK])]
    assert keys == ["knuth1984", "knuth1984-2", "knuth1984-3"]


def test_csl_has_what_is_known():
    item = csl_item(WORK, identifier="ref1")
    assert item["type"] == "paper-conference"
    assert item["author"] == [{"family": "Knuth", "given": "D. E."}, {"literal": "R&D Group"}]
    assert item["issued"] == {"date-parts": [[1984]]}
    assert "volume" not in item


@pytest.mark.parametrize("count", [0, 1, 3])
def test_csl_lists_are_json(count):
    assert len(json.loads("".join(csl_list([WORK] * count)))) == count


@pytest.mark.parametrize(
    ("pages", "normal"), [("460e464", "460-464"), ("460e4", "460-464"), ("e230", "e230")]
)
def test_an_e_between_pages_is_a_dash_that_a_font_misreads(pages, normal):
    raw = f"A. Smith, B. Jones, The structure of things, Chem. Phys. Lett. 208 (1993) {pages}."
    [found] = rowen.parse_citations([raw])
    assert found.pages == normal
