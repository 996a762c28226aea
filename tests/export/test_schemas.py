"""TEI and JATS are valid: every element is where the schemas allow it, and every target exists."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from lxml import etree
from paper_with_all import PAPER
from papers_made_up import PAPERS

import rowen
from rowen.export.jats import jats_xml
from rowen.export.papers import written_papers
from rowen.export.tei import TEI, tei_xml
from rowen.export.tei_options import TeiOptions
from rowen.service.stages import paper_stages

HERE = Path(__file__).parent
SAMPLES = Path(rowen.__file__).parent / "samples"
WRITERS = {"tei": tei_xml, "jats": jats_xml}


@pytest.fixture(scope="module")
def schemas():
    return {name: etree.DTD(HERE / f"{name}.dtd") for name in WRITERS}


def faults(schemas, name, text):
    root = etree.fromstring(text.encode())
    schema = schemas[name]
    found = [] if schema.validate(root) else [error.message for error in schema.error_log]
    ids = {element.get("{http://www.w3.org/XML/1998/namespace}id") for element in root.iter()}
    for element in root.iter(f"{{{TEI}}}ref"):
        target = element.get("target")
        if target is not None and target.removeprefix("#") not in ids:
            found.append(f"no element {target}")
    return found


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("path", sorted(SAMPLES.glob("**/*.pdf")), ids=lambda path: path.name)
def test_real_papers_are_valid(schemas, path, name):
    text = WRITERS[name](rowen.read_paper(path), file=path.name)
    assert faults(schemas, name, text) == []


@pytest.mark.parametrize("name", WRITERS)
@settings(deadline=None, max_examples=60)
@given(paper=PAPERS)
def test_any_paper_is_valid(schemas, name, paper):
    assert faults(schemas, name, WRITERS[name](paper, file="a.pdf")) == []


@pytest.mark.parametrize("name", WRITERS)
def test_several_papers_are_valid(schemas, name):
    papers = [("a.pdf", PAPER)]
    written = "".join(written_papers(papers, name, several=True))
    assert faults(schemas, name, written) == []


def test_the_representations_of_the_service_are_valid(schemas):
    for stage in paper_stages(PAPER, digest="0" * 64).values():
        for name in WRITERS.keys() & stage.keys():
            assert faults(schemas, name, stage[name].decode()) == []


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("**/*.pdf")), ids=lambda path: path.name)
def test_sentences_and_identifiers_are_of_tei(schemas, path):
    options = TeiOptions(sentences=True, ids=True)
    for paper in (PAPER, rowen.read_paper(path)):
        text = tei_xml(paper, file="a.pdf", options=options)
        assert "<s xml:id=" in text
        assert faults(schemas, "tei", text) == []


def test_only_coordinates_are_not_of_tei(schemas):
    options = TeiOptions(coordinates=frozenset({"p", "head", "biblStruct", "figure"}))
    text = tei_xml(PAPER, file="a.pdf", options=options)
    found = faults(schemas, "tei", text)
    assert found != []
    assert all("coords" in fault for fault in found)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("tei", "<analytic>", "<analytic><p />"),
        ("tei", 'xml:id="b0"', 'xml:id="b7"'),
        ("tei", 'xml:id="foot_0"', 'xml:id="foot_9"'),
        ("tei", "<imprint>", '<imprint colour="red">'),
        ("jats", 'ref id="r1"', 'ref id="r2"'),
        ("jats", "</sec>", "</sec><p />"),
        ("jats", "<caption>", "<caption><sec />"),
    ],
)
def test_faults_are_found(schemas, name, right, wrong):
    text = WRITERS[name](PAPER, file="a.pdf")
    assert faults(schemas, name, text) == []
    assert right in text
    assert faults(schemas, name, text.replace(right, wrong, 1)) != []
