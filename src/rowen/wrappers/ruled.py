"""What classes with rules share: token, region and data.

A record is found first, by its tag, its region or its path. Then each field is looked for inside
it, by rules of its own. A field that had several values in an example is a list; those that every
example has are required.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from rowen.extractors.definition import Definition
from rowen.model import Page, Span
from rowen.records import Record
from rowen.records.field_order import FieldOrder
from rowen.records.reading import Spans
from rowen.records.schema import Field, Schema
from rowen.wrappers.base import Wrapper

Rules = TypeVar("Rules")
"""What a class has for each field."""
Place = TypeVar("Place")
"""How a class says where records are."""


class Rule(Protocol):
    """One way to find a field; its text is that way in words."""

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""


OneRule = TypeVar("OneRule", bound=Rule)


class RuledWrapper(Wrapper, Generic[Rules, Place]):
    """A wrapper with rules for each field."""

    def __init__(
        self,
        fields: Sequence[str],
        *,
        record: Place,
        rules: Mapping[str, Rules],
        several: Iterable[str] = (),
        required: Iterable[str] = (),
        **identity: Any,
    ) -> None:
        super().__init__(fields, **identity)
        self.record = record
        self.rules: dict[str, Rules] = dict(rules)
        self.several = frozenset(several)
        self.required = frozenset(required)

    @abstractmethod
    def _save_record(self) -> dict[str, Any] | None:
        """Where records are, as it is saved."""

    @abstractmethod
    def _save_rules(self, rules: Rules) -> Any:
        """The rules of a field, as they are saved."""

    @classmethod
    @abstractmethod
    def _read_record(cls, definition: Definition) -> Place:
        """Where records are, from a file."""

    @classmethod
    @abstractmethod
    def _read_rules(cls, saved: object, definition: Definition, record: Place) -> Rules:
        """The rules of a field, from a file."""

    @abstractmethod
    def _describe_record(self) -> str:
        """What a record is, in a sentence."""

    @abstractmethod
    def _describe_rules(self, field: str) -> Iterable[str]:
        """Each way to find a field, in words; none where it has no rule."""

    def order_fields(self, order: FieldOrder) -> None:
        """Order the fields and their rules."""
        super().order_fields(order)
        self.rules = {field: self.rules[field] for field in self.fields if field in self.rules}

    def derive_schema(self) -> Schema:
        """Fields that had several values in an example are lists."""
        return Schema({field: Field(many=True) for field in self.fields if field in self.several})

    def _delimiters(self) -> dict[str, Any]:
        """Where records are, and the rules."""
        return {
            "record": self._save_record(),
            "rules": {field: self._save_rules(rules) for field, rules in self.rules.items()},
            "several": sorted(self.several),
            "required": sorted(self.required),
        }

    @classmethod
    def _read(cls, definition: Definition) -> Self:
        """A saved wrapper."""
        definition.expect(
            "class", "fields", "learned_from", "record", "rules", "several", "required"
        )
        saved = definition.get("rules", Mapping, {})
        record = cls._read_record(definition)
        return cls(
            record=record,
            rules={
                field: cls._read_rules(rules, definition, record) for field, rules in saved.items()
            },
            several=definition.get("several", list, []),
            required=definition.get("required", list, []),
            **cls._common(definition),
        )

    def describe(self) -> str:
        """What a record is, and where each field is found in it."""
        lines = [self._describe_record()]
        for field in self.fields:
            ways = list(self._describe_rules(field))
            lines += [f"{field}: {way}" for way in ways]
            if not ways:
                lines.append(f"{field}: no rule was found; it is always missing")
        return "\n".join(lines)


class WrapperOfRules(RuledWrapper[tuple[OneRule, ...], Place]):
    """A wrapper with several rules for each field, which are tried together or in turn."""

    def __init__(
        self, fields: Sequence[str], *, rules: Mapping[str, Sequence[OneRule]], **settings: Any
    ) -> None:
        listed = {field: tuple(rules.get(field, ())) for field in fields}
        super().__init__(fields, rules=listed, **settings)

    @classmethod
    @abstractmethod
    def _read_rule(cls, saved: object, definition: Definition) -> OneRule:
        """A rule from a file."""

    def _records(
        self, rows: Iterable[Sequence[Sequence[tuple[int, int]]]], page: Page
    ) -> Iterator[Record]:
        """Records of the bounds of all values of each field."""
        for row in rows:
            spans: dict[str, Spans] = {}
            for field, bounds in zip(self.fields, row, strict=True):
                placed = tuple(Span(*pair) for pair in bounds)
                spans[field] = (placed[0] if len(placed) == 1 else placed) if placed else None
            yield Record.trusted(page, spans)

    def _save_rules(self, rules: tuple[OneRule, ...]) -> list[dict[str, Any]]:
        return [rule.to_dict() for rule in rules]

    @classmethod
    def _read_rules(
        cls,
        saved: object,
        definition: Definition,
        record: Place,  # noqa: ARG003  # rules don't depend on it here
    ) -> tuple[OneRule, ...]:
        if not isinstance(saved, list):
            raise definition.error("'rules' must have a list of rules for each field")
        return tuple(cls._read_rule(rule, definition) for rule in saved)

    def _describe_rules(self, field: str) -> Iterable[str]:
        return map(str, self.rules[field])
