"""Why no wrapper fits: which marks contradict the others, and what would help."""

from collections.abc import Iterator, Sequence
from typing import Any

from rowen.limits import CONFLICT_SECONDS
from rowen.model import Example, Record
from rowen.model.errors import LabelError, NoConsistentWrapper
from rowen.wrappers import budget
from rowen.wrappers.learn import LEARNED, learn

_TRY_SECONDS = 1.0


def conflict_of(
    error: NoConsistentWrapper, examples: Sequence[Example], wrapper_class: str
) -> dict[str, Any]:
    """What is known of a failure, found by learning again without this and that."""
    with budget.limit(CONFLICT_SECONDS):
        marks = list(_suspects(examples, wrapper_class, error.field))
        advice = list(_advice(examples, wrapper_class, found=bool(marks)))
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
    """Single records without which, or without whose value, a wrapper would fit all the rest."""
    for place, example in enumerate(examples):
        for number in range(len(example.records)):
            for doubted in _doubted(example, number, field):
                if budget.spent():
                    return
                rest = [*examples[:place], doubted, *examples[place + 1 :]]
                if _fits([one for one in rest if one.records or not one.partial], wrapper_class):
                    yield {"page": example.page.id, "record": number}
                    break


def _doubted(example: Example, number: int, field: str | None) -> Iterator[Example]:
    """The example as if the person had not said what a field of a record is, or not the record."""
    records: list[Any] = [_less(record, None) for record in example.records]
    if field in records[number] and len(records[number]) > 1:
        unknown = [*records[:number], _less(example.records[number], field), *records[number + 1 :]]
        yield Example(example.page, unknown, partial=example.partial)
    yield Example(example.page, [*records[:number], *records[number + 1 :]], partial=True)


def _advice(
    examples: Sequence[Example], wrapper_class: str, *, found: bool
) -> Iterator[dict[str, Any]]:
    if found:
        yield {"text": "Look at the records that are named here: without one of them it fits."}
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
        name for one in examples for record in one.records for name, _ in record.items()
    )
    for name in names if len(names) > 1 else ():
        if budget.spent():
            return
        if _fits(list(_without(examples, name)), wrapper_class):
            yield {
                "text": f"Without the field {name!r} a wrapper fits: is it marked in the same way "
                "everywhere, and marked as missing where a record has none?"
            }


def _without(examples: Sequence[Example], name: str) -> Iterator[Example]:
    for example in examples:
        records = [_less(record, name) for record in example.records]
        yield Example(example.page, records, partial=example.partial)


def _less(record: Record, name: str | None) -> dict[str, Any]:
    """The record as it is marked, without a field."""
    kept: dict[str, Any] = {one: spans for one, spans in record.spans.items() if one != name}
    if record.children:
        kept["children"] = [_less(child, name) for child in record.children]
    return kept


def _fits(examples: Sequence[Example], wrapper_class: str) -> bool:
    if not any(example.records for example in examples):
        return False
    try:
        learn(examples, wrapper_class, seconds=_TRY_SECONDS)
    except (NoConsistentWrapper, LabelError):
        return False
    return True
