"""Several sources as one."""

from collections.abc import Iterator, Sequence

from rowen.model.errors import DocumentError
from rowen.model.page import Page
from rowen.sources.base import CrawlNote, Source, Stamps


class Chain(Source):
    """The pages of each source in turn; ids are not made unique across them."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = tuple(sources)
        self.name = ", ".join(source.name for source in self.sources)

    @property
    def count_hint(self) -> int | None:
        """The sum, if every source has a count."""
        total = 0
        for source in self.sources:
            count = source.count_hint
            if count is None:
                return None
            total += count
        return total

    def comparing(self, stamps: Stamps) -> "Chain":
        """The same sources, each with these stamps."""
        return Chain([source.comparing(stamps) for source in self.sources])

    def found(self) -> Iterator[Page | DocumentError | CrawlNote]:
        """The pages of the first source, then those of the next."""
        for source in self.sources:
            yield from source.found()
