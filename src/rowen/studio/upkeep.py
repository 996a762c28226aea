"""Publishing, checking and repairing a wrapper: what the studio shows before each."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from rowen.induction.budget import LEARNING_SECONDS
from rowen.labels.marks import marks_of
from rowen.maintenance.drift import check
from rowen.maintenance.repair import repair
from rowen.model import Page
from rowen.model.errors import NoConsistentWrapper
from rowen.records import Example, Record
from rowen.studio.conflict import conflict_of
from rowen.studio.explanation import explain
from rowen.studio.learning import learn_wrapper
from rowen.studio.material import Pages, wrapper_of
from rowen.values.conversion import to_json
from rowen.wrappers.base import Wrapper

STUDIO_CHANGES = 50
"""Limit: how many added or removed records the studio shows of a page."""


def rehearse(project: Pages, pages: Mapping[str, Page], before: str | None) -> dict[str, Any]:
    """Learn, test the wrapper on every completely labelled page, and compare it with the last
    one.
    """
    examples = project.examples(pages)
    try:
        wrapper = learn_wrapper(project, examples, pages, seconds=LEARNING_SECONDS)
    except NoConsistentWrapper as error:
        conflict = conflict_of(error, examples, project.wrapper_class, fields=project.fields)
        return {"wrapper": None, "conflict": conflict}
    return {
        "wrapper": wrapper.to_definition().to_dict(),
        "explanation": explain(wrapper),
        "conflict": None,
        "tests": [_tested(wrapper, example) for example in examples if not example.partial],
        "difference": None if before is None else _difference(wrapper_of(before), wrapper, pages),
    }


def test(project: Pages, pages: Mapping[str, Page], definition: str) -> dict[str, Any]:
    """The tests of a published wrapper: the pages that are labelled completely."""
    wrapper = wrapper_of(definition)
    examples = project.examples(pages)
    return {"tests": [_tested(wrapper, example) for example in examples if not example.partial]}


def inspect(definition: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    """The records that a wrapper finds on pages, and the drift report."""
    wrapper = wrapper_of(definition)
    report = check(wrapper, pages.values())
    return {
        **report.to_dict(),
        "records": {
            name: [_values(record) for record in wrapper.extract(page)]
            for name, page in pages.items()
        },
    }


def propose_repair(definition: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    """A repaired wrapper for redesigned pages: its records, what changes, and doubts."""
    wrapper = wrapper_of(definition)
    repaired = repair(wrapper, pages.values())
    report = repaired.report
    return {
        "wrapper": repaired.wrapper.to_definition().to_dict(),
        "explanation": explain(repaired.wrapper),
        "seen": report.occurring,
        "again": report.reproduced,
        "doubts": list(report.doubts),
        "findings": [str(finding) for finding in report.findings],
        "difference": _difference(wrapper, repaired.wrapper, pages),
        "labels": {
            name: [marks_of(record) for record in repaired.wrapper.extract(page)]
            for name, page in pages.items()
        },
    }


def _tested(wrapper: Wrapper, example: Example) -> dict[str, Any]:
    records = wrapper.extract(example.page)
    missing, extra = _without(example.records, records), _without(records, example.records)
    return {
        "page": example.page.id,
        "passed": not missing and not extra,
        "missing": _shown(missing),
        "extra": _shown(extra),
        "failure": records.failure,
    }


def _difference(old: Wrapper, new: Wrapper, pages: Mapping[str, Page]) -> dict[str, Any]:
    """The records that only one of two wrappers finds, by page, and how their descriptions
    differ.
    """
    changed = []
    for name, page in pages.items():
        before, after = old.extract(page), new.extract(page)
        came, went = _without(after, before), _without(before, after)
        if came or went:
            changed.append({"page": name, "came": _shown(came), "went": _shown(went)})
    # Descriptions, not definitions: people compare sentences, not JSON.
    lines = difflib.unified_diff(
        old.describe().splitlines(), new.describe().splitlines(), lineterm="", n=1
    )
    return {"pages": changed, "words": [line for line in lines if line[:3] not in _HEADS]}


_HEADS = ("---", "+++")


def _without(records: Iterable[Record], others: Iterable[Record]) -> list[Record]:
    """The records that are not among the others; missing and unknown fields count as equal."""
    spans = {_spans(record) for record in others}
    return [record for record in records if _spans(record) not in spans]


def _spans(record: Record) -> tuple[object, ...]:
    # By place, not by value: the same text elsewhere on the page is another record.
    own = frozenset((name, spans) for name, spans in record.items() if spans)
    return own, tuple(map(_spans, record.children))


def _shown(records: list[Record]) -> list[dict[str, Any]]:
    return [_values(record) for record in records[:STUDIO_CHANGES]]


def _values(record: Record) -> dict[str, Any]:
    children = [_values(child) for child in record.children]
    values = {name: to_json(value) for name, value in record.values.items()}
    return {**values, **({"children": children} if children else {})}
