"""Wrappers as Python modules that need only the standard library.

A module has the wrapper's settings as plain data, the program that runs its class, copied from
`programs`, the conversions of the types of its fields, copied from `rowen.values`, and a function
`extract(page)`.
"""

import re
from collections.abc import Iterable, Mapping
from string import Template
from typing import Any

from rowen.programs.assembly import assembled
from rowen.programs.parts.typed import Converter
from rowen.programs.settings import modules_for, program_of
from rowen.records.schema import Field, Schema
from rowen.wrappers.base import Wrapper

_MODULE = Template('''\
"""Extracts $names: the wrapper $name (class $kind), written by Rowen.

`extract(page)` returns the records of a page, one dictionary each. A value is what a reader sees,
of the type in `FIELDS` where that names one; a list where a field has several values or holds
records, None where it is missing or its text has no value of that type.
"""

$imports

WRAPPER: dict[str, Any] = $settings

FIELDS: dict[str, Any] = $fields
"""What is not simply one text: types, and the fields whose value is always a list."""

$programs


def extract(page: str, url: str = "") -> list[Record]:
    """The records of a page; where a text is missing that the wrapper needs, those before it.

    `url` is the page's address, from which relative links start, or the name of its file.
    """
    records, _ = run(page, WRAPPER)
    return read_records(records, Reader(page, url), FIELDS$convert)
''')

LINE = 88
"""Settings that are longer take several lines."""

_CONVERSIONS = {
    "number": ("number", "to_number"),
    "integer": ("number", "to_integer"),
    "price": ("price", "to_price"),
    "date": ("dates", "to_date"),
    "datetime": ("dates", "to_datetime"),
    "url": ("url", "to_url"),
    "boolean": ("boolean", "to_boolean"),
}
"""The module of `rowen.values` and the function for each type that is not a text."""


def to_python(wrapper: Wrapper, *, other_imports: str = "") -> str:
    """The source of a module with a function `extract(page)` that needs nothing else.

    On every page it returns the values of the wrapper's records. `other_imports` are for what a
    caller adds.
    """
    # Settings are data, programs are copied: nothing is generated, so that the tests of the
    # programs hold for every module.
    program = program_of(wrapper)
    fields = _fields(wrapper.schema, wrapper.columns)
    conversions = sorted(_types(fields) & _CONVERSIONS.keys())
    # Each program in its own module here, tested and type-checked like all code; the conversions
    # are Rowen's own.
    names = sorted(set(modules_for(program)))
    modules = [f"rowen.programs.parts.{name}" for name in (*names, "reading")]
    if conversions:
        modules.append("rowen.programs.parts.typed")
        modules += [f"rowen.values.{_CONVERSIONS[kind][0]}" for kind in conversions]
    imports, source = assembled(tuple(modules))
    functions = ", ".join(f'"{kind}": {_CONVERSIONS[kind][1]}' for kind in conversions)
    return _MODULE.substitute(
        names=plain(", ".join(wrapper.columns)),
        name=repr(plain(wrapper.name)),
        kind=wrapper.wrapper_class,
        imports=f"{imports}\n{other_imports}".rstrip(),
        settings=written(program),
        fields=written(fields),
        programs=source,
        convert=f", {Converter.__name__}(page, url, {{{functions}}})" if conversions else "",
    )


def _fields(schema: Schema, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What the programs need to know of the schema."""
    settings = {name: _field(schema.field(name)) for name in names}
    return {name: field for name, field in settings.items() if field}


def _field(field: Field) -> dict[str, Any]:
    if field.fields is not None:
        inner = _fields(field.fields, field.fields)
        return {"many": True, **({"fields": inner} if inner else {})}
    saved = field.to_dict()
    return {key: saved[key] for key in ("type", "many", "language") if key in saved}


def _types(fields: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The types of the fields, those of nested records too."""
    inner = (_types(field.get("fields", {})) for field in fields.values())
    return {field.get("type", "text") for field in fields.values()}.union(*inner)


def written(value: object, indent: int = 0) -> str:
    """Plain data as Python, in lines that are indented by how deep they are."""
    line = repr(value)
    if len(line) + indent <= LINE or not isinstance(value, dict | list | tuple):
        return line
    margin = " " * (indent + 4)
    if isinstance(value, dict):
        entries = [f"{key!r}: {written(inner, indent + 4)}" for key, inner in value.items()]
    else:
        entries = [written(inner, indent + 4) for inner in value]
    lines = "".join(f"{margin}{entry},\n" for entry in entries)
    opening, closing = (
        "{}" if isinstance(value, dict) else "[]" if isinstance(value, list) else "()"
    )
    return f"{opening}\n{lines}{' ' * indent}{closing}"


def plain(text: str) -> str:
    """A text that is safe in a docstring."""
    return re.sub(r"[\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", "?", text)
