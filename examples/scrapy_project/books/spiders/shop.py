"""A spider for one shop: scrapy crawl shop -a start=https://example.org/books -O books.jsonl."""

from typing import Any

from rowen.scrapy import WrapperSpider


class Shop(WrapperSpider):
    """The books of a shop, on pages that lead from one to the next."""

    name = "shop"
    follow = ("a.next",)

    def __init__(self, *arguments: Any, start: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.start_urls = [start]
