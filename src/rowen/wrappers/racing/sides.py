"""Left and right delimiters as they are saved, read and told."""

from collections.abc import Sequence
from typing import Any

from rowen.extractors.definition import Definition


def save_sides(
    left: Sequence[str], right: Sequence[str], *, head: str | None = None, tail: str | None = None
) -> dict[str, Any]:
    """The delimiters under the keys that all wrapper files share."""
    return {
        "head": head,
        "tail": tail,
        "open": None,
        "close": None,
        "left": list(left),
        "right": list(right),
    }


def read_sides(definition: Definition) -> tuple[list[str], list[str]]:
    """The left and the right delimiters."""
    found = []
    for key in ("left", "right"):
        given = definition.get(key, list)
        if given is None or not all(isinstance(one, str) for one in given):
            raise definition.error(f"{key!r} must be a list of strings")
        found.append(given)
    return found[0], found[1]


def check_sides(
    fields: Sequence[str], left: Sequence[str], right: Sequence[str], *, optional: bool
) -> str | None:
    """What is wrong with delimiters; where they are optional, a field may have neither."""
    if not len(fields) == len(left) == len(right):
        return "there is one left and one right delimiter a field"
    if not optional and not all(left):
        return "a delimiter must not be empty"
    for field, before, after in zip(fields, left, right, strict=True):
        if bool(before) != bool(after):
            return f"field {field!r} has one delimiter without the other"
    return None


def describe(fields: Sequence[str], left: Sequence[str], right: Sequence[str]) -> list[str]:
    """A line a field."""
    return [
        f"  {field}: starts after {before!r}, ends before the next {after!r}"
        if before
        else f"  {field}: was in no example and is never looked for"
        for field, before, after in zip(fields, left, right, strict=True)
    ]


def describe_ends(head: str, tail: str) -> list[str]:
    """Where the records start and end."""
    start = f"Everything before the first {head!r} is skipped." if head else ""
    return [*filter(None, [start]), f"The records end where {tail!r} comes before the next value."]
