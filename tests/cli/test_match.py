"""`rowen match`: citations in, each with its work out, in order."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

KNUTH = "Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111."
LAMPORT = "Lamport, L. (1986). LaTeX: a document preparation system. Addison-Wesley, Reading, MA."


@pytest.fixture
def works(folder):
    rows = [
        {"doi": "10.1093/comjnl/27.2.97", "title": "Literate Programming", "year": 1984,
         "authors": ["D. E. Knuth"]},
        {"doi": "10.1000/other", "title": "Illiterate programming", "year": 1984},
    ]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows), folder / "works.parquet")
    (folder / "refs.txt").write_text(f"{KNUTH}\n{LAMPORT}\n")
    return "works.parquet"


def test_each_citation_keeps_its_place_and_gets_its_match(command, works):
    assert command("cite", "refs.txt", "-o", "c.jsonl").returncode == 0
    answer = command("match", "c.jsonl", "--works", works)
    assert answer.returncode == 0, answer.stderr
    first, second = map(json.loads, answer.stdout.splitlines())
    assert first["raw"] == KNUTH
    assert first["match"]["doi"] == "10.1093/comjnl/27.2.97"
    assert first["match"]["confidence"] > 0.9
    assert second["match"] is None


def test_bibtex_gets_the_doi_and_the_terms_of_least_are_kept(command, folder, works):
    command("cite", "refs.txt", "-o", "c.jsonl")
    assert command("match", "c.jsonl", "--works", works, "-o", "out.bib").returncode == 0
    entries = (folder / "out.bib").read_text()
    assert "10.1093/comjnl/27.2.97" in entries
    assert "Lamport" in entries
    answer = command("match", "c.jsonl", "--works", works, "--least", "1")
    assert [json.loads(line)["match"] for line in answer.stdout.splitlines()] == [None, None]


def test_papers_are_taken_with_all_their_citations(command, folder, works):
    citation = {"raw": KNUTH, "title": "Literate programming", "year": "1984",
                "authors": [{"given": "D.", "family": "Knuth"}]}  # fmt: skip
    paper = {"file": "a.pdf", "title": "T", "citations": [citation] * 2}
    (folder / "papers.jsonl").write_text(json.dumps(paper) + "\n")
    lines = command("match", "papers.jsonl", "--works", works).stdout.splitlines()
    assert [(json.loads(line)["file"], json.loads(line)["match"]["doi"]) for line in lines] == [
        ("a.pdf", "10.1093/comjnl/27.2.97")
    ] * 2


@pytest.mark.parametrize("line", ["{", "[1]", '"x"', "{}", "[" * 100_000, '{"title": ""}'])
def test_lines_that_are_no_citations_are_reported_and_nothing_is_written(
    command, folder, works, line
):
    (folder / "c.jsonl").write_text('{"title": "A title"}\n' + line)
    answer = command("match", "c.jsonl", "--works", works, "-o", "out.jsonl")
    assert answer.returncode == 4
    assert "c.jsonl: line 2" in answer.stderr
    assert not (folder / "out.jsonl").exists()


def test_wrong_usage_is_reported(command, works):
    assert command("match", "c.jsonl").returncode == 2
    assert command("match", "missing.jsonl", "--works", works).returncode == 4
    assert command("match", "refs.txt", "--works", "nowhere.parquet").returncode == 2
    assert command("match", "refs.txt", "--works", works, "-o", "x.docx").returncode == 2
    assert command("match", "refs.txt", "--works", "refs.txt").returncode == 4
