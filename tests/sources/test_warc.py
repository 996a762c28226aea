import gzip
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.model import DocumentError, Page, SourceError
from rowen.sources import open_source
from rowen.sources.base import CrawlNote


def record(uri, block, *, kind="response", media="application/http", length=None, target=True):
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n"
    )
    head += f"WARC-Target-URI: {uri}\r\n" if target else ""
    head += f"Content-Type: {media}\r\n" if media else ""
    return head.encode("latin-1") + b"\r\n" + block + b"\r\n\r\n"


def http(body, *, media="text/html", status="200 OK", **headers):
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {media}"] if media else [])]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def response(uri, body, **headers):
    return record(uri, http(body, **headers))


A = response("http://a/", b"<p>A")
B = response("http://b/", b"<p>B")


def archive(tmp_path, data, name="crawl.warc", **options):
    path = tmp_path / name
    path.write_bytes(data)
    return open_source(path, **options)


def read(source):
    errors: list[DocumentError] = []
    return list(source.pages(on_error=errors.append)), [str(error) for error in errors]


def notes_of(source):
    notes: list[CrawlNote] = []
    pages = [page.id for page in source.pages(on_note=notes.append)]
    return pages, [(note.page, note.state, note.reason) for note in notes]


def brotli(data, tmp_path):
    from fastwarc.stream_io import BrotliWriter

    with (tmp_path / "br").open("wb") as file:
        writer = BrotliWriter(file)
        writer.write(data)
        writer.finish()
        writer.close()
    return (tmp_path / "br").read_bytes()


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_responses_are_pages_with_their_uri_as_id(tmp_path, name):
    data = gzip.compress(A) + gzip.compress(B) if name.endswith("gz") else A + B
    source = archive(tmp_path, data, name)
    assert list(source) == list(source) == [Page("<p>A", "http://a/"), Page("<p>B", "http://b/")]


def test_all_records_in_one_gzip_member_and_padding_are_read(tmp_path):
    many = b"".join(response(f"http://{n}/", b"x" * n) for n in range(500))
    pages, errors = read(archive(tmp_path, gzip.compress(many) + b"\0" * 100, "a.warc.gz"))
    assert [len(page.text) for page in pages] == list(range(500))
    assert not errors


def test_many_members_are_read(tmp_path):
    many = b"".join(gzip.compress(response(f"http://{n}/", b"x" * n)) for n in range(1000))
    pages, _ = read(archive(tmp_path, many, "a.warc.gz"))
    assert [len(page.text) for page in pages] == list(range(1000))


def test_only_successful_text_is_a_page(tmp_path):
    data = b"".join(
        (
            record("-", b"software: x", kind="warcinfo", media="application/warc-fields"),
            record("http://q/", b"GET / HTTP/1.1\r\n\r\n", kind="request"),
            response("http://404/", b"<p>no", status="404 Not Found"),
            response("http://301/", b"<p>moved", status="301 Moved"),
            response("http://png/", b"\x89PNG\r\n", media="image/png"),
            response("http://css/", b"p {}", media="text/css"),
            response("http://svg/", b"<svg/>", media="image/svg+xml"),
            record("dns:x", b"x", media="text/dns"),
            response("http://203/", b"<p>A", status="203 Hm", media="TEXT/HTML; charset=utf-8"),
            response("http://x/", b"<p>B", media="application/xhtml+xml"),
            response("http://rss/", b"<rss/>", media="application/rss+xml"),
            response("http://untyped/", b"<p>C", media=None),
            response("http://untyped-png/", b"\x89PNG\r\n\x1a\n", media=None),
            record("file:r", b"<p>D", kind="resource", media="text/html"),
            record("http://c/", b"plain", kind="conversion", media="text/plain"),
        )
    )
    pages, errors = read(archive(tmp_path, data))
    assert not errors
    assert [page.id for page in pages] == [
        "http://203/",
        "http://x/",
        "http://rss/",
        "http://untyped/",
        "file:r",
        "http://c/",
    ]


@pytest.mark.parametrize("media", ["text/html; charset=koi8-r", 'text/html;Charset="KOI8-R"; x=y'])
def test_the_charset_of_the_header_counts(tmp_path, media):
    data = response("http://a/", "<meta charset=greek>я".encode("koi8-r"), media=media)
    data += record("http://b/", "я".encode("koi8-r"), kind="resource", media=media)
    pages, _ = read(archive(tmp_path, data))
    assert [page.text for page in pages] == ["<meta charset=greek>я", "я"]


