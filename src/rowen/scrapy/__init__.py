"""Rowen in Scrapy projects: `pip install 'rowen[scrapy]'`.

`RunAfterCrawl` and `RunAfterItems` end each crawl with a run. `WrapperSpider` is a spider whose
items are a wrapper's records, and `WrapperPipeline` adds them to items that have a page's text;
both watch whether the wrapper still fits, and mark or stop a crawl if it does not.
"""

from rowen.scrapy.alarm import DriftAlarm
from rowen.scrapy.crawl import RunAfterCrawl, RunAfterItems
from rowen.scrapy.wrapped import WrapperPipeline, WrapperSpider

__all__ = ["DriftAlarm", "RunAfterCrawl", "RunAfterItems", "WrapperPipeline", "WrapperSpider"]
