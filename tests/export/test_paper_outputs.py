"""Papers as Markdown, JATS and RIS; TEI with elements and coordinates."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from paper_with_all import KNUTH, PAPER
from papers_made_up import CITATIONS, PAPERS

from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.export.ris import ris_entries
from rowen.export.tei import tei_xml
from rowen.export.tei_options import COORDINATES, TeiOptions


def test_markdown_has_the_structure_and_the_keys_of_bibtex():
    text = markdown(PAPER)
    assert text.startswith(
        "# On \\*parts\\*\n\nAda Lovelace\n\nLondon\n\n"
        "doi: 10.1/x · arxiv: 2001.00001 · issn: 2049-3630 · 3 May 2019 · received 2019-05-03 · "
        "CC BY 4.0\n"
    )
    assert "## 1 Parts" in text
    assert (
        "As shown [@knuth1984], pages have parts.[^1]\n\n> a = b (1)\n\nwhere a is a page." in text
    )
    assert "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |" in text
    assert "**Figure 1.** A drawing." in text
    assert "1. first item" in text
    assert "[^1]: By hand." in text
    assert "- [@knuth1984] Knuth 1984." in text


def test_jats_nests_sections_and_ties_citations_and_footnotes():
    root = ET.fromstring(jats_xml(PAPER, file="a.pdf"))
    assert root.findtext(".//article-title") == "On *parts*"
    section = root.find("body/sec")
    assert section.findtext("title") == "1 Parts"
    assert section.find("p/xref[@ref-type='bibr']").get("rid") == "r1"
    assert section.find("p/xref[@ref-type='fn']").get("rid") == "fn1"
    assert [cell.text for cell in root.iter("th")] == ["a", "b|c"]
    assert root.findtext(".//disp-formula/label") == "(1)"
    assert root.findtext("back/ack/p") == "We thank all."
    assert root.findtext("back/ref-list/ref/element-citation/source") == "The Computer Journal"


def test_ris_has_a_record_per_citation():
    [record] = ris_entries([KNUTH])
    lines = record.split("\r\n")
    assert lines[0] == "TY  - JOUR"
    assert {"AU  - Knuth, D. E.", "PY  - 1984", "SP  - 97", "EP  - 111"} <= set(lines)
    assert lines[-3:] == ["ER  - ", "", ""]


def test_tei_has_elements_and_coordinates_from_the_top_of_the_page():
    options = TeiOptions(coordinates=frozenset({"figure", "ref", "p", "biblStruct", "formula"}))
    name = "{http://www.tei-c.org/ns/1.0}"
    root = ET.fromstring(tei_xml(PAPER, file="a.pdf", options=options))
    ref = root.find(f".//{name}ref[@type='bibr']")
    assert ref.get("coords") == "1,72.00,180.00,100.00,12.00"
    assert root.find(f".//{name}ref[@type='foot']").get("target") == "#foot_0"
    formula = root.find(f".//{name}formula")
    assert (formula.text, formula.get("n")) == ("a = b", "(1)")
    figure, table = root.findall(f".//{name}figure")
    assert figure.findtext(f"{name}label") == "1"
    assert [cell.text for cell in table.iter(f"{name}cell")] == ["a", "b|c", "1", "2"]
    assert root.find(f".//{name}div[@type='acknowledgement']") is not None
    assert root.find(f".//{name}idno[@type='arXiv']").text == "2001.00001"
    assert "coords" not in tei_xml(PAPER, file="a.pdf")


@settings(max_examples=60, deadline=None)
@given(PAPERS)
def test_any_paper_is_written_well_formed(paper):
    ET.fromstring(jats_xml(paper, file="a.pdf"))
    plain = ET.fromstring(tei_xml(paper, file="a"))
    options = TeiOptions(coordinates=COORDINATES, sentences=True, ids=True, first_page=7)
    root = ET.fromstring(tei_xml(paper, file="a", options=options))
    words = ["".join("".join(one.itertext()).split()) for one in (plain, root)]
    assert words[0] == words[1]
    names = [one.get("{http://www.w3.org/XML/1998/namespace}id") for one in root.iter()]
    given = [name for name in names if name]
    assert len(given) == len(set(given))
    text = markdown(paper)
    assert len(re.findall(r"^- \[@", text, re.MULTILINE)) >= len(paper.citations)


@given(CITATIONS)
def test_any_citation_is_one_record_of_lines_with_tags(citation):
    [record] = ris_entries([citation])
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in record.split("\r\n") if line)
