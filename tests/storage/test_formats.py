"""A store of an earlier format opens and goes on, and earlier versions refuse what it became."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from old_nights import NIGHTS, ROOMS
from verifying import record_files

from rowen import Store
from rowen.storage.snapshots.manifest import READABLE

ARCHIVE = Path(__file__).parent / "stores/format-2.zip"
LATER = [
    {**NIGHTS[2], "p0": NIGHTS[0]["p0"].replace("CS 101", "CS 777")},
    {**NIGHTS[1], "p0": NIGHTS[0]["p0"].replace("CS 101", "CS 778")},
]


@pytest.fixture
def store(tmp_path):
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path / "store")
    return Store(tmp_path / "store", create=False)


def contents(store: Store, number: int) -> dict[str, str]:
    return {page.id: page.text for page in store.pages(number)}


def rooms(pages: dict[str, str]) -> list[str]:
    found = [record.values["room"] for text in pages.values() for record in ROOMS.extract(text)]
    return sorted(found)


def check(store: Store, nights: list[dict[str, str]], *, first: int = 0) -> None:
    for number, pages in list(enumerate(nights))[first:]:
        assert contents(store, number) == pages
        assert sorted(store.records("rooms", number)["room"].to_pylist()) == rooms(pages)


def test_all_snapshots_of_an_earlier_format_are_read(store):
    check(store, NIGHTS)
    assert json.loads((Path(store.place.uri) / "store.json").read_text())["rowen"] == READABLE[0]


def test_a_run_reuses_them_and_marks_the_store(store):
    for night in LATER:
        store.run([ROOMS], night, jobs=2)
    check(store, [*NIGHTS, *LATER])
    assert store.snapshot(3).report["pages"]["unchanged"] == 4
    assert store.snapshot(3).report["tallies"]["rooms"]["copied"] == len(
        rooms({key: text for key, text in NIGHTS[2].items() if key != "p0"})
    )
    assert json.loads((Path(store.place.uri) / "store.json").read_text())["rowen"] == READABLE[-1]
    fresh = Store(Path(store.place.uri).parent / "fresh")
    fresh.run([ROOMS], LATER[-1], jobs=2)
    assert record_files(Path(store.place.uri), 4) == record_files(Path(fresh.place.uri))


@pytest.mark.parametrize("keep", [1, 2, 3, 4])
def test_it_can_be_pruned(store, keep):
    for night in LATER:
        store.run([ROOMS], night, jobs=2)
    assert store.drop(keep=keep) == 5 - keep
    check(store, [*NIGHTS, *LATER], first=5 - keep)
    left = sorted(path.name for path in (Path(store.place.uri) / "snapshots").iterdir())
    assert left == [f"{number:06}" for number in range(5 - keep, 5)]


def test_to_explain_a_run_changes_no_file(store):
    folder = Path(store.place.uri)
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    store.explain([ROOMS], LATER[0])
    assert before == {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_snapshot_whose_base_is_gone_is_named(store):
    for night in LATER:
        store.run([ROOMS], night, jobs=2)
    folder = Path(store.place.uri) / "snapshots"
    shutil.rmtree(folder / "000003")
    with pytest.raises(
        Exception, match=r"000003/records-rooms-0000.columns is damaged: it is miss"
    ):
        store.records("rooms")
