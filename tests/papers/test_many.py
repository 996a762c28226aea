"""`rowen.read_papers`: papers in order, errors as values, and no process left behind."""

import json
import shutil
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from pdfs import pdf

import rowen
from rowen.errors import DocumentError, InputError, UsageError
from rowen.workers.process import Process

SAMPLES = Path(str(files("rowen.samples"))) / "papers"
NAMES = ["jcon.00187.pdf", "jose.00050.pdf"]


@pytest.fixture
def papers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SAMPLES, tmp_path / "papers")
    return tmp_path / "papers"


@pytest.fixture
def ended(monkeypatch):
    """The processes that were started, and those that were ended."""
    started, gone = [], []
    start, end = Process.__init__, Process.end
    monkeypatch.setattr(
        Process, "__init__", lambda self, *a, **k: (start(self, *a, **k), started.append(self))[0]
    )
    monkeypatch.setattr(Process, "end", lambda self: (end(self), gone.append(self))[0])
    return lambda: bool(started) and set(started) == set(gone)


def test_papers_come_in_the_order_of_the_paths_as_if_read_alone(papers):
    (papers / "below").mkdir()
    (papers / NAMES[1]).rename(papers / "below" / "B.PDF")
    (papers / "notes.txt").write_text("not a PDF")
    read = list(rowen.read_papers(["papers", Path("papers/notes.txt")], jobs=2))
    assert [name for name, _ in read] == [
        "papers/below/B.PDF", f"papers/{NAMES[0]}", "papers/notes.txt",
    ]  # fmt: skip
    for name, paper in read:
        assert paper == rowen.read_paper(name)


def test_a_file_that_can_not_be_read_gives_its_error_and_stops_no_other(papers):
    (papers / "a-broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (papers / "b-blank.pdf").write_bytes(pdf([[], []]))
    (papers / "c-folder.pdf").mkdir()
    results = dict(rowen.read_papers("papers", jobs=1))
    assert [type(result) for result in results.values()] == [DocumentError] * 3 + [rowen.Paper] * 2
    assert results["papers/b-blank.pdf"].reason.startswith("it has no text layer")


@pytest.mark.parametrize("name", ["missing.pdf", "empty"])
def test_a_path_that_leads_to_no_file_is_refused_before_anything_is_read(papers, name):
    (papers.parent / "empty").mkdir()
    with pytest.raises(InputError, match=name):
        rowen.read_papers([papers, name])


def test_jobs_are_at_least_one(papers):
    with pytest.raises(UsageError, match="'jobs' must be 1 or more, not 0"):
        rowen.read_papers(papers, jobs=0)


def test_no_paths_are_no_papers():
    assert list(rowen.read_papers([])) == []


@pytest.mark.usefixtures("papers")
def test_progress_counts_files_up_to_all(ended):
    calls = []
    assert len(list(rowen.read_papers("papers", progress=lambda *now: calls.append(now)))) == 2
    assert calls == [(0, 2), (1, 2), (2, 2)]
    assert ended()


@pytest.mark.usefixtures("papers")
def test_leaving_the_loop_ends_the_processes(ended):
    for _ in rowen.read_papers("papers", jobs=1):
        break
    assert ended()


@pytest.mark.usefixtures("papers")
def test_after_a_stop_only_what_is_finished_comes(ended):
    with rowen.read_papers(["papers"] * 5, jobs=1) as papers:
        first = next(papers)
        papers.stop()
        assert first[0] == papers.files[0]
        assert len(list(papers)) < 9
    assert ended()


@pytest.mark.parametrize("count", [1, 2])
def test_papers_are_written_in_a_format(papers, count):
    read = [(name, rowen.read_paper(papers / name)) for name in NAMES[:count]]
    assert rowen.write_papers("out.jsonl", read) == count
    lines = Path("out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        json.loads(json.dumps({"file": name, **paper.to_dict()})) for name, paper in read
    ]
    assert rowen.write_papers("out.xml", read, format="xml") == count
    assert ET.parse("out.xml").getroot().tag == ("papers" if count > 1 else "paper")
    assert rowen.write_papers("again.xml", iter(read), format="xml", several=count > 1) == count
    assert Path("again.xml").read_bytes() == Path("out.xml").read_bytes()


def test_without_a_paper_no_file_appears(tmp_path):
    assert rowen.write_papers(tmp_path / "out.xml", [], format="xml") == 0
    assert list(tmp_path.iterdir()) == []


def test_citations_are_written_in_a_format(tmp_path):
    cited = rowen.parse_citations(["Knuth, D. E. (1984). Literate programming."])
    assert rowen.write_citations(tmp_path / "refs.bib", cited, format="bibtex") == 1
    assert "Literate programming" in (tmp_path / "refs.bib").read_text("utf-8")
    assert rowen.write_citations(tmp_path / "refs.csl", [], format="csl") == 0
    assert json.loads((tmp_path / "refs.csl").read_text("utf-8")) == []


@pytest.mark.parametrize("write", [rowen.write_papers, rowen.write_citations])
def test_an_unknown_format_is_refused_before_a_file_is_opened(write, tmp_path):
    with pytest.raises(UsageError, match="unknown format 'doc'; the formats are json, "):
        write(tmp_path / "out", [], format="doc")
    assert list(tmp_path.iterdir()) == []
