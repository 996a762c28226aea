"""`rowen paper`: PDFs in, papers out; one that fails doesn't stop the rest."""

import json
import shutil
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from pdfs import pdf

PAPERS = Path(str(files("rowen.samples"))) / "papers"


@pytest.fixture
def papers(folder):
    shutil.copytree(PAPERS, folder / "papers")
    return folder / "papers"


def test_a_folder_is_read_and_a_broken_file_reported(rowen, papers):
    (papers / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    answer = rowen("paper", "papers", "--jobs", "2")
    assert answer.returncode == 4
    assert (
        answer.stderr
        == "rowen: papers/broken.pdf: can't open it: it is a PDF, but broken or cut off\n"
    )
    found = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [one["file"] for one in found] == ["papers/jcon.00187.pdf", "papers/jose.00050.pdf"]
    assert all(one["title"] and one["authors"] and one["citations"] for one in found)


@pytest.mark.parametrize("form", ["xml", "tei", "bibtex", "csl", "text", "html"])
def test_other_formats(rowen, papers, form):  # noqa: ARG001
    answer = rowen("paper", "papers/jcon.00187.pdf", "-f", form)
    assert answer.returncode == 0, answer.stderr
    assert "Towards Structural Integration of FMUs" in answer.stdout


def test_nothing_is_written_where_all_fail(rowen, papers):
    (papers / "broken.pdf").write_bytes(b"")
    answer = rowen("paper", "papers/broken.pdf", "-o", "out.jsonl")
    assert answer.returncode == 4
    assert not (papers.parent / "out.jsonl").exists()


@pytest.mark.parametrize("name", ["missing.pdf", "empty"])
def test_what_is_not_there_is_reported(rowen, folder, name):
    (folder / "empty").mkdir()
    answer = rowen("paper", name)
    assert answer.returncode == 4
    assert answer.stderr.startswith(f"rowen: {name}: ")


def test_a_missing_file_does_not_stop_the_others(rowen, papers):  # noqa: ARG001
    answer = rowen("paper", "missing.pdf", "papers/jcon.00187.pdf", "-f", "text")
    assert answer.returncode == 4
    assert answer.stderr.startswith("rowen: missing.pdf: no such file or folder")
    assert "Towards Structural Integration of FMUs" in answer.stdout


def test_a_dash_is_standard_input(papers):
    content = b"\\documentclass{article}\\title{On Pages}\\begin{document}Hi.\\end{document}"
    answer = subprocess.run(
        [sys.executable, "-m", "rowen", "paper", "-"],
        cwd=papers.parent, input=content, capture_output=True, check=True,
    )  # fmt: skip
    assert answer.stdout.startswith(b'{"file": "-", "title": "On Pages"')


@pytest.mark.parametrize(("form", "last"), [("json", b"\n"), ("tei", b"</TEI>")])
def test_an_interrupt_loses_nothing_that_is_finished(papers, form, last):
    lines = [(72, 780 - 5 * i, 4, "word " * 40) for i in range(150)]
    (papers / "zz.pdf").write_bytes(pdf([lines] * 300))  # takes long enough to be interrupted
    command = ["-u", "-m", "rowen", "paper", "papers", "--jobs", "1", "-f", form]
    with subprocess.Popen(
        [sys.executable, *command],
        cwd=papers.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        written = b""
        while written.count(last) < 2:
            written += process.stdout.read1()
        process.send_signal(signal.SIGINT)
        written += process.stdout.read()
        told = process.stderr.read()
    assert process.returncode == 130
    assert told == b"rowen: interrupted; 2 of 3 files were read\n"
    assert b"FMIExchange.jl" in written
    assert b"Emacs-reveal" in written
    if form == "json":
        assert len([json.loads(line) for line in written.splitlines()]) == 2
    else:
        assert written.endswith(b"</teiCorpus>\n")


def test_what_is_no_file_is_reported_and_stops_no_other(rowen, papers):
    (papers / "folder.pdf").mkdir()
    answer = rowen("paper", "papers", "-f", "text")
    assert answer.returncode == 4
    assert answer.stderr == "rowen: papers/folder.pdf: can't open it: not a file\n"
    assert "FMIExchange.jl" in answer.stdout


def test_what_was_not_read_is_reported(rowen, folder):
    (folder / "a.pdf").write_bytes(pdf([[(72, 700, 12, "Some words")], []]))
    told = "rowen: a.pdf: 1 of 2 pages have no text: they are images or empty\n"
    answer = rowen("paper", "a.pdf")
    assert (answer.returncode, answer.stderr) == (0, told)
    assert rowen("paper", "a.pdf", "-q").stderr == ""
