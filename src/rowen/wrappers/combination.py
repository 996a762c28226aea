"""A combination of wrappers for pages of one record each: some fields by each of them.

The price of a product may be in its JSON-LD and its delivery time only in the markup. Then a
wrapper of data reads the one, and landmarks the other; the record has both.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.saved import from_dict
from rowen.model import Page
from rowen.records import Record
from rowen.records.reading import Spans
from rowen.records.schema import Schema
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.field_order import FieldOrder


class Combination(Wrapper):
    """Wrappers that read different fields of the only record of a page.

    A wrapper that fails leaves its fields missing. Where all fail, so does the combination.
    """

    wrapper_class = "combined"

    def __init__(
        self, fields: Sequence[str], *, wrappers: Sequence[Wrapper], **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.wrappers = tuple(wrappers)

    def derive_schema(self) -> Schema:
        """What each of the wrappers says about its fields."""
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

    def _delimiters(self) -> dict[str, Any]:
        """The wrappers."""
        return {"wrappers": [wrapper.to_definition().to_dict() for wrapper in self.wrappers]}

    def fingerprint(self) -> dict[str, Any]:
        """The versions of the wrappers, which change when the meaning of their classes does."""
        versions = [wrapper.derived_version for wrapper in self.wrappers]
        return {**super().fingerprint(), "wrappers": versions}

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved combination."""
        definition.expect("class", "fields", "learned_from", "wrappers")
        saved = definition.get("wrappers", list)
        if not saved or not all(isinstance(settings, Mapping) for settings in saved):
            raise definition.error("'wrappers' must be a list of wrappers")
        extractors = [from_dict(settings) for settings in saved]
        wrappers = [wrapper for wrapper in extractors if isinstance(wrapper, Wrapper)]
        common = cls._common(definition)
        names = [name for wrapper in wrappers for name in wrapper.fields]
        if len(wrappers) < len(extractors) or sorted(names) != sorted(common["fields"]):
            raise definition.error("'wrappers' must be wrappers that share out the fields")
        return cls(wrappers=wrappers, **common)

    def describe(self) -> str:
        """Each wrapper in turn."""
        lines = ["The page is one record."]
        for wrapper in self.wrappers:
            lines += (line for line in wrapper.describe().splitlines() if line != lines[0])
        return "\n".join(lines)
