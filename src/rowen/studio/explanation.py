"""A wrapper in words, and how reliable it is."""

from collections.abc import Collection
from typing import Any

from rowen.assurance.estimate import EPSILON, NEEDS_MORE, NOT_ASKED, assurance
from rowen.assurance.pac import confidence
from rowen.model import Warning  # noqa: A004  # the design's word
from rowen.wrappers.base import Wrapper
from rowen.wrappers.summary import summarise

_ELSEWHERE = frozenset({NEEDS_MORE, NOT_ASKED})
"""Lines about a missing estimate: the studio makes one when enough pages are accepted."""

_SHOWN = frozenset({"search-cut-short", "pages-without-records", "field-never-marked"})
"""Warnings about what the studio shows in other ways: by `cut_short`, beside pages and fields."""


def explain(wrapper: Wrapper, partial: Collection[str] = ()) -> dict[str, Any]:
    """What the studio's panel shows of a wrapper; `partial` are the pages marked in part."""
    evidence = wrapper.evidence
    warnings = [warning for warning in wrapper.warnings if _is_told(warning, partial)]
    return {
        "class": wrapper.wrapper_class,
        "description": wrapper.describe(),
        "reason": wrapper.reason,
        "warnings": [warning.to_dict() for warning in warnings],
        "warned": list(summarise(warnings)),
        "assurance": [line for line in assurance(wrapper) if line not in _ELSEWHERE],
        "confidence": None if evidence is None else confidence(wrapper, EPSILON),
        "pages": 0 if evidence is None else evidence.pages,
        "records": 0 if evidence is None else evidence.records,
        "cut_short": evidence is not None and evidence.cut_short,
        "delimiters": _delimiters(wrapper),
        "types": dict(wrapper.suggested_types),
    }


def _is_told(warning: Warning, partial: Collection[str]) -> bool:
    """Whether a warning says that something is wrong, and not only that something is open."""
    if warning.kind in _SHOWN:
        return False
    # In a list inside of a record that is marked in part, the records that are not marked are
    # proposals, as on the page.
    is_inside = warning.record is not None and warning.kind in ("record-extra", "children-differ")
    return not (is_inside and warning.page in partial)


def _delimiters(wrapper: Wrapper) -> dict[str, list[str]]:
    """The delimiters left and right of each field, if the class has them."""
    # Classes without a delimiter pair per field, such as token, show none.
    settings = wrapper.settings()
    left, right = settings.get("left"), settings.get("right")
    if not isinstance(left, list) or not isinstance(right, list):
        return {}
    return {
        name: [before, after]
        for name, before, after in zip(wrapper.fields, left, right, strict=False)
        if isinstance(before, str) and isinstance(after, str)
    }
