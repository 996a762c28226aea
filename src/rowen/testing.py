"""Checks that authors of extractors run in their own tests.

page       "one CS 105 two CS 310 three"     E finds rooms, Window(scope=6, context=1)
reach          [ CS 105 ]                    a record and its context
perturbed  "xCS 3 CS 105 >> 10"              other text around it; the record must stay
"""

import random
from collections.abc import Iterable, Iterator

from rowen.extractors.base import Extractor
from rowen.extractors.locality import Segments, WholePage, Window
from rowen.model import LocalityError, Page, Span
from rowen.records import Record, Records

__all__ = ["check_locality"]


def check_locality(
    extractor: Extractor,
    pages: Iterable[Page | str],
    *,
    trials: int = 20,
    seed: int = 0,
) -> int:
    r"""Try to catch an extractor that looks further than its locality says.

    Text outside the declared reach is changed, `trials` times per page. For a window, that is the
    text around records and around other places; segments are extracted one by one, and shuffled.
    The records inside must stay, and no others may come. Raises `LocalityError` with the first
    difference, else returns the number of comparisons. More pages with more records find more.

    >>> import rowen
    >>> words = rowen.Pattern(r"(?P<word>[a-z]+)")
    >>> rowen.testing.check_locality(words, ["one two\nthree"]) > 0
    True
    """
    chance = random.Random(seed)  # noqa: S311  # not for secrets
    compared = 0
    for page in map(Page.of, pages):
        records = extractor.extract(page)
        if extractor.extract(page) != records:
            raise LocalityError(
                f"{extractor.name!r} gives different records on each call: {page.id}"
            )
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
        constant = _around(text, records, window, chance)
        # A page's edge counts as part of the context (see `recycling.regions`), so nothing is put
        # before it.
        edges = (constant.start == 0, constant.end == len(text))
        before = "" if edges[0] else _noise(text, records, chance)
        after = "" if edges[1] else _noise(text, records, chance)
        changed = Page(before + constant.of(text) + after, id=f"{page.id} (perturbed)")
        shift = len(before) - constant.start
        expected = {
            record.shift(shift, changed)
            for record in records
            if _lies_within(record, constant, window.context, edges)
        }
        moved = Span(len(before), len(before) + constant.length)
        extracted = {
            record
            for record in extractor.extract(changed)
            if _lies_within(record, moved, window.context, edges)
        }
        if expected != extracted:
            _complain(extractor, page, changed, expected, extracted)
    return trials


def _around(text: str, records: Records, window: Window, chance: random.Random) -> Span:
    """A stretch of text that stays constant: a record with its context, or anything else."""
    extents = [extent for record in records if (extent := record.extent) is not None]
    if extents and chance.random() < 0.7:
        extent = chance.choice(extents)
        start, end = extent.start - window.context, extent.end + window.context
    else:
        start = chance.randint(0, len(text))
        end = start + chance.randint(0, 2 * window.context + window.scope + 1)
    return Span(max(start, 0), min(max(end, 0), len(text)))


def _lies_within(record: Record, constant: Span, context: int, edges: tuple[bool, bool]) -> bool:
    """Whether a record's whole context, page edges included, lies in the constant stretch."""
    extent = record.extent
    if extent is None:
        return False
    start, end = extent.start - context, extent.end + context
    return (edges[0] or start >= constant.start) and (edges[1] or end <= constant.end)


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
    """Text that may mislead an extractor: records, parts of them, bits of the page, others."""
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
    extractor: Extractor, page: Page, changed: Page, expected: set[Record], extracted: set[Record]
) -> None:
    lost, new = expected - extracted, extracted - expected
    parts = [
        f"{verb} {min(map(repr, records))}"
        for verb, records in (("lost", lost), ("gained", new))
        if records
    ]
    raise LocalityError(
        f"{extractor.name!r} looks further than {extractor.locality}: on {page.id}, with "
        f"other text outside its reach, it {' and '.join(parts)}; text: {changed.text[:200]!r}"
    )
