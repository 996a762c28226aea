"""Recycling one page: old records where they still hold, extraction where they don't."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen._core import segment_bounds
from rowen.extractors.base import Extractor, grain_of
from rowen.extractors.locality import Locality, Segments, Window
from rowen.model import ExtractionError, Page, Record, Records
from rowen.model.packed import NOWHERE, Packed, Shapes, join, pack, unpack
from rowen.reuse.match import match_regions
from rowen.reuse.regions import reuse, useful_length
from rowen.reuse.shares import Reuse, Table


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

    The same as `extractor.extract(new_page)`, as sets, in the order of the page. Where the old
    records say that the extractor stopped early, only a page with the same text has their like.
    """
    old, new = Page.of(old_page), Page.of(new_page)
    failure = getattr(old_records, "failure", None)
    if failure is not None and old.text != new.text:
        return extractor.extract(new)
    shapes = Shapes()
    length = useful_length(grain_of(extractor))
    regions = match_regions(old.text, new.text, "anchor" if matcher == "auto" else matcher, length)
    plan = reuse(grain_of(extractor), regions, old.text, new.text)
    if len(plan.gaps) == 1 and tuple(plan.gaps[0]) == (0, len(new.text)):
        return extractor.extract(new)
    made = apply(extractor, plan, pack(old_records, shapes), new, shapes)
    records = unpack(made.records.as_set(shapes), shapes, new)
    return Records(records, failure=failure if made.copied else made.failure)


def apply(
    extractor: Extractor, plan: Reuse, old_records: Packed, new: Page, shapes: Shapes
) -> Recycled:
    """Copy and extract as planned; extract the whole page where its records belie the locality."""
    copied = _copied(plan, old_records)
    if copied is None or not _keeps(extractor, plan.locality, plan.old, old_records):
        # Where one old record is longer than it may be, others like it would be missed.
        return whole(extractor, new, shapes)
    parts = [copied]
    for stretch in _stretches(plan.locality, plan.gaps, new):
        packed = _extracted(extractor, plan.locality, stretch, new, shapes)
        if packed is None:
            return whole(extractor, new, shapes)
        parts.append(packed)
    return Recycled(join(parts), plan.left, len(new.text) - plan.left)


class _Stretch(NamedTuple):
    """A text to extract, and the parts of the page that it is made of."""

    text: str
    starts: NDArray[np.int64]
    """Where each part begins in the text."""
    gaps: Table
    """From where to where it goes on the page."""


def _stretches(locality: Locality, gaps: Table, new: Page) -> Iterator[_Stretch]:
    """What an extractor is called for: gaps one by one, or all at once where segments allow that.

    Between two gaps a separator of one character makes a text with just their segments. A longer
    one could make others with the characters next to it.
    """
    if len(gaps) > 1 and isinstance(locality, Segments) and locality.of_marks:
        text = locality.separators[0].join(new.text[start:end] for start, end in gaps.tolist())
        sizes = gaps[:, 1] - gaps[:, 0] + 1
        yield _Stretch(text, np.cumsum(sizes) - sizes, gaps)
        return
    for at, (start, end) in enumerate(gaps.tolist()):
        yield _Stretch(new.text[start:end], np.zeros(1, np.int64), gaps[at : at + 1])


def _extracted(
    extractor: Extractor, locality: Locality, stretch: _Stretch, new: Page, shapes: Shapes
) -> Packed | None:
    """The records of a stretch where they stand on the page; None where they belie the locality."""
    try:
        found = extractor.extract(Page(stretch.text, id=new.id))
    except Exception:  # noqa: BLE001  # it may fail on a part, and not on the page
        return None
    packed = pack(found, shapes)
    starts, ends = packed.extents()
    if (
        found.failure is not None
        or np.any(starts == NOWHERE)
        or not packed.fits(len(stretch.text))
        or not _keeps(extractor, locality, stretch.text, packed)
    ):
        return None
    if len(stretch.gaps) > 1:
        part = np.searchsorted(stretch.starts, starts, "right") - 1
        shifts = (stretch.gaps[:, 0] - stretch.starts)[part]
        return packed.shift(shifts) if np.all(ends + shifts <= stretch.gaps[part, 1]) else None
    start, end = stretch.gaps[0].tolist()
    if isinstance(locality, Window):
        beta = locality.context
        kept = (starts >= (beta if start else 0)) & (
            ends <= end - start - (beta if end < len(new.text) else 0)
        )
        packed = packed if kept.all() else packed.take(np.flatnonzero(kept))
    return packed.shift(start)


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
    return records.take(rows[inside]).shift(np.repeat(shifts, counts)[inside])


def _keeps(extractor: Extractor, locality: Locality, text: str, records: Packed) -> bool:
    """Whether no record of a text is longer than the window, or crosses a separator.

    Segments that an extractor has proved need no check, which would take as long as to extract.
    """
    starts, ends = records.extents()
    if isinstance(locality, Window):
        return not np.any(ends - starts > locality.scope)
    if isinstance(locality, Segments) and len(starts) and not getattr(extractor, "proved", False):
        firsts, lasts = segment_bounds(text, locality.separators)
        at = np.searchsorted(firsts, starts, "right") - 1
        return not np.any((at < 0) | (ends > lasts[at]))
    return True
