"""Recycling one page: copy old records where they still hold, extract the rest (section 6).

    old page    CS 105 | CS 310        old records: CS 105 at 0, CS 310 at 9
    new page    CS 105 | CS 311
    copies      CS 105                 the record at 0 is copied and shifted by 0
    gaps                 CS 311        extracted alone, and shifted by 9
    result      CS 105 at 0, CS 311 at 9

Departure: the paper trusts the declared scope and context. Here a record that contradicts the
locality, old or new, makes the page be extracted as a whole.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowen._core import segment_bounds
from rowen.extractors.base import Extractor, columns_of, grain_of, schema_of
from rowen.extractors.locality import Locality, Scan, Segments, Window
from rowen.model import ExtractionError, Page
from rowen.records import Record, Records
from rowen.records.packed import NOWHERE, Packed, Shapes, join, pack, unpack
from rowen.recycling.match import match_regions
from rowen.recycling.page_regions import PageRegions, Table
from rowen.recycling.regions import derive_regions, useful_length


class Recycled(NamedTuple):
    """The records of a page; how many of its characters were extracted, and how many were not."""

    records: Packed
    extracted: int
    copied: int
    failure: str | None = None
    steps: tuple[Packed, ...] = ()
    """Of a chain: the records of the steps before the last one."""


def recycle(
    extractor: Extractor,
    old_page: Page | str,
    old_records: Sequence[Record],
    new_page: Page | str,
    matcher: str = "auto",
) -> Records:
    r"""The extractor's records of the new page, copied from the old page where that is safe.

    The result is that of `extractor.extract(new_page)`, as a set, in the order of the page. If the
    old records say that the extractor stopped early, they are used only for a page with the same
    text.

    >>> import rowen
    >>> rooms = rowen.Pattern(r"(?P<room>CS \d{3})")
    >>> old, new = rowen.Page("CS 105\nCS 310"), rowen.Page("CS 105\nCS 311")
    >>> recycle(rooms, old, rooms.extract(old), new) == rooms.extract(new)
    True
    """
    old, new = Page.of(old_page), Page.of(new_page)
    failure = getattr(old_records, "failure", None)
    if failure is not None and old.text != new.text:
        return extractor.extract(new)
    shapes = Shapes()
    length = useful_length(grain_of(extractor))
    matches = match_regions(old.text, new.text, "anchor" if matcher == "auto" else matcher, length)
    regions = derive_regions(grain_of(extractor), matches, old.text, new.text)
    # Nothing can be copied: packing and unpacking would only take time.
    if len(regions.gaps) == 1 and tuple(regions.gaps[0]) == (0, len(new.text)):
        return extractor.extract(new)
    recycled = apply(extractor, regions, pack(old_records, shapes), new, shapes)
    schema = schema_of(extractor)
    records = unpack(recycled.records.as_set(shapes), shapes, new, schema)
    return Records(
        records,
        failure=failure if recycled.copied else recycled.failure,
        schema=schema,
        fields=columns_of(extractor),
    )


def apply(
    extractor: Extractor, regions: PageRegions, old_records: Packed, new: Page, shapes: Shapes
) -> Recycled:
    """Copy and extract as planned; extract the whole page if records contradict the locality."""
    copied = copy_records(regions.copies, old_records)
    if copied is None or not _respects(extractor, regions.locality, regions.old, old_records):
        # If one old record is longer than it may be, others like it would be missed.
        return whole(extractor, new, shapes)
    parts = [copied]
    for stretch in _stretches(regions.locality, regions.gaps, new):
        packed = _extracted(extractor, regions.locality, stretch, new, shapes)
        if packed is None:
            return whole(extractor, new, shapes)
        parts.append(packed)
    return Recycled(join(parts), regions.left, len(new.text) - regions.left)


class _Stretch(NamedTuple):
    """A text to extract, and the parts of the page that it is made of."""

    text: str
    starts: NDArray[np.int64]
    """Where each part begins in the text: after the context that a scan needs."""
    gaps: Table
    """Start and end of each part on the page."""


def _stretches(locality: Locality | Scan, gaps: Table, new: Page) -> Iterator[_Stretch]:
    """The texts to call an extractor for: each gap by itself, or all at once if segments allow it.

    Gaps joined by a separator of one character make a text with just their segments. A longer
    separator could form other separators with the characters next to it.
    """
    if len(gaps) > 1 and isinstance(locality, Segments) and locality.of_marks:
        text = locality.separators[0].join(new.text[start:end] for start, end in gaps.tolist())
        sizes = gaps[:, 1] - gaps[:, 0] + 1
        yield _Stretch(text, np.cumsum(sizes) - sizes, gaps)
        return
    before, after = (locality.behind, locality.ahead) if isinstance(locality, Scan) else (0, 0)
    for at, (start, end) in enumerate(gaps.tolist()):
        begin = max(start - before, 0)
        text = new.text[begin : end + after]
        yield _Stretch(text, np.array([start - begin], np.int64), gaps[at : at + 1])


def _extracted(
    extractor: Extractor, locality: Locality | Scan, stretch: _Stretch, new: Page, shapes: Shapes
) -> Packed | None:
    """The records of a stretch, moved to their positions on the page.

    None if they contradict the locality.
    """
    try:
        records = extractor.extract(Page(stretch.text, id=new.id))
    except Exception:  # noqa: BLE001  # it may fail on a part, and not on the page
        return None
    packed = pack(records, shapes)
    starts, ends = packed.extents()
    # Each of these may be due to the cut: only the whole page can say what its records are.
    if (
        records.failure is not None
        or np.any(starts == NOWHERE)
        or not packed.fits(len(stretch.text))
        or not _respects(extractor, locality, stretch.text, packed)
    ):
        return None
    if len(stretch.gaps) > 1:
        # Gaps that are joined are not neighbours on the page: a record across two of them is none.
        part = np.searchsorted(stretch.starts, starts, "right") - 1
        shifts = (stretch.gaps[:, 0] - stretch.starts)[part]
        return packed.shift(shifts) if np.all(ends + shifts <= stretch.gaps[part, 1]) else None
    start, end = stretch.gaps[0].tolist()
    if isinstance(locality, Window):
        beta = locality.context
        # The paper's rule: a record counts only if its context lies in the extraction region. The
        # context of a record at the edge of the page ends there.
        valid = (starts >= (beta if start else 0)) & (
            ends <= end - start - (beta if end < len(new.text) else 0)
        )
        packed = packed if valid.all() else packed.take(np.flatnonzero(valid))
    if isinstance(locality, Scan):
        # No match crosses the edges of the gap. What lies outside of it was extracted without its
        # own context.
        start -= int(stretch.starts[0])
        valid = (starts + start >= stretch.gaps[0, 0]) & (ends + start <= end)
        packed = packed if valid.all() else packed.take(np.flatnonzero(valid))
    return packed.shift(start)


def whole(extractor: Extractor, page: Page, shapes: Shapes) -> Recycled:
    """Extract the page from scratch."""
    records = extractor.extract(page)
    packed = pack(records, shapes)
    if not packed.fits(len(page.text)):
        reason = f"gave spans outside the page, which has {len(page.text):,} characters"
        raise ExtractionError(extractor.name, page.id, reason)
    return Recycled(packed, len(page.text), 0, records.failure)


def copy_records(copies: Table, records: Packed) -> Packed | None:
    """The old records in copy regions, shifted; None if a record has no position at all."""
    starts, ends = records.extents()
    if np.any(starts == NOWHERE):
        return None
    # Sorted by their starts, the records that begin in a region are one slice. The paper probes
    # each mention against all copy regions instead.
    order = np.argsort(starts, kind="stable")
    firsts, lasts, shifts = copies.T
    begins = np.searchsorted(starts[order], firsts)
    counts = np.searchsorted(starts[order], lasts + 1) - begins
    # The records that begin in each copy region, one region after the other.
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = order[np.repeat(begins, counts) + within]
    inside = ends[rows] <= np.repeat(lasts, counts)
    return records.take(rows[inside]).shift(np.repeat(shifts, counts)[inside])


def _respects(extractor: Extractor, locality: Locality | Scan, text: str, records: Packed) -> bool:
    """Whether no record of a text is longer than the scope, or crosses a separator.

    Segments that an extractor has proved need no check, which would take as long as extraction.
    """
    starts, ends = records.extents()
    if isinstance(locality, Window):
        # Definition 3 of the paper says shorter than α. Here α is the longest length that is
        # allowed.
        return not np.any(ends - starts > locality.scope)
    if isinstance(locality, Segments) and len(starts) and not getattr(extractor, "proved", False):
        firsts, lasts = segment_bounds(text, locality.separators)
        at = np.searchsorted(firsts, starts, "right") - 1
        return not np.any((at < 0) | (ends > lasts[at]))
    return True
