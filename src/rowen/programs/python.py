"""Wrappers as Python modules that need only the standard library.

A module has the wrapper's settings as plain data, the program that runs its class, copied from
`programs`, the conversions of the types of its fields, copied from `rowen.values`, and a function
`extract(page)`.
"""

import re
from collections.abc import Mapping
from pprint import pformat
from string import Template
from typing import Any, NamedTuple

from rowen.programs.assembly import assembled
from rowen.programs.parts.tags import lower
from rowen.programs.parts.typed import Converter
from rowen.programs.refusal import refuse, refuse_paths
from rowen.wrappers.base import Wrapper
from rowen.wrappers.mixture import Mixture

TABULAR = ("lr", "hlrt", "oclr", "hoclrt")
NESTED = ("n-lr", "n-hlrt")
MISSING = ("m-lr", "m-hlrt")
HOLDING_RECORDS = ("nested", "tree")
BY_PATH = ("data", "combined", "region")
"""Classes that need a reader of JSON, microdata or places in the structure, which no program here
has."""

_MODULE = Template('''\
"""Extracts $names: the wrapper $name (class $kind), written by Rowen.

`extract(page)` returns the records of a page, one dictionary each. A value is what a reader sees,
of the type in `FIELDS` where that names one; a list where a field has several values, None where
it is missing or its text has no value of that type.
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
    records, _ = $call
    return read_records(records, Reader(page, url), FIELDS$convert)
''')

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


class _Reading(NamedTuple):
    """How a wrapper runs: modules of `programs`, the function, and its arguments."""

    programs: tuple[str, ...]
    reader: str
    settings: dict[str, Any]


def to_python(wrapper: Wrapper, *, other_imports: str = "") -> str:
    """The source of a module with a function `extract(page)` that needs nothing else.

    On every page it returns the values of the wrapper's records. `other_imports` are for what a
    caller adds.
    """
    # Settings are data, programs are copied: nothing is generated, so that the tests of the
    # programs hold for every module.
    reading = _reading(wrapper)
    fields = _fields(wrapper)
    conversions = _conversions(fields)
    # Each program in its own module here, tested and type-checked like all code; the conversions
    # are Rowen's own.
    programs = [f"rowen.programs.parts.{name}" for name in (*reading.programs, "reading")]
    if conversions:
        programs.append("rowen.programs.parts.typed")
        programs += [f"rowen.values.{_CONVERSIONS[kind][0]}" for kind in conversions]
    imports, source = assembled(tuple(programs))
    if isinstance(wrapper, Mixture):
        readers = sorted({template["reader"] for template in reading.settings["templates"]})
        named = ", ".join(f'"{reader}": {reader}' for reader in readers)
        call = f"{reading.reader}(page, **WRAPPER, readers={{{named}}})"
    else:
        call = f"{reading.reader}(page, **WRAPPER)"
    functions = ", ".join(f'"{kind}": {_CONVERSIONS[kind][1]}' for kind in conversions)
    return _MODULE.substitute(
        names=plain(", ".join(wrapper.fields)),
        name=repr(plain(wrapper.name)),
        kind=wrapper.wrapper_class,
        imports=f"{imports}\n{other_imports}".rstrip(),
        settings=pformat(reading.settings, width=98, sort_dicts=False),
        fields=pformat(fields, width=98, sort_dicts=False),
        programs=source,
        call=call,
        convert=f", {Converter.__name__}(page, url, {{{functions}}})" if conversions else "",
    )


def _fields(wrapper: Wrapper) -> dict[str, dict[str, Any]]:
    """What the programs need to know of the schema."""
    return {
        name: settings
        for name in wrapper.fields
        if (
            settings := {
                key: value
                for key, value in wrapper.schema.field(name).to_dict().items()
                if key in ("type", "many", "language")
            }
        )
    }


def _conversions(fields: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The types of the fields that are not texts."""
    types = {field.get("type", "text") for field in fields.values()}
    return sorted(types & _CONVERSIONS.keys())


def plain(text: str) -> str:
    """A text that is safe in a docstring."""
    return re.sub(r"[\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", "?", text)


def _reading(wrapper: Wrapper) -> _Reading:
    if wrapper.wrapper_class in BY_PATH:
        raise refuse_paths(wrapper, "Python")
    if wrapper.wrapper_class == "token":
        return _tokens(wrapper)
    if isinstance(wrapper, Mixture):
        return _routed(wrapper)
    if wrapper.wrapper_class in HOLDING_RECORDS:
        raise refuse(wrapper, "Python", "its fields hold records")
    saved = wrapper.settings()
    settings: dict[str, Any] = {
        "fields": list(zip(wrapper.fields, saved["left"], saved["right"], strict=True))
    }
    for key, name in {
        "head": "head",
        "tail": "tail",
        "open": "opening",
        "close": "closing",
    }.items():
        if saved[key] is not None:
            settings[name] = saved[key]
    if wrapper.wrapper_class in TABULAR:
        return _Reading(("table",), "read_rows", settings)
    if wrapper.wrapper_class in NESTED:
        return _Reading(("earliest", "nested"), "read_nested", settings)
    if wrapper.wrapper_class in MISSING:
        settings["first"] = [wrapper.fields.index(name) for name in saved["first"]]
        return _Reading(("earliest", "missing"), "read_missing", settings)
    raise refuse(wrapper, "Python", "there is no program for this class")


def _routed(wrapper: Mixture) -> _Reading:
    readings = [_reading(part) for part in wrapper.wrappers]
    templates = [
        {
            "reader": reading.reader,
            "pages": 0 if part.evidence is None else part.evidence.pages,
            "settings": reading.settings,
        }
        for part, reading in zip(wrapper.wrappers, readings, strict=True)
    ]
    programs = dict.fromkeys(program for reading in readings for program in reading.programs)
    return _Reading((*programs, "mixture"), "read_mixture", {"templates": templates})


def _tokens(wrapper: Wrapper) -> _Reading:
    """The program compares names in lower case, and so are they written."""
    saved = wrapper.fingerprint()
    expected = ("record", "rules", "several", "required")
    if saved.keys() != {"class", "fields", *expected}:
        raise refuse(wrapper, "Python", f"it has other settings than {', '.join(expected)}")
    record = saved["record"]
    settings = {
        "fields": list(wrapper.fields),
        "record": record and {name: _tag(tag) for name, tag in record.items()},
        "rules": {name: [_rule(rule) for rule in rules] for name, rules in saved["rules"].items()},
        "several": saved["several"],
        "required": saved["required"],
    }
    return _Reading(("tags", "landmarks"), "read_landmarks", settings)


def _rule(saved: Mapping[str, Any]) -> dict[str, Any]:
    rule = {**saved, **_landmark(saved)}
    if "container" in rule:
        rule["container"] = _landmark(rule["container"])
    if "cut" in rule:
        names = {
            key: lower(rule["cut"][key]) for key in ("attribute", "until") if key in rule["cut"]
        }
        rule["cut"] = {**rule["cut"], **names}
    return rule


def _landmark(saved: Mapping[str, Any]) -> dict[str, Any]:
    return {
        side: [_tag(token) if isinstance(token, list) else token for token in saved[side]]
        for side in ("before", "after")
        if side in saved
    }


def _tag(saved: list[Any]) -> list[Any]:
    name, *details = saved  # perhaps attributes, then perhaps a place
    attributes = [{lower(key): value for key, value in pairs.items()} for pairs in details[:1]]
    return [lower(name), *attributes, *details[1:]]
