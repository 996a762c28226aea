"""What is asked of a wrapper when it is published, and when its site has changed."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from rowen.extractors.saved import parse_all
from rowen.limits import LEARNING_SECONDS, STUDIO_CHANGES
from rowen.model import Example, Page, Record
from rowen.model.errors import ExtractorError, NoConsistentWrapper
from rowen.studio.conflict import conflict_of
from rowen.studio.explanation import explain
from rowen.studio.material import Pages, marks_of
from rowen.wrappers.base import Wrapper
from rowen.wrappers.learn import learn
from rowen.wrappers.maintaining.drift import check
from rowen.wrappers.maintaining.repair import repair


def rehearse(project: Pages, pages: Mapping[str, Page], before: str | None) -> dict[str, Any]:
    """Learn, try the wrapper on every page that is marked whole, and compare it with another."""
    examples = project.examples(pages)
    try:
        wrapper = learn(examples, project.wrapper_class, seconds=LEARNING_SECONDS)
    except NoConsistentWrapper as error:
        conflict = conflict_of(error, examples, project.wrapper_class)
        return {"wrapper": None, "conflict": conflict}
    return {
        "wrapper": wrapper.to_definition().to_dict(),
        "explanation": explain(wrapper),
        "conflict": None,
        "tests": [_tested(wrapper, one) for one in examples if not one.partial],
        "difference": None if before is None else _difference(wrapper_of(before), wrapper, pages),
    }


def inspect(definition: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    """What a wrapper finds on pages, and whether that is what it used to find."""
    wrapper = wrapper_of(definition)
    report = check(wrapper, pages.values(), wrapper.profile)
    return {
        **report.to_dict(),
        "records": {
            name: [_values(one) for one in wrapper.extract(page)] for name, page in pages.items()
        },
    }


def mend(definition: str, pages: Mapping[str, Page]) -> dict[str, Any]:
    """A wrapper for redesigned pages: what it gives, what changes, and what speaks against it."""
    wrapper = wrapper_of(definition)
    mended = repair(wrapper, pages.values(), profile=wrapper.profile)
    mended.wrapper.profile = mended.profile
    report = mended.report
    return {
        "wrapper": mended.wrapper.to_definition().to_dict(),
        "explanation": explain(mended.wrapper),
        "seen": report.seen,
        "again": report.again,
        "doubts": list(report.doubts),
        "findings": [str(one) for one in report.findings],
        "difference": _difference(wrapper, mended.wrapper, pages),
        "labels": {
            name: [marks_of(one) for one in mended.wrapper.extract(page)]
            for name, page in pages.items()
        },
    }


def wrapper_of(definition: str) -> Wrapper:
    """The wrapper that a definition tells of."""
    (found,) = parse_all(definition, "json")
    if not isinstance(found, Wrapper):
        raise ExtractorError(f"{found.name!r} is no wrapper")
    return found


def _tested(wrapper: Wrapper, example: Example) -> dict[str, Any]:
    records = wrapper.extract(example.page)
    missing, extra = _less(example.records, records), _less(records, example.records)
    return {
        "page": example.page.id,
        "passed": not missing and not extra,
        "missing": _shown(missing),
        "extra": _shown(extra),
        "failure": records.failure,
    }


def _difference(old: Wrapper, new: Wrapper, pages: Mapping[str, Page]) -> dict[str, Any]:
    """What the one finds and the other doesn't, page by page, and how their words differ."""
    changed = []
    for name, page in pages.items():
        before, after = old.extract(page), new.extract(page)
        came, went = _less(after, before), _less(before, after)
        if came or went:
            changed.append({"page": name, "came": _shown(came), "went": _shown(went)})
    lines = difflib.unified_diff(
        old.describe().splitlines(), new.describe().splitlines(), lineterm="", n=1
    )
    return {"pages": changed, "words": [line for line in lines if line[:3] not in _HEADS]}


_HEADS = ("---", "+++")


def _less(records: Iterable[Record], others: Iterable[Record]) -> list[Record]:
    """Those that the others have not; a field that is missing and one not told are the same."""
    known = {_spans(one) for one in others}
    return [one for one in records if _spans(one) not in known]


def _spans(record: Record) -> tuple[object, ...]:
    own = frozenset((name, spans) for name, spans in record.items() if spans)
    return own, tuple(map(_spans, record.children))


def _shown(records: list[Record]) -> list[dict[str, Any]]:
    return [_values(one) for one in records[:STUDIO_CHANGES]]


def _values(record: Record) -> dict[str, Any]:
    children = [_values(child) for child in record.children]
    return {**record.values, **({"children": children} if children else {})}
