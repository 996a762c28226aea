"""Mixtures of wrappers for several templates: the class several."""

from typing import Any

from rowen.programs.parts.places import places
from rowen.programs.parts.result import (
    STRETCHES,
    Place,
    Record,
    Result,
    program,
    run,
    stretches,
)


@program("several")
def read_mixture(page: str, *, templates: list[dict[str, Any]]) -> Result:
    """The records by the template that fits a page best."""
    best, records = _route(page, templates)
    return records, best is not None


@stretches("several")
def mixture_stretches(page: str, settings: dict[str, Any]) -> list[Place] | None:
    """The stretches by that template."""
    best, _ = _route(page, settings["templates"])
    if best is None or best["class"] not in STRETCHES:
        return None
    return STRETCHES[best["class"]](page, best["settings"])


def _route(
    page: str, templates: list[dict[str, Any]]
) -> tuple[dict[str, Any] | None, list[Record]]:
    """The template that does not fail on a page, and finds the most complete records."""
    best: tuple[tuple[int, int, int], dict[str, Any], list[Record]] | None = None
    for template in templates:
        records, fits = run(page, template)
        complete = sum(_is_complete(record) for record in records)
        incomplete = len(records) - complete
        # As `Mixture.route` does.
        fit = (complete, template["pages"], -incomplete if complete else incomplete)
        if fits and (best is None or fit > best[0]):
            best = (fit, template, records)
    return (None, []) if best is None else best[1:]


def _is_complete(record: Record) -> bool:
    return all(any(places(value)) for name, value in record.items() if name != "children")
