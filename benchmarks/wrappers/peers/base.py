"""What a peer has to do."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from benchmarks.wrappers.sites import Marked
from benchmarks.wrappers.texts import Record, cleaned, columns_of, record_of
from rowen import Page


class Peer(Protocol):
    """A tool that was shown marked pages; `several` says that pages have many records."""

    def __init__(self, marked: Sequence[Marked], *, several: bool) -> None: ...

    def extract(self, page: Page) -> list[Record]:
        """The texts that it finds on a page, record by record where it can tell records."""


def wanted(marked: Marked, form: Callable[[str], str] = cleaned) -> Record:
    """All texts of each field of a marked page, each once."""
    page, label = marked
    columns = columns_of(record_of(page, record, form) for record in label)
    return {name: list(dict.fromkeys(texts)) for name, texts in columns.items()}


def records_of(columns: Record, *, several: bool) -> list[Record]:
    """Columns as records: the page is one, or rows are where all columns are equally long.

    Where they are not nothing tells which values belong together: all make one record.
    """
    columns = {name: texts for name, texts in columns.items() if texts}
    lengths = {len(texts) for texts in columns.values()}
    if several and len(lengths) == 1:
        return list(_rows(columns, lengths.pop()))
    return [columns] if columns else []


def _rows(columns: Record, count: int) -> Iterator[Record]:
    for place in range(count):
        yield {name: [texts[place]] for name, texts in columns.items()}
