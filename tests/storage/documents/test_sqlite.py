"""What the embedded store keeps, what it forgets, and what a crash or a full disk leaves of it."""

import os
import shutil
import sqlite3
import zlib
from contextlib import suppress

import pytest

from rowen.model.errors import OutputError, StoreError, UsageError
from rowen.storage.documents import database
from rowen.storage.documents.sqlite import EmbeddedStore
from rowen.storage.documents.store import SavedExtractor, Setback


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
        file.name for file in folder.rglob("*") if file.is_file() and "rowen.sq" not in file.name
    )


def test_a_document_is_kept_with_its_bytes(store, tmp_path):
    document = add(store, b"abc")
    assert store.document(document.id) == document
    assert store.path(document).read_bytes() == b"abc"
    assert len(bytes.fromhex(document.id)) * 8 >= 128
    store.close()
    reopened = EmbeddedStore(tmp_path / "data")
    assert reopened.document(document.id) == document
    assert reopened.path(document).read_bytes() == b"abc"
    reopened.close()


def test_equal_documents_share_a_file_until_the_last_is_deleted(store, tmp_path):
    first, second = add(store, b"abc"), add(store, b"abc")
    assert first.id != second.id
    assert store.path(first) == store.path(second)
    store.put_results(first, "text", "1", {"text": b"found"})
    assert store.delete(first.id)
    assert store.document(first.id) is None
    assert store.path(second).read_bytes() == b"abc"
    assert store.result(second.digest, "text", "text", "1").source == second.id
    assert store.delete(second.id)
    assert not store.delete(second.id)
    assert store.result(second.digest, "text", "text", "1") is None
    assert files(tmp_path / "data") == ["lock", "reserve"]


def test_results_of_an_earlier_version_make_room(store):
    document = add(store, b"abc")
    store.put_results(document, "text", "1", {"text": b"old"})
    store.put_results(document, "body", "1", {"xml": b"body"})
    store.put_results(document, "text", "2", {"text": b"new"})
    assert store.result(document.digest, "text", "text", "1") is None
    assert store.result(document.digest, "text", "text", "2").content == b"new"
    assert store.result(document.digest, "body", "xml", "1").content == b"body"


def test_parts_are_stored_as_they_are_and_compressed_ones_are_still_read(store, tmp_path):
    document = add(store, b"abc")
    parts = b"part" * 1000
    store.put_results(document, "parts", "1", {"parts": parts})
    store.put_results(document, "text", "1", {"text": parts})
    with sqlite3.connect(tmp_path / "data" / "rowen.sqlite3") as database:
        sizes = dict(database.execute("SELECT stage, length(content) FROM results"))
        assert sizes["text"] < len(parts) <= sizes["parts"]
        assert store.result(document.digest, "parts", "parts", "1").content == parts
        database.execute(
            "UPDATE results SET content = ?, seal = NULL WHERE stage = 'parts'",
            (zlib.compress(parts, zlib.Z_BEST_SPEED),),
        )
    assert store.result(document.digest, "parts", "parts", "1").content == parts


def test_nothing_is_kept_of_a_document_that_is_gone(store):
    document = add(store, b"abc")
    store.delete(document.id)
    store.put_results(document, "text", "1", {"text": b"found"})
    store.put_setback(document, "1", Setback(1, "why", final=False))
    assert store.result(document.digest, "text", "text", "1") is None
    assert store.setback(document.digest, "1") is None


def test_a_key_makes_one_document(store):
    document = add(store, b"abc", key="k")
    assert add(store, b"abc", key="k") == document
    with pytest.raises(UsageError, match="Idempotency-Key"):
        add(store, b"other", key="k")
    store.delete(document.id)
    assert add(store, b"other", key="k").id != document.id


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
    reopened = EmbeddedStore(tmp_path / "data")
    assert files(tmp_path / "data") == sorted([document.digest, "lock", "reserve"])
    reopened.close()


def test_another_format_is_refused(tmp_path):
    EmbeddedStore(tmp_path).close()
    with sqlite3.connect(tmp_path / "rowen.sqlite3") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(StoreError, match="format 99"):
        EmbeddedStore(tmp_path)


