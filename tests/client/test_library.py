"""The library by `rowen.Client` and `rowen.AsyncClient`."""

import time

import pytest
from small_papers import archive, paper, title_of

from rowen.errors import InputError, ServiceError


def settled(client):
    while client.library_queue()["waiting"]:
        time.sleep(0.1)


def test_papers_are_added_found_corrected_and_exported(connect, start):
    server = start()
    with connect(server.url) as client:
        added = client.add_to_library(paper(1), name="one.pdf")
        assert [(own.name, own.new) for own in added.papers] == [("one.pdf", True)]
        packed = client.add_to_library(
            archive({"1.pdf": paper(1), "2.pdf": paper(2), "n.exe": b"MZ"}), name="z.zip"
        )
        assert [own.new for own in packed.papers] == [False, True]
        assert [name for name, _ in packed.skipped] == ["n.exe"]
        settled(client)
        (id_,) = [own.id for own in added.papers]
        page = client.search_library('title:"number 1"', facets={"state": ["ready"]})
        assert [(own.id, own.title, own.name) for own in page.items] == [
            (id_, title_of(1), "one.pdf")
        ]
        first = client.search_library(sort="title", limit=1)
        second = client.search_library(sort="title", limit=1, cursor=first.next)
        assert first.total == second.total == 2
        assert second.next is None
        assert client.correct_paper(id_, "title", "Said")["header"]["title"] == "Said"
        assert client.tag_papers([id_], add=["kept"]) == 1
        assert client.note_paper(id_, "A thought")["notes"][0]["text"] == "A thought"
        assert client.search_library("thought", facets={"tag": ["kept"]}).total == 1
        assert client.read_papers_again([id_]) == 1
        settled(client)
        assert client.library_paper(id_)["header"]["title"] == "Said"
        exported = client.export_library("bibtex", papers=[id_]).decode()
        assert "title = {Said}" in exported
        assert client.export_library("csl", archive=True).startswith(b"PK")
        client.remove_from_library(id_)
        assert client.search_library().total == 1
        with pytest.raises(ServiceError):
            client.library_paper(id_)


def test_what_is_wrong_is_an_error_of_its_kind(client):
    with pytest.raises(InputError):
        client.add_to_library(b"\0\1\2")
    with pytest.raises(InputError):
        client.search_library(cursor="x")
