"""Verification: whether a wrapper gives back every label, and if not, which ones and how.

Learners promise to reproduce what was marked, but some may leave out what contradicts the rest, and
all of them are programs. So each wrapper is run over its examples, whatever learned it, and the
records are compared with the labels span by span. What is unknown is not asked for. Of a page that
is marked in part, the marked records must be among those found.

    label    [Congo 242] [Egypt 20]        warnings
    found    [Congo 242] [Egypt --]        Egypt: value-missed, code
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from rowen.model import Example, Page, Record, Records, Span, Warning  # noqa: A004  # its word

KEPT = 500
"""So many warnings are kept: who marked more by mistake learns nothing from the rest, and the
wrapper's file stays small."""

SHOWN_CHARACTERS = 40
"""So much of a value is shown in a message."""

Values: TypeAlias = tuple[Span, ...]


def verify(examples: Sequence[Example], found: Iterable[Records]) -> tuple[Warning, ...]:
    """What is wrong with the records that were found for examples; nothing if all labels are there.

    `found` has the records of each example's page, in the same order.
    """
    warnings: list[Warning] = []
    seen: set[str] = set()
    for example, records in zip(examples, found, strict=True):
        warnings += _of_page(example, records)
        seen.update(_extracted(records, example))
    return _shortened(_with_lost_fields(warnings, examples, seen))


def reproduces(example: Example, records: Records) -> bool:
    """Whether all labels of a page are among its records, and nothing else where all are marked."""
    if example.partial:
        return all(
            any(_agrees(label, record, partial=True) for record in candidates)
            for label, candidates in _candidates(example.records, records)
        )
    return _agree_in_order(example.records, records)


def _agree_in_order(labels: Sequence[Record], records: Sequence[Record]) -> bool:
    return len(labels) == len(records) and all(
        _agrees(label, record, partial=False) for label, record in zip(labels, records, strict=True)
    )


def _agrees(label: Record, record: Record, *, partial: bool) -> bool:
    """Whether a record has all that is known of it, its children too."""
    has = dict(record.items())
    if any(_sorted(has.get(name, ())) != _sorted(spans) for name, spans in label.items()):
        return False
    if partial:  # the last record that is marked may have more children
        return all(
            any(_agrees(child, other, partial=True) for other in record.children)
            for child in label.children
        )
    return _agree_in_order(label.children, record.children)


def _of_page(example: Example, records: Records) -> Iterator[Warning]:
    page = example.page.id
    if reproduces(example, records):
        if records.failure is not None and (example.records or records):
            message = f"the marked records are found, then it stops: {records.failure}"
            yield Warning("page-stopped", message, page)
        return
    if records.failure is not None:
        count = f"{len(records)} record{'' if len(records) == 1 else 's'}"
        yield Warning("page-failed", f"it stops after {count}: {records.failure}", page)
    pairs, extra = _pair(example, records)
    told = 0
    for number, (label, record) in enumerate(zip(example.records, pairs, strict=True)):
        for warning in _of_record(example, number, label, record):
            told += 1
            yield warning
    for record in () if example.partial else extra:
        told += 1
        yield Warning("record-extra", f"{shown(record)} is found, but not marked", page)
    if not told and records.failure is None:
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
    has = dict(record.items())
    for name, spans in label.items():
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
        yield Warning(kind, message, page.id, number, name)
    if not _agrees(Record.trusted(page, {}, label.children), record, partial=example.partial):
        message = f"the records inside {shown(label)} are not those that are marked"
        yield Warning("children-differ", message, page.id, number)


