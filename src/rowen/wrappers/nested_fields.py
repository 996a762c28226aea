"""Nested fields: a wrapper for records, and one more for each field that holds records itself.

    {"title": "Tea", "reviews": [{"author": "Ann", "stars": "4"}, {"author": "Bob", "stars": "2"}]}

    parent    a wrapper of any class for the title
    reviews   a wrapper of any class for author and stars: the reviews of the whole page as a list
    belongs   which review belongs to which title (`ownership`)

The wrapper of a nested field may have nested fields itself, so that records nest to any depth. One
that finds nothing on a page gives an empty list: that is no failure of the page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rowen.extractors.definition import Definition
from rowen.extractors.saved import from_dict
from rowen.model import Page
from rowen.records import Record, Records
from rowen.records.field_order import FieldOrder, in_order
from rowen.records.nested import Nested
from rowen.records.reading import Spans
from rowen.records.schema import TEXT, Field, Schema
from rowen.wrappers.base import Failure, Wrapper
from rowen.wrappers.ownership import OWNERSHIPS, WORDS, Ownership, regions_of, share_out

DEPTH = 32
"""Limit: how deep saved wrappers may nest, as labels."""


@dataclass(frozen=True, slots=True)
class Part:
    """A nested field: the wrapper of its records, and to which parent they belong."""

    wrapper: Wrapper
    belongs: Ownership


class NestedFields(Wrapper):
    """Records with fields that hold records; see the module."""

    wrapper_class = "nested"

    def __init__(
        self,
        fields: Sequence[str],
        *,
        parent: Wrapper | None,
        parts: Mapping[str, Part],
        **identity: Any,
    ) -> None:
        super().__init__(fields, **identity)
        self.parent = parent
        """The wrapper of the records' own values; None where the page is one record with none."""
        self.parts = dict(parts)

    def derive_schema(self) -> Schema:
        """What the parent says about its fields, and each part about the records in it."""
        own = Schema() if self.parent is None else self.parent.schema
        return own.merged(
            Schema(
                {
                    name: Field(fields=whole_schema(part.wrapper))
                    for name, part in self.parts.items()
                }
            )
        )

    def regions(self, page: Page) -> list[tuple[int, int]] | None:
        """The stretches of a page in which its records are; None where it knows none."""
        return regions_of(self.parent, page)

    def order_fields(self, order: FieldOrder) -> None:
        """Order the fields of all levels."""
        super().order_fields(order)
        if self.parent is not None:
            self.parent.order_fields(order)
        self.parts = {name: self.parts[name] for name in self.fields if name in self.parts}
        for name, part in self.parts.items():
            part.wrapper.order_fields(order.get(name, {}))

    def _run(self, page: Page) -> Iterator[Record]:
        """The records, each with those in it."""
        parents = Records([Record.trusted(page, {})]) if self.parent is None else None
        if self.parent is not None:
            parents = self.parent.extract(page)
        assert parents is not None
        failure = parents.failure
        shares: dict[str, list[list[Record]]] = {}
        for name, part in self.parts.items():
            nested = part.wrapper.extract(page) if parents else Records()
            # Nothing that looks like a record is an empty list; a list that breaks off is a
            # failure.
            if nested.failure is not None and nested:
                failure = failure or f"{name}: {nested.failure}"
            regions = self.regions(page) if part.belongs == "inside" and nested else None
            shares[name] = share_out(parents, nested, part.belongs, regions)
        for number, parent in enumerate(parents):
            spans: dict[str, Spans] = dict(parent.stored())
            for name, of_parents in shares.items():
                spans[name] = Nested(of_parents[number])
            ordered = {name: spans[name] for name in in_order(spans, dict.fromkeys(self.fields))}
            yield Record.trusted(page, ordered, parent.children)
        if failure is not None:
            raise Failure(failure)

    def _delimiters(self) -> dict[str, Any]:
        """The parent's wrapper and those of the parts."""
        return {
            "parent": None if self.parent is None else self.parent.to_definition().to_dict(),
            "nested": {
                name: {
                    "belongs": part.belongs,
                    "wrapper": part.wrapper.to_definition().to_dict(),
                }
                for name, part in self.parts.items()
            },
        }

    def fingerprint(self) -> dict[str, Any]:
        """The versions of the wrappers, which change when the meaning of their classes does."""
        return {
            **super().fingerprint(),
            "parent": None if self.parent is None else self.parent.derived_version,
            "nested": {
                name: [part.belongs, part.wrapper.derived_version]
                for name, part in self.parts.items()
            },
        }

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper with nested fields."""
        definition.expect("class", "fields", "learned_from", "parent", "nested")
        saved = definition.get("nested", Mapping)
        if not saved:
            raise definition.error("'nested' must have a wrapper for each nested field")
        if _depth(definition.settings) > DEPTH:
            raise definition.error(f"nested deeper than {DEPTH}")
        parent = definition.settings.get("parent")
        return cls(
            parent=None if parent is None else _wrapper(parent, definition),
            parts={name: _part(part, definition) for name, part in saved.items()},
            **cls._common(definition),
        )

    def describe(self) -> str:
        """The parent's rules, then those of each nested field."""
        lines = ["The page is one record."]
        if self.parent is not None:
            lines = [self.parent.describe()]
        for name, part in self.parts.items():
            lines.append(f"{name} holds records; {WORDS[part.belongs]}:")
            lines += [f"  {line}" for line in part.wrapper.describe().splitlines()]
        return "\n".join(lines)


def whole_schema(wrapper: Wrapper) -> Schema:
    """A wrapper's schema with each of its fields: the columns of nested tables are made from it."""
    return Schema(dict.fromkeys(wrapper.fields, TEXT)).merged(wrapper.schema)


def _part(saved: object, definition: Definition) -> Part:
    if not isinstance(saved, Mapping) or saved.get("belongs") not in OWNERSHIPS:
        raise definition.error(
            f"a nested field needs a 'wrapper', and what it 'belongs' to: {', '.join(OWNERSHIPS)}"
        )
    return Part(_wrapper(saved.get("wrapper"), definition), saved["belongs"])


def _wrapper(saved: object, definition: Definition) -> Wrapper:
    wrapper = from_dict(saved) if isinstance(saved, Mapping) else None
    if not isinstance(wrapper, Wrapper):
        raise definition.error("'parent' and 'nested' must be wrappers")
    return wrapper


def _depth(settings: object) -> int:
    """How deep a saved wrapper nests; counted level by level, since files come from outside."""
    depth = 0
    level = [settings]
    while level and depth <= DEPTH:
        depth += 1
        wrappers = [wrapper for wrapper in level if isinstance(wrapper, Mapping)]
        parts = [wrapper.get("nested") for wrapper in wrappers]
        level = [wrapper["parent"] for wrapper in wrappers if wrapper.get("parent")]
        level += [
            part.get("wrapper")
            for of_wrapper in parts
            if isinstance(of_wrapper, Mapping)
            for part in of_wrapper.values()
            if isinstance(part, Mapping)
        ]
    return depth
