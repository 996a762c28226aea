"""To which records of a page others belong, and where records are."""

from bisect import bisect_right
from typing import Any

from rowen.programs.parts.places import extent
from rowen.programs.parts.result import STRETCHES, Place, Record


def find_stretches(page: str, wrapper: dict[str, Any] | None) -> list[Place] | None:
    """The stretches of a page in which the records of a wrapper are."""
    if wrapper is None or wrapper["class"] not in STRETCHES:
        return None
    return STRETCHES[wrapper["class"]](page, wrapper["settings"])


def share_out(
    parents: list[Record], nested: list[Record], belongs: str, around: list[Place] | None
) -> list[list[Record]]:
    """For each parent the nested records that belong to it; some may belong to none.

    They belong to the parent that starts `before` or `after` them, or `inside` the parent's own
    stretch, or all to the only record of the `page`.
    """
    if len(parents) == 1 and belongs == "page":
        return [nested]
    shares: list[list[Record]] = [[] for _ in parents]
    starts: list[int] = []
    for parent in parents:
        latest = starts[-1] if starts else 0
        bounds = extent(parent)
        starts.append(latest if bounds is None else max(latest, bounds[0]))
    homes: dict[int, int] = {}
    inside = belongs == "inside" and around is not None
    for number, start in enumerate(starts if inside else ()):
        homes.setdefault(_last(around or [], start), number)
    for record in nested:
        bounds = extent(record)
        owner: int | None = None
        if bounds is not None and inside and around:
            place = _last(around, bounds[0])
            owner = homes.get(place) if place >= 0 and bounds[1] <= around[place][1] else None
        elif bounds is not None and not inside:
            owner = bisect_right(starts, bounds[0]) - (belongs != "before")
        if owner is not None and 0 <= owner < len(parents):
            shares[owner].append(record)
    return shares


def _last(around: list[Place], start: int) -> int:
    """The last stretch that begins at or before a place; -1 without any."""
    return bisect_right(around, start, key=lambda stretch: stretch[0]) - 1
