"""Documents and extractors that were made to do harm: each costs itself an error, and no more."""

import socket

import httpx
import pytest
from hostile import (
    MEGABYTE,
    WORDS,
    bomb,
    deep_arrays,
    deep_outlines,
    deep_tree,
    form_bomb,
    laughs,
    many_pages,
    round_tree,
    text_bomb,
)
from pdfs import encrypted, one_page

from rowen.storage.documents.reserve import RESERVE

BOUND = 200 * MEGABYTE
"""What the service itself may use, whatever its workers do; it begins with 70 MB."""


def read(server, data, stage="text"):
    """What comes of a document; the service is as well as before."""
    answer = server.get(f"/{server.add(data)}/{stage}")
    assert server.memory() < BOUND
    assert server.get("/livez").status_code == 200
    return answer


def refused(answer, message, status=422):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert message in answer.json()["detail"]
    return True


@pytest.mark.parametrize("make", [bomb, text_bomb, form_bomb])
def test_decompression_bombs(server, make):
    assert refused(read(server, make()), "")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, identity"])
def test_compressed_requests_are_refused(server, encoding):
    answer = server.post(b"text", headers={"content-encoding": encoding})
    assert refused(answer, "without Content-Encoding", status=415)
    assert answer.headers["accept-encoding"] == "identity"
    put = server.put(
        "/extractors/a", content="kind = 'pattern'", headers={"content-encoding": encoding}
    )
    assert refused(put, "without Content-Encoding", status=415)
    assert server.post(b"text", headers={"content-encoding": "identity"}).status_code == 201


def test_a_gigabyte_in_chunks_ends_at_the_limit(start):
    server = start()
    with socket.create_connection(server.address, timeout=60) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        sent, chunk = 0, b"%x\r\n%s\r\n" % (MEGABYTE, b"a" * MEGABYTE)
        try:
            while sent < 1024:
                line.sendall(chunk)
                sent += 1
        except OSError:
            pass
    assert 255 <= sent < 300  # 256 MB, and what is under way
    assert server.memory() < BOUND
    stored = [file for file in server.data.rglob("*") if file.is_file() and file.name != RESERVE]
    assert not [file for file in stored if file.stat().st_size > MEGABYTE]


def test_a_hundred_thousand_pages(server):
    document = server.add(many_pages(100_000))
    header = server.get(f"/{document}/header", params={"output": "json"})
    assert header.json()["warnings"] == ["only the first 2,000 of 100,000 pages were read"]
    assert server.get(f"/{document}/text").text.count("A page of many.") <= 2000
    assert server.memory() < BOUND


@pytest.mark.parametrize("data", [deep_tree(20_000), round_tree()], ids=["deep", "round"])
def test_page_trees_without_a_page_in_reach(server, data):
    assert refused(read(server, data), "no text layer")


@pytest.mark.parametrize(
    "data", [deep_arrays(1_000_000), deep_outlines(20_000)], ids=["arrays", "outlines"]
)
def test_what_is_nested_deeply_is_passed_over(server, data):
    assert read(server, data).text == "Some words.\n"


def test_encrypted_papers(server):
    assert refused(read(server, encrypted("secret words", password=b"x")), "encrypted")
    assert read(server, encrypted("open words", password=b"")).text == "open words\n"


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_papers_that_are_cut_off(server, paper, part):
    answer = read(server, paper[: int(len(paper) * part)])
    assert answer.status_code == 200 or refused(answer, "broken or cut off")


def test_a_million_nested_tags(server):
    assert read(server, b"<html>" + b"<b>" * 1_000_000 + b"words").text == "words\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<html>" + b"<" * 5_000_000, "<" * 5_000_000 + "\n"),
        (b"<html>words" + b"<!--" * 1_000_000, "words\n"),
        (b"<html>words<a " + b"b " * 100_000 + b">", "words\n"),
        (laughs(), "]>\n&j; said he\n"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><p>&x;', "]>\n&x;\n"),
    ],
    ids=["open", "comments", "attributes", "laughs", "file"],
)
def test_pages_that_are_no_good(server, data, text):
    assert read(server, data).text == text


def test_entities_of_a_text_stay_as_they_are(server):
    data = laughs().replace(b"html", b"lolz")
    assert read(server, data).content == data


@pytest.mark.parametrize("data", [bytes(1_000_000), b"words and\0more\n" * 100])
def test_texts_of_nuls_are_none(server, data):
    assert refused(server.post(data), "binary", status=415)


@pytest.mark.parametrize("data", [b"caf\xe9 \xff\xfe", b"\xed\xa0\x80 words", b"words \xc3(" * 99])
def test_bytes_that_are_no_utf_8_are_read_as_something(server, data):
    answer = read(server, data)
    assert answer.status_code == 200
    assert answer.content.decode()


@pytest.mark.parametrize(
    "data",
    [
        b"<html><script>alert(1)</script>\n" + one_page(WORDS),
        one_page(WORDS) + b"<html><script>alert(1)</script></html>",
    ],
)
def test_a_pdf_that_is_a_page_too_is_a_pdf_that_nobody_opens_as_a_page(server, data):
    document = server.add(data)
    file = server.get(f"/{document}/file")
    assert file.headers["content-type"] == "application/pdf"
    assert file.headers["x-content-type-options"] == "nosniff"
    assert file.headers["content-disposition"].startswith("attachment")
    assert server.get(f"/{document}/text").text == "Some words.\n"


def test_a_pattern_that_never_ends_is_ended(server):
    rules = r"kind = 'pattern'" + "\npattern = '(?P<a>(?:a|a)+)b'\n"
    assert server.put("/extractors/slow", content=rules).status_code == 201
    document = server.add(b"a" * 5000)
    answer = server.get(f"/{document}/records", params={"extractor": "slow"})
    assert refused(answer, "took more than 10 s: its pattern backtracks")
    assert server.get(f"/{document}/text").status_code == 200


def test_documents_are_served_whatever_hosts_are_named(server):
    document = server.add(b"text")
    for host in ("a\tb", "<script>", "a" * 300, "[::1", "evil.example"):
        with httpx.Client(base_url=server.url) as client:
            answer = client.get(f"/{document}", headers={"host": host.encode()})
        assert answer.status_code in {200, 400, 421}
        assert "<script>" not in answer.text
