"""The schema of an extractor: what each of its fields holds.

    {"title": {}, "price": {"type": "price", "required": true}, "tags": {"many": true},
     "reviews": {"fields": {"author": {}, "stars": {"type": "number"}}}}

A schema changes no span: it says how the text at a span is read. So it is no part of an extractor's
version, and another one needs no new extraction.
"""

import dataclasses
import re
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Self, Union, get_args, get_origin, get_type_hints

from rowen.model import InputError
from rowen.values.conversion import TYPES

NESTING = 32
"""Limit: how deep fields may nest, as in labels."""

_SETTINGS = ("type", "many", "required", "key", "language", "fields")
LANGUAGE = "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
"""What a language tag looks like, such as `de` or `en-GB` (BCP 47)."""

_FLAGS = ("many", "required", "key")
_JSON_TYPES: dict[str, dict[str, Any]] = {
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "url": {"type": "string", "format": "uri-reference"},
    "price": {
        "type": "object",
        "properties": {
            "amount": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"},
            "currency": {"type": ["string", "null"]},
        },
        "required": ["amount", "currency"],
    },
}
"""How values of a type are written in JSON; those of all others are strings."""


@dataclass(frozen=True, slots=True)
class Field:
    """What a field holds.

    >>> Field("price", required=True).to_dict()
    {'type': 'price', 'required': True}
    """

    type: str = "text"
    """text, html, source, number, integer, price, date, datetime, url or boolean."""
    many: bool = False
    """Whether its value is a list."""
    required: bool = False
    """Whether every record has it; where it is missing, `check` reports that."""
    key: bool = False
    """Whether it identifies a record across snapshots, with the other keys."""
    language: str | None = None
    """The language of numbers and dates, such as `de` or `en-GB`; by default the page's own."""
    fields: "Schema | None" = None
    """The fields of nested records; None for a field with a value of its own."""

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"unknown type {self.type!r}: {', '.join(TYPES)}")
        if self.fields is not None:
            object.__setattr__(self, "many", True)

    def merged(self, other: "Field") -> "Field":
        """What `other` says; still a list where this one is, with the nested fields of both."""
        fields = other.fields
        if self.fields is not None:
            fields = self.fields if fields is None else self.fields.merged(fields)
        return replace(other, many=self.many or other.many, fields=fields)

    def to_dict(self) -> dict[str, Any]:
        """As it is saved: what differs from the default."""
        saved: dict[str, Any] = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }
        if self.fields is not None:
            saved["fields"] = self.fields.to_dict()
            del saved["many"]
        return saved

    @classmethod
    def from_saved(cls, name: str, saved: object, depth: int = 0) -> Self:
        """A saved field: a type, or a mapping of settings."""
        if isinstance(saved, str):
            saved = {"type": saved}
        if not isinstance(saved, Mapping):
            raise InputError(f"schema: field {name!r} must be a type or a table of settings")
        unknown = [key for key in saved if key not in _SETTINGS]
        if unknown:
            raise InputError(
                f"schema: field {name!r} has an unknown setting {unknown[0]!r}: "
                f"{', '.join(_SETTINGS)}"
            )
        wrong = [key for key in _FLAGS if not isinstance(saved.get(key, False), bool)]
        if wrong:
            raise InputError(f"schema: {wrong[0]!r} of field {name!r} must be true or false")
        language, nested = saved.get("language"), saved.get("fields")
        is_tag = isinstance(language, str) and re.fullmatch(LANGUAGE, language)
        if "language" in saved and not is_tag:
            raise InputError(f"schema: 'language' of field {name!r} must be a tag such as 'de'")
        try:
            return cls(
                type=saved.get("type", "text"),
                **{key: saved.get(key, False) for key in _FLAGS},
                language=language,
                fields=None if nested is None else Schema.from_dict(nested, depth + 1),
            )
        except (TypeError, ValueError) as error:
            raise InputError(f"schema: field {name!r}: {error}") from None

    def json_schema(self) -> dict[str, Any]:
        """The JSON schema of its value, as it is written to files."""
        if self.fields is not None:
            return {"type": "array", "items": self.fields.json_schema()}
        own = _JSON_TYPES.get(self.type, {"type": "string"})
        if self.many:
            return {"type": "array", "items": own}
        return own if self.required else {"anyOf": [own, {"type": "null"}]}


TEXT = Field()
"""What a field without a schema holds."""


