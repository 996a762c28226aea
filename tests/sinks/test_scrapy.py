"""A crawl by Scrapy ends with a run: what it received is in the store, and nothing else changed."""

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import rowen

SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Site(scrapy.Spider):
    name = "site"
    handle_httpstatus_all = True

    async def start(self):
        for path in {paths!r}:
            yield scrapy.Request("{address}" + path, dont_filter=True)

    def parse(self, response):
        if response.status == 200 and "items" in self.settings.get("ITEMS", ""):
            yield {{"url": response.url, "text": response.text.replace("£", "£1"), "n": 1}}
            yield {{"url": response.url + "#none", "title": "no text"}}
        if response.status == 200 and b"<a" in response.body:
            yield response.follow(response.css("a::attr(href)").get())
        if {stop!r}:
            raise scrapy.exceptions.CloseSpider("enough")

process = CrawlerProcess(settings={{
    "EXTENSIONS": {{"rowen.scrapy.RunAfterCrawl": 500}},
    "ROWEN_STORE": "store",
    "ROWEN_EXTRACTORS": ["rules.toml"],
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "RETRY_ENABLED": False,
    **{settings!r},
}})
crawler = process.create_crawler(Site)
process.crawl(crawler)
process.start()
print(json.dumps({{k: v for k, v in crawler.stats.get_stats().items() if k.startswith("rowen/")}}))
"""
RULES = """
[extractor]
name = "prices"
kind = "pattern"
pattern = '(?P<price>£\\d+)'
"""


class Site:
    """A site of pages that can be changed between two crawls."""

    def __init__(self):
        self.pages = {}
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                status, kind, body = site.pages.get(self.path, (404, "text/html", b"none"))
                self.send_response(status)
                self.send_header("Content-Type", kind)
                if status == 302:
                    self.send_header("Location", body.decode())
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def site():
    served = Site()
    yield served
    served.close()


def page(text, charset="utf-8"):
    return 200, f"text/html; charset={charset}", f"<html>{text}</html>".encode(charset)


def crawl(folder, site, *paths, stop=False, **settings):
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    program = SPIDER.format(paths=paths, address=site.address, stop=stop, settings=settings)
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    lines = [line for line in ran.stdout.splitlines() if line.startswith("{")]
    return (json.loads(lines[-1]) if lines else {}), ran.stderr


def prices(folder, site):
    table = rowen.Store(folder / "store").records("prices")
    return {(row["page"].removeprefix(site.address), row["price"]) for row in table.to_pylist()}


def test_nightly_crawls_update_the_store(tmp_path, site):
    site.pages = {
        "/": page("£1 <a href='/next'>next</a>"),
        "/next": page("£2", "iso-8859-1"),
        "/old": page("£3"),
        "/moved": (302, "text/html", b"/next"),
        "/picture": (200, "image/png", "£9".encode()),
        "/flaky": page("£4"),
    }
    counts, errors = crawl(tmp_path, site, "/", "/old", "/moved", "/picture", "/flaky")
    assert errors == ""
    first = {("/", "£1"), ("/next", "£2"), ("/old", "£3"), ("/flaky", "£4")}
    assert prices(tmp_path, site) == first
    assert counts["rowen/pages/new"] == 4
    assert counts["rowen/records/prices"] == 4

    site.pages |= {"/": page("£7"), "/old": (410, "text/html", b"error")}
    site.pages["/flaky"] = (503, "text/html", b"error")
    counts, errors = crawl(tmp_path, site, "/", "/old", "/flaky")
    assert prices(tmp_path, site) == {("/", "£7"), ("/next", "£2"), ("/flaky", "£4")}
    assert (counts["rowen/snapshot"], counts["rowen/pages/gone"]) == (1, 1)
    assert "/flaky: the server answered 503; its last version is kept" in errors


def test_items_with_texts_are_pages_where_the_pipeline_is_on(tmp_path, site):
    site.pages = {"/": page("£1"), "/next": page("£2")}
    options = {"EXTENSIONS": {}, "ITEMS": "items"}
    options["ITEM_PIPELINES"] = {"rowen.scrapy.RunAfterItems": 900}
    counts, errors = crawl(tmp_path, site, "/", "/next", **options)
    assert errors == ""
    assert counts["rowen/pages/new"] == 2
    assert prices(tmp_path, site) == {("/", "£11"), ("/next", "£12")}
    counts, _ = crawl(tmp_path, site, "/", ROWEN_ITEM_ID="title", **options)
    assert counts["rowen/pages/kept"] == 2
    assert prices(tmp_path, site) == {("/", "£11"), ("/next", "£12")}


def test_a_crawl_that_ended_early_is_no_whole_corpus(tmp_path, site):
    site.pages = {"/": page("£1"), "/next": page("£2")}
    counts, errors = crawl(tmp_path, site, "/", "/next", stop=True, ROWEN_UPDATE=False)
    assert "ended early (enough)" in counts["rowen/error"]
    assert "nothing was stored" in errors
    assert not (tmp_path / "store").exists()


def test_wrong_settings_end_the_crawl_before_its_first_request(tmp_path, site):
    _, errors = crawl(tmp_path, site, "/", ROWEN_EXTRACTORS=["none.toml"])
    assert "none.toml" in errors
    _, errors = crawl(tmp_path, site, "/", ROWEN_EXTRACTORS=[])
    assert "ROWEN_EXTRACTORS names no extractor" in errors
