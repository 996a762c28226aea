"""What the embedded store keeps, what it forgets, and what a crash or a full disk leaves of it."""

import os
import shutil
import sqlite3

import pytest

from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.service.embedded import EmbeddedStore
from rowen.service.store import SavedExtractor, Setback


@pytest.fixture
def store(tmp_path):
    opened = EmbeddedStore(tmp_path / "data")
    yield opened
    opened.close()


def add(store, data, *, key=None):
    draft = store.draft()
    try:
        draft.write(data)
        return store.keep(draft, media_type="text/plain", name="a.txt", key=key)
    finally:
        draft.discard()


def files(folder):
    return sorted(
        one.name for one in folder.rglob("*") if one.is_file() and "rowen.sq" not in one.name
    )


def test_a_document_is_kept_with_its_bytes(store, tmp_path):
    document = add(store, b"abc")
    assert store.document(document.id) == document
    assert store.path(document).read_bytes() == b"abc"
    assert len(bytes.fromhex(document.id)) * 8 >= 128
    store.close()
    again = EmbeddedStore(tmp_path / "data")
    assert again.document(document.id) == document
    assert again.path(document).read_bytes() == b"abc"
    again.close()


def test_equal_documents_share_a_file_until_the_last_is_deleted(store, tmp_path):
    one, two = add(store, b"abc"), add(store, b"abc")
    assert one.id != two.id
    assert store.path(one) == store.path(two)
    store.put_results(one, "text", "1", {"text": b"found"})
    assert store.delete(one.id)
    assert store.document(one.id) is None
    assert store.path(two).read_bytes() == b"abc"
    assert store.result(two.digest, "text", "text", "1").source == two.id
    assert store.delete(two.id)
    assert not store.delete(two.id)
    assert store.result(two.digest, "text", "text", "1") is None
    assert files(tmp_path / "data") == ["lock"]


def test_results_of_an_earlier_version_make_room(store):
    document = add(store, b"abc")
    store.put_results(document, "text", "1", {"text": b"old"})
    store.put_results(document, "body", "1", {"xml": b"body"})
    store.put_results(document, "text", "2", {"text": b"new"})
    assert store.result(document.digest, "text", "text", "1") is None
    assert store.result(document.digest, "text", "text", "2").content == b"new"
    assert store.result(document.digest, "body", "xml", "1").content == b"body"


def test_nothing_is_kept_of_a_document_that_is_gone(store):
    document = add(store, b"abc")
    store.delete(document.id)
    store.put_results(document, "text", "1", {"text": b"found"})
    store.put_setback(document, "1", Setback(1, "why", final=False))
    assert store.result(document.digest, "text", "text", "1") is None
    assert store.setback(document.digest, "1") is None


def test_a_key_makes_one_document(store):
    one = add(store, b"abc", key="k")
    assert add(store, b"abc", key="k") == one
    with pytest.raises(UsageError, match="Idempotency-Key"):
        add(store, b"other", key="k")
    store.delete(one.id)
    assert add(store, b"other", key="k").id != one.id


def test_extractors_are_replaced_and_forgotten(store):
    assert store.put_extractor(SavedExtractor("a", "toml", "x", "1"))
    assert not store.put_extractor(SavedExtractor("a", "json", "y", "2"))
    assert store.extractor("a").content == "y"
    assert store.extractors() == ["a"]
    assert store.delete_extractor("a")
    assert not store.delete_extractor("a")


def test_a_second_service_is_refused(store, tmp_path):  # noqa: ARG001
    with pytest.raises(StoreError, match="in use"):
        EmbeddedStore(tmp_path / "data")


def test_what_a_crash_left_is_swept(store, tmp_path):
    document = add(store, b"abc")
    (tmp_path / "data" / "drafts" / "half").write_bytes(b"half")
    orphan = store.path(document).with_name(document.digest[:2] + "0" * 62)
    orphan.write_bytes(b"orphan")
    store.close()
    again = EmbeddedStore(tmp_path / "data")
    assert files(tmp_path / "data") == sorted([document.digest, "lock"])
    again.close()


def test_another_format_is_refused(tmp_path):
    EmbeddedStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "rowen.sqlite3") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreError, match="format 99"):
        EmbeddedStore(tmp_path)


def test_a_full_disk_is_told_and_leaves_nothing_half_written(small_disk):
    store = EmbeddedStore(small_disk)
    kept = [add(store, b"first" * 1000)]
    with pytest.raises(OutputError, match="disk is full"):
        add(store, bytes(2 * 1024 * 1024))
    assert not list((small_disk / "drafts").iterdir())
    with pytest.raises(OutputError, match="disk is full"):  # noqa: PT012
        while True:  # until the database has no room, or a small file
            kept.append(add(store, os.urandom(5_000)))
    store.close()
    for path in list((small_disk / "drafts").iterdir()):
        path.unlink()
    names = [one.name for one in (small_disk / "files").rglob("*") if one.is_file()]
    assert sorted(names) == sorted(one.digest for one in kept)
    shutil.copytree(small_disk, small_disk.with_name("copy"))
    again = EmbeddedStore(small_disk.with_name("copy"))
    for document in kept:
        assert again.document(document.id) == document
        assert again.path(document).stat().st_size == document.size
    again.close()
