"""Why no wrapper fits: which marks contradict the others, and what may help."""

from collections.abc import Iterator, Sequence
from typing import Any

from rowen.induction import budget
from rowen.labels.marks import marks_of
from rowen.learning.learn import LEARNED, learn
from rowen.model.errors import LabelError, NoConsistentWrapper
from rowen.records import Example

CONFLICT_SECONDS = 8.0
"""Limit: how long the studio searches for marks that contradict the others."""


_TRY_SECONDS = 1.0


def conflict_of(
    error: NoConsistentWrapper, examples: Sequence[Example], wrapper_class: str
) -> dict[str, Any]:
    """Explain a failure, by learning again without single records and fields."""
    with budget.limit(CONFLICT_SECONDS):
        marks = list(_suspects(examples, wrapper_class, error.field))
        advice = list(_advice(examples, wrapper_class, has_suspects=bool(marks)))
    return {
        "reason": error.reason,
        "field": error.field,
        "pages": list(error.pages),
        "marks": marks,
        "advice": advice,
    }


def _suspects(
    examples: Sequence[Example], wrapper_class: str, field: str | None
) -> Iterator[dict[str, Any]]:
    """Records without which, or without one value of which, a wrapper fits all other marks."""
    # One mistake is the usual case, and pairs of records would be too many to try.
    for place, example in enumerate(examples):
        for number in range(len(example.records)):
            for doubted in _doubted(example, number, field):
                if budget.spent():
                    return
                changed = [*examples[:place], doubted, *examples[place + 1 :]]
                # An empty partial example says nothing, and learning refuses it.
                usable = [example for example in changed if example.records or not example.partial]
                if _fits(usable, wrapper_class):
                    yield {"page": example.page.id, "record": number}
                    break


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
