"""What all programs return, and the programs by the names of their classes."""

from collections.abc import Callable
from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]
"""One place per field, a list of places, or None (missing); a list of records where a field holds
records, also in `children`.

`extract` puts values for the places, each a start and an end."""

Result: TypeAlias = tuple[list[Record], bool]
"""The records, and whether nothing was missing that the wrapper needs; if so, those before it."""

Program: TypeAlias = Callable[..., Result]

PROGRAMS: dict[str, Program] = {}
"""The programs of this module."""

Place: TypeAlias = tuple[int, int]
Stretches: TypeAlias = Callable[[str, dict[str, Any]], list[Place] | None]
"""Takes a page and the settings of a wrapper; None where these name no place of the records."""

STRETCHES: dict[str, Stretches] = {}
"""The functions that say in which stretches of a page the records of a class are."""


def program(*classes: str) -> Callable[[Program], Program]:
    """Note that a function runs the wrappers of some classes."""

    def note(function: Program) -> Program:
        PROGRAMS.update(dict.fromkeys(classes, function))
        return function

    return note


def run(page: str, wrapper: dict[str, Any]) -> Result:
    """The records by a wrapper: the name of its class, its settings, and the order of fields."""
    records, complete = PROGRAMS[wrapper["class"]](page, **wrapper["settings"])
    if columns := wrapper.get("columns"):
        records = [
            {name: record[name] for name in (*columns, *record) if name in record}
            for record in records
        ]
    return records, complete


def stretches(*classes: str) -> Callable[[Stretches], Stretches]:
    """Note that a function knows the stretches of some classes."""

    def note(function: Stretches) -> Stretches:
        STRETCHES.update(dict.fromkeys(classes, function))
        return function

    return note
