"""Whether a wrapper still fits the pages of a crawl, while it goes on."""

import logging
from collections import deque
from typing import TYPE_CHECKING, Any

from rowen.maintenance.drift import check_records
from rowen.model import Page, UsageError
from rowen.records import Records

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from rowen.wrappers.base import Wrapper

DRIFT_PAGES = 20
"""The last so many pages are compared with what the wrapper used to find."""

DRIFT_ENOUGH = 3
"""At the end of a crawl, fewer pages say nothing of a site."""

ACTIONS = ("mark", "stop", "ignore")
REASON = "rowen_drift"
"""Why a crawl was stopped, as Scrapy reports it."""

_log = logging.getLogger(__name__)


class DriftAlarm:
    """Looks at the records of a crawl's last pages, and acts when the wrapper no longer fits.

    Its settings: `ROWEN_ON_DRIFT` is `mark` (the crawl's statistics and its log say it), `stop`
    (the crawl also ends, with the reason `rowen_drift`) or `ignore`. `ROWEN_DRIFT_PAGES` (20) is
    the number of pages that are compared.
    """

    def __init__(self, crawler: "Crawler", wrapper: "Wrapper") -> None:
        self.action = str(crawler.settings.get("ROWEN_ON_DRIFT", "mark"))
        if self.action not in ACTIONS:
            raise UsageError(f"ROWEN_ON_DRIFT is one of {', '.join(ACTIONS)}, not {self.action!r}")
        pages = crawler.settings.getint("ROWEN_DRIFT_PAGES", DRIFT_PAGES)
        if pages < 1:
            raise UsageError("ROWEN_DRIFT_PAGES is a number from 1")
        self.drifted = False
        self._crawler = crawler
        self._wrapper = wrapper
        self._window: deque[tuple[Page, Records]] = deque(maxlen=pages)
        self._new = 0

    def add(self, page: Page, records: Records) -> None:
        """Note a page; after each window of pages these are compared."""
        self._count("pages", 1)
        self._count("records", len(records))
        self._window.append((page, records))
        self._new += 1
        if self._new == self._window.maxlen:
            self._compare()

    def end(self) -> None:
        """Compare the last pages of a crawl."""
        if self._new and len(self._window) >= min(DRIFT_ENOUGH, self._window.maxlen or 1):
            self._compare()

    def _compare(self) -> None:
        self._new = 0
        if self.drifted or self.action == "ignore":
            return
        report = check_records(self._wrapper.profile, self._wrapper.warnings, self._window)
        if not report.drifted:
            return
        self.drifted = True
        findings = [str(f) for f in report.findings if f.severity == "drift"] or [
            f"{page.page}: {finding}"
            for page in report.pages
            for finding in page.findings
            if finding.severity == "drift"
        ]
        self._set("drift", findings)
        _log.error("rowen: %s no longer fits: %s", self._wrapper.name, "; ".join(findings[:5]))
        engine = self._crawler.engine
        if self.action == "stop" and engine is not None and self._crawler.spider is not None:
            from scrapy.utils.defer import deferred_from_coro

            # Not CloseSpider: Scrapy knows that exception in spiders only, and not in pipelines.
            deferred_from_coro(engine.close_spider_async(reason=REASON))

    def _count(self, name: str, number: int) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"rowen/{name}", number)

    def _set(self, name: str, value: Any) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.set_value(f"rowen/{name}", value)
