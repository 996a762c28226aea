"""All formats of a paper have what its JSON has, where the format has a place for it.

Each claim is checked on every paper that is in the repository: the samples, and some of the farm.
"""

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import rowen
from rowen.citations.kinds import kind_of
from rowen.export.bibtex import bibtex_entries, citation_keys
from rowen.export.csl import csl_list
from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.export.paper_report import written_report
from rowen.export.ris import ris_entries
from rowen.export.tei import tei_xml
from rowen.papers.paper import read_closely

HERE = Path(__file__).parents[1]
FARM = sorted((HERE / "papers" / "farm").glob("**/*.pdf"))[::12]
SAMPLES = sorted((HERE.parent / "src" / "rowen" / "samples" / "papers").glob("*.pdf"))
PATHS = [*SAMPLES, *FARM]


@cache
def reading(path):
    return read_closely(path)


def letters(text):
    """Letters and digits only: blanks, escapes and punctuation are the format's."""
    return "".join(re.findall(r"[^\W_]", text or ""))


def parts(paper):
    """The texts of a paper's parts, but those of its references."""
    yield from (paper.title, paper.abstract, paper.doi)
    yield from paper.keywords
    for author in paper.authors:
        yield from (author.given, author.family, author.email, *author.affiliations)
    yield from paper.ids.values()
    yield paper.licence
    for section in paper.body:
        yield section.heading
    for figure in paper.figures:
        yield from (figure.label, figure.caption)
    for table in paper.tables:
        yield from (table.label, table.caption, table.notes)
        for row in table.cells:
            yield from row
    for formula in paper.formulas:
        yield from (formula.label, formula.text)
    for note in paper.footnotes:
        yield note.text


def missing(paper, text):
    """The parts that a text does not have; paragraphs by their words between markers."""
    inside = letters(text)
    wanted = [*parts(paper), *paragraphs(paper)]
    return [part for part in wanted if letters(part) not in inside]


def paragraphs(paper):
    """Texts of paragraphs between markers and footnote marks, which formats write otherwise."""
    for number, section in enumerate(paper.body):
        spans = [(marker.start, marker.end) for marker in section.markers]
        spans += [note.span for note in paper.footnotes if note.section == number and note.span]
        spans += [
            (one.at, one.at)
            for one in (*paper.formulas, *paper.figures, *paper.tables)
            if one.section == number
        ]
        for paragraph in section.paragraphs:
            at = paragraph.start
            for start, end in sorted(spans):
                if at <= start <= paragraph.end:
                    yield section.text[at:start]
                    at = end
            yield section.text[at : paragraph.end]


def of_references(root, path):
    return ["".join(one.itertext()) for one in root.iter() if one.tag.rpartition("}")[2] == path]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_tei_jats_and_markdown_have_all_parts(path):
    paper = reading(path).paper
    tei, jats = tei_xml(paper, file="a.pdf"), jats_xml(paper, file="a.pdf")
    bodies = {"tei": ET.fromstring(tei), "jats": ET.fromstring(jats)}
    texts = {name: "\n".join(root.itertext()) for name, root in bodies.items()}
    texts["tei"] += " ".join(re.findall(r' n="([^"]*)"', tei))  # numbers of headings and formulas
    texts["markdown"] = markdown(paper)
    for name, text in texts.items():
        shown = text
        if name == "tei":  # a heading's number is an attribute of it
            heads = [head for head in bodies["tei"].iter() if head.tag.endswith("}head")]
            shown += " ".join(f"{head.get('n', '')} {head.text}" for head in heads)
        assert missing(paper, shown) == [], name
        raws = [letters(citation.raw) for citation in paper.citations]
        assert all(raw in letters(shown) for raw in raws), name


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_counts_and_links_agree(path):
    paper = reading(path).paper
    tei = ET.fromstring(tei_xml(paper, file="a.pdf"))
    jats = ET.fromstring(jats_xml(paper, file="a.pdf"))
    name = "{http://www.tei-c.org/ns/1.0}"
    cited = sum(len(marker.citations) for section in paper.body for marker in section.markers)
    targets = [ref.get("target") for ref in tei.iter(f"{name}ref") if ref.get("type") == "bibr"]
    assert len(list(filter(None, targets))) == cited
    links = [one.get("rid") for one in jats.iter("xref") if one.get("ref-type") == "bibr"]
    assert sum(len(rid.split()) for rid in links) == cited
    counts = (
        (len(paper.figures), len(tei.findall(f".//{name}figure[@xml:id]", XML)) - len(paper.tables),
         len(list(jats.iter("fig")))),
        (len(paper.tables), len(tei.findall(f".//{name}figure[@type='table']")),
         len(list(jats.iter("table-wrap")))),
        (len(paper.formulas), len(list(tei.iter(f"{name}formula"))),
         len(list(jats.iter("disp-formula")))),
        (len(paper.footnotes), len(tei.findall(f".//{name}note[@place='foot']")),
         len(list(jats.iter("fn")))),
        (len(paper.citations), len(tei.findall(f".//{name}listBibl/{name}biblStruct")),
         len(list(jats.iter("ref")))),
    )  # fmt: skip
    for expected, *others in counts:
        assert others == [expected, expected]


XML = {"xml": "http://www.w3.org/XML/1998/namespace"}


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_references_have_their_fields_in_every_format_of_references(path):
    citations = reading(path).paper.citations
    written = {
        "bibtex": list(bibtex_entries(citations)),
        "ris": list(ris_entries(citations)),
        "csl": "".join(csl_list(citations)).split("\n  {")[1:] if citations else [],
    }
    assert len(set(citation_keys(citations))) == len(citations)
    for form, entries in written.items():
        if form != "csl":
            assert len(entries) == len(citations), form
    for i, citation in enumerate(citations):
        assert kind_of(citation)
        for form in ("bibtex", "ris"):
            inside = letters(written[form][i])
            names = [name.family for name in citation.authors]
            for value in (citation.title, citation.container, citation.year, *names):
                assert letters(value) in inside, (form, value)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_report_lists_all_parts(path):
    own = reading(path)
    text = "".join(written_report([("a.pdf", own)]))
    shown = re.sub(r"<[^>]+>", " ", text)
    paper = own.paper
    listed = [
        paper.title, paper.abstract, *paper.keywords, paper.language,
        *(section.heading for section in paper.body),
        *(figure.label for figure in paper.figures), *(table.label for table in paper.tables),
    ]  # fmt: skip
    assert all(letters(part) in letters(shown) for part in listed)


def test_papers_that_are_checked_have_every_kind_of_part():
    papers = [reading(path).paper for path in PATHS]
    for name in ("figures", "tables", "formulas", "footnotes", "citations", "keywords"):
        assert any(getattr(paper, name) for paper in papers), name
    assert isinstance(papers[0], rowen.Paper)
