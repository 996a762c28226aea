"""Boundaries: the tags that may begin a record, read off the marked ones.

    <ul><li><b>Ada</b><li><b>Bob</b></ul>      marked: Ada, Bob      boundaries <li>, <b>

Between two marked records every tag that also comes before the others may begin one. Where each
page has only one record, nothing repeats; then the element around the record's values is its own,
unless it is a list or a table by its name.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from rowen._core import name_digest
from rowen.induction import budget
from rowen.landmarks import context
from rowen.landmarks.sample import MarkedRecord, Sample
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Boundary

CONTAINERS = "html body main ul ol dl table thead tbody tfoot menu select datalist"
"""Elements that hold records and never are one."""


@cache
def _containers() -> frozenset[int]:
    return frozenset(name_digest(name) for name in CONTAINERS.split())


def lone_boundaries(sample: Sample) -> Iterator[Boundary]:
    """The tags that may begin records of which each page has one: the element around it first."""
    homes = [_home(sample.outlines[record.page], record) for record in sample.marked]
    if homes and all(home is not None for home in homes):
        tags = [
            (sample.outlines[record.page], home)
            for record, home in zip(sample.marked, homes, strict=True)
            if home is not None
        ]
        yield from _of_tags(tags)
    yield from reversed(find_boundaries(sample))


def _home(outline: Outline, record: MarkedRecord) -> int | None:
    """The start tag of the innermost element that has all values; None for a list or table."""
    first, last = record.tags
    around = [first, *outline.ancestors(first)]
    elements = (tag for tag in around if outline.is_start(tag) and outline.closes[tag] > last)
    home = next(elements, None)
    return None if home is None or int(outline.names[home]) in _containers() else home


def _of_tags(tags: Sequence[tuple[Outline, int]]) -> Iterator[Boundary]:
    """Boundaries at these tags: with and without their attributes and the element around them."""
    parent = context.shared_tag([(outline, int(outline.parents[tag])) for outline, tag in tags])
    for all_attributes in (False, True):
        tag = context.shared_tag(tags, all_attributes=all_attributes)
        if tag is not None:
            # No two elements of a page have one id: the next record has another.
            named = tuple(pair for pair in tag.attributes if pair[0] != "id")
            for around in _unique(parent, None):
                yield Boundary(replace(tag, attributes=named), around)


def find_boundaries(sample: Sample) -> list[Boundary]:
    """The tags that may begin records, outermost first."""
    gaps = _gaps(sample)
    starts = [_start_tags(outline, first, last) for outline, first, last in gaps]
    looks = set.intersection(*(set(tags) for tags in starts)) if starts else set()
    boundaries: list[tuple[float, int, Boundary]] = []
    for name in looks:
        budget.check()
        # The first such tag after the record before, or the nearest to the record: nested elements
        # of one name begin at different tags.
        for nearest in (False, True):
            tags = [
                (outline, by_looks[name][-1 if nearest or first < 0 else 0])
                for (outline, first, _), by_looks in zip(gaps, starts, strict=True)
            ]
            around = [(outline, int(outline.parents[tag])) for outline, tag in tags]
            parent = context.shared_tag(around)
            depth = float(np.mean([outline.depth(tag) for outline, tag in tags]))
            rank = 0
            for all_attributes in (False, True):
                tag = context.shared_tag(tags, all_attributes=all_attributes)
                assert tag is not None
                for around_tag in _unique(parent, None):
                    boundaries.append((depth, rank, Boundary(tag, around_tag)))
                    rank += 1
    boundaries.sort(key=lambda ranked: ranked[:2])
    return list(dict.fromkeys(boundary for _, _, boundary in boundaries))


def _unique(*tags: Tag | None) -> list[Tag | None]:
    return list(dict.fromkeys(tags))


def _gaps(sample: Sample) -> list[tuple[Outline, int, int]]:
    """For each record the tags from the end of the record before; -1 where there is none."""
    gaps = []
    before: MarkedRecord | None = None
    for record in sample.marked:
        first = before.tags[1] + 1 if before is not None and before.page == record.page else -1
        gaps.append((sample.outlines[record.page], first, record.tags[0]))
        before = record
    return gaps


def _start_tags(outline: Outline, first: int, last: int) -> dict[object, list[int]]:
    """The start tags before a record, by their name, and by name and naming attributes."""
    by_looks: dict[object, list[int]] = defaultdict(list)
    if first < 0:  # the page's first record: the elements around it, and the tags just before it
        tags = {*outline.ancestors(last), last, *range(max(1, last - 40), last + 1)}
    else:
        tags = set(range(first, last + 1))
    for tag in sorted(tags):
        if outline.is_start(tag):
            by_looks[int(outline.names[tag])].append(tag)
            by_looks[context.looks(outline, tag)].append(tag)
    return by_looks
