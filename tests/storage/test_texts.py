"""A text is kept once, for as long as a snapshot has it, wherever its folder is."""

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import hypothesis.strategies as st
import pytest
from effort import cases
from hypothesis import given, settings

from rowen import Page, Pattern, Store
from rowen.storage.snapshots import pages as page_files
from rowen.storage.snapshots import texts as text_files
from rowen.storage.snapshots.manifest import read_manifests

LETTERS = Pattern("(?P<letter>[a-c])", name="letters")
SNAPSHOTS = st.lists(
    st.dictionaries(
        st.sampled_from("pqrstu"), st.text("abé\ud800", max_size=9), min_size=1, max_size=6
    ),
    min_size=1,
    max_size=7,
)


def contents(store: Store, snapshot: int = -1) -> dict[str, str]:
    return {page.id: page.text for page in store.pages(snapshot)}


def longest_chain(store: Store) -> int:
    manifest = store.snapshot()
    index = page_files.read_index(store.place, manifest.folder, manifest.partitions)
    return int(index.spots.lengths.max())


def folders(store: Store) -> set[str]:
    return {folder.name for folder in Path(store.place.path("texts")).iterdir()}


def run(store: Store, texts: dict[str, str]) -> None:
    pages = [Page(text, id=page_id) for page_id, text in texts.items()]
    store.run([LETTERS], pages, jobs=1, allow_shrink=1)


@settings(max_examples=cases(40, 2_000))
@given(
    SNAPSHOTS,
    st.lists(st.integers(0, 3), min_size=7, max_size=7),
    st.integers(0, 3),
    st.integers(1, 12),
    st.integers(1, 4),
    st.integers(0, 4),
)
def test_every_snapshot_has_its_texts(snapshots, snapshots_kept, most, size, links, growth):
    with (
        TemporaryDirectory() as folder,
        patch.object(text_files, "TEXT_FOLDERS", most),
        patch.object(text_files, "TEXT_GROUP_BYTES", 64 * size),
        # Every text that may be a difference is one, whatever it saves.
        patch.object(text_files, "LEAST_SAVING", 0),
        patch.object(text_files, "_WORTH", 0),
        patch.object(text_files, "_GROWTH", growth),
        patch.object(text_files, "LINKS", links),
        patch.object(page_files, "TEXTS_HELD_BYTES", size),
        patch.object(page_files, "TEXTS_KEPT_BYTES", 100 * size),
    ):
        store = Store(folder)
        for number, (texts, keep) in enumerate(zip(snapshots, snapshots_kept, strict=False)):
            run(store, texts)
            assert contents(store) == texts
            earlier = [folder for folder in store.snapshot().texts if int(folder) < number]
            assert len(earlier) <= most
            assert longest_chain(store) <= links
            if keep:
                store.drop(keep=keep)
            manifests = read_manifests(store.place)
            assert folders(store) == {
                f"{int(folder):06}" for each in manifests for folder in each.texts
            }
            for manifest in manifests:
                assert contents(store, manifest.number) == snapshots[manifest.number]


def test_unchanged_and_renamed_pages_write_no_text(tmp_path):
    store = Store(tmp_path)
    run(store, {"p": "a", "q": "b"})
    run(store, {"q": "b", "r": "a"})
    assert folders(store) == {"000000"}
    store.drop()
    assert contents(store) == {"q": "b", "r": "a"}


def test_a_run_from_scratch_refers_to_nothing(tmp_path):
    store = Store(tmp_path)
    run(store, {"p": "a"})
    store.run([LETTERS], [Page("a", id="p")], scratch=True)
    store.drop()
    assert folders(store) == {"000001"}
    assert contents(store) == {"p": "a"}


def test_a_folder_that_is_hardly_used_is_given_up(tmp_path):
    store = Store(tmp_path)
    run(store, {"p": "a" * 30, "q": "b" * 60})
    run(store, {"p": "a" * 30, "q": "c" * 60})
    assert store.snapshot().texts == {"0": 90, "1": 60}
    run(store, {"p": "a" * 30, "q": "c" * 60})
    assert store.snapshot().texts == {"1": 60, "2": 30}


@pytest.mark.parametrize("ended", ["drop", "run"])
def test_what_was_killed_leaves_no_texts_behind(tmp_path, ended):
    store = Store(tmp_path)
    run(store, {"p": "a"})
    run(store, {"p": "b"})
    if ended == "drop":
        (tmp_path / "snapshots/000000/manifest.json").unlink()
    else:
        (tmp_path / "texts/000002").mkdir()
        (tmp_path / "texts/000002/0000.parquet.0011aabb.partial").write_text("PAR1")
    run(store, {"p": "b"})
    assert folders(store) == ({"000001"} if ended == "drop" else {"000000", "000001"})
    assert contents(store) == {"p": "b"}
