"""A mixture of wrappers for a site with several templates: the best-fitting one reads each page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.saved import from_dict
from rowen.model import Page
from rowen.records import Record, Records
from rowen.records.schema import Schema
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.field_order import FieldOrder


class Mixture(Wrapper):
    """Wrappers for groups of examples that no single wrapper fits.

    Wrappers that fail on a page are out. Of the others the one with the most complete records reads
    it; of equals the one that was learned from more pages, and then the one with the fewest
    incomplete records. Where all fail, none fits the page.
    """

    wrapper_class = "several"  # the name in saved files since version 0.1

    def __init__(
        self, fields: Sequence[str], *, wrappers: Sequence[Wrapper], **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.wrappers = tuple(wrappers)

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

    def derive_schema(self) -> Schema:
        """What any of the wrappers says about the fields."""
        schema = Schema()
        for wrapper in self.wrappers:
            schema = schema.merged(wrapper.schema)
        return schema

    def order_fields(self, order: FieldOrder) -> None:
        """The order of all wrappers."""
        super().order_fields(order)
        for wrapper in self.wrappers:
            wrapper.order_fields(order)

    def _run(self, page: Page) -> Iterator[Record]:
        """The records by the wrapper that fits best."""
        wrapper, records = self.route(page)
        if wrapper is None:
            raise Failure("no wrapper fits this page")
        return iter(records)

    def _delimiters(self) -> dict[str, Any]:
        """The wrappers."""
        return {"wrappers": [wrapper.to_definition().to_dict() for wrapper in self.wrappers]}

    def fingerprint(self) -> dict[str, Any]:
        """The versions of the wrappers, which change when the meaning of their classes does."""
        versions = [wrapper.derived_version for wrapper in self.wrappers]
        return {**super().fingerprint(), "wrappers": versions}

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved mixture."""
        saved = definition.get("wrappers", list)
        if not saved or not all(isinstance(settings, Mapping) for settings in saved):
            raise definition.error("'wrappers' must be a list of wrappers")
        extractors = [from_dict(settings) for settings in saved]
        wrappers = [wrapper for wrapper in extractors if isinstance(wrapper, Wrapper)]
        if len(wrappers) < len(extractors):
            raise definition.error("'wrappers' must be a list of wrappers")
        return cls(wrappers=wrappers, **cls._common(definition))

    def describe(self) -> str:
        """Each wrapper in step."""
        parts = [f"{len(self.wrappers)} templates; each page goes to the one that fits best."]
        for number, wrapper in enumerate(self.wrappers, 1):
            parts.append(f"Template {number} ({wrapper.wrapper_class}):\n{wrapper.describe()}")
        return "\n".join(parts)


def _is_complete(record: Record) -> bool:
    return all(spans for _, spans in record.items())
