"""A Scrapy extension and a pipeline that end each crawl with a run: `pip install rowen[scrapy]`.

    # settings.py of a Scrapy project
    EXTENSIONS = {"rowen.scrapy.RunAfterCrawl": 500}
    ROWEN_STORE = "store/"
    ROWEN_EXTRACTORS = ["books.json"]

While the spider crawls, the pages that it receives are written to a temporary file. When it has
ended, they become a snapshot of the store, as with `rowen run --update`: pages that were not
fetched stay, 404 and 410 mean that a page is gone, and pages that failed keep their last version.

With `ITEM_PIPELINES = {"rowen.scrapy.RunAfterItems": 900}` instead, the pages are texts in the
spider's items.
"""

import json
import logging
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

from rowen.model.errors import DocumentError, RowenError, UsageError
from rowen.model.extras import needs
from rowen.model.page import Page
from rowen.sources.base import CrawlNote, Source, page_or_error
from rowen.sources.http import MediaType
from rowen.sources.warc import is_page, note_of_status

with needs("scrapy", "a crawl"):
    from itemadapter import ItemAdapter
    from scrapy import signals
    from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from rowen.recycling.report import Report

__all__ = ["RunAfterCrawl", "RunAfterItems"]

_log = logging.getLogger(__name__)


class RunAfterCrawl:
    """Runs extractors over the pages of a crawl when the spider has ended.

    Its settings: `ROWEN_STORE` (without it the extension is off), `ROWEN_EXTRACTORS` (names as for
    `rowen run`), `ROWEN_UPDATE` (True: the crawl may be a part of the corpus). The counts of the
    report are in the crawl's statistics under `rowen/`.
    """

    def __init__(self, crawler: "Crawler") -> None:
        from rowen.extractors.plugin import find_extractors

        store = crawler.settings.get("ROWEN_STORE")
        if not store:
            raise NotConfigured
        names = crawler.settings.getlist("ROWEN_EXTRACTORS")
        if not names:
            raise UsageError("ROWEN_EXTRACTORS names no extractor: give those of `rowen run`")
        # Now, so that a wrong name ends the crawl before its first request.
        self._extractors = [extractor for name in names for extractor in find_extractors(name)]
        self._store = str(store)
        self._update = crawler.settings.getbool("ROWEN_UPDATE", True)  # noqa: FBT003  # Scrapy's signature
        self._stats = crawler.stats
        self._crawled = _Crawled(f"the crawl of {getattr(crawler.spidercls, 'name', 'a spider')}")

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> Self:
        """Connect it to a crawler: Scrapy calls this."""
        extension = cls(crawler)
        crawler.signals.connect(extension.received, signal=signals.response_received)
        crawler.signals.connect(extension.ended, signal=signals.spider_closed)
        return extension

    def received(self, response: "Response") -> None:
        """Keep what the downloader gives to the spider, after redirects and retries."""
        media = MediaType.of(_header(response, "Content-Type"))
        self._crawled.add(response.url, response.status, media, response.body)

    def ended(self, reason: str) -> None:
        """Run the extractors over the pages, and note the counts in the crawl's statistics."""
        from rowen.store import Store

        try:
            if reason != "finished" and not self._update:
                raise UsageError(
                    f"the crawl ended early ({reason}), so it is not the whole corpus: nothing "
                    "was stored. With ROWEN_UPDATE = True such a crawl updates the store"
                )
            report = Store(self._store).run(self._extractors, self._crawled, update=self._update)
        except RowenError as error:
            # A failed run must not look like a failure of the spider, whose items are safe.
            _log.error("rowen: %s", error)
            self._count("error", str(error))
            return
        finally:
            self._crawled.close()
        for problem in report.problems():
            _log.warning("rowen: %s", problem)
        _log.info("rowen: snapshot %d in %s", report.snapshot, self._store)
        self._note(report)

    def _note(self, report: "Report") -> None:
        self._count("snapshot", report.snapshot)
        for kind, number in report.pages.items():
            self._count(f"pages/{kind}", number)
        self._count("failed", report.failed)
        for name, tally in report.to_dict()["tallies"].items():
            self._count(f"records/{name}", tally["records"])

    def _count(self, name: str, value: Any) -> None:
        if self._stats is not None:
            self._stats.set_value(f"rowen/{name}", value)


class RunAfterItems(RunAfterCrawl):
    """An item pipeline: the pages are the texts of items, for spiders that make texts themselves.

    It has the settings of `RunAfterCrawl`, and `ROWEN_ITEM_ID` (`url`) and `ROWEN_ITEM_TEXT`
    (`text`), the fields of a page's id and its text. Items go on as they are; those without both
    fields are no pages.
    """

    def __init__(self, crawler: "Crawler") -> None:
        super().__init__(crawler)
        self._id = str(crawler.settings.get("ROWEN_ITEM_ID", "url"))
        self._text = str(crawler.settings.get("ROWEN_ITEM_TEXT", "text"))

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> Self:
        """Connect it to a crawler: Scrapy calls this."""
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.ended, signal=signals.spider_closed)
        return pipeline

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002  # older Scrapy gives it
        """Keep the text of an item."""
        fields = ItemAdapter(item)
        page, text = fields.get(self._id), fields.get(self._text)
        if isinstance(page, str) and isinstance(text, str | bytes):
            body = text.encode("utf-8", "replace") if isinstance(text, str) else text
            charset = "utf-8" if isinstance(text, str) else None
            self._crawled.add(page, 200, MediaType("text/html", charset), body)
        return item


class _Crawled(Source):
    """The pages that a crawl received, in a temporary file; of several answers the last counts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # open until the crawl has ended
        self._places: dict[str, int] = {}

    def add(self, url: str, status: int, media: MediaType, body: bytes) -> None:
        """Write an answer to the file, unless it says nothing about a page."""
        note = note_of_status(url, status)
        if note is None and not (200 <= status < 300 and is_page(media)):
            return
        self._places[url] = self._file.seek(0, 2)
        size = 0 if note is not None else len(body)
        head = {"url": url, "status": status, "charset": media.charset, "size": size}
        self._file.write(json.dumps(head).encode() + b"\n")
        self._file.write(body[:size])

    def close(self) -> None:
        """Remove the file."""
        self._file.close()

    @property
    def count_hint(self) -> int | None:
        """How many answers there are."""
        return len(self._places)

    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """The pages and notes, in the order in which they were received."""
        for place in sorted(self._places.values()):
            self._file.seek(place)
            head = json.loads(self._file.readline())
            note = note_of_status(head["url"], head["status"])
            if note is not None:
                yield note
                continue
            body = self._file.read(head["size"])
            yield page_or_error(body, head["url"], http_charset=head["charset"])


def _header(response: "Response", name: str) -> str:
    value = response.headers.get(name)
    return value.decode("latin-1") if isinstance(value, bytes) else ""