def test_packed_bodies_are_unpacked(tmp_path):
    text = b"<p>packed " + b"x" * 1000
    bodies = {
        "gzip": gzip.compress(text),
        "x-gzip": gzip.compress(text[:50]) + gzip.compress(text[50:]),
        "deflate": zlib.compress(text),
        "DEFLATE": zlib.compress(text)[2:-4],
        "br": brotli(text, tmp_path),
        "deflate, gzip": gzip.compress(zlib.compress(text)),
        "identity": text,
    }
    data = b"".join(response(f"http://{e}/", b, content_encoding=e) for e, b in bodies.items())
    pages, errors = read(archive(tmp_path, data))
    assert not errors
    assert {page.id for page in pages} == {f"http://{encoding}/" for encoding in bodies}
    assert {page.text for page in pages} == {text.decode()}


def test_chunks_are_joined(tmp_path):
    chunked = b"4;x=y\r\n<p>A\r\n3\r\nBCD\r\n0\r\n\r\n"
    data = response("http://a/", chunked, transfer_encoding="chunked")
    packed = gzip.compress(b"<p>E")
    both = b"%x\r\n%b\r\n0\r\n\r\n" % (len(packed), packed)
    data += response("http://b/", both, transfer_encoding="chunked", content_encoding="gzip")
    pages, _ = read(archive(tmp_path, data))
    assert [page.text for page in pages] == ["<p>ABCD", "<p>E"]


def test_bodies_that_the_archive_has_unpacked_already_are_taken_as_they_are(tmp_path):
    encodings = ("gzip", "deflate", "br", "zstd", "nonsense")
    data = b"".join(response(f"http://{e}/", b"<p>A", content_encoding=e) for e in encodings)
    data += response("http://chunked/", b"<p>A", transfer_encoding="chunked")
    pages, errors = read(archive(tmp_path, data))
    assert [page.text for page in pages] == ["<p>A"] * 6
    assert not errors


def test_a_broken_record_is_reported_and_the_others_are_read(tmp_path):
    cut = gzip.compress(bytes(range(256)) * 20)[:-20]
    data = b"".join(
        (
            A,
            response("http://cut/", cut, content_encoding="gzip"),
            response("http://short/", b"ff\r\nabc", transfer_encoding="chunked"),
            record("http://nothing/", b"this is no HTTP"),
            record("", b"", media="application/http"),
            response("http://lie/", b"\x89PNG\r\n\x1a\n", media="text/html"),
            record("", http(b"<p>x"), target=False),
            B,
        )
    )
    pages, errors = read(archive(tmp_path, data))
    assert [page.id for page in pages] == ["http://a/", "http://b/"]
    assert errors == [
        "http://cut/: has a truncated compressed body",
        "http://short/: has a truncated body",
        "http://nothing/: is not an HTTP response",
        "urn:uuid:00000000-0000-0000-0000-000000000001: is not an HTTP response",
        "http://lie/: is a PNG image, not a page of text or HTML",
        "urn:uuid:00000000-0000-0000-0000-000000000001: has no target URI in its WARC record",
    ]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_a_bomb_is_unpacked_up_to_the_limit_only(tmp_path, encoding):
    large = b"x" * 5_000_000
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "br": lambda d: brotli(d, tmp_path)}
    data = A + response("http://bomb/", pack[encoding](large), content_encoding=encoding) + B
    pages, errors = read(archive(tmp_path, data, limit=100_000))
    assert [page.id for page in pages] == ["http://a/", "http://b/"]
    assert errors == ["http://bomb/: unpacks to more than the limit of 100,000 bytes"]


def test_a_record_above_the_limit_is_not_read(tmp_path):
    data = gzip.compress(A + response("http://large/", b"x" * 3_000_000) + B)
    pages, errors = read(archive(tmp_path, data, "a.warc.gz", limit=1000))
    assert [page.id for page in pages] == ["http://a/", "http://b/"]
    assert errors == ["http://large/: is larger than the limit of 1,000 bytes"]


def good_and_error(source):
    pages = []
    with pytest.raises(SourceError) as caught:
        pages.extend(_kept(source, pages))
    assert "\n" not in str(caught.value)
    return [page.id for page in pages], str(caught.value)


def _kept(source, pages):
    for page in source.pages(on_error=lambda _: None):
        pages.append(page)
    return ()


