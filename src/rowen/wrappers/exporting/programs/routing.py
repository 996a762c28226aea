"""Several templates: the class several."""

from collections.abc import Callable
from typing import Any

from rowen.wrappers.exporting.programs.found import Found, Record


def read_routed(
    page: str, templates: list[dict[str, Any]], *, readers: dict[str, Callable[..., Found]]
) -> Found:
    """By the template that fits a page best: all is there, and the most complete records."""
    best: tuple[tuple[int, int, int], list[Record]] | None = None
    for template in templates:
        records, fits = readers[template["reader"]](page, **template["settings"])
        complete = sum(_is_complete(record) for record in records)
        rest = len(records) - complete
        fit = (complete, template["pages"], -rest if complete else rest)
        if fits and (best is None or fit > best[0]):
            best = (fit, records)
    return ([], False) if best is None else (best[1], True)


def _is_complete(record: Record) -> bool:
    return all(value is not None for value in record.values())
