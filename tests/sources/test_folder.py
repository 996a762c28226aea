import os
import subprocess
import sys

import pytest

from rowen.model import DocumentError, Page, SourceError
from rowen.sources import open_source
from rowen.sources.base import Source
from rowen.sources.folder import Folder


def write(folder, **files):
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def ids(source):
    return [page.id for page in source.pages(on_error=lambda _: None)]


def test_pages_come_sorted_by_their_path_in_the_folder(tmp_path):
    write(tmp_path, b_html=b"2", a__z_html=b"1", a__b__c_txt=b"0", c=b"3")
    (tmp_path / "a-b.html").write_bytes(b"sorts before a/")
    found = ids(open_source(tmp_path))
    assert found == ["a-b.html", "a/b/c.txt", "a/z.html", "b.html", "c"]
    assert found == sorted(found)


def test_a_source_can_be_gone_through_again(tmp_path):
    write(tmp_path, a_html=b"A", b_html=b"B")
    source = open_source(str(tmp_path))
    assert list(source) == list(source) == [Page("A", "a.html"), Page("B", "b.html")]
    assert source.count_hint == 2
    assert source.name == str(tmp_path)


def test_hidden_files_and_folders_are_left_out(tmp_path):
    write(tmp_path, _hidden=b"x", _git__config=b"x", a__b=b"x")
    assert ids(open_source(tmp_path)) == ["a/b"]


def test_what_lies_beside_pages_is_left_out_and_everything_else_is_read(tmp_path):
    beside = ["x.png", "x.CSS", "x.js", "x.pdf", "x.woff2", "x.zip", "x.css?v=3", "labels.jsonl"]
    pages = ["a", "a.html", "b.php?id=3", "c.md", "d.json", "e.com", "f.xyz", "g.asp"]
    for name in beside + pages:
        (tmp_path / name).write_bytes(b"x")
    assert ids(open_source(tmp_path)) == pages


def test_a_page_that_cannot_be_read_does_not_end_the_others(tmp_path):
    write(tmp_path, a=b"A", b=b"\x89PNG\r\n\x1a\n\x00", c=b"C")
    errors = []
    pages = list(open_source(tmp_path).pages(on_error=errors.append))
    assert [page.id for page in pages] == ["a", "c"]
    assert [str(error) for error in errors] == [
        "b: is a PNG image, not a page of text or HTML",
    ]


def test_without_a_handler_the_first_bad_page_is_raised(tmp_path):
    write(tmp_path, a=b"A", b=b"%PDF-1.4")
    pages = iter(open_source(tmp_path))
    assert next(pages).id == "a"
    with pytest.raises(DocumentError, match=r"b: is a PDF, not a page of text or HTML"):
        next(pages)


def test_links_to_files_are_read_and_links_to_folders_are_not(tmp_path):
    write(tmp_path, in__a=b"A")
    (tmp_path / "in" / "loop").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "in" / "a")
    assert ids(open_source(tmp_path)) == ["in/a", "link"]


@pytest.mark.parametrize("target", ["nowhere", "dangling"])
def test_a_link_that_leads_nowhere_is_reported(tmp_path, target):
    (tmp_path / "dangling").symlink_to(tmp_path / target)
    errors = []
    assert list(open_source(tmp_path).pages(on_error=errors.append)) == []
    assert [error.page for error in errors] == ["dangling"]


def test_pipes_are_left_out(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert ids(open_source(tmp_path)) == []


def test_a_name_that_is_no_unicode_becomes_one(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9-\xc3\xa9")).write_bytes(b"x")
    assert ids(open_source(tmp_path)) == ["caf\\xe9-é"]


def test_a_file_above_the_limit_is_reported(tmp_path):
    write(tmp_path, a=b"12345", b=b"123456")
    errors = []
    pages = list(open_source(tmp_path, limit=5).pages(on_error=errors.append))
    assert [page.id for page in pages] == ["a"]
    assert [str(error) for error in errors] == ["b: is larger than the limit of 5 bytes"]


def test_what_a_browser_saved_with_a_page_is_left_out(tmp_path):
    pages = ["shelf.html", "old.htm", "other_files/b.html"]
    for name in (*pages, "shelf_files/ad.html", "old_files/c/d.html"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    source = open_source(tmp_path)
    assert [page.id for page in source] == sorted(pages)
    assert source.count_hint == len(pages)


def test_an_empty_file_is_an_empty_page(tmp_path):
    write(tmp_path, a=b"")
    assert list(open_source(tmp_path)) == [Page("", "a")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_reported(tmp_path):
    write(tmp_path, a__b=b"A", c=b"C")
    (tmp_path / "a").chmod(0)
    errors = []
    pages = list(open_source(tmp_path).pages(on_error=errors.append))
    (tmp_path / "a").chmod(0o700)
    assert [page.id for page in pages] == ["c"]
    assert [error.page for error in errors] == ["a/"]


def test_a_folder_that_vanishes_is_a_source_error(tmp_path):
    (tmp_path / "gone").mkdir()
    source = open_source(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SourceError, match="can't read the folder"):
        list(source)


def test_deep_folders_do_not_exhaust_the_stack(tmp_path):
    handle = os.open(tmp_path, os.O_RDONLY)
    depth = 1200
    for _ in range(depth):
        os.mkdir("d", dir_fd=handle)
        deeper = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = deeper
    with os.fdopen(os.open("page", os.O_WRONLY | os.O_CREAT, dir_fd=handle), "wb") as file:
        file.write(b"x")
    os.close(handle)
    found = ids(open_source(tmp_path))
    subprocess.run(["rm", "-r", tmp_path / "d"], check=True)  # too deep for pytest to clear away
    assert found == ["d/" * depth + "page"]


def test_a_folder_is_a_source(tmp_path):
    source: Source = Folder(tmp_path)
    assert source.name


def test_a_page_is_let_go_of_when_it_is_given(tmp_path):
    (tmp_path / "page.txt").write_text("text")
    for page in Folder(tmp_path).pages():
        assert sys.getrefcount(page) == 2  # the name and the argument
