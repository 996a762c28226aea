"""Boundaries: which tags may begin the records of a sample."""

from collections import defaultdict

import numpy as np

from rowen.wrappers import budget
from rowen.wrappers.token import context
from rowen.wrappers.token.landmark import Tag
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.sample import Marked, Sample
from rowen.wrappers.token.wrapper import Boundary


def boundaries(sample: Sample) -> list[Boundary]:
    """Tags that begin records, outermost first."""
    gaps = _gaps(sample)
    starts = [_start_tags(outline, first, last) for outline, first, last in gaps]
    looks = set.intersection(*(set(some) for some in starts)) if starts else set()
    found: list[tuple[float, int, Boundary]] = []
    for name in looks:
        budget.check()
        for nearest in (False, True):
            tags = [
                (outline, some[name][-1 if nearest or first < 0 else 0])
                for (outline, first, _), some in zip(gaps, starts, strict=True)
            ]
            around = [(outline, int(outline.parents[one])) for outline, one in tags]
            parent = context.shared_tag(around)
            depth = float(np.mean([outline.depth(one) for outline, one in tags]))
            rank = 0
            for all_attributes in (False, True):
                tag = context.shared_tag(tags, all_attributes=all_attributes)
                assert tag is not None
                for one in _unique(parent, None):
                    found.append((depth, rank, Boundary(tag, one)))
                    rank += 1
    found.sort(key=lambda one: one[:2])
    return list(dict.fromkeys(boundary for _, _, boundary in found))


def _unique(*given: Tag | None) -> list[Tag | None]:
    return list(dict.fromkeys(given))


def _gaps(sample: Sample) -> list[tuple[Outline, int, int]]:
    """For each record the tags before it, after the record before; -1 where there is none."""
    gaps = []
    before: Marked | None = None
    for one in sample.marked:
        first = before.tags[1] + 1 if before is not None and before.page == one.page else -1
        gaps.append((sample.outlines[one.page], first, one.tags[0]))
        before = one
    return gaps


def _start_tags(outline: Outline, first: int, last: int) -> dict[object, list[int]]:
    """The start tags before a record, by their name, and by name and naming attributes."""
    found: dict[object, list[int]] = defaultdict(list)
    if first < 0:  # the page's first record: what is around it, and what stands just before
        tags = {*outline.ancestors(last), last, *range(max(1, last - 40), last + 1)}
    else:
        tags = set(range(first, last + 1))
    for tag in sorted(tags):
        if outline.is_start(tag):
            found[int(outline.names[tag])].append(tag)
            found[context.looks(outline, tag)].append(tag)
    return found