def test_a_full_disk_is_reported_and_leaves_nothing_half_written(small_disk):
    store = EmbeddedStore(small_disk)
    stored = [add(store, b"first" * 1000)]
    with pytest.raises(OutputError, match="disk is full"):
        add(store, bytes(2 * 1024 * 1024))
    assert not list((small_disk / "drafts").iterdir())
    with pytest.raises(OutputError, match="disk is full"):  # noqa: PT012
        while True:  # until the database has no room, or a small file
            stored.append(add(store, os.urandom(5_000)))
    store.close()
    for path in list((small_disk / "drafts").iterdir()):
        path.unlink()
    names = [file.name for file in (small_disk / "files").rglob("*") if file.is_file()]
    assert sorted(names) == sorted(document.digest for document in stored)
    shutil.copytree(small_disk, small_disk.with_name("copy"))
    reopened = EmbeddedStore(small_disk.with_name("copy"))
    for document in stored:
        assert reopened.document(document.id) == document
        assert reopened.path(document).stat().st_size == document.size
    reopened.close()


def fill(store, size=5_000):
    """Documents until there is no room for another one, nor for results."""
    stored = []
    with pytest.raises(OutputError, match="disk is full"):  # noqa: PT012
        while True:
            stored.append(add(store, os.urandom(size).hex().encode()))
            store.put_results(stored[-1], "text", "1", {"text": os.urandom(size)})
    with pytest.raises(OutputError):  # noqa: PT012
        while True:
            store.put_results(stored[0], "body", "1", {"text": os.urandom(100_000)})
            add(store, os.urandom(100).hex().encode())
    return stored


def occupy(folder):
    """Take all that is left, as others on the disk may."""
    with (folder / "others").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(512)):
            pass


def test_all_can_be_deleted_from_a_full_disk_and_then_there_is_room(small_disk):
    store = EmbeddedStore(small_disk / "data")
    stored = fill(store)
    occupy(small_disk)
    with pytest.raises(OutputError):
        store.check()
    for document in stored[:-1]:
        assert store.delete(document.id)
        assert store.document(document.id) is None
        assert not store.path(document).exists()
    with store.reading(stored[-1]):
        pass
    store.check()
    assert (small_disk / "data" / "reserve").exists()
    assert add(store, b"words" * 10_000)
    store.close()


def test_a_service_starts_on_a_full_disk(small_disk):
    store = EmbeddedStore(small_disk / "data")
    stored = fill(store)
    store.close()
    occupy(small_disk)
    reopened = EmbeddedStore(small_disk / "data")
    for document in stored:
        assert reopened.document(document.id) == document
        assert reopened.delete(document.id)
    reopened.check()
    reopened.close()


def test_what_deletions_give_back_is_theirs_first(small_disk):
    store = EmbeddedStore(small_disk / "data")
    stored = fill(store)
    store._reserve.release()
    occupy(small_disk)  # all of the reserve, too, but for what some small document would need
    os.truncate(small_disk / "others", (small_disk / "others").stat().st_size - 100_000)
    with pytest.raises(OutputError):
        add(store, b"a")
    with pytest.raises(OutputError):
        store.check()
    for document in stored:
        assert store.delete(document.id)
    store.check()
    assert add(store, b"a")
    store.close()


def test_after_a_refusal_the_store_is_ready_when_there_is_room_for_as_much(small_disk):
    store = EmbeddedStore(small_disk / "data")
    large = add(store, bytes(400_000))
    store.check()
    with pytest.raises(OutputError):
        add(store, b"a" * 500_000)
    with pytest.raises(OutputError):
        store.check()
    store.delete(large.id)
    store.check()
    store.close()


def test_freed_pages_are_given_back_to_a_full_disk(small_disk):
    store = EmbeddedStore(small_disk / "data")
    document = add(store, b"abc")
    store.put_results(document, "text", "1", {"text": os.urandom(200_000)})
    add(store, b"def")
    occupy(small_disk)
    assert store.delete(document.id)
    assert store._reserve.held
    assert shutil.disk_usage(small_disk).free > 150_000
    store.close()


