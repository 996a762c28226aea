"""`rowen paper`: PDFs in, papers out; one that fails doesn't stop the rest."""

import json
import shutil
from pathlib import Path

import pytest

PAPERS = Path(__file__).parents[1] / "scholar" / "papers"


@pytest.fixture
def papers(folder):
    shutil.copytree(PAPERS, folder / "papers")
    return folder / "papers"


def test_a_folder_is_read_and_a_broken_file_reported(rowen, papers):
    (papers / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    answer = rowen("paper", "papers", "--jobs", "2")
    assert answer.returncode == 4
    assert answer.stderr == "rowen: papers/broken.pdf: can't open it: it is no PDF, or broken\n"
    found = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [one["file"] for one in found] == ["papers/jcon.00187.pdf", "papers/jose.00050.pdf"]
    assert all(one["title"] and one["authors"] and one["citations"] for one in found)


@pytest.mark.parametrize("form", ["xml", "tei", "bibtex", "csl", "text"])
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
def test_what_is_not_there_is_told(rowen, folder, name):
    (folder / "empty").mkdir()
    answer = rowen("paper", name)
    assert answer.returncode == 4
    assert answer.stderr.startswith(f"rowen: {name}: ")
