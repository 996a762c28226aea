"""The fields that records turn out to have, where their schema does not name them all."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rowen.model import Span
from rowen.model.text import replace_surrogates
from rowen.records.nested import Nested
from rowen.records.record import Record
from rowen.records.schema import TEXT, Field, Schema


@dataclass(slots=True)
class _Occurrence:
    """How a field occurs: at all, with several values, with records of its own."""

    several: bool = False
    plain: bool = False
    nested: "Outline | None" = None


class Outline:
    """Collects the fields of records at one depth, and completes a schema with them.

    A field of the schema stays as it is. Another one is a text, or a list of texts if it has
    several values in any record, or nested if it holds records. With `spooled` the names are those
    of records that were spooled, where lone surrogates are replaced.
    """

    def __init__(
        self,
        schema: Schema | None = None,
        fields: Iterable[str] = (),
        *,
        spooled: bool = False,
    ) -> None:
        self._name = replace_surrogates if spooled else str
        self._spooled = spooled
        self._schema = Schema()
        self._adopt(schema)
        self._fields = {self._name(name): _Occurrence() for name in (*fields, *self._schema)}
        self._own: set[str] = set()
        self.children: Outline | None = None

    def widen(self, record: Record) -> None:
        """Take in the fields of a record."""
        if record.schema is not self._adopted:
            self._adopt(record.schema)
        for field, where in record.stored():
            name = self._name(field)
            occurrence = self._fields.get(name)
            if occurrence is None:
                occurrence = self._fields[name] = _Occurrence()
            self._own.add(name)
            if isinstance(where, Nested):
                if occurrence.nested is None:
                    fields = self._schema.field(name).fields
                    occurrence.nested = Outline(fields, spooled=self._spooled)
                for inner in where:
                    occurrence.nested.widen(inner)
            elif where is not None:
                occurrence.plain = True
                occurrence.several |= not isinstance(where, Span) and len(where) > 1
        for child in record.children:
            if self.children is None:
                self.children = Outline(spooled=self._spooled)
            self.children.widen(child)

    def widen_by_rows(self, fields: Iterable[str], schema: Schema | None) -> None:
        """Take in the fields of flat records, each with one span or none."""
        if schema is not self._adopted:
            self._adopt(schema)
        for field in fields:
            name = self._name(field)
            self._own.add(name)
            self._fields.setdefault(name, _Occurrence()).plain = True

    def _adopt(self, schema: Schema | None) -> None:
        """Take over what a schema says about fields that no schema named before."""
        self._adopted = schema
        said = {self._name(name): field for name, field in (schema or {}).items()}
        new = {name: field for name, field in said.items() if name not in self._schema}
        if new:
            self._schema = Schema({**self._schema, **new})

    def schema(self, *, every_level: bool = False) -> Schema:
        """The schema with all fields, in the order of the columns.

        With `every_level` the fields of children are among them: their rows repeat those above.
        """
        names = self._fields
        if every_level and self.children is not None:
            levels = self.children.schema(every_level=True)
            own = {name: self._field(name, where) for name, where in names.items()}
            seen = {name: field for name, field in levels.items() if name not in self._own}
            return Schema({**own, **seen})
        if self.children is not None:
            # The classes of the thesis declare the fields of all levels: a column of a level below
            # would be empty here.
            below = self.children.names()
            names = {
                name: occurrence
                for name, occurrence in names.items()
                if name in self._own or name not in below
            }
        return Schema({name: self._field(name, where) for name, where in names.items()})

    def names(self) -> set[str]:
        """The fields that occur here or further down."""
        below = self.children.names() if self.children is not None else set()
        return self._own | below

    def _field(self, name: str, occurrence: _Occurrence) -> Field:
        field = self._schema.get(name)
        nested = occurrence.nested
        if field is not None:
            if field.fields is not None and nested is not None:
                return replace(field, fields=nested.schema())
            return field
        if nested is not None and not occurrence.plain:
            return Field(fields=nested.schema())
        return Field(many=True) if occurrence.several else TEXT


def unite(extractors: Iterable[tuple[Iterable[str], Schema]]) -> tuple[tuple[str, ...], Schema]:
    """The fields and the schema of one table for the records of several extractors.

    Each extractor comes with the fields that it declares. Where two say different things about a
    field, its column has texts.
    """
    said: dict[str, set[Field | None]] = {}
    for fields, schema in extractors:
        for name in dict.fromkeys((*fields, *schema)):
            said.setdefault(name, set()).add(schema.get(name))
    united: dict[str, Field] = {}
    for name, settings in said.items():
        named = [field for field in settings if field is not None]
        if len(settings) == len(named) == 1:
            united[name] = named[0]
        elif named:
            united[name] = Field(many=any(field.many for field in named))
    return tuple(said), Schema(united)
