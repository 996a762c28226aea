"""A copy of a service's data, taken while it is used, has every document whole."""

import threading

import pytest

from rowen.home.applications import applications
from rowen.model.errors import SourceError, StoreError, UsageError
from rowen.service import backup
from rowen.service.backup import back_up
from rowen.storage.documents.sqlite import EmbeddedStore
from rowen.studio.actions import Fields
from rowen.studio.projects import Projects


def add(store, data, key=None):
    draft = store.draft()
    draft.write(data)
    return store.keep(draft, media_type="text/plain", name="", key=key)


def test_a_copy_of_a_service_at_work_is_served_and_has_every_document(start, tmp_path, paper):
    server, target = start(), tmp_path / "copy"
    texts = {server.add(text): text for text in (b"one", b"two", b"two", paper)}
    answers = {document: server.get(f"/{document}/text").content for document in texts}
    server.put("/extractors/years", content="kind='pattern'\npattern='(?P<year>\\d{4})'")
    ended = threading.Event()
    later = []

    def submit():
        while not ended.is_set():
            later.append(server.add(b"%d" % len(later)))

    thread = threading.Thread(target=submit)
    thread.start()
    try:
        for _ in range(3):
            copied = back_up(server.data, target)
    finally:
        ended.set()
        thread.join()
    assert copied.documents >= len(texts)
    restored = start(target)
    for document, text in texts.items():
        assert restored.get(f"/{document}/file").content == text
        assert restored.get(f"/{document}/text").content == answers[document]
    assert restored.get("/extractors").json() == ["years"]
    restored_ids = [
        document for document in later if restored.get(f"/{document}").status_code == 200
    ]
    assert restored_ids == later[: len(restored_ids)]
    for number, document in enumerate(restored_ids):
        assert restored.get(f"/{document}/file").content == b"%d" % number
    assert restored.number('rowen_results_total{reuse="none",stage="text"}') == 0


def test_a_second_backup_copies_what_is_new_and_forgets_what_is_gone(tmp_path):
    data, target = tmp_path / "data", tmp_path / "copy"
    store = EmbeddedStore(data)
    first, second = add(store, b"one"), add(store, b"two")
    assert back_up(data, target) == backup.Copied(documents=2, files=2, new=2)
    store.delete(first.id)
    third = add(store, b"three")
    add(store, b"three")
    assert back_up(data, target) == backup.Copied(documents=3, files=2, new=1)
    store.close()
    copy = EmbeddedStore(target)
    assert copy.document(first.id) is None
    assert not copy.path(first).exists()
    assert copy.path(second).read_bytes() == b"two"
    assert copy.path(third).read_bytes() == b"three"
    copy.close()


def test_what_is_deleted_meanwhile_is_left_out(tmp_path, monkeypatch):
    data, target = tmp_path / "data", tmp_path / "copy"
    store = EmbeddedStore(data)
    stored = [add(store, b"%d" % number, key=f"{number}") for number in range(8)]
    copy_file = backup._copy_file

    def delete_the_others(source, path):
        for document in stored[4:]:
            store.delete(document.id)
        return copy_file(source, path)

    monkeypatch.setattr(backup, "_copy_file", delete_the_others)
    back_up(data, target)
    store.close()
    copy = EmbeddedStore(target)
    for document in stored:
        assert (copy.document(document.id) is not None) == copy.path(document).exists()
    assert all(copy.document(document.id) == document for document in stored[:4])
    copy.close()


def test_an_interrupted_backup_leaves_the_one_before(tmp_path, monkeypatch):
    data, target = tmp_path / "data", tmp_path / "copy"
    store = EmbeddedStore(data)
    first = add(store, b"one")
    back_up(data, target)
    second = add(store, b"two")
    store.delete(first.id)

    def interrupt(*_all):
        raise KeyboardInterrupt

    monkeypatch.setattr(backup, "_copy_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        back_up(data, target)
    store.close()
    copy = EmbeddedStore(target)
    assert copy.path(first).read_bytes() == b"one"
    assert copy.document(second.id) is None
    copy.close()


def test_tenants_are_copied_too(tmp_path):
    for name in ("", "tenants/a", "tenants/b"):
        store = EmbeddedStore(tmp_path / "data" / name)
        add(store, name.encode() or b"none")
        store.close()
    assert back_up(tmp_path / "data", tmp_path / "copy").documents == 3
    assert (tmp_path / "copy" / "tenants" / "b" / "rowen.sqlite3").exists()


def test_folders_that_are_none_of_ours_are_left_alone(tmp_path):
    with pytest.raises(SourceError, match="not the data folder"):
        back_up(tmp_path, tmp_path / "copy")
    store = EmbeddedStore(tmp_path / "data")
    add(store, b"one")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "precious").touch()
    with pytest.raises(UsageError, match="is not empty"):
        back_up(tmp_path / "data", tmp_path / "other")
    with pytest.raises(UsageError, match="must differ"):
        back_up(tmp_path / "data", tmp_path / "data")
    served = EmbeddedStore(tmp_path / "served")
    with pytest.raises(StoreError, match="in use"):
        back_up(tmp_path / "data", tmp_path / "served")
    served.close()
    store.close()


def test_projects_of_the_studio_are_copied_and_deleted_ones_go(tmp_path):
    data, target = tmp_path / "data", tmp_path / "copy"
    EmbeddedStore(data).close()
    projects = Projects(data / "studio")
    shop = projects.create("shop")
    shop.add_page("a.html", b"<b>one</b>")
    projects.create("gone").add_page("b.html", b"<b>two</b>")
    back_up(data, target, applications())
    shop.do(Fields(fields=["word"]), revision=shop.revision)
    projects.delete("gone")
    back_up(data, target, applications())
    projects.close()
    copies = Projects(target / "studio")
    assert copies.names() == ["shop"]
    copy = copies.get("shop")
    assert (copy.state.fields, copy.state.pages) == (("word",), ("a.html",))
    assert copy.page("a.html").text == "<b>one</b>"
    assert (target / "studio" / "shop" / "project.json").read_text().count("word") == 1
    copies.close()