class Schema(Mapping[str, Field]):
    """The fields of an extractor's records, by name.

    >>> schema = Schema.of({"title": "text", "price": {"type": "price", "key": True}})
    >>> schema["price"].type, schema.keys_of_records
    ('price', ('price',))
    >>> schema.json_schema()["properties"]["title"]
    {'anyOf': [{'type': 'string'}, {'type': 'null'}]}
    """

    __slots__ = ("_fields", "_hash", "model")

    model: type | None
    """The pydantic model or dataclass that it was made from, if any; it is not saved."""

    def __init__(
        self, fields: Mapping[str, Field] | None = None, model: type | None = None
    ) -> None:
        self._fields = dict(fields or {})
        self._hash: int | None = None
        self.model = model

    @classmethod
    def of(cls, given: object) -> "Schema":
        """A schema from a mapping of types or settings, a pydantic model or a dataclass."""
        if isinstance(given, Schema):
            return given
        if given is None:
            return cls()
        if isinstance(given, Mapping):
            return cls.from_dict(given)
        return _of_class(given)

    @classmethod
    def from_dict(cls, saved: object, depth: int = 0) -> "Schema":
        """A saved schema."""
        if not isinstance(saved, Mapping):
            raise InputError("a schema must be a table of fields")
        if depth > NESTING:
            raise InputError(f"schema: nested deeper than {NESTING}")
        wrong = [name for name in saved if not isinstance(name, str) or name == "children"]
        if wrong:
            raise InputError(f"schema: a field can't be called {wrong[0]!r}")
        return cls(
            {
                name: field if isinstance(field, Field) else Field.from_saved(name, field, depth)
                for name, field in saved.items()
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """As it is saved."""
        return {name: field.to_dict() for name, field in self._fields.items()}

    def json_schema(self) -> dict[str, Any]:
        """The JSON schema of a record's values, as they are written to files."""
        required = [name for name, field in self._fields.items() if field.required]
        return {
            "type": "object",
            "properties": {name: field.json_schema() for name, field in self._fields.items()},
            **({"required": required} if required else {}),
        }

    def merged(self, other: "Schema") -> "Schema":
        """These fields, and those of `other`, which wins where both have one.

        A field that is a list in either is one in the result: a type says nothing against it.
        """
        if not other:
            return self
        if not self:
            return other
        both = {
            name: self._fields[name].merged(field)
            for name, field in other.items()
            if name in self._fields
        }
        return Schema({**self._fields, **other._fields, **both}, other.model or self.model)

    def field(self, name: str) -> Field:
        """The field with that name; a text where the schema has none."""
        return self._fields.get(name, TEXT)

    @property
    def keys_of_records(self) -> tuple[str, ...]:
        """The fields that identify a record."""
        return tuple(name for name, field in self._fields.items() if field.key)

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        return self._fields == other._fields if isinstance(other, Schema) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._fields.items()))
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without a model that other processes can't import."""
        model = self.model
        if model is not None:
            module = sys.modules.get(model.__module__)
            model = model if getattr(module, model.__qualname__, None) is model else None
        return type(self), (self._fields, model)

    def __repr__(self) -> str:
        return f"Schema({self.to_dict()})"


_ANNOTATED: dict[Any, str] = {
    str: "text",
    bool: "boolean",  # before int, whose subclass it is
    int: "integer",
    float: "number",
    Decimal: "number",
    datetime: "datetime",  # before date, for the same reason
    date: "date",
}
_LISTS = (list, tuple, set, frozenset, Sequence, Iterable)
_PRICE = {"amount", "currency"}
"""A class with these fields is a price."""


def _of_class(given: object) -> Schema:
    """The schema of a pydantic model or a dataclass."""
    if not isinstance(given, type) or not _is_structured(given):
        raise InputError(
            "a schema is a mapping of fields, a pydantic model or a dataclass, "
            f"not {getattr(given, '__name__', type(given).__name__)}"
        )
    return Schema(
        {
            name: _annotated_field(name, annotation, required=required)
            for name, annotation, required in _members(given)
        },
        given,
    )


def _is_structured(given: type) -> bool:
    return dataclasses.is_dataclass(given) or hasattr(given, "model_fields")


def _members(given: type) -> Iterable[tuple[str, Any, bool]]:
    """The name of each field, its annotation, and whether it needs a value."""
    hints = get_type_hints(given, include_extras=True)
    model_fields = getattr(given, "model_fields", None)
    if isinstance(model_fields, Mapping):
        for name, info in model_fields.items():
            yield name, hints.get(name, info.annotation), info.is_required()
        return
    for member in dataclasses.fields(given):
        has_default = (
            member.default is not dataclasses.MISSING
            or member.default_factory is not dataclasses.MISSING
        )
        yield member.name, hints[member.name], not has_default


def _annotated_field(name: str, annotation: Any, *, required: bool) -> Field:
    many = False
    while True:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            settings = next((part for part in arguments[1:] if isinstance(part, Field)), None)
            if settings is not None:
                return settings
            annotation = arguments[0]
        elif origin in (Union, types.UnionType):
            choices = [choice for choice in arguments if choice is not type(None)]
            if len(choices) != 1:
                return Field(many=many, required=required and len(choices) == len(arguments))
            annotation, required = choices[0], False
        elif origin in _LISTS or annotation in _LISTS:
            annotation, many = (arguments[0] if arguments else str), True
        else:
            break
    # A list may be empty, so that a field with many values is always there.
    required = required and not many
    if isinstance(annotation, type) and _is_structured(annotation):
        nested = _of_class(annotation)
        if set(nested) == _PRICE:
            return Field("price", many, required)
        if not many:
            raise InputError(f"schema: field {name!r}: nested records must be a list")
        return Field(fields=nested)
    return Field(_annotated_type(annotation), many, required)


def _annotated_type(annotation: Any) -> str:
    if annotation in _ANNOTATED:
        return _ANNOTATED[annotation]
    if isinstance(annotation, type):
        if annotation.__module__.startswith("pydantic") and "Url" in annotation.__name__:
            return "url"
        for kind, name in _ANNOTATED.items():
            if issubclass(annotation, kind):
                return name
    return "text"
