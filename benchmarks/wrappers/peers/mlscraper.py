"""mlscraper: a search for CSS selectors that give the sample's dictionaries."""

from collections.abc import Sequence
from typing import Any

from benchmarks.optional import optional
from benchmarks.wrappers.sites import Marked
from benchmarks.wrappers.texts import Record, cleaned, parsed, record_of
from rowen import Page


class MlScraper:
    """Trained on all marked pages; fields that are missing are left out of their record."""

    def __init__(self, marked: Sequence[Marked], *, several: bool) -> None:
        samples = optional("mlscraper.samples")
        training = samples.TrainingSet()
        for page, label in marked:
            records = [_sample(record_of(page, record, parsed)) for record in label]
            value = records if several else records[0]
            training.add_sample(samples.Sample(_page(page), value))
        self.several = several
        self.scraper = optional("mlscraper.training").train_scraper(training)

    def extract(self, page: Page) -> list[Record]:
        """Its dictionaries."""
        found = self.scraper.get(_page(page))
        return [
            {name: [cleaned(text) for text in _listed(texts)] for name, texts in one.items()}
            for one in (found if self.several else [found])
        ]


def _page(page: Page) -> Any:
    return optional("mlscraper.html").Page(page.text.encode())


def _sample(record: Record) -> dict[str, str | list[str]]:
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in record.items()}


def _listed(texts: str | list[str] | None) -> list[str]:
    return [] if texts is None else [texts] if isinstance(texts, str) else texts
