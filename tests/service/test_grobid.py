"""GROBID's calls: its own clients work unchanged."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree as ET

import pytest
from grobid_tei_xml import parse_citation_list_xml, parse_citation_xml, parse_document_xml

import rowen

TEI = "{http://www.tei-c.org/ns/1.0}"
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


def test_what_cant_be_read_is_500_as_grobid_answers(server):
    for content in (b"\x00\x01\x02", b"%PDF-1.4 broken"):
        answer = send(server, "processFulltextDocument", content)
        assert answer.status_code == 500
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]
    drawing = b"%!PS-Adobe-3.0\nshowpage\n"
    for call in ("processFulltextDocument", "processHeaderDocument", "processReferences"):
        answer = send(server, call, drawing)
        assert answer.status_code == 500
        assert "PostScript" in answer.json()["detail"]


def test_an_empty_file_is_a_wrong_request(server):
    assert send(server, "processFulltextDocument", b"").status_code == 400


def test_put_does_the_same(server, paper):
    files = {"input": ("a.pdf", paper, "application/pdf")}
    for call in ("processFulltextDocument", "processHeaderDocument", "processReferences"):
        answers = [
            server.client.request(method, f"/api/{call}", files=files) for method in ("PUT", "POST")
        ]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].text == answers[1].text


def test_sentences_and_identifiers_come_on_request(server, paper):
    options = {"segmentSentences": "1", "generateIDs": "1", "teiCoordinates": ["s", "p"]}
    plain = ET.fromstring(send(server, "processFulltextDocument", paper).text)
    root = ET.fromstring(send(server, "processFulltextDocument", paper, **options).text)
    paragraphs = root.findall(f".//{TEI}body//{TEI}p")
    sentences = root.findall(f".//{TEI}body//{TEI}s")
    assert len(sentences) > len(paragraphs) > 5
    assert all(sentence.get("coords") for sentence in sentences)
    words = ["".join("".join(one.itertext()).split()) for one in (plain, root)]
    assert words[0] == words[1]
    assert not plain.findall(f".//{TEI}s")
    names = [one.get("{http://www.w3.org/XML/1998/namespace}id") for one in root.iter()]
    given = [name for name in names if name]
    assert len(given) == len(set(given))
    for tag in ("p", "s", "head"):
        assert f"_{tag}1" in given
    assert not any(
        (one.get("{http://www.w3.org/XML/1998/namespace}id") or "").startswith("_")
        for one in plain.iter()
    )


def test_only_the_pages_that_are_asked_for_are_read(server):
    from pdfs import pdf

    lines = [(72, 680 - 12 * k, 10, f"This is line {k} of page #, as it says.") for k in range(9)]
    texts = [(72, 740, 20, "Title of page #"), (72, 700, 12, "1 Introduction"), *lines]
    pages = [[(*place, text.replace("#", n)) for *place, text in texts] for n in "1234"]
    content = pdf(pages)

    def seen(**options):
        answer = send(server, "processFulltextDocument", content, teiCoordinates="p", **options)
        assert answer.status_code == 200, answer.text
        shown = {n for n in (1, 2, 3, 4) if f"of page {n}" in answer.text}
        placed = {int(n) for n in re.findall(r'[";](\d+),[\d.]+,', answer.text)}
        assert placed <= shown
        return shown

    assert seen() == seen(start="-1", end="-1") == {1, 2, 3, 4}
    assert seen(start="2", end="3") == {2, 3}
    assert seen(end="1") == {1}
    assert seen(start="4") == seen(start="4", end="9") == {4}
    assert send(server, "processFulltextDocument", content, start="5").status_code == 204


@pytest.mark.parametrize(
    "options",
    [{"start": "x"}, {"start": "3", "end": "2"}, {"end": "1e3"}, {"start": "9" * 30}],
)
def test_pages_that_are_none_are_a_wrong_request(server, paper, options):
    answer = send(server, "processFulltextDocument", paper, **options)
    assert answer.status_code == 400
    assert "'start'" in answer.json()["detail"]


def test_a_busy_service_is_503_and_says_when_to_come_again(start, paper):
    server = start(waiting=0, workers=1)
    with ThreadPoolExecutor(12) as threads:
        answers = list(
            threads.map(
                lambda n: send(server, "processFulltextDocument", paper + b"\n" * n), range(12)
            )
        )
    statuses = {answer.status_code for answer in answers}
    assert statuses == {200, 503}
    for answer in answers:
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
