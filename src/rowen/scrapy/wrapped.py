"""A spider and an item pipeline that extract with a wrapper.

# settings.py                                     # or a spider
ITEM_PIPELINES = {                                class Books(rowen.scrapy.WrapperSpider):
    "rowen.scrapy.WrapperPipeline": 300,              name = "books"
}                                                     wrapper = "books.json"
ROWEN_WRAPPER = "books.json"                          start_urls = ["https://example.org/"]
ROWEN_ON_DRIFT = "stop"                               follow = ("a.next",)
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rowen.extractors.saved import load
from rowen.model import ExtractorError, Page, UsageError
from rowen.model.extras import needs
from rowen.records import Record
from rowen.scrapy.alarm import DriftAlarm
from rowen.values.conversion import to_json
from rowen.wrappers.base import Wrapper

with needs("scrapy", "a crawl"):
    from itemadapter import ItemAdapter
    from scrapy import Spider, signals
    from scrapy.http import TextResponse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class WrapperSpider(Spider):
    """A spider whose items are the records of a wrapper.

    Subclasses have a `name`, `start_urls`, `wrapper` (the file of a wrapper; otherwise the setting
    `ROWEN_WRAPPER`) and `follow` (CSS selectors of links to further pages with records). An item
    has the values of a record, and the address of its page as `page`. Override `item` to change
    it. The settings of `DriftAlarm` hold.
    """

    wrapper: str | None = None
    follow: ClassVar[Sequence[str]] = ()

    @classmethod
    def from_crawler(cls, crawler: "Crawler", *arguments: Any, **named: Any) -> Self:
        """Make the spider and open its wrapper: Scrapy calls this."""
        spider = super().from_crawler(crawler, *arguments, **named)
        spider.opened = open_wrapper(spider.wrapper or crawler.settings.get("ROWEN_WRAPPER"))
        spider.alarm = DriftAlarm(crawler, spider.opened)
        crawler.signals.connect(spider.alarm.end, signal=signals.spider_idle)
        return spider

    opened: Wrapper
    """The wrapper."""
    alarm: DriftAlarm

    def parse(self, response: "Response", **_named: Any) -> Iterator[Any]:
        """The items of a page, then requests for the pages that it leads to."""
        if not isinstance(response, TextResponse):
            return
        page = Page(response.text, id=response.url)
        records = self.opened.extract(page)
        self.alarm.add(page, records)
        for record in records:
            yield self.item(record)
        for selector in self.follow:
            yield from response.follow_all(css=selector)

    def item(self, record: Record) -> Any:
        """An item of a record."""
        return {**values_of(record), "page": record.page.id}


class WrapperPipeline:
    """An item pipeline that adds the records of a wrapper to items that have a page's text.

    Its settings: `ROWEN_WRAPPER` (the file of a wrapper), `ROWEN_ITEM_ID` (`url`) and
    `ROWEN_ITEM_TEXT` (`text`), the fields of a page's id and text, `ROWEN_ITEM_RECORDS`
    (`records`), the field that is set, and those of `DriftAlarm`. Other items go on as they are.
    """

    def __init__(self, crawler: "Crawler") -> None:
        settings = crawler.settings
        self._wrapper = open_wrapper(settings.get("ROWEN_WRAPPER"))
        self._id = str(settings.get("ROWEN_ITEM_ID", "url"))
        self._text = str(settings.get("ROWEN_ITEM_TEXT", "text"))
        self._records = str(settings.get("ROWEN_ITEM_RECORDS", "records"))
        self.alarm = DriftAlarm(crawler, self._wrapper)

    @classmethod
    def from_crawler(cls, crawler: "Crawler") -> Self:
        """Connect it to a crawler: Scrapy calls this."""
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.alarm.end, signal=signals.spider_idle)
        return pipeline

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002  # older Scrapy gives it
        """Add the records of an item's page."""
        fields = ItemAdapter(item)
        name, text = fields.get(self._id), fields.get(self._text)
        if isinstance(name, str) and isinstance(text, str):
            page = Page(text, id=name)
            records = self._wrapper.extract(page)
            self.alarm.add(page, records)
            fields[self._records] = [values_of(record) for record in records]
        return item


def open_wrapper(path: object) -> Wrapper:
    """The wrapper in a file."""
    if not isinstance(path, str) or not path:
        raise UsageError("no wrapper is named: set ROWEN_WRAPPER, or `wrapper` of the spider")
    wrapper = load(path)
    if not isinstance(wrapper, Wrapper):
        raise ExtractorError(f"{path}: {wrapper.name!r} is not a learned wrapper")
    return wrapper


def values_of(record: Record) -> dict[str, Any]:
    """The values of a record as JSON has them."""
    values = {name: to_json(value) for name, value in record.values.items()}
    if record.children:
        values["children"] = [values_of(child) for child in record.children]
    return values
