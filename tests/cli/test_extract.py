import csv
import io
import json
import signal
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
from terminal import watch


def lines(answer):
    return [json.loads(line) for line in answer.stdout.splitlines()]


def complaint(answer, code):
    """The one line that a failure prints."""
    assert answer.returncode == code, answer.stderr
    assert "Traceback" not in answer.stderr
    assert answer.stderr.count("\n") == 1, answer.stderr
    assert answer.stderr.startswith("rowen: ")
    return answer.stderr


def test_records_go_to_standard_output_a_line_each(rowen):
    answer = rowen("extract", "rules.toml", "a.html", "b.html")
    assert answer.returncode == 0
    assert answer.stderr == ""
    assert lines(answer)[0] == {
        "page": "a.html",
        "values": {"room": "CS 105", "time": "2pm"},
        "source": {"room": "CS 105", "time": "2pm"},
        "spans": {"room": [3, 9], "time": [13, 16]},
    }
    assert [line["values"]["room"] for line in lines(answer)] == ["CS 105", "CS 310", "CS 417"]
    assert lines(answer)[1]["values"]["time"] is None


def test_a_folder_names_its_pages_by_their_paths_in_it(rowen, folder):
    (folder / "crawl" / "deep").mkdir(parents=True)
    (folder / "crawl" / "deep" / "c.html").write_text("CS 100")
    answer = rowen("extract", "rules.toml", "crawl")
    assert [line["page"] for line in lines(answer)] == ["deep/c.html"]


def test_standard_input_is_a_page(rowen):
    answer = rowen("extract", "rules.toml", "-", input="CS 200")
    assert [line["page"] for line in lines(answer)] == ["-"]


def test_the_format_follows_the_ending_of_the_output(rowen, folder):
    for name in ("r.json", "r.csv", "r.parquet", "r.html", "r.jsonl"):
        answer = rowen("extract", "rules.toml", "a.html", "b.html", "-o", name)
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout == ""
    assert len(json.loads((folder / "r.json").read_text())) == 3
    rows = list(csv.DictReader(io.StringIO((folder / "r.csv").read_text())))
    assert rows[0] == {"page": "a.html", "room": "CS 105", "time": "2pm"}
    assert pq.read_table(folder / "r.parquet").num_rows == 3
    assert "CS 417" in (folder / "r.html").read_text()
    assert len((folder / "r.jsonl").read_text().splitlines()) == 3


def test_a_given_format_wins(rowen, folder):
    rowen("extract", "rules.toml", "a.html", "-o", "r.txt", "-f", "csv")
    assert (folder / "r.txt").read_text().startswith("page,room,time")


def test_with_several_extractors_each_record_names_its_own(rowen, folder):
    two = (folder / "rules.toml").read_text().replace("[extractor]", "[[extractor]]")
    two += "[[extractor]]\nname = 'tags'\nkind = 'pattern'\npattern = '<(?P<tag>\\w+)>'\n"
    (folder / "two.toml").write_text(two)
    answer = rowen("extract", "two.toml", "a.html")
    assert [line["extractor"] for line in lines(answer)] == ["rooms", "tags"]


def test_a_module_in_this_folder_is_an_extractor(rowen, folder):
    (folder / "mine.py").write_text('import rowen\nx = rowen.Pattern("(?P<p>CS)", name="x")\n')
    assert lines(rowen("extract", "mine:x", "a.html"))[0]["values"] == {"p": "CS"}


def test_verbose_prints_a_summary(rowen):
    assert rowen("extract", "-v", "rules.toml", "a.html").stderr == "1 record from 1 page\n"


