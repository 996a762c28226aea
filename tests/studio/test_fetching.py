"""Pages by their addresses, from anywhere and from nobody's own network."""

import asyncio
import gzip
import time
import zlib
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
import zstandard
from bombs import bomb
from sites import HTML, PAGE, Site

from rowen.model.errors import DocumentError, ServiceError, UsageError
from rowen.studio import fetching
from rowen.studio.fetching import Fetcher, is_public
from rowen.text.charset import decode, encode


@pytest.fixture(scope="module")
def site():
    with Site() as running:
        yield running


def fetch(url, reach="any"):
    async def one():
        return await Fetcher(reach).fetch(url)

    # In a thread of its own: the browser of other tests has a loop running in this one.
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, one()).result()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/a/page.html", "page.html"),
        ("/a/page.html?id=3&x=%20y", "page.html id=3&x= y"),
        ("/western", "western"),
        ("/", "127.0.0.1"),
        ("/moved", "page.html id=3"),
        ("/a%2F..%2Fb.html#part", "b.html"),
    ],
)
def test_a_page_comes_with_its_text_and_a_name(site, path, name):
    assert fetch(f" {site.url}{path}\n") == (name, PAGE)


def test_the_header_gives_the_charset_and_stored_pages_are_read_with_it(site):
    text = fetch(f"{site.url}/misdeclared").text
    assert "12 €" in text
    assert decode(encode(text)).text == text


def test_a_fetch_sends_its_user_agent_and_nothing_else(site):
    fetch(f"{site.url.replace('//', '//me:secret@')}/a#b")
    path, headers = site.requests[-1]
    assert path == "/a"
    assert headers["Host"] == site.url.removeprefix("http://")
    assert headers["User-Agent"].startswith("Rowen/")
    assert {name.lower() for name in headers} <= {
        *("host", "user-agent", "accept", "accept-encoding", "connection")
    }


@pytest.mark.parametrize(
    ("path", "kind", "message"),
    [
        ("/none", ServiceError, "answered 404 Not Found"),
        ("/circle", ServiceError, "redirects more than 10 times"),
        ("/bomb", DocumentError, "is larger than"),
        ("/paper.pdf", DocumentError, "PDF"),
        ("/elsewhere?file:///etc/passwd", UsageError, "must start with http"),
        ("/elsewhere?gopher://127.0.0.1/", UsageError, "must start with http"),
        ("/elsewhere?http://[", ServiceError, "can't fetch"),
    ],
)
def test_what_is_no_page_is_reported(site, path, kind, message):
    with pytest.raises(kind, match=message):
        fetch(f"{site.url}{path}")


@pytest.mark.parametrize(
    "url",
    ["", "page.html", "file:///etc/passwd", "http://", "ftp://a/b", "http://[", "http://a:99999/",
     "javascript:1", "http://exa mple.org/", "http://\udc80/", f"http://{'a' * 300}.org/", "http://a..b/"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url):
    with pytest.raises((UsageError, ServiceError)):
        fetch(url)


def test_whoever_does_not_answer_is_not_waited_for(site, monkeypatch):
    monkeypatch.setattr(fetching, "FETCH_SECONDS", 0.2)
    with pytest.raises(ServiceError, match="took longer than"):
        fetch(f"{site.url}/slow")


def test_an_address_where_nobody_listens_is_reported():
    with Site() as gone:
        url = gone.url
    with pytest.raises(ServiceError, match="can't fetch"):
        fetch(url)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0.0.0.0", "[::1]", "[::]",
     "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "LOCALHOST", "127.0.0.1."],
)  # fmt: skip
def test_nothing_is_fetched_from_the_own_network(site, host):
    before = len(site.requests)
    port = site.url.rpartition(":")[2]
    with pytest.raises((UsageError, ServiceError)):
        fetch(f"http://{host}:{port}/", "public")
    assert len(site.requests) == before


