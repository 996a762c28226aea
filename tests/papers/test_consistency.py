"""Answers of workers that documents may have taken over: whoever uses them may follow them."""

import json
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paper_with_all import BODY, BOX, KNUTH, PAPER

from rowen.citations.markers import Marker
from rowen.elements.element import Figure, Footnote, Formula, PaperTable, Paragraph
from rowen.export.jats import jats_xml
from rowen.export.markdown import markdown
from rowen.export.paper_report import written_report
from rowen.export.paper_xml import plain_xml
from rowen.export.tei import tei_xml
from rowen.export.tei_options import COORDINATES, TeiOptions
from rowen.model.errors import InputError
from rowen.papers import subprocess
from rowen.papers.consistency import DEEPEST_LEVEL, check_paper
from rowen.papers.paper import pictured, read_closely
from rowen.papers.subprocess import PAPERS, READINGS, _SentReading
from rowen.pdf.pictures import Picture
from rowen.service.stages import Shown
from rowen.service.whole import _read
from rowen.workers.frames import Frame
from rowen.workers.schema import ProtocolError
from rowen.workers.work import Messages

SAMPLES = sorted((Path(str(files("rowen.samples"))) / "papers").glob("*.pdf"))


def section(**changes):
    return replace(PAPER, body=(replace(BODY, **changes), *PAPER.body[1:]))


WRONG = {
    "a marker that leads nowhere": section(markers=(Marker(9, 12, (7,)),)),
    "a marker that leads before the first": section(markers=(Marker(9, 12, (-1,)),)),
    "a marker beyond the text": section(markers=(Marker(9, 10**9, (0,)),)),
    "a marker that runs backwards": section(markers=(Marker(12, 9, (0,)),)),
    "a paragraph beyond the text": section(paragraphs=(Paragraph(0, 10**6),)),
    "a paragraph before the text": section(paragraphs=(Paragraph(-5, 3),)),
    "a level of its own": section(level=DEEPEST_LEVEL + 1),
    "no level": section(level=0),
    "a figure in no section": replace(PAPER, figures=(Figure("F", "", section=9, at=0),)),
    "a figure beyond the text": replace(PAPER, figures=(Figure("F", "", section=0, at=10**9),)),
    "a formula with half a place": replace(PAPER, formulas=(Formula("1", "a", section=0),)),
    "a table of uneven rows": replace(PAPER, tables=(PaperTable("T", "", (("a",), ("b", "c"))),)),
    "a table that is all head": replace(PAPER, tables=(PaperTable("T", "", (("a",),), 2),)),
    "a table with less than no head": replace(PAPER, tables=(PaperTable("T", "", (("a",),), -1),)),
    "a footnote of no section": replace(PAPER, footnotes=(Footnote("1", "", span=(0, 1)),)),
    "a footnote of another section": replace(
        PAPER, footnotes=(Footnote("1", "", section=-1, span=(0, 1)),)
    ),
    "a footnote beyond the text": replace(
        PAPER, footnotes=(Footnote("1", "", section=0, span=(0, 10**9)),)
    ),
    "a field beyond its string": replace(
        PAPER, citations=(replace(KNUTH, spans={"title": [(0, 10**9)]}),)
    ),
    "a certainty of more than one": replace(PAPER, confidence={"title": 1.5}),
    "a citation of less than no certainty": replace(
        PAPER, citations=(replace(KNUTH, confidence=-0.5),)
    ),
    "a field of more than all certainty": replace(
        PAPER, citations=(replace(KNUTH, confidence=0.5, field_confidence={"title": 7.0}),)
    ),
}


def as_received(work, value):
    """A worker's answer as its parent decodes it."""
    messages = Messages({"done": work.result})
    blobs = []
    data = json.loads(json.dumps(messages._schemas["done"].encode(value, blobs)))
    return work.receive(None, messages.value(Frame("done", data, tuple(blobs))))


def test_papers_that_were_read_fit_together():
    for path in SAMPLES:
        reading = pictured(read_closely(path), path.read_bytes())
        assert as_received(PAPERS, reading.paper) == reading.paper
        received = as_received(READINGS, _SentReading.of(reading))
        assert (received.paper, received.pictures) == (reading.paper, reading.pictures)
    check_paper(PAPER)


@pytest.mark.parametrize("name", WRONG)
def test_a_paper_whose_parts_dont_fit_together_is_refused(name):
    with pytest.raises(ValueError, match="don't fit together"):
        as_received(PAPERS, WRONG[name])
    shown = Shown.of(WRONG[name])
    with pytest.raises(InputError, match="damaged"):
        _read([own.encode() for own in (shown.header, shown.body, shown.citations)])


def changed_reading(**changes):
    path = SAMPLES[0]
    return replace(_SentReading.of(read_closely(path)), **changes)


_PAGE = Picture(10, 10, b"abc", b"rows")


@pytest.mark.parametrize(
    "changes",
    [{"sections": ()}, {"references": ()}, {"labels": ("body",)}, {"paper": PAPER},
     {"pictures": (_PAGE,) * 3}],
)  # fmt: skip
def test_a_reading_whose_parts_dont_fit_together_is_refused(changes, monkeypatch):
    monkeypatch.setattr(subprocess, "PICTURES_BYTES", 2 * len(_PAGE.rows))
    with pytest.raises(ValueError, match="paper"):
        as_received(READINGS, changed_reading(**changes))


def test_an_impossible_picture_is_an_invalid_message():
    sent = changed_reading(pictures=(_PAGE,))
    messages = Messages({"done": READINGS.result})
    blobs = []
    data = json.loads(json.dumps(messages._schemas["done"].encode(sent, blobs)))
    assert data[-1] == [["Picture", [10, 10, 0, 1]]]
    data[-1][0][1][0] = 10**6
    with pytest.raises(ProtocolError, match="invalid Picture"):
        messages.value(Frame("done", data, tuple(blobs)))


NUMBERS = st.sampled_from([-(10**9), -1, 0, 1, 5, 31, 65, 66, 10**9, 1.5, None, "1", [], True])


def places(data, at=()):
    """The paths of all numbers in a JSON form."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*at, key))
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield at


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_what_is_not_refused_is_written_in_every_format(data):
    shown = Shown.of(PAPER)
    parts = [json.loads(own) for own in (shown.header, shown.body, shown.citations)]
    number = data.draw(st.sampled_from(list(places(parts))))
    inner = parts
    for key in number[:-1]:
        inner = inner[key]
    inner[number[-1]] = data.draw(NUMBERS)
    try:
        paper = _read([json.dumps(part).encode() for part in parts])
    except InputError:
        return
    options = TeiOptions(coordinates=COORDINATES, sentences=True, ids=True)
    for written in (tei_xml(paper, file="a", options=options), jats_xml(paper, file="a"),
                    plain_xml(paper, file="a"), markdown(paper)):  # fmt: skip
        assert "On" in written


def test_a_report_of_boxes_from_nowhere_is_harmless():
    boxes = [(0, *BOX[1:]), (-3, *BOX[1:]), (10**9, *BOX[1:]), (1, 9e18, -9e18, -9e18, 9e18)]
    path = SAMPLES[0]
    reading = read_closely(path)
    body = tuple(
        replace(own, paragraphs=tuple(replace(one, boxes=tuple(boxes)) for one in own.paragraphs))
        for own in reading.paper.body
    )
    changed = replace(reading, paper=replace(reading.paper, body=body))
    text = "".join(written_report([("a.pdf", changed)]))
    assert not re.search(r'"-?(nan|inf)', text)
    assert text.count("<svg") == len(reading.layout.pages)
