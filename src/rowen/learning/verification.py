"""Verification: whether a wrapper reproduces every label, and if not, which ones it misses.

Learners promise to reproduce what was marked, but some may leave out what contradicts the rest, and
all of them may have bugs. So each wrapper is run over its examples, whatever learned it, and the
records are compared with the labels span by span. Unknown values are not compared. Of a page that
is marked in part, the marked records must be among those found.

    label    [Congo 242] [Egypt 20]        warnings
    found    [Congo 242] [Egypt --]        Egypt: value-missed, code

A field of a nested record is named by its path: `reviews[2].stars`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rowen.model import Page, Span, Warning  # noqa: A004  # its word
from rowen.records import Example, Record, Records
from rowen.records.nested import Nested, general_path

KEPT = 500
"""Limit: at most this many warnings are kept. More of them say nothing new, and the wrapper's file
stays small."""

SHOWN_CHARACTERS = 40
"""This many characters of a value are shown in a message."""

Values: TypeAlias = tuple[Span, ...]


def verify(examples: Sequence[Example], extracted: Iterable[Records]) -> tuple[Warning, ...]:
    """What is wrong with the records extracted from examples; nothing if all labels are reproduced.

    `extracted` has the records of each example's page, in the same order.
    """
    warnings: list[Warning] = []
    seen: set[str] = set()
    for example, records in zip(examples, extracted, strict=True):
        warnings += _of_page(example, records)
        seen.update(_extracted(records, example))
    return _shortened(_with_lost_fields(warnings, examples, seen))


def reproduces(example: Example, records: Records) -> bool:
    """Whether a page's records reproduce its label: all of it, and nothing else unless partial."""
    if example.partial:
        return all(
            any(_agrees(label, record, partial=True) for record in candidates)
            for _, label, candidates in _candidates(example.records, records)
        )
    return _agree_in_order(example.records, records)


def missed_records(example: Example, records: Records) -> set[int]:
    """The numbers of the marked records that a page's records do not reproduce.

    The page is marked in part, and each of its records counts by itself.
    """
    candidates = _candidates(example.records, records)
    return {
        number
        for number, label, having in candidates
        if not any(_agrees(label, record, partial=True) for record in having)
    }


def _agree_in_order(labels: Sequence[Record], records: Sequence[Record]) -> bool:
    return len(labels) == len(records) and all(
        _agrees(label, record, partial=False) for label, record in zip(labels, records, strict=True)
    )


def _agrees(label: Record, record: Record, *, partial: bool) -> bool:
    """Whether a record has all that its label says, its children and nested records too."""
    has = dict(record.items())
    nested = {name: (marked, gives) for name, marked, gives in _nested(label, record)}
    if not all(_agree_in_order(*pair) for pair in nested.values()):
        return False
    if any(
        _sorted(has.get(name, ())) != _sorted(spans)
        for name, spans in label.items()
        if name not in nested
    ):
        return False
    if partial:  # the last record that is marked may have more children
        return all(
            any(_agrees(child, child_record, partial=True) for child_record in record.children)
            for child in label.children
        )
    return _agree_in_order(label.children, record.children)


def _nested(label: Record, record: Record) -> Iterator[tuple[str, Nested, Nested]]:
    """The nested fields of a label, with the records that are marked and those that are found."""
    has = dict(record.stored())
    for name, where in label.stored():
        gives = has.get(name)
        if isinstance(where, Nested) or isinstance(gives, Nested):
            # None and an empty list say the same: there are no such records.
            yield (
                name,
                where if isinstance(where, Nested) else Nested(),
                gives if isinstance(gives, Nested) else Nested(),
            )


def _of_page(example: Example, records: Records) -> Iterator[Warning]:
    page = example.page.id
    if reproduces(example, records):
        if records.failure is not None and (example.records or records):
            message = f"the marked records are found, then it stops: {records.failure}"
            yield Warning("page-stopped", message, page)
        return
    if records.failure is not None:
        count = f"{len(records)} record{'' if len(records) == 1 else 's'}"
        yield Warning("page-failed", f"the wrapper stops after {count}: {records.failure}", page)
    pairs, extra = _pair(example.records, records)
    reported = 0
    for number, (label, record) in enumerate(zip(example.records, pairs, strict=True)):
        for warning in _of_record(example, number, label, record):
            reported += 1
            yield warning
    for record in () if example.partial else extra:
        reported += 1
        yield Warning("record-extra", f"{shown(record)} is found, but not marked", page)
    # All values are right, each in its record, and still the label is not reproduced.
    if not reported and records.failure is None:
        message = "the marked records are found, but not in the order of the label"
        yield Warning("record-order", message, page)


