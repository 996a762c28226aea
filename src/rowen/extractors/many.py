"""Several extractors over many pages; a page that fails does not stop the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from rowen.extractors.base import Extractor
from rowen.model import Page
from rowen.model.errors import InputError
from rowen.records import Records

_BATCH_PAGES = 64
_BATCH_CHARACTERS = 250_000


Results: TypeAlias = list[tuple[Extractor, Records]]
"""What each extractor gives for a page."""


def extract_many(
    extractors: Sequence[Extractor],
    pages: Iterable[Page],
    *,
    on_error: Callable[[InputError], None],
) -> Iterator[tuple[Page, Results]]:
    """Each page with the records of each extractor; `on_error` is called for pages that fail."""
    for batch in batches(pages):
        for page, results in [(page, try_page(extractors, page)) for page in batch]:
            if isinstance(results, InputError):
                on_error(results)
            else:
                yield page, results


def try_page(extractors: Sequence[Extractor], page: Page) -> Results | InputError:
    """What each extractor gives for a page, or the error of the first one that fails."""
    try:
        return [(extractor, extractor.extract(page)) for extractor in extractors]
    except InputError as error:
        return error


def batches(pages: Iterable[Page]) -> Iterator[list[Page]]:
    """Pages in batches: with small pages a command was a fifth faster than page by page."""
    batch: list[Page] = []
    size = 0
    for page in pages:
        batch.append(page)
        size += len(page.text)
        if len(batch) == _BATCH_PAGES or size > _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