@pytest.mark.parametrize("cut", [1, 5, 12, 40, 100, 150])
def test_a_cut_gzip_file_gives_its_good_pages_and_then_a_source_error(tmp_path, cut):
    packed = gzip.compress(A) + gzip.compress(response("http://c/", bytes(range(32, 127)) * 9))
    found, message = good_and_error(archive(tmp_path, packed[:-cut], "a.warc.gz"))
    assert found[0] == "http://a/"
    assert "a.warc.gz is truncated: its gzip data has no end" in message


def test_damaged_gzip_data_is_a_source_error_after_the_good_pages(tmp_path):
    packed = bytearray(gzip.compress(A) + gzip.compress(B))
    packed[-6] ^= 1  # in the checksum
    found, message = good_and_error(archive(tmp_path, packed, "a.warc.gz"))
    assert found == ["http://a/"]
    assert "has damaged gzip data" in message


def test_what_follows_the_gzip_data_is_not_passed_over(tmp_path):
    found, message = good_and_error(archive(tmp_path, gzip.compress(A) + b"rest", "a.warc.gz"))
    assert found == ["http://a/"]
    assert "has damaged gzip data" in message


@pytest.mark.parametrize("cut", [8, 20, 100, 200])
def test_a_cut_plain_file_gives_its_good_pages_and_then_a_source_error(tmp_path, cut):
    found, message = good_and_error(archive(tmp_path, (A + B)[:-cut]))
    assert found == ["http://a/"]
    assert message.endswith("crawl.warc ends in the middle of a record, after http://a/")


@pytest.mark.parametrize("length", [0, 10, 5000, 10**30, -5, "abc"])
def test_a_lying_length_is_a_source_error_after_the_good_pages(tmp_path, length):
    data = A + record("http://lie/", http(b"<p>" * 100), length=length) + B
    path = tmp_path / "a.warc"
    path.write_bytes(data)
    source = open_source(path)
    pages = []
    with pytest.raises(SourceError):
        _kept(source, pages)
    assert pages[0].id == "http://a/"


def test_garbage_is_a_source_error(tmp_path):
    for data in (b"hello world " * 100, b"\x1f\x8b\x08" + b"x" * 100):
        with pytest.raises(SourceError, match=r"crawl\.warc"):
            list(archive(tmp_path, data))


def test_an_empty_archive_has_no_pages(tmp_path):
    assert list(archive(tmp_path, b"")) == []


def test_an_old_uri_in_brackets_and_one_that_is_no_unicode_are_names(tmp_path):
    data = response("<http://a/>", b"A") + response("http://b/\xe9", b"B")
    assert [page.id for page in archive(tmp_path, data)] == ["http://a/", "http://b/\\xe9"]


@given(st.data())
def test_a_damaged_archive_gives_pages_or_our_errors(tmp_path_factory, data):
    whole = bytearray(A + response("http://c/", gzip.compress(b"x"), content_encoding="gzip") + B)
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
    packed = data.draw(st.booleans())
    source = archive(tmp_path_factory.mktemp("w"), gzip.compress(whole) if packed else whole)
    with suppress(SourceError):
        list(source.pages(on_error=lambda _: None))


@pytest.mark.parametrize(
    ("status", "state", "reason"),
    [
        ("304 Not Modified", "unchanged", ""),
        ("404 Not Found", "gone", ""),
        ("410 Gone", "gone", ""),
        ("500 Internal Server Error", "failed", "the server answered 500"),
        ("503 Service Unavailable", "failed", "the server answered 503"),
    ],
)
def test_answers_without_a_page_are_noted(tmp_path, status, state, reason):
    source = archive(tmp_path, A + response("http://b/", b"sorry", status=status))
    assert notes_of(source) == (["http://a/"], [("http://b/", state, reason)])
    assert read(source) == ([Page("<p>A", id="http://a/")], [])


@pytest.mark.parametrize("block", [b"", http(b"", status="304 Not Modified"), http(b"")])
def test_a_revisit_of_the_same_page_is_unchanged(tmp_path, block):
    source = archive(tmp_path, record("http://b/", block, kind="revisit"))
    assert notes_of(source) == ([], [("http://b/", "unchanged", "")])


def test_a_revisit_of_another_page_or_of_an_error_is_not_unchanged(tmp_path):
    other = record("http://b/", b"", kind="revisit").replace(
        b"WARC-Target-URI", b"WARC-Refers-To-Target-URI: http://c/\r\nWARC-Target-URI"
    )
    again = record("http://d/", http(b"", status="404 Not Found"), kind="revisit")
    without = record("", b"", kind="revisit", target=False)
    assert notes_of(archive(tmp_path, other + again + without)) == (
        [],
        [("http://b/", "failed", "has the content of http://c/"), ("http://d/", "gone", "")],
    )
