"""A locality is held against its definition, over all texts of a collection at once."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import regex

from rowen import Segments, Window
from rowen.extractors.locality import Either, Grain

Row = tuple[tuple[int, int], ...]
"""The bounds of a record's fields, (-1, -1) where one is missing."""

Extract = Callable[[str], set[Row]]


def texts_over(alphabet: str, longest: int) -> list[str]:
    """All texts of up to so many characters."""
    return ["".join(text) for size in range(longest + 1) for text in product(alphabet, repeat=size)]


def rows_of(pattern: str) -> Extract:
    """A pattern's records as DESIGN has them, straight from the engine."""
    compiled = regex.compile(pattern)
    groups = sorted(compiled.groupindex.values())

    def extract(text: str) -> set[Row]:
        rows = (tuple(match.regs[group] for group in groups) for match in compiled.finditer(text))
        return {row for row in rows if any(start < end for start, end in row)}

    return extract


def shifted(row: Row, by: int) -> Row:
    return tuple((start + by, end + by) if start >= 0 else (start, end) for start, end in row)


def extent(row: Row) -> tuple[int, int]:
    filled = [span for span in row if span[0] >= 0]
    return min(start for start, _ in filled), max(end for _, end in filled)


def contradiction(extract: Extract, grain: Grain, texts: Sequence[str]) -> str | None:
    """Two texts, or a text and its segments, that show that the locality is wrong."""
    match grain:
        case Either(options):
            reasons = (contradiction(extract, option, texts) for option in options)
            return next((reason for reason in reasons if reason is not None), None)
        case Window():
            return _window(extract, grain, texts)
        case Segments():
            return _segments(extract, grain, texts)
    return None


def _window(extract: Extract, window: Window, texts: Iterable[str]) -> str | None:
    """Definitions 3 to 5: equal text within the context, equal records, edges included."""
    scope, context = window.scope, window.context
    samples: dict[tuple[int, str], tuple[set[Row], str]] = {}
    lengths: set[int] = set()
    pages = []
    for text in texts:
        # The records that begin and end in the same places, counted from there.
        by_bounds: dict[tuple[int, int], set[Row]] = {}
        for row in extract(text):
            bounds = extent(row)
            by_bounds.setdefault(bounds, set()).add(shifted(row, -bounds[0]))
        around = "\0" * context + text + "\1" * context
        pages.append((text, around, by_bounds))
        for (start, end), rows in by_bounds.items():
            if end - start > scope:
                return f"{rows} on {text!r} is longer than {window}"
            lengths.add(end - start)
            samples.setdefault((end - start, around[start : end + 2 * context]), (rows, text))
    for text, around, by_bounds in pages:
        for length in lengths:
            for start in range(len(text) - length + 1):
                sample = samples.get((length, around[start : start + length + 2 * context]))
                if sample is not None and by_bounds.get((start, start + length)) != sample[0]:
                    return f"{window}: {sample[0]} on {sample[1]!r}, not so at {start} on {text!r}"
    return None


def _segments(extract: Extract, segments: Segments, texts: Iterable[str]) -> str | None:
    alone: dict[str, set[Row]] = {}
    for text in texts:
        apart = set()
        for start, end in segments.split(text):
            part = text[start:end]
            if part not in alone:
                alone[part] = extract(part)
            apart |= {shifted(row, start) for row in alone[part]}
        whole = extract(text)
        if apart != whole:
            return f"{segments}: {apart ^ whole} on {text!r}"
    return None
