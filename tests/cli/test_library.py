"""`rowen library`: import, search and export on a data folder, and to a service."""

import json
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from serving import Server
from small_papers import archive, paper, title_of

from rowen.cli import main
from rowen.library.library import Library
from rowen.library.selection import Selection


@pytest.fixture
def folder(tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    for number in range(3):
        (papers / f"p{number}.pdf").write_bytes(paper(number))
    (papers / "more.zip").write_bytes(archive({"p2.pdf": paper(2), "p3.pdf": paper(3)}))
    (papers / "notes.docx").write_bytes(b"not read")
    return papers


def test_papers_are_imported_searched_and_exported(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["library", "import", str(folder), "--jobs", "1"]) == 0
    assert "4 new papers, 1 were there already" in capsys.readouterr().err
    assert main(["library", "import", str(folder), "--jobs", "1"]) == 0
    assert "0 new papers, 5 were there already" in capsys.readouterr().err
    assert main(["library", "search", 'title:"number 3"', "-f", "jsonl"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["title"] == title_of(3)
    assert main(["library", "search", "--sort", "title", "--limit", "2"]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 2
    assert "2 of 4 papers" in shown.err
    assert main(["library", "export", "-o", "all.bib"]) == 0
    assert (tmp_path / "all.bib").read_text("utf-8").count("title = ") == 4
    assert (
        main(["library", "export", 'title:"number 3"', "--archive", "-f", "csl", "-o", "x.zip"])
        == 0
    )
    with zipfile.ZipFile(tmp_path / "x.zip") as read:
        assert len(read.namelist()) == 1


def test_what_can_not_be_read_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    assert main(["library", "import", "broken.pdf", "--jobs", "1"]) == 4
    assert "broken.pdf: " in capsys.readouterr().err
    assert main(["library", "search", "--state", "failed"]) == 0
    assert "broken.pdf" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["import", "nowhere"], 4, "no such file"),
        (["search", "--data", "nowhere"], 4, "has no library"),
        (["export", "-o", "a.docx"], 2, "can't write .docx"),
        (["export", "--archive", "-o", "a.bib"], 2, "must end with .zip"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(tmp_path, monkeypatch, capsys, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    assert main(["library", *arguments]) == code
    assert message in capsys.readouterr().err


def test_an_unknown_sort_names_the_others(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["library", "import", str(folder / "p1.pdf"), "--jobs", "1"]) == 0
    assert main(["library", "search", "--sort", "size"]) == 4
    assert "sort by title" in capsys.readouterr().err


def test_an_interrupted_import_goes_on_where_it_was(tmp_path):
    folder, data = tmp_path / "papers", tmp_path / "data"
    folder.mkdir()
    for number in range(30):
        (folder / f"p{number}.pdf").write_bytes(paper(number))
    call = [sys.executable, "-m", "rowen", "library", "import", folder, "--data", data]
    first = subprocess.Popen([*call, "--jobs", "1"], stderr=subprocess.PIPE, text=True)
    while not (data / "library").exists() or _ready(data) < 3:
        time.sleep(0.05)
        assert first.poll() is None
    first.send_signal(signal.SIGINT)
    _, errors = first.communicate(timeout=60)
    assert first.returncode == 130
    assert "the same command goes on" in errors
    assert _ready(data) < 30
    again = subprocess.run([*call, "--jobs", "1"], capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    assert _ready(data) == 30


def _ready(data):
    library = Library(data)
    try:
        return library.page(Selection(facets={"state": ("ready",)})).total
    finally:
        library.close()


def test_papers_are_sent_to_a_service_that_uses_the_folder(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    server = Server(tmp_path / "data")
    try:
        assert main(["library", "import", str(folder), "--data", "data"]) == 6
        assert "send the papers to it with --url" in capsys.readouterr().err
        assert main(["library", "import", str(folder), "--url", server.url]) == 0
        assert "4 new papers" in capsys.readouterr().err
        while server.get("/library/queue").json()["waiting"]:
            time.sleep(0.1)
        assert main(["library", "search", "--data", "data", "-f", "jsonl"]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 4
    finally:
        server.end()
