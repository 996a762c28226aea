"""A mixture of wrappers for a site with several templates: the best-fitting one reads each page."""

from collections.abc import Iterator
from typing import Self

from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records import Record, Records
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.composite import CompositeWrapper, read_wrappers


class Mixture(CompositeWrapper):
    """Wrappers for groups of examples that no single wrapper fits.

    Wrappers that fail on a page are out. Of the others the one with the most complete records reads
    it; of equals the one that was learned from more pages, and then the one with the fewest
    incomplete records. Where all fail, none fits the page.
    """

    wrapper_class = "several"  # the name in saved files since version 0.1

    def route(self, page: Page) -> tuple[Wrapper | None, Records]:
        """The wrapper that fits a page best, with its records; None where all fail."""
        best: tuple[tuple[int, int, int], Wrapper, Records] | None = None
        for wrapper in self.wrappers:
            records = wrapper.extract(page)
            if records.failure is not None:
                continue
            complete = sum(_is_complete(record) for record in records)
            learned = wrapper.evidence.pages if wrapper.evidence is not None else 0
            incomplete = len(records) - complete
            # Beside complete records, incomplete ones look like text of another template. On their
            # own they are all that the page has, and more are better.
            fit = (complete, learned, -incomplete if complete else incomplete)
            if best is None or fit > best[0]:
                best = (fit, wrapper, records)
        return (None, Records()) if best is None else best[1:]

    def _run(self, page: Page) -> Iterator[Record]:
        """The records by the wrapper that fits best."""
        wrapper, records = self.route(page)
        if wrapper is None:
            raise Failure("no wrapper fits this page")
        return iter(records)

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved mixture."""
        return cls(wrappers=read_wrappers(definition), **cls._common(definition))

    def describe(self) -> str:
        """Each wrapper in step."""
        parts = [f"{len(self.wrappers)} templates; each page goes to the one that fits best."]
        for number, wrapper in enumerate(self.wrappers, 1):
            parts.append(f"Template {number} ({wrapper.wrapper_class}):\n{wrapper.describe()}")
        return "\n".join(parts)


def _is_complete(record: Record) -> bool:
    return all(spans for _, spans in record.items())