def _pair(example: Example, records: Records) -> tuple[list[Record | None], list[Record]]:
    """For each label the record that is meant, and the records that no label means.

    It is the one with the most of the label's values, else one that overlaps with it.
    """
    left = dict(enumerate(records))
    places: dict[tuple[str, Span], list[int]] = {}
    wanted = {
        (name, span) for label in example.records for name, spans in label.items() for span in spans
    }
    for number, record in left.items():
        for name, spans in record.items():
            for span in spans:
                if (name, span) in wanted:
                    places.setdefault((name, span), []).append(number)
    pairs: list[Record | None] = []
    for label in example.records:
        votes: dict[int, int] = {}
        for name, spans in label.items():
            for span in spans:
                for number in places.get((name, span), ()):
                    if number in left:
                        votes[number] = votes.get(number, 0) + 1
        best = max(votes, key=lambda number: (votes[number], -number), default=None)
        pairs.append(None if best is None else left.pop(best))
    _pair_by_extent(example.records, pairs, left)
    return pairs, list(left.values())


def _pair_by_extent(
    labels: Sequence[Record], pairs: list[Record | None], left: dict[int, Record]
) -> None:
    """Give labels without a record one that overlaps; both stand in page order."""
    waiting = [(extent, n) for n, one in left.items() if (extent := one.extent) is not None]
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
) -> Iterator[tuple[Record, Sequence[Record]]]:
    """For each label the records that may be it: those with its first value, or all of them."""
    firsts = [next(((n, s[0]) for n, s in label.items() if s), None) for label in labels]
    wanted = {first for first in firsts if first is not None}
    having: dict[tuple[str, Span], list[Record]] = {}
    for record in records:
        for name, spans in record.items():
            for span in spans:
                if (name, span) in wanted:
                    having.setdefault((name, span), []).append(record)
    for label, first in zip(labels, firsts, strict=True):
        if first is not None:
            yield label, having.get(first, ())
        elif _is_known(label):
            yield label, records


def _with_lost_fields(
    warnings: list[Warning], examples: Sequence[Example], seen: set[str]
) -> list[Warning]:
    """The warnings with one for each field that is never extracted, in place of all its values."""
    marked: dict[str, list[Warning]] = {}
    for warning in warnings:
        if warning.kind == "value-missed" and warning.field not in seen:
            assert warning.field is not None
            marked.setdefault(warning.field, []).append(warning)
    lost = []
    for name, missed in marked.items():
        count = sum(_has(record, name) for example in examples for record in example.records)
        first = missed[0]
        what = "its marked value is not" if count == 1 else f"not one of {count:,} marked values is"
        value = first.message.removesuffix(" is not found")
        number = (first.record or 0) + 1
        message = f"always empty: {what} found, such as {value} in record {number}"
        lost.append(Warning("field-lost", message, first.page, None, name))
    rest = [one for one in warnings if not (one.kind == "value-missed" and one.field in marked)]
    return lost + rest


def _shortened(warnings: list[Warning]) -> tuple[Warning, ...]:
    if len(warnings) <= KEPT:
        return tuple(warnings)
    more = len(warnings) - KEPT
    return (*warnings[:KEPT], Warning("more", f"and {more:,} more labels that are not reproduced"))


def _extracted(records: Records, example: Example) -> set[str]:
    """The fields that have a value anywhere on a page; few pages have to be read to the end."""
    wanted = {name for label in example.records for name, _ in label.items()}
    seen: set[str] = set()
    for record in records:
        seen.update(name for name, spans in record.items() if spans)
        if seen >= wanted:
            break
    return seen


def _has(record: Record, name: str) -> bool:
    return bool(dict(record.items()).get(name))


def _is_known(label: Record) -> bool:
    return bool(label.children) or any(True for _ in label.items())


def _sorted(spans: Values) -> Values:
    return spans if len(spans) < 2 else tuple(sorted(spans))


def shown(record: Record) -> str:
    """A record by its first value, for people who look for it on the page."""
    spans = next((spans for _, spans in record.items() if spans), ())
    return f"the record with {_text(record.page, spans)}" if spans else "a record without values"


def _text(page: Page, spans: Values) -> str:
    return ", ".join(repr(_short(span.of(page.text))) for span in spans[:3]) + (
        ", ..." if len(spans) > 3 else ""
    )


def _short(value: str) -> str:
    shown = " ".join(value.split())
    return shown if len(shown) <= SHOWN_CHARACTERS else shown[: SHOWN_CHARACTERS - 3] + "..."
