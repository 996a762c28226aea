import json

import pytest
from terminal import watch

WRAPPER = {
    "rowen": 1,
    "kind": "wrapper",
    "name": "dial",
    "class": "lr",
    "fields": ["country", "code"],
    "left": ["<b>", "<i>"],
    "right": ["</b>", "</i>"],
}
ROWS = [("Congo", 242), ("Egypt", 20), ("Belize", 501), ("Spain", 34)]
NEW = '<tr><td class="name">{}</td><td class="dial">+{}</td></tr>'


@pytest.fixture
def site(command, folder):
    """A wrapper, its records, and its pages redesigned."""
    (folder / "w.json").write_text(json.dumps(WRAPPER))
    for name, row in {"old": "<b>{}</b> <i>{}</i>", "new": NEW}.items():
        (folder / name).mkdir()
        for number in range(3):
            text = "".join(row.format(*one) for one in ROWS[number:] + ROWS[:number])
            (folder / name / f"{number}.html").write_text(text)
    assert command("extract", "w.json", "old", "-o", "known.jsonl").returncode == 0
    return folder


@pytest.mark.usefixtures("site")
def test_the_difference_is_shown_and_nothing_is_written(command, folder):
    before = set(folder.iterdir())
    answer = command("repair", "w.json", "new", "--known", "known.jsonl")
    assert answer.returncode == 0, answer.stderr
    assert "12 known records found on the new pages; the new wrapper reproduces 12" in answer.stdout
    assert "+ 0.html: country='Congo', code='242'" in answer.stdout
    assert set(folder.iterdir()) == before


def test_the_new_wrapper_fits_the_new_pages(command, site):
    answer = command("repair", "w.json", "new", "--known", "known.jsonl", "-q", "-o", "r.json")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    answer = command("check", "r.json", "new")
    assert (answer.returncode, answer.stdout) == (0, "no drift: 12 records from 3 pages\n")
    assert command("check", "r.json", "old").returncode == 5
    assert json.loads((site / "w.json").read_text()) == WRAPPER
    # The new file keeps some records, which are enough to go back.
    answer = command("repair", "r.json", "old")
    assert "the new wrapper reproduces 12" in answer.stdout


BAD = {
    "nothing known": (["w.json", "new"], 4, "needs records that were extracted before"),
    "nothing found": (["w.json", "other.html", "--known", "known.jsonl"], 4, "none of 12 known"),
    "a missing file of records": (["w.json", "new", "--known", "none"], 4, "can't read none"),
    "an empty file of records": (["w.json", "new", "--known", "empty.jsonl"], 4, "has no records"),
    "a malformed line": (["w.json", "new", "--known", "bad.jsonl"], 4, "bad.jsonl: line 2: "),
    "no pages": (["w.json", "empty", "--known", "known.jsonl"], 4, "no pages in empty"),
    "an extractor that is no wrapper": (["rules.toml", "new"], 4, "is not a learned wrapper"),
    "an output that can't be written": (
        ["w.json", "new", "--known", "known.jsonl", "-o", "no/r.json"],
        6,
        "can't write",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_no_output(command, site, case):
    arguments, code, message = BAD[case]
    (site / "other.html").write_text("<p>something else")
    (site / "empty.jsonl").write_text("\n")
    (site / "bad.jsonl").write_text('{"page": "p", "values": {}}\n{"values": {"a": 1}}\n')
    (site / "empty").mkdir()
    before = set(site.iterdir())
    output = [] if "-o" in arguments else ["-o", "r.json"]
    answer = command("repair", *arguments, *output)
    assert answer.returncode == code, answer.stderr
    assert answer.stderr.count("\n") == 1, answer.stderr
    assert message in answer.stderr
    assert answer.stdout == ""
    assert set(site.iterdir()) == before


def test_thin_evidence_is_reported_and_has_its_exit_code(command, site):
    (site / "little").mkdir()
    (site / "little" / "0.html").write_text(NEW.format("Congo", 242) + NEW.format("Egypt", 20))
    arguments = ["repair", "w.json", "little", "--known", "known.jsonl", "-o", "r.json"]
    answer = command(*arguments)
    assert answer.returncode == 5, answer.stderr
    assert "in doubt: only 2 known records were found on the new pages" in answer.stdout
    answer = command(*arguments, "-q")
    assert (answer.returncode, answer.stdout) == (5, "")
    assert answer.stderr.startswith("rowen: the new wrapper is in doubt: only 2 known records")
    assert answer.stderr.count("\n") == 1


def test_on_a_terminal_repairing_shows_that_it_works(site):
    arguments = ("repair", "w.json", "new", "--known", "known.jsonl")
    shown, code = watch(site, *arguments)
    assert code == 0
    assert b"Repairing, at most 60 s" in shown
    assert watch(site, *arguments, "-q") == (b"", 0)
