"""Wrappers as Python modules that need nothing but the standard library.

A module has the wrapper's settings as plain data, the program that runs its class, copied from
`programs`, and a function `extract(page)`.
"""

import ast
import inspect
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pprint import pformat
from string import Template
from typing import Any, NamedTuple

from rowen.wrappers.base import Wrapper
from rowen.wrappers.exporting.programs.tags import lower
from rowen.wrappers.exporting.refusal import refuse
from rowen.wrappers.several import Several

TABULAR = ("lr", "hlrt", "oclr", "hoclrt")
NESTED = ("n-lr", "n-hlrt")
GAPPED = ("m-lr", "m-hlrt")

_MODULE = Template('''\
"""Extracts $names: the wrapper $name (class $kind), written by Rowen.

`extract(page)` gives the records of a page, a dictionary each. A field is a text as it stands in
the page's source, a list of texts where it has several, or None where it is missing.
"""

$imports

WRAPPER: dict[str, Any] = $settings

$programs


def extract(page: str) -> list[Record]:
    """The records of a page; where something is missing that the wrapper needs, those before."""
    records, _ = $call
    return records
''')


class _Reading(NamedTuple):
    """How a wrapper runs: modules of `programs`, the function, and what it is given."""

    programs: tuple[str, ...]
    reader: str
    settings: dict[str, Any]


def to_python(wrapper: Wrapper, *, other_imports: str = "") -> str:
    """The source of a module with a function `extract(page)` that needs nothing else.

    It gives the values of the records that the wrapper gives, on every page. `other_imports` are
    for what a caller adds.
    """
    reading = _reading(wrapper)
    imports, programs = _assembled(("found", *reading.programs))
    if isinstance(wrapper, Several):
        readers = sorted({one["reader"] for one in reading.settings["templates"]})
        named = ", ".join(f'"{one}": {one}' for one in readers)
        call = f"{reading.reader}(page, **WRAPPER, readers={{{named}}})"
    else:
        call = f"{reading.reader}(page, **WRAPPER)"
    return _MODULE.substitute(
        names=plain(", ".join(wrapper.fields)),
        name=repr(plain(wrapper.name)),
        kind=wrapper.wrapper_class,
        imports=f"{imports}\n{other_imports}".rstrip(),
        settings=pformat(reading.settings, width=98, sort_dicts=False),
        programs=programs,
        call=call,
    )


def plain(text: str) -> str:
    """A text that can stand in a docstring."""
    return re.sub(r"[\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", "?", text)


def _reading(wrapper: Wrapper) -> _Reading:
    if wrapper.wrapper_class == "token":
        return _tokens(wrapper)
    if isinstance(wrapper, Several):
        return _routed(wrapper)
    given = wrapper.delimiters()
    settings: dict[str, Any] = {
        "fields": list(zip(wrapper.fields, given["left"], given["right"], strict=True))
    }
    for key, name in {
        "head": "head",
        "tail": "tail",
        "open": "opening",
        "close": "closing",
    }.items():
        if given[key] is not None:
            settings[name] = given[key]
    if wrapper.wrapper_class in TABULAR:
        return _Reading(("table",), "read_table", settings)
    if wrapper.wrapper_class in NESTED:
        return _Reading(("race", "nested"), "read_nested", settings)
    if wrapper.wrapper_class in GAPPED:
        settings["first"] = [wrapper.fields.index(one) for one in given["first"]]
        return _Reading(("race", "gapped"), "read_gapped", settings)
    raise refuse(wrapper, "Python", "there is no program for this class")


def _routed(wrapper: Several) -> _Reading:
    readings = [_reading(one) for one in wrapper.wrappers]
    templates = [
        {
            "reader": reading.reader,
            "pages": 0 if one.evidence is None else one.evidence.pages,
            "settings": reading.settings,
        }
        for one, reading in zip(wrapper.wrappers, readings, strict=True)
    ]
    programs = dict.fromkeys(program for one in readings for program in one.programs)
    return _Reading((*programs, "routing"), "read_routed", {"templates": templates})


def _tokens(wrapper: Wrapper) -> _Reading:
    """The program compares names in lower case, so that they are written so."""
    given = wrapper.delimiters()
    wanted = ("record", "rules", "several", "required")
    if sorted(given) != sorted(wanted):
        raise refuse(wrapper, "Python", f"it has other settings than {', '.join(wanted)}")
    record = given["record"]
    settings = {
        "fields": list(wrapper.fields),
        "record": record and {name: _tag(tag) for name, tag in record.items()},
        "rules": {name: [_rule(one) for one in some] for name, some in given["rules"].items()},
        "several": given["several"],
        "required": given["required"],
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
        side: [_tag(one) if isinstance(one, list) else one for one in saved[side]]
        for side in ("before", "after")
        if side in saved
    }


def _tag(saved: list[Any]) -> list[Any]:
    name, *rest = saved
    attributes = [{lower(key): value for key, value in one.items()} for one in rest[:1]]
    return [lower(name), *attributes, *rest[1:]]


@cache
def _assembled(names: tuple[str, ...]) -> tuple[str, str]:
    """The imports of some programs, and the programs."""
    imports = {"from typing import Any"}
    bodies = []
    for name in names:
        source = inspect.getsource(import_module(f"rowen.wrappers.exporting.programs.{name}"))
        _title, *statements = ast.parse(source).body
        first = next(one for one in statements if not isinstance(one, ast.Import | ast.ImportFrom))
        lines = source.splitlines()
        start = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))])
        bodies.append("\n".join(lines[start - 1 :]).strip())
        for one in statements[: statements.index(first)]:
            text = ast.unparse(one)
            if not text.startswith("from rowen."):
                imports.add(text)
    return _merged(imports), "\n\n\n".join(bodies)


def _merged(imports: set[str]) -> str:
    """Each module once, plain imports first."""
    plain_imports = sorted(one for one in imports if one.startswith("import "))
    modules: dict[str, set[str]] = {}
    for one in imports:
        if one.startswith("from "):
            module, _, names = one.removeprefix("from ").partition(" import ")
            modules.setdefault(module, set()).update(names.split(", "))
    froms = [f"from {one} import {', '.join(sorted(modules[one]))}" for one in sorted(modules)]
    return "\n".join([*plain_imports, *froms])