def _of_record(
    example: Example, number: int, label: Record, record: Record | None
) -> Iterator[Warning]:
    page = example.page
    if record is None:
        if not _is_known(label) and example.partial:
            return  # nothing is known of it that could be missed
        yield Warning("record-missed", f"{shown(label)} is not found", page.id, number)
        return
    yield from _of_values(page, number, label, record, "")
    if not _agrees(Record.trusted(page, {}, label.children), record, partial=example.partial):
        message = f"the records inside {shown(label)} are not those that are marked"
        yield Warning("children-differ", message, page.id, number)


def _of_values(
    page: Page, number: int, label: Record, record: Record, parent: str
) -> Iterator[Warning]:
    """What is wrong with the values of a record; `parent` is the path of a nested one."""
    nested = {name: (marked, gives) for name, marked, gives in _nested(label, record)}
    has = dict(record.items())
    for name, spans in label.items():
        if name in nested:
            yield from _of_nested(page, number, *nested[name], f"{parent}{name}")
            continue
        gives = has.get(name, ())
        if _sorted(gives) == _sorted(spans):
            continue
        if not gives:
            kind, message = "value-missed", f"{_text(page, spans)} is not found"
        elif not spans:
            message = f"marked as missing, but {_text(page, gives)} is found"
            kind = "value-extra"
        else:
            message = f"marked as {_text(page, spans)}, but {_text(page, gives)} is found"
            if _text(page, spans) == _text(page, gives):
                message = f"{_text(page, spans)} is found at another place than the marked one"
            kind = "value-differs"
        yield Warning(kind, message, page.id, number, f"{parent}{name}")


def _of_nested(
    page: Page, number: int, labels: Nested, records: Nested, path: str
) -> Iterator[Warning]:
    """What is wrong with the records of a nested field; they count from 1 in its path."""
    if _agree_in_order(labels, records):
        return
    pairs, extra = _pair(labels, records)
    reported = 0
    for place, (label, record) in enumerate(zip(labels, pairs, strict=True), 1):
        at = f"{path}[{place}]"
        warnings = (
            [Warning("record-missed", f"{shown(label)} is not found", page.id, number, at)]
            if record is None
            else _of_values(page, number, label, record, f"{at}.")
        )
        for warning in warnings:
            reported += 1
            yield warning
    for record in extra:
        reported += 1
        message = f"{shown(record)} is found, but not marked"
        yield Warning("record-extra", message, page.id, number, path)
    if not reported:
        message = "the marked records are found, but not in the order of the label"
        yield Warning("record-order", message, page.id, number, path)


def _pair(
    labels: Sequence[Record], records: Sequence[Record]
) -> tuple[list[Record | None], list[Record]]:
    """For each label the record that is meant, and the records that no label means.

    It is the record with the most of the label's values, or else one that overlaps the label.
    """
    # An index of values: the work grows with their number, not with labels times records.
    left = dict(enumerate(records))
    places: dict[tuple[str, Span], list[int]] = {}
    marked = {(name, span) for label in labels for name, spans in label.leaves() for span in spans}
    for number, record in left.items():
        for name, spans in record.leaves():
            for span in spans:
                if (name, span) in marked:
                    places.setdefault((name, span), []).append(number)
    pairs: list[Record | None] = []
    for label in labels:
        votes: dict[int, int] = {}
        for name, spans in label.leaves():
            for span in spans:
                for number in places.get((name, span), ()):
                    if number in left:
                        votes[number] = votes.get(number, 0) + 1
        best = max(votes, key=lambda number: (votes[number], -number), default=None)
        pairs.append(None if best is None else left.pop(best))
    _pair_by_extent(labels, pairs, left)
    return pairs, list(left.values())


