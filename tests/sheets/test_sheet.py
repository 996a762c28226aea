"""Papers as pages of a run: sheets say where the fields are, and files are read once."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen import Page, Store
from rowen.citations.citation import Citation
from rowen.sheets import snapshot
from rowen.sheets.records import paper as papers
from rowen.sheets.sheet import first_line, head_of, read_sheet, write_sheet

HEAD = head_of("0" * 32, "rowen 1")
EMPTY = rowen.read_paper(b"A Study\n\nAda Lovelace\n\nAbstract\n\nWe study.\n")

TEXTS = st.text(max_size=30) | st.sampled_from(
    ["%text:\n", "title: x", "\u2028", "a\n%parts: x 0-1"]
)


@st.composite
def citations(draw):
    raw = draw(TEXTS)
    bounds = sorted(draw(st.tuples(st.integers(0, len(raw)), st.integers(0, len(raw)))))
    return Citation(raw=raw, spans={"title": [tuple(bounds)]} if raw else {})


@settings(max_examples=60)
@given(TEXTS, st.lists(TEXTS, max_size=3), TEXTS, st.lists(citations(), max_size=3), TEXTS)
def test_fields_are_found_again_where_they_were_written(title, keywords, abstract, cited, text):
    paper = replace(
        EMPTY,
        title=title,
        authors=(),
        keywords=tuple(keywords),
        abstract=abstract,
        citations=tuple(cited),
        text=text,
    )
    sheet = write_sheet(paper, HEAD)
    (record,) = papers.extract(Page(sheet))
    source = record.source
    assert source["title"] == (" ".join(title.split()) or None)
    assert (source["keyword"] or []) == [
        " ".join(word.split()) for word in keywords if word.split()
    ]
    assert source["text"] == text
    assert [len(own["raw"]) for own in source["citation"] or []] == [len(own.raw) for own in cited]
    for own, citation in zip(record.spans["citation"] or [], cited, strict=True):
        begin = own["raw"].start
        expected = [span for span in citation.spans.get("title", []) if span[0] < span[1]]
        assert [(start - begin, end - begin) for start, end in own.get("title", [])] == expected
    assert first_line(sheet) == HEAD


@given(st.text(max_size=80).map(lambda text: HEAD + text) | st.text(max_size=40))
def test_any_text_is_read_without_harm(text):
    sheet = read_sheet(text)
    assert len(papers.extract(Page(text))) == (sheet is not None)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("one", "two"):
        text = f"A Study of {name}\n\nAda Lovelace\n\nAbstract\n\nWe study {name}.\n"
        (folder / f"{name}.pdf").write_text(text)
    return folder


def test_a_run_reads_each_file_once(tmp_path, folder, monkeypatch):
    read = []
    original = snapshot.read_papers
    monkeypatch.setattr(
        snapshot, "read_papers", lambda files: (read.extend(files), original(files, jobs=1))[1]
    )
    store = Store(tmp_path / "store")
    store.run([papers], str(folder), jobs=1)
    assert len(read) == 2
    read.clear()
    (folder / "two.pdf").write_text("Another Study\n\nAlan Turing\n\nAbstract\n\nWe do.\n")
    report = store.run([papers], str(folder), jobs=1)
    assert read == [str(folder / "two.pdf")]
    assert (report.pages["all"], report.pages["changed"]) == (2, 1)
    titles = {row["page"]: row["title"] for row in store.records("paper").to_pylist()}
    assert titles["one.pdf"] == "A Study of one"
    assert titles["two.pdf"].startswith("Another Study")
    (folder / "one.pdf").unlink()
    report = store.run([papers], str(folder), jobs=1, allow_shrink=1)
    assert (report.pages["all"], report.pages["gone"]) == (1, 1)


def test_a_chain_reads_the_text_of_papers(folder, tmp_path):
    (tmp_path / "rules.toml").write_text(
        "[[extractor]]\nname = 'paper'\nkind = 'paper'\npart = true\n\n"
        "[[extractor]]\nname = 'words'\nkind = 'pattern'\ninput = 'paper.text'\n"
        "pattern = 'study (?P<word>\\w+)'\n"
    )
    store = Store(tmp_path / "store")
    store.run(rowen.load_all(tmp_path / "rules.toml"), str(folder), jobs=1)
    assert [row["word"] for row in store.records("words").to_pylist()] == ["one", "two"]


def test_other_pages_have_no_papers():
    assert len(papers.extract("<p>no sheet</p>")) == 0
