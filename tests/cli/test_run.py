"""`rowen run`: what it tells, what it keeps, and how it ends."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest
from terminal import watch

MINE = """
import os, random, time
import rowen

@rowen.extractor(name="words", version="1", locality=rowen.Window(scope=3, context=3))
def words(text):
    for start in range(0, len(text), 100):
        if text[start : start + 3] == "bad":
            raise ValueError("this is bad")
        yield {"word": (start, min(start + 3, len(text)))}

@rowen.extractor(name="many", version="1")
def many(text):
    chance = random.Random(text)
    for start in sorted(chance.sample(range(len(text)), len(text) // 9)):
        yield {"word": (start, chance.randint(start, len(text)))}

@rowen.extractor(name="slow", version="1")
def slow(text):
    open("slow.pids", "a").write(f"{os.getpid()}\\n")
    time.sleep(60)
    return []
"""


@pytest.fixture
def crawl(folder):
    """Some pages in a folder, and extractors of our own."""
    (folder / "mine.py").write_text(MINE)
    (folder / "crawl").mkdir()
    for number in range(6):
        (folder / "crawl" / f"{number}.html").write_text(f"CS {100 + number} at {number + 1}pm\n")
    return folder / "crawl"


def run_in(rowen, *arguments, **options):
    return rowen("run", *arguments, "--snapshot", "crawl", "--store", "store", **options)


def complaint(answer, code):
    """The one line that a failure prints."""
    assert answer.returncode == code, answer.stderr
    assert answer.stderr.count("\n") == 1, answer.stderr
    assert answer.stderr.startswith("rowen: ")
    return answer.stderr


def kept(folder):
    """The files of a store, less the lock."""
    store = folder / "store"
    return {
        str(one.relative_to(store)): one.read_bytes()
        for one in store.rglob("*")
        if one.is_file() and one.name != "lock"
    }


@pytest.mark.usefixtures("crawl")
def test_the_summary_counts_pages_by_fate(command, folder):
    assert run_in(command, "rules.toml").returncode == 0
    (folder / "crawl" / "0.html").write_text("CS 100 and CS 200\n")
    (folder / "crawl" / "1.html").rename(folder / "crawl" / "x.html")
    (folder / "crawl" / "2.html").unlink()
    answer = run_in(command, "rules.toml")
    assert answer.returncode == 0
    assert answer.stderr == ""
    first, second, *_ = answer.stdout.splitlines()
    assert first == ("snapshot 1: 5 pages: 3 unchanged, 1 changed, 1 renamed, 0 new, 1 gone")
    assert second.startswith("rooms")
    assert "6 records, 4 of them copied from unchanged pages" in second


@pytest.mark.usefixtures("crawl")
def test_the_summary_as_json_is_one_object(command):
    answer = run_in(command, "rules.toml", "-f", "json")
    told = json.loads(answer.stdout)
    assert told["pages"]["new"] == 6
    assert told["tallies"]["rooms"]["records"] == 6


@pytest.mark.usefixtures("crawl")
def test_quiet_prints_nothing(command):
    answer = run_in(command, "rules.toml", "-q")
    assert (answer.stdout, answer.stderr) == ("", "")


def test_an_undecodable_page_is_reported_and_the_others_are_kept(rowen, crawl):
    (crawl / "2.html").write_bytes(b"\x1f\x8b\x08\x00 not gzip \xff\x00\xfe" * 50)
    answer = run_in(rowen, "rules.toml")
    assert "2.html" in complaint(answer, 4)
    assert "snapshot 0: 5 pages" in answer.stdout


def test_a_strict_run_stops_at_an_undecodable_page(rowen, crawl, folder):
    (crawl / "2.html").write_bytes(b"\x1f\x8b\x08\x00 not gzip \xff\x00\xfe" * 50)
    assert "2.html" in complaint(run_in(rowen, "rules.toml", "--strict"), 4)
    assert list(kept(folder)) == ["store.json"]


def test_a_failing_page_is_reported_and_the_others_are_kept(rowen, crawl):
    (crawl / "2.html").write_text("bad\n")
    answer = run_in(rowen, "mine:words")
    said = complaint(answer, 4)
    assert said == "rowen: 2.html: extractor 'words' failed: ValueError: this is bad\n"
    assert "failed on 1 page\n" in answer.stdout
    assert rowen("records", "--store", "store", "--failures").stdout == (
        "words\t2.html\tfailed: ValueError: this is bad\n"
    )


def test_a_strict_run_stops_at_a_failing_page(rowen, crawl, folder):
    run_in(rowen, "mine:words")
    before = kept(folder)
    (crawl / "2.html").write_text("bad\n")
    assert "this is bad" in complaint(run_in(rowen, "mine:words", "--strict"), 4)
    assert kept(folder) == before


def test_an_empty_snapshot_is_refused(rowen, crawl, folder):
    run_in(rowen, "rules.toml")
    before = kept(folder)
    for file in crawl.iterdir():
        file.unlink()
    assert "no pages in the snapshot" in complaint(run_in(rowen, "rules.toml"), 4)
    assert kept(folder) == before


def test_a_snapshot_of_which_nothing_can_be_read_is_refused_with_the_reasons(rowen, crawl, folder):
    run_in(rowen, "rules.toml")
    before = kept(folder)
    for file in crawl.iterdir():
        file.write_bytes(b"\x1f\x8b\x08\x00 not gzip \xff\x00\xfe" * 50)
    said = complaint(run_in(rowen, "rules.toml"), 4)
    assert "no pages in the snapshot" in said
    assert "6 could not be read" in said
    assert "0.html" in said
    assert kept(folder) == before


@pytest.mark.parametrize("filled", ["texts", "records"])
def test_a_full_disk_is_reported_in_a_line(rowen, crawl, folder, filled):
    run_in(rowen, "mine:many")
    before = kept(folder)
    for number in range(20):
        text = os.urandom(20_000).hex() if filled == "texts" else f"good {number} " * 6_000
        (crawl / f"{number}.html").write_text(text)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, 15_000))

    answer = run_in(rowen, "mine:many", preexec_fn=limit)
    said = complaint(answer, 6)
    assert said.startswith("rowen: can't write")
    assert filled in said
    assert "File too large" in said
    assert kept(folder) == before


def test_a_store_of_another_version_is_refused(rowen, crawl, folder):  # noqa: ARG001
    (folder / "store").mkdir()
    (folder / "store" / "store.json").write_text('{"rowen": 99}')
    assert "format 99" in complaint(run_in(rowen, "rules.toml"), 6)


def test_a_folder_that_is_no_store_is_refused(rowen, crawl):  # noqa: ARG001
    answer = rowen("run", "rules.toml", "--snapshot", "crawl", "--store", ".")
    assert "is not a Rowen store and is not empty" in complaint(answer, 6)


SLOW = ["--snapshot", "crawl", "--store", "store", "--jobs", "2"]


def started(folder):
    """A run in the background that is at its first page."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rowen", "run", "mine:slow", *SLOW],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (folder / "slow.pids").exists() or not (folder / "slow.pids").read_text():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
        return file.read().split()[2] != "Z"


def await_the_end_of(pids):
    for _ in range(500):
        if not any(alive(pid) for pid in pids):
            return
        time.sleep(0.02)
    pytest.fail(f"workers are left: {pids}")


def workers(folder):
    return {int(one) for one in (folder / "slow.pids").read_text().split()}


@pytest.mark.usefixtures("crawl")
def test_a_second_run_is_refused_at_once(rowen, folder):
    first = started(folder)
    assert "another run is writing" in complaint(run_in(rowen, "rules.toml"), 6)
    first.kill()
    first.communicate()


@pytest.mark.usefixtures("crawl")
@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)]
)
def test_an_interrupted_run_leaves_no_workers_and_the_store_as_it_was(rowen, folder, sent, code):
    run_in(rowen, "rules.toml")
    before = kept(folder)
    process = started(folder)
    (os.killpg if sent == signal.SIGINT else os.kill)(process.pid, sent)
    _, said = process.communicate(timeout=30)
    assert process.returncode == code
    await_the_end_of(workers(folder))
    if sent != signal.SIGKILL:
        assert said == "rowen: interrupted\n"
        assert kept(folder) == before
    assert run_in(rowen, "rules.toml").returncode == 0
    assert not [name for name in kept(folder) if "partial" in name]


