"""A run that is killed at any moment leaves a store that opens, and the next run goes on."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from verifying import record_files

from rowen import Store
from rowen.storage.snapshots.manifest import Manifest

KILLS = int(os.environ.get("ROWEN_KILLS", "8"))
"""A few here; more by hand."""

EXTRACTORS = """
import rowen

@rowen.extractor(name="words", version="1", locality=rowen.Segments("\\n"))
def words(text):
    start = 0
    for word in text.split("\\n"):
        if len(word) % 3 == 0:
            yield {"word": (start, start + len(word))}
        start += len(word) + 1

numbers = rowen.Pattern(r"(?P<number>\\d+)", name="numbers")
"""
COMMAND = ["run", "mine:words", "mine:numbers", "--store", "store", "--jobs", "2", "-q"]


def write_pages(folder: Path, seed: int, changed: float) -> None:
    """Some megabytes of lines, of which some differ from one seed to another."""
    folder.mkdir()
    for number in range(60):
        lines = random.Random(number)
        edits = random.Random(f"{seed} {number}")
        text = "\n".join(
            f"line {(edits if edits.random() < changed else lines).random()}" for _ in range(2000)
        )
        (folder / f"{number}.txt").write_text(text)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """Two snapshots, a store with the first one, and what the second one's records are."""
    folder = tmp_path_factory.mktemp("base")
    (folder / "mine.py").write_text(EXTRACTORS)
    write_pages(folder / "old", 0, 0.0)
    write_pages(folder / "new", 1, 0.02)
    run(folder, "old").wait()
    begin = time.monotonic()
    shutil.copytree(folder / "store", folder / "spare")
    assert run(folder, "new").wait() == 0
    seconds = time.monotonic() - begin
    expected = records(folder / "store", Store(folder / "store").snapshots()[-1])
    shutil.rmtree(folder / "store")
    return folder, seconds, expected


def run(folder: Path, snapshot: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "rowen", *COMMAND, "--snapshot", snapshot]
    return subprocess.Popen(command, cwd=folder)


def records(store: Path, manifest: Manifest) -> dict[str, bytes]:
    return record_files(store, manifest.number)


@pytest.mark.parametrize("moment", range(KILLS))
def test_killed_at_a_random_moment(base, moment):
    folder, seconds, expected = base
    store = folder / "store"
    shutil.copytree(folder / "spare", store)
    try:
        process = run(folder, "new")
        time.sleep(random.Random(moment).uniform(0, seconds))
        process.kill()
        process.wait()
        before = Store(store).snapshots()
        assert [manifest.number for manifest in before] in ([0], [0, 1])
        if len(before) == 2:  # it was quicker
            assert records(store, before[1]) == expected
        assert run(folder, "new").wait() == 0
        newest = Store(store).snapshots()[-1]
        assert newest.number == len(before)
        assert records(store, newest) == expected
        names = {file.name for file in store.rglob("*")}
        assert not [name for name in names if "partial" in name]
        assert len(list((store / "snapshots").iterdir())) == len(before) + 1
    finally:
        shutil.rmtree(store)
