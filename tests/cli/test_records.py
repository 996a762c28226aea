"""`rowen records`: what a store holds, in every format, and what changed."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from rowen import Store

PAGES = {"a.html": "CS 105 at 2pm\n", "b.html": "CS 310\nCS 417 at 4pm\n", "c.html": "nothing\n"}


@pytest.fixture
def store(command, folder):
    """Two snapshots: a record moved on a, one went and one came on b, d came and c is gone."""
    (folder / "crawl").mkdir()

    def take(pages):
        for file in (folder / "crawl").iterdir():
            file.unlink()
        for name, text in pages.items():
            (folder / "crawl" / name).write_text(text)
        answer = command("run", "rules.toml", "--snapshot", "crawl", "--store", "store")
        assert answer.returncode == 0, answer.stderr

    take(PAGES)
    take(
        {
            "a.html": "Moved: CS 105 at 2pm\n",
            "b.html": "CS 417 at 4pm\nCS 311\n",
            "d.html": "CS 500\n",
        }
    )
    return folder / "store"


def records(command, *arguments):
    answer = command("records", "--store", "store", *arguments)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def rooms(found):
    return sorted(one["values"]["room"] for one in found)


@pytest.mark.usefixtures("store")
def test_the_newest_snapshot_is_shown(command):
    found = lines(records(command))
    assert rooms(found) == ["CS 105", "CS 311", "CS 417", "CS 500"]
    (moved,) = (one for one in found if one["page"] == "a.html")
    assert moved == {
        "page": "a.html",
        "values": {"room": "CS 105", "time": "2pm"},
        "source": {"room": "CS 105", "time": "2pm"},
        "spans": {"room": [7, 13], "time": [17, 20]},
    }


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("number", ["0", "-2"])
def test_an_older_snapshot_is_shown_by_its_number(command, number):
    assert rooms(lines(records(command, "--snapshot", number))) == ["CS 105", "CS 310", "CS 417"]


@pytest.mark.usefixtures("store")
def test_every_format_has_all_records(command, folder):
    assert len(json.loads(records(command, "-f", "json"))) == 4
    rows = list(csv.DictReader(io.StringIO(records(command, "-f", "csv"))))
    assert sorted(row["room"] for row in rows) == ["CS 105", "CS 311", "CS 417", "CS 500"]
    for name in ("r.parquet", "r.html", "r.jsonl", "r.csv", "r.json", "r.xlsx", "r.db", "r.arrow"):
        assert records(command, "-o", name) == ""
        assert (folder / name).stat().st_size > 0
    assert pq.read_table(folder / "r.parquet").num_rows == 4
    assert "CS 500" in (folder / "r.html").read_text()


@pytest.mark.usefixtures("store")
def test_records_are_those_that_extract_gives(command):
    kept = records(command)
    extracted = command("extract", "rules.toml", "crawl").stdout
    assert sorted(kept.splitlines()) == sorted(extracted.splitlines())


@pytest.mark.usefixtures("store")
def test_differences_are_what_came_went_and_moved(command):
    found = lines(records(command, "--diff", "-2"))
    told = sorted((one["change"], one["page"], one["values"]["room"]) for one in found)
    assert told == [
        ("came", "b.html", "CS 311"),
        ("came", "d.html", "CS 500"),
        ("moved", "a.html", "CS 105"),
        ("moved", "b.html", "CS 417"),
        ("went", "b.html", "CS 310"),
    ]
    (moved,) = (one for one in found if one["page"] == "a.html")
    assert moved["before"] == {"page": "a.html", "spans": {"room": [0, 6], "time": [10, 13]}}


@pytest.mark.usefixtures("store")
def test_the_way_back_differs_the_other_way_round(command):
    found = lines(records(command, "--snapshot", "0", "--diff", "1"))
    told = {(one["change"], one["values"]["room"]) for one in found}
    assert {("came", "CS 310"), ("went", "CS 311"), ("went", "CS 500")} < told


@pytest.mark.usefixtures("store")
def test_a_snapshot_does_not_differ_from_itself(command):
    assert records(command, "--diff", "-1") == ""


@pytest.mark.usefixtures("store")
def test_differences_are_lines_of_json_only(command, folder):
    answer = command("records", "--store", "store", "--diff", "-2", "-f", "csv")
    assert answer.returncode == 2
    assert records(command, "--diff", "-2", "-o", "changes.jsonl") == ""
    assert len(lines((folder / "changes.jsonl").read_text())) == 5


@pytest.mark.usefixtures("store")
def test_the_list_names_every_snapshot(command):
    first, own, second, again = records(command, "--list").splitlines()
    assert first.startswith("0  ")
    assert "3 pages (0 unchanged, 0 changed, 0 renamed, 3 new, 0 gone)" in first
    assert "2 changed, 0 renamed, 1 new, 1 gone" in second
    assert "3 records" in own
    assert "4 records" in again


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--extractor", "halls"], "no records of 'halls' in snapshot 1; its extractors: rooms"),
        (["--snapshot", "7"], "no snapshot 7"),
        (["--diff", "7"], "no snapshot 7"),
        (["--snapshot", "-3"], "no snapshot -3"),
        (["--extractor", "halls", "--failures"], "no records of 'halls'"),
    ],
)
def test_what_is_not_there_is_reported_in_a_line(command, arguments, said):
    answer = command("records", "--store", "store", *arguments)
    assert answer.returncode == 6
    assert answer.stderr.count("\n") == 1
    assert said in answer.stderr


def test_a_missing_store_is_reported_and_not_made(command, folder):
    answer = command("records", "--store", "store")
    assert answer.returncode == 6
    assert "no store at" in answer.stderr
    assert not (folder / "store").exists()


@pytest.mark.usefixtures("folder")
def test_a_store_without_snapshots_says_so(command, folder):
    Store(folder / "store")
    assert records(command, "--list") == "no snapshots yet\n"


@pytest.mark.usefixtures("store")
def test_with_several_extractors_each_record_names_its_own(command, folder):
    (folder / "tags.toml").write_text(
        "[extractor]\nname = 'moved'\nkind = 'pattern'\npattern = '(?P<word>Moved)'\n"
    )
    command("run", "rules.toml", "tags.toml", "--snapshot", "crawl", "--store", "store")
    found = lines(records(command))
    assert [one["extractor"] for one in found].count("moved") == 1
    assert len(lines(records(command, "--extractor", "moved"))) == 1
