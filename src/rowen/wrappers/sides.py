"""Left and right delimiters of the nested and missing-field classes: saved, read, described."""

from collections.abc import Sequence
from typing import Any

from rowen.extractors.definition import Definition


def save_sides(left: Sequence[str], right: Sequence[str]) -> dict[str, Any]:
    """The delimiters under the keys that all wrapper files share; None where there is none."""
    return {
        "head": None,
        "tail": None,
        "open": None,
        "close": None,
        "left": list(left),
        "right": list(right),
    }


def read_sides(definition: Definition) -> tuple[list[str], list[str]]:
    """The left and the right delimiters."""
    return read_texts(definition, "left"), read_texts(definition, "right")


def read_texts(definition: Definition, key: str) -> list[str]:
    """A setting that must be a list of strings."""
    texts: list[str] | None = definition.get(key, list)
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise definition.error(f"{key!r} must be a list of strings")
    return texts


def check_sides(
    fields: Sequence[str], left: Sequence[str], right: Sequence[str], *, optional: bool
) -> str | None:
    """What is wrong with delimiters; where they are optional, a field may have neither."""
    if not len(fields) == len(left) == len(right):
        return "each field must have one left and one right delimiter"
    if not optional and not all(left):
        return "a delimiter must not be empty"
    for field, before, after in zip(fields, left, right, strict=True):
        # Both are empty for a field that no example had; one alone would never match.
        if bool(before) != bool(after):
            return f"field {field!r} has one delimiter without the other"
    return None


def describe(fields: Sequence[str], left: Sequence[str], right: Sequence[str]) -> list[str]:
    """One line per field."""
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
