"""Ownership: to which record of a page the records of a nested field belong.

Learning tries these ways on the labels.

    <h2>Tea</h2> <q>good</q> <q>fine</q> <h2>Milk</h2> <q>sour</q>      parents Tea and Milk

    after     each <q> belongs to the last parent that starts before it
    before    each <q> belongs to the first parent that starts after it
    inside    each <q> belongs to the parent in whose stretch it is (token wrappers with a
              boundary), or in whose object (data wrappers with a path to their records)
    page      the page has one parent, and all belong to it
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from rowen.model import Page
from rowen.records import Record
from rowen.wrappers.base import Wrapper
from rowen.wrappers.data.wrapper import Data
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Token

Ownership: TypeAlias = Literal["page", "inside", "after", "before"]

OWNERSHIPS: tuple[Ownership, ...] = get_args(Ownership)

WORDS: dict[Ownership, str] = {
    "page": "all of a page belong to its record",
    "inside": "each belongs to the record around it",
    "after": "each belongs to the record that starts before it",
    "before": "each belongs to the record that starts after it",
}

Region: TypeAlias = tuple[int, int]


def regions_of(wrapper: Wrapper | None, page: Page) -> list[Region] | None:
    """The stretches of a page in which a wrapper's records are; None where it knows none."""
    if isinstance(wrapper, Mixture):
        wrapper = wrapper.route(page)[0]
    if isinstance(wrapper, Data):
        return wrapper.regions(page) or None
    if not isinstance(wrapper, Token) or wrapper.record is None:
        return None
    outline = Outline(page.text)
    return [
        (outline.start_of(first), outline.start_of(end))
        for first, end in wrapper.record.stretches(outline)
    ]


def share_out(
    parents: Sequence[Record],
    nested: Sequence[Record],
    ownership: Ownership,
    regions: Sequence[Region] | None,
) -> list[list[Record]]:
    """For each parent the nested records that belong to it; some may belong to none."""
    shares: list[list[Record]] = [[] for _ in parents]
    if len(parents) == 1 and ownership == "page":
        return [list(nested)]
    starts = _starts(parents)
    homes = _homes(starts, regions) if ownership == "inside" and regions is not None else None
    for record in nested:
        extent = record.extent
        if extent is None:
            continue
        if homes is not None and regions is not None:
            place = bisect_right(regions, (extent.start, len(record.page.text) + 1)) - 1
            owner = homes.get(place) if place >= 0 and extent.end <= regions[place][1] else None
        else:
            place = bisect_right(starts, extent.start) - (ownership != "before")
            owner = place if 0 <= place < len(parents) else None
        if owner is not None:
            shares[owner].append(record)
    return shares


def _starts(parents: Sequence[Record]) -> list[int]:
    """Where each parent starts, in page order; one without values starts where the last did."""
    starts: list[int] = []
    for parent in parents:
        extent = parent.extent
        latest = starts[-1] if starts else 0
        starts.append(latest if extent is None else max(latest, extent.start))
    return starts


def _homes(starts: Sequence[int], regions: Sequence[Region]) -> dict[int, int]:
    """The parent of each region, by their numbers."""
    homes: dict[int, int] = {}
    for number, start in enumerate(starts):
        place = bisect_right(regions, (start, regions[-1][1] + 1 if regions else 0)) - 1
        if place >= 0:
            homes.setdefault(place, number)
    return homes
