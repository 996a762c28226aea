"""Pages come in once each, in partitions of a size that a worker can hold."""

import hypothesis.strategies as st
import pytest
from hypothesis import given
from verifying import Counting, run

from rowen import Page, Pattern, Store, UsageError
from rowen.recycling import intake
from rowen.recycling.intake import PARTITIONS, Expected
from rowen.recycling.task import PARTITION_BYTES

LETTERS = Pattern("(?P<letter>[a-c])", name="letters")


@given(st.integers(1, 2**44), st.integers(1, 64))
def test_partitions_are_a_power_of_two_and_of_a_size_to_be_held(size, jobs):
    count = intake._partitions(size, jobs)
    assert count.bit_count() == 1
    assert size / count <= PARTITION_BYTES or count == PARTITIONS


def test_the_largest_of_what_is_known_is_expected():
    assert Expected().size(10.0) is None
    assert Expected(pages=7).size(10.0) == 70
    assert Expected(pages=7, bytes=90).size(10.0) == 90
    assert Expected(pages=7, bytes=90, last=1000).size(10.0) == 1000


def test_a_snapshot_that_is_larger_than_what_is_read_ahead_is_all_there(tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "PARTITION_BYTES", 1000)
    pages = [Page("abc" * 50 + f"{number:02}", id=f"{number}") for number in range(100)]
    store = Store(tmp_path / "store")
    store.run([LETTERS], iter(pages))
    assert store.snapshot().partitions == intake._UNKNOWN
    assert {page.id: page.text for page in store.pages()} == {page.id: page.text for page in pages}
    folder = tmp_path / "folder"
    folder.mkdir()
    for page in pages:
        (folder / page.id).write_text(page.text)
    from_folder = Store(tmp_path / "other")
    from_folder.run([LETTERS], folder)
    assert from_folder.snapshot().partitions == 16  # they have 15 kB


def test_an_id_that_comes_twice_counts_once(tmp_path):
    store = Store(tmp_path)
    report = store.run([LETTERS], [Page("a", id="p"), Page("b", id="q"), Page("c", id="p")])
    assert report.repeated == ["p"]
    assert {page.id: page.text for page in store.pages()} == {"p": "a", "q": "b"}


@pytest.mark.parametrize("text", ["", "\ud800", "\0", "é" * 1000, "\U0001f600", "\r\n"])
def test_texts_and_ids_are_kept_as_they_are(tmp_path, text):
    store = Store(tmp_path)
    store.run([LETTERS], [Page(text, id=f"id {text}")])
    assert [(page.id, page.text) for page in store.pages()] == [(f"id {text}", text)]


def test_a_snapshot_may_be_a_mapping_of_ids_to_texts(tmp_path):
    snapshot = {"page-a": "CS 1", "page-b": Page("CS 2", id="whatever")}
    run(tmp_path, [Counting()], snapshot)
    stored = {page.id: page.text for page in Store(tmp_path).pages()}
    assert stored == {"page-a": "CS 1", "page-b": "CS 2"}


@pytest.mark.parametrize("wrong", [{"a": 1}, {1: "a"}, [1], [("a", "b")], [None], [b"x"], 5])
def test_what_is_no_page_is_refused(tmp_path, wrong):
    with pytest.raises(UsageError, match="a snapshot"):
        run(tmp_path, [Counting()], wrong)
    assert Store(tmp_path).snapshots() == []
