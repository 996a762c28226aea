"""Pages that are not read: the store is that of a run that reads all of them."""

import os
import random
import shutil
import subprocess
import time
from unittest.mock import patch

import pytest

from rowen import Page, Pattern, Store
from rowen.cli import main
from rowen.recycling import stamps
from rowen.sources import folder as folders
from rowen.sources import open_source
from rowen.sources.git import Git

ROOMS = Pattern(r"(?P<room>CS \d{3})", name="rooms")


def write(path, text, *, seconds):
    """A file that changed some seconds ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def night(chance, crawl, age):
    """Edit, add, remove and move some files; the names of those that were not touched."""
    names = sorted(str(path.relative_to(crawl)) for path in crawl.rglob("*.html"))
    touched = set()
    for name in chance.sample(names, min(3, len(names))):
        touched.add(name)
        what = chance.choice(["edit", "remove", "move"])
        path = crawl / name
        text = path.read_text()
        if what != "edit":
            path.unlink()
        if what == "edit":
            write(path, text + f"CS {chance.randint(100, 999)}\n", seconds=age)
        elif what == "move":
            write(crawl / "moved" / path.name, text, seconds=age)
            touched.add(f"moved/{path.name}")
    for _ in range(chance.randint(0, 2)):
        name = f"new{chance.randint(0, 99)}.html"
        touched.add(name)
        write(crawl / name, f"room CS {chance.randint(100, 999)}\n" * 40, seconds=age)
    return [name for name in names if name not in touched]


def contents(store):
    """The files of the newest snapshot, without its stamps and what depends on the clock."""
    folder = store.snapshot().folder
    return {
        name: store.place.read(f"{folder}/{name}")
        for name in store.place.names(folder)
        if name.endswith(".columns") and not name.startswith("stamps")
    }


@pytest.mark.parametrize("seed", range(6))
def test_nights_with_trusted_times_give_the_store_of_nights_that_read_all(tmp_path, seed):
    chance = random.Random(seed)
    crawl = tmp_path / "crawl"
    for number in range(20):
        write(crawl / f"{number}.html", f"{number}: CS {100 + number}\n" * 30, seconds=10_000)
    trusting, reading = Store(tmp_path / "trusting"), Store(tmp_path / "reading")
    untouched = []
    for age in range(9000, 4000, -1000):
        with patch.object(folders, "page_in_file", wraps=folders.page_in_file) as read:
            report = trusting.run([ROOMS], open_source(crawl, trust_mtime=True))
        assert read.call_count == report.pages["all"] - report.unread
        assert report.unread == len(untouched)
        other = reading.run([ROOMS], crawl)
        assert report.pages == other.pages
        assert contents(trusting) == contents(reading)
        untouched = night(chance, crawl, age)


def test_checks_read_what_they_need_from_the_store(tmp_path):
    crawl = tmp_path / "crawl"
    for number in range(10):
        write(crawl / f"{number}.html", f"{number}: CS {100 + number}\n", seconds=1000)
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    report = store.run([ROOMS], open_source(crawl, trust_mtime=True), verify=1)
    assert report.checked == 10
    assert report.differed == []


def test_a_file_that_changed_a_moment_ago_is_read_again(tmp_path):
    crawl = tmp_path / "crawl"
    write(crawl / "a.html", "CS 100", seconds=0)
    status = (crawl / "a.html").stat()
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    (crawl / "a.html").write_text("CS 200")
    os.utime(crawl / "a.html", ns=(status.st_atime_ns, status.st_mtime_ns))
    report = store.run([ROOMS], open_source(crawl, trust_mtime=True))
    assert report.unread == 0
    assert store.records("rooms")["room"].to_pylist() == ["CS 200"]


def test_pages_that_came_from_elsewhere_are_read(tmp_path):
    crawl = tmp_path / "crawl"
    write(crawl / "a.html", "CS 100", seconds=1000)
    write(crawl / "b.html", "CS 101", seconds=1000)
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    # An update without stamps: one page has another text now, and none has a stamp.
    store.run([ROOMS], [Page("CS 999", "a.html")], update=True)
    report = store.run([ROOMS], open_source(crawl, trust_mtime=True))
    assert report.unread == 0
    assert store.records("rooms")["room"].to_pylist() == ["CS 100", "CS 101"]


def test_a_page_that_an_update_does_not_have_keeps_its_stamp(tmp_path):
    crawl, part = tmp_path / "crawl", tmp_path / "part"
    for name in ("a", "b", "c"):
        write(crawl / f"{name}.html", f"CS 10{ord(name) % 10}", seconds=1000)
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    write(part / "a.html", "CS 555", seconds=500)
    store.run([ROOMS], open_source(part, trust_mtime=True), update=True)
    shutil.copy2(part / "a.html", crawl / "a.html")
    report = store.run([ROOMS], open_source(crawl, trust_mtime=True))
    assert report.unread == 3
    assert "CS 555" in store.records("rooms")["room"].to_pylist()


def test_a_page_that_can_not_be_read_is_reported_every_night(tmp_path):
    crawl = tmp_path / "crawl"
    write(crawl / "a.html", "CS 100", seconds=1000)
    write(crawl / "b.html", "CS 101", seconds=1000)
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    (crawl / "b.html").write_bytes(b"%PDF-1.4 \0\0")
    os.utime(crawl / "b.html", (time.time() - 900,) * 2)
    for _ in range(2):
        report = store.run([ROOMS], open_source(crawl, trust_mtime=True), update=True)
        assert report.unread == 1
        assert len(report.kept) == 1


def test_a_run_that_dies_while_it_writes_stamps_leaves_the_store_as_it_was(tmp_path):
    crawl = tmp_path / "crawl"
    write(crawl / "a.html", "CS 100", seconds=1000)
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    write(crawl / "a.html", "CS 200", seconds=500)
    with (
        patch.object(stamps, "write_columns", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        store.run([ROOMS], open_source(crawl, trust_mtime=True))
    assert len(store.snapshots()) == 1
    report = store.run([ROOMS], open_source(crawl, trust_mtime=True))
    assert report.unread == 0
    assert store.records("rooms")["room"].to_pylist() == ["CS 200"]


def test_damaged_stamps_only_cost_reading(tmp_path):
    crawl = tmp_path / "crawl"
    write(crawl / "a.html", "CS 100", seconds=1000)
    store = Store(tmp_path / "store")
    store.run([ROOMS], open_source(crawl, trust_mtime=True))
    next((tmp_path / "store").rglob("stamps-*")).write_bytes(b"nonsense")
    report = store.run([ROOMS], open_source(crawl, trust_mtime=True))
    assert (report.unread, report.pages["unchanged"]) == (0, 1)


def test_files_of_git_are_read_only_where_their_object_is_another(tmp_path):
    def git(*arguments):
        subprocess.run(
            [
                "git",
                "-C",
                str(tmp_path / "repo"),
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b.c",
                *arguments,
            ],
            check=True,
            capture_output=True,
        )

    repo = tmp_path / "repo"
    repo.mkdir()
    git("init", "-q")
    store, reading = Store(tmp_path / "store"), Store(tmp_path / "reading")
    for day in range(3):
        for number in range(150):
            if day == 0 or number % 50 == day:
                (repo / f"{number}.html").write_text(f"CS {100 + number + day}\n" * 30)
        if day:
            (repo / f"{day}0.html").rename(repo / f"moved{day}.html")
        git("add", "-A")
        git("commit", "-qm", "day")
        with patch.object(Git, "_answer", autospec=True, side_effect=Git._answer) as read:
            report = store.run([ROOMS], f"git:{repo}@HEAD")
        assert read.call_count == (150 if day == 0 else 4)
        assert report.unread == (0 if day == 0 else 146)
        # Without stamps each of them is read.
        other = reading.run([ROOMS], list(open_source(f"git:{repo}@HEAD")))
        assert report.pages == other.pages
        assert contents(store) == contents(reading)


def test_only_a_folder_has_times_to_trust(tmp_path, capsys):
    (tmp_path / "pages.jsonl").write_text('{"id": "a", "text": "CS 100"}\n')
    (tmp_path / "rules.toml").write_text(
        "[extractor]\nname = 'rooms'\nkind = 'pattern'\npattern = '(?P<room>CS [0-9]+)'\n"
    )
    arguments = ["run", str(tmp_path / "rules.toml"), "--snapshot", str(tmp_path / "pages.jsonl")]
    assert main([*arguments, "--store", str(tmp_path / "s"), "--trust-mtime"]) == 2
    assert "only the files of a folder" in capsys.readouterr().err
