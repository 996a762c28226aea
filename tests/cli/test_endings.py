"""The ending of -o decides the format; one that names none is refused before any work is done."""

import csv
import json
import sqlite3
from contextlib import closing

import openpyxl
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

WRAPPER = {
    "rowen": 1,
    "kind": "wrapper",
    "class": "lr",
    "fields": ["name"],
    "left": ["<b>"],
    "right": ["</b>"],
}
PAGE = "<b>Ada</b>\n<b>tab\there</b>"


@pytest.fixture
def site(folder):
    (folder / "w.json").write_text(json.dumps(WRAPPER))
    (folder / "p.html").write_text(PAGE)
    (folder / "refs.txt").write_text("Knuth, D. E. (1984). Literate programming.\n")
    return folder


UNKNOWN = [
    ("extract", "w.json", "p.html"),
    ("check", "w.json", "p.html"),
    ("explain", "w.json"),
    ("cite", "refs.txt"),
    ("paper", "nowhere.pdf"),
    ("learn", "p.html", "--labels", "nowhere.jsonl"),
    ("repair", "w.json", "p.html"),
    ("records", "--store", "nowhere"),
    ("records", "--store", "nowhere", "--diff", "-2"),
]


@pytest.mark.parametrize("call", UNKNOWN, ids=lambda call: call[0])
@pytest.mark.parametrize("name", ["out.bogus", "out.xls", "out.json.gz"])
def test_an_unknown_ending_is_2_and_nothing_is_written(command, site, call, name):
    before = set(site.iterdir())
    answer = command(*call, "-o", name)
    assert answer.returncode == 2, answer.stderr
    assert answer.stderr.count("\n") == 1
    assert answer.stderr.startswith(f"rowen: can't write .{name.rpartition('.')[2]} files ({name})")
    assert ".json" in answer.stderr or ".py" in answer.stderr
    assert set(site.iterdir()) == before


FORMS = {
    "out.jsonl": lambda text: json.loads(text.splitlines()[0])["values"] == {"name": "Ada"},
    "out.ndjson": lambda text: json.loads(text.splitlines()[0])["values"] == {"name": "Ada"},
    "out.json": lambda text: len(json.loads(text)) == 2,
    "OUT.JSON": lambda text: len(json.loads(text)) == 2,
    "out.csv": lambda text: text.startswith("page,name\r\np.html,Ada\r\n"),
    "out.tsv": lambda text: text.startswith("page\tname\r\np.html\tAda\r\n"),
    "out.html": lambda text: text.startswith("<!"),
    "a.b.csv": lambda text: text.startswith("page,name"),
    "out": lambda text: json.loads(text.splitlines()[0])["values"] == {"name": "Ada"},
}


@pytest.mark.parametrize("name", FORMS)
def test_extract_writes_what_the_ending_says(command, site, name):
    assert command("extract", "w.json", "p.html", "-o", name).returncode == 0
    assert FORMS[name]((site / name).read_bytes().decode())


def test_tabs_inside_values_stay_in_their_cell(command, site):
    (site / "p.txt").write_text(PAGE)  # a plain text: on a page a tab is a space for its reader
    command("extract", "w.json", "p.txt", "-o", "out.tsv")
    with (site / "out.tsv").open(newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert rows == [["page", "name"], ["p.txt", "Ada"], ["p.txt", "tab\there"]]


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "pq", "arrow", "feather", "sqlite", "db"])
def test_binary_formats_follow_the_ending_and_read_back(command, site, ending):
    assert command("extract", "w.json", "p.html", "-o", f"out.{ending}").returncode == 0
    assert READERS[ending](site / f"out.{ending}") == [("p.html", "Ada"), ("p.html", "tab here")]


def _rows_of_workbook(path):
    _, *rows = openpyxl.load_workbook(path)["wrapper"].values
    return rows


def _rows_of_table(table):
    return [tuple(row.values()) for row in table.to_pylist()]


def _rows_of_database(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT page, name FROM wrapper").fetchall()


READERS = {
    "xlsx": _rows_of_workbook,
    "parquet": lambda path: _rows_of_table(pq.read_table(path)),
    "pq": lambda path: _rows_of_table(pq.read_table(path)),
    "arrow": lambda path: _rows_of_table(feather.read_table(path)),
    "feather": lambda path: _rows_of_table(feather.read_table(path)),
    "sqlite": _rows_of_database,
    "db": _rows_of_database,
}


def test_a_format_that_is_named_wins(command, site):
    assert command("extract", "w.json", "p.html", "-f", "csv", "-o", "out.bogus").returncode == 0
    assert (site / "out.bogus").read_text().startswith("page,name")
    assert command("check", "w.json", "p.html", "-f", "json", "-o", "r.txt").returncode == 0
    assert json.loads((site / "r.txt").read_text())["drift"] is False


def test_the_other_commands_follow_the_ending_too(command, site):
    assert command("cite", "refs.txt", "-o", "refs.bib").returncode == 0
    assert (site / "refs.bib").read_text().startswith("@")
    assert command("cite", "refs.txt", "-o", "refs.csl.json").returncode == 0
    assert isinstance(json.loads((site / "refs.csl.json").read_text()), list)
    assert command("check", "w.json", "p.html", "-o", "r.json").returncode == 0
    assert json.loads((site / "r.json").read_text())["drift"] is False
    assert command("explain", "w.json", "-o", "w.py").returncode == 0
    assert "def extract(" in (site / "w.py").read_text()
    assert command("explain", "w.json", "-o", "w.txt").returncode == 0
    assert "starts after" in (site / "w.txt").read_text()


def test_papers_follow_the_ending(command, site):
    (site / "paper.html").write_text("<title>On Rows</title><h1>On Rows</h1><p>Text.")
    starts = {"p.bib": "", "p.tei.xml": "<?xml", "p.txt": "", "p.json": "{", "p.xml": "<?xml"}
    for name, start in starts.items():
        assert command("paper", "paper.html", "-o", name).returncode == 0, name
        assert (site / name).read_text().startswith(start)
    assert "{" not in (site / "p.bib").read_text()
    assert "TEI" in (site / "p.tei.xml").read_text()
    assert "TEI" not in (site / "p.xml").read_text()
