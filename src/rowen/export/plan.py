"""What a writer knows before the first record: fields, schemas, and what its tables show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rowen.model import UsageError
from rowen.records.outline import Outline, unite
from rowen.records.schema import Schema

ALL = ""
"""The group of all records, in formats that have one table for all extractors."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The fields and schemas of extractors, and the options of tables."""

    fields: Sequence[str] | Mapping[str, Sequence[str]] = ()
    """The fields that are declared: of all extractors, or by extractor."""
    schema: Schema | Mapping[str, Schema] = field(default_factory=Schema)
    """What the fields hold: for all extractors, or by extractor."""
    name_extractor: bool = False
    table: str | None = None
    """The nested field whose rows are wanted, in formats of one table."""
    source: bool = False
    spans: bool = False
    snapshot: int | None = None
    """The snapshot of the records, if they are a store's: Parquet and Arrow files name it."""

    @property
    def leading(self) -> list[str]:
        """The columns before those of the fields."""
        return ["page", *(["extractor"] * self.name_extractor)]

    @property
    def all_fields(self) -> tuple[str, ...]:
        """The fields of all extractors."""
        names = self.extractors or [ALL]
        return tuple(dict.fromkeys(field for name in names for field in self.fields_of(name)))

    def fields_of(self, extractor: str) -> tuple[str, ...]:
        """The fields that an extractor declares."""
        if isinstance(self.fields, Mapping):
            return tuple(self.fields.get(extractor, ()))
        return tuple(self.fields)

    def schema_of(self, extractor: str) -> Schema:
        """The schema of an extractor."""
        if isinstance(self.schema, Schema):
            return self.schema
        return self.schema.get(extractor, Schema())

    @property
    def extractors(self) -> list[str]:
        """The extractors that are named; none if there is only one, or they are not told apart."""
        named = (said for said in (self.fields, self.schema) if _is_by_extractor(said))
        return list(dict.fromkeys(name for said in named for name in said))

    def known(self, group: str) -> tuple[tuple[str, ...], Schema] | None:
        """The fields and schema of a group's table, if all of its fields are declared."""
        if group != ALL or not self.extractors:
            fields, schema = self.fields_of(group), self.schema_of(group)
            return (fields, schema) if fields else None
        said = [(self.fields_of(name), self.schema_of(name)) for name in self.extractors]
        return unite(said) if all(fields for fields, _ in said) else None

    def outline(self, group: str) -> Outline:
        """What is known of a group's fields before any record is spooled."""
        names = self.extractors if group == ALL and self.extractors else [group]
        fields, schema = unite([(self.fields_of(name), self.schema_of(name)) for name in names])
        return Outline(schema, fields, spooled=True)


def check_table(table: str | None, schema: Schema) -> None:
    """Refuse a table that the schema does not have."""
    if table is None:
        return
    nested = sorted(_paths(schema))
    if table not in nested:
        names = f"the nested fields are {', '.join(nested)}" if nested else "there are none"
        raise UsageError(f"{table!r} is not a nested field: {names}")


def _paths(schema: Schema, above: str = "") -> list[str]:
    paths = []
    for name, own in schema.items():
        if own.fields is not None:
            paths += [f"{above}{name}", *_paths(own.fields, f"{above}{name}.")]
    return paths


def _is_by_extractor(said: object) -> bool:
    return isinstance(said, Mapping) and not isinstance(said, Schema)
