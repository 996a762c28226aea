"""Recycling one page: old records where they still hold, extraction where they don't."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rowen.extractors.base import Extractor, grain_of
from rowen.extractors.locality import Locality, Window
from rowen.model import ExtractionError, Page, Record, Records
from rowen.model.packed import NOWHERE, Packed, Shapes, join, pack, unpack
from rowen.reuse.match import match_regions
from rowen.reuse.regions import Reuse, reuse, useful_length


class Recycled(NamedTuple):
    """The records of a page, how many characters were extracted for them, and how many copied."""

    records: Packed
    extracted: int
    copied: int
    failure: str | None = None


def recycle(
    extractor: Extractor,
    old_page: Page | str,
    old_records: Sequence[Record],
    new_page: Page | str,
    matcher: str = "auto",
) -> Records:
    """The extractor's records of the new page, made of those of the old one where that is safe.

    The same as `extractor.extract(new_page)`, as sets, in the order of the page.
    """
    old, new = Page.of(old_page), Page.of(new_page)
    shapes = Shapes()
    length = useful_length(grain_of(extractor))
    regions = match_regions(old.text, new.text, "anchor" if matcher == "auto" else matcher, length)
    plan = reuse(grain_of(extractor), regions, old.text, new.text)
    if len(plan.gaps) == 1 and tuple(plan.gaps[0]) == (0, len(new.text)):
        return extractor.extract(new)
    made = apply(extractor, plan, pack(old_records, shapes), new, shapes)
    return unpack(made.records.as_set(shapes), shapes, new)


def apply(
    extractor: Extractor, plan: Reuse, old_records: Packed, new: Page, shapes: Shapes
) -> Recycled:
    """Copy and extract as planned; extract the whole page where its records belie the locality."""
    locality = grain_of(extractor)
    copied = _copied(plan, old_records)
    if copied is None or not _within(locality, copied):
        return whole(extractor, new, shapes)
    parts = [copied]
    for start, end in plan.gaps.tolist():
        try:
            found = extractor.extract(Page(new.text[start:end], id=new.id))
        except Exception:  # noqa: BLE001  # it may fail on a part, and not on the page
            return whole(extractor, new, shapes)
        packed = pack(found, shapes)
        starts, ends = packed.extents()
        if (
            found.failure is not None
            or np.any(starts == NOWHERE)
            or not packed.fits(end - start)
            or not _within(locality, packed)
        ):
            return whole(extractor, new, shapes)
        if isinstance(locality, Window):
            beta = locality.context
            kept = (starts >= (beta if start else 0)) & (
                ends <= end - start - (beta if end < len(new.text) else 0)
            )
            packed = packed if kept.all() else packed.take(np.flatnonzero(kept))
        parts.append(packed.shift(start))
    spared = len(new.text) - int(np.sum(plan.gaps[:, 1] - plan.gaps[:, 0]))
    return Recycled(join(parts), len(new.text) - spared, spared)


def whole(extractor: Extractor, page: Page, shapes: Shapes) -> Recycled:
    """The page's records from scratch."""
    found = extractor.extract(page)
    packed = pack(found, shapes)
    if not packed.fits(len(page.text)):
        reason = f"gave spans outside the page, which has {len(page.text):,} characters"
        raise ExtractionError(extractor.name, page.id, reason)
    return Recycled(packed, len(page.text), 0, found.failure)


def _copied(plan: Reuse, records: Packed) -> Packed | None:
    """The old records that lie in a copied part, where they stand now; None if one is nowhere."""
    starts, ends = records.extents()
    if np.any(starts == NOWHERE):
        return None
    order = np.argsort(starts, kind="stable")
    firsts, lasts, shifts = plan.copies.T
    begins = np.searchsorted(starts[order], firsts)
    counts = np.searchsorted(starts[order], lasts + 1) - begins
    # The records that begin in each copied part, one part behind the other.
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = order[np.repeat(begins, counts) + within]
    inside = ends[rows] <= np.repeat(lasts, counts)
    by = np.repeat(shifts, counts)[inside].astype(np.int32)
    return records.take(rows[inside]).shift(by)


def _within(locality: Locality, records: Packed) -> bool:
    """Whether no record is longer than the window that its extractor declares."""
    if not isinstance(locality, Window):
        return True
    starts, ends = records.extents()
    return not np.any(ends - starts > locality.scope)
