"""The settings of wrappers as the programs in `parts` take them: plain data."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from rowen.programs.parts.tags import lower
from rowen.programs.refusal import refuse
from rowen.wrappers.base import Wrapper
from rowen.wrappers.combination import Combination
from rowen.wrappers.lines import Lines
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.nested_fields import NestedFields
from rowen.wrappers.region.spot import STEP
from rowen.wrappers.region.wrapper import Region
from rowen.wrappers.spanning import Spanning
from rowen.wrappers.tree import Tree

_SIDES = {"head": "head", "tail": "tail", "open": "opening", "close": "closing"}

_MODULES = {
    **dict.fromkeys(("lr", "hlrt", "oclr", "hoclrt"), "table"),
    **dict.fromkeys(("n-lr", "n-hlrt"), "nested"),
    **dict.fromkeys(("m-lr", "m-hlrt"), "missing"),
    "token": "landmarks",
    "region": "regions",
    "data": "data",
    "lines": "lines",
    "several": "mixture",
    "combined": "combination",
    "nested": "nested_fields",
    "tree": "levels",
    "spanning": "spanning",
}
"""The module of `parts` that runs each class."""

_ORIGINS = {
    **dict.fromkeys(("json-ld", "json", "script"), "scripts"),
    **dict.fromkeys(("microdata", "rdfa"), "items"),
    "meta": "meta",
}
"""The module of `parts` that reads data of each origin."""

Plain: TypeAlias = dict[str, Any]


def program_of(wrapper: Wrapper) -> Plain:
    """The class of a wrapper and its settings, those of wrappers inside it too."""
    write = _WRITERS.get(wrapper.wrapper_class)
    if write is None:
        raise refuse(wrapper, "Python", "there is no program for this class")
    program: Plain = {"class": wrapper.wrapper_class, "settings": write(wrapper)}
    # Programs give fields in the order in which they find them.
    if wrapper.wrapper_class in ("nested", "tree") or wrapper.columns != wrapper.fields:
        program["columns"] = list(wrapper.columns)
    return program


def modules_for(program: object) -> Iterator[str]:
    """The modules of `parts` that run what `program_of` returns, each perhaps several times."""
    if isinstance(program, Mapping):
        if "settings" in program:
            yield _MODULES[program["class"]]
        if "origin" in program:
            yield _ORIGINS[program["origin"]]
        for inner in program.values():
            yield from modules_for(inner)
    elif isinstance(program, list | tuple):
        for inner in program:
            yield from modules_for(inner)


def _delimiters(wrapper: Wrapper) -> Plain:
    saved = wrapper.settings()
    settings: Plain = {
        "fields": list(zip(wrapper.fields, saved["left"], saved["right"], strict=True))
    }
    settings |= {name: saved[key] for key, name in _SIDES.items() if saved[key] is not None}
    return settings


def _missing(wrapper: Wrapper) -> Plain:
    first = [wrapper.fields.index(name) for name in wrapper.settings()["first"]]
    return {**_delimiters(wrapper), "first": first}


def _mixture(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, Mixture)
    templates = [
        {"pages": 0 if part.evidence is None else part.evidence.pages, **program_of(part)}
        for part in wrapper.wrappers
    ]
    return {"templates": templates}


def _combination(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, Combination)
    wrappers = [(list(part.fields), program_of(part)) for part in wrapper.wrappers]
    return {"fields": list(wrapper.fields), "wrappers": wrappers}


def _nested_fields(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, NestedFields)
    return {
        "parent": None if wrapper.parent is None else program_of(wrapper.parent),
        "nested": {
            name: {"belongs": part.belongs, "wrapper": program_of(part.wrapper)}
            for name, part in wrapper.parts.items()
        },
    }


def _tree(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, Tree)
    return {"nested": wrapper.nested, "wrapper": program_of(wrapper.wrapper)}


def _spanning(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, Spanning)
    return {"rows": program_of(wrapper.rows), "shared": list(wrapper.shared)}


def _ruled(wrapper: Wrapper, rule: Callable[[Any], Any]) -> Plain:
    """The settings of classes that have rules; refused where there are others."""
    saved = wrapper.fingerprint()
    expected = ("record", "rules", "several", "required")
    if saved.keys() != {"class", "fields", *expected}:
        raise refuse(wrapper, "Python", f"it has other settings than {', '.join(expected)}")
    return {
        "fields": list(wrapper.fields),
        "record": saved["record"],
        "rules": {name: rule(rules) for name, rules in saved["rules"].items()},
        "several": saved["several"],
        "required": saved["required"],
    }


def _tokens(wrapper: Wrapper) -> Plain:
    """The program compares names in lower case, and so are they written."""
    settings = _ruled(wrapper, lambda rules: [_token_rule(rule) for rule in rules])
    record = settings["record"]
    return {**settings, "record": record and {name: _tag(tag) for name, tag in record.items()}}


def _token_rule(saved: Mapping[str, Any]) -> Plain:
    rule = {**saved, **_landmark(saved)}
    if "container" in rule:
        rule["container"] = _landmark(rule["container"])
    if "cut" in rule:
        names = {
            key: lower(rule["cut"][key]) for key in ("attribute", "until") if key in rule["cut"]
        }
        rule["cut"] = {**rule["cut"], **names}
    return rule


def _landmark(saved: Mapping[str, Any]) -> Plain:
    return {
        side: [_tag(token) if isinstance(token, list) else token for token in saved[side]]
        for side in ("before", "after")
        if side in saved
    }


def _tag(saved: list[Any]) -> list[Any]:
    name, *details = saved  # perhaps attributes, then perhaps a place
    attributes = [{lower(key): value for key, value in pairs.items()} for pairs in details[:1]]
    return [lower(name), *attributes, *details[1:]]


def _regions(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, Region)
    patterns = {
        rule.part.shape: rule.part.pattern.pattern
        for rules in wrapper.rules.values()
        for rule in rules
        if rule.part.shape is not None
    }
    settings = _ruled(wrapper, lambda rules: [_region_rule(rule, patterns) for rule in rules])
    record = settings["record"]
    return {**settings, "record": {**record, "path": [_step(step) for step in record["path"]]}}


def _region_rule(saved: Mapping[str, Any], patterns: Mapping[str, str]) -> Plain:
    rule = {key: value for key, value in saved.items() if key != "shape"}
    if "steps" in rule:
        rule["steps"] = [_step(step) for step in rule["steps"]]
    if "after" in rule:
        rule["after"] = _step(rule["after"])
    if "attribute" in rule:
        rule["attribute"] = lower(rule["attribute"])
    if "shape" in saved:
        # The program needs no words for shapes: it has the expression that they stand for.
        rule["pattern"] = patterns[saved["shape"]]
    return rule


def _step(saved: list[Any]) -> tuple[Any, ...]:
    name, place, attributes, deep = (*saved, *STEP[len(saved) :])
    return lower(name), place, {lower(key): value for key, value in attributes.items()}, deep


def _lines(wrapper: Wrapper) -> Plain:
    assert isinstance(wrapper, Lines)
    saved = wrapper.fingerprint()
    columns = {name: saved["places"][name] for name in wrapper.fields}
    separated: dict[str, Any] = {key: saved[key] for key in ("separator", "cells") if key in saved}
    return {
        "columns": columns,
        "required": saved["required"],
        "ruled": saved["ruled"],
        **separated,
    }


def _data(wrapper: Wrapper) -> Plain:
    return _ruled(wrapper, lambda rule: rule)


_WRITERS: dict[str, Callable[[Wrapper], Plain]] = {
    **dict.fromkeys(("lr", "hlrt", "oclr", "hoclrt", "n-lr", "n-hlrt"), _delimiters),
    **dict.fromkeys(("m-lr", "m-hlrt"), _missing),
    "token": _tokens,
    "region": _regions,
    "data": _data,
    "lines": _lines,
    "several": _mixture,
    "combined": _combination,
    "nested": _nested_fields,
    "tree": _tree,
    "spanning": _spanning,
}
