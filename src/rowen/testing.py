"""Checks that authors of extractors run in their own tests."""

import random
from collections.abc import Iterable, Iterator

from rowen.extractors.base import Extractor
from rowen.extractors.locality import Segments, WholePage, Window
from rowen.model import LocalityError, Page, Record, Records, Span

__all__ = ["check_locality"]


def check_locality(
    extractor: Extractor,
    pages: Iterable[Page | str],
    *,
    trials: int = 20,
    seed: int = 0,
) -> int:
    """Try to catch an extractor looking further than its locality says.

    Text outside the declared reach is perturbed, for a window around records and around other
    places, for segments by taking them apart and shuffling them, `trials` times a page; the records
    inside must stay, and no others may come. Raises `LocalityError` with the smallest part of the
    story, else gives the number of comparisons made. More pages with more records find more.
    """
    chance = random.Random(seed)  # noqa: S311  # not for secrets
    compared = 0
    for given in pages:
        page = Page.of(given)
        records = extractor.extract(page)
        if extractor.extract(page) != records:
            raise LocalityError(f"{extractor.name!r} gives other records on each call: {page.id}")
        compared += 1
        match extractor.locality:
            case Window():
                _check_scope(extractor, extractor.locality, records)
                compared += _check_window(extractor, page, records, trials, chance)
            case Segments():
                compared += _check_segments(extractor, page, records, trials, chance)
            case WholePage():
                pass
    return compared


def _check_scope(extractor: Extractor, window: Window, records: Records) -> None:
    for record in records:
        extent = record.extent
        if extent is not None and extent.length > window.scope:
            raise LocalityError(
                f"{extractor.name!r} has a scope of {window.scope}, but gave {record!r} "
                f"of {extent.length} characters"
            )


def _check_window(
    extractor: Extractor, page: Page, records: Records, trials: int, chance: random.Random
) -> int:
    window = extractor.locality
    assert isinstance(window, Window)
    text = page.text
    for _ in range(trials):
        kept = _around(text, records, window, chance)
        # The page's edge is part of what lies within the context, so nothing is put before it.
        edges = (kept.start == 0, kept.end == len(text))
        before = "" if edges[0] else _noise(text, records, chance)
        after = "" if edges[1] else _noise(text, records, chance)
        changed = Page(before + kept.of(text) + after, id=f"{page.id} (perturbed)")
        by = len(before) - kept.start
        mine = {
            record.shift(by, changed)
            for record in records
            if _lies_within(record, kept, window.context, edges)
        }
        moved = Span(len(before), len(before) + kept.length)
        theirs = {
            record
            for record in extractor.extract(changed)
            if _lies_within(record, moved, window.context, edges)
        }
        if mine != theirs:
            _complain(extractor, page, changed, mine, theirs)
    return trials


def _around(text: str, records: Records, window: Window, chance: random.Random) -> Span:
    """A stretch of text to keep: exactly a record's context, or any other place."""
    extents = [extent for record in records if (extent := record.extent) is not None]
    if extents and chance.random() < 0.7:
        extent = chance.choice(extents)
        start, end = extent.start - window.context, extent.end + window.context
    else:
        start = chance.randint(0, len(text))
        end = start + chance.randint(0, 2 * window.context + window.scope + 1)
    return Span(max(start, 0), min(max(end, 0), len(text)))


def _lies_within(record: Record, kept: Span, context: int, edges: tuple[bool, bool]) -> bool:
    """Whether all that decides about the record was kept, the page's edges included."""
    extent = record.extent
    if extent is None:
        return False
    start, end = extent.start - context, extent.end + context
    return (edges[0] or start >= kept.start) and (edges[1] or end <= kept.end)


def _check_segments(
    extractor: Extractor, page: Page, records: Records, trials: int, chance: random.Random
) -> int:
    segments = extractor.locality
    assert isinstance(segments, Segments)
    parts = list(segments.split(page.text))
    compared = _compare_segments(extractor, page, parts, records)
    for _ in range(trials):
        chosen = [chance.choice(parts) for _ in range(chance.randint(0, 8))]
        text = ""
        for part in chosen:
            text += part.of(page.text) + chance.choice(segments.separators)
        if text and chance.random() < 0.5:
            text = text[: len(text) - 1]
        shuffled = Page(text, id=f"{page.id} (shuffled)")
        pieces = list(segments.split(text))
        compared += _compare_segments(extractor, shuffled, pieces, extractor.extract(shuffled))
    return compared


def _compare_segments(extractor: Extractor, page: Page, parts: list[Span], records: Records) -> int:
    apart = {record for part in parts for record in _alone(extractor, page, part)}
    if apart != set(records):
        _complain(extractor, page, page, apart, set(records))
    return 1


def _alone(extractor: Extractor, page: Page, part: Span) -> Iterator[Record]:
    for record in extractor.extract(Page(part.of(page.text), id=page.id)):
        yield record.shift(part.start, page)


def _noise(text: str, records: Records, chance: random.Random) -> str:
    """Text that may trap an extractor: records and parts of them, bits of the page, and others."""
    pieces = []
    for _ in range(chance.randint(0, 4)):
        extent = chance.choice(records).extent if records else None
        if extent is not None and chance.random() < 0.4:
            start = extent.start + chance.randint(-3, extent.length // 2)
            pieces.append(text[max(start, 0) : extent.end + chance.randint(0, 3)])
        elif text and chance.random() < 0.7:
            start = chance.randrange(len(text))
            pieces.append(text[start : start + chance.randint(1, 40)])
        else:
            pieces.append("".join(chance.choices("aZ09_ .<>\n\r\"'-é", k=chance.randint(1, 8))))
    return "".join(pieces)


def _complain(
    extractor: Extractor, page: Page, changed: Page, expected: set[Record], found: set[Record]
) -> None:
    lost, new = expected - found, found - expected
    parts = [
        f"{verb} {min(map(repr, records))}"
        for verb, records in (("lost", lost), ("gained", new))
        if records
    ]
    raise LocalityError(
        f"{extractor.name!r} looks further than {extractor.locality}: on {page.id}, with "
        f"other text outside its reach, it {' and '.join(parts)}; text: {changed.text[:200]!r}"
    )