BAD_INPUT = {
    "a missing page": (["rules.toml", "none.html"], 4, "no such file or folder: none.html"),
    "a missing extractor": (["none.toml", "a.html"], 4, "none.toml: No such file"),
    "an unknown plugin": (["nobody", "a.html"], 4, "'nobody' is not an extractor"),
    "malformed TOML": (["bad.toml", "a.html"], 4, "bad.toml: malformed TOML"),
    "malformed JSON": (["bad.json", "a.html"], 4, "bad.json: malformed JSON"),
    "a regex that does not compile": (["regex.json", "a.html"], 4, "does not compile: missing )"),
    "a binary page": (["rules.toml", "photo.html"], 4, "photo.html: "),
    "an unknown option": (["--wat", "rules.toml", "a.html"], 2, "No such option"),
    "a folder without pages": (["rules.toml", "empty"], 4, "no pages in empty"),
    "no page": (["rules.toml"], 2, "Missing argument 'PAGE...'; see 'rowen extract --help'"),
    "an unknown format": (["rules.toml", "a.html", "-f", "yaml"], 2, "'yaml' is not one of"),
    "a folder that is not there": (["rules.toml", "a.html", "-o", "no/r.csv"], 6, "can't write"),
    "an extractor that fails": (["fragile:it", "a.html"], 4, "'it' failed: KeyError"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_line_the_documented_code_and_no_output(rowen, folder, case):
    arguments, code, message = BAD_INPUT[case]
    (folder / "bad.toml").write_text("[extractor\n")
    (folder / "bad.json").write_text("{'kind': 1}")
    (folder / "regex.json").write_text('{"kind": "pattern", "pattern": "(?P<x>a"}')
    (folder / "photo.html").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(100))
    (folder / "fragile.py").write_text(
        "import rowen\n@rowen.extractor\ndef it(text):\n    raise KeyError('no')\n"
    )
    (folder / "empty").mkdir()
    before = set(folder.iterdir())
    output = [] if "-o" in arguments else ["-o", "out.jsonl"]
    assert message in complaint(rowen("extract", *arguments, *output), code)
    assert {path for path in folder.iterdir() if path.name != "__pycache__"} == before


def test_a_page_that_fails_does_not_stop_the_others(rowen, folder):
    (folder / "x.html").write_bytes(bytes(range(256)) * 20)
    answer = rowen("extract", "rules.toml", "a.html", "x.html", "b.html", "-o", "out.jsonl")
    assert answer.returncode == 4
    assert "x.html" in answer.stderr.splitlines()[0]
    assert answer.stderr.splitlines()[1] == "rowen: 1 page failed; wrote 3 records from 2 pages"
    assert len((folder / "out.jsonl").read_text().splitlines()) == 3


def test_strict_stops_at_the_first_page_that_fails(rowen, folder):
    (folder / "x.html").write_bytes(bytes(range(256)) * 20)
    answer = rowen("extract", "--strict", "rules.toml", "a.html", "x.html", "-o", "out.jsonl")
    assert "x.html" in complaint(answer, 4)
    assert not (folder / "out.jsonl").exists()


def test_a_failed_run_leaves_the_old_output(rowen, folder):
    (folder / "out.jsonl").write_text("old")
    rowen("extract", "nobody", "a.html", "-o", "out.jsonl")
    assert (folder / "out.jsonl").read_text() == "old"


def test_a_reader_that_goes_away_ends_it_quietly(folder):
    (folder / "many.html").write_text("CS 105 " * 50_000)
    command = [sys.executable, "-m", "rowen", "extract", "rules.toml", "many.html"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline().startswith(b'{"page"')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_no_half_written_file(folder, sent):
    (folder / "slow.py").write_text(
        "import time, rowen\n"
        "@rowen.extractor\n"
        "def it(text):\n"
        "    print('here', flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-m", "rowen", "extract", "slow:it", "a.html", "-o", "out.jsonl"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "here\n"
        process.send_signal(sent)
        assert process.stderr.read() == "rowen: interrupted\n"
        assert process.wait(30) == 130
    assert not [path for path in folder.iterdir() if "out" in path.name or "tmp" in path.name]


def test_progress_moves_on_a_terminal_only(folder):
    shown, code = watch(folder, "extract", "rules.toml", "a.html", "-o", "r.csv")
    assert code == 0
    assert b"Extracting" in shown
    assert b"1 record from 1 page" in shown


STOPPING = """{"rowen": 1, "kind": "wrapper", "name": "dial", "class": "lr",
"fields": ["country", "code"], "left": ["<b>", "<i>"], "right": ["</b>", "</i>"]}"""


@pytest.fixture
def stopping(folder):
    (folder / "w.json").write_text(STOPPING)
    (folder / "good.html").write_text("<b>Congo</b> <i>242</i>")
    (folder / "odd.html").write_text("<b>Egypt</b> <i>20</i> <b>Belize</b>")
    return folder


def test_a_page_on_which_a_wrapper_stops_is_reported_and_what_it_found_is_written(
    command, stopping
):
    answer = command("extract", "w.json", "good.html", "odd.html", "-o", "out.csv")
    assert answer.returncode == 4
    first, last = answer.stderr.splitlines()
    assert first.startswith(
        "rowen: odd.html: extractor 'dial' stopped after 1 record: field 'code'"
    )
    assert last == "rowen: 1 page failed; wrote 2 records from 2 pages"
    assert (stopping / "out.csv").read_text().splitlines()[1:] == [
        "good.html,Congo,242",
        "odd.html,Egypt,20",
    ]


def test_very_many_such_pages_are_counted(command, stopping):
    (stopping / "many").mkdir()
    for number in range(25):
        (stopping / "many" / f"{number:02}.html").write_text("<b>Egypt</b>")
    answer = command("extract", "w.json", "many", "-o", "out.csv")
    assert answer.returncode == 4
    lines = answer.stderr.splitlines()
    assert len(lines) == 22
    assert "19.html" in lines[19]
    assert lines[20] == "rowen: the extractor stopped early on 5 more pages"
    assert lines[21] == "rowen: 25 pages failed; wrote 0 records from 25 pages"


def test_strict_ends_at_such_a_page(command, stopping):
    answer = command("extract", "w.json", "good.html", "odd.html", "-o", "out.csv", "--strict")
    assert answer.returncode == 4
    assert "odd.html: extractor 'dial' stopped" in answer.stderr
    assert not (stopping / "out.csv").exists()


def test_saved_pages_get_addresses_from_where_they_come(rowen, folder):
    page = "<ul><li><a href='/a'>A</a></li><li><a href='b.html'>B</a></li></ul>"
    (folder / "saved" / "x").mkdir(parents=True)
    (folder / "saved" / "x" / "p.html").write_text(page)
    rules = (
        "[extractor]\nname = 'links'\nkind = 'pattern'\n"
        "pattern = '''href='(?P<link>[^']+)''''\n[extractor.schema.link]\ntype = 'url'\n"
    )
    (folder / "links.toml").write_text(rules)
    answer = rowen("extract", "links.toml", "saved", "--base-url", "https://a.example/")
    assert answer.returncode == 0, answer.stderr
    assert [line["values"]["link"] for line in lines(answer)] == [
        "https://a.example/a",
        "https://a.example/x/b.html",
    ]
    assert {line["page"] for line in lines(answer)} == {"https://a.example/x/p.html"}
    refused = rowen("extract", "links.toml", "saved", "--base-url", "a.example")
    assert "is not an address" in complaint(refused, 2)


def test_several_processes_write_the_same_file(rowen, folder):
    crawl = folder / "many"
    crawl.mkdir()
    for number in range(500):
        (crawl / f"{number:03}.html").write_text(
            f"<li>CS {100 + number} at 2pm</li>" * (number % 4)
        )
    (crawl / "250x.html").write_bytes(b"%PDF-1.4")
    for form in ("jsonl", "csv", "parquet"):
        alone = rowen("extract", "rules.toml", "many", "-o", f"alone.{form}")
        spread = rowen("extract", "rules.toml", "many", "--jobs", "3", "-o", f"spread.{form}")
        assert (alone.returncode, alone.stderr) == (spread.returncode, spread.stderr)
        assert (folder / f"alone.{form}").read_bytes() == (folder / f"spread.{form}").read_bytes()


def test_a_process_that_crashes_is_reported_in_a_line(rowen, folder):
    (folder / "crash.py").write_text(
        "import os\nimport rowen\n\n@rowen.extractor(name='crash', version='1')\n"
        "def crash(text):\n    os._exit(7)\n    yield\n"
    )
    answer = rowen("extract", "crash:crash", "a.html", "b.html", "--jobs", "2", "-o", "out.jsonl")
    assert "crashed its process, on a.html" in complaint(answer, 4)
    assert not (folder / "out.jsonl").exists()
