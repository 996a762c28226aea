"""`rowen cite`: reference strings in, citations out, in order."""

import json

KNUTH = "Knuth, D. E. (1984). Literate programming. The Computer Journal, 27(2), 97-111."
LAMPORT = "Lamport, L. (1986). LaTeX: a document preparation system. Addison-Wesley, Reading, MA."


def test_each_line_is_a_citation(command, folder):
    (folder / "refs.txt").write_text(f"{KNUTH}\n\n{LAMPORT}\n")
    answer = command("cite", "refs.txt")
    assert answer.returncode == 0
    found = [json.loads(line) for line in answer.stdout.splitlines()]
    assert [one["raw"] for one in found] == [KNUTH, LAMPORT]
    assert [one["authors"][0]["family"] for one in found] == ["Knuth", "Lamport"]
    start, end = found[0]["spans"]["title"][0]
    assert KNUTH[start:end] == found[0]["title"] == "Literate programming"


def test_standard_input_serves_as_well(rowen):
    for arguments in ([], ["-"]):
        answer = rowen("cite", *arguments, input=KNUTH)
        assert answer.returncode == 0, answer.stderr
        assert json.loads(answer.stdout)["year"] == "1984"


def test_bibtex_and_csl(command, folder):
    (folder / "refs.txt").write_text(f"{KNUTH}\n{KNUTH}\n")
    assert command("cite", "refs.txt", "-f", "bibtex", "-o", "refs.bib").returncode == 0
    entries = (folder / "refs.bib").read_text()
    assert "@article{knuth1984,\n" in entries
    assert "@article{knuth1984-2,\n" in entries
    items = json.loads(command("cite", "refs.txt", "-f", "csl").stdout)
    assert [item["id"] for item in items] == ["ref1", "ref2"]


def test_no_references_are_no_error(command, folder):
    (folder / "none.txt").write_text("\n\n")
    answer = command("cite", "none.txt", "-f", "csl")
    assert (answer.returncode, json.loads(answer.stdout)) == (0, [])


def test_bad_input_is_reported_and_nothing_is_written(command, folder):
    (folder / "latin.txt").write_bytes(b"fine\nM\xfcller\n")
    answer = command("cite", "latin.txt", "-o", "out.json")
    assert answer.returncode == 4
    assert answer.stderr == "rowen: latin.txt: line 2 is not UTF-8\n"
    assert not (folder / "out.json").exists()
    assert command("cite", "missing.txt").returncode == 4
