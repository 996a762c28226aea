"""The template of a Scrapy project: a spider and a pipeline with a wrapper, and their alarm."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bookshop import BOOKS, SHELVES, labels, new_page, old_page
from sites import Site

import rowen

TEMPLATE = Path(__file__).parents[1] / "examples" / "scrapy_project"
PATHS = list(SHELVES)
HOME = {"/robots.txt": (404, {}, b"")}


def chained(make):
    """The shop's pages, each with a link to the next."""
    pages = {}
    for number, (path, books) in enumerate(SHELVES.items()):
        following = PATHS[number + 1] if number + 1 < len(PATHS) else None
        link = f'<a class="next" href="{following}">more</a>' if following else ""
        pages[path] = make(books).replace(b"</html>", f"{link}</html>".encode())
    return {**HOME, **pages}


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    shutil.copytree(TEMPLATE, folder)
    page = rowen.Page(chained(old_page)["/one"].decode(), id="one.html")
    rowen.learn([rowen.Example(page, labels(SHELVES["/one"]))]).save(folder / "books.json")
    return folder


def crawl(folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", *arguments],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stderr


def items(path):
    return json.loads(path.read_text() or "[]") if path.exists() else []


def test_the_items_of_the_spider_are_the_records_of_all_pages(project):
    with Site(pages=chained(old_page)) as site:
        log = crawl(project, "shop", "-a", f"start={site.url}/one", "-O", "out.json")
        found = items(project / "out.json")
    assert [{k: v for k, v in one.items() if k != "page"} for one in found] == labels(BOOKS)
    assert {one["page"] for one in found} == {f"{site.url}{path}" for path in PATHS}
    assert "'rowen/records': 9" in log
    assert "rowen/drift" not in log


@pytest.mark.parametrize(
    ("action", "reason", "marked"),
    [("stop", "rowen_drift", True), ("mark", "finished", True), ("ignore", "finished", False)],
)
def test_after_a_redesign_the_crawl_is_stopped_or_marked(project, action, reason, marked):
    with Site(pages=chained(new_page)) as site:
        log = crawl(
            project, "shop", "-a", f"start={site.url}/one", "-O", "out.json",
            "-s", f"ROWEN_ON_DRIFT={action}", "-s", "ROWEN_DRIFT_PAGES=1",
        )  # fmt: skip
        asked = [path for path, _ in site.requests if path in PATHS]
    assert f"'finish_reason': '{reason}'" in log
    assert ("rowen/drift" in log) == marked
    assert ("no longer fits" in log) == marked
    assert (len(asked) < len(PATHS)) == (action == "stop")


PIPELINE = """
import scrapy

class Plain(scrapy.Spider):
    name = "plain"
    custom_settings = {"ITEM_PIPELINES": {"rowen.scrapy.WrapperPipeline": 300}}

    def __init__(self, start, **named):
        super().__init__(**named)
        self.start_urls = [start]

    def parse(self, response):
        yield {"url": response.url, "text": response.text}
        yield {"title": "no page"}
        yield from response.follow_all(css="a.next")
"""


def test_the_pipeline_adds_records_and_stops_the_crawl_at_a_redesign(project):
    (project / "books" / "spiders" / "plain.py").write_text(PIPELINE)
    with Site(pages=chained(old_page)) as site:
        crawl(project, "plain", "-a", f"start={site.url}/one", "-O", "out.json")
    found = items(project / "out.json")
    assert [record for one in found for record in one.get("records", ())] == labels(BOOKS)
    assert [one for one in found if "records" not in one] == [{"title": "no page"}] * 3
    with Site(pages=chained(new_page)) as site:
        log = crawl(project, "plain", "-a", f"start={site.url}/one", "-s", "ROWEN_DRIFT_PAGES=1")
    assert "'finish_reason': 'rowen_drift'" in log


def test_wrong_settings_end_the_crawl_before_its_first_request(project):
    for setting, message in (
        ("ROWEN_ON_DRIFT=panic", "ROWEN_ON_DRIFT is one of"),
        ("ROWEN_WRAPPER=", "no wrapper is named"),
        ("ROWEN_WRAPPER=none.json", "none.json"),
        ("ROWEN_DRIFT_PAGES=0", "a number from 1"),
    ):
        with Site(pages=chained(old_page)) as site:
            done = subprocess.run(
                [sys.executable, "-m", "scrapy", "crawl", "shop", "-a", f"start={site.url}/one",
                 "-s", setting],
                cwd=project, capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            assert message in done.stderr
            assert site.requests == []


def test_the_page_object_gives_the_wrappers_values(project):
    from web_poet import HttpResponse

    wrapper = rowen.load(project / "books.json")
    wrapper.name = "old books"
    names = {"__name__": "page_object"}
    exec(compile(rowen.export_wrapper(wrapper, "page-object"), "page_object", "exec"), names)
    body = chained(old_page)["/two"]
    page = names["OldBooksPage"](
        response=HttpResponse(url="http://example.org/two", body=body, encoding="utf-8")
    )
    assert asyncio.run(page.to_item()) == labels(SHELVES["/two"])
