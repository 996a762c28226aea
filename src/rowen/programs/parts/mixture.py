"""Mixtures of wrappers for several templates: the class several."""

from collections.abc import Callable
from typing import Any

from rowen.programs.parts.result import Record, Result


def read_mixture(
    page: str, templates: list[dict[str, Any]], *, readers: dict[str, Callable[..., Result]]
) -> Result:
    """The records by the template that fits a page best.

    It does not fail on the page, and finds the most complete records.
    """
    best: tuple[tuple[int, int, int], list[Record]] | None = None
    for template in templates:
        records, fits = readers[template["reader"]](page, **template["settings"])
        complete = sum(_is_complete(record) for record in records)
        incomplete = len(records) - complete
        # As `Mixture.route` does.
        fit = (complete, template["pages"], -incomplete if complete else incomplete)
        if fits and (best is None or fit > best[0]):
            best = (fit, records)
    return ([], False) if best is None else (best[1], True)


def _is_complete(record: Record) -> bool:
    return all(value is not None for value in record.values())
