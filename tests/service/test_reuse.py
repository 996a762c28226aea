"""Random edits of real papers: what is reused of the paper equals what extraction gives.

The whole of it is `python -m benchmarks.revisions --texts 10000 --pdfs 550`.
"""

import os
import random
from importlib.resources import files
from pathlib import Path

import pytest
from benchmarks.edits import PDF_EDITS, edited_text
from benchmarks.reused import Service
from benchmarks.revisions import PDFS, as_html, excerpt_of

from rowen.text.sniffing import HTML, PDF

SAMPLE = Path(str(files("rowen.samples"))) / "papers" / "jcon.00187.pdf"
EXPLORE = bool(os.environ.get("ROWEN_EXPLORE"))
PAPERS = [SAMPLE, *(PDFS if EXPLORE else PDFS[::70])]
PROGRAMS = ("saved by qpdf", "saved by Ghostscript")


@pytest.fixture
def service(tmp_path):
    with Service(tmp_path) as opened:
        yield opened


def assert_equal(service, data, media_type):
    document = service.add(data, media_type)
    answers, kinds = service.answers(document)
    assert answers == service.fresh(document)
    return kinds


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_edits_of_a_pdf_are_answered_as_extraction_does(service, path):
    data, drawn = path.read_bytes(), random.Random(path.stem)
    assert_equal(service, data, PDF)
    kinds = [kind for kind in PDF_EDITS if kind not in PROGRAMS]
    for kind in kinds if EXPLORE else ["saved by pdfium", *drawn.sample(kinds, 4)]:
        answers = assert_equal(service, PDF_EDITS[kind](data, drawn), PDF)
        if kind in {"saved by pdfium", "bytes appended"}:
            assert set(answers.values()) == {"near"}


@pytest.mark.parametrize("media_type", ["text/plain", HTML])
def test_edits_of_a_text_are_answered_as_extraction_does(service, media_type):
    text, drawn = excerpt_of(SAMPLE), random.Random(media_type)
    shown = as_html(text) if media_type == HTML else text
    assert_equal(service, shown.encode(), media_type)
    for _ in range(200 if EXPLORE else 15):
        assert_equal(service, edited_text(shown, drawn).encode(), media_type)
