"""What is no store, or no longer one, is told by the name of the file, and left alone."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rowen import Page, Pattern, Store
from rowen.model.errors import StoreError

ROOMS = Pattern(r"(?P<room>CS \d{3})", name="rooms")
PAGES = [Page(f"CS {100 + number} and more\n" * 20, id=f"p{number}") for number in range(9)]
CHANGED = [Page(f"CS 999\n{page.text}", id=page.id) for page in PAGES]


@pytest.fixture
def place(tmp_path):
    Store(tmp_path / "store").run([ROOMS], PAGES)
    return tmp_path / "store"


def files(place: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in place.rglob("*") if file.is_file()}


def test_a_store_of_another_version_is_refused(place):
    (place / "store.json").write_text('{"rowen": 99, "kind": "store"}')
    with pytest.raises(StoreError, match="format 99; this Rowen reads formats 2 and 3"):
        Store(place)


@pytest.mark.parametrize("content", ["", "[]", "{", "\0", '{"rowen": "1"}', '"store"'])
def test_a_damaged_store_file_is_refused(place, content):
    (place / "store.json").write_text(content)
    with pytest.raises(StoreError, match=str(place)):
        Store(place)


def test_a_folder_that_is_no_store_is_not_made_one(tmp_path):
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(
        StoreError, match="is not a Rowen store and is not empty .it contains thesis.tex"
    ):
        Store(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_store(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        Store(tmp_path / "file")


def test_a_missing_store_is_not_made_to_be_read(tmp_path):
    with pytest.raises(StoreError, match="no store at"):
        Store(tmp_path / "store", create=False)
    assert not (tmp_path / "store").exists()


def test_a_store_whose_making_was_interrupted_is_made(tmp_path):
    (tmp_path / "store.json.0011aabb.partial").write_text('{"row')
    (tmp_path / "lock").write_text("")
    Store(tmp_path).run([ROOMS], PAGES)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "lock",
        "snapshots",
        "store.json",
        "texts",
    ]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", "{}", '{"number": 0}', "\xff", '{"more": 1}']
)
def test_a_damaged_manifest_is_named(place, content):
    manifest = place / "snapshots/000000/manifest.json"
    manifest.write_text(content, encoding="latin-1")
    before = files(place)
    for use in (lambda: Store(place).snapshots(), lambda: Store(place).run([ROOMS], PAGES)):
        with pytest.raises(StoreError, match=f"{manifest} is damaged"):
            use()
    assert files(place) == before


def test_a_manifest_with_values_of_other_kinds_is_named(place):
    manifest = place / "snapshots/000000/manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "partitions": "many"}))
    with pytest.raises(StoreError, match=f"{manifest} is damaged"):
        Store(place).snapshots()


@pytest.mark.parametrize(
    "name",
    [
        "snapshots/000000/pages-0000.columns",
        "snapshots/000000/records-rooms-0000.columns",
        "texts/000000/0000.parquet",
    ],
)
@pytest.mark.parametrize("harm", ["cut", "emptied", "flipped", "gone", "strange"])
def test_a_damaged_table_is_named_and_the_store_left_as_it_was(place, name, harm):
    file = place / name
    content = file.read_bytes()
    if harm == "gone":
        file.unlink()
    else:
        flipped = bytearray(content)
        last = len(content) - 1
        if "texts" in name:
            column = pq.read_metadata(file).row_group(0).column(0)
            last = column.data_page_offset + column.total_compressed_size - 3
        flipped[last] ^= 1
        file.write_bytes(
            {"cut": content[:-9], "emptied": b"", "flipped": flipped, "strange": b"\0" * 999}[harm]
        )
    before = files(place)
    with pytest.raises(StoreError, match=str(file)):
        Store(place).run([ROOMS], CHANGED, matcher="anchor")
    with pytest.raises(StoreError, match=str(file)):
        list(Store(place).each("rooms"))
    assert files(place) == before


def test_a_run_from_scratch_gets_over_a_damaged_snapshot(place):
    (place / "snapshots/000000/records-rooms-0000.columns").write_bytes(b"")
    assert Store(place).run([ROOMS], CHANGED, scratch=True).failed == 0
    assert Store(place).records("rooms").num_rows == 21 * 9


def test_two_runs_at_once_are_refused(place):
    def pages():
        with pytest.raises(StoreError, match="another run is writing"):
            Store(place).run([ROOMS], PAGES)
        yield from CHANGED

    Store(place).run([ROOMS], pages())
    assert [snapshot.number for snapshot in Store(place).snapshots()] == [0, 1]


def test_a_snapshot_without_pages_leaves_the_store_as_it_was(place):
    before = files(place)
    with pytest.raises(Exception, match="no pages in the snapshot"):
        Store(place).run([ROOMS], [])
    assert files(place) == before
