"""Trees of records of one kind, such as comments with replies: the class tree."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from rowen.programs.parts.landmarks import find_beginnings
from rowen.programs.parts.places import extent
from rowen.programs.parts.result import Record, Result, program, run
from rowen.programs.parts.tags import read_tags

LEVELS = 32
"""Records that nest deeper count as those of this level."""


@program("tree")
def read_levels(page: str, *, nested: str, wrapper: dict[str, Any]) -> Result:
    """The records of the first level, each with those below it in the field `nested`.

    One belongs to the nearest record before it that begins less deep in the page's elements.
    """
    records, complete = run(page, wrapper)
    top: list[Record] = []
    path: list[tuple[int, Record]] = []
    for depth, record in zip(_depths(page, wrapper, records), records, strict=True):
        while path and path[-1][0] >= depth:
            path.pop()
        if len(path) == LEVELS:
            last = path[-1][0]
            while path and path[-1][0] >= last:
                path.pop()
        level = {**record, nested: []}
        (path[-1][1][nested] if path else top).append(level)
        path.append((depth, level))
    return top, complete


def _depths(page: str, wrapper: dict[str, Any], records: list[Record]) -> Iterator[int]:
    """How many elements are around the tag that begins each record."""
    while wrapper["class"] == "nested":
        wrapper = wrapper["settings"]["parent"]
    tags = read_tags(page)
    around = [0] * len(tags)
    for number, tag in enumerate(tags[1:], 1):
        around[number] = around[tag.parent] + 1
    beginnings = find_beginnings(page, tags, wrapper["settings"]["record"])
    starts = [tags[number].start for number in beginnings]
    for record in records:
        bounds = extent(record)
        place = -1 if bounds is None else bisect_right(starts, bounds[0]) - 1
        yield around[beginnings[place]] if place >= 0 else 0