@pytest.mark.usefixtures("crawl")
def test_progress_on_a_terminal_shows_pages_per_second(folder):
    shown, code = watch(folder, "run", "mine:words", *SLOW)
    assert code == 0
    assert b"Reading pages" in shown
    assert b"Extracting" in shown
    assert b"6/6" in shown


def test_explaining_keeps_nothing(command, folder):
    run = ("run", "rules.toml", "--snapshot", "a.html", "--store", "store")
    refused = command(*run, "--explain")
    assert (refused.returncode, refused.stderr.count("\n")) == (6, 1)
    assert not (folder / "store").exists()
    command(*run)
    before = sorted(path.name for path in (folder / "store" / "snapshots").iterdir())
    told = command(*run, "--explain")
    assert told.returncode == 0
    assert "snapshot 1: 1 page: 1 unchanged" in told.stdout
    assert sorted(path.name for path in (folder / "store" / "snapshots").iterdir()) == before


EDITED = """
import re
import rowen

@rowen.extractor(version="1", locality=rowen.Segments("\\n"))
def rooms(text):
    for found in re.finditer(r"CS 10[0-2]", text):
        yield {"room": found.span()}
"""


@pytest.mark.usefixtures("crawl")
def test_code_that_changed_under_its_version_is_reported_and_wrong_copies_end_in_5(rowen, folder):
    (folder / "edited.py").write_text(EDITED.replace("CS 10[0-2]", "CS 10[0-9]{1}"))
    assert run_in(rowen, "edited:rooms").returncode == 0
    (folder / "edited.py").write_text(EDITED)
    answer = run_in(rowen, "edited:rooms", "--verify", "0")
    assert answer.returncode == 0
    assert "version is still '1'" in answer.stderr
    answer = run_in(rowen, "edited:rooms", "--verify", "1", "-f", "json")
    assert answer.returncode == 5
    told = json.loads(answer.stdout)
    assert told["differed"][0]["cause"] == "changed"
    assert told["differed"][0]["message"] in answer.stderr
    assert told["tallies"]["rooms"]["records"] == 3
    assert run_in(rowen, "edited:rooms", "--verify", "1").returncode == 0


@pytest.mark.usefixtures("crawl")
def test_an_edit_of_a_function_without_a_version_is_enough(rowen, folder):
    source = EDITED.replace('version="1", ', "")
    (folder / "edited.py").write_text(source.replace("CS 10[0-2]", "CS 10[0-9]{1}"))
    assert "rooms: 6 records" in run_in(rowen, "edited:rooms").stdout
    (folder / "edited.py").write_text(source)
    answer = run_in(rowen, "edited:rooms")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "rooms: 3 records" in answer.stdout