def damage(path, at=None):
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if at is None else at] ^= 1
    path.write_bytes(data)


def test_damaged_bytes_are_reported_and_mended_by_sending_them_again(store):
    document = add(store, b"the bytes of a document")
    with store.reading(document) as path:
        damage(path)
    with pytest.raises(StoreError, match="damaged"), store.reading(document):
        pass
    another = add(store, b"the bytes of a document")
    for copy in (document, another):
        with store.reading(copy) as path:
            assert path.read_bytes() == b"the bytes of a document"
    path.unlink()
    with pytest.raises(StoreError, match="damaged"), store.reading(document):
        pass


@pytest.mark.parametrize("column", ["content", "seal", "version", "stage"])
def test_a_damaged_result_is_none(store, tmp_path, column):
    document = add(store, b"abc")
    store.put_results(document, "text", "1", {"text": b"found" * 100})
    store.put_results(document, "header", "2", {"text": b"other" * 100})
    database = sqlite3.connect(tmp_path / "data" / "rowen.sqlite3", isolation_level=None)
    values = database.execute("SELECT stage, version, content, seal FROM results ORDER BY stage")
    (_, _, _, seal), (_, _, content, _) = values.fetchall()
    changed = {
        "content": content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
        "seal": seal,
        "version": "1",  # the row of another result
        "stage": "text",
    }[column]
    if column in ("content", "seal"):
        database.execute(f"UPDATE results SET {column} = ? WHERE stage = 'text'", (changed,))
    else:
        database.execute("DELETE FROM results WHERE stage = 'text'")
        database.execute("UPDATE results SET stage = 'text', version = '1'")
    database.close()
    assert store.result(document.digest, "text", "text", "1") is None
    store.put_results(document, "text", "1", {"text": b"again"})
    assert store.result(document.digest, "text", "text", "1").content == b"again"


@pytest.mark.parametrize(
    ("column", "value"), [("name", "b.txt"), ("media_type", "text/html"), ("digest", "0" * 64)]
)
def test_a_damaged_document_is_reported_and_can_be_deleted(store, tmp_path, column, value):
    document = add(store, b"abc")
    database = sqlite3.connect(tmp_path / "data" / "rowen.sqlite3", isolation_level=None)
    database.execute(f"UPDATE documents SET {column} = ?", (value,))
    database.close()
    with pytest.raises(StoreError, match="damaged"):
        store.document(document.id)
    with pytest.raises(StoreError, match="restore a backup"):
        store.check()
    assert store.delete(document.id)
    assert store.document(document.id) is None


@pytest.mark.parametrize(
    "older",
    [
        "ALTER TABLE documents DROP COLUMN url; PRAGMA user_version = 2;",
        """ALTER TABLE documents DROP COLUMN url; ALTER TABLE documents DROP COLUMN seal;
        ALTER TABLE results DROP COLUMN seal; PRAGMA user_version = 1;""",
    ],
)
def test_a_folder_of_a_format_before_is_opened(tmp_path, older):
    store = EmbeddedStore(tmp_path)
    document = add(store, b"abc")
    store.put_results(document, "text", "1", {"text": b"found"})
    store.close()
    database = sqlite3.connect(tmp_path / "rowen.sqlite3")
    database.executescript(older)
    database.close()
    reopened = EmbeddedStore(tmp_path)
    assert reopened.document(document.id) == document
    assert reopened.result(document.digest, "text", "text", "1").content == b"found"
    add(reopened, b"def")
    reopened.close()


def test_a_database_that_another_program_holds_is_waited_for_a_while(store, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "DATABASE_SECONDS", 0.2)
    connection = sqlite3.connect(tmp_path / "data" / "rowen.sqlite3", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    store._database._threads.connection = None  # one with the shorter time
    with pytest.raises(StoreError, match="locked"):
        add(store, b"abc")
    with pytest.raises(StoreError, match="locked"):
        store.check()
    connection.execute("ROLLBACK")
    connection.close()
    store.check()
    assert add(store, b"abc")
