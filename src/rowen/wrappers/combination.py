"""A combination of wrappers for pages of one record each: some fields by each of them.

The price of a product may be in its JSON-LD and its delivery time only in the markup. Then a
wrapper of data reads the one, and landmarks the other; the record has both.
"""

from collections.abc import Iterator
from typing import Self

from rowen.extractors.definition import Definition
from rowen.model import Page
from rowen.records import Record
from rowen.records.reading import Spans
from rowen.wrappers.base import Failure
from rowen.wrappers.composite import CompositeWrapper, read_wrappers


class Combination(CompositeWrapper):
    """Wrappers that read different fields of the only record of a page.

    A wrapper that fails leaves its fields missing. Where all fail, so does the combination.
    """

    wrapper_class = "combined"

    def _run(self, page: Page) -> Iterator[Record]:
        """One record with the fields of all."""
        spans: dict[str, Spans] = dict.fromkeys(self.fields)
        failures = []
        for wrapper in self.wrappers:
            records = wrapper.extract(page)
            if records.failure is not None and not records:
                failures.append(records.failure)
            for record in records[:1]:
                spans.update(
                    (name, where) for name, where in record.stored() if name in wrapper.fields
                )
        if len(failures) == len(self.wrappers):
            raise Failure("; ".join(failures))
        return iter([Record.trusted(page, spans)])

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved combination."""
        definition.expect("class", "fields", "learned_from", "wrappers")
        wrappers = read_wrappers(definition)
        common = cls._common(definition)
        names = [name for wrapper in wrappers for name in wrapper.fields]
        if sorted(names) != sorted(common["fields"]):
            raise definition.error("'wrappers' must be wrappers that share out the fields")
        return cls(wrappers=wrappers, **common)

    def describe(self) -> str:
        """Each wrapper in turn."""
        lines = ["The page is one record."]
        for wrapper in self.wrappers:
            lines += (line for line in wrapper.describe().splitlines() if line != lines[0])
        return "\n".join(lines)
