"""GROBID's calls: its own clients work unchanged."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
from grobid_tei_xml import parse_citation_list_xml, parse_citation_xml, parse_document_xml

import rowen

SMITH = "Smith, A. (2020). On wrappers. Journal of Webs, 3, 14-15."
KNUTH = "Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111."


def send(server, call, content, **options):
    accept = options.pop("accept", "text/plain")  # what GROBID's own client asks for
    return server.client.post(
        f"/api/{call}",
        files={"input": ("a.pdf", content, "application/pdf")},
        data=options,
        headers={"Accept": accept},
    )


def test_it_is_alive_and_has_a_version(server):
    assert server.get("/api/isalive").text == "true"
    assert server.get("/api/version").text == rowen.__version__


def test_the_official_client_reads_a_folder_of_papers(server, paper, tmp_path):
    papers, results = tmp_path / "papers", tmp_path / "results"
    papers.mkdir()
    (papers / "a.pdf").write_bytes(paper)
    client = [sys.executable, "-m", "grobid_client.grobid_client", "--server", server.url]
    places = ["--input", str(papers), "--output", str(results)]
    done = subprocess.run(
        [*client, *places, "--n", "1", "processFulltextDocument"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (written,) = results.glob("*.tei.xml")
    document = parse_document_xml(written.read_text("utf-8"))
    read = rowen.read_paper(paper)
    assert document.header.title == read.title
    assert len(document.citations) == len(read.citations) > 0


def test_all_parts_of_a_paper_come_back(server, paper):
    read = rowen.read_paper(paper)
    whole = send(server, "processFulltextDocument", paper, includeRawCitations="1")
    assert whole.status_code == 200
    assert whole.headers["content-type"] == "application/xml"
    document = parse_document_xml(whole.text)
    assert [author.surname for author in document.header.authors] == [
        author.family for author in read.authors
    ]
    assert [citation.unstructured for citation in document.citations] == [
        citation.raw for citation in read.citations
    ]
    assert document.body is not None
    header = parse_document_xml(send(server, "processHeaderDocument", paper).text)
    assert (header.header.title, header.citations, header.body) == (read.title, [], None)
    references = send(server, "processReferences", paper)
    assert len(parse_citation_list_xml(references.text)) == len(read.citations)
    assert "raw_reference" not in references.text
    bibtex = send(server, "processReferences", paper, accept="application/x-bibtex")
    assert bibtex.text.count("\n@") + bibtex.text.startswith("@") == len(read.citations)


def test_a_document_that_is_sent_again_is_stored_once(start, paper):
    server = start()
    calls = ("processHeaderDocument", "processReferences", "processFulltextDocument")
    (place,) = {send(server, call, paper).headers["location"] for call in calls * 2}
    assert server.get(f"{place}/file").content == paper


def test_reference_strings_are_parsed(server):
    one = server.client.post("/api/processCitation", data={"citations": SMITH})
    assert one.status_code == 200
    citation = parse_citation_xml(one.text)
    assert (citation.title, citation.journal, citation.date) == (
        "On wrappers", "Journal of Webs", "2020",
    )  # fmt: skip
    several = server.client.post("/api/processCitationList", data={"citations": [SMITH, KNUTH]})
    titles = [citation.title for citation in parse_citation_list_xml(several.text)]
    assert titles == ["On wrappers", "Literate programming"]
    bibtex = server.client.post(
        "/api/processCitation",
        data={"citations": KNUTH},
        headers={"Accept": "application/x-bibtex"},
    )
    assert "Literate programming" in bibtex.text


def test_raw_strings_come_on_request(server):
    form = {"citations": SMITH, "includeRawCitations": "1"}
    answer = server.client.post("/api/processCitation", data=form)
    assert ET.fromstring(answer.text).findtext("./note[@type='raw_reference']") == SMITH


def test_a_paper_without_anything_in_it_is_204(server):
    from pdfs import pdf

    assert send(server, "processReferences", pdf([[(72, 700, 12, "7")]])).status_code == 204


@pytest.mark.parametrize(
    ("call", "form", "status"),
    [
        ("processCitation", {"citations": ""}, 400),
        ("processCitation", {}, 400),
        ("processCitation", {"citations": [SMITH, KNUTH]}, 400),
        ("processCitationList", {"citations": "x" * 5_000_000}, 413),
        ("processCitationList", {"citations": ["x"] * 5_100}, 400),
    ],
)
def test_a_wrong_form_is_a_problem(server, call, form, status):
    answer = server.client.post(f"/api/{call}", data=form)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_form_without_input_is_a_problem(server, paper):
    answer = server.client.post("/api/processHeaderDocument", files={"myfile": paper})
    assert answer.status_code == 400
    assert "'input'" in answer.json()["detail"]


def test_all_parameters_of_grobid_are_accepted(server, paper):
    options = {
        "consolidateHeader": "1", "consolidateCitations": "2", "consolidateFunders": "0",
        "includeRawCitations": "1", "includeRawAffiliations": "1", "generateIDs": "1",
        "segmentSentences": "1", "start": "-1", "end": "-1", "flavor": "article/light",
        "teiCoordinates": ["ref", "biblStruct", "persName", "figure", "s"],
    }  # fmt: skip
    whole = send(server, "processFulltextDocument", paper, **options)
    assert whole.status_code == 200
    root = ET.fromstring(whole.text)
    name = "{http://www.tei-c.org/ns/1.0}"
    sizes = [surface.get("lrx") for surface in root.iter(f"{name}surface")]
    placed = [ref.get("coords") for ref in root.iter(f"{name}biblStruct") if ref.get("coords")]
    assert sizes
    assert placed
    assert all(0 < int(place.split(",")[0]) <= len(sizes) for place in placed)


def test_what_is_no_document_is_refused(server):
    assert send(server, "processFulltextDocument", b"\x00\x01\x02").status_code == 415
    assert send(server, "processFulltextDocument", b"%PDF-1.4 broken").status_code == 422
    drawing = b"%!PS-Adobe-3.0\nshowpage\n"
    for call in ("processFulltextDocument", "processHeaderDocument", "processReferences"):
        answer = send(server, call, drawing)
        assert answer.status_code == 415
        assert "PostScript" in answer.json()["detail"]