def test_nor_where_a_public_site_sends_on_to_it(site, monkeypatch):
    """Here the site itself stands for a public one, as none can be reached from a test."""
    monkeypatch.setattr(fetching, "is_public", lambda address: address == "127.0.0.1")
    with Site("127.0.0.2") as own:
        assert fetch(f"{site.url}/a", "public").text == PAGE
        with pytest.raises(UsageError, match=r"127\.0\.0\.2 is in the server's own network"):
            fetch(f"{site.url}/elsewhere?{own.url}/secret", "public")
        assert own.requests == []


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
     "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "ff02::1",
     "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::", "2001:0:4136:e378:8000:63bf:f5ff:fffe"],
)  # fmt: skip
def test_addresses_of_networks_of_ones_own_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "8.8.8.8", "2606:4700:4700::1111", "64:ff9b::808:808"]
)
def test_addresses_of_the_internet_are(address):
    assert is_public(address)


def test_a_service_fetches_only_if_it_was_allowed_to(start, site):
    for reach, status in ((None, 403), ("public", 400), ("any", 200)):
        server = start(fetch=reach)
        settings = server.get("/studio/api/settings").json()
        assert settings["fetches"] == (reach is not None)
        answer = server.client.post("/studio/api/fetch", json={"url": f"{site.url}/a/page.html"})
        assert answer.status_code == status, answer.text
    assert answer.json() == {"name": "page.html", "text": PAGE}
    assert server.client.post("/studio/api/fetch", json={"url": "x" * 9000}).status_code == 422
    refused = server.client.post(
        "/studio/api/fetch", json={"url": site.url}, headers={"Origin": "https://evil.example"}
    )
    assert refused.status_code == 403


PACKED = {
    "/gzip": ("gzip", gzip.compress(PAGE.encode())),
    "/deflate": ("Deflate", zlib.compress(PAGE.encode())),
    "/br": ("br", brotli.compress(PAGE.encode())),
    "/zstd": ("zstd", zstandard.compress(PAGE.encode())),
    "/twice": ("gzip, br", brotli.compress(gzip.compress(PAGE.encode()))),
    "/as-it-is": ("identity", PAGE.encode()),
}
BOMBS = {
    "/bomb/gzip": ("gzip", lambda: bomb("gzip")),
    "/bomb/deflate": ("deflate", lambda: bomb("deflate")),
    "/bomb/br": ("br", lambda: bomb("br")),
    "/bomb/zstd": ("zstd", lambda: bomb("zstd")),
    "/bomb/frames": ("zstd", lambda: bomb("zstd", 1024**3) * 4),
    "/bomb/layers": ("zstd, gzip", lambda: gzip.compress(bomb("zstd"))),
}


@pytest.fixture(scope="module")
def packed_site():
    bombs = {path: (coding, make()) for path, (coding, make) in BOMBS.items()}
    pages = {
        path: ({**HTML, "Content-Encoding": coding}, body)
        for path, (coding, body) in {**PACKED, **bombs}.items()
    }
    with Site(pages=pages) as running:
        yield running


@pytest.mark.parametrize("path", PACKED)
def test_a_packed_page_is_unpacked(packed_site, path):
    assert fetch(f"{packed_site.url}{path}").text == PAGE


def test_bombs_cost_little_memory_and_nobody_waits_for_them(start, packed_site):
    server = start(fetch="any")
    assert server.get("/livez").status_code == 200  # it has started
    before = server.memory()
    ended, waits = [], []

    def look():
        while not ended:
            begun = time.monotonic()
            assert server.get("/livez").status_code == 200
            waits.append(time.monotonic() - begun)

    def send(path):
        url = {"url": f"{packed_site.url}{path}"}
        return server.client.post("/studio/api/fetch", json=url)

    with ThreadPoolExecutor(1 + len(BOMBS)) as threads:
        looking = threads.submit(look)
        answers = list(threads.map(send, BOMBS))
        ended.append(True)
        looking.result()
    for answer in answers:
        assert answer.status_code == 415, answer.text
        assert "is larger than 16,777,216 bytes" in answer.json()["detail"]
    assert server.memory() - before < len(BOMBS) * 4 * 16 * 1024**2
    assert max(waits) < 2, "on a busy machine; it took twenty"
