"""A whole paper in one answer, and formats that are no papers."""

from xml.etree import ElementTree as ET

import pytest
from grobid_tei_xml import parse_document_xml

import rowen
from rowen.client import Client
from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.model.errors import InputError
from rowen.service.whole import _read

JATS = b"""<?xml version="1.0"?>
<article dtd-version="1.3"><front><article-meta>
<title-group><article-title>On Pages</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lovelace</surname>
<given-names>Ada</given-names></name></contrib></contrib-group>
</article-meta></front><body><sec><title>Parts</title><p>Pages have parts.</p></sec></body>
<back><ref-list><ref id="r1"><element-citation><year>1984</year><article-title>Literate
programming</article-title><source>The Computer Journal</source></element-citation></ref>
</ref-list></back></article>
"""
LATEX = rb"""\documentclass{article}
\title{On Pages}
\begin{document}
\maketitle
\section{Parts}
Pages have parts.
\end{document}
"""
OTHERS = {
    "PostScript": b"%!PS-Adobe-3.0\n%%Title: x\nshowpage\n",
    "EPS": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n",
    "RTF": b"{\\rtf1\\ansi A paper.}",
    "SVG": b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>',
    "BibTeX": b"@article{a, title={On Pages}, author={Ada Lovelace}}\n",
    "JSON": b'{"title": "On Pages"}',
    "RIS": b"TY  - JOUR\nTI  - On Pages\nER  - \n",
}


@pytest.fixture
def client(server):
    with Client(server.url) as service:
        yield service


def test_a_whole_paper_is_what_reading_it_gives(client, paper):
    document = client.submit(paper, name="a.pdf")
    read = rowen.read_paper(paper)
    assert client.paper(document, "markdown") == markdown(read)
    assert client.paper(document, "jats").endswith(jats_xml(read, file="a.pdf"))
    tei = parse_document_xml(client.paper(document, "tei"))
    assert tei.header.title == read.title
    assert len(tei.citations) == len(read.citations)
    assert client.paper(document, "text") == f"{read.text}\n"
    assert client.paper(document, "ris").count("TY  - ") == len(read.citations)
    assert client.paper(document, "bibtex").startswith("@")


def test_accept_chooses_the_form_and_nothing_is_sent_twice(server):
    document = "/" + server.add(JATS)
    answer = server.get(document, headers={"Accept": "application/jats+xml"})
    assert answer.headers["content-type"] == "application/jats+xml"
    assert ET.fromstring(answer.content).findtext(".//surname") == "Lovelace"
    assert answer.headers["vary"] == "Accept"
    again = {"Accept": "application/jats+xml", "If-None-Match": answer.headers["etag"]}
    assert server.get(document, headers=again).status_code == 304
    # What accepts everything gets the description, as ever.
    assert ET.fromstring(server.get(document).content).tag == "document"
    assert server.get(document, params={"output": "docx"}).status_code == 422


@pytest.mark.parametrize("source", [JATS, LATEX], ids=["JATS", "LaTeX"])
def test_sources_are_read_as_what_they_are(client, source):
    document = client.submit(source)
    assert client.header(document).value.title == "On Pages"
    [section] = client.body(document).value
    assert (section.heading, section.text) == ("Parts", "Pages have parts.")
    assert client.paper(document, "markdown").startswith("# On Pages\n")


@pytest.mark.parametrize("name", OTHERS)
def test_other_formats_are_415_with_what_is_accepted(server, name):
    document = "/" + server.add(OTHERS[name])
    for path in ("/header", "/citations", "?output=markdown", "/header"):  # kept the second time
        answer = server.get(document + path)
        assert answer.status_code == 415
        assert answer.headers["content-type"] == "application/problem+json"
        assert name in answer.json()["detail"]
        assert "JATS XML, LaTeX or plain text" in answer.json()["detail"]


@pytest.mark.parametrize(
    "content",
    [
        b"[1]",
        b'{"body": 7}',
        b'{"body": [{"heading": null, "text": "", "markers": [{"span": []}], "paragraphs": []}]}',
        b'{"body": [{"heading": 1, "text": [], "markers": [], "paragraphs": []}]}',
        b'{"figures": [{"label": {}}]}',
        b'{"tables": [{"label": "a", "caption": "b", "cells": "c"}]}',
        b'{"pages": [[1]]}',
        b'{"other": 1, "title"',
        b"[" * 100_000,
    ],
)
def test_results_of_a_worker_that_was_taken_over_are_refused(content):
    with pytest.raises(InputError, match="damaged"):
        _read([b"{}", content])
