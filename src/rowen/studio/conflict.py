"""Why no wrapper fits: which two marks contradict each other, and what resolves it.

Each answer has a way on: marks that can be removed, a class that fits, or both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowen.induction import budget
from rowen.labels.marks import marks_of
from rowen.learning.learn import LEARNED, learn
from rowen.model import Page
from rowen.model.errors import LabelError, NoConsistentWrapper
from rowen.records import Example, Record
from rowen.studio.nesting import flatten
from rowen.studio.rows import extent_of, spans_of

CONFLICT_SECONDS = 8.0
"""Limit: how long the studio searches for marks that contradict the others."""

EXCERPT = 60
"""Limit: so many characters before and after a mark are shown beside it."""

_TRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class _Place:
    """A marked record: the number of its example, and its own."""

    example: int
    record: int


def conflict_of(
    error: NoConsistentWrapper,
    examples: Sequence[Example],
    wrapper_class: str,
    *,
    fields: Sequence[str] = (),
) -> dict[str, Any]:
    """Explain a failure, by learning again without single records and fields.

    `fields` are those of the project, some of them maybe columns of lists inside records.
    """
    with budget.limit(CONFLICT_SECONDS):
        places = list(_suspects(examples, wrapper_class, error.field))
        pair = _pair(examples, wrapper_class, error, places)
        advice = list(_advice(examples, wrapper_class, has_suspects=bool(places)))
    # Each side can be removed, which is the way on where no class fits.
    sides = [_side(examples[place.example], place.record, error.field, fields) for place in pair]
    return {
        "reason": error.reason,
        "field": error.field,
        "pages": list(error.pages),
        "marks": [
            {"page": examples[place.example].page.id, "record": place.record} for place in places
        ],
        "sides": sides,
        "advice": advice,
    }


def _suspects(
    examples: Sequence[Example], wrapper_class: str, field: str | None
) -> Iterator[_Place]:
    """Records without which, or without one value of which, a wrapper fits all other marks."""
    # One mistake is the usual case, and pairs of records would be too many to try.
    for number, example in enumerate(examples):
        for record in range(len(example.records)):
            for doubted in _doubted(example, record, field):
                if budget.spent():
                    return
                changed = [*examples[:number], doubted, *examples[number + 1 :]]
                # An empty partial example says nothing, and learning refuses it.
                usable = [example for example in changed if example.records or not example.partial]
                if _fits(usable, wrapper_class):
                    yield _Place(number, record)
                    break


def _pair(
    examples: Sequence[Example],
    wrapper_class: str,
    error: NoConsistentWrapper,
    suspects: Sequence[_Place],
) -> list[_Place]:
    """Two records that contradict each other; where none do by themselves, two of the suspects."""
    doubted = error.field
    marked = [
        _Place(number, record)
        for number, example in enumerate(examples)
        for record, marks in enumerate(example.records)
        if doubted is None or _value(marks, doubted) is not None
    ]
    # The error names the pages of a contradiction: their records come first.
    marked.sort(key=lambda place: examples[place.example].page.id not in error.pages)
    firsts = [*suspects, *marked][:1]
    others = [place for place in marked if place not in firsts]
    for first in firsts:
        for other in others:
            if budget.spent():
                break
            if not _fits(_only(examples, sorted([first, other], key=_order)), wrapper_class):
                return [first, other]
    return sorted([*firsts, *others[:1]], key=_order)


def _order(place: _Place) -> tuple[int, int]:
    return place.example, place.record


def _only(examples: Sequence[Example], places: Sequence[_Place]) -> list[Example]:
    """The examples with these records alone."""
    kept: dict[int, list[Record]] = {}
    for place in places:
        kept.setdefault(place.example, []).append(examples[place.example].records[place.record])
    return [
        Example(examples[number].page, [marks_of(record) for record in records], partial=True)
        for number, records in kept.items()
    ]


def _side(
    example: Example, number: int, field: str | None, fields: Sequence[str]
) -> dict[str, Any]:
    """One of the two marks: where it is, what is around it, and the action that removes it."""
    marks = flatten(marks_of(example.records[number]), fields)
    name = field if field in marks else None
    records: list[Mapping[str, Any]] = []
    if name is not None and len(marks) > 1:
        records = [{kept: value for kept, value in marks.items() if kept != name}]
    removal = {
        "do": "splice",
        "page": example.page.id,
        "start": number,
        "end": number + 1,
        "records": records,
        "complete": not example.partial and bool(records),
        "told": f"remove {name}" if records else "delete record",
    }
    what = name if records else f"record {number + 1}"
    return {
        "page": example.page.id,
        "record": number,
        "field": name,
        "excerpt": _excerpt(example.page, marks if name is None else {name: marks[name]}),
        "removal": {"text": f"Remove {what} of {example.page.id}.", "action": removal},
    }


def _excerpt(page: Page, marks: Mapping[str, Any]) -> dict[str, str]:
    start, end = extent_of(marks) or (0, 0)
    return {
        "before": page.text[max(start - EXCERPT, 0) : start],
        "value": page.text[start : min(end, start + 2 * EXCERPT)],
        "after": page.text[end : end + EXCERPT],
    }


def _value(record: Record, field: str) -> object:
    value = marks_of(record).get(field.partition(".")[0])
    return value if value is None or any(spans_of(value)) else None


def _doubted(example: Example, number: int, field: str | None) -> Iterator[Example]:
    """The example with one field of a record unknown, and then without the record."""
    records: list[Any] = [marks_of(record) for record in example.records]
    if field is not None and field not in records[number]:
        field = field.partition(".")[0]  # of nested records the whole list is in doubt
    if field in records[number] and len(records[number]) > 1:
        unknown = [
            *records[:number],
            marks_of(example.records[number], without=field),
            *records[number + 1 :],
        ]
        yield Example(example.page, unknown, partial=example.partial)
    # Without one of its records the label is no longer complete.
    yield Example(example.page, [*records[:number], *records[number + 1 :]], partial=True)


def _advice(
    examples: Sequence[Example], wrapper_class: str, *, has_suspects: bool
) -> Iterator[dict[str, Any]]:
    if has_suspects:
        yield {"text": "Check the records listed here: without one of them a wrapper fits."}
    for name in ("auto", *LEARNED):
        if budget.spent():
            return
        if name != wrapper_class and _fits(examples, name):
            yield {
                "text": f"A wrapper of class {name} fits all marks.",
                "action": {"do": "class", "class": name},
            }
            break
    names = dict.fromkeys(
        name for example in examples for record in example.records for name, _ in record.items()
    )
    # Without its only field a wrapper would extract nothing.
    for name in names if len(names) > 1 else ():
        if budget.spent():
            return
        if _fits(list(_without(examples, name)), wrapper_class):
            yield {
                "text": f"Without the field {name!r} a wrapper fits. Is it marked the same way "
                "everywhere, and marked as missing where a record has none?"
            }


def _without(examples: Sequence[Example], name: str) -> Iterator[Example]:
    for example in examples:
        records = [marks_of(record, without=name) for record in example.records]
        yield Example(example.page, records, partial=example.partial)


def _fits(examples: Sequence[Example], wrapper_class: str) -> bool:
    if not any(example.records for example in examples):
        return False
    try:
        learn(examples, wrapper_class, seconds=_TRY_SECONDS)
    except (NoConsistentWrapper, LabelError):
        return False
    return True
