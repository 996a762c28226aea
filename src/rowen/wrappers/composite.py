"""What mixtures and combinations share: wrappers that are put together."""

from collections.abc import Mapping, Sequence
from typing import Any

from rowen.extractors.definition import Definition
from rowen.extractors.saved import from_dict
from rowen.records.field_order import FieldOrder
from rowen.records.schema import Schema
from rowen.wrappers.base import Wrapper


class CompositeWrapper(Wrapper):
    """A wrapper that consists of others."""

    def __init__(
        self, fields: Sequence[str], *, wrappers: Sequence[Wrapper], **identity: Any
    ) -> None:
        super().__init__(fields, **identity)
        self.wrappers = tuple(wrappers)

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

    def _delimiters(self) -> dict[str, Any]:
        """The wrappers."""
        return {"wrappers": [wrapper.to_definition().to_dict() for wrapper in self.wrappers]}

    def fingerprint(self) -> dict[str, Any]:
        """The versions of the wrappers, which change when the meaning of their classes does."""
        versions = [wrapper.derived_version for wrapper in self.wrappers]
        return {**super().fingerprint(), "wrappers": versions}


def read_wrappers(definition: Definition) -> list[Wrapper]:
    """The wrappers of a saved one."""
    saved = definition.get("wrappers", list)
    if not saved or not all(isinstance(settings, Mapping) for settings in saved):
        raise definition.error("'wrappers' must be a list of wrappers")
    extractors = [from_dict(settings) for settings in saved]
    wrappers = [wrapper for wrapper in extractors if isinstance(wrapper, Wrapper)]
    if len(wrappers) < len(extractors):
        raise definition.error("'wrappers' must be a list of wrappers")
    return wrappers