def _pair_by_extent(
    labels: Sequence[Record], pairs: list[Record | None], left: dict[int, Record]
) -> None:
    """Give labels without a record one that overlaps; both are in page order."""
    waiting = [(extent, n) for n, record in left.items() if (extent := record.extent) is not None]
    waiting.sort()
    at = 0
    for number, label in enumerate(labels):
        extent = label.extent
        if pairs[number] is not None or extent is None:
            continue
        while at < len(waiting) and waiting[at][0].end <= extent.start:
            at += 1
        if at < len(waiting) and waiting[at][0].start < extent.end:
            pairs[number] = left.pop(waiting[at][1])
            at += 1


def _candidates(
    labels: Sequence[Record], records: Records
) -> Iterator[tuple[int, Record, Sequence[Record]]]:
    """For each label, with its number, the records that may be meant: those with its first value,
    or all of them.
    """
    firsts = [next(((n, s[0]) for n, s in label.leaves() if s), None) for label in labels]
    firsts_known = {first for first in firsts if first is not None}
    having: dict[tuple[str, Span], list[Record]] = {}
    for record in records:
        for name, spans in record.leaves():
            for span in spans:
                if (name, span) in firsts_known:
                    having.setdefault((name, span), []).append(record)
    for number, (label, first) in enumerate(zip(labels, firsts, strict=True)):
        if first is not None:
            yield number, label, having.get(first, ())
        elif _is_known(label):
            yield number, label, records


def _with_lost_fields(
    warnings: list[Warning], examples: Sequence[Example], seen: set[str]
) -> list[Warning]:
    """The warnings, with one for each field that is never extracted instead of one per value."""
    marked: dict[str, list[Warning]] = {}
    for warning in warnings:
        if (lost_field := _lost(warning, seen)) is not None:
            marked.setdefault(lost_field, []).append(warning)
    lost = []
    for name, missed in marked.items():
        count = sum(
            bool(spans)
            for example in examples
            for record in example.records
            for path, spans in record.leaves()
            if path == name
        )
        first = missed[0]
        what = "its marked value is not" if count == 1 else f"not one of {count:,} marked values is"
        value = first.message.removesuffix(" is not found")
        number = (first.record or 0) + 1
        message = f"always empty: {what} found, such as {value} in record {number}"
        lost.append(Warning("field-lost", message, first.page, None, name))
    others = [warning for warning in warnings if _lost(warning, seen) is None]
    return lost + others


def _lost(warning: Warning, seen: set[str]) -> str | None:
    """The field that a warning is about where that is never extracted, by its general path."""
    if warning.kind != "value-missed" or warning.field is None:
        return None
    name = general_path(warning.field)
    return None if name in seen else name


def _shortened(warnings: list[Warning]) -> tuple[Warning, ...]:
    if len(warnings) <= KEPT:
        return tuple(warnings)
    more = len(warnings) - KEPT
    return (*warnings[:KEPT], Warning("more", f"and {more:,} more labels that are not reproduced"))


def _extracted(records: Records, example: Example) -> set[str]:
    """The fields that have a value anywhere on a page; stops as soon as all are seen."""
    names = {name for label in example.records for name, _ in label.leaves()}
    seen: set[str] = set()
    for record in records:
        seen.update(name for name, spans in record.leaves() if spans)
        if seen >= names:
            break
    return seen


def _is_known(label: Record) -> bool:
    return bool(label.children) or any(True for _ in label.items())


def _sorted(spans: Values) -> Values:
    return spans if len(spans) < 2 else tuple(sorted(spans))


def shown(record: Record) -> str:
    """A record by its first value, so that people find it on the page."""
    spans = next((spans for _, spans in record.items() if spans), ())
    return f"the record with {_text(record.page, spans)}" if spans else "a record without values"


def _text(page: Page, spans: Values) -> str:
    return ", ".join(repr(_short(span.of(page.text))) for span in spans[:3]) + (
        ", ..." if len(spans) > 3 else ""
    )


def _short(value: str) -> str:
    shown = " ".join(value.split())
    return shown if len(shown) <= SHOWN_CHARACTERS else shown[: SHOWN_CHARACTERS - 3] + "..."
